//! What students of ordinary variants ask: who wins, and how long it takes.

mod story;
mod words;

use std::iter;

use serde_json::{Map, Value, json};

pub(super) use self::{
    story::longest,
    words::{WonBy, mates_in, moves},
};
use super::{
    Bin, Cell, Listing, Remark, Report, Study, definition,
    ply::LinePly,
    survey::{Met, Survey},
    tally::Most,
    values::{Field, Kind, Row},
};
use crate::{
    answer::{Plies, Wdl, WinDrawLoss},
    board::{Color, Square},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{ChessEnding, Game, Laws, Setup, Variant},
};

/// `wdl` and `dtm`, as every game of win, draw and loss gives them.
pub(super) fn win_draw_loss_fields(answer: &WinDrawLoss) -> Map<String, Value> {
    let wdl = key(answer.wdl);
    [("wdl".to_owned(), json!(wdl)), ("dtm".to_owned(), json!(answer.dtm))].into_iter().collect()
}

/// The columns of `wdl` and `dtm`.
pub(super) fn win_draw_loss_columns() -> Vec<Field> {
    let results = Kind::Words(&["loss", "draw", "win"]);
    vec![Field::new("wdl", results), Field::optional("dtm", Kind::I32)]
}

/// A row of them.
pub(super) fn fill_win_draw_loss(answer: &WinDrawLoss, row: &mut Row<'_>) {
    row.word(Some(answer.wdl as usize));
    row.perhaps(answer.dtm.map(|plies| plies.0));
}

/// A result as programs read it.
fn key(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Wins, draws and losses for the side to move, by the plies to mate.
pub(super) fn win_draw_loss_bin(answer: &WinDrawLoss) -> Bin {
    Bin { group: key(answer.wdl), number: answer.dtm.unwrap_or_default().0.into() }
}

/// `White mates in 5 moves (9 plies)`, `drawn`.
pub(super) fn win_draw_loss_words(
    answer: &WinDrawLoss,
    to_move: Color,
    won_by: WonBy,
    ending: impl FnOnce() -> Option<ChessEnding>,
) -> String {
    let over = || ending().map(|ending| ending.to_string());
    match (winner(answer, to_move), answer.dtm) {
        (None, _) => over().unwrap_or_else(|| "drawn".to_owned()),
        (Some(winner), Some(Plies::ZERO)) => over().unwrap_or_else(|| format!("{winner} has won")),
        (Some(winner), None) => format!("{winner} wins; the table does not tell in how many moves"),
        (Some(winner), Some(plies)) => format!("{winner} {}", won_by.in_plies(plies)),
    }
}

/// 1 if White wins, −1 if Black does.
pub(super) fn win_draw_loss_value(answer: &WinDrawLoss, to_move: Color) -> i64 {
    value_of(winner(answer, to_move))
}

/// By how much White comes out ahead where games are won and nothing else counts.
pub(super) fn value_of(winner: Option<Color>) -> i64 {
    match winner {
        Some(Color::White) => 1,
        None => 0,
        Some(Color::Black) => -1,
    }
}

/// `White wins`, `drawn`.
pub(super) fn win_draw_loss_result(answer: &WinDrawLoss, to_move: Color) -> String {
    winner(answer, to_move).map_or_else(|| "drawn".to_owned(), |winner| format!("{winner} wins"))
}

/// `White wins, mates in 5 moves (9 plies)`, `White wins, in 5 moves (9 plies)`, `drawn`.
pub(super) fn win_draw_loss_brief(answer: &WinDrawLoss, to_move: Color, won_by: WonBy) -> String {
    let result = win_draw_loss_result(answer, to_move);
    match (answer.wdl, answer.dtm, won_by) {
        (Wdl::Draw, ..) | (_, None, _) => result,
        (_, Some(Plies::ZERO), WonBy::Mate) => format!("{result}, checkmate"),
        (_, Some(Plies::ZERO), WonBy::Anything) => format!("{result}, the game is over"),
        (_, Some(plies), WonBy::Mate) => format!("{result}, {}", mates_in(plies)),
        (_, Some(plies), WonBy::Anything) => format!("{result}, in {}", moves(plies)),
    }
}

/// What it means that best play goes round a circle.
pub(super) fn win_draw_loss_endless<G: Study<Answer = WinDrawLoss>>(
    plies: &[LinePly<G>],
) -> String {
    match plies.iter().all(|ply| ply.answer.wdl == Wdl::Draw) {
        true => "play goes on for ever".to_owned(),
        false => "the tables tell who wins, but not on which way".to_owned(),
    }
}

fn winner(answer: &WinDrawLoss, to_move: Color) -> Option<Color> {
    match answer.wdl {
        Wdl::Win => Some(to_move),
        Wdl::Loss => Some(!to_move),
        Wdl::Draw => None,
    }
}

/// Counts of results for one side to move, with the longest win and loss.
#[derive(Clone, Debug, Default)]
pub(super) struct ResultCounts {
    counts: [u64; 3],
    longest: [Most<Plies>; 3],
}

impl ResultCounts {
    pub(super) fn add(&mut self, answer: &WinDrawLoss, weight: u64, fen: impl FnOnce() -> String) {
        let at = answer.wdl as usize;
        self.counts[at] += weight;
        if let Some(plies) = answer.dtm {
            self.longest[at].meet(plies, fen);
        }
    }

    pub(super) fn merge(&mut self, other: ResultCounts) {
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, count)| *sum += count);
        self.longest.iter_mut().zip(other.longest).for_each(|(most, longest)| most.merge(longest));
    }

    /// The results of each side to move, and the longest wins and losses.
    pub(super) fn listings(sides: &[(Cell, ResultCounts)], title: &str) -> Vec<Listing> {
        let columns = ["to_move", "positions", "wins", "draws", "losses"];
        let mut results = Listing::new("results", title, columns);
        let columns = [
            ("to_move", "to move"),
            ("result", "result"),
            ("plies", "moves (plies)"),
            ("example", "example"),
        ];
        let mut longest = Listing::new("longest", "Longest wins and losses", columns);
        for (side, counts) in sides {
            let all = counts.counts.iter().sum();
            let share = |wdl: Wdl| Cell::Share(counts.counts[wdl as usize], all);
            let shares = [share(Wdl::Win), share(Wdl::Draw), share(Wdl::Loss)];
            results.row([side.clone(), all.into()].into_iter().chain(shares));
            for wdl in [Wdl::Win, Wdl::Loss] {
                if let Some((plies, fen)) = counts.longest[wdl as usize].get() {
                    let result = Cell::Kind(key(wdl), key(wdl).to_owned());
                    let plies = Cell::Plies(plies.0.into());
                    longest.row([side.clone(), result, plies, Cell::text(fen)]);
                }
            }
        }
        vec![results, longest]
    }
}

/// The same men with each pawn that can be taken in passing legally, and where.
pub(super) fn legal_in_passing(setup: &Setup, laws: &Laws) -> Vec<(Square, Setup)> {
    let variants = setup.passing_variants(laws).into_iter();
    let legal = variants.filter_map(|mut setup| {
        setup.drop_idle_en_passant(laws);
        Some((setup.en_passant?, setup))
    });
    legal.collect()
}

impl Variant {
    /// The results of all positions of a table, by side to move.
    fn results(
        &self,
        tables: &Tablebase<Variant>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<[ResultCounts; 2], ProbeError> {
        let survey = Survey::open(tables, material, progress)?.for_all(progress);
        let what = format!("counting {material}");
        let work = (what.as_str(), progress);
        let empty = <[ResultCounts; 2]>::default;
        let add_passing = |sides: &mut [ResultCounts; 2], met: Met<'_, '_, Variant>| {
            for (_, setup) in self.in_passing(met.position()) {
                let counts = &mut sides[met.side().index()];
                counts.add(&tables.answer(&setup)?, met.weight, || self.fen(&setup));
            }
            Ok(())
        };
        let merge = |sides: &mut [ResultCounts; 2], other: [ResultCounts; 2]| {
            sides.iter_mut().zip(other).for_each(|(counts, other)| counts.merge(other));
        };
        let counted = survey.count_outcomes(work, &empty, &add_passing, &merge)?;
        if let Some((kinds, mut sides)) = counted {
            for (met, counted) in kinds {
                let counts = &mut sides[met.side().index()];
                counts.add(&met.answer()?, counted.placements, || self.fen(met.position()));
            }
            return Ok(sides);
        }
        let add = |sides: &mut [ResultCounts; 2], met: Met<'_, '_, Variant>| {
            let counts = &mut sides[met.side().index()];
            counts.add(&met.answer()?, met.weight, || self.fen(met.position()));
            add_passing(sides, met)
        };
        survey.tally(iter::once(0..survey.cells()), work, &empty, &add, &merge)
    }
}

fn won_by(game: &Variant) -> WonBy {
    if game.only_mate_wins() { WonBy::Mate } else { WonBy::Anything }
}

impl Study for Variant {
    fn title(&self) -> &'static str {
        &self.definition().title
    }

    fn primer(&self) -> String {
        definition::primer(self.definition())
    }

    fn fields(&self, _: &Setup, answer: &WinDrawLoss) -> Map<String, Value> {
        win_draw_loss_fields(answer)
    }

    fn columns(&self) -> Vec<Field> {
        win_draw_loss_columns()
    }

    fn fill(&self, _: &Setup, answer: &WinDrawLoss, row: &mut Row<'_>) {
        fill_win_draw_loss(answer, row);
    }

    /// The checks that the sides have left, where they are counted.
    fn mode_columns(&self) -> Vec<Field> {
        let names: &[&'static str] = match self.winning_checks {
            0 => &[],
            _ => &["checks_left_white", "checks_left_black"],
        };
        names.iter().map(|&name| Field::new(name, Kind::U8)).collect()
    }

    fn fill_mode(&self, setup: &Setup, row: &mut Row<'_>) {
        if let Some(left) = setup.checks_left {
            Color::ALL.into_iter().for_each(|color| row.integer(left[color]));
        }
    }

    fn in_passing(&self, setup: &Setup) -> Vec<(Square, Setup)> {
        legal_in_passing(setup, &self.laws)
    }

    fn words(&self, setup: &Setup, answer: &WinDrawLoss) -> Vec<String> {
        let ending = || self.ending(setup);
        vec![win_draw_loss_words(answer, setup.to_move, won_by(self), ending)]
    }

    fn value(&self, setup: &Setup, answer: &WinDrawLoss) -> i64 {
        win_draw_loss_value(answer, setup.to_move)
    }

    fn plies_to_win(&self, _: &Setup, answer: &WinDrawLoss) -> Option<Plies> {
        answer.dtm
    }

    fn result_words(&self, setup: &Setup, answer: &WinDrawLoss) -> String {
        win_draw_loss_result(answer, setup.to_move)
    }

    fn brief(&self, setup: &Setup, answer: &WinDrawLoss) -> String {
        win_draw_loss_brief(answer, setup.to_move, won_by(self))
    }

    fn endless(&self, plies: &[LinePly<Variant>]) -> String {
        win_draw_loss_endless(plies)
    }

    fn bin(&self, _: &Setup, answer: &WinDrawLoss) -> Option<Bin> {
        Some(win_draw_loss_bin(answer))
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        longest(report, won_by(self))
    }

    fn statistics(
        &self,
        tables: &Tablebase<Variant>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let [white, black] = self.results(tables, material, progress)?;
        // Of two equal sides the table knows White to move only.
        let sides = if *material == material.swap_colors() {
            vec![(Cell::Kind("either", "either side".to_owned()), white)]
        } else {
            vec![(Color::White.into(), white), (Color::Black.into(), black)]
        };
        let title = "Legal positions, no symmetry removed, en passant included";
        Ok(Report::new(material.to_string(), ResultCounts::listings(&sides, title)))
    }
}

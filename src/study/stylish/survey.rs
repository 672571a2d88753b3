//! Statistics: which margins there are, where style asks for what orthodox chess forbids, and the
//! mates that score most.

use std::collections::BTreeMap;

use crate::{
    answer::{Plies, StylishAnswer},
    board::Color,
    index::Material,
    probe::{ProbeError, Ranked, Tablebase},
    progress::Progress,
    rules::{Game, Laws, Move, Setup, Stylish, StylishPosition, is_dead},
    study::{
        Cell, Listing, Report, Study,
        tally::{Most, Tally, merge_each},
    },
};

/// How many of the highest-scoring mates are shown.
const BEST_MATES: usize = 10;

/// A margin with how far away the next conversion can be.
#[derive(Clone, Debug, Default)]
struct Margin {
    tally: Tally,
    longest: Most<Plies, StylishPosition>,
}

/// What a player who loves orthodox chess would not do.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Style {
    GiveAway,
    AvoidMate,
    BeMated,
}

impl Style {
    const ALL: [Style; 3] = [Style::GiveAway, Style::AvoidMate, Style::BeMated];

    fn key(self) -> &'static str {
        match self {
            Style::GiveAway => "give_away",
            Style::AvoidMate => "avoid_mate",
            Style::BeMated => "be_mated",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Style::GiveAway => "must let a man be captured, and could avoid it",
            Style::AvoidMate => "could mate at once, and must not",
            Style::BeMated => "must let itself be mated at once, and could avoid it",
        }
    }
}

/// Which positions of a side to move are counted together: whether a pawn can be taken in passing,
/// and who captured last.
type MarginGroup = (Color, bool, Option<Color>);

#[derive(Clone, Debug, Default)]
struct Survey {
    positions: BTreeMap<Color, u64>,
    margins: BTreeMap<(MarginGroup, i64), Margin>,
    /// Whether the tables tell how far the next conversion is.
    lacks_distances: bool,
    styles: BTreeMap<(Color, Style), Tally>,
    /// By the points of the mating turn.
    mates: BTreeMap<(Color, i64), Tally>,
}

/// The statistics of a table.
///
/// # Errors
/// If the table, or one it leads to, is missing or damaged.
pub fn report(
    tables: &Tablebase<Stylish>,
    material: &Material,
    progress: &dyn Progress,
) -> Result<Report, ProbeError> {
    let survey = tables.tally(
        material,
        progress,
        Survey::default,
        |survey, position, answer, weight| {
            survey.add_margin(tables, position, answer, weight);
            for (_, position) in tables.game().in_passing(position) {
                let answer = tables.answer(&position)?;
                survey.add_margin(tables, &position, &answer, weight);
            }
            // Who captured last changes nothing about the style.
            if position.last_capture.is_none() && !is_dead(&position.setup.board) {
                survey.add_style(tables, position, answer, weight)?;
            }
            Ok(())
        },
        Survey::merge,
    )?;
    survey.report(tables, material)
}

impl Survey {
    fn add_margin(
        &mut self,
        tables: &Tablebase<Stylish>,
        position: &StylishPosition,
        answer: &StylishAnswer,
        weight: u64,
    ) {
        let Setup { to_move, en_passant, .. } = position.setup;
        let group = (to_move, en_passant.is_some(), position.last_capture);
        let margin = self.margins.entry((group, answer.margin)).or_default();
        margin.tally.add(weight, || tables.game().fen(position));
        self.lacks_distances |= answer.lacks_distance(tables.game(), position);
        if let Some(plies) = answer.distance {
            margin.longest.meet(plies, || position.clone());
        }
    }

    fn add_style(
        &mut self,
        tables: &Tablebase<Stylish>,
        position: &StylishPosition,
        answer: &StylishAnswer,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let game = tables.game();
        let setup = &position.setup;
        let mover = setup.to_move;
        *self.positions.entry(mover).or_default() += weight;
        let mut count = |style| {
            let tally = self.styles.entry((mover, style)).or_default();
            tally.add(weight, || game.fen(position));
        };
        let mating = mating_turns(setup);
        if !mating.is_empty() {
            let margins = mating.iter().map(|&mv| {
                let points = points(game, position, mv);
                if mover == Color::White { points } else { -points }
            });
            if margins.into_iter().all(|margin| margin != answer.margin) {
                count(Style::AvoidMate);
            } else {
                let mates = self.mates.entry((mover, answer.margin.abs())).or_default();
                mates.add(weight, || game.fen(position));
            }
        }
        // What the opponent does at once is two plies away.
        if answer.distance == Some(Plies(2)) {
            let ranked = tables.ranked(position)?;
            for style in [Style::GiveAway, Style::BeMated] {
                if is_called_for(tables, &ranked, style)? {
                    let tally = self.styles.entry((mover, style)).or_default();
                    tally.add(weight, || game.fen(position));
                }
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Survey) {
        merge_each(&mut self.positions, other.positions, |sum, n| *sum += n);
        self.lacks_distances |= other.lacks_distances;
        merge_each(&mut self.margins, other.margins, |into, later| {
            into.tally.merge(later.tally);
            into.longest.merge(later.longest);
        });
        merge_each(&mut self.styles, other.styles, Tally::merge);
        merge_each(&mut self.mates, other.mates, Tally::merge);
    }

    fn report(
        self,
        tables: &Tablebase<Stylish>,
        material: &Material,
    ) -> Result<Report, ProbeError> {
        let game = tables.game();
        let mates = self.mates_section(tables)?;
        let shows_capture = self.margins.keys().any(|((_, _, capturer), _)| capturer.is_some());
        let mut all: BTreeMap<MarginGroup, u64> = BTreeMap::new();
        for ((group, _), found) in &self.margins {
            *all.entry(*group).or_default() += found.tally.count;
        }
        let mut margins = Listing::new(
            "margins",
            "Margins (legal placements, no symmetry removed)",
            [
                ("to_move", "to move"),
                ("en_passant", "en passant"),
                ("last_capture", "last capture"),
                ("margin", "margin"),
                ("placements", "placements"),
                ("plies", "longest, moves (plies)"),
                ("example", "example"),
            ],
        );
        for ((group, margin), found) in self.margins {
            let (to_move, passing, capturer) = group;
            let (longest, example) = match found.longest.get() {
                Some((plies, position)) => (Cell::Plies(plies.0.into()), Some(game.fen(position))),
                None => (Cell::Nothing, found.tally.example),
            };
            let capturer = match capturer {
                Some(color) => color.into(),
                None if shows_capture => Cell::Kind("nobody", "nobody".to_owned()),
                None => Cell::Nothing,
            };
            margins.row([
                to_move.into(),
                Cell::Flag(passing),
                capturer,
                Cell::Number(margin),
                Cell::Share(found.tally.count, all[&group]),
                longest,
                example.into(),
            ]);
        }
        let mut styles = Listing::new(
            "style",
            "Where style pays",
            [
                ("to_move", "to move"),
                ("force", "its force"),
                ("what", "what it"),
                ("placements", "placements"),
                ("example", "example"),
            ],
        );
        for color in Color::ALL {
            let force =
                match game.sheet.force(material, color).cmp(&game.sheet.force(material, !color)) {
                    std::cmp::Ordering::Greater => "stronger",
                    std::cmp::Ordering::Equal => "equal",
                    std::cmp::Ordering::Less => "weaker",
                };
            for style in Style::ALL {
                let tally = self.styles.get(&(color, style)).cloned().unwrap_or_default();
                let all = self.positions.get(&color).copied().unwrap_or(0);
                let [placements, example] = match style {
                    // What the opponent does at once is found by its distance.
                    Style::GiveAway | Style::BeMated if self.lacks_distances => {
                        [Cell::Nothing, Cell::Nothing]
                    }
                    _ => tally.cells(all),
                };
                styles.row([
                    color.into(),
                    Cell::Kind(force, force.to_owned()),
                    Cell::Kind(style.key(), style.words().to_owned()),
                    placements,
                    example,
                ]);
            }
        }
        Ok(Report::new(material.to_string(), vec![margins, styles, mates]))
    }

    /// The mates that score most, in one and forced from farthest away.
    fn mates_section(&self, tables: &Tablebase<Stylish>) -> Result<Listing, ProbeError> {
        let mut section = Listing::new(
            "mates",
            "Most beautiful mates of best play",
            [
                ("winner", "mates"),
                ("points", "points"),
                ("at_once", "at once"),
                ("example", "example"),
                ("plies", "from afar, moves (plies)"),
                ("far_example", "its example"),
            ],
        );
        for color in Color::ALL {
            let mates = self.mates.range((color, i64::MIN)..=(color, i64::MAX)).rev();
            for (&(_, points), tally) in mates.take(BEST_MATES) {
                let (plies, far) = match self.farthest_mate(tables, color, points)? {
                    Some((plies, fen)) => (Cell::Plies(plies.0.into()), Cell::Text(fen)),
                    None => (Cell::Nothing, Cell::Nothing),
                };
                let (placements, example) = (tally.count, tally.example.clone());
                section.row([
                    color.into(),
                    Cell::Number(points),
                    placements.into(),
                    example.into(),
                    plies,
                    far,
                ]);
            }
        }
        Ok(section)
    }

    /// The farthest position of a margin, if best play from there leads straight to the mate that
    /// scores it.
    fn farthest_mate(
        &self,
        tables: &Tablebase<Stylish>,
        winner: Color,
        points: i64,
    ) -> Result<Option<(Plies, String)>, ProbeError> {
        let margin = if winner == Color::White { points } else { -points };
        let of_margin = Color::ALL.into_iter().filter_map(|to_move| {
            self.margins.get(&((to_move, false, None), margin))?.longest.get()
        });
        let Some((plies, start)) = of_margin.max_by_key(|&&(plies, _)| plies) else {
            return Ok(None);
        };
        let line = crate::study::best_line(tables, start, usize::from(plies.0))?;
        let last = line.plies.last().map_or(start, |ply| &ply.after);
        let mated = last.setup.is_checkmate(&Laws::ORTHODOX);
        Ok(mated.then(|| (*plies, tables.game().fen(start))))
    }
}

/// The moves that mate.
fn mating_turns(setup: &Setup) -> Vec<Move> {
    let mut moves = setup.moves(&Laws::ORTHODOX);
    moves.retain(|&mv| setup.play(mv).is_checkmate(&Laws::ORTHODOX));
    moves
}

fn points(game: &Stylish, position: &StylishPosition, mv: Move) -> i64 {
    game.awards(position, mv).iter().map(|award| i64::from(award.points)).sum()
}

/// Whether after every best turn the opponent does best to capture, or to mate, at once, while
/// after some other turn it could not.
fn is_called_for(
    tables: &Tablebase<Stylish>,
    ranked: &[Ranked<Stylish>],
    style: Style,
) -> Result<bool, ProbeError> {
    let is_blow = |setup: &Setup, mv: Move| match style {
        Style::GiveAway => setup.is_capture(mv),
        Style::BeMated | Style::AvoidMate => setup.play(mv).is_checkmate(&Laws::ORTHODOX),
    };
    // A damaged table can say that there are turns where there are none.
    let Some(best) = ranked.first().map(|best| best.worth.margin) else { return Ok(false) };
    let mut avoidable = false;
    for option in ranked {
        let after = &option.after;
        if option.worth.margin != best {
            let turns = tables.game().turns(after);
            avoidable |= !turns.into_iter().any(|mv| is_blow(&after.setup, mv));
            continue;
        }
        let replies = tables.ranked(after)?;
        let Some(first) = replies.first().map(|reply| reply.worth.margin) else {
            return Ok(false);
        };
        let mut best_replies = replies.iter().take_while(|reply| reply.worth.margin == first);
        if !best_replies.any(|reply| is_blow(&after.setup, reply.turn)) {
            return Ok(false);
        }
    }
    Ok(avoidable)
}

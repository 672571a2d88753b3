//! What students of Orphic Chess ask: who wins, what a man in reserve is worth against the same man
//! on the board, and where it is dropped.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::{
    Cell, Listing, Report, Study,
    variant::{OutcomeTally, win_draw_loss_fields, win_draw_loss_words},
};
use crate::{
    answer::{Tabled, Unanswerable, Wdl, WinDrawLoss},
    board::{Color, Man, Role, Square, Symmetry},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Orphic, OrphicPosition, OrphicTurn, PieceSet, Setup},
};

impl<S: PieceSet> Study for Orphic<S> {
    const TITLE: &'static str = S::TITLE;

    fn fields(&self, _: &OrphicPosition, answer: &WinDrawLoss) -> Map<String, Value> {
        win_draw_loss_fields(answer)
    }

    fn words(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> Vec<String> {
        vec![self.brief(position, answer)]
    }

    fn brief(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> String {
        win_draw_loss_words(answer, position.setup.to_move)
    }

    fn statistics(
        &self,
        tables: &Tablebase<Orphic<S>>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let in_reserve: Vec<Man> = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| Man::new(color, role)))
            .filter(|man| material.reserve(man.color, man.role) > 0)
            .collect();
        let counts = tables.tally(
            material,
            progress,
            || Counts::new(&in_reserve),
            |counts, position, answer, weight| counts.add(tables, position, answer, weight),
            Counts::merge,
        )?;
        let mut results = Listing::new(
            format!("{material}: legal placements of the men, no symmetry removed"),
            &OutcomeTally::COLUMNS,
        );
        for color in Color::ALL {
            results.row(counts.tallies[color.index()].row(&color.to_string()));
        }
        let mut sections = vec![results];
        for (man, drops) in in_reserve.into_iter().zip(&counts.drops) {
            let worth = Worth::measure(tables, material, man, progress)?;
            sections.push(worth.section(material, man));
            sections.extend(drops.sections(material));
        }
        Ok(Report { sections })
    }
}

/// `White's knight`.
fn owned(man: Man) -> String {
    format!("{}'s {}", man.color, man.role.name())
}

impl Drops {
    /// Counts a won position with these quickest turns; `images` turn it into all it stands for.
    fn add(&mut self, best: &[OrphicTurn], images: &[Symmetry]) {
        let weight = images.len() as u64;
        let square = |turn: &OrphicTurn| match *turn {
            OrphicTurn::Drop { role, to, .. } if role == self.man.role => Some(to),
            _ => None,
        };
        let mut squares: Vec<Square> = best.iter().filter_map(square).collect();
        self.won += weight;
        self.dropped += if squares.is_empty() { 0 } else { weight };
        self.only += if squares.len() == best.len() { weight } else { 0 };
        // A drop on a pawn is several turns on one square.
        squares.sort_unstable();
        squares.dedup();
        for to in squares {
            images.iter().for_each(|s| self.squares[s.image(to).number()] += 1);
        }
    }

    fn sections(&self, material: &Material) -> [Listing; 2] {
        let whose = owned(self.man);
        let mut summary = Listing::new(
            format!(
                "{material}: won positions in which dropping {whose} is among the quickest turns"
            ),
            &["to move", "won", "dropped at once", "nothing else as quick"],
        );
        summary.row([
            Cell::text(self.man.color.to_string()),
            self.won.into(),
            self.dropped.into(),
            self.only.into(),
        ]);
        let mut squares = Listing::new(
            format!("{material}: where {whose} is dropped then, every quickest square counted"),
            &["rank", "a", "b", "c", "d", "e", "f", "g", "h"],
        );
        for rank in (0..8).rev() {
            let counts = (0..8).map(|file| self.squares[Square::at(file, rank).number()].into());
            squares.row([Cell::text((rank + 1).to_string())].into_iter().chain(counts));
        }
        [summary, squares]
    }
}

/// The outcomes of a table, and per man in reserve the best drops.
struct Counts {
    tallies: [OutcomeTally; 2],
    drops: Vec<Drops>,
}

/// How a man is dropped in the positions its side wins and has the turn.
#[derive(Clone)]
struct Drops {
    man: Man,
    /// Won positions with the side to move.
    won: u64,
    /// Those in which a drop of the man is among the quickest turns.
    dropped: u64,
    /// Those in which every quickest turn is such a drop.
    only: u64,
    /// Per square, the positions in which dropping the man there is among the quickest turns.
    squares: [u64; 64],
}

impl Counts {
    fn new(in_reserve: &[Man]) -> Counts {
        let drops = |&man| Drops { man, won: 0, dropped: 0, only: 0, squares: [0; 64] };
        Counts { tallies: Default::default(), drops: in_reserve.iter().map(drops).collect() }
    }

    fn add<S: PieceSet>(
        &mut self,
        tables: &Tablebase<Orphic<S>>,
        position: &OrphicPosition,
        answer: &WinDrawLoss,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let game = tables.game();
        let to_move = position.setup.to_move;
        self.tallies[to_move.index()].add(answer, weight, || game.fen(position));
        if answer.wdl != Wdl::Win || self.drops.iter().all(|drops| drops.man.color != to_move) {
            return Ok(());
        }
        let mut best: Vec<OrphicTurn> = Vec::new();
        for turn in game.turns(position) {
            let worth = tables.answer(&game.play(position, turn))?.before();
            if worth == *answer {
                best.push(turn);
            }
        }
        let mut met = FxHashSet::default();
        let symmetries = game.symmetries(&tables.game().material_of(position)?).symmetries();
        let images: Vec<Symmetry> =
            symmetries.filter(|&s| met.insert(position.setup.board.image(s))).collect();
        for drops in self.drops.iter_mut().filter(|drops| drops.man.color == to_move) {
            drops.add(&best, &images);
        }
        Ok(())
    }

    fn merge(&mut self, other: Counts) {
        for (tally, other) in self.tallies.iter_mut().zip(other.tallies) {
            tally.merge(other);
        }
        for (drops, other) in self.drops.iter_mut().zip(other.drops) {
            drops.won += other.won;
            drops.dropped += other.dropped;
            drops.only += other.only;
            for (count, other) in drops.squares.iter_mut().zip(other.squares) {
                *count += other;
            }
        }
    }
}

/// What it makes of positions to take a man from the board into hand, in the view of its side.
#[derive(Clone, Default)]
struct Worth {
    /// By the side to move.
    sides: [Change; 2],
}

/// Pairs of positions: a man on the board, and the same man in reserve.
#[derive(Clone, Default)]
struct Change {
    /// Pairs by the result on the board and the result in reserve.
    pairs: [[u64; 3]; 3],
    /// Of the pairs won both ways, those won sooner and those won later with the man in reserve.
    sooner: u64,
    later: u64,
    /// The plies saved in all pairs won both ways.
    saved: i64,
    /// The most plies saved in one, and the position with the man in reserve.
    most: Option<(i64, String)>,
}

impl Worth {
    /// Goes through all placements with the man on the board.
    fn measure<S: PieceSet>(
        tables: &Tablebase<Orphic<S>>,
        material: &Material,
        man: Man,
        progress: &dyn Progress,
    ) -> Result<Worth, ProbeError> {
        let mut on_board = *material;
        on_board.remove_from_reserve(man);
        on_board.add(man);
        let table = tables.game().named(&on_board).map_err(Unanswerable::from)?;
        tables.tally(
            &table,
            progress,
            Worth::default,
            |worth, position, answer, weight| {
                // The table may have the sides exchanged, and of two equal sides it has one.
                if table == on_board {
                    worth.compare(tables, position, answer, man, weight)?;
                }
                if table.swap_colors() == on_board {
                    worth.compare(tables, &swap_colors(position), answer, man, weight)?;
                }
                Ok(())
            },
            |worth, other| {
                for (change, other) in worth.sides.iter_mut().zip(other.sides) {
                    change.merge(other);
                }
            },
        )
    }

    /// Takes each man like this one into hand in turn.
    fn compare<S: PieceSet>(
        &mut self,
        tables: &Tablebase<Orphic<S>>,
        position: &OrphicPosition,
        on_board: &WinDrawLoss,
        man: Man,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let to_move = position.setup.to_move;
        for square in position.setup.board.men(man.color, man.role) {
            let mut taken = position.clone();
            taken.setup.board.remove(square);
            taken.reserves[man.color.index()].add(man.role);
            // It may have stood between a King and a check.
            if taken.setup.in_check(!to_move) {
                continue;
            }
            let in_reserve = tables.answer(&taken)?;
            let fen = || tables.game().fen(&taken);
            let own_turn = to_move == man.color;
            self.sides[to_move.index()].add(on_board, &in_reserve, own_turn, weight, fen);
        }
        Ok(())
    }

    fn section(&self, material: &Material, man: Man) -> Listing {
        let whose = owned(man);
        let mut section = Listing::new(
            format!(
                "{material}: {whose} in reserve instead of on the board, as {} sees it",
                man.color
            ),
            &[
                "to move",
                "placements",
                "draw to win",
                "loss to win",
                "loss to draw",
                "win to draw",
                "win to loss",
                "draw to loss",
                "won both ways",
                "sooner in reserve",
                "later in reserve",
                "plies saved on average",
                "most plies saved",
                "example",
            ],
        );
        for color in Color::ALL {
            section.row(self.sides[color.index()].row(color));
        }
        section
    }
}

impl Change {
    /// Counts a pair; the answers are the mover's, and `own_turn` says whether the man is too.
    fn add(
        &mut self,
        on_board: &WinDrawLoss,
        in_reserve: &WinDrawLoss,
        own_turn: bool,
        weight: u64,
        fen: impl FnOnce() -> String,
    ) {
        let result = |answer: &WinDrawLoss| match own_turn {
            true => answer.wdl as usize,
            false => 2 - answer.wdl as usize,
        };
        self.pairs[result(on_board)][result(in_reserve)] += weight;
        let (2, 2, Some(before), Some(after)) =
            (result(on_board), result(in_reserve), on_board.dtm, in_reserve.dtm)
        else {
            return;
        };
        let saved = i64::from(before) - i64::from(after);
        self.saved += saved * weight as i64;
        match saved.signum() {
            1 => self.sooner += weight,
            -1 => self.later += weight,
            _ => {}
        }
        if saved > self.most.as_ref().map_or(0, |&(most, _)| most) {
            self.most = Some((saved, fen()));
        }
    }

    fn merge(&mut self, other: Change) {
        for (row, other) in self.pairs.iter_mut().zip(other.pairs) {
            row.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        self.sooner += other.sooner;
        self.later += other.later;
        self.saved += other.saved;
        if let Some((saved, fen)) = other.most
            && saved > self.most.as_ref().map_or(0, |&(most, _)| most)
        {
            self.most = Some((saved, fen));
        }
    }

    fn row(&self, to_move: Color) -> Vec<Cell> {
        let [loss, draw, win] = [Wdl::Loss, Wdl::Draw, Wdl::Win].map(|wdl| wdl as usize);
        let pairs =
            |on_board: usize, in_reserve: usize| Cell::Count(self.pairs[on_board][in_reserve]);
        let won = self.pairs[win][win];
        let average = (won > 0).then(|| format!("{:.2}", self.saved as f64 / won as f64));
        let (most, example) = match &self.most {
            Some((plies, fen)) => (Cell::Count(plies.unsigned_abs()), Cell::text(fen.as_str())),
            None => (Cell::Nothing, Cell::Nothing),
        };
        vec![
            Cell::text(to_move.to_string()),
            self.pairs.iter().flatten().sum::<u64>().into(),
            pairs(draw, win),
            pairs(loss, win),
            pairs(loss, draw),
            pairs(win, draw),
            pairs(win, loss),
            pairs(draw, loss),
            won.into(),
            self.sooner.into(),
            self.later.into(),
            average.into(),
            most,
            example,
        ]
    }
}

/// The same position with the sides exchanged.
fn swap_colors(position: &OrphicPosition) -> OrphicPosition {
    let setup = &position.setup;
    let [white, black] = position.reserves;
    let board = setup.board.swap_colors().image(Symmetry::MIRROR);
    let to_move = !setup.to_move;
    OrphicPosition { setup: Setup { board, to_move, ..setup.clone() }, reserves: [black, white] }
}

//! What students of Orphic Chess ask: who wins, what a man in reserve is worth against the same man
//! on the board, and where it is dropped.

mod story;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::{
    Bin, Cell, Column, Listing, Remark, Report, Study,
    ply::LinePly,
    tally::Most,
    values::{Field, Row},
    variant::{
        ResultCounts, WonBy, fill_win_draw_loss, win_draw_loss_bin, win_draw_loss_brief,
        win_draw_loss_columns, win_draw_loss_endless, win_draw_loss_fields, win_draw_loss_result,
        win_draw_loss_value, win_draw_loss_words,
    },
};
use crate::{
    answer::{Plies, Tabled, Unanswerable, Wdl, WinDrawLoss},
    board::{ByColor, Color, Man, Role, Square, Symmetry},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Orphic, OrphicPosition, OrphicTurn, PieceSet, Setup},
};

impl<S: PieceSet> Study for Orphic<S> {
    fn title(&self) -> &'static str {
        S::TITLE
    }

    fn primer(&self) -> String {
        let has_elks = S::ROLES.contains(Role::Elk);
        let [pair, king, men, material] = match has_elks {
            false => [
                "rooks",
                "  - A king that leaves men in reserve is dropped on its first rank; with\n    \
                 --king free, on any.",
                "\nOptions   --king first-rank|free\n\n",
                "K[R]vK",
            ],
            true => [
                "elks",
                "  - A king is dropped on any rank, at any time.",
                "An elk moves as a rook from dark squares and as a knight from light ones.\n\n",
                "K[E]vK",
            ],
        };
        include_str!("primers/orphic.txt")
            .replace("{title}", S::TITLE)
            .replace("{pair}", pair)
            .replace("{king}", king)
            .replace("{men}", men)
            .replace("{material}", material)
    }

    fn fields(&self, _: &OrphicPosition, answer: &WinDrawLoss) -> Map<String, Value> {
        win_draw_loss_fields(answer)
    }

    fn columns(&self) -> Vec<Field> {
        win_draw_loss_columns()
    }

    fn fill(&self, _: &OrphicPosition, answer: &WinDrawLoss, row: &mut Row<'_>) {
        fill_win_draw_loss(answer, row);
    }

    fn words(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> Vec<String> {
        let (to_move, ending) = (position.setup.to_move, || self.ending(position));
        vec![win_draw_loss_words(answer, to_move, WonBy::Mate, ending)]
    }

    fn value(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> i64 {
        win_draw_loss_value(answer, position.setup.to_move)
    }

    fn plies_to_win(&self, _: &OrphicPosition, answer: &WinDrawLoss) -> Option<Plies> {
        answer.dtm
    }

    fn result_words(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> String {
        win_draw_loss_result(answer, position.setup.to_move)
    }

    fn endless(&self, plies: &[LinePly<Self>]) -> String {
        win_draw_loss_endless(plies)
    }

    fn brief(&self, position: &OrphicPosition, answer: &WinDrawLoss) -> String {
        win_draw_loss_brief(answer, position.setup.to_move, WonBy::Mate)
    }

    fn bin(&self, _: &OrphicPosition, answer: &WinDrawLoss) -> Option<Bin> {
        Some(win_draw_loss_bin(answer))
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        story::remarks(report)
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
            || OrphicCounts::new(&in_reserve),
            |counts, position, answer, weight| counts.add(tables, position, answer, weight),
            OrphicCounts::merge,
        )?;
        let [white, black] = counts.results;
        let sides = [(Color::White.into(), white), (Color::Black.into(), black)];
        let title = "Legal placements of the men, no symmetry removed";
        let mut sections = ResultCounts::listings(&sides, title);
        if !in_reserve.is_empty() {
            let mut worths = Worth::listings();
            for &man in &in_reserve {
                Worth::measure(tables, material, man, progress)?.rows(man, &mut worths);
            }
            sections.extend(worths);
            sections.extend(Drops::listings(&counts.drops));
        }
        Ok(Report::new(material.to_string(), sections))
    }
}

/// Whose man and what it is: two cells.
fn man_cells(man: Man) -> [Cell; 2] {
    [man.color.into(), Cell::Kind(man.role.name(), man.role.name().to_owned())]
}

/// The columns of [`man_cells`].
const MAN_COLUMNS: [&str; 2] = ["owner", "man"];

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

    fn listings(all: &[Drops]) -> [Listing; 2] {
        let columns = ["won", "dropped_at_once", "nothing_else_as_quick"];
        let mut summary = Listing::new(
            "drops",
            "Won positions in which dropping a man is among the quickest turns",
            MAN_COLUMNS.into_iter().chain(columns),
        );
        let mut squares = Listing::new(
            "drop_squares",
            "Where it is dropped then, every quickest square counted",
            MAN_COLUMNS.into_iter().chain(["rank", "a", "b", "c", "d", "e", "f", "g", "h"]),
        );
        for drops in all {
            let counts = [
                drops.won.into(),
                Cell::Share(drops.dropped, drops.won),
                Cell::Share(drops.only, drops.won),
            ];
            summary.row(man_cells(drops.man).into_iter().chain(counts));
            for rank in (0..8).rev() {
                let count = |file| drops.squares[Square::at(file, rank).number()].into();
                let rank = Cell::Count(u64::from(rank) + 1);
                squares
                    .row(man_cells(drops.man).into_iter().chain([rank]).chain((0..8).map(count)));
            }
        }
        [summary, squares]
    }
}

/// The results of a table, and per man in reserve the best drops.
struct OrphicCounts {
    results: [ResultCounts; 2],
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

impl OrphicCounts {
    fn new(in_reserve: &[Man]) -> OrphicCounts {
        let drops = |&man| Drops { man, won: 0, dropped: 0, only: 0, squares: [0; 64] };
        OrphicCounts { results: Default::default(), drops: in_reserve.iter().map(drops).collect() }
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
        self.results[to_move.index()].add(answer, weight, || game.fen(position));
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

    fn merge(&mut self, other: OrphicCounts) {
        self.results.iter_mut().zip(other.results).for_each(|(side, other)| side.merge(other));
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
    most: Most<i64>,
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
            taken.reserves[man.color].add(man.role);
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

    /// How results change, and how quick wins are; without rows.
    fn listings() -> [Listing; 2] {
        let changes = [
            "to_move",
            "placements",
            "draw_to_win",
            "loss_to_win",
            "loss_to_draw",
            "win_to_draw",
            "win_to_loss",
            "draw_to_loss",
        ];
        let paces = [
            ("to_move", "to move"),
            ("won_both_ways", "won both ways"),
            ("sooner", "sooner"),
            ("later", "later"),
            ("plies_saved", "plies saved"),
            ("most_plies_saved", "most"),
            ("example", "example"),
        ];
        let man = MAN_COLUMNS.map(Column::from);
        [
            Listing::new(
                "in_reserve",
                "A man in reserve instead of on the board: how its owner's result changes",
                man.clone().into_iter().chain(changes.map(Column::from)),
            ),
            Listing::new(
                "in_reserve_pace",
                "A man in reserve instead of on the board: how soon its owner wins",
                man.into_iter().chain(paces.map(Column::from)),
            ),
        ]
    }

    fn rows(&self, man: Man, [changes, paces]: &mut [Listing; 2]) {
        for color in Color::ALL {
            let change = &self.sides[color.index()];
            let start = || man_cells(man).into_iter().chain([color.into()]);
            changes.row(start().chain(change.results()));
            paces.row(start().chain(change.pace()));
        }
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
        let saved = i64::from(before.0) - i64::from(after.0);
        self.saved += saved * weight as i64;
        match saved.signum() {
            1 => self.sooner += weight,
            -1 => self.later += weight,
            _ => {}
        }
        if saved > 0 {
            self.most.meet(saved, fen);
        }
    }

    fn merge(&mut self, other: Change) {
        for (row, other) in self.pairs.iter_mut().zip(other.pairs) {
            row.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        self.sooner += other.sooner;
        self.later += other.later;
        self.saved += other.saved;
        self.most.merge(other.most);
    }

    fn results(&self) -> Vec<Cell> {
        let [loss, draw, win] = [Wdl::Loss, Wdl::Draw, Wdl::Win].map(|wdl| wdl as usize);
        let pairs =
            |on_board: usize, in_reserve: usize| Cell::Count(self.pairs[on_board][in_reserve]);
        vec![
            self.pairs.iter().flatten().sum::<u64>().into(),
            pairs(draw, win),
            pairs(loss, win),
            pairs(loss, draw),
            pairs(win, draw),
            pairs(win, loss),
            pairs(draw, loss),
        ]
    }

    fn pace(&self) -> Vec<Cell> {
        let win = Wdl::Win as usize;
        let won = self.pairs[win][win];
        let average =
            if won > 0 { Cell::Mean(self.saved as f64 / won as f64) } else { Cell::Nothing };
        let (most, example) = match self.most.get() {
            Some((plies, fen)) => (Cell::Count(plies.unsigned_abs()), Cell::text(fen.as_str())),
            None => (Cell::Nothing, Cell::Nothing),
        };
        let share = |count| Cell::Share(count, won);
        vec![won.into(), share(self.sooner), share(self.later), average, most, example]
    }
}

/// The same position with the sides exchanged.
fn swap_colors(position: &OrphicPosition) -> OrphicPosition {
    let setup = &position.setup;
    let ByColor { white, black } = position.reserves;
    let board = setup.board.swap_colors().image(Symmetry::MIRROR);
    let to_move = !setup.to_move;
    OrphicPosition {
        setup: Setup { board, to_move, ..setup.clone() },
        reserves: ByColor { white: black, black: white },
    }
}

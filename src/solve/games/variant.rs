//! Ordinary variants of chess: win, draw or loss, and the plies to the end.
//!
//! Tables leave out what captures and promotions decide.

use std::{sync::Arc, time::Duration};

use crate::{
    answer::{
        place::{plain_setup, table_sides},
        score::Score,
        variant::{QUIET, group, index, numbers, swaps_colors},
    },
    board::{Bitboard, Board, Color, Group},
    index::{Index, Material},
    probe::Catalogue,
    rules::{Ending, Game, Laws, Setup, Variant},
    solve::{
        engine::{
            builder::{
                BATCH, LadderSolver, LadderTables, MemoryNeed, SolveParts, Workbench, layout,
                memory_need,
            },
            ladder::{LadderGame, put_back},
            pages::{Extent, PageCache, PageId, Paged, PartCells, palette_scores},
            slice::{Chesslike, PieceMoves, Sets, Word},
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::Layout,
    },
    table::TableError,
};

/// The score where the game is over.
fn score(winner: Option<Color>) -> Score {
    match winner {
        Some(Color::White) => Score::new::<i16>(1, Some(0), 0),
        Some(Color::Black) => Score::new::<i16>(-1, Some(0), 0),
        None => Score::new::<i16>(0, None, 0),
    }
}

/// The lanes of a word in which as many men of a side are at its goal as must be.
fn lanes_at_goal(game: Variant, word: &Word<'_>, color: Color) -> Bitboard {
    let mut lanes = Bitboard::EMPTY;
    let mut there = 0;
    for (i, man) in word.slice.men().iter().enumerate().filter(|(_, man)| man.color == color) {
        let squares = game.goal.of(color, man.role);
        if word.slice.runner() == Some(i) {
            lanes = word.lanes & squares;
        } else if squares.contains(word.stand.squares[i]) {
            there += 1;
        }
    }
    match game.goal.count.saturating_sub(there) {
        0 => word.lanes,
        1 => lanes,
        _ => Bitboard::EMPTY,
    }
}

impl Chesslike for Variant {
    fn laws(&self) -> Laws {
        self.laws
    }

    fn swaps_colors(&self) -> bool {
        swaps_colors(*self)
    }

    fn group(&self, material: &Material) -> Group {
        group(*self, material)
    }

    fn index(&self, material: &Material) -> Index {
        index(*self, material)
    }

    fn numbers(&self, material: &Material) -> u64 {
        numbers(*self, material)
    }
}

impl LadderGame for Variant {
    type Store = i16;

    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score {
        score(match in_check {
            true if self.mated_wins => Some(to_move),
            true => Some(!to_move),
            false => self.stalemate_winner(board, to_move),
        })
    }

    fn look_ahead(
        &self,
        setup: &Setup,
        _: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        let scores = self.turns(setup).into_iter().map(|turn| {
            let next = self.play(setup, turn);
            known(&next, &Material::of(&next.board)).later::<i16>()
        });
        Score::best(setup.to_move, scores)
            .unwrap_or_else(|| score(self.ending(setup).and_then(|ending| ending.winner())))
    }

    fn ends_early(&self) -> bool {
        !self.goal.is_none() || self.may_wait()
    }

    fn over_by_men(&self, board: &Board, to_move: Color) -> Option<Score> {
        self.winner_by_men(board, to_move)?;
        // Who has captured the last man may have reached a goal by that.
        let ending = self.ended_early(&plain_setup(*board, to_move, None));
        ending.map(|ending| score(ending.winner()))
    }

    fn over(&self, word: &Word<'_>, _: &Sets, meet: &mut dyn FnMut(Bitboard, Score)) {
        if self.may_wait() {
            let mut material = Material::default();
            word.slice.men().iter().for_each(|&man| material.add(man));
            if let Some(winner) = self.winner_by_lost_men(&material, word.side) {
                return meet(word.lanes, score(Some(winner)));
            }
        }
        let there = Color::ALL.map(|color| lanes_at_goal(*self, word, color));
        if !self.goal.last_turn && !self.goal.safe {
            for (color, lanes) in Color::ALL.into_iter().zip(there) {
                if !lanes.is_empty() {
                    meet(lanes, score(Some(color)));
                }
            }
            return;
        }
        // Who else is there, can follow or is attacked, the rules tell.
        (there[0] | there[1]).for_each(|lane| {
            let ending = self.ended_early(&word.setup(lane));
            // Before Black's last turn it is a draw: the King that can follow does.
            if ending.is_some() || self.goal.last_turn {
                meet(lane.bit(), score(ending.and_then(|ending| ending.winner())));
            }
        });
    }
}

impl Paged for Variant {
    type Cell = i16;

    fn game(&self) -> &dyn Catalogue {
        self
    }

    fn suffix(&self, _: &Material, _mode: usize) -> String {
        QUIET.to_owned()
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i16]>, TableError> {
        Ok(palette_scores(stretch, self.infinite(stretch.material)))
    }

    fn has_ended(&self, material: &Material) -> bool {
        self.is_over_with(material)
    }

    fn leaves_out(&self, _: &Material) -> bool {
        true
    }

    fn put_right(
        &self,
        cache: &PageCache<'_, i16>,
        looked_up: (PageId, Extent),
        page: &mut [i16],
    ) -> Result<(), BuildError> {
        put_back(self, cache, looked_up, page)
    }
}

impl LadderTables for Variant {
    fn ladder(&self, _: &Material, _mode: usize) -> Box<dyn LadderGame<Store = i16> + '_> {
        Box::new(*self)
    }
}

impl Solve for Variant {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let numbers = numbers(*self, material);
        let positions = numbers * table_sides(material, swaps_colors(*self)) as u64;
        // For both sides to move half a dozen sets; where there are several slices, also the scores
        // of one side, and the packed cells.
        let bits = if material.has_pawns() { 48 } else { 11 };
        let MemoryNeed { memory, least } = memory_need(self, material, BATCH, bits);
        let nanoseconds = match material.has_pawns() {
            // What promotions of both sides lead to is put right.
            true if material.has_pawns_on_both_sides() => 190,
            true => 95,
            // What one class of the leading men tells another is more than a core keeps near.
            false if numbers > 1 << 31 => 150,
            false => 50,
        };
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 2,
            file: positions / 10,
            time: Duration::from_nanos(numbers * 2 * nanoseconds),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(self, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        Box::new(LadderSolver::new(*self, PieceMoves, goal, bench))
    }
}

//! Ordinary variants of chess: win, draw or loss, and the plies to the end.
//!
//! Tables leave out what captures and promotions decide.

use std::{sync::Arc, time::Duration};

use crate::{
    answer::{
        Contents,
        place::{plain_setup, table_sides},
        score::Score,
        variant::{checks_left, group, index, mode_of, modes, numbers, suffix, swaps_colors},
    },
    board::{Bitboard, Board, ByColor, Color, Group},
    index::{Index, Material},
    probe::Catalogue,
    rules::{Ending, Game, Laws, Setup, Variant},
    solve::{
        engine::{
            builder::{
                BATCH, LadderSolver, LadderTables, MemoryNeed, SolveParts, Workbench, layout,
                memory_need, positions_put_right,
            },
            ladder::{LadderGame, Turned, after_check, put_back},
            pages::{Extent, Meeting, PageCache, PageId, Paged, PartCells, palette_scores},
            slice::{Chesslike, PieceMoves, Sets, Word},
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::Layout,
    },
    table::TableError,
};

/// About how many nanoseconds it takes on two cores to put a position of another table right.
const PUT_RIGHT: u64 = 40;

/// A mode of the tables of a game, as a ladder.
#[derive(Copy, Clone)]
struct VariantLadder {
    game: Variant,
    /// Where checks are counted, those that the sides have left.
    checks_left: Option<ByColor<u8>>,
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

impl Chesslike for VariantLadder {
    fn laws(&self) -> Laws {
        self.game.laws
    }

    fn swaps_colors(&self) -> bool {
        swaps_colors(self.game)
    }

    fn group(&self, material: &Material) -> Group {
        group(self.game, material)
    }
}

impl Variant {
    /// The score of a position in which the side to move has no turn.
    pub(super) fn score_without_turns(
        self,
        board: &Board,
        to_move: Color,
        in_check: bool,
    ) -> Score {
        Score::over::<i16>(match in_check {
            true if self.mated_wins => Some(to_move),
            true => Some(!to_move),
            false => self.stalemate_winner(board, to_move),
        })
    }
}

impl LadderGame for VariantLadder {
    type Store = i16;

    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score {
        self.game.score_without_turns(board, to_move, in_check)
    }

    fn checks_left(&self) -> Option<ByColor<u8>> {
        self.checks_left
    }

    fn mode(&self, _: &Material, turned: Turned, swapped: bool) -> usize {
        turned.checks_left.map_or(0, |left| mode_of(self.game, left, swapped))
    }

    fn look_ahead(
        &self,
        setup: &Setup,
        _: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        let scores = self.game.turns(setup).into_iter().map(|turn| {
            let next = self.game.play(setup, turn);
            known(&next, &Material::of(&next.board)).later::<i16>()
        });
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            Score::over::<i16>(self.game.ending(setup).and_then(|ending| ending.winner()))
        })
    }

    fn ends_early(&self) -> bool {
        !self.game.goal.is_none() || self.game.may_wait()
    }

    fn over_by_men(&self, board: &Board, to_move: Color) -> Option<Score> {
        if !self.game.is_over_by_men(board, to_move) {
            return None;
        }
        // Who has captured the last man may have reached a goal by that.
        let ending = self.game.ended_early(&plain_setup(*board, to_move, None));
        ending.map(|ending| Score::over::<i16>(ending.winner()))
    }

    fn over(&self, word: &Word<'_>, _: &Sets, meet: &mut dyn FnMut(Bitboard, Score)) {
        if self.game.may_wait() {
            let mut material = Material::default();
            word.slice.men().iter().for_each(|&man| material.add(man));
            if let Some(winner) = self.game.winner_by_lost_men(&material, word.side) {
                return meet(word.lanes, Score::over::<i16>(Some(winner)));
            }
        }
        let there = Color::ALL.map(|color| lanes_at_goal(self.game, word, color));
        if !self.game.goal.last_turn && !self.game.goal.safe {
            for (color, lanes) in Color::ALL.into_iter().zip(there) {
                if !lanes.is_empty() {
                    meet(lanes, Score::over::<i16>(Some(color)));
                }
            }
            return;
        }
        // Who else is there, can follow or is attacked, the rules tell.
        (there[0] | there[1]).for_each(|lane| {
            let ending = self.game.ended_early(&word.setup(lane));
            // Before Black's last turn it is a draw: the King that can follow does.
            if ending.is_some() || self.game.goal.last_turn {
                meet(lane.bit(), Score::over::<i16>(ending.and_then(|ending| ending.winner())));
            }
        });
    }
}

impl Paged for Variant {
    type Cell = i16;

    fn game(&self) -> &dyn Catalogue {
        self
    }

    fn modes(&self, _: &Material) -> usize {
        modes(*self)
    }

    fn suffix(&self, _: &Material, mode: usize) -> String {
        suffix(*self, mode)
    }

    /// A turn may give check and so leave that side a check less; of several turns in a row, which
    /// taking in passing looks ahead to, each may.
    fn modes_after(
        &self,
        mode: usize,
        table: &Material,
        swapped: bool,
        meeting: Meeting,
    ) -> Vec<usize> {
        let Some(left) = checks_left(*self, mode) else {
            return if meeting == Meeting::Idle { Vec::new() } else { vec![0] };
        };
        let most = match meeting {
            Meeting::Idle => return Vec::new(),
            Meeting::LookedUp => 1,
            // Each takes other pawns, or makes one pass another.
            Meeting::LookedAhead => table.len() as u8,
        };
        let down = |color: Color| (1..=left[color]).rev();
        let all = down(Color::White).flat_map(|white| down(Color::Black).map(move |b| (white, b)));
        let given = |white: u8, black: u8| left.white - white + left.black - black;
        let near = all.filter(|&(white, black)| given(white, black) <= most);
        near.map(|(white, black)| mode_of(*self, ByColor { white, black }, swapped)).collect()
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i16]>, TableError> {
        Ok(palette_scores(stretch, 0))
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
        let (PageId { material, mode, .. }, _) = looked_up;
        put_back(&*self.ladder(&material, mode), cache, looked_up, page)
    }
}

impl LadderTables for Variant {
    fn ladder(&self, _: &Material, mode: usize) -> Box<dyn LadderGame<Store = i16> + '_> {
        Box::new(VariantLadder { game: *self, checks_left: checks_left(*self, mode) })
    }

    fn mode_after_check(&self, mode: usize, side: Color) -> Option<usize> {
        let left = after_check(checks_left(*self, mode)?, side);
        (left[side] > 0).then(|| mode_of(*self, left, false))
    }
}

impl Solve for Variant {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let numbers = numbers(*self, material);
        let modes = modes(*self) as u64;
        let positions = numbers * modes * table_sides(material, swaps_colors(*self)) as u64;
        // For both sides to move half a dozen sets; where there are several slices, also the scores
        // of one side, and the packed cells.
        let bits = if material.has_pawns() { 48 } else { 11 };
        // Where checks are counted, the scores of both sides that a check leads to.
        let bits = bits + 32 * (modes - 1);
        let MemoryNeed { memory, least } = memory_need(self, material, BATCH, bits);
        let nanoseconds = match material.has_pawns() {
            true => 95,
            // What one class of the leading men tells another is more than a core keeps near.
            false if numbers > 1 << 31 => 150,
            false => 50,
        };
        let time = numbers * 2 * nanoseconds + positions_put_right(self, material) * PUT_RIGHT;
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 2,
            file: match goal.contents {
                Contents::Result => positions / 150,
                Contents::Distance | Contents::Points => positions / 10,
            },
            scratch: None,
            time: Duration::from_nanos(time * modes),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(self, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        Box::new(LadderSolver::new(*self, PieceMoves, goal, bench))
    }
}

//! Stylish victory or stylish fail: the margin still to be gained, and the conversion distance.
//!
//! Points are given to moves, so a cell holds what is gained from its position on, and the scores
//! of captures, promotions and mating moves are added as the solver crosses them. A mated
//! position is worth nothing itself; the quiet moves that mate count among the turns that leave
//! their slice.
//!
//! Where the last capture of the game can matter, a table has a section per side to move and last
//! capturer: ` w`, ` b` and ` -` for nobody, as the table sees the sides.

use std::{sync::Arc, time::Duration};

use crate::{
    answer::{
        place::{chess_group, table_sides},
        score::Score,
        stylish::{CAPTURERS, mode, modes},
    },
    board::{Bitboard, Board, Color, Man, Movements, Role, Square},
    index::{Index, Material},
    probe::Catalogue,
    rules::{Laws, Move, Setup, Stylish, is_dead},
    solve::{
        engine::{
            builder::{
                BATCH, LadderSolver, LadderTables, MemoryNeed, SolveParts, Workbench, layout,
                memory_need,
            },
            ladder::{ExitScores, LadderGame, Turned},
            pages::{Paged, PartCells, palette_scores, successors},
            slice::{Chesslike, Conversion, PieceMoves, Sets, Word},
        },
        game::{Solve, TableSize},
        goal::Goal,
        parts::Layout,
    },
    table::TableError,
};

/// A mode of a material's table while it is being solved.
pub struct Scoring<'a> {
    game: &'a Stylish,
    material: Material,
    last_capture: Option<Color>,
    /// The value of infinite play.
    infinite: i32,
}

impl Scoring<'_> {
    /// The score, seen before it, of a turn of `side` that gains `points` and leaves the slice,
    /// when `value` is still to be gained after it.
    fn gained(&self, side: Color, points: i32, value: i32) -> Score {
        let gained = if side == Color::White { points } else { -points };
        Score::new::<i32>(value + gained, Some(1), self.infinite)
    }

    /// What a move gains, by the rules.
    fn points(&self, setup: &Setup, mv: Move) -> i32 {
        self.game.sheet.awards(setup, mv).iter().map(|award| award.points).sum()
    }
}

impl Chesslike for Scoring<'_> {
    fn swaps_colors(&self) -> bool {
        true
    }
}

impl LadderGame for Scoring<'_> {
    type Store = i32;

    fn infinite(&self, _: &Material) -> i32 {
        self.infinite
    }

    fn mode(&self, table: &Material, turned: Turned, swapped: bool) -> usize {
        mode(table, turned.capturer.or(self.last_capture), swapped)
    }

    fn terminal(&self, _: &Board, _: Color, in_check: bool) -> Score {
        let (value, distance) = if in_check { (0, Some(0)) } else { (self.infinite, None) };
        Score::new::<i32>(value, distance, self.infinite)
    }

    fn leaving(
        &self,
        ways: &ExitScores<'_, Self::Store>,
        word: &Word<'_>,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        ways.conversions(word, &mut |lanes, turn, after| {
            for lane in lanes {
                meet(lane.bit(), self.converted(word, lane, turn, after));
            }
        });
    }

    fn ends_early(&self) -> bool {
        true
    }

    fn over(&self, word: &Word<'_>, legal: &Sets, meet: &mut dyn FnMut(Bitboard, Score)) {
        if is_dead(&self.material) {
            return meet(word.lanes, Score::new::<i32>(self.infinite, None, self.infinite));
        }
        // A mated position is worth nothing itself: it is the move that mates which scores.
        let mated = word.slice.mated(word.stand, word.side, legal);
        if !mated.is_empty() {
            meet(mated, Score::new::<i32>(0, Some(0), self.infinite));
        }
    }

    fn ending_turns(
        &self,
        word: &Word<'_>,
        _: Score,
        ended: &dyn Fn(usize) -> u64,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        word.slice.moves_into(word.stand, word.side, word.lanes, ended, |lane, mv, _| {
            let before = word.setup(lane);
            let mut after = before.board;
            if let Some(man) = after.get(mv.from) {
                after.remove(mv.from);
                after.put(mv.to, man);
            }
            let awards = self.game.sheet.mate_awards(&before, mv, &after);
            let points = awards.map(|award| award.points).sum();
            meet(lane.bit(), self.gained(word.side, points, 0));
        });
    }

    fn look_ahead(
        &self,
        setup: &Setup,
        _: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        let scores = setup.moves(&Laws::ORTHODOX).into_iter().map(|mv| {
            let next = setup.play(mv);
            self.turn_score(setup, mv, known(&next, &Material::of(&next.board)))
        });
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            self.terminal(&setup.board, setup.to_move, setup.in_check(setup.to_move))
        })
    }
}

impl Scoring<'_> {
    /// The score, seen before it, of a conversion in one lane; `after` is that of the position
    /// after it.
    fn converted(&self, word: &Word<'_>, lane: Square, turn: &Conversion, after: Score) -> Score {
        let men = word.slice.men();
        let from = word.squares(lane)[turn.mover];
        let value = after.value::<i32>();
        // Only a mated position is worth nothing and scores for more than meets the eye.
        if value == 0 && gives_check(word, lane, turn) {
            let mv = Move { from, to: turn.to, promotion: turn.promotion };
            return self.turn_score(&word.setup(lane), mv, after);
        }
        let sheet = &self.game.sheet;
        let promotion = turn.promotion.map_or(0, |role| sheet.promotion_points(role));
        let diagonal = from.file() != turn.to.file() && from.rank() != turn.to.rank();
        match turn.captured {
            Some(victim) => {
                let by = men[turn.mover].role;
                let capture = sheet.capture_points(by, diagonal, men[victim].role);
                self.gained(word.side, capture + promotion, value)
            }
            None if turn.promotion.is_some() => self.gained(word.side, promotion, value),
            None => after.later::<i32>(),
        }
    }

    /// The score, seen before it, of any move; `after` is the score of the position after it.
    fn turn_score(&self, setup: &Setup, mv: Move, after: Score) -> Score {
        let leaves = setup.is_capture(mv)
            || mv.promotion.is_some()
            || setup.play(mv).is_checkmate(&Laws::ORTHODOX);
        if leaves {
            self.gained(setup.to_move, self.points(setup, mv), after.value::<i32>())
        } else {
            after.later::<i32>()
        }
    }
}

impl Chesslike for Stylish {
    fn swaps_colors(&self) -> bool {
        true
    }
}

impl Paged for Stylish {
    type Cell = i32;

    fn game(&self) -> &dyn Catalogue {
        self
    }

    fn modes(&self, material: &Material) -> usize {
        modes(material).len()
    }

    fn successors(&self, material: &Material) -> Vec<Material> {
        // With bare force the game is over, whoever could take whom.
        if is_dead(material) { Vec::new() } else { successors(material, &Laws::ORTHODOX, true) }
    }

    fn suffix(&self, material: &Material, mode: usize) -> String {
        modes(material)[mode].to_owned()
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i32]>, TableError> {
        let PartCells { material, mode, .. } = *stretch;
        let last_capture = last_capture(material, mode);
        Ok(palette_scores(stretch, self.sheet.draw_margin(material, last_capture)))
    }
}

impl LadderTables for Stylish {
    fn ladder(&self, material: &Material, mode: usize) -> Box<dyn LadderGame<Store = i32> + '_> {
        let last_capture = last_capture(material, mode);
        let infinite = self.sheet.draw_margin(material, last_capture);
        Box::new(Scoring { game: self, material: *material, last_capture, infinite })
    }
}

/// Whether a conversion in one lane gives check.
fn gives_check(word: &Word<'_>, lane: Square, turn: &Conversion) -> bool {
    let (men, mut squares) = (word.slice.men(), word.squares(lane));
    squares[turn.mover] = turn.to;
    let stay = || (0..men.len()).filter(|i| turn.removed >> i & 1 == 0);
    let occupied: Bitboard = stay().map(|i| squares[i]).collect();
    let mated = Man::new(!word.side, Role::King);
    let Some(king) = stay().find(|&i| men[i] == mated) else { return false };
    stay().filter(|&i| men[i].color == word.side).any(|i| {
        let role = turn.promotion.filter(|_| i == turn.mover).unwrap_or(men[i].role);
        let movement = Movements::USUAL.of(Man::new(word.side, role));
        movement.attacks(squares[i], occupied).contains(squares[king])
    })
}

/// The last capturer that a mode of a table is about.
fn last_capture(material: &Material, mode: usize) -> Option<Color> {
    if modes(material).len() > 1 { CAPTURERS[mode] } else { None }
}

impl Solve for Stylish {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let numbers = Index::count(material, chess_group(material));
        let modes = modes(material).len() as u64;
        let positions = numbers * (table_sides(material, true) as u64) * modes;
        // For both sides to move half a dozen sets; where there are several slices or modes, also
        // the scores of one side, and the packed cells.
        let bits = match material.has_pawns() || modes > 1 {
            true => 8 * (2 + 4 + 2 * modes),
            false => 12,
        };
        let MemoryNeed { memory, least } = memory_need(self, material, BATCH, bits);
        // What promotions of both sides lead to is put right.
        let nanoseconds = if material.has_pawns_on_both_sides() { 220 } else { 110 };
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 4,
            file: positions / 8,
            scratch: None,
            time: Duration::from_nanos(numbers * 2 * modes * nanoseconds),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(self, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        Box::new(LadderSolver::new(self.clone(), PieceMoves, goal, bench))
    }
}

//! The turns that stay in a slice.

use crate::{
    board::{Bitboard, Color},
    solve::engine::{
        ladder::perpetual::Arena,
        slice::{QuietTurns, Sets, Slice, Word},
    },
};

/// Pieces move as in chess; where captures are compulsory, a player whom one binds only moves to
/// give check.
pub struct Turns<'a> {
    /// The lanes of every word, per side to move, in which the mover must capture or give check;
    /// none where captures are not compulsory.
    pub bound: Option<[&'a [u64]; 2]>,
    /// The positions whose mover is in check.
    pub checked: &'a Sets,
}

impl QuietTurns for Turns<'_> {
    fn reach(&self, word: &Word<'_>, set: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        let &Word { slice, stand, side, lanes } = word;
        let bound = lanes.0 & self.bound.map_or(0, |bound| bound[side.index()][stand.word]);
        let free = lanes.0 & !bound;
        let mut reached = if free == 0 { 0 } else { slice.reach(stand, side, free, set) };
        if bound != 0 {
            let checks = |word: usize| set(word) & self.checked[(!side).index()][word];
            reached |= slice.reach(stand, side, bound, checks);
        }
        reached
    }

    fn unmove(&self, word: &Word<'_>, mut tell: impl FnMut(usize, u64)) {
        let &Word { slice, stand, side, lanes } = word;
        let mover = !side;
        let Some(bound) = self.bound else {
            return slice.unmove(stand, mover, lanes.0, tell);
        };
        let checks = lanes.0 & self.checked[side.index()][stand.word];
        let others = lanes.0 & !checks;
        if checks != 0 {
            slice.unmove(stand, mover, checks, &mut tell);
        }
        if others != 0 {
            let bound = bound[mover.index()];
            slice.unmove(stand, mover, others, |word, lanes| tell(word, lanes & !bound[word]));
        }
    }
}

/// The quiet turns of a slice as the solver of perpetual checks wants them.
pub struct QuietArena<'a> {
    /// The slice.
    pub slice: &'a Slice,
    /// The turns that stay in it.
    pub turns: &'a Turns<'a>,
}

impl Arena for QuietArena<'_> {
    fn words(&self) -> usize {
        self.slice.words()
    }

    fn reach(
        &self,
        word: usize,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        let Some(stand) = self.slice.stand(word) else { return 0 };
        let lanes = Bitboard(wanted);
        self.turns.reach(&Word { slice: self.slice, stand: &stand, side, lanes }, set)
    }
}

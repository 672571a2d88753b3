//! The turns that stay in a slice.

use crate::{
    board::Color,
    solve::engine::{
        ladder::{QuietTurns, Sets},
        perpetual::Arena,
        slice::{Slice, Stand},
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
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        let bound = wanted & self.bound.map_or(0, |bound| bound[side.index()][stand.word]);
        let free = wanted & !bound;
        let mut reached = if free == 0 { 0 } else { slice.reach(stand, side, free, set) };
        if bound != 0 {
            let checks = |word: usize| set(word) & self.checked[(!side).index()][word];
            reached |= slice.reach(stand, side, bound, checks);
        }
        reached
    }

    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        mut tell: impl FnMut(usize, u64),
    ) {
        let Some(bound) = self.bound else {
            return slice.unmove(stand, side, lanes, tell);
        };
        let checks = lanes & self.checked[(!side).index()][stand.word];
        let others = lanes & !checks;
        if checks != 0 {
            slice.unmove(stand, side, checks, &mut tell);
        }
        if others != 0 {
            let bound = bound[side.index()];
            slice.unmove(stand, side, others, |word, lanes| tell(word, lanes & !bound[word]));
        }
    }
}

/// The quiet turns of a slice as the solver of perpetual checks wants them.
pub struct Walks<'a> {
    /// The slice.
    pub slice: &'a Slice,
    /// The turns that stay in it.
    pub turns: &'a Turns<'a>,
}

impl Arena for Walks<'_> {
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
        let stand = self.slice.stand(word);
        stand.map_or(0, |stand| self.turns.reach(self.slice, &stand, side, wanted, set))
    }
}

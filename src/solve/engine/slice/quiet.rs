//! The turns that stay in a slice.

use super::word::Word;

/// The turns that stay in a slice.
pub trait QuietTurns: Send + Sync {
    /// The lanes of a word in which the side to move has a quiet turn to one of the positions in
    /// `set`, which gives the lanes of a word for the other side to move.
    fn reach(&self, word: &Word<'_>, set: &(impl Fn(usize) -> u64 + Sync)) -> u64;

    /// Calls `tell` with every word, and lanes in it, from which a quiet turn of the side that is
    /// not to move leads to one of the positions of `word`. Lanes that are no legal positions may
    /// be among them.
    fn unmove(&self, word: &Word<'_>, tell: impl FnMut(usize, u64));
}

/// Moves of pieces, as in orthodox chess.
pub struct PieceMoves;

impl QuietTurns for PieceMoves {
    #[inline(always)]
    fn reach(&self, word: &Word<'_>, set: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        let &Word { slice, stand, side, lanes } = word;
        slice.reach(stand, side, lanes.0, set)
    }

    #[inline(always)]
    fn unmove(&self, word: &Word<'_>, tell: impl FnMut(usize, u64)) {
        let &Word { slice, stand, side, lanes } = word;
        slice.unmove(stand, !side, lanes.0, tell);
    }
}

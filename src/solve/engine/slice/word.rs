//! Some positions of a word, and the turns between them that stay in a slice.

use super::{
    conversions::Conversion,
    words::{Slice, Stand},
};
use crate::{
    answer::place::plain_setup,
    board::{Bitboard, Color, Square},
    index::MAX_MEN,
    rules::Setup,
};

/// Some positions of a word, with the same side to move.
#[derive(Copy, Clone)]
pub struct Word<'a> {
    pub slice: &'a Slice,
    /// Where everybody but the runner stands.
    pub stand: &'a Stand,
    /// Who is to move.
    pub side: Color,
    /// Which positions.
    pub lanes: Bitboard,
}

impl Word<'_> {
    /// Where everybody stands in a lane.
    pub fn squares(&self, lane: Square) -> [Square; MAX_MEN] {
        let mut squares = self.stand.squares;
        if let Some(runner) = self.slice.runner() {
            squares[runner] = lane;
        }
        squares
    }

    /// The lanes in which the side to move must capture, by the laws of the slice.
    pub fn bound(&self) -> Bitboard {
        let &Word { slice, stand, side, lanes } = self;
        let mut bound = Bitboard::EMPTY;
        if slice.laws.must_capture {
            slice.conversions(stand, side, lanes, |turn, lanes, _| {
                if turn.captured.is_some() {
                    bound |= lanes;
                }
            });
        }
        bound
    }

    /// The position of a lane.
    pub fn setup(&self, lane: Square) -> Setup {
        plain_setup(self.slice.board(&self.squares(lane)), self.side, None)
    }
}

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

/// The position after a pawn has walked past another.
pub fn passing_setup(slice: &Slice, turn: &Conversion, side: Color, squares: &[Square]) -> Setup {
    plain_setup(slice.board(squares), !side, turn.en_passant)
}

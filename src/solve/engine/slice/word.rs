//! Some positions of a word.

use super::{
    conversions::Conversion,
    words::{Slice, Stand},
};
use crate::{
    answer::place::{board_of, plain_setup},
    board::{Bitboard, Color, Square},
    index::MAX_MEN,
    rules::Setup,
};

/// Some positions of a word, with the same side to move.
#[derive(Copy, Clone)]
pub struct Word<'a> {
    /// The slice.
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
        plain_setup(board_of(self.slice.men(), &self.squares(lane), None), self.side, None)
    }
}

/// The position after a double step.
pub fn passing_setup(slice: &Slice, turn: &Conversion, side: Color, squares: &[Square]) -> Setup {
    let board = board_of(slice.men(), squares, None);
    let behind = turn.to.offset(0, -side.forward()).expect("a pawn has walked two squares");
    plain_setup(board, !side, Some(behind))
}

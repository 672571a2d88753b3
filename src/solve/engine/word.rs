//! Some positions of a word, while the turns out of them are looked at.

use super::slice::{Slice, Stand};
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

    /// The position of a lane.
    pub fn setup(&self, lane: Square) -> Setup {
        plain_setup(board_of(self.slice.men(), &self.squares(lane), None), self.side, None)
    }
}

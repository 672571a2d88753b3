//! What a table of High Chess says of a position.

use super::{distance::Distances, staircase::Staircase};
use crate::{
    answer::{Wdl, WinDrawLoss},
    board::Color,
};

/// What a table of High Chess says of a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HighAnswer {
    /// Who wins at which vitalities.
    pub staircase: Staircase,
    /// How far the end is at which vitalities; `None` if the tables leave that out.
    pub distances: Option<Distances>,
    /// Whether the side to move can force mate (win) or be forced (loss), if nobody could be
    /// exhausted and endless play were a draw, and in how many plies.
    pub mate: WinDrawLoss,
}

impl HighAnswer {
    /// The side that can force mate, given who is to move.
    pub fn mating_side(&self, to_move: Color) -> Option<Color> {
        match self.mate.wdl {
            Wdl::Win => Some(to_move),
            Wdl::Draw => None,
            Wdl::Loss => Some(!to_move),
        }
    }
}

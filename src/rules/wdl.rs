//! Results for a side.

use crate::board::Color;

/// Win, draw or loss, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        }
    }

    /// Who wins where this is what `color` has.
    pub fn winner(self, color: Color) -> Option<Color> {
        match self {
            Wdl::Win => Some(color),
            Wdl::Draw => None,
            Wdl::Loss => Some(!color),
        }
    }
}

//! The layers of a table: how many plies are left.

use crate::{
    board::Color,
    rules::{MoveLimits, Noro},
};

/// How plies are sorted into layers: layer n holds White to move with 2n plies to go, and Black
/// to move with 2n + 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Layers(MoveLimits);

impl Layers {
    /// The layers of a game.
    pub fn of(noro: &Noro) -> Layers {
        Layers(noro.moves)
    }

    /// How many plies there are at most.
    #[cfg(feature = "build")]
    pub fn plies(self) -> u32 {
        self.0.plies()
    }

    /// The layer with so many plies to go.
    pub fn at(remaining: u32) -> usize {
        remaining as usize / 2
    }

    /// How many plies there are to go in a layer with `side` to move.
    pub fn remaining(side: Color, layer: usize) -> u32 {
        2 * layer as u32 + u32::from(side == Color::Black)
    }

    /// How many layers have `side` to move.
    pub fn of_side(self, side: Color) -> usize {
        let moves = self.0.last() as usize;
        if side == Color::White { moves + 1 } else { moves }
    }

    /// Whether the game may be over on points before the turn of `side` in a layer.
    pub fn decides(self, side: Color, layer: usize) -> bool {
        side == Color::White && self.0.decides(2 * layer as u32)
    }
}

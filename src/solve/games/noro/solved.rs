//! What solving a slice gives.

use crate::solve::engine::{clock::Histories, scratch::Scratch};

/// The histories of a slice's positions with one side to move.
pub struct Solved {
    /// A number per word and lane; 0 where men share a square.
    pub numbers: Scratch<u32>,
    /// The codes, as keys of the other side, layer by layer.
    pub histories: Histories<u8>,
}

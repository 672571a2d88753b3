//! What the ladder is climbed with: the turns that stay in a slice, and sets of its positions.

use rayon::prelude::*;

use super::slice::{Slice, Stand};
use crate::board::Color;

/// The turns that stay in a slice.
pub trait QuietTurns: Send + Sync {
    /// The lanes of `stand`, among those `wanted`, in which `side` has a quiet turn to one of the
    /// positions in `set`, which gives the lanes of a word for the other side to move.
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64;

    /// Calls `tell` with every word, and lanes in it, from which a quiet turn of `side` leads to
    /// one of the `lanes` of this word, which has the other side to move. Lanes that are no legal
    /// positions may be among them.
    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        tell: impl FnMut(usize, u64),
    );
}

/// Moves of pieces, as in orthodox chess.
pub struct PieceMoves;

impl QuietTurns for PieceMoves {
    #[inline(always)]
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        slice.reach(stand, side, wanted, set)
    }

    #[inline(always)]
    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        tell: impl FnMut(usize, u64),
    ) {
        slice.unmove(stand, side, lanes, tell);
    }
}

/// The legal positions of a slice: per side to move a set of lanes a word.
pub type Sets = [Vec<u64>; 2];

/// Every legal position of a slice.
pub fn legal_positions(slice: &Slice) -> Sets {
    Color::ALL.map(|side| {
        (0..slice.words())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .map(|word| slice.stand(word).map_or(0, |stand| slice.legal(&stand, side).0))
            .collect()
    })
}

/// The least number of words worth a task of its own.
pub const MIN_WORDS: usize = 512;

/// The entry of a side for writing, and the other one.
pub(in crate::solve) fn two<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

//! Sets of the positions of a slice.

use rayon::prelude::*;

use super::words::{MIN_WORDS, Slice};
use crate::board::Color;

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

/// What is kept per side, with that of the side with this index first.
pub fn side_first<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

//! Sets of the positions of a slice.

use super::words::{MIN_WORDS, Slice};
use crate::{board::Color, parallel};

/// The legal positions of a slice: per side to move a set of lanes a word.
pub type Sets = [Vec<u64>; 2];

/// Every legal position of a slice.
pub fn legal_positions(slice: &Slice) -> Sets {
    Color::ALL.map(|side| legal_lanes(slice, side))
}

/// Those with a side to move.
pub fn legal_lanes(slice: &Slice, side: Color) -> Vec<u64> {
    parallel::map(0..slice.words(), MIN_WORDS, |_, word| {
        slice.stand(word).map_or(0, |stand| slice.legal(&stand, side).0)
    })
}

/// What is kept per side, with that of the side with this index first.
pub fn side_first<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

//! Which positions of a part are decided by what tables leave out.

use std::{ops::Range, sync::OnceLock};

use crate::board::Color;

/// The positions of a part that a capture or promotion decides: a bit for each, per structure, mode
/// and side to move.
pub struct DecidedBits {
    /// The first structure of the part.
    first: usize,
    modes: usize,
    /// How many positions a structure has.
    size: u64,
    bits: Vec<[OnceLock<Box<[u64]>>; 2]>,
}

impl DecidedBits {
    /// None of those in a part with these structures, each with so many positions.
    pub fn new(structures: Range<usize>, modes: usize, size: u64) -> DecidedBits {
        let bits = (0..structures.len() * modes).map(|_| Default::default()).collect();
        DecidedBits { first: structures.start, modes, size, bits }
    }

    /// Notes those of a structure, once.
    pub fn put(&self, mode: usize, side: Color, structure: usize, bits: Box<[u64]>) {
        let place = (structure - self.first) * self.modes + mode;
        let put = self.bits[place][side.index()].set(bits);
        assert!(put.is_ok(), "a structure is solved once");
    }

    /// Whether each of the positions with these numbers is one, counted from the first of the part.
    pub fn range(
        &self,
        (mode, side): (usize, Color),
        numbers: Range<u64>,
    ) -> impl Iterator<Item = bool> + '_ {
        let size = self.size;
        (numbers.start / size..numbers.end.div_ceil(size)).flat_map(move |structure| {
            let bits = self.bits[structure as usize * self.modes + mode][side.index()].get();
            let start = numbers.start.saturating_sub(structure * size);
            let end = (numbers.end - structure * size).min(size);
            (start..end).map(move |at| {
                bits.is_some_and(|bits| bits[at as usize / 64] >> (at % 64) & 1 == 1)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_over_the_ends_of_structures() {
        let (modes, size) = (2, 70);
        let decided = DecidedBits::new(5..8, modes, size);
        // Of the structure in the middle those with an odd number, of the last the second one.
        let odd = 0xAAAA_AAAA_AAAA_AAAA;
        decided.put(1, Color::Black, 6, Box::new([odd, odd & 0x3F]));
        decided.put(1, Color::Black, 7, Box::new([2, 0]));
        let expected =
            |number: u64| (70..140).contains(&number) && number % 2 == 1 || number == 141;
        for range in [0..210, 60..80, 70..140, 139..142, 141..141, 209..210] {
            let found: Vec<bool> = decided.range((1, Color::Black), range.clone()).collect();
            assert_eq!(found, range.clone().map(expected).collect::<Vec<_>>(), "{range:?}");
        }
        assert!(decided.range((0, Color::Black), 0..210).all(|decided| !decided));
    }
}

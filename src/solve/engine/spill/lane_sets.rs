//! Sets of lanes, word after word, in few bytes.
//!
//! Each set says how many words were skipped and which lanes it has: each by a byte if they are
//! few, else all by a bit each.

use crate::board::Bitboard;

/// Lanes that take a byte each, at most so many: eight would take as much as a bit for each, and
/// the count must fit three bits.
const FEW: u32 = 7;

/// How many words were skipped goes into five bits, or behind them if it is so many or more.
const FAR: usize = 31;

const _: () = assert!(FEW < 1 << 3 && FAR < 1 << 5, "the head of a set is a byte");

/// Lane sets that go from word to word.
#[derive(Clone, Debug, Default)]
pub struct LaneSets {
    bytes: Vec<u8>,
    /// The first word that has not been skipped.
    next: usize,
}

impl LaneSets {
    /// Adds some lanes of a word, which comes after those before.
    #[inline]
    pub fn add(&mut self, word: usize, lanes: u64) {
        debug_assert!(word >= self.next && lanes != 0, "sets go from word to word");
        let passed = word - self.next;
        self.next = word + 1;
        let count = lanes.count_ones();
        let kind = if count <= FEW { count as u8 } else { 0 };
        self.bytes.push((passed.min(FAR) as u8) << 3 | kind);
        if let Some(mut more) = passed.checked_sub(FAR) {
            while more >= 1 << 7 {
                self.bytes.push(more as u8 | 1 << 7);
                more >>= 7;
            }
            self.bytes.push(more as u8);
        }
        if kind == 0 {
            self.bytes.extend_from_slice(&lanes.to_le_bytes());
        } else {
            Bitboard(lanes).for_each(|lane| self.bytes.push(lane.number() as u8));
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The words and lanes of the sets that some bytes make.
pub struct LaneSetReader<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl<'a> LaneSetReader<'a> {
    /// Those of what [`LaneSets::into_bytes`] has made.
    pub fn new(bytes: &'a [u8]) -> LaneSetReader<'a> {
        LaneSetReader { bytes, next: 0 }
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }
}

impl Iterator for LaneSetReader<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        let head = self.byte()?;
        let (mut passed, kind) = (usize::from(head >> 3), usize::from(head & 7));
        if passed == FAR {
            for shift in (0..).step_by(7) {
                let more = self.byte()?;
                passed += usize::from(more & 0x7F) << shift;
                if more < 1 << 7 {
                    break;
                }
            }
        }
        let word = self.next + passed;
        self.next = word + 1;
        let lanes = if kind == 0 {
            let (lanes, rest) = self.bytes.split_first_chunk()?;
            self.bytes = rest;
            u64::from_le_bytes(*lanes)
        } else {
            let (lanes, rest) = self.bytes.split_at_checked(kind)?;
            self.bytes = rest;
            lanes.iter().fold(0, |all, &lane| all | 1 << lane)
        };
        Some((word, lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn notes_come_back(
            all in proptest::collection::vec((0usize..400, 1u64.., 0u32..64, 0u8..6), 0..200),
        ) {
            let mut sets = LaneSets::default();
            let mut word = 0;
            let mut expected = Vec::new();
            for (passed, lanes, lane, kind) in all {
                // Far words, few lanes.
                word += if kind == 0 { passed << 12 } else { passed % (FAR + 2) };
                let lanes = if kind < 3 { lanes } else { 1 << lane | (lanes & lanes << 7 & lanes << 23) };
                sets.add(word, lanes);
                expected.push((word, lanes));
                word += 1;
            }
            let bytes = sets.into_bytes();
            proptest::prop_assert_eq!(LaneSetReader::new(&bytes).collect::<Vec<_>>(), expected);
        }
    }
}

//! Blocks of few values, as they stay in memory: four entries a byte.
//!
//! Who wins is one of three or four values. Four of them a byte, a table of results is a quarter as
//! large in memory, and so is what of it must come through the processor's caches.

use std::sync::Arc;

/// Entries a byte.
const ENTRIES: usize = 4;

/// Bits an entry.
const BITS: usize = 8 / ENTRIES;

/// How many values entries can have that stay so.
pub(super) const VALUES: usize = 1 << BITS;

/// How many bytes entries take before they are put together, one a byte and a few behind the last.
pub(super) fn whole(entries: usize) -> usize {
    entries.next_multiple_of(ENTRIES)
}

/// The entries of a block, one a byte and a [whole](whole()) number of them, put together; `None`
/// if one has too high a value.
pub(super) fn together(entries: &[u8]) -> Option<Arc<[u8]>> {
    let (fours, _) = entries.as_chunks::<ENTRIES>();
    // As one number, which compilers turn into code for several at once; so is what follows, as
    // long as it is a loop of its own.
    let byte = |four: &[u8; ENTRIES]| {
        let four = u32::from_le_bytes(*four);
        (four | four >> (8 - BITS) | four >> (2 * (8 - BITS)) | four >> (3 * (8 - BITS))) as u8
    };
    let all = entries.iter().fold(0, |all, entry| all | entry);
    (usize::from(all) < VALUES).then(|| fours.iter().map(byte).collect())
}

/// Takes entries of a block that was put together, from number `first` on, until `out` is full.
///
/// # Panics
/// If it has not so many.
pub(super) fn apart(block: &[u8], first: usize, out: &mut [u8]) {
    for (at, out) in (first..).zip(out) {
        *out = entry(block, at);
    }
}

/// An entry of a block that was put together.
///
/// # Panics
/// If it has not so many.
#[inline]
pub(super) fn entry(block: &[u8], at: usize) -> u8 {
    block[at / ENTRIES] >> (at % ENTRIES * BITS) & (VALUES as u8 - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_come_back(entries in prop::collection::vec(0..VALUES as u8, 0..300)) {
            let mut padded = entries.clone();
            padded.resize(whole(entries.len()), 0);
            let block = together(&padded).unwrap();
            prop_assert_eq!(block.len(), entries.len().div_ceil(ENTRIES));
            for first in 0..entries.len() {
                let mut back = vec![0; entries.len() - first];
                apart(&block, first, &mut back);
                prop_assert_eq!(&back, &entries[first..]);
            }
        }

        #[test]
        fn higher_values_are_seen(
            mut entries in prop::collection::vec(0..VALUES as u8, 1..300),
            at: prop::sample::Index,
            high in VALUES as u8..,
        ) {
            let place = at.index(entries.len());
            entries[place] = high;
            entries.resize(whole(entries.len()), 0);
            prop_assert!(together(&entries).is_none());
        }
    }
}

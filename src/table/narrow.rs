//! Wide entries, as a block packs them: by their place among the values that occur in it.
//!
//! Numbers of two or four bytes are many in a table and few in a block. Places of one byte are half
//! of what there is to pack, or less, and pack better.

use super::{header::Width, widen::FEW_VALUES};

/// Bytes that tell how many values there are.
const COUNT_LEN: usize = 2;

/// Values that places of two bytes can name, which are shorter than entries of four.
const MANY_VALUES: usize = 1 << 16;

/// How wide places among so many values are.
pub(super) fn place_width(values: usize) -> Width {
    if values <= FEW_VALUES { Width::One } else { Width::Two }
}

/// Whether the narrow form is shorter than so many entries with so many values. That of `varied`
/// entries may have places of two bytes; where the search for repeats is not zstd's own, those pack
/// worse, since numbers that follow each other no longer look alike.
pub(super) fn pays(values: usize, entries: usize, width: Width, varied: bool) -> bool {
    let most = if varied && width == Width::Four { MANY_VALUES } else { FEW_VALUES };
    let narrow = COUNT_LEN + values * width.bytes() + entries * place_width(values).bytes();
    values <= most && narrow < entries * width.bytes()
}

/// What comes before the places: how many values there are, less one, in two bytes, and the values,
/// ascending. Of many, how much each is more than the one before: the lowest bytes of all, then the
/// next.
pub(super) fn head(values: &[u32], width: Width) -> Vec<u8> {
    let mut head = Vec::with_capacity(COUNT_LEN + values.len() * width.bytes());
    head.extend_from_slice(&(values.len() as u16 - 1).to_le_bytes());
    if values.len() <= FEW_VALUES {
        let values = values.iter().map(|value| value.to_le_bytes());
        head.extend(values.flat_map(|bytes| bytes.into_iter().take(width.bytes())));
        return head;
    }
    for byte in 0..width.bytes() {
        let before = std::iter::once(0).chain(values.iter().copied());
        let more = values.iter().zip(before).map(|(value, before)| value.wrapping_sub(before));
        head.extend(more.map(|more| more.to_le_bytes()[byte]));
    }
    head
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::{dont_care::DontCareRanges, widen::widen};

    fn narrowed(entries: &[u8], width: Width, varied: bool) -> Option<Vec<u8>> {
        let (values, places) = DontCareRanges::of(width, entries).narrowed(varied)?;
        Some([head(&values, width).as_slice(), places.bounds()[0]].concat())
    }

    fn bytes(values: &[u32], width: Width) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()[..width.bytes()].to_vec()).collect()
    }

    proptest! {
        #[test]
        fn what_was_narrowed_comes_back(
            places in prop::collection::vec(0..600_usize, 0..3000),
            values in prop::collection::vec(any::<u32>(), 1..600),
            width in prop::sample::select(vec![Width::One, Width::Two, Width::Four]),
            varied: bool,
        ) {
            let all: Vec<u32> = places.iter().map(|place| values[place % values.len()]).collect();
            let entries = bytes(&all, width);
            if let Some(narrow) = narrowed(&entries, width, varied) {
                prop_assert!(narrow.len() < entries.len());
                let mut back = vec![0; entries.len()];
                widen(&narrow, width, &mut back).unwrap();
                prop_assert_eq!(back, entries);
            }
        }
    }

    #[test]
    fn few_values_take_a_byte_an_entry() {
        let of = |kinds: u32, width, varied| {
            let all: Vec<u32> = (0..4096).map(|n| 1000 + n % kinds).collect();
            narrowed(&bytes(&all, width), width, varied).map(|narrow| narrow.len())
        };
        for varied in [false, true] {
            assert_eq!(of(256, Width::Two, varied), Some(2 + 256 * 2 + 4096));
            assert_eq!(of(257, Width::Two, varied), None);
            assert_eq!(of(256, Width::Four, varied), Some(2 + 256 * 4 + 4096));
            assert_eq!(of(2, Width::One, varied), None);
            assert_eq!(narrowed(&[], Width::Two, varied), None);
        }
        assert_eq!(of(257, Width::Four, false), None);
        assert_eq!(of(257, Width::Four, true), Some(2 + 257 * 4 + 4096 * 2));
        assert_eq!(of(2047, Width::Four, true), Some(2 + 2047 * 4 + 4096 * 2));
        assert_eq!(of(2048, Width::Four, true), None);
    }
}

//! What the entries of a block may be, before it is packed.
//!
//! A number that is no position may have any entry, and some positions any entry of a range. What
//! they get is up to the packer.

use rustc_hash::FxHashMap;

use super::{
    header::{Width, le_u32},
    narrow,
};

impl Width {
    /// The largest number it holds.
    pub(super) fn most(self) -> u32 {
        u32::MAX >> (u32::BITS - 8 * self as u32)
    }
}

/// The ranges that entries of a width may be in, as many bytes for each.
#[derive(Debug)]
pub struct DontCareRanges {
    width: Width,
    least: Vec<u8>,
    most: Vec<u8>,
}

impl DontCareRanges {
    /// Room for so many entries; there are none yet.
    pub(super) fn new(width: Width, entries: usize) -> DontCareRanges {
        let room = || Vec::with_capacity(entries * width.bytes());
        DontCareRanges { width, least: room(), most: room() }
    }

    /// The next entry must be this one.
    #[inline(always)]
    pub fn exactly(&mut self, entry: u32) {
        self.between(entry, entry);
    }

    /// The next entry may be any from `least` to `most`. Values beyond the width are cut to it, so
    /// `u32::MAX` is no upper bound.
    #[inline(always)]
    pub fn between(&mut self, least: u32, most: u32) {
        match self.width {
            // Copying so little takes longer than everything else.
            Width::One => {
                self.least.push(least as u8);
                self.most.push(most as u8);
            }
            Width::Two => {
                self.least.extend_from_slice(&(least as u16).to_le_bytes());
                self.most.extend_from_slice(&(most as u16).to_le_bytes());
            }
            Width::Four => {
                self.least.extend_from_slice(&least.to_le_bytes());
                self.most.extend_from_slice(&most.to_le_bytes());
            }
        }
    }

    /// The next entry may be anything that others are.
    #[inline(always)]
    pub fn anything(&mut self) {
        self.between(0, u32::MAX);
    }

    /// Entries that must be what they are.
    pub(super) fn of(width: Width, entries: &[u8]) -> DontCareRanges {
        DontCareRanges { width, least: entries.to_vec(), most: entries.to_vec() }
    }

    pub(super) fn width(&self) -> Width {
        self.width
    }

    /// The bytes of the least and of the most that entries may be.
    pub(super) fn bounds(&self) -> [&[u8]; 2] {
        [&self.least, &self.most]
    }

    fn pairs<const WIDTH: usize>(&self) -> impl Iterator<Item = (u32, u32)> {
        let [least, most] = self.bounds().map(|bytes| bytes.as_chunks::<WIDTH>().0);
        least.iter().zip(most).map(|(least, most)| (le_u32(least), le_u32(most)))
    }

    /// What a range is about, unless anything may be: one that is in it.
    fn value(&self, (least, most): (u32, u32)) -> Option<u32> {
        match () {
            () if most < self.width.most() => Some(most),
            () if least > 0 => Some(least),
            () => None,
        }
    }

    /// Entries that repeat their neighbour where they may.
    pub(super) fn like_neighbours(&self, entries: &mut Vec<u8>) {
        match self.width {
            Width::One => self.like_neighbours_of::<1>(entries),
            Width::Two => self.like_neighbours_of::<2>(entries),
            Width::Four => self.like_neighbours_of::<4>(entries),
        }
    }

    fn like_neighbours_of<const WIDTH: usize>(&self, entries: &mut Vec<u8>) {
        let mut last = self.pairs::<WIDTH>().find_map(|pair| self.value(pair)).unwrap_or(0);
        entries.clear();
        entries.resize(self.least.len(), 0);
        let (to, _) = entries.as_chunks_mut::<WIDTH>();
        for (entry, (least, most)) in to.iter_mut().zip(self.pairs::<WIDTH>()) {
            last = last.clamp(least, most);
            *entry = *last.to_le_bytes().first_chunk().expect("four bytes or fewer");
        }
    }

    /// The [narrow form](narrow), if it is shorter: the values, and the range of places among
    /// them of each entry, which are of two bytes only if entries are `varied`.
    pub(super) fn narrowed(&self, varied: bool) -> Option<(Vec<u32>, DontCareRanges)> {
        match self.width {
            Width::One => None,
            Width::Two => self.narrowed_of::<2>(varied),
            Width::Four => self.narrowed_of::<4>(varied),
        }
    }

    fn narrowed_of<const WIDTH: usize>(&self, varied: bool) -> Option<(Vec<u32>, DontCareRanges)> {
        let entries = self.least.len() / WIDTH;
        let mut places = Places::new(self.width);
        let mut values = Vec::new();
        let mut last = None;
        for pair in self.pairs::<WIDTH>() {
            // Most entries are like their neighbour.
            if last.replace(pair) == Some(pair) {
                continue;
            }
            if let Some(value) = self.value(pair)
                && places.set_if_new(value)
            {
                values.push(value);
                if !narrow::pays(values.len(), entries, self.width, varied) {
                    return None;
                }
            }
        }
        if values.is_empty() {
            values.push(0);
        }
        values.sort_unstable();
        if !narrow::pays(values.len(), entries, self.width, varied) {
            return None;
        }
        values.iter().zip(0..).for_each(|(&value, place)| places.set(value, place));
        let place = |pair: (u32, u32)| match self.value(pair) {
            None => (0, u32::MAX),
            Some(value) if pair.0 == pair.1 => (places.get(value), places.get(value)),
            Some(_) => {
                let least = values.partition_point(|&value| value < pair.0);
                let most = values.partition_point(|&value| value <= pair.1) - 1;
                (least as u32, most as u32)
            }
        };
        let mut narrow = DontCareRanges::new(narrow::place_width(values.len()), entries);
        let nothing = (0, u32::MAX);
        let mut last = (nothing, nothing);
        for pair in self.pairs::<WIDTH>() {
            if pair != last.0 {
                last = (pair, place(pair));
            }
            narrow.between(last.1.0, last.1.1);
        }
        Some((values, narrow))
    }

    /// Whether entries are what they may be.
    #[cfg(test)]
    pub(super) fn allows(&self, entries: &[u8]) -> bool {
        let width = self.width.bytes();
        let values = |bytes: &[u8]| bytes.chunks(width).map(le_u32).collect::<Vec<_>>();
        let [least, most] = self.bounds().map(values);
        let entries = values(entries);
        entries.len() == least.len()
            && entries.iter().zip(least.iter().zip(&most)).all(|(e, (l, m))| l <= e && e <= m)
    }
}

/// The places of the values that occur in a block.
enum Places {
    /// Of each number of two bytes.
    OfAll(Vec<u16>),
    /// Of those there are.
    OfSome(FxHashMap<u32, u16>),
}

impl Places {
    const NONE: u16 = u16::MAX;

    fn new(width: Width) -> Places {
        match width {
            Width::Four => Places::OfSome(FxHashMap::default()),
            _ => Places::OfAll(vec![Places::NONE; 1 << u16::BITS]),
        }
    }

    /// Notes a value; whether it was not known.
    #[inline]
    fn set_if_new(&mut self, value: u32) -> bool {
        match self {
            Places::OfAll(places) => {
                std::mem::replace(&mut places[value as usize], 0) == Places::NONE
            }
            Places::OfSome(places) => places.insert(value, 0).is_none(),
        }
    }

    fn set(&mut self, value: u32, place: u16) {
        match self {
            Places::OfAll(places) => places[value as usize] = place,
            Places::OfSome(places) => {
                places.insert(value, place);
            }
        }
    }

    /// The place of a value that is known.
    #[inline]
    fn get(&self, value: u32) -> u32 {
        match self {
            Places::OfAll(places) => places[value as usize].into(),
            Places::OfSome(places) => places[&value].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::widen::widen;

    proptest! {
        #[test]
        fn what_is_chosen_is_allowed_however_it_is_packed(
            ranges in prop::collection::vec((0..6_u32, 0..4_u32, 0..8_u32), 0..600),
            width in prop::sample::select(vec![Width::One, Width::Two, Width::Four]),
            scale in prop::sample::select(vec![1, 40]),
            varied: bool,
        ) {
            let mut allowed = DontCareRanges::new(width, ranges.len());
            for &(least, more, kind) in &ranges {
                let (least, most) = (scale * least, scale * (least + more));
                match kind {
                    0..3 => allowed.anything(),
                    3 => allowed.between(0, most),
                    4 => allowed.between(least, u32::MAX),
                    _ => allowed.exactly(least),
                }
            }
            let mut entries = Vec::new();
            allowed.like_neighbours(&mut entries);
            prop_assert!(allowed.allows(&entries));
            if let Some((values, places)) = allowed.narrowed(varied) {
                places.like_neighbours(&mut entries);
                let narrow = [narrow::head(&values, width), entries.clone()].concat();
                let mut wide = vec![0; ranges.len() * width.bytes()];
                widen(&narrow, width, &mut wide).unwrap();
                prop_assert!(allowed.allows(&wide));
            }
        }
    }

    #[test]
    fn entries_repeat_their_neighbour_where_they_may() {
        let mut allowed = DontCareRanges::new(Width::One, 6);
        allowed.anything();
        allowed.exactly(3);
        allowed.anything();
        allowed.between(0, 2);
        allowed.between(1, 9);
        allowed.between(7, u32::MAX);
        let mut entries = Vec::new();
        allowed.like_neighbours(&mut entries);
        assert_eq!(entries, [3, 3, 3, 2, 2, 7]);
        assert!(allowed.allows(&entries) && !allowed.allows(&[3, 4, 3, 2, 2, 7]));
    }
}

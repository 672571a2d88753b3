//! How blocks are packed.

use std::{borrow::Cow, io};

use zstd::bulk::Compressor;

use super::{
    dont_care::DontCareRanges,
    header::{Width, le_u32},
    narrow,
    search::Search,
    sequences::Sequencer,
};

/// From this effort on repeats are searched for here, with every range that entries may be in.
const SEARCH_FROM: i32 = 10;

/// From this effort on zstd searches again in what was chosen, which may find more in many times
/// the time.
const SEARCH_AGAIN_FROM: i32 = 18;

/// So do blocks of fewer bytes with any search: there are few of them, and the less there is to
/// repeat the more it pays.
const SHORT: usize = 1 << 18;

/// The most effort that goes into long blocks without don't-care ranges, below that from which on
/// zstd searches again. Level 17 takes five times as long for 7 % less: 28 seconds instead of 6 for
/// the rows of High Chess's KRvKR.
const EXACT_MOST: i32 = 13;

/// The most effort that goes into long blocks of varied entries, likewise. For those of High
/// Chess's KBNvK, level 9 takes a quarter of the time for 8 % more, and level 19 two and a half
/// times the time for 7 % less.
const VARIED_MOST: i32 = 16;

/// Packs blocks, one after the other.
pub(super) struct Packer {
    zstd: Compressor<'static>,
    level: i32,
    /// What entries became, if nothing was searched for.
    plain: Vec<u8>,
    search: Option<(Search, Sequencer)>,
    again: bool,
}

/// Why a block cannot be packed.
pub(super) enum Unpackable {
    /// An entry is not in the palette.
    Entry(u32),
    /// Memory is lacking.
    Io(io::Error),
}

impl From<io::Error> for Unpackable {
    fn from(error: io::Error) -> Unpackable {
        Unpackable::Io(error)
    }
}

impl Packer {
    /// With an effort of 1 to 22.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn new(level: i32) -> io::Result<Packer> {
        let search = match level >= SEARCH_FROM {
            true => Some((Search::default(), Sequencer::new()?)),
            false => None,
        };
        let again = level >= SEARCH_AGAIN_FROM;
        Ok(Packer { zstd: Compressor::new(level)?, level, plain: Vec::new(), search, again })
    }

    /// Packs a block that must be what it is.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn pack(&mut self, width: Width, bytes: &[u8]) -> io::Result<Vec<u8>> {
        // Entries of a byte have no narrow form, so what most sections are made of need not be
        // copied.
        let exactly = (width != Width::One).then(|| DontCareRanges::of(width, bytes));
        match exactly.and_then(|entries| entries.narrowed(false)) {
            None => self.compress(bytes),
            Some((values, places)) => {
                let [places, _] = places.bounds();
                self.compress(&[&narrow::head(&values, width), places].concat())
            }
        }
    }

    /// Packs bytes that are what they are.
    fn compress(&mut self, block: &[u8]) -> io::Result<Vec<u8>> {
        self.compress_up_to(EXACT_MOST, block)
    }

    /// The same with this effort at most, if they are many and zstd does not search again.
    fn compress_up_to(&mut self, most: i32, block: &[u8]) -> io::Result<Vec<u8>> {
        let lightly = !self.again && block.len() >= SHORT && self.level > most;
        if lightly {
            self.zstd.set_compression_level(most)?;
        }
        let packed = self.zstd.compress(block);
        if lightly {
            self.zstd.set_compression_level(self.level)?;
        }
        packed
    }

    /// Packs a block whose entries have don't-care ranges. Returns the largest of them, too.
    ///
    /// Of `varied` entries few may be anything, and a block has many different ones; so zstd's own
    /// search finds more in them.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn choose_and_pack(
        &mut self,
        ranges: &DontCareRanges,
        varied: bool,
    ) -> io::Result<(Vec<u8>, u32)> {
        let width = ranges.width();
        match ranges.narrowed(varied) {
            Some((values, places)) if places.width() == Width::Two => {
                let entries = match &mut self.search {
                    None => {
                        places.like_neighbours(&mut self.plain);
                        &self.plain
                    }
                    Some((search, _)) => search.choose(&places).0,
                };
                let block = [&narrow::head(&values, width), entries].concat();
                let packed = self.compress_up_to(VARIED_MOST, &block)?;
                Ok((packed, values.last().copied().unwrap_or(0)))
            }
            None => {
                let (entries, packed) = self.pack_behind(&[], ranges)?;
                let most = match width {
                    // Many at a time.
                    Width::One => entries.iter().copied().fold(0, u8::max).into(),
                    _ => entries.chunks_exact(width.bytes()).map(le_u32).fold(0, u32::max),
                };
                Ok((packed, most))
            }
            Some((values, places)) => {
                let (_, packed) = self.pack_behind(&narrow::head(&values, width), &places)?;
                Ok((packed, values.last().copied().unwrap_or(0)))
            }
        }
    }

    /// Packs a head and entries, and returns the entries, too.
    fn pack_behind(
        &mut self,
        head: &[u8],
        ranges: &DontCareRanges,
    ) -> io::Result<(&[u8], Vec<u8>)> {
        let behind = |entries| match head {
            [] => Cow::Borrowed(entries),
            _ => Cow::Owned([head, entries].concat()),
        };
        match &mut self.search {
            None => {
                ranges.like_neighbours(&mut self.plain);
                let packed = self.zstd.compress(&behind(&self.plain))?;
                Ok((&self.plain, packed))
            }
            Some((search, sequencer)) => {
                let (entries, repeats) = search.choose(ranges);
                let block = behind(entries);
                let mut packed = sequencer.pack(&block, head.len(), repeats)?;
                if self.again || block.len() < SHORT {
                    let other = self.zstd.compress(&block)?;
                    packed = if other.len() < packed.len() { other } else { packed };
                }
                Ok((entries, packed))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::widen::widen;

    /// The entries of a packed block.
    fn unpacked(ranges: &DontCareRanges, packed: &[u8]) -> Vec<u8> {
        let [bounds, _] = ranges.bounds();
        let narrow = zstd::bulk::decompress(packed, bounds.len()).unwrap();
        if narrow.len() == bounds.len() {
            return narrow;
        }
        let mut entries = vec![0; bounds.len()];
        widen(&narrow, ranges.width(), &mut entries).unwrap();
        entries
    }

    fn packs(ranges: &DontCareRanges) -> Result<(), TestCaseError> {
        for (level, varied) in [1, SEARCH_FROM, 17, SEARCH_AGAIN_FROM + 1]
            .into_iter()
            .flat_map(|l| [(l, false), (l, true)])
        {
            let mut packer = Packer::new(level).unwrap();
            let (packed, most) = packer.choose_and_pack(ranges, varied).unwrap();
            let entries = unpacked(ranges, &packed);
            prop_assert!(ranges.allows(&entries), "level {level}");
            let width = ranges.width().bytes();
            prop_assert!(entries.chunks(width).all(|entry| le_u32(entry) <= most));
            // What a block left behind in the packer does not show.
            let (again, _) = packer.choose_and_pack(ranges, varied).unwrap();
            prop_assert_eq!(&again, &packed);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn blocks_come_back_as_they_may_be(
            ranges in prop::collection::vec((0..700_u32, 0..4_u32, 0..8_u32), 0..400),
            copies in prop::collection::vec((0..400_usize, 0..400_usize), 0..12),
            width in prop::sample::select(vec![Width::One, Width::Two, Width::Four]),
        ) {
            let mut all = ranges.clone();
            for (from, to) in copies {
                all.extend_from_slice(ranges.get(from..to).unwrap_or_default());
            }
            let mut ranges = DontCareRanges::new(width, all.len());
            for (value, more, kind) in all {
                let value = value.min(width.most() - 4);
                match kind {
                    0..2 => ranges.anything(),
                    2 => ranges.between(0, value + more),
                    3 => ranges.between(value, u32::MAX),
                    _ => ranges.exactly(value),
                }
            }
            packs(&ranges)?;
        }
    }

    #[test]
    fn the_largest_blocks_come_back() {
        // zstd cuts them into pieces of its own, and repeats go from one to the next.
        for (width, values) in [(Width::One, 50), (Width::Two, 5_000), (Width::Four, 1 << 20)] {
            let entries = (1 << 20) / width.bytes();
            let mut ranges = DontCareRanges::new(width, entries);
            let mut noise = 1_u64;
            for n in 0..entries as u64 {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n >> 5);
                match noise >> 60 {
                    0..6 => ranges.anything(),
                    6 => ranges.exactly((noise >> 33) as u32 % values),
                    _ => ranges.exactly((n / 4096) as u32 * 7 % values),
                }
            }
            packs(&ranges).unwrap();
        }
    }
}

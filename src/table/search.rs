//! Where a block repeats itself, and what its entries are so that it does.
//!
//! Two thirds of the entries of a table may be one thing or another (see [`DontCareRanges`]), so
//! what is looked for is not what repeats but what can. Squares make the places of a position in
//! the order of an index: a man that steps along a rank or a file moves a power of eight entries
//! on. So what is so far back is tried, what repeats came from last, and where the same eight bytes
//! were last seen. A repeat that begins an entry later may be better still.

use super::{
    dont_care::DontCareRanges,
    header::{Width, le_u32},
};

/// How far back the same bytes may stand with men on other squares, in entries.
const STEPS: [usize; 7] = [1, 8, 64, 512, 4096, 32768, 262_144];

/// So many distances that repeats came from last are tried again.
const RECENT: usize = 8;

/// No more distances than these are tried wherever a repeat could begin; an even number.
const TRIED: usize = RECENT + STEPS.len() + 1;

/// The format knows the last three without telling them.
const FREE: usize = 3;

/// The shortest repeat, in bytes.
const SHORTEST: usize = 3;

/// From this many entries on a repeat is not compared with what begins an entry later.
const LONG: usize = 64;

/// About how many half bits a byte takes that is no repeat. What takes two bytes is rarely the same
/// as before in one of them.
const fn half_bits_a_byte(width: usize) -> i32 {
    if width == 1 { 4 } else { 8 }
}

/// Bytes that are compared at a time.
const WORD: usize = 8;

/// Bits of the hashes of what stands before an entry.
const HASH_BITS: u32 = 16;

/// A repeat, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeat {
    /// What stands before it that is no repeat.
    pub literals: usize,
    /// How far back it stood.
    pub distance: usize,
    /// How long it is.
    pub length: usize,
}

/// Finds repeats; what it needs for that is kept from block to block.
#[derive(Debug, Default)]
pub(super) struct Search {
    entries: Vec<u8>,
    least: Vec<u8>,
    most: Vec<u8>,
    /// Where the same eight bytes were last seen to end, by their hash.
    seen: Vec<u32>,
    repeats: Vec<Repeat>,
}

impl Search {
    /// Chooses the entries of a block, and tells what they repeat.
    pub fn choose(&mut self, ranges: &DontCareRanges) -> (&[u8], &[Repeat]) {
        match ranges.width() {
            Width::One => self.choose_of::<1>(ranges),
            Width::Two => self.choose_of::<2>(ranges),
            Width::Four => self.choose_of::<4>(ranges),
        }
    }

    fn choose_of<const WIDTH: usize>(&mut self, ranges: &DontCareRanges) -> (&[u8], &[Repeat]) {
        let [least, most] = ranges.bounds();
        let bytes = least.len();
        self.entries.clear();
        self.entries.resize(bytes + WORD, 0);
        // What stands behind the end is outside of every range.
        for (to, from, end) in [(&mut self.least, least, 0xff), (&mut self.most, most, 0)] {
            to.clear();
            to.extend_from_slice(from);
            to.resize(bytes + WORD, end);
        }
        self.seen.clear();
        self.seen.resize(1 << HASH_BITS, u32::MAX);
        self.repeats.clear();
        let (entries, seen) = (&mut self.entries[..], &mut self.seen[..]);
        let mut block = Block::<WIDTH>::new(entries, &self.least, &self.most, seen);
        let number = bytes / WIDTH;
        let (mut at, mut since) = (0, 0);
        let mut found = None;
        while at < number {
            let here = found.take().unwrap_or_else(|| block.best(at));
            block.see(at);
            if here.length == 0 {
                block.write_literal(at);
                at += 1;
                continue;
            }
            if here.length < LONG && at + 1 < number {
                block.write_literal(at);
                let next = block.best(at + 1);
                if next.worth > here.worth {
                    found = Some(next);
                    at += 1;
                    continue;
                }
            }
            block.write(at, here);
            self.repeats.push(Repeat {
                literals: (at - since) * WIDTH,
                distance: here.distance * WIDTH,
                length: here.length * WIDTH,
            });
            (at + 1..at + here.length).for_each(|at| block.see(at));
            at += here.length;
            since = at;
        }
        (&self.entries[..bytes], &self.repeats)
    }
}

/// A repeat that could begin at some place, in entries; of no length if there is none.
#[derive(Clone, Copy, Default)]
struct Candidate {
    distance: usize,
    length: usize,
    /// About how many half bits it saves.
    worth: i32,
}

/// How far back to look, in entries, and about how many half bits it takes to tell that.
#[derive(Clone, Copy, Default)]
struct Distance {
    entries: usize,
    cost: i32,
}

impl Distance {
    /// The upper bits of the entries that a repeat must have to be worth anything, as far as they
    /// are in a word and stand before where it begins.
    fn needs<const WIDTH: usize>(self) -> u64 {
        let entries = bytes_worth_more::<WIDTH>(self.cost).div_ceil(WIDTH);
        let bytes = WIDTH * entries.min(self.entries).min(WORD / WIDTH);
        upper_bits::<WIDTH>() & (u64::MAX >> (u64::BITS as usize - 8 * bytes))
    }
}

/// A block whose entries are being chosen, from the first to the last. Those from the place that is
/// looked at on are written over at will.
struct Block<'a, const WIDTH: usize> {
    entries: &'a mut [u8],
    least: &'a [u8],
    most: &'a [u8],
    seen: &'a mut [u32],
    recent: [usize; RECENT],
    /// The recent ones, and the steps that are not among them.
    distances: [Distance; TRIED],
    /// What a repeat from each of them must have at least; see [`Distance::needs`].
    needs: [u64; TRIED],
    /// How many of them there are.
    different: usize,
}

impl<'a, const WIDTH: usize> Block<'a, WIDTH> {
    fn new(
        entries: &'a mut [u8],
        least: &'a [u8],
        most: &'a [u8],
        seen: &'a mut [u32],
    ) -> Block<'a, WIDTH> {
        let (distances, needs) = ([Distance::default(); TRIED], [0; TRIED]);
        let recent = [1, 64, 8, 512, 4096, 2, 16, 7];
        let mut block =
            Block { entries, least, most, seen, recent, distances, needs, different: 0 };
        block.list_distances();
        block
    }

    fn list_distances(&mut self) {
        let Block { recent, distances, needs, .. } = self;
        let others = STEPS.into_iter().filter(|step| !recent.contains(step));
        self.different = 0;
        for (place, entries) in recent.iter().copied().chain(others).enumerate() {
            let cost = if place < FREE { place as i32 } else { half_bits(entries * WIDTH) };
            distances[place] = Distance { entries, cost };
            needs[place] = distances[place].needs::<WIDTH>();
            self.different += 1;
        }
    }

    /// The best repeat that begins here.
    fn best(&mut self, at: usize) -> Candidate {
        let mut best = Candidate::default();
        let mut likely = self.likely(at);
        while likely != 0 {
            let place = likely.trailing_zeros() as usize;
            self.offer(at, self.distances[place], &mut best);
            likely &= likely - 1;
        }
        if let Some(hash) = self.hash(at) {
            let before = self.seen[hash] as usize;
            if before < at {
                let entries = at - before;
                self.offer(at, Distance { entries, cost: half_bits(entries * WIDTH) }, &mut best);
            }
        }
        best
    }

    /// The distances, a bit each, from which a repeat may be worth something. Most are not, and to
    /// see that of all at once takes less than one after the other.
    #[inline]
    fn likely(&self, at: usize) -> u32 {
        let start = at * WIDTH;
        let (least, most) = (load(self.least, start), load(self.most, start));
        // Distances from before the block are sorted out later.
        let words = self
            .distances
            .map(|distance| load(self.entries, start.saturating_sub(distance.entries * WIDTH)));
        let mut likely = 0;
        for (place, (&word, &needs)) in words.iter().zip(&self.needs).enumerate() {
            let outside = exceeding::<WIDTH>(least, word) | exceeding::<WIDTH>(word, most);
            likely |= u32::from(outside & needs == 0) << place;
        }
        likely & ((1 << self.different) - 1)
    }

    #[inline]
    fn offer(&mut self, at: usize, Distance { entries, cost }: Distance, best: &mut Candidate) {
        if entries > at {
            return;
        }
        // So long it must be to be better; most are seen not to be by the end of that.
        let (start, back) = (at * WIDTH, entries * WIDTH);
        let needed = bytes_worth_more::<WIDTH>(best.worth + cost);
        if needed >= WORD && back >= needed {
            let last = start + needed - WORD;
            if last + WORD > self.entries.len()
                || self.inside(last, load(self.entries, last - back)).is_some()
            {
                return;
            }
        }
        let length = self.extent(at, entries);
        let worth = half_bits_a_byte(WIDTH) * (length * WIDTH) as i32 - cost;
        if length * WIDTH >= SHORTEST && worth > best.worth {
            *best = Candidate { distance: entries, length, worth };
        }
    }

    /// How many entries from here on may be what stands `distance` before.
    fn extent(&mut self, at: usize, distance: usize) -> usize {
        let (start, back) = (at * WIDTH, distance * WIDTH);
        let mut length = 0;
        while length + WORD <= back {
            let word = load(self.entries, start + length - back);
            if let Some(inside) = self.inside(start + length, word) {
                return (length + inside) / WIDTH;
            }
            length += WORD;
        }
        // From here on it repeats what it has made itself.
        self.repeat(start, back, length);
        if back >= WORD {
            loop {
                let word = load(self.entries, start + length - back);
                self.entries[start + length..][..WORD].copy_from_slice(&word.to_le_bytes());
                if let Some(inside) = self.inside(start + length, word) {
                    return (length + inside) / WIDTH;
                }
                length += WORD;
            }
        }
        // What is so near comes more than once in a word.
        let mut again = u128::from(load(self.entries, start - back)) & ((1 << (8 * back)) - 1);
        let mut shift = 8 * back;
        while shift < 128 {
            again |= again << shift;
            shift *= 2;
        }
        let mut phase = 0;
        loop {
            let word = (again >> (8 * phase)) as u64;
            if let Some(inside) = self.inside(start + length, word) {
                return (length + inside) / WIDTH;
            }
            length += WORD;
            phase += WORD % back;
            if phase >= back {
                phase -= back;
            }
        }
    }

    /// How many bytes of a word that begins here are of entries that may be so, if not all.
    #[inline(always)]
    fn inside(&self, start: usize, word: u64) -> Option<usize> {
        let (least, most) = (load(self.least, start), load(self.most, start));
        let outside = exceeding::<WIDTH>(least, word) | exceeding::<WIDTH>(word, most);
        (outside != 0).then(|| outside.trailing_zeros() as usize / 8)
    }

    /// Repeats so many bytes from so many before, which may be fewer.
    fn repeat(&mut self, start: usize, back: usize, length: usize) {
        for at in start..start + length {
            self.entries[at] = self.entries[at - back];
        }
    }

    /// Writes a repeat, and notes where it came from.
    fn write(&mut self, at: usize, Candidate { distance, length, .. }: Candidate) {
        let (start, back) = (at * WIDTH, distance * WIDTH);
        self.repeat(start, back, length * WIDTH);
        let known = self.recent.iter().position(|&recent| recent == distance);
        if known != Some(0) {
            self.recent[..=known.unwrap_or(RECENT - 1)].rotate_right(1);
            self.recent[0] = distance;
            self.list_distances();
        }
    }

    /// Writes an entry that is no repeat: like its neighbour, if it may be.
    fn write_literal(&mut self, at: usize) {
        let here = at * WIDTH..(at + 1) * WIDTH;
        let [least, most] = [self.least, self.most].map(|bound| le_u32(&bound[here.clone()]));
        let before = match at {
            0 => least,
            _ => le_u32(&self.entries[here.start - WIDTH..here.start]),
        };
        // Only what is the bound of a range is sure to be in the palette.
        let entry = before.clamp(least, most);
        self.entries[here].copy_from_slice(&entry.to_le_bytes()[..WIDTH]);
    }

    /// The hash of the bytes before an entry.
    fn hash(&self, at: usize) -> Option<usize> {
        let start = (at * WIDTH).checked_sub(WORD)?;
        let word = load(self.entries, start);
        Some((word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS)) as usize)
    }

    /// Notes what stands before an entry.
    fn see(&mut self, at: usize) {
        if let Some(hash) = self.hash(at) {
            self.seen[hash] = at as u32;
        }
    }
}

#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    let word = bytes[at..].first_chunk().expect("words are looked at where there are some");
    u64::from_le_bytes(*word)
}

/// About how many half bits it takes to tell a distance in bytes.
fn half_bits(distance: usize) -> i32 {
    let whole = distance.ilog2();
    let half = if whole > 0 { distance >> (whole - 1) & 1 } else { 0 };
    2 * whole as i32 + half as i32
}

/// The fewest bytes of a repeat that are worth more than so many half bits.
#[inline]
const fn bytes_worth_more<const WIDTH: usize>(half_bits: i32) -> usize {
    let bytes = (half_bits / half_bits_a_byte(WIDTH) + 1) as usize;
    if bytes < SHORTEST { SHORTEST } else { bytes }
}

/// The upper bits of the numbers of `WIDTH` bytes in a word.
const fn upper_bits<const WIDTH: usize>() -> u64 {
    match WIDTH {
        1 => 0x8080_8080_8080_8080,
        2 => 0x8000_8000_8000_8000,
        _ => 0x8000_0000_8000_0000,
    }
}

/// The upper bits of those numbers of `WIDTH` bytes that are greater in `a` than in `b`.
#[inline]
fn exceeding<const WIDTH: usize>(a: u64, b: u64) -> u64 {
    let upper = upper_bits::<WIDTH>();
    // Where the upper bits are equal the lower ones decide, without a borrow from the next number.
    let lower = (b | upper) - (a & !upper);
    let at_most = b & !a | !(a ^ b) & lower;
    !at_most & upper
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What repeats tell, from the literals among the entries alone.
    fn replayed(entries: &[u8], repeats: &[Repeat]) -> Vec<u8> {
        let mut replayed = Vec::new();
        for &Repeat { literals, distance, length } in repeats {
            replayed.extend_from_slice(&entries[replayed.len()..][..literals]);
            assert!(length >= SHORTEST && distance <= replayed.len(), "{distance} {length}");
            for _ in 0..length {
                replayed.push(replayed[replayed.len() - distance]);
            }
        }
        replayed.extend_from_slice(&entries[replayed.len()..]);
        replayed
    }

    /// Looks from everywhere in a block, of which each entry is the least it may be, as far back as
    /// can be.
    fn passes_over_nothing<const WIDTH: usize>(ranges: &[(u32, u32)], periods: &[usize]) {
        let bytes = |entry: u32| entry.to_le_bytes().into_iter().take(WIDTH);
        let entries = || periods.iter().flat_map(|&period| ranges.iter().take(period));
        let behind = |byte| std::iter::repeat_n(byte, WORD);
        let mut least: Vec<u8> = entries().flat_map(|entry| bytes(entry.0)).collect();
        let mut most: Vec<u8> = entries().flat_map(|entry| bytes(entry.0 + entry.1)).collect();
        let chosen: Vec<u8> = least.iter().copied().chain(behind(0)).collect();
        least.extend(behind(0xff));
        most.extend(behind(0));
        let mut seen = vec![u32::MAX; 1 << HASH_BITS];
        for at in 0..entries().count() {
            let mut block_entries = chosen.clone();
            let mut block = Block::<WIDTH>::new(&mut block_entries, &least, &most, &mut seen);
            let likely = block.likely(at);
            for place in (0..block.different).filter(|place| likely >> place & 1 == 0) {
                let mut best = Candidate::default();
                block.offer(at, block.distances[place], &mut best);
                assert_eq!(best.length, 0, "{} before {at}", block.distances[place].entries);
            }
        }
    }

    proptest! {
        #[test]
        fn entries_are_what_they_may_be(
            ranges in prop::collection::vec((0..6_u32, 0..4_u32, 0..8_u32), 0..600),
            width in prop::sample::select(vec![Width::One, Width::Two, Width::Four]),
            again in 0..3_usize,
        ) {
            let mut allowed = DontCareRanges::new(width, ranges.len());
            let all: Vec<_> = (0..=again).flat_map(|_| ranges.iter().copied()).collect();
            for &(least, more, kind) in &all {
                match kind {
                    0..3 => allowed.anything(),
                    3 => allowed.between(least, least + more),
                    4 => allowed.between(0, least),
                    5 => allowed.between(width.most() - least, u32::MAX),
                    _ => allowed.exactly(least),
                }
            }
            let mut search = Search::default();
            // What a block left behind does not matter to the next.
            let first = search.choose(&allowed).0.to_vec();
            let (entries, repeats) = search.choose(&allowed);
            prop_assert_eq!(entries, first);
            prop_assert_eq!(replayed(entries, repeats), entries);
            prop_assert!(allowed.allows(entries));
        }

        #[test]
        fn what_is_passed_over_is_worth_nothing(
            ranges in prop::collection::vec((0..6_u32, 0..4_u32), 1..200),
            periods in prop::collection::vec(1..40_usize, 1..12),
        ) {
            passes_over_nothing::<1>(&ranges, &periods);
            passes_over_nothing::<2>(&ranges, &periods);
            passes_over_nothing::<4>(&ranges, &periods);
        }

        #[test]
        fn numbers_are_compared_lane_by_lane(a in any::<u64>(), b in any::<u64>()) {
            let lanes = |width: usize| {
                let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes()).collect::<Vec<_>>();
                let greater = |(lane, pairs): (usize, &[(u8, u8)])| {
                    let greater = pairs.iter().rev().map(|pair| pair.0).gt(pairs.iter().rev().map(|pair| pair.1));
                    u64::from(greater) << (8 * width * (lane + 1) - 1)
                };
                pairs.chunks(width).enumerate().map(greater).sum::<u64>()
            };
            prop_assert_eq!(exceeding::<1>(a, b), lanes(1));
            prop_assert_eq!(exceeding::<2>(a, b), lanes(2));
            prop_assert_eq!(exceeding::<4>(a, b), lanes(4));
        }
    }
}

//! Numbers for sequences that occur again and again.

use std::{
    hash::{BuildHasher, Hash},
    ops::Range,
    sync::Mutex,
};

use hashbrown::HashTable;
use rayon::slice::ParallelSliceMut;
use rustc_hash::FxBuildHasher;

use crate::lock::{into_inner, lock};
use crate::parallel::{self, chunks};

/// Sequences of the same length, one behind the other, each known by its number.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    length: usize,
    sequences: Vec<T>,
    /// Numbers, found by what their sequences are.
    numbers: HashTable<u32>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// None yet, of sequences of this length, which is not 0.
    pub fn new(length: usize) -> Interner<T> {
        Interner { length, sequences: Vec::new(), numbers: HashTable::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sequences.len() / self.length
    }

    /// The sequence with this number.
    #[inline]
    pub fn get(&self, number: u32) -> &[T] {
        &self.sequences[number as usize * self.length..][..self.length]
    }

    /// All of them, one behind the other.
    pub fn all(&self) -> &[T] {
        &self.sequences
    }

    /// The number of a sequence, the same every time.
    ///
    /// # Panics
    /// If there are more than 2³² sequences.
    pub fn number(&mut self, sequence: &[T]) -> u32 {
        debug_assert_eq!(sequence.len(), self.length);
        let hash = FxBuildHasher.hash_one(sequence);
        let Interner { length, sequences, numbers } = self;
        let of = |number: u32| &sequences[number as usize * *length..][..*length];
        let (number, is_new) = find(numbers, (sequence, hash), of, sequences.len() / *length);
        if is_new {
            sequences.extend_from_slice(sequence);
        }
        number
    }

    /// Adds sequences, one behind the other, whether or not they are there already, and tells their
    /// numbers, which follow each other.
    pub fn append(&mut self, sequences: &[T]) -> Range<u32> {
        let count = |len: usize| u32::try_from(len / self.length).expect("fewer than positions");
        let first = count(self.sequences.len());
        self.sequences.extend_from_slice(sequences);
        first..count(self.sequences.len())
    }
}

/// The number of a sequence with this hash, which is the next one if it is new, and whether it is;
/// `of` has the sequence with a number.
fn find<'s, T: Eq + Hash + 's>(
    numbers: &mut HashTable<u32>,
    (sequence, hash): (&[T], u64),
    of: impl Fn(u32) -> &'s [T],
    next: usize,
) -> (u32, bool) {
    if let Some(&number) = numbers.find(hash, |&number| of(number) == sequence) {
        return (number, false);
    }
    let number = u32::try_from(next).expect("fewer than positions");
    numbers.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(of(number)));
    (number, true)
}

/// Sequences of the same length in blocks, which stay where they are: lists that grow side by side
/// are copied again and again, and the memory between them that they leave is lost.
#[derive(Clone, Debug)]
struct Blocks<T> {
    length: usize,
    blocks: Vec<Vec<T>>,
}

/// How many sequences a block has.
const BLOCK: usize = 1 << 12;

impl<T: Copy> Blocks<T> {
    fn new(length: usize) -> Blocks<T> {
        Blocks { length, blocks: vec![Vec::new()] }
    }

    /// How many sequences there are.
    fn len(&self) -> usize {
        let last = self.blocks.last().map_or(0, |block| block.len() / self.length);
        (self.blocks.len() - 1) * BLOCK + last
    }

    #[inline]
    fn get(&self, place: usize) -> &[T] {
        &self.blocks[place / BLOCK][place % BLOCK * self.length..][..self.length]
    }

    fn push(&mut self, sequence: &[T]) {
        debug_assert_eq!(sequence.len(), self.length);
        let full = BLOCK * self.length;
        if self.blocks.last().is_some_and(|block| block.len() == full) {
            self.blocks.push(Vec::with_capacity(full));
        }
        self.blocks.last_mut().expect("there is one").extend_from_slice(sequence);
    }
}

/// An [`Interner`] for any number of threads.
pub struct SharedInterner<T> {
    shards: Vec<Mutex<Shard<T>>>,
}

/// What one lock is for.
struct Shard<T> {
    sequences: Blocks<T>,
    /// Places, found by what their sequences are.
    places: HashTable<u32>,
}

/// How many parts a [`SharedInterner`] has: many more than threads, so that two seldom want the
/// same.
const SHARDS: usize = 64;

impl<T: Copy + Eq + Hash> SharedInterner<T> {
    /// None yet, of sequences of this length, which is not 0.
    pub fn new(length: usize) -> SharedInterner<T> {
        let shard = || Shard { sequences: Blocks::new(length), places: HashTable::new() };
        let shards = (0..SHARDS).map(|_| Mutex::new(shard()));
        SharedInterner { shards: shards.collect() }
    }

    /// The number of a sequence, the same every time.
    pub fn number(&self, sequence: &[T]) -> u32 {
        let hash = FxBuildHasher.hash_one(sequence);
        // The upper bits: hash tables use the lower and the topmost ones.
        let shard = (hash >> 40) as usize % SHARDS;
        let Shard { sequences, places } = &mut *lock(&self.shards[shard]);
        let of = |place: u32| sequences.get(place as usize);
        let (place, is_new) = find(places, (sequence, hash), of, sequences.len());
        if is_new {
            sequences.push(sequence);
        }
        number(shard, place as usize)
    }

    /// Looks at a sequence that was given this number.
    pub fn look<R>(&self, number: u32, look: impl FnOnce(&[T]) -> R) -> R {
        let (shard, place) = shard_and_place(number);
        look(lock(&self.shards[shard]).sequences.get(place))
    }

    /// All of them, when no more come.
    pub fn into_sequences(self) -> Sequences<T> {
        let sequences = self.shards.into_iter().map(|shard| into_inner(shard).sequences);
        Sequences { shards: sequences.collect() }
    }
}

/// The number of a sequence at a place of a shard.
fn number(shard: usize, place: usize) -> u32 {
    u32::try_from(place * SHARDS + shard).expect("fewer sequences than positions")
}

/// The shard and the place in it of the sequence with a number.
fn shard_and_place(number: u32) -> (usize, usize) {
    (number as usize % SHARDS, number as usize / SHARDS)
}

/// Sequences of the same length that were given numbers.
pub struct Sequences<T> {
    shards: Vec<Blocks<T>>,
}

impl<T: Copy + Default + Ord + Send + Sync> Sequences<T> {
    /// The sequence with this number.
    #[inline]
    pub fn get(&self, number: u32) -> &[T] {
        let (at, place) = shard_and_place(number);
        self.shards[at].get(place)
    }

    /// How long each is.
    pub fn length(&self) -> usize {
        self.shards[0].length
    }

    /// Those with some numbers, one behind the other.
    pub fn concat(&self, numbers: &[u32]) -> Vec<T> {
        let mut all = vec![T::default(); numbers.len() * self.length()];
        let places = (chunks(&mut all[..], self.length()), numbers);
        parallel::each(places, 1 << 10, |_, (to, &number)| to.copy_from_slice(self.get(number)));
        all
    }

    /// All numbers that were given.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let shards = self.shards.iter().map(Blocks::len).enumerate();
        shards.flat_map(|(at, places)| (0..places).map(move |place| number(at, place)))
    }

    /// More than every number that was given.
    pub fn end(&self) -> usize {
        let most = self.shards.iter().map(Blocks::len).max();
        most.unwrap_or(0) * SHARDS
    }

    /// The same with something else for everything that occurs in them.
    pub fn map<U: Send>(&self, map: impl Fn(&T) -> U + Sync) -> Sequences<U> {
        let shards = parallel::map(&self.shards[..], 1, |_, Blocks { length, blocks }| {
            let block = |block: &Vec<T>| block.iter().map(&map).collect();
            Blocks { length: *length, blocks: blocks.iter().map(block).collect() }
        });
        Sequences { shards }
    }

    /// Some numbers in the order of their sequences, and by number the place of each among them;
    /// `u32::MAX` if it has none.
    pub fn sorted(&self, numbers: impl Iterator<Item = u32>) -> (Vec<u32>, Vec<u32>) {
        let mut order: Vec<u32> = numbers.collect();
        order.par_sort_unstable_by(|&a, &b| self.get(a).cmp(self.get(b)));
        let mut places = vec![u32::MAX; self.end()];
        order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
        (order, places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_sequences_are_not_found_again() {
        let mut interner = Interner::new(2);
        assert_eq!((interner.number(&[1, 2]), interner.append(&[5, 6, 1, 2])), (0, 1..3));
        assert_eq!([[5, 6], [1, 2], [7, 7]].map(|s| interner.number(&s)), [3, 0, 4]);
        assert_eq!((interner.get(2), interner.len()), (&[1, 2][..], 5));
    }

    #[test]
    fn blocks_follow_each_other() {
        let mut blocks = Blocks::new(2);
        for place in 0..3 * BLOCK {
            assert_eq!(blocks.len(), place);
            blocks.push(&[place, 7]);
        }
        assert!((0..3 * BLOCK).all(|place| blocks.get(place) == [place, 7]));
        assert_eq!(blocks.blocks.len(), 3);
    }

    #[test]
    fn equal_sequences_have_one_number() {
        let interner = SharedInterner::new(3);
        let sequence = |n: u32| [n % 7, n % 11, n % 3];
        let numbers: Vec<u32> = (0..1000).map(|n| interner.number(&sequence(n))).collect();
        for n in 0..1000 {
            assert_eq!(numbers[n as usize], numbers[n as usize % 231]);
            interner.look(numbers[n as usize], |found| assert_eq!(found, sequence(n)));
        }
        let sequences = interner.into_sequences();
        let (all, places) = sequences.sorted(sequences.numbers());
        assert_eq!(all.len(), 231);
        assert!(all.iter().all(|&number| (number as usize) < sequences.end()));
        assert!(all.is_sorted_by(|&a, &b| sequences.get(a) < sequences.get(b)));
        assert!(all.iter().zip(0..).all(|(&number, place)| places[number as usize] == place));
        assert_eq!(places.iter().filter(|&&place| place != u32::MAX).count(), 231);
    }
}

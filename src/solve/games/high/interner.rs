//! Numbers for what occurs again and again.

use std::{
    hash::{BuildHasher, Hash},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hashbrown::HashTable;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

/// Sequences of the same length, each kept once and known by a number, for any number of threads.
pub(super) struct Interner<T> {
    length: usize,
    shards: Vec<Mutex<Shard<T>>>,
}

/// A part of the sequences, one behind the other, and their places found by what they are.
struct Shard<T> {
    sequences: Vec<T>,
    places: HashTable<u32>,
}

/// How many parts an [`Interner`] has, so that threads seldom wait for each other.
const SHARDS: usize = 64;

impl<T: Copy + Eq + Hash> Interner<T> {
    /// None yet, of sequences of this length, which is not 0.
    pub fn new(length: usize) -> Interner<T> {
        let shard = || Mutex::new(Shard { sequences: Vec::new(), places: HashTable::new() });
        Interner { length, shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    /// The number of a sequence, the same every time.
    pub fn number(&self, sequence: &[T]) -> u32 {
        debug_assert_eq!(sequence.len(), self.length);
        let hash = FxBuildHasher.hash_one(sequence);
        // The upper bits: hash tables use the lower and the topmost ones.
        let at = (hash >> 40) as usize % SHARDS;
        let mut shard = self.shard(at);
        let Shard { sequences, places } = &mut *shard;
        let of = |place: u32| &sequences[place as usize * self.length..][..self.length];
        let place = match places.find(hash, |&place| of(place) == sequence) {
            Some(&place) => place,
            None => {
                let place = u32::try_from(sequences.len() / self.length).expect("few sequences");
                places.insert_unique(hash, place, |&place| FxBuildHasher.hash_one(of(place)));
                sequences.extend_from_slice(sequence);
                place
            }
        };
        number(at, place as usize)
    }

    /// Looks at a sequence that was given this number.
    pub fn look<R>(&self, number: u32, look: impl FnOnce(&[T]) -> R) -> R {
        let (at, place) = shard_and_place(number);
        look(&self.shard(at).sequences[place * self.length..][..self.length])
    }

    /// All of them, when no more come.
    pub fn into_sequences(self) -> Sequences<T> {
        let shards = self.shards.into_iter();
        let shards = shards.map(|s| s.into_inner().unwrap_or_else(PoisonError::into_inner));
        Sequences { length: self.length, shards: shards.map(|shard| shard.sequences).collect() }
    }

    fn shard(&self, at: usize) -> MutexGuard<'_, Shard<T>> {
        self.shards[at].lock().expect("no holder panics")
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
pub(super) struct Sequences<T> {
    length: usize,
    shards: Vec<Vec<T>>,
}

impl<T: Copy + Default + Ord + Send + Sync> Sequences<T> {
    /// The sequence with this number.
    #[inline]
    pub fn get(&self, number: u32) -> &[T] {
        let (at, place) = shard_and_place(number);
        &self.shards[at][place * self.length..][..self.length]
    }

    /// How long each is.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Those with some numbers, one behind the other.
    pub fn concat(&self, numbers: &[u32]) -> Vec<T> {
        let mut all = vec![T::default(); numbers.len() * self.length];
        let places = all.par_chunks_exact_mut(self.length).zip(numbers);
        places.with_min_len(1 << 10).for_each(|(to, &number)| to.copy_from_slice(self.get(number)));
        all
    }

    /// All numbers that were given.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let places = |shard: &Vec<T>| shard.len() / self.length;
        let shards = self.shards.iter().map(places).enumerate();
        shards.flat_map(|(at, places)| (0..places).map(move |place| number(at, place)))
    }

    /// More than every number that was given.
    pub fn end(&self) -> usize {
        let most = self.shards.iter().map(|shard| shard.len() / self.length).max();
        most.unwrap_or(0) * SHARDS
    }

    /// The same with something else for everything that occurs in them.
    pub fn map<U: Send>(&self, map: impl Fn(&T) -> U + Sync) -> Sequences<U> {
        let shards = self.shards.par_iter().map(|shard| shard.iter().map(&map).collect());
        Sequences { length: self.length, shards: shards.collect() }
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
    fn equal_sequences_have_one_number() {
        let interner = Interner::new(3);
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

//! Numbers for what occurs again and again.

use std::{
    hash::{BuildHasher, Hash},
    sync::{Mutex, MutexGuard},
};

use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Sequences, each kept once and known by a number, for any number of threads.
pub(super) struct Interner<T> {
    shards: Vec<Mutex<Shard<T>>>,
}

type Shard<T> = IndexSet<Box<[T]>, FxBuildHasher>;

/// How many parts an [`Interner`] has, so that threads seldom wait for each other.
const SHARDS: usize = 64;

impl<T: Copy + Eq + Hash> Interner<T> {
    pub fn new() -> Interner<T> {
        Interner { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// The number of a sequence, the same every time.
    pub fn number(&self, sequence: &[T]) -> u32 {
        // The upper bits: sets use the lower ones.
        let at = (FxBuildHasher.hash_one(sequence) >> 40) as usize % SHARDS;
        let mut shard = self.shard(at);
        let index = match shard.get_index_of(sequence) {
            Some(index) => index,
            None => shard.insert_full(sequence.into()).0,
        };
        u32::try_from(index * SHARDS + at).expect("fewer sequences than positions")
    }

    /// A sequence that was given this number.
    pub fn get(&self, number: u32) -> Box<[T]> {
        let number = number as usize;
        self.shard(number % SHARDS)[number / SHARDS].clone()
    }

    /// How many sequences there are.
    pub fn len(&self) -> usize {
        (0..SHARDS).map(|at| self.shard(at).len()).sum()
    }

    /// The sequences in the order of what `show` makes of each and its number, but for those it
    /// leaves out; and by number the place of each among them, `u32::MAX` if it has none.
    pub fn sorted<S: Ord + Send>(
        &self,
        show: impl Fn(u32, &[T]) -> Option<S>,
    ) -> (Vec<S>, Vec<u32>) {
        let mut all: Vec<(S, u32)> = Vec::with_capacity(self.len());
        for at in 0..SHARDS {
            let shard = self.shard(at);
            all.extend(shard.iter().zip(0..).filter_map(|(sequence, index)| {
                let number = index * SHARDS as u32 + at as u32;
                Some((show(number, sequence)?, number))
            }));
        }
        all.par_sort_unstable();
        let numbers = all.iter().map(|&(_, number)| number as usize);
        let mut places = vec![u32::MAX; numbers.clone().max().map_or(0, |last| last + 1)];
        numbers.zip(0..).for_each(|(number, place)| places[number] = place);
        (all.into_iter().map(|(shown, _)| shown).collect(), places)
    }

    /// Everything that occurs in a sequence.
    pub fn used(&self) -> FxHashSet<T> {
        let shards = (0..SHARDS).map(|at| self.shard(at));
        let used = |mut used: FxHashSet<T>, shard: MutexGuard<'_, Shard<T>>| {
            used.extend(shard.iter().flat_map(|sequence| sequence.iter().copied()));
            used
        };
        shards.fold(FxHashSet::default(), used)
    }

    fn shard(&self, at: usize) -> MutexGuard<'_, Shard<T>> {
        self.shards[at].lock().expect("no holder panics")
    }
}

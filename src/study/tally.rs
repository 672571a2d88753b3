//! Some of the placements of a table, with an example.

use std::collections::BTreeMap;

use super::Cell;

/// How many placements, and a position for one of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub count: u64,
    pub example: Option<String>,
}

impl Tally {
    /// Counts a position that stands for so many placements.
    pub fn add(&mut self, weight: u64, fen: impl FnOnce() -> String) {
        self.count += weight;
        self.example.get_or_insert_with(fen);
    }

    /// Adds those of a tally of later positions.
    pub fn merge(&mut self, other: Tally) {
        self.count += other.count;
        self.example = self.example.take().or(other.example);
    }

    /// The number, as a part of so many, and the example.
    pub fn cells(self, of: u64) -> [Cell; 2] {
        [Cell::Share(self.count, of), self.example.into()]
    }

    /// The number by itself, and the example.
    pub fn plain_cells(self) -> [Cell; 2] {
        [self.count.into(), self.example.into()]
    }
}

/// The largest number met, and the first position that has it.
#[derive(Clone, Debug)]
pub(super) struct Most<N, P = String>(Option<(N, P)>);

impl<N, P> Default for Most<N, P> {
    fn default() -> Most<N, P> {
        Most(None)
    }
}

impl<N: Copy + Ord, P> Most<N, P> {
    /// Meets a number with its position.
    pub fn meet(&mut self, number: N, position: impl FnOnce() -> P) {
        if self.get().is_none_or(|&(most, _)| number > most) {
            self.0 = Some((number, position()));
        }
    }

    /// Meets that of later positions.
    pub fn merge(&mut self, other: Most<N, P>) {
        if let Some((number, position)) = other.0 {
            self.meet(number, || position);
        }
    }

    /// The number and the position, if any was met.
    pub fn get(&self) -> Option<&(N, P)> {
        self.0.as_ref()
    }
}

/// Adds to what stands at each key what came of later positions.
pub(super) fn merge_each<K: Ord, T: Default>(
    into: &mut BTreeMap<K, T>,
    later: BTreeMap<K, T>,
    merge: impl Fn(&mut T, T),
) {
    later.into_iter().for_each(|(key, more)| merge(into.entry(key).or_default(), more));
}

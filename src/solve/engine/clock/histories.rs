//! Values that change with a clock: one small value per position in each of many layers.
//!
//! A layer needs only itself and the one before it, so a solver keeps two. What has been computed
//! of a position so far is folded into one number, its *history*; a table has few different ones.
//! Histories form a tree: a history is an earlier one up to some layer, and another value from
//! there on. So a layer costs only where values change.

use std::{hash::Hash, ops::Range};

use rustc_hash::FxHashMap;

use crate::parallel::{self, chunks};

/// All histories met so far, by number.
#[derive(Clone, Debug)]
pub struct Histories<V> {
    nodes: Vec<HistoryNode<V>>,
}

#[derive(Copy, Clone, Debug)]
struct HistoryNode<V> {
    parent: u32,
    /// The first layer with the value.
    layer: u16,
    value: V,
}

/// Which histories go on with the same value from the same layer on.
#[derive(Debug, Default)]
pub struct Followers {
    /// By number, the one that follows, if it was found for this layer and value.
    found: Vec<(u32, u32)>,
    now: u32,
}

impl Followers {
    /// Turns to another layer or value.
    pub fn turn(&mut self) {
        self.now += 1;
    }
}

/// The histories that have gone on from another one in a layer, by that and their value.
pub type NewHistories<V> = FxHashMap<(u32, V), u32>;

/// Words that a thread gives their meaning at once: a task's worth.
const WORDS_AT_ONCE: usize = 1 << 6;

impl<V: Copy + Eq + Hash + Send + Sync> Histories<V> {
    /// One history, number 0: `value` from layer 0 on.
    pub fn new(value: V) -> Histories<V> {
        Histories { nodes: vec![HistoryNode { parent: 0, layer: 0, value }] }
    }

    /// How many histories there are.
    #[allow(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of the history that goes on from this one with `value` from `layer` on, which
    /// comes after all layers before; one more of the same history, if that is the value it has.
    /// `followers` are those of this layer and value.
    ///
    /// # Panics
    /// If there are more than 2³² histories.
    #[inline]
    pub fn follow(
        &mut self,
        number: u32,
        (layer, value): (u16, V),
        followers: &mut Followers,
    ) -> u32 {
        let Followers { found, now } = followers;
        if found.len() < self.nodes.len() {
            found.resize(2 * self.nodes.len(), (0, 0));
        }
        let follower = &mut found[number as usize];
        if follower.0 != *now {
            let new = u32::try_from(self.nodes.len()).expect("fewer histories than positions");
            *follower = (*now, new);
            self.nodes.push(HistoryNode { parent: number, layer, value });
        }
        follower.1
    }

    /// The same with any values; `new` are those of this layer.
    ///
    /// # Panics
    /// If there are more than 2³² histories.
    pub fn go_on(
        &mut self,
        number: u32,
        (layer, value): (u16, V),
        new: &mut NewHistories<V>,
    ) -> u32 {
        if self.nodes[number as usize].value == value {
            return number;
        }
        *new.entry((number, value)).or_insert_with(|| {
            let next = u32::try_from(self.nodes.len()).expect("fewer histories than positions");
            self.nodes.push(HistoryNode { parent: number, layer, value });
            next
        })
    }

    /// The values of a history in the layers `layers`, as far as the last one it was told.
    pub fn values(&self, history: u32, layers: Range<u16>) -> Vec<V> {
        let mut values = Vec::with_capacity(layers.len());
        let mut node = self.nodes[history as usize];
        for layer in layers.rev() {
            while node.layer > layer {
                node = self.nodes[node.parent as usize];
            }
            values.push(node.value);
        }
        values.reverse();
        values
    }

    /// Gives positions what their histories mean: `meaning` makes two things of the values in the
    /// layers, once for each history, of which one takes the place of the history's number and the
    /// other goes to `others`. Numbers of what is no position, 64 of them for each word of `legal`,
    /// become `none`.
    pub fn give_meaning<T: Copy + Send + Sync>(
        &self,
        numbers: &mut [u32],
        others: &mut [T],
        legal: &[u64],
        none: u32,
        layers: Range<u16>,
        meaning: impl Fn(&[V]) -> (u32, T) + Sync,
    ) {
        let mut met = vec![false; self.len()];
        let lanes_of = |word: u64| (0..64).filter(move |lane| word >> lane & 1 != 0);
        for (numbers, &word) in numbers.chunks_exact(64).zip(legal) {
            lanes_of(word).for_each(|lane| met[numbers[lane] as usize] = true);
        }
        let meanings: Vec<Option<(u32, T)>> = parallel::map(&met[..], 1, |history, &met| {
            met.then(|| meaning(&self.values(history as u32, layers.clone())))
        });
        let words = (chunks(numbers, 64), chunks(others, 64), legal);
        parallel::each(words, WORDS_AT_ONCE, |_, (numbers, others, &word)| {
            for (lane, (number, other)) in numbers.iter_mut().zip(others).enumerate() {
                let meaning = Some(*number).filter(|_| word >> lane & 1 != 0);
                match meaning.and_then(|history| meanings[history as usize]) {
                    Some(meaning) => (*number, *other) = meaning,
                    None => *number = none,
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn histories_remember_every_layer(
            layers in proptest::collection::vec(proptest::array::uniform8(0u8..3), 1..20),
        ) {
            let mut histories = Histories::new(0u8);
            let mut numbers = [0u32; 8];
            for (layer, values) in (1u16..).zip(&layers) {
                let mut new = NewHistories::default();
                for (number, &value) in numbers.iter_mut().zip(values) {
                    *number = histories.go_on(*number, (layer, value), &mut new);
                }
            }
            for (position, &number) in numbers.iter().enumerate() {
                let expected: Vec<u8> = layers.iter().map(|values| values[position]).collect();
                let found = histories.values(number, 1..layers.len() as u16 + 1);
                proptest::prop_assert_eq!(found, expected);
            }
            // A word of them, of which only those are positions.
            let mut all: Vec<u32> = (0..64).map(|lane| numbers[lane % 8]).collect();
            let mut lasts = vec![9; 64];
            let legal = 0xF731u64;
            let mean = |values: &[u8]| (values.iter().map(|&v| u32::from(v)).sum(), values[values.len() - 1]);
            histories.give_meaning(&mut all, &mut lasts, &[legal], 77, 1..layers.len() as u16 + 1, mean);
            for (lane, given) in all.into_iter().zip(lasts).enumerate() {
                let values = layers.iter().map(|values| values[lane % 8]).collect::<Vec<u8>>();
                let expected = if legal >> lane & 1 == 0 { (77, 9) } else { mean(&values) };
                proptest::prop_assert_eq!(given, expected);
            }
        }
    }
}

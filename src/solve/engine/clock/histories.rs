//! Values that change with a clock: one small value per position in each of many layers.
//!
//! A layer needs only itself and the one before it, so a solver keeps two. What has been computed
//! of a position so far is folded into one number, its *history*; a table has few different ones.
//! Histories form a tree: a history is an earlier one up to some layer, and another value from
//! there on. So a layer costs only where values change.

use std::ops::Range;

use rayon::slice::ParallelSliceMut;

use crate::board::Bitboard;
use crate::parallel::{self, chunks, joined};

/// A word of positions whose values may have changed: the numbers of their histories, their values
/// and the lanes to look at.
pub struct ChangedWord<'r, V> {
    /// Per lane, the number of a history.
    pub numbers: &'r mut [u32],
    /// Per lane, what is the value now.
    pub values: &'r [V],
    /// In all other lanes the values are as before.
    pub lanes: Bitboard,
}

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

/// Words that a thread looks at before what it found is put together with what others did: few
/// enough that what it sorts stays in its cache.
const CHANGED_AT_ONCE: usize = 1 << 10;

/// Words that a thread gives their meaning at once: a task's worth.
const WORDS_AT_ONCE: usize = 1 << 6;

impl<V: Copy + Ord + Send + Sync> Histories<V> {
    /// One history, number 0: `value` from layer 0 on.
    pub fn new(value: V) -> Histories<V> {
        Histories { nodes: vec![HistoryNode { parent: 0, layer: 0, value }] }
    }

    /// How many histories there are.
    #[allow(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The value of a history in the last layer it has heard of.
    #[inline]
    pub fn last(&self, history: u32) -> V {
        self.nodes[history as usize].value
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

    /// Brings the numbers of positions up to date with the values of a layer, which must come after
    /// all layers before.
    ///
    /// # Panics
    /// If there are more than 2³² histories.
    pub fn advance(&mut self, layer: u16, mut words: Vec<ChangedWord<'_, V>>) {
        let some = chunks(&words[..], CHANGED_AT_ONCE);
        let mut wanted: Vec<(u32, V)> = joined(parallel::map(some, 1, |_, words| {
            let mut new = Vec::new();
            for ChangedWord { numbers, values, lanes } in words {
                let all = lanes.map(|lane| (numbers[lane.number()], values[lane.number()]));
                new.extend(all.filter(|&(number, value)| self.last(number) != value));
            }
            new.sort_unstable();
            new.dedup();
            new
        }));
        wanted.par_sort_unstable();
        wanted.dedup();
        let before = self.nodes.len();
        assert!(u32::try_from(before + wanted.len()).is_ok(), "fewer histories than positions");
        let new = wanted.iter().map(|&(parent, value)| HistoryNode { parent, layer, value });
        self.nodes.extend(new);
        // Where those that go on from each history begin.
        let mut starts = vec![0; before + 1];
        wanted.iter().for_each(|&(parent, _)| starts[parent as usize + 1] += 1);
        (0..before).for_each(|parent| starts[parent + 1] += starts[parent]);
        let this = &*self;
        parallel::each(&mut words[..], 1, |_, ChangedWord { numbers, values, lanes }| {
            for lane in *lanes {
                let (number, value) = (&mut numbers[lane.number()], values[lane.number()]);
                if this.last(*number) != value {
                    let parent = *number as usize;
                    let new = &wanted[starts[parent]..starts[parent + 1]];
                    let place = new.binary_search_by(|(_, new)| new.cmp(&value));
                    *number = (before + starts[parent] + place.expect("it was noted")) as u32;
                }
            }
        });
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
    use crate::board::Square;

    proptest::proptest! {
        #[test]
        fn histories_remember_every_layer(
            layers in proptest::collection::vec(proptest::array::uniform8(0u8..3), 1..20),
        ) {
            let mut histories = Histories::new(0u8);
            let mut numbers = [0u32; 8];
            for (layer, values) in (1u16..).zip(&layers) {
                let before = layer.checked_sub(2).map(|before| layers[usize::from(before)]);
                let same = |lane: &Square| before.is_some_and(|b| b[lane.number()] == values[lane.number()]);
                let lanes = Square::all().take(8).filter(|lane| !same(lane)).collect();
                histories.advance(layer, vec![ChangedWord { numbers: &mut numbers, values, lanes }]);
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

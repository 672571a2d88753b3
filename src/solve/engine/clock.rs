//! Values that change with a clock: one small value per position in each of many layers.
//!
//! A layer needs only itself and the one before it, so a solver keeps two. What has been computed
//! of a position so far is folded into one number, its *history*; a table has few different ones.
//! Histories form a tree: a history is an earlier one up to some layer, and another value from
//! there on. So a layer costs only where values change.

use rayon::prelude::*;

/// All histories met so far, by number.
#[derive(Clone, Debug)]
pub struct Histories<V> {
    nodes: Vec<Node<V>>,
}

#[derive(Copy, Clone, Debug)]
struct Node<V> {
    parent: u32,
    /// The first layer with the value.
    layer: u16,
    value: V,
}

/// Rows that a thread looks at before others hear what it found.
const ROWS_AT_ONCE: usize = 1 << 10;

impl<V: Copy + Ord + Send + Sync> Histories<V> {
    /// One history, number 0: `value` from layer 0 on.
    pub fn new(value: V) -> Histories<V> {
        Histories { nodes: vec![Node { parent: 0, layer: 0, value }] }
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

    /// Brings the numbers of rows of positions up to date with the values of a layer, which must
    /// come after all layers before.
    ///
    /// `rows` gives, for rows in which values may have changed, the numbers and the values.
    ///
    /// # Panics
    /// If there are more than 2³² histories.
    pub fn advance<'r>(&mut self, layer: u16, mut rows: Vec<(&'r mut [u32], &'r [V])>) {
        let mut wanted: Vec<(u32, V)> = rows
            .par_chunks(ROWS_AT_ONCE)
            .flat_map_iter(|rows| {
                let all = rows.iter().flat_map(|(numbers, values)| numbers.iter().zip(*values));
                let new = all.filter(|&(&number, &value)| self.last(number) != value);
                let mut new: Vec<(u32, V)> = new.map(|(&number, &value)| (number, value)).collect();
                new.sort_unstable();
                new.dedup();
                new
            })
            .collect();
        wanted.par_sort_unstable();
        wanted.dedup();
        let before = self.nodes.len();
        assert!(u32::try_from(before + wanted.len()).is_ok(), "fewer histories than positions");
        let new = wanted.iter().map(|&(parent, value)| Node { parent, layer, value });
        self.nodes.extend(new);
        // Where those that go on from each history begin.
        let mut starts = vec![0; before + 1];
        wanted.iter().for_each(|&(parent, _)| starts[parent as usize + 1] += 1);
        (0..before).for_each(|parent| starts[parent + 1] += starts[parent]);
        let this = &*self;
        rows.par_iter_mut().for_each(|(numbers, values)| {
            for (number, value) in numbers.iter_mut().zip(*values) {
                if this.last(*number) != *value {
                    let parent = *number as usize;
                    let new = &wanted[starts[parent]..starts[parent + 1]];
                    let place = new.binary_search_by(|(_, new)| new.cmp(value));
                    *number = (before + starts[parent] + place.expect("it was noted")) as u32;
                }
            }
        });
    }

    /// The values of a history in the layers `layers`, as far as the last one it was told.
    pub fn values(&self, history: u32, layers: std::ops::Range<u16>) -> Vec<V> {
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
            for (layer, values) in (1..).zip(&layers) {
                histories.advance(layer, vec![(&mut numbers[..], &values[..])]);
            }
            for (position, &number) in numbers.iter().enumerate() {
                let expected: Vec<u8> = layers.iter().map(|values| values[position]).collect();
                let found = histories.values(number, 1..layers.len() as u16 + 1);
                proptest::prop_assert_eq!(found, expected);
            }
        }
    }
}

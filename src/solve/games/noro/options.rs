//! What the turns that leave a slice are worth with one scale, in every layer at once.

use super::{mixer::MixedOptions, scale::NONE};
use crate::solve::engine::{lanes::by_lane, spill::ScratchArray};

/// How many words share a dictionary; so many that their positions are counted in 16 bits.
pub const CHUNK: usize = 512;

const _: () = assert!(64 * CHUNK < 1 << 16, "and number 0 is no option");

/// The best that the turns which leave a slice are worth to one side, with one scale.
///
/// Kept like a table: a number per position, and a dictionary of histories per run of words.
pub struct Options {
    /// Per word and lane; once the options of a word stay as they are, their keys, a byte each.
    pub(super) numbers: ScratchArray<u16>,
    pub(super) chunks: Vec<OptionChunk>,
}

impl Options {
    /// The runs of [`CHUNK`] words, in order.
    pub fn chunks_mut(&mut self) -> Vec<ChunkOptions<'_>> {
        let numbers = self.numbers.chunks_mut(64 * CHUNK).zip(&self.chunks);
        numbers.map(|(numbers, chunk)| ChunkOptions { numbers, chunk }).collect()
    }
}

/// The options in a run of words.
pub struct ChunkOptions<'a> {
    numbers: &'a mut [u16],
    chunk: &'a OptionChunk,
}

impl ChunkOptions<'_> {
    /// Whether an option of a word may change in a layer.
    #[inline]
    pub fn may_change(&self, word: usize, layer: usize) -> bool {
        self.chunk.changes[word].may_be(layer)
    }

    /// The options of a word, as keys. Layers must be asked for in their order, and the one in
    /// which the last option changes must be among them.
    #[inline]
    pub fn row(&mut self, word: usize, layer: usize) -> [u8; 64] {
        let OptionChunk { count, columns, changes } = self.chunk;
        let Some(last) = changes[word].last else { return [NONE; 64] };
        let numbers = &mut self.numbers[64 * word..][..64];
        // Looking up keys takes long; once they stay as they are, they take the place of the
        // numbers.
        if layer > usize::from(last) {
            return *bytemuck::cast_slice(numbers)
                .first_chunk()
                .expect("a byte a number, and more");
        }
        let column = &columns[layer * count..][..*count];
        let keys: [u8; 64] = by_lane(|lane| column[usize::from(numbers[lane])]);
        if layer == usize::from(last) {
            bytemuck::cast_slice_mut(numbers)[..64].copy_from_slice(&keys);
        }
        keys
    }
}

/// What the numbers of a run of words stand for.
pub struct OptionChunk {
    /// How many histories there are.
    count: usize,
    /// Their keys, layer by layer.
    columns: Vec<u8>,
    /// When an option changes, per word.
    changes: Vec<Changes>,
}

/// In which layers something changes, the first of them among these.
#[derive(Copy, Clone, Default)]
struct Changes {
    /// A bit per layer, and the last one for all from there on.
    layers: u64,
    /// The last of them; none if there never is anything.
    last: Option<u16>,
}

impl Changes {
    /// Those of a history.
    fn of(history: &[u8]) -> Changes {
        let mut changes = Changes::default();
        for layer in 0..history.len() {
            if layer == 0 || history[layer] != history[layer - 1] {
                changes.layers |= Changes::bit(layer);
                changes.last = Some(layer as u16);
            }
        }
        changes
    }

    /// When one of two changes.
    #[inline]
    fn or(self, other: Changes) -> Changes {
        Changes { layers: self.layers | other.layers, last: self.last.max(other.last) }
    }

    /// Whether something may change in a layer.
    #[inline]
    fn may_be(self, layer: usize) -> bool {
        self.layers & Changes::bit(layer) != 0
    }

    #[inline]
    fn bit(layer: usize) -> u64 {
        1 << layer.min(63)
    }
}

impl OptionChunk {
    /// The options in a run of words, of which `numbers` tell the places among `mixed`, with one
    /// scale. Options that differ with others only become one.
    pub fn new(numbers: &mut [u16], mixed: &MixedOptions, scale: usize) -> OptionChunk {
        let (rows, places) = mixed.of_scale(scale);
        numbers.iter_mut().for_each(|number| *number = places[usize::from(*number)]);
        let count = rows.len();
        let mut columns = vec![NONE; count * rows[0].len()];
        let mut changes = vec![Changes::default(); count];
        for (number, row) in rows.into_iter().enumerate() {
            for (layer, &key) in row.iter().enumerate() {
                columns[layer * count + number] = key;
            }
            // Number 0 is no option.
            if number > 0 {
                changes[number] = Changes::of(row);
            }
        }
        let of_row = |row: &[u16]| {
            let (mut all, mut last) = (Changes::default(), 0);
            for &number in row {
                // Neighbours are often equal.
                if number != last {
                    all = all.or(changes[usize::from(number)]);
                    last = number;
                }
            }
            all
        };
        let changes = numbers.chunks_exact(64).map(of_row).collect();
        OptionChunk { count, columns, changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_in_the_first_layer_and_where_they_differ() {
        let mut history = [7; 80];
        history[20..].fill(8);
        let early = Changes::of(&history);
        let layers = |changes: Changes| (0..80).filter(|&n| changes.may_be(n)).collect::<Vec<_>>();
        assert_eq!((layers(early), early.last), (vec![0, 20], Some(20)));
        history[70..].fill(9);
        let late = Changes::of(&history);
        // Late layers are not told apart, but for the last of them.
        assert_eq!(
            (layers(late), late.last),
            ([0, 20].into_iter().chain(63..80).collect(), Some(70))
        );
        let never = Changes::default();
        assert_eq!((layers(never), never.last), (vec![], None));
        assert_eq!(layers(never.or(early)), layers(early));
        assert_eq!(early.or(late).last, Some(70));
    }
}

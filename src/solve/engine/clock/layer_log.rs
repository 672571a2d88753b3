//! Values that change with a clock, logged as they change: a byte a position in each of many
//! layers, of which a solver keeps the last alone.
//!
//! What a layer changes is appended to a delta log for some words at a time, a stretch. When all
//! layers are done, the histories of each stretch are put together by themselves.

use std::io;

use super::histories::{Followers, Histories};
use crate::board::Bitboard;
use crate::parallel::{self, chunks};
use crate::solve::engine::{
    lanes::lanes_with,
    slice::Slice,
    spill::{Budget, DeltaLog, LaneSets, SpillFile, written_zeros},
};

/// What the positions of a slice are worth with one side to move, layer by layer; before the first
/// layer that is 0.
pub struct LayerLog {
    file: SpillFile,
    words: usize,
    together: usize,
    /// For each stretch: a layer, a value, and the positions that have it from then on.
    stretches: Vec<DeltaLog<[u16; 2]>>,
}

impl LayerLog {
    /// Of a slice without layers.
    pub fn new(slice: &Slice, budget: &Budget) -> LayerLog {
        let (words, together) = (slice.words(), slice.words_a_stretch());
        let stretches = (0..slice.stretches()).map(|_| DeltaLog::default()).collect();
        LayerLog { file: budget.spill_file(), words, together, stretches }
    }

    /// Logs what changes in a layer, which comes after all layers before: in the `changed` lanes of
    /// each word, to the values of its row.
    pub fn advance<'r>(
        &mut self,
        layer: u16,
        changed: &[Bitboard],
        row: impl Fn(usize) -> &'r [u8] + Sync,
    ) -> io::Result<()> {
        let LayerLog { file, together, stretches, .. } = self;
        let stretches = (&mut stretches[..], chunks(changed, *together));
        parallel::try_each(stretches, 1, |n, (stretch, changed)| {
            // Most layers of small slices are as they were.
            if changed.iter().all(|&lanes| lanes == Bitboard::EMPTY) {
                return Ok(());
            }
            let mut sets = [const { None::<Box<LaneSets>> }; 1 << u8::BITS];
            for (word, &(mut left)) in changed.iter().enumerate() {
                let row = row(n * *together + word);
                while let Some(lane) = left.first() {
                    let value = row[lane.number()];
                    let lanes = left & Bitboard(lanes_with(row, value));
                    let sets = &mut sets[usize::from(value)];
                    sets.get_or_insert_default().add(word, lanes.0);
                    left &= !lanes;
                }
            }
            let mut sets = (0..).zip(sets).filter_map(|(value, n)| Some((value, n?)));
            sets.try_for_each(|(value, sets)| stretch.add([layer, value], *sets, file))
        })
    }

    /// The histories of a stretch, and the number of one for each of its words and lanes: 0 for
    /// what has never changed.
    pub fn stretch(&self, stretch: usize) -> io::Result<(Vec<u32>, Histories<u8>)> {
        let words = self.together.min(self.words - stretch * self.together);
        let mut histories = Histories::new(0);
        let mut followers = Followers::default();
        let mut numbers = written_zeros(words * 64);
        self.stretches[stretch].each(&self.file, |[layer, value], sets| {
            followers.turn();
            for (word, lanes) in sets {
                let numbers = &mut numbers[word * 64..(word + 1) * 64];
                for lane in Bitboard(lanes) {
                    let number = &mut numbers[lane.number()];
                    *number = histories.follow(*number, (layer, value as u8), &mut followers);
                }
            }
        })?;
        Ok((numbers, histories))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn histories_are_those_of_all_layers() {
        let slice = Slice::of_pieces("KQvKR");
        let folder = tempfile::tempdir().unwrap();
        let mut log = LayerLog::new(&slice, &Budget::new(1 << 30, folder.path()));
        let value = |layer: u16, place: usize| {
            let mixed = (place as u64 + 77).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            (mixed % (3 * u64::from(layer / 4) + 1)) as u8
        };
        let places = slice.words() * 64;
        let row_of = |layer, word: usize| -> Vec<u8> {
            (word * 64..(word + 1) * 64).map(|place| value(layer, place)).collect()
        };
        for layer in 0..20 {
            let rows: Vec<Vec<u8>> = (0..slice.words()).map(|word| row_of(layer, word)).collect();
            let before = |word: usize| match layer {
                0 => vec![0; 64],
                _ => row_of(layer - 1, word),
            };
            let changed = |(word, row): (usize, &Vec<u8>)| {
                let before = before(word);
                // Lanes that do not change may be among them.
                let lanes = Square::all().filter(|l| row[l.number()] != before[l.number()]);
                lanes.chain(Square::all().filter(|l| l.number() % 9 == word % 9)).collect()
            };
            let changed: Vec<Bitboard> = rows.iter().enumerate().map(changed).collect();
            log.advance(layer, &changed, |word| &rows[word]).unwrap();
        }
        let stretch = slice.words_a_stretch() * 64;
        for first in (0..places).step_by(stretch) {
            let (numbers, histories) = log.stretch(first / stretch).unwrap();
            assert_eq!(numbers.len(), stretch.min(places - first));
            for (place, number) in (first..).zip(numbers).step_by(7) {
                let expected: Vec<u8> = (0..20).map(|layer| value(layer, place)).collect();
                assert_eq!(histories.values(number, 0..20), expected, "{place}");
            }
        }
    }
}

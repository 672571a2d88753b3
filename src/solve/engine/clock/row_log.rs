//! Rows that change with a clock, logged as they change: of each position many values in each of
//! many layers.
//!
//! A layer's rows are logged for some words at a time, a stretch, packed, each different one once.
//! What a stretch has had in all layers is put together by itself, when all layers are done.

use std::{hash::Hash, io, marker::PhantomData, ops::Range};

use super::interner::Interner;
use crate::board::Bitboard;
use crate::parallel;
use crate::solve::engine::{
    slice::Slice,
    spill::{Budget, LaneSetReader, LaneSets, SpillFile, Spilled, pack, unpack},
};

/// The rows that the positions of a slice have with one side to move, layer by layer.
pub struct RowLog<T> {
    file: SpillFile,
    words: usize,
    together: usize,
    length: usize,
    stretches: Vec<Vec<LoggedLayer>>,
    values: PhantomData<T>,
}

/// What a layer changes in a stretch.
struct LoggedLayer {
    layer: u16,
    packed: Spilled,
    packed_len: usize,
    lens: Lens,
}

/// How many bytes or entries each section has of what a layer changes.
#[derive(Copy, Clone)]
struct Lens {
    sets: usize,
    numbers: usize,
    values: usize,
}

impl Lens {
    fn bytes<T>(self) -> usize {
        self.sets + self.numbers * size_of::<u32>() + self.values * size_of::<T>()
    }
}

/// The rows that change in a stretch with a layer.
pub struct ChangedRows<T> {
    sets: LaneSets,
    /// For each lane of them the number of a row.
    numbers: Vec<u32>,
    rows: Interner<T>,
}

/// Tells which rows of some words change with a layer.
pub type TellChanges<'t, T, E> =
    dyn Fn(Range<usize>, &mut ChangedRows<T>) -> Result<(), E> + Sync + 't;

impl<T: Copy + Eq + Hash> ChangedRows<T> {
    /// Some lanes of a word of the stretch, counted from its first; those that come next are theirs.
    pub fn word(&mut self, word: usize, lanes: Bitboard) {
        self.sets.add(word, lanes.0);
    }

    /// The row of the next lane.
    pub fn row(&mut self, row: &[T]) {
        // Neighbours often have the same row, which is soon seen.
        let number = match self.numbers.last() {
            Some(&last) if self.rows.get(last) == row => last,
            _ => self.rows.number(row),
        };
        self.numbers.push(number);
    }
}

impl<T: bytemuck::Pod + Eq + Hash + Send + Sync> RowLog<T> {
    /// Of a slice without layers, whose rows have so many values.
    pub fn new(slice: &Slice, length: usize, budget: &Budget) -> RowLog<T> {
        let (words, together) = (slice.words(), slice.words_a_stretch());
        let stretches = (0..slice.stretches()).map(|_| Vec::new()).collect();
        let file = budget.spill_file();
        RowLog { file, words, together, length, stretches, values: PhantomData }
    }

    /// The words of a stretch.
    pub fn words(&self, stretch: usize) -> Range<usize> {
        let first = stretch * self.together;
        first..self.words.min(first + self.together)
    }

    /// Logs what changes in a layer, which comes after all layers before; `changed` tells it of some
    /// words.
    ///
    /// # Errors
    /// Those of `changed`, and if scratch space is lacking.
    pub fn advance<E: From<io::Error> + Send>(
        &mut self,
        layer: u16,
        changed: &TellChanges<'_, T, E>,
    ) -> Result<(), E> {
        let RowLog { file, words, together, length, stretches, .. } = self;
        file.go_on()?;
        parallel::try_each(&mut stretches[..], 1, |n, stretch| {
            let first = n * *together;
            let rows = Interner::new(*length);
            let mut all = ChangedRows { sets: LaneSets::default(), numbers: Vec::new(), rows };
            changed(first..(*words).min(first + *together), &mut all)?;
            let ChangedRows { sets, numbers, rows } = all;
            if numbers.is_empty() {
                return Ok(());
            }
            let sets = sets.into_bytes();
            let values = rows.all();
            let lens = Lens { sets: sets.len(), numbers: numbers.len(), values: values.len() };
            let parts = [&sets, bytemuck::cast_slice(&numbers), bytemuck::cast_slice(values)];
            let packed = pack(&parts.concat())?;
            let packed_len = packed.len();
            let packed = file.keep(packed)?;
            stretch.push(LoggedLayer { layer, packed, packed_len, lens });
            Ok(())
        })
    }

    /// Calls `meet` with what each layer changes in a stretch: the layer, its words and lanes, for
    /// each of these lanes the number of a row, and the rows, one behind the other.
    pub fn each(
        &self,
        stretch: usize,
        mut meet: impl FnMut(u16, LaneSetReader<'_>, &[u32], &[T]),
    ) -> io::Result<()> {
        for LoggedLayer { layer, packed, packed_len, lens } in &self.stretches[stretch] {
            let packed = self.file.read(packed, 0..*packed_len)?;
            let mut bytes = vec![0; lens.bytes::<T>()];
            unpack(&packed, &mut bytes);
            let (sets, rest) = bytes.split_at(lens.sets);
            let (numbers, values) = rest.split_at(lens.numbers * size_of::<u32>());
            let numbers: Vec<u32> = bytemuck::pod_collect_to_vec(numbers);
            let values: Vec<T> = bytemuck::pod_collect_to_vec(values);
            meet(*layer, LaneSetReader::new(sets), &numbers, &values);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn rows_come_back_layer_by_layer() {
        let slice = Slice::of_pieces("KQvKR");
        let folder = tempfile::tempdir().unwrap();
        let mut log = RowLog::new(&slice, 3, &Budget::new(1 << 30, folder.path()));
        let mixed = |layer: u16, word: usize| {
            (word as u64 + 77).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(layer.into())
        };
        let lanes = |layer: u16, word: usize| match word % 3 {
            0 => Bitboard::EMPTY,
            _ => Bitboard(mixed(layer, word) & mixed(layer + 9, word)),
        };
        let row = |layer: u16, word: usize, lane: Square| {
            let some = (mixed(layer, word) >> lane.number()) as i16 % 7;
            [some, -some, layer as i16]
        };
        for layer in 0..5 {
            log.advance(layer, &|words, changed| {
                for (at, word) in words.enumerate().filter(|_| layer != 3) {
                    let lanes = lanes(layer, word);
                    if !lanes.is_empty() {
                        changed.word(at, lanes);
                        lanes.for_each(|lane| changed.row(&row(layer, word, lane)));
                    }
                }
                Ok::<_, io::Error>(())
            })
            .unwrap();
        }
        for stretch in 0..slice.stretches() {
            let words = log.words(stretch);
            let mut layers = Vec::new();
            log.each(stretch, |layer, sets, numbers, rows| {
                layers.push(layer);
                let mut numbers = numbers.iter();
                let mut met = 0;
                for (word, found) in sets {
                    let word = words.start + word;
                    assert_eq!(Bitboard(found), lanes(layer, word));
                    for lane in Bitboard(found) {
                        let at = *numbers.next().unwrap() as usize * 3;
                        assert_eq!(rows[at..at + 3], row(layer, word, lane));
                    }
                    met += 1;
                }
                let expected = words.clone().filter(|&word| !lanes(layer, word).is_empty());
                assert_eq!((met, numbers.next()), (expected.count(), None));
            })
            .unwrap();
            assert_eq!(layers, [0, 1, 2, 4]);
        }
    }
}

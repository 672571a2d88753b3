//! What the turns that leave a slice are worth, in every layer at once.

use std::io;

use rustc_hash::FxHashMap;

use super::{
    history_tables::HistoryTables,
    scale::{NONE, Scale},
};
use crate::{
    answer::noro::Layers,
    board::{Color, Square},
    parallel::{self, chunks},
    rules::Noro,
    solve::engine::{
        clock::Interner,
        pages::Links,
        slice::{Slice, passing_setup},
        spill::{Budget, ScratchArray},
    },
};

/// How many words share a dictionary; so many that their positions are counted in 16 bits.
pub const CHUNK: usize = 512;

const _: () = assert!(64 * CHUNK < 1 << 16, "and number 0 is no option");

/// The best that the turns which leave a slice are worth to one side.
///
/// Kept like a table: a number per position, and a dictionary of histories per run of words.
pub struct Options {
    /// Per word and lane; once the options of a word stay as they are, their keys, a byte each.
    numbers: ScratchArray<u16>,
    chunks: Vec<OptionChunk>,
}

impl Options {
    /// Gathers the options of `side` in a slice.
    pub fn gather(
        slice: &Slice,
        (side, scale): (Color, Scale),
        links: &Links<u16>,
        tables: &HistoryTables,
        budget: &Budget,
    ) -> io::Result<Options> {
        let mut numbers = budget.written_zeros(64 * slice.words())?;
        let chunks = parallel::map(chunks(&mut numbers[..], 64 * CHUNK), 1, |n, rows| {
            OptionChunk::gather(slice, n * CHUNK, rows, (side, scale), links, tables)
        });
        Ok(Options { numbers, chunks })
    }

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
        let keys: [u8; 64] = std::array::from_fn(|lane| column[usize::from(numbers[lane])]);
        if layer == usize::from(last) {
            bytemuck::cast_slice_mut(numbers)[..64].copy_from_slice(&keys);
        }
        keys
    }
}

/// What the numbers of a run of words stand for.
struct OptionChunk {
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
    /// Gathers the options in the words from number `first` on.
    fn gather(
        slice: &Slice,
        first: usize,
        rows: &mut [u16],
        (side, scale): (Color, Scale),
        links: &Links<u16>,
        tables: &HistoryTables,
    ) -> OptionChunk {
        let mut mixer = Mixer::new(tables.noro(), side, scale);
        let enemies = slice.men().iter().filter(|man| man.color != side).count();
        for (word, row) in (first..).zip(rows.chunks_exact_mut(64)) {
            let Some(stand) = slice.stand(word) else { continue };
            let placed = slice.placed(&stand);
            slice.conversion_rows(&stand, side, placed, |turn, lanes, after| {
                let gain = turn.captured.map_or(0, |j| Noro::worth(slice.men()[j].role));
                let mut offer = |lane: Square, mixer: &mut Mixer<'_>, option: u16| {
                    let number = &mut row[lane.number()];
                    *number = mixer.better(*number, option);
                };
                if turn.captured.is_some() && enemies == 1 {
                    let option = mixer.elimination(gain);
                    lanes.for_each(|lane| offer(lane, &mut mixer, option));
                } else if turn.en_passant {
                    for lane in lanes {
                        let setup = passing_setup(slice, turn, side, &after.squares(lane));
                        let codes = tables.looked_ahead(&setup, scale.after(side, gain));
                        let option = mixer.add(&codes, gain);
                        offer(lane, &mut mixer, option);
                    }
                } else {
                    let (link, source) = links.get(turn).expect("a table of every successor");
                    let entry = link.entry(!side, &after.squares);
                    let varies = after.varies.map(|man| link.man(!side, man));
                    tables.positions(*source, &entry, varies, lanes, |lane, number| {
                        let option = mixer.successor((*source, number, gain), |codes| {
                            let scale = scale.after(side, gain);
                            tables.copy((*source, entry.side, number), scale, codes);
                        });
                        offer(lane, &mut mixer, option);
                    });
                }
            });
        }
        mixer.finish(rows)
    }
}

/// A table, the number of a history there, and the points taken on the way.
type OptionSource = (u16, u32, u32);

/// Makes the dictionary of a [`OptionChunk`]: histories of keys, each met once.
struct Mixer<'n> {
    noro: &'n Noro,
    side: Color,
    scale: Scale,
    /// Number 0 is "no option".
    histories: Interner<u8>,
    successors: FxHashMap<OptionSource, u16>,
    joined: FxHashMap<(u16, u16), u16>,
    /// Room for the codes of a successor.
    codes: Vec<u8>,
    /// Room for a history that may be new.
    fresh: Vec<u8>,
}

impl<'n> Mixer<'n> {
    fn new(noro: &'n Noro, side: Color, scale: Scale) -> Mixer<'n> {
        let layers = Layers::of(noro);
        let mut mixer = Mixer {
            noro,
            side,
            scale,
            histories: Interner::new(layers.of_side(side)),
            successors: FxHashMap::default(),
            joined: FxHashMap::default(),
            codes: vec![NONE; layers.of_side(!side)],
            fresh: vec![NONE; layers.of_side(side)],
        };
        mixer.intern();
        mixer
    }

    /// The number of the history in `fresh`.
    fn intern(&mut self) -> u16 {
        let number = self.histories.number(&self.fresh);
        u16::try_from(number).expect("a history per position at most")
    }

    /// The option of a turn to positions with these codes, of the other side to move.
    fn add(&mut self, codes: &[u8], gain: u32) -> u16 {
        self.fresh.fill(NONE);
        self.scale.join(self.side, &mut self.fresh, codes, gain);
        self.intern()
    }

    /// The option of a turn to positions whose codes `read` can copy.
    fn successor(&mut self, source: OptionSource, read: impl FnOnce(&mut [u8])) -> u16 {
        if let Some(&option) = self.successors.get(&source) {
            return option;
        }
        let mut codes = std::mem::take(&mut self.codes);
        read(&mut codes);
        let option = self.add(&codes, source.2);
        self.codes = codes;
        self.successors.insert(source, option);
        option
    }

    /// The option of taking the last man.
    fn elimination(&mut self, gain: u32) -> u16 {
        let (noro, side, scale) = (self.noro, !self.side, self.scale.after(self.side, gain));
        self.successor((u16::MAX, 0, gain), |codes| scale.set_eliminated(noro, side, codes))
    }

    /// The better of two options in each layer.
    fn better(&mut self, a: u16, b: u16) -> u16 {
        if a == 0 || a == b {
            return b;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&number) = self.joined.get(&pair) {
            return number;
        }
        let [a, b] = [a, b].map(|number| self.histories.get(number.into()));
        for (best, (&a, &b)) in self.fresh.iter_mut().zip(a.iter().zip(b)) {
            *best = a.max(b);
        }
        let number = self.intern();
        self.joined.insert(pair, number);
        number
    }

    /// The dictionary, and when the words with these numbers settle.
    fn finish(self, numbers: &[u16]) -> OptionChunk {
        let (count, length) = (self.histories.len(), self.fresh.len());
        let mut columns = vec![NONE; count * length];
        let mut changes = vec![Changes::default(); count];
        for (number, history) in self.histories.all().chunks_exact(length).enumerate() {
            for (layer, &key) in history.iter().enumerate() {
                columns[layer * count + number] = key;
            }
            // Number 0 is no option.
            if number > 0 {
                changes[number] = Changes::of(history);
            }
        }
        let of_row = |row: &[u16]| {
            let each = row.iter().map(|&number| changes[usize::from(number)]);
            each.fold(Changes::default(), Changes::or)
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

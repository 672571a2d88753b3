//! The turns that leave a slice, gone through once for all scales.

use std::io;

use super::{
    history_tables::HistoryTables,
    mixer::{MixedOptions, Mixer},
    options::{CHUNK, OptionChunk, Options},
    scale::Scale,
};
use crate::{
    board::{Color, Square},
    parallel::{self, chunks},
    rules::Noro,
    solve::engine::{
        pages::Links,
        slice::{Slice, passing_setup},
        spill::{Budget, ScratchArray},
    },
};

/// The best that the turns which leave a slice are worth to one side, with every scale.
///
/// Which turns there are and where they lead is the same with all scales, and to find it takes
/// longer than to get the best of it.
pub struct Offers {
    /// Per word and lane the number of an option.
    numbers: ScratchArray<u16>,
    /// What the numbers stand for, per run of [`CHUNK`] words.
    chunks: Vec<MixedOptions>,
}

impl Offers {
    /// Gathers the options of `side` in a slice.
    pub fn gather(
        slice: &Slice,
        by: (Color, &[Scale]),
        links: &Links<u16>,
        tables: &HistoryTables,
        budget: &Budget,
    ) -> io::Result<Offers> {
        let mut numbers = budget.written_zeros(64 * slice.words())?;
        let chunks = parallel::map(chunks(&mut numbers[..], 64 * CHUNK), 1, |n, rows| {
            gather_chunk(slice, n * CHUNK, rows, by, links, tables)
        });
        Ok(Offers { numbers, chunks })
    }

    /// The options with the scale at this place among those they were gathered for.
    pub fn with_scale(&self, scale: usize, budget: &Budget) -> io::Result<Options> {
        let mut numbers = budget.written_zeros(self.numbers.len())?;
        let all = (chunks(&mut numbers[..], 64 * CHUNK), chunks(&self.numbers[..], 64 * CHUNK));
        let chunks = parallel::map((all, &self.chunks[..]), 1, |_, ((numbers, from), mixed)| {
            numbers.copy_from_slice(from);
            OptionChunk::new(numbers, mixed, scale)
        });
        Ok(Options { numbers, chunks })
    }

    /// The same for the last scale that is asked for, in the memory of what was gathered.
    pub fn with_last_scale(mut self, scale: usize) -> Options {
        let all = (chunks(&mut self.numbers[..], 64 * CHUNK), &mut self.chunks[..]);
        let chunks = parallel::map(all, 1, |_, (numbers, mixed)| {
            OptionChunk::new(numbers, &std::mem::take(mixed), scale)
        });
        Options { numbers: self.numbers, chunks }
    }
}

/// Gathers the options in the words from number `first` on.
fn gather_chunk(
    slice: &Slice,
    first: usize,
    rows: &mut [u16],
    (side, scales): (Color, &[Scale]),
    links: &Links<u16>,
    tables: &HistoryTables,
) -> MixedOptions {
    let mut mixer = Mixer::new((side, scales), tables);
    let enemies = slice.men().iter().filter(|man| man.color != side).count();
    for (word, row) in (first..).zip(rows.chunks_exact_mut(64)) {
        let Some(stand) = slice.stand(word) else { continue };
        let placed = slice.placed(&stand);
        let mut best = [0; 64];
        slice.conversion_rows(&stand, side, placed, |turn, lanes, after| {
            let gain = turn.captured.map_or(0, |j| Noro::worth(slice.men()[j].role));
            let mut offer = |lane: Square, mixer: &mut Mixer<'_>, option: u32| {
                let best = &mut best[lane.number()];
                *best = mixer.better(*best, option);
            };
            if turn.captured.is_some() && enemies == 1 {
                let option = mixer.elimination(gain);
                lanes.for_each(|lane| offer(lane, &mut mixer, option));
            } else if turn.en_passant.is_some() {
                for lane in lanes {
                    let setup = passing_setup(slice, turn, side, &after.squares(lane));
                    let option = mixer.passing(&setup, gain);
                    offer(lane, &mut mixer, option);
                }
            } else {
                let (link, source) = links.get(turn).expect("a table of every successor");
                let entry = link.entry(!side, &after.squares);
                let varies = after.varies.map(|man| link.man(!side, man));
                tables.positions(*source, &entry, varies, lanes, |lane, number| {
                    let option = mixer.successor((*source, number, gain));
                    offer(lane, &mut mixer, option);
                });
            }
        });
        for (number, option) in row.iter_mut().zip(best) {
            *number = mixer.keep(option);
        }
    }
    mixer.finish()
}

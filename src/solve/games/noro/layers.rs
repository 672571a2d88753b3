//! The solver: one layer after the other, each from the one before.
//!
//! White is to move where an even number of plies remains, Black where an odd one does, so the
//! layers of the two sides take turns and each is computed from the other side's last one. One
//! row of bytes per word and side is all there is in memory: a layer overwrites the last one of
//! its own side. A word is computed again only if a row it reads has changed, or an option of its
//! own has, or the clock begins to count differently.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    options::{CHUNK, ChunkOptions, Options},
    solved::Solved,
};
use crate::{
    answer::noro::{
        Layers,
        codes::{Closing, key},
    },
    board::Color,
    solve::engine::{
        clock::Histories,
        lanes::{Bytes, Lanes},
        scratch::Budget,
        slice::Slice,
    },
};

/// Solves all layers of a slice for both sides; `options` are those of each side.
///
/// # Errors
/// If scratch space is lacking.
pub fn solve(
    layers: Layers,
    slice: &Slice,
    options: &[Options; 2],
    budget: &Budget,
) -> io::Result<[Solved; 2]> {
    let cells = 64 * slice.words();
    let side = || -> io::Result<Solved> {
        Ok(Solved { numbers: budget.array(cells, 0)?, histories: Histories::new(0) })
    };
    let mut solved = [side()?, side()?];
    // A side's rows are kept as the other side, which reads them, counts.
    let mut rows = [budget.array(cells, 0u8)?, budget.array(cells, 0u8)?];
    let flags = || (0..slice.words()).map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
    let (touched, changed) = ([flags(), flags()], flags());
    for ply in 0..=layers.plies() {
        let [white, black] = &mut rows;
        let (side, own, other) = match ply % 2 {
            0 => (Color::White, white, &*black),
            _ => (Color::Black, black, &*white),
        };
        let layer = Layers::at(ply);
        let pass = Pass { layers, slice, side, layer, other, touched: &touched, changed: &changed };
        (own.par_chunks_mut(64 * CHUNK), options[side.index()].chunks())
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (rows, options))| pass.run(chunk * CHUNK, rows, &options));
        let Solved { numbers, histories } = &mut solved[side.index()];
        let rows = numbers.chunks_exact_mut(64).zip(own.chunks_exact(64)).zip(&changed);
        let rows = rows.filter_map(|(row, changed)| changed.swap(false, Relaxed).then_some(row));
        histories.advance(layer as u16, rows.collect());
    }
    Ok(solved)
}

/// One layer in the making.
struct Pass<'a> {
    layers: Layers,
    slice: &'a Slice,
    side: Color,
    layer: usize,
    other: &'a [u8],
    /// Words that read a row which has changed, by side to move.
    touched: &'a [Vec<AtomicBool>; 2],
    changed: &'a [AtomicBool],
}

impl Pass<'_> {
    /// Computes the rows of a run of words, from number `first` on.
    fn run(&self, first: usize, rows: &mut [u8], options: &ChunkOptions<'_>) {
        let closing = Closing::new(self.layers, self.side, self.layer);
        let same_closing =
            self.layer > 0 && closing == Closing::new(self.layers, self.side, self.layer - 1);
        for (at, row) in rows.chunks_exact_mut(64).enumerate() {
            let word = first + at;
            let touched = &self.touched[self.side.index()][word];
            let due = options.settled(at).is_some_and(|last| usize::from(last) >= self.layer);
            if same_closing && !due && !touched.load(Relaxed) {
                continue;
            }
            touched.store(false, Relaxed);
            let Some(stand) = self.slice.stand(word) else { continue };
            let quiet = self.slice.quiet(&stand, self.side, |word| read(self.other, word));
            let new = quiet
                .join(options.row(at, self.layer))
                .map(|best| key(Color::White, closing.close(best)))
                .only(self.slice.placed(&stand));
            if new == read(row, 0) {
                continue;
            }
            row.copy_from_slice(&new.0);
            self.changed[word].store(true, Relaxed);
            self.slice.readers(&stand, !self.side, |word| {
                self.touched[(!self.side).index()][word].store(true, Relaxed);
            });
        }
    }
}

#[inline]
fn read(rows: &[u8], word: usize) -> Bytes {
    let mut row = Bytes::NONE;
    row.0.copy_from_slice(&rows[64 * word..][..64]);
    row
}

//! Tables of games with a ladder, written into files.
//!
//! A table has a section of cells per side to move, `white` and `black`; where colours swap and
//! both sides have the same men, only `white`. The palette says what a cell stands for: the value
//! (White's view) in the upper 16 bits, two's complement, and the distance plus one in the lower
//! 16, or 0 for none.
//!
//! A game may leave out what some turns decide whose worth other tables tell. Where the best of
//! those turns makes the score of a position, its cell may hold any score that is no better for
//! the side to move, which packs better; the best of the cell and of those turns is the score.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    answer::{
        Outcome,
        score::{Store, better},
    },
    board::Color,
    solve::Workbench,
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Scores to be written into a section of cells.
pub(crate) struct Scores<S> {
    /// The name of the section.
    pub name: String,
    /// The side to move.
    pub side: Color,
    /// How many there are.
    pub entries: u64,
    /// How many belong to a slice, if there are several.
    pub slice: Option<u64>,
    /// Every one that occurs.
    pub distinct: FxHashSet<S>,
}

impl<S: Store> Scores<S> {
    /// Writes the section. `cells` gives those of some entries; `decided` says whether the turns
    /// that a table leaves out make the score of an entry, given with its cell.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        self,
        writer: &mut TableWriter,
        cells: impl Fn(Range<u64>) -> Vec<S> + Sync,
        decided: impl Fn(u64, S) -> bool + Sync,
        bench: &Workbench<'_>,
    ) -> Result<(), TableError> {
        let Scores { name, side, entries, slice, distinct } = self;
        let mut scores: Vec<S> = distinct.into_iter().filter(|&cell| cell != S::NONE).collect();
        scores.sort_unstable();
        let places: FxHashMap<S, u32> = scores.iter().copied().zip(0..).collect();
        let palette = scores.iter().map(|cell| Outcome::of::<S>(cell.score()).packed()).collect();
        let width = Width::holding(scores.len().saturating_sub(1) as u32);
        let mut spec = CellSpec::new(name, entries, width).with_palette(palette);
        if let Some(slice) = slice {
            spec = spec.in_slices(slice);
        }
        writer.cells(spec, |range, bytes| {
            bench.progress.advance(range.end - range.start);
            // Cells repeat their neighbour where they may, which packs best.
            let cells = cells(range.clone());
            let mut last = cells.iter().copied().find(|&c| c != S::NONE).unwrap_or(S::NONE);
            let mut place = places.get(&last).copied().unwrap_or(0);
            let entries = bytes.chunks_exact_mut(width.bytes());
            for ((number, cell), entry) in range.zip(cells).zip(entries) {
                let repeats = cell == last
                    || cell == S::NONE
                    || better(side, cell, last) && decided(number, cell);
                if !repeats {
                    last = cell;
                    place = places[&cell];
                }
                entry.copy_from_slice(&place.to_le_bytes()[..width.bytes()]);
            }
        })
    }
}

//! Tables of games with a ladder in files: written, loaded for solving, and read to answer.
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

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::values::Values;
use crate::{
    answer::{
        Outcome, TableId,
        place::table_sides,
        score::{Store, better, offer},
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::Index,
    solve::{BuildError, Workbench},
    table::{CellSpec, Cells, TableError, TableWriter, Width},
};

/// The best score of the turns that a table leaves out, in the position of an index with this
/// side to move and number; [`Store::NONE`] if there are no such turns.
pub trait LeftOut<S>: Fn(&Index, Color, u64) -> S + Sync {}

impl<S, F: Fn(&Index, Color, u64) -> S + Sync> LeftOut<S> for F {}

/// What tables leave out that tell everything themselves.
pub fn nothing_left_out<S: Store>(_: &Index, _: Color, _: u64) -> S {
    S::NONE
}

/// Writes the cells of a solved table that leaves nothing out: a section per side to move, named
/// after the side and with `suffix` behind it.
///
/// # Errors
/// If the file cannot be written.
pub fn write_sections<S: Store>(
    writer: &mut TableWriter,
    suffix: &str,
    values: &Values<S>,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    let index = &values.index;
    values.sides().iter().try_for_each(|&side| {
        let section = Scores {
            name: section_name(side, suffix),
            side,
            entries: index.len(),
            slice: index.structures().map(|_| index.structure_range(0).end),
            distinct: values.distinct(side),
        };
        let cells = |range| values.range(side, range).map(|&cell| (cell, false)).collect();
        section.write(writer, cells, bench)
    })
}

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
    /// Writes the section. `cells` gives those of some entries, each with whether the turns that a
    /// table leaves out make its score.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        self,
        writer: &mut TableWriter,
        cells: impl Fn(Range<u64>) -> Vec<(S, bool)> + Sync,
        bench: &Workbench<'_>,
    ) -> Result<(), TableError> {
        let Scores { name, side, entries, slice, distinct } = self;
        let mut scores: Vec<S> = distinct.into_iter().filter(|&cell| cell != S::NONE).collect();
        scores.sort_unstable();
        let places = Places::of(&scores);
        let palette = scores.iter().map(|cell| Outcome::of::<S>(cell.score()).packed()).collect();
        let width = Width::holding(scores.len().saturating_sub(1) as u32);
        let mut spec = CellSpec::new(name, entries, width).with_palette(palette);
        if let Some(slice) = slice {
            spec = spec.in_slices(slice);
        }
        writer.cells(spec, |range, bytes| {
            bench.progress.advance(range.end - range.start);
            // Cells repeat their neighbour where they may, which packs best.
            let cells = cells(range);
            let known = cells.iter().find(|&&(cell, _)| cell != S::NONE);
            let mut last = known.map_or(S::NONE, |&(cell, _)| cell);
            let mut place = if last == S::NONE { 0 } else { places.of_score(last) };
            let entries = bytes.chunks_exact_mut(width.bytes());
            for ((cell, decided), entry) in cells.into_iter().zip(entries) {
                let repeats =
                    cell == last || cell == S::NONE || decided && better(side, cell, last);
                if !repeats {
                    last = cell;
                    place = places.of_score(cell);
                }
                match entry {
                    // Copying so little takes longer than everything else.
                    [entry] => *entry = place as u8,
                    _ => entry.copy_from_slice(&place.to_le_bytes()[..width.bytes()]),
                }
            }
        })
    }
}

/// Where scores stand in a palette.
enum Places<S> {
    /// Where they are close to each other: from the least one on, seen by White.
    Dense(i32, Vec<u32>),
    /// Where they are not.
    Sparse(FxHashMap<S, u32>),
}

impl<S: Store> Places<S> {
    /// The places of scores that go up.
    fn of(scores: &[S]) -> Places<S> {
        let seen = |score: &S| score.score().seen_by(Color::White);
        let least = scores.first().map_or(0, seen);
        let span = scores.last().map_or(0, seen) - least;
        if span >= 1 << 16 {
            return Places::Sparse(scores.iter().copied().zip(0..).collect());
        }
        let mut places = vec![0; span as usize + 1];
        for (score, place) in scores.iter().zip(0..) {
            places[(seen(score) - least) as usize] = place;
        }
        Places::Dense(least, places)
    }

    /// The place of one of them.
    #[inline]
    fn of_score(&self, score: S) -> u32 {
        match self {
            Places::Dense(least, places) => {
                places[(score.score().seen_by(Color::White) - least) as usize]
            }
            Places::Sparse(places) => places[&score],
        }
    }
}

/// Reads a whole table for solving, and puts back what it leaves out.
///
/// # Errors
/// If it is missing or damaged, or memory is lacking.
pub fn load<S: Store>(
    id: &TableId,
    index: Index,
    swaps: bool,
    suffix: &str,
    infinite: i32,
    left_out: impl LeftOut<S>,
    bench: &Workbench<'_>,
) -> Result<Values<S>, BuildError> {
    let table = bench.shelf.open(id)?;
    let values = Values::empty(index, table_sides(&id.material, swaps));
    let index = &values.index;
    let sides = values
        .sides()
        .iter()
        .map(|&side| {
            let stretches = sized_stretches(&table, &section_name(side, suffix), index.len())?;
            let mut scores = Vec::new();
            for (_, cells) in stretches.iter() {
                scores.append(&mut read_section(cells, infinite)?);
            }
            scores.par_iter_mut().enumerate().for_each(|(number, score)| {
                let option = left_out(index, side, number as u64);
                if option != S::NONE {
                    offer(score, side, option);
                }
            });
            Ok(scores)
        })
        .collect::<Result<Vec<_>, TableError>>()?;
    values.load(&sides, bench.budget)?;
    Ok(values)
}

/// Reads a whole section of scores.
///
/// # Errors
/// If it is damaged.
fn read_section<S: Store>(cells: &Cells, infinite: i32) -> Result<Vec<S>, TableError> {
    let palette: Vec<S> = cells
        .palette()
        .unwrap_or_default()
        .iter()
        .map(|&packed| S::keep(Outcome::unpack(packed).score::<S>(infinite)))
        .collect();
    let bytes = cells.read_all()?;
    let width = cells.section().width.bytes();
    bytes
        .par_chunks_exact(width)
        .with_min_len(1 << 14)
        .map(|entry| {
            let place = entry.iter().rfold(0, |n, &byte| n << 8 | usize::from(byte));
            palette.get(place).copied().ok_or_else(|| cells.not_in_palette(place as u32))
        })
        .collect()
}

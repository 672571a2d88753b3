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

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    BuildError, TableId, Workbench,
    ladder::{Score, Store, better, offer},
    ladder_table::{chess_group, entry_number, entry_with_reserve, indexed_setup, table_sides},
    sections::{section_name, sized},
    values::Values,
};
use crate::{
    board::{Board, Color, Group},
    index::{Index, Material},
    rules::{Laws, Setup},
    table::{CellSpec, Cells, Table, TableError, TableWriter, Width},
};

/// A value on the ladder with its distance.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// White's view.
    pub value: i32,
    /// Plies, or none.
    pub distance: Option<u16>,
}

impl Outcome {
    /// The same with the sides exchanged, where that negates the value.
    pub fn swap_colors(self) -> Outcome {
        Outcome { value: -self.value, distance: self.distance }
    }

    pub(super) fn of<S: Store>(score: Score) -> Outcome {
        Outcome { value: score.value::<S>(), distance: score.distance::<S>() }
    }

    fn packed(self) -> u32 {
        (self.value as u16 as u32) << 16 | self.distance.map_or(0, |d| u32::from(d) + 1)
    }

    pub(super) fn unpack(packed: u32) -> Outcome {
        let distance = (packed as u16).checked_sub(1);
        Outcome { value: i32::from((packed >> 16) as i16), distance }
    }
}

/// The best score of the turns that a table leaves out, in the position of an index with this
/// side to move and number; [`Store::NONE`] if there are no such turns.
pub trait LeftOut<S>: Fn(&Index, Color, u64) -> S + Sync {}

impl<S, F: Fn(&Index, Color, u64) -> S + Sync> LeftOut<S> for F {}

/// What tables leave out that tell everything themselves.
pub fn nothing_left_out<S: Store>(_: &Index, _: Color, _: u64) -> S {
    S::NONE
}

/// Writes the cells of a solved table: a section per side to move, named after the side and with
/// `suffix` behind it.
///
/// # Errors
/// If the file cannot be written.
pub fn write_sections<S: Store>(
    writer: &mut TableWriter,
    suffix: &str,
    values: &Values<S>,
    left_out: impl LeftOut<S>,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    values.sides().iter().try_for_each(|&side| {
        write_section(writer, section_name(side, suffix), values, side, &left_out, bench)
    })
}

/// Writes the cells of `values` for one side to move.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_section<S: Store>(
    writer: &mut TableWriter,
    name: String,
    values: &Values<S>,
    side: Color,
    left_out: &impl LeftOut<S>,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    let present = values.distinct(side);
    let mut scores: Vec<S> = present.into_iter().filter(|&cell| cell != S::NONE).collect();
    scores.sort_unstable();
    let places: FxHashMap<S, u32> = scores.iter().copied().zip(0..).collect();
    let palette = scores.iter().map(|cell| Outcome::of::<S>(cell.score()).packed()).collect();
    let width = Width::holding(scores.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(name, values.index.len(), width).with_palette(palette);
    writer.cells(spec, |range, bytes| {
        bench.progress.advance(range.end - range.start);
        // Cells repeat their neighbour where they may, which packs best.
        let cells = || values.range(side, range.clone()).copied();
        let mut last = cells().find(|&cell| cell != S::NONE).unwrap_or(S::NONE);
        let mut place = places.get(&last).copied().unwrap_or(0);
        let entries = bytes.chunks_exact_mut(width.bytes());
        for ((number, cell), entry) in range.clone().zip(cells()).zip(entries) {
            let repeats = cell == last
                || cell == S::NONE
                || better(side, cell, last) && left_out(&values.index, side, number) == cell;
            if !repeats {
                last = cell;
                place = places[&cell];
            }
            entry.copy_from_slice(&place.to_le_bytes()[..width.bytes()]);
        }
    })
}

/// Reads a whole table for solving, and puts back what it leaves out.
///
/// # Errors
/// If it is missing or damaged, or memory is lacking.
pub fn load<S: Store>(
    id: &TableId,
    group: Group,
    swaps: bool,
    suffix: &str,
    infinite: i32,
    left_out: impl LeftOut<S>,
    bench: &Workbench<'_>,
) -> Result<Values<S>, BuildError> {
    let table = bench.shelf.open(id)?;
    let index = Index::new(&id.material, group);
    let values = Values::empty(index, table_sides(&id.material, swaps));
    let index = &values.index;
    let sides = values
        .sides()
        .iter()
        .map(|&side| {
            let cells = sized(&table, &section_name(side, suffix), index.len())?;
            let mut scores = read_section(&cells, infinite)?;
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

/// Reads a whole section that [`write_section`] has written.
///
/// # Errors
/// If it is damaged.
pub(super) fn read_section<S: Store>(cells: &Cells, infinite: i32) -> Result<Vec<S>, TableError> {
    let palette: Vec<S> = cells
        .palette()
        .unwrap_or_default()
        .iter()
        .map(|&packed| {
            let outcome = Outcome::unpack(packed);
            S::keep(Score::new::<S>(outcome.value, outcome.distance, infinite))
        })
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

/// An open table of a ladder game.
pub struct LadderReader {
    material: Material,
    index: Index,
    sides: Vec<Cells>,
    swaps: bool,
}

impl LadderReader {
    /// Makes a table ready to answer.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub fn open(
        table: &Table,
        material: &Material,
        swaps: bool,
        suffix: &str,
    ) -> Result<LadderReader, TableError> {
        LadderReader::open_folded(table, material, chess_group(material), swaps, suffix)
    }

    /// The same for a table whose positions are folded by a group of their own.
    ///
    /// # Errors
    /// As [`open`](LadderReader::open).
    pub fn open_folded(
        table: &Table,
        material: &Material,
        group: Group,
        swaps: bool,
        suffix: &str,
    ) -> Result<LadderReader, TableError> {
        let index = Index::new(material, group);
        let sides = Color::ALL[..table_sides(material, swaps)]
            .iter()
            .map(|&side| sized(table, &section_name(side, suffix), index.len()))
            .collect::<Result<_, _>>()?;
        Ok(LadderReader { material: *material, index, sides, swaps })
    }

    /// The men of its positions, those in reserve too.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// What it says of the position with these men. They must be those of the table, in a legal
    /// position.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn read(&self, board: &Board, to_move: Color) -> Result<Outcome, TableError> {
        self.read_with_reserve(board, &Material::of(board), to_move)
    }

    /// The same where men are in reserve; `material` names those too.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn read_with_reserve(
        &self,
        board: &Board,
        material: &Material,
        to_move: Color,
    ) -> Result<Outcome, TableError> {
        let entry = entry_with_reserve(board, material, to_move, self.swaps);
        let outcome = self.read_number(entry.side, entry_number(&self.index, &entry))?;
        Ok(if entry.swapped { outcome.swap_colors() } else { outcome })
    }

    /// What it says of the position with this number.
    ///
    /// # Errors
    /// If the file turns out damaged, or there is no such number.
    pub fn read_number(&self, side: Color, number: u64) -> Result<Outcome, TableError> {
        self.sides[side.index()].get(number).map(Outcome::unpack)
    }

    /// How many cells it has.
    pub fn cells(&self) -> u64 {
        self.index.len() * self.sides.len() as u64
    }

    /// How many placements a cell stands for.
    pub fn weight(&self, cell: u64) -> u64 {
        self.index.weight(cell % self.index.len())
    }

    /// The position of a cell, if it is legal under `laws`.
    pub fn cell(&self, cell: u64, laws: &Laws) -> Option<Setup> {
        indexed_setup(&self.index, cell, laws)
    }
}

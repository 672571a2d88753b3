//! Going through every position of a table.

use std::{iter, ops::Range, sync::Mutex};

use super::{OpenTable, ProbeError, Tablebase};
use crate::{
    answer::Tabled,
    board::Color,
    index::Material,
    lock::{into_inner, lock},
    parallel,
    progress::{Progress, is_stopped},
};

/// A legal position of a table.
pub(crate) struct Met<'m, G: Tabled> {
    /// The number of its cell.
    pub cell: u64,
    /// The position.
    pub position: &'m G::Position,
    /// How many placements it stands for.
    pub weight: u64,
    tables: &'m Tablebase<G>,
    table: &'m OpenTable<G>,
}

impl<G: Tabled> Met<'_, G> {
    /// What the tables say of it, which takes most of the time of meeting it.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn answer(&self) -> Result<G::Answer, ProbeError> {
        self.tables.answer_of_cell(self.table, self.cell, self.position)
    }
}

/// What is done with each position.
type Meet<'m, G> = dyn FnMut(Met<'_, G>) -> Result<(), ProbeError> + 'm;

/// Some cells of an open table.
pub(crate) struct Stretch<'t, G: Tabled> {
    /// The table.
    pub table: &'t OpenTable<G>,
    /// The cells.
    pub cells: Range<u64>,
    /// Who is to move in those that are looked at, if not either.
    pub side: Option<Color>,
}

impl<G: Tabled> Tablebase<G> {
    /// Goes through all legal positions of a table on all cores. `add` gets each position with
    /// its answer and the number of placements it stands for; `merge` joins what two threads
    /// found, the one with the lower positions first.
    ///
    /// Positions that stand for others with the same cell are met once; those counted with
    /// another cell not at all. Positions that are looked ahead, such as those in which a pawn can
    /// be taken in passing, have no cell and are not met.
    ///
    /// # Errors
    /// If the table is missing or damaged, or what `add` fails with.
    pub fn tally<T: Send>(
        &self,
        material: &Material,
        progress: &dyn Progress,
        empty: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &G::Position, &G::Answer, u64) -> Result<(), ProbeError> + Sync,
        merge: impl Fn(&mut T, T),
    ) -> Result<T, ProbeError> {
        let all = |reader: &G::Reader| iter::once(0..self.game().cells(reader)).collect();
        self.tally_some(material, all, progress, empty, add, merge)
    }

    /// Goes through the positions of some stretches of cells in the same way.
    ///
    /// # Errors
    /// As [`tally`](Tablebase::tally).
    pub(crate) fn tally_some<T: Send>(
        &self,
        material: &Material,
        stretches: impl FnOnce(&G::Reader) -> Vec<Range<u64>>,
        progress: &dyn Progress,
        empty: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &G::Position, &G::Answer, u64) -> Result<(), ProbeError> + Sync,
        merge: impl Fn(&mut T, T),
    ) -> Result<T, ProbeError> {
        let table = self.open_held(material)?;
        let add =
            |part: &mut T, met: Met<'_, G>| add(part, met.position, &met.answer()?, met.weight);
        let mut all_parts = empty();
        for cells in stretches(&table.reader) {
            let stretch = Stretch { table: &table, cells, side: None };
            self.survey(&stretch, &format!("counting {material}"), progress, &empty, add)?
                .into_iter()
                .for_each(|part| merge(&mut all_parts, part));
        }
        Ok(all_parts)
    }

    /// Goes through some cells on all cores in the same way; what was found, in their order.
    ///
    /// # Errors
    /// If the table is damaged, or what `add` fails with.
    pub(crate) fn survey<T: Send>(
        &self,
        stretch: &Stretch<'_, G>,
        what: &str,
        progress: &dyn Progress,
        empty: &(impl Fn() -> T + Sync),
        add: impl Fn(&mut T, Met<'_, G>) -> Result<(), ProbeError> + Sync,
    ) -> Result<Vec<T>, ProbeError> {
        const CHUNK: u64 = 1 << 14;
        let Range { start, end } = stretch.cells;
        progress.begin(what, end.saturating_sub(start));
        let chunks = end.saturating_sub(start).div_ceil(CHUNK);
        let parts = Mutex::new(Vec::new());
        lock(&parts).resize_with(chunks as usize, || None);
        parallel::try_each(0..chunks, 1, |_, chunk| {
            let mut part = empty();
            let first = start + chunk * CHUNK;
            let cells = first..end.min(first + CHUNK);
            let length = cells.end - cells.start;
            let chunk_cells = Stretch { cells, ..*stretch };
            self.each_cell(chunk_cells, &mut |met| add(&mut part, met))?;
            progress.advance(length);
            lock(&parts)[chunk as usize] = Some(part);
            go_on(progress)
        })?;
        Ok(into_inner(parts).into_iter().flatten().collect())
    }

    /// Calls `meet` with each legal position of some cells.
    fn each_cell(
        &self,
        Stretch { table, cells, side }: Stretch<'_, G>,
        meet: &mut Meet<'_, G>,
    ) -> Result<(), ProbeError> {
        let (game, reader) = (self.game(), &table.reader);
        for cell in cells {
            if side.is_some_and(|side| side != game.cell_side(reader, cell)) {
                continue;
            }
            let Some(position) = game.cell(reader, cell) else { continue };
            let weight = game.weight(reader, cell);
            if weight > 0 {
                meet(Met { cell, position: &position, weight, tables: self, table })?;
            }
        }
        Ok(())
    }
}

/// Looks whether work that is watched so goes on.
///
/// # Errors
/// [`ProbeError::Stopped`] if it is to stop.
pub(crate) fn go_on(progress: &dyn Progress) -> Result<(), ProbeError> {
    if is_stopped(progress) { Err(ProbeError::Stopped) } else { Ok(()) }
}

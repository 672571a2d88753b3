//! Going through every position of a table.

use std::{ops::Range, sync::Mutex};

use super::{OpenTable, ProbeError, Tablebase};
use crate::{
    answer::Tabled,
    index::Material,
    lock::{into_inner, lock},
    parallel,
    progress::Progress,
    rules::Game,
};

/// What is done with a position, its answer, and how many placements it stands for.
type Meet<'m, G> =
    dyn FnMut(&<G as Game>::Position, &<G as Tabled>::Answer, u64) -> Result<(), ProbeError> + 'm;

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
        const CHUNK: u64 = 1 << 14;
        let table = self.open_held(material)?;
        let cells = self.game().cells(&table.reader);
        progress.begin(&format!("counting {material}"), cells);
        let chunks = cells.div_ceil(CHUNK);
        let parts = Mutex::new(Vec::new());
        lock(&parts).resize_with(chunks as usize, || None);
        parallel::try_each(0..chunks, 1, |_, chunk| {
            let mut part = empty();
            let range = chunk * CHUNK..cells.min((chunk + 1) * CHUNK);
            let length = range.end - range.start;
            self.each_cell(&table, range, &mut |position, answer, weight| {
                add(&mut part, position, answer, weight)
            })?;
            progress.advance(length);
            lock(&parts)[chunk as usize] = Some(part);
            Ok::<(), ProbeError>(())
        })?;
        let mut all = empty();
        for part in into_inner(parts).into_iter().flatten() {
            merge(&mut all, part);
        }
        Ok(all)
    }

    /// Calls `meet` with each legal position of some cells, its answer and its weight.
    fn each_cell(
        &self,
        table: &OpenTable<G::Reader>,
        cells: Range<u64>,
        meet: &mut Meet<'_, G>,
    ) -> Result<(), ProbeError> {
        for cell in cells {
            let Some(position) = self.game().cell(&table.reader, cell) else { continue };
            let weight = self.game().weight(&table.reader, cell);
            if weight > 0 {
                meet(&position, &self.answer_of_cell(table, cell, &position)?, weight)?;
            }
        }
        Ok(())
    }
}

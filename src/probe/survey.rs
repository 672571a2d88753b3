//! Going through every position of a table.

use std::sync::Mutex;

use super::{ProbeError, Tablebase};
use crate::{
    answer::Tabled,
    index::Material,
    lock::{into_inner, lock},
    parallel,
    progress::Progress,
};

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
        let (reader, contents) = (&*table.reader, table.id.contents);
        let cells = self.game().cells(reader);
        progress.begin(&format!("counting {material}"), cells);
        let chunks = cells.div_ceil(CHUNK);
        let parts: Vec<Mutex<Option<T>>> = (0..chunks).map(|_| Mutex::default()).collect();
        parallel::try_each(0..chunks, 1, |_, chunk| {
            let mut part = empty();
            let range = chunk * CHUNK..cells.min((chunk + 1) * CHUNK);
            let length = range.end - range.start;
            for cell in range {
                let Some(position) = self.game().cell(reader, cell) else { continue };
                let weight = self.game().weight(reader, cell);
                if weight == 0 {
                    continue;
                }
                let answer = self.answer_of_cell((reader, contents), cell, &position)?;
                add(&mut part, &position, &answer, weight)?;
            }
            progress.advance(length);
            *lock(&parts[chunk as usize]) = Some(part);
            Ok::<(), ProbeError>(())
        })?;
        let mut all = empty();
        parts.into_iter().filter_map(into_inner).for_each(|part| merge(&mut all, part));
        Ok(all)
    }
}

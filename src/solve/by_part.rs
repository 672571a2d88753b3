//! Building one part of a table, and putting parts together, for programs that share out the work.

use super::{BuildError, Layout, PartFolder, PartId, Solve, Workbench};
use crate::{index::Material, probe::TableDirectories};

/// The parts of a table, with or without the distances that it could do without, and which of them
/// are there.
pub fn parts_there<G: Solve>(
    game: &G,
    named: &Material,
    part_size: u64,
    distances: bool,
    directories: &TableDirectories,
) -> (Layout, Vec<bool>) {
    let layout = game.layout(named, part_size, distances);
    let folder = PartFolder::new(game.table_id(named), directories, Default::default());
    let there = layout.parts().iter().map(|part| folder.has(part)).collect();
    (layout, there)
}

/// Builds a part of a table whose needs are there; false if it, or the table, is there already. A
/// table in one piece has one part, which is the table. If another process is at it, this waits for
/// what becomes of it.
///
/// # Errors
/// If the table has no such part, what it needs is missing, or it cannot be built.
pub fn build_part<G: Solve>(
    game: &G,
    named: &Material,
    part: PartId,
    bench: &Workbench<'_>,
) -> Result<bool, BuildError> {
    let layout = game.layout(named, bench.part_size, bench.distances);
    let id = game.table_id(named);
    let Some(part) = layout.part(part) else {
        let parts = layout.parts().last().map_or(part, |last| last.id);
        return Err(BuildError::NoSuchPart { part, id: Box::new(id), last: parts });
    };
    if bench.directories.path(&id).exists() {
        return Ok(false);
    }
    if layout.is_one_piece() {
        return game.solve(named, None, bench).map(|()| true);
    }
    let folder = PartFolder::new(id, bench.directories, bench.options);
    for before in layout.needs(part) {
        folder.open(before, bench.directories.cache())?;
    }
    let Some(_claim) = folder.claim_in_turn(&part.id.to_string())? else { return Ok(false) };
    if folder.has(part) {
        folder.open(part, bench.directories.cache())?;
        return Ok(false);
    }
    // Parts go once the table has come.
    if folder.is_joined() {
        return Ok(false);
    }
    game.solve(named, Some(part), bench).map(|()| true)
}

/// Puts the parts of a table together and removes them; false if there is nothing to do since the
/// table is there. Whoever calls this knows that nobody else does at the same time.
///
/// # Errors
/// If a part is missing or not as it should be, or the table cannot be written.
pub fn join_parts<G: Solve>(
    game: &G,
    named: &Material,
    bench: &Workbench<'_>,
) -> Result<bool, BuildError> {
    let id = game.table_id(named);
    if bench.directories.path(&id).exists() {
        return Ok(false);
    }
    let layout = game.layout(named, bench.part_size, bench.distances);
    let folder = PartFolder::new(id, bench.directories, bench.options);
    folder.join(&layout)?;
    folder.remove();
    Ok(true)
}

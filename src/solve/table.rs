//! How one table comes about, as a whole or by one part at a time, shared with whoever else is at
//! it.

use std::path::PathBuf;

use super::{
    engine::builder::{PartFolder, Work, Workbench},
    error::BuildError,
    game::Maker,
    goal::Goal,
    parts::{Layout, PartId},
};
use crate::{
    answer::TableId,
    probe::{OpenTableError, TableDirectories},
};

/// The tables that are looked into when a table is solved and store one side to move alone, so that
/// it cannot be.
///
/// # Errors
/// If one is damaged.
pub fn one_sided_needs(
    game: &dyn Maker,
    goal: &Goal,
    directories: &TableDirectories,
) -> Result<Vec<(TableId, PathBuf)>, BuildError> {
    let mut one_sided = Vec::new();
    for needed in game.needs(&goal.material) {
        let least = Goal::new(game, needed, goal.contents).contents;
        let id = directories.first(&game.table_ids(&needed, least)).clone();
        match directories.open(&id) {
            Ok(table) if table.header().side.is_some() => {
                one_sided.push((id, table.path().to_owned()));
            }
            Ok(_) | Err(OpenTableError::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(one_sided)
}

/// Sees to it that all tables which are looked into store both sides.
fn expect_both_sides(
    game: &dyn Maker,
    goal: &Goal,
    directories: &TableDirectories,
) -> Result<(), BuildError> {
    match one_sided_needs(game, goal, directories)?.into_iter().next() {
        Some((id, path)) => Err(BuildError::OneSide { path, id: Box::new(id) }),
        None => Ok(()),
    }
}

/// Builds a table: all of its parts that are not there, and then the table of them.
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub(super) fn build_table(
    game: &dyn Maker,
    goal: &Goal,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    expect_both_sides(game, goal, bench.directories)?;
    let layout = game.layout(goal, bench.part_size);
    let solver = game.solver(goal, bench);
    if let [whole] = layout.parts() {
        return solver.solve(whole);
    }
    let id = game.table_id(&goal.material, goal.contents);
    let folder = PartFolder::new(id, bench.directories, bench.options).replacing_damaged();
    while let Some((work, _claim)) = folder.claim_next(&layout)? {
        match work {
            Work::Part(part) => solver.solve(part)?,
            Work::Join => {
                folder.join(&layout)?;
                folder.remove();
            }
        }
    }
    Ok(())
}

/// The parts of a table, and which of them are there.
pub fn parts_there(
    game: &dyn Maker,
    goal: &Goal,
    part_size: u64,
    directories: &TableDirectories,
) -> (Layout, Vec<bool>) {
    let layout = game.layout(goal, part_size);
    let folder = PartFolder::new(
        game.table_id(&goal.material, goal.contents),
        directories,
        Default::default(),
    );
    let there = layout.parts().iter().map(|part| folder.has(part)).collect();
    (layout, there)
}

/// Builds a part of a table whose needs are there; false if it, or the table, is there already. A
/// table in one piece has one part, which is the table. If another process is at it, this waits for
/// what becomes of it.
///
/// # Errors
/// If the table has no such part, what it needs is missing, or it cannot be built.
pub fn build_part(
    game: &dyn Maker,
    goal: &Goal,
    part: PartId,
    bench: &Workbench<'_>,
) -> Result<bool, BuildError> {
    let layout = game.layout(goal, bench.part_size);
    let id = game.table_id(&goal.material, goal.contents);
    let Some(part) = layout.part(part) else {
        let last = layout.parts().last().map_or(part, |last| last.id);
        return Err(BuildError::NoSuchPart { part, id: Box::new(id), last });
    };
    if bench.directories.path(&id).exists() {
        return Ok(false);
    }
    expect_both_sides(game, goal, bench.directories)?;
    if layout.is_one_piece() {
        game.solver(goal, bench).solve(part)?;
        return Ok(true);
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
    game.solver(goal, bench).solve(part)?;
    Ok(true)
}

/// Puts the parts of a table together and removes them; false if there is nothing to do since the
/// table is there. Whoever calls this knows that nobody else does at the same time.
///
/// # Errors
/// If a part is missing or not as it should be, or the table cannot be written.
pub fn join_parts(
    game: &dyn Maker,
    goal: &Goal,
    bench: &Workbench<'_>,
) -> Result<bool, BuildError> {
    let id = game.table_id(&goal.material, goal.contents);
    if bench.directories.path(&id).exists() {
        return Ok(false);
    }
    let folder = PartFolder::new(id, bench.directories, bench.options);
    folder.join(&game.layout(goal, bench.part_size))?;
    folder.remove();
    Ok(true)
}

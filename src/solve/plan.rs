//! Which tables a build makes, and in which order.

use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
};

use super::{BuildError, Solve, TableSize, Workbench, part_folder::remove_superfluous};
use crate::{
    answer::TableId,
    index::Material,
    probe::{OpenTableError, TableDirectories},
    table::remove_leftovers,
};

/// A table of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedTable {
    /// Which table.
    pub id: TableId,
    /// The materials of the tables it looks into.
    pub needs: Vec<Material>,
    /// How big it is.
    pub size: TableSize,
    /// How many bytes of memory building it takes, about, with the tables it looks into, if it may
    /// take as many as it pieces.
    pub memory: u64,
    /// How many it takes at least; with fewer allowed, big arrays go to scratch files.
    pub least: u64,
    /// Whether it is there already.
    pub exists: bool,
}

/// How a build goes on.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum BuildStep<'p> {
    /// The next table is begun.
    Begins(&'p PlannedTable),
    /// It is there.
    Finished(&'p PlannedTable),
}

/// The tables that some materials need, each after all it needs itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// The tables in order.
    pub tables: Vec<PlannedTable>,
}

impl Plan {
    /// Plans the tables of some materials and all they depend on, with or without the
    /// [distances](super::BuildOptions::distances) that they could do without.
    ///
    /// # Errors
    /// If the game has no tables for a material, or a file that is there already is damaged or a
    /// table of something else.
    pub fn new<G: Solve>(
        game: &G,
        materials: &[Material],
        directories: &TableDirectories,
        distances: bool,
    ) -> Result<Plan, BuildError> {
        Plan::with(game, materials, distances, |id| match directories.open(id) {
            Ok(_) => Ok(true),
            Err(OpenTableError::Missing { .. }) => Ok(false),
            Err(wrong) => Err(wrong.into()),
        })
    }

    /// Plans like [`new`](Plan::new), but reads every table that is there as a whole, and plans to
    /// build those again that are damaged.
    ///
    /// # Errors
    /// If the game has no tables for a material, or a file that is there already cannot be read
    /// or is a whole table of something else.
    pub fn repairing<G: Solve>(
        game: &G,
        materials: &[Material],
        directories: &TableDirectories,
        distances: bool,
    ) -> Result<Plan, BuildError> {
        Plan::with(game, materials, distances, |id| {
            match directories.open(id).and_then(|table| Ok(table.check()?)) {
                Ok(()) => Ok(true),
                Err(OpenTableError::Missing { .. }) => Ok(false),
                Err(OpenTableError::Table(error)) if error.is_damage() => Ok(false),
                Err(wrong) => Err(wrong.into()),
            }
        })
    }

    fn with<G: Solve>(
        game: &G,
        materials: &[Material],
        distances: bool,
        exists: impl Fn(&TableId) -> Result<bool, BuildError>,
    ) -> Result<Plan, BuildError> {
        let mut plan = Plan::default();
        let mut met = HashSet::new();
        for material in materials {
            plan.add(game, &game.named(material)?, distances, &exists, &mut met)?;
        }
        Ok(plan)
    }

    fn add<G: Solve>(
        &mut self,
        game: &G,
        named: &Material,
        distances: bool,
        exists: &impl Fn(&TableId) -> Result<bool, BuildError>,
        met: &mut HashSet<Material>,
    ) -> Result<(), BuildError> {
        if !met.insert(*named) {
            return Ok(());
        }
        // A table that is there was solved with all it needs, but a player of the game will want
        // those too: the plan names them all.
        let size = game.size(named, distances);
        let mut memory = size.memory;
        let needs = game.needs(named);
        for needed in &needs {
            memory += game.size(needed, distances).loaded;
            self.add(game, needed, distances, exists, met)?;
        }
        let id = game.table_id(named);
        let exists = exists(&id)?;
        // Where pages are unpacked as they are needed, what it takes is told by its size alone.
        let memory = if size.least.is_some() { size.memory } else { memory };
        let least = size.least.unwrap_or(memory).min(memory);
        self.tables.push(PlannedTable { id, needs, size, memory, least, exists });
        Ok(())
    }

    /// Removes what killed builds left in the folders of these tables.
    pub fn remove_leftovers(&self, directories: &TableDirectories) {
        let paths: BTreeSet<PathBuf> = self
            .tables
            .iter()
            .filter_map(|table| Some(directories.path(&table.id).parent()?.to_owned()))
            .collect();
        paths.iter().for_each(|folder| remove_leftovers(folder));
        for table in self.tables.iter().filter(|table| table.exists) {
            remove_superfluous(&directories.path(&table.id));
        }
    }

    /// The tables still to be built.
    pub fn missing(&self) -> impl Iterator<Item = &PlannedTable> {
        self.tables.iter().filter(|table| !table.exists)
    }

    /// Builds the tables that are missing, in order, telling `watch` of each.
    ///
    /// # Errors
    /// At the first table that cannot be built; those before it are there.
    pub fn build<G: Solve>(
        &self,
        game: &G,
        bench: &Workbench<'_>,
        mut watch: impl FnMut(BuildStep<'_>),
    ) -> Result<(), BuildError> {
        self.remove_leftovers(bench.directories);
        for table in self.missing() {
            watch(BuildStep::Begins(table));
            game.solve(&table.id.material, None, bench)?;
            watch(BuildStep::Finished(table));
        }
        Ok(())
    }
}

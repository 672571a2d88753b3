//! Which tables a build makes, and in which order.

use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
};

use super::{
    engine::builder::{Workbench, remove_superfluous},
    error::BuildError,
    game::{Maker, TableSize},
    goal::Goal,
    table::build_table,
};
use crate::{
    answer::{Contents, TableId},
    index::Material,
    probe::{OpenTableError, TableDirectories},
    table::remove_leftovers,
};

/// A table of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedTable {
    /// Which table.
    pub id: TableId,
    /// How much it is to hold, if it is built.
    pub goal: Goal,
    /// The materials of the tables it looks into.
    pub needs: Vec<Material>,
    /// How big it is.
    pub size: TableSize,
    /// How many bytes of memory building it takes, about, with the tables it looks into, if it may
    /// take as many as it likes.
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
    /// Plans the tables of some materials and all they depend on, with these
    /// [contents](Goal::new). What they depend on may hold more, if it is there.
    ///
    /// # Errors
    /// If the game has no tables for a material, or a file that is there already is damaged or a
    /// table of something else.
    pub fn new(
        game: &dyn Maker,
        materials: &[Material],
        directories: &TableDirectories,
        contents: Contents,
    ) -> Result<Plan, BuildError> {
        let (plan, misplaced) =
            Plan::passing_over(game, materials, directories, (contents, false))?;
        misplaced.into_iter().next().map_or(Ok(plan), Err)
    }

    /// The same, passing over tables in whose place lies a whole table of something else, and those
    /// that need them: what is wrong there comes with the plan. With `repair` every table that is
    /// there is read as a whole, and those are planned again that are damaged, or made by an older
    /// finale.
    ///
    /// # Errors
    /// If the game has no tables for a material, or a file that is there already cannot be read, is
    /// a table by other rules or, without `repair`, damaged.
    pub fn passing_over(
        game: &dyn Maker,
        materials: &[Material],
        directories: &TableDirectories,
        (contents, repair): (Contents, bool),
    ) -> Result<(Plan, Vec<BuildError>), BuildError> {
        let mut planner = Planner {
            game,
            directories,
            contents,
            repair,
            plan: Plan::default(),
            wanted: HashSet::new(),
            met: HashSet::new(),
            path: Vec::new(),
            misplaced: Vec::new(),
            blocked: HashSet::new(),
        };
        let named = materials.iter().map(|material| game.named(material));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        planner.wanted.extend(&named);
        named.iter().try_for_each(|material| planner.add(material))?;
        Ok((planner.plan, planner.misplaced))
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
    pub fn build(
        &self,
        game: &dyn Maker,
        bench: &Workbench<'_>,
        watch: &mut dyn FnMut(BuildStep<'_>),
    ) -> Result<(), BuildError> {
        self.remove_leftovers(bench.directories);
        for table in self.missing() {
            watch(BuildStep::Begins(table));
            build_table(game, &table.goal, bench)?;
            watch(BuildStep::Finished(table));
        }
        Ok(())
    }
}

/// Makes a plan.
struct Planner<'a> {
    game: &'a dyn Maker,
    directories: &'a TableDirectories,
    contents: Contents,
    /// Whether tables that are there are read, and damaged ones planned again.
    repair: bool,
    plan: Plan,
    /// The materials that were asked for, whose tables are to hold no more and no less.
    wanted: HashSet<Material>,
    met: HashSet<Material>,
    /// The materials that wait for what they need, each of which needs the next.
    path: Vec<Material>,
    /// Why tables have no place: another table is there.
    misplaced: Vec<BuildError>,
    /// The materials of these, and of all that need them.
    blocked: HashSet<Material>,
}

impl Planner<'_> {
    /// Adds the table of a material after all it needs.
    fn add(&mut self, named: &Material) -> Result<(), BuildError> {
        if let Some(at) = self.path.iter().position(|waiting| waiting == named) {
            return Err(BuildError::Circle(self.path[at..].to_vec()));
        }
        if !self.met.insert(*named) {
            return Ok(());
        }
        // A table that is there was solved with all it needs, but a player of the game will want
        // those too: the plan names them all.
        let (game, contents) = (self.game, self.contents);
        let goal = |material| Goal::new(game, material, contents);
        let size = self.game.size(&goal(*named));
        let needs = self.game.needs(named);
        let loaded = needs.iter().map(|needed| self.game.size(&goal(*needed)).loaded);
        // Where pages are unpacked as they are needed, what it takes is told by its size alone.
        let memory = size.memory + if size.least.is_some() { 0 } else { loaded.sum() };
        self.path.push(*named);
        needs.iter().try_for_each(|needed| self.add(needed))?;
        self.path.pop();
        let there = match self.there(named) {
            Err(error @ BuildError::Open(OpenTableError::Other { another: true, .. })) => {
                self.misplaced.push(error);
                self.blocked.insert(*named);
                return Ok(());
            }
            there => there?,
        };
        if there.is_none() && needs.iter().any(|needed| self.blocked.contains(needed)) {
            self.blocked.insert(*named);
            return Ok(());
        }
        let exists = there.is_some();
        let goal =
            there.as_ref().map_or(goal(*named), |id| Goal::new(self.game, *named, id.contents));
        let id = there.unwrap_or_else(|| self.game.table_id(named, goal.contents));
        let least = size.least.unwrap_or(memory).min(memory);
        self.plan.tables.push(PlannedTable { id, goal, needs, size, memory, least, exists });
        Ok(())
    }

    /// Whether a table is there, and need not be built again.
    fn exists(&self, id: &TableId) -> Result<bool, BuildError> {
        let opened = self.directories.open(id);
        let checked =
            opened.and_then(|table| if self.repair { Ok(table.check()?) } else { Ok(()) });
        match checked {
            Ok(()) => Ok(true),
            Err(OpenTableError::Missing { .. }) => Ok(false),
            Err(error) if self.repair && error.is_mended_by_building() => Ok(false),
            Err(wrong) => Err(wrong.into()),
        }
    }

    /// The table of a material that is there and holds enough.
    fn there(&self, named: &Material) -> Result<Option<TableId>, BuildError> {
        let contents = Goal::new(self.game, *named, self.contents).contents;
        let mut enough = self.game.table_ids(named, contents);
        enough.retain(|id| id.contents == contents || !self.wanted.contains(named));
        for id in enough {
            if self.exists(&id)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

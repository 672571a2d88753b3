//! From rules to tables.
//!
//! [`Solve`] is what a game adds to [`Tabled`] to have tables built: which tables it needs first,
//! how big a table is, and how it is solved. The `engine` knows no game; `games` says for each
//! game how it is cut into slices and what their cells mean.
//!
//! Two solvers serve all games. The *ladder* solver (`engine::ladder`) handles games in which
//! play can go in circles, the *clock* solvers those whose counters make every game finite.

mod build;
mod by_part;
mod engine;
mod games;
mod part_folder;
mod parts;
mod plan;

use std::{fmt, io, path::PathBuf, time::Duration};

pub use build::BuildOptions;
pub use by_part::{build_part, join_parts, parts_there};
pub use engine::scratch::Budget;
pub(crate) use part_folder::PartFolder;
pub use part_folder::part_path;
pub use parts::{Layout, PART_SIZE, ParsePartError, Part, PartId};
pub use plan::{BuildStep, Plan, PlannedTable};

use crate::{
    answer::{TableId, Tabled, UnfitMaterial},
    index::Material,
    probe::{OpenTableError, TableDirectories},
    progress::Progress,
    table::{TableError, TableWriter, WriterOptions},
};

/// A game whose tables can be built.
pub trait Solve: Tabled {
    /// The materials one turn away whose tables must be there before this one is solved, as they
    /// are [`named`](Tabled::named).
    fn needs(&self, material: &Material) -> Vec<Material>;

    /// How many positions a table numbers, both sides to move counted, and what it takes, with or
    /// without the distances that it could do without.
    fn size(&self, material: &Material, distances: bool) -> TableSize;

    /// How a table, with or without the distances that it could do without, is cut into parts of at
    /// most `part_size` numbers for each side to move; into one part where the game cannot solve parts
    /// by themselves.
    fn layout(&self, material: &Material, part_size: u64, distances: bool) -> Layout;

    /// Solves a table and writes it, or just one of the several parts of its
    /// [`layout`](Solve::layout), beside the table to be. What the table [`needs`](Solve::needs) is
    /// there, and so are the parts that a part [needs](Layout::needs). Where all of the table is
    /// asked for, parts that are there already are taken as they are.
    ///
    /// # Errors
    /// If a table or part it needs cannot be read, or memory, disk space or permission is lacking.
    fn solve(
        &self,
        material: &Material,
        part: Option<&Part>,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError>;
}

/// How big a table is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableSize {
    /// How many positions it numbers.
    pub positions: u64,
    /// How many bytes of memory solving it takes, about, besides the tables it looks into.
    pub memory: u64,
    /// How many bytes of memory solving it takes, about, at least, with the tables it looks into, of
    /// which it unpacks some pages at a time; none where it unpacks whole tables.
    pub least: Option<u64>,
    /// How many bytes of memory it takes, about, while others are solved that look into it.
    pub loaded: u64,
    /// How many bytes its file has, about, at the default level of compression.
    pub file: u64,
    /// How long solving and writing it takes on two cores of a common machine, about.
    pub time: Duration,
}

/// Why a table could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The game has no such table.
    #[error(transparent)]
    Unfit(#[from] UnfitMaterial),
    /// A table it needs is not at hand.
    #[error(transparent)]
    Open(#[from] OpenTableError),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table it needs was built without distances.
    #[error("the table of {material} was built without the distances that this one needs")]
    NoDistances {
        /// Its material.
        material: Material,
    },
    /// There would be more rows of distances than a reader accepts.
    #[error("the distances of {material} are too many and too various")]
    TooVarious {
        /// Its material.
        material: Material,
    },
    /// A part of a table is needed that has not been built.
    #[error("there is no part {part} of {} in {}", id.material, folder.display())]
    MissingPart {
        /// Which part.
        part: PartId,
        /// Of which table.
        id: Box<TableId>,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A table has no part of this name.
    #[error("{} has no part {part}; the last is {last}", id.material)]
    NoSuchPart {
        /// The part asked for.
        part: PartId,
        /// Of which table.
        id: Box<TableId>,
        /// The last part it has.
        last: PartId,
    },
    /// What lies in the place of a part is something else.
    #[error("{} is {found}, not {expected}", path.display())]
    OtherPart {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// An array has no place in memory or in a scratch file; the source says which and why.
    #[error("no room to work in")]
    Scratch(#[from] io::Error),
}

/// What a solver works with.
pub struct Workbench<'a> {
    /// The tables that exist, and where new ones go.
    pub directories: &'a TableDirectories,
    /// Memory for big arrays.
    pub budget: &'a Budget,
    /// How tables are written.
    pub options: WriterOptions,
    /// Whether tables get the distances that they could do without.
    pub distances: bool,
    /// How many numbers a [part](Solve::layout) has at most. All who work on a table must agree.
    pub part_size: u64,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
}

impl fmt::Debug for Workbench<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workbench").field("directories", &self.directories).finish_non_exhaustive()
    }
}

impl Workbench<'_> {
    /// Begins the file of a table.
    ///
    /// # Errors
    /// If it cannot be made where it belongs.
    pub(crate) fn writer(&self, id: &TableId) -> Result<TableWriter, TableError> {
        TableWriter::create(self.directories.path(id), id.description(), self.options)
    }
}

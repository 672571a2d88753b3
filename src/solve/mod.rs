//! From rules to tables.
//!
//! [`Solve`] is what a game adds to [`Tabled`] to have tables built: which tables it needs first,
//! how big a table is, and how it is solved. The `engine` knows no game; `games` says for each
//! game how it is cut into slices and what their cells mean.
//!
//! Two solvers serve all games. The *ladder* solver (`engine::ladder`) handles games in which
//! play can go in circles, the *clock* solvers those whose counters make every game finite.
//!
//! The way from materials to files runs down once: a [`Plan`] has the tables in order, a table its
//! parts, a part batches of slices that are solved together, a slice pages, and pages go into the
//! file of the part.

mod build;
mod engine;
mod error;
mod games;
mod goal;
mod parts;
mod plan;
mod table;

use std::time::Duration;

pub use build::BuildOptions;
pub use engine::{
    build::{SolveParts, Workbench, part_path},
    spill::Budget,
};
pub use error::BuildError;
pub use goal::Goal;
pub use parts::{Layout, PART_SIZE, ParsePartError, Part, PartId};
pub use plan::{BuildStep, Plan, PlannedTable};
pub use table::{build_part, join_parts, parts_there};

use crate::{answer::Tabled, index::Material};

/// A game whose tables can be built.
pub trait Solve: Tabled {
    /// The materials one turn away whose tables must be there before this one is solved, as they
    /// are [`named`](Tabled::named).
    fn needs(&self, material: &Material) -> Vec<Material>;

    /// How many positions a table numbers, both sides to move counted, and what it takes.
    fn size(&self, goal: &Goal) -> TableSize;

    /// How a table is cut into parts of at most `part_size` numbers for each side to move; into one
    /// part where the game cannot solve parts by themselves.
    fn layout(&self, goal: &Goal, part_size: u64) -> Layout;

    /// What solves the parts of a table's [layout](Solve::layout).
    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a>;
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

//! From rules to tables.
//!
//! [`Solve`] is what a game adds to [`Tabled`](crate::answer::Tabled) to have tables built: which
//! tables it needs first, how big a table is, and how it is solved. The `engine` knows no game;
//! `games` says for each game how it is cut into slices and what their cells mean.
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
mod finished;
mod game;
mod games;
mod goal;
mod parts;
mod plan;
mod table;

pub use build::BuildOptions;
pub use engine::{
    builder::{SolveParts, Workbench, part_path},
    spill::Budget,
};
pub use error::BuildError;
pub use finished::{
    Counted, FinishedScores, FinishedSlice, FinishedTable, FinishedTurns, ReadAhead, TurnCounts,
};
pub use game::{Maker, Solve, TableSize};
pub use goal::Goal;
pub use parts::{Layout, PART_SIZE, ParsePartError, Part, PartId};
pub use plan::{BuildStep, Plan, PlannedTable};
pub use table::{build_part, join_parts, one_sided_needs, parts_there};

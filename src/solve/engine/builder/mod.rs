//! How a table of slices comes into a file: parts, memory, claims, writing.

mod claims;
mod decided_bits;
mod effort;
mod ladder_tables;
mod layout;
mod memory;
mod own_pages;
mod score_section;
mod table_solver;
mod workbench;
mod writing;

pub use claims::part_path;
pub(in crate::solve) use claims::{PartFolder, Work, remove_superfluous};
pub(in crate::solve) use effort::positions_put_right;
pub(in crate::solve) use ladder_tables::{LadderSolver, LadderTables};
pub(in crate::solve) use layout::{layout, section};
pub(in crate::solve) use memory::{BATCH, MemoryNeed, memory_need};
pub(in crate::solve) use table_solver::{Batch, PartJob, TableSolver};
pub use workbench::{SolveParts, Workbench};

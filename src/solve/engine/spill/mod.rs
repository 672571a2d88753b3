//! What does not fit into memory: a budget for big arrays, and files for what exceeds it.
//!
//! An array that is looked at here and there is [mapped](ScratchArray); what is written once and
//! read again in long pieces goes to a [`SpillFile`], and what is written over to a [`PlacedFile`],
//! which take no memory of the process. What a
//! solver finds out step by step is kept as [`LaneSets`] in a [`DeltaLog`].

mod budget;
mod delta_log;
mod lane_sets;
mod no_room;
mod packing;
mod placed_file;
mod spill_file;

pub use budget::{Budget, Loan, ScratchArray, written_zeros};
pub use delta_log::DeltaLog;
pub use lane_sets::{LaneSetReader, LaneSets};
pub use packing::{pack, unpack};
pub use placed_file::PlacedFile;
pub use spill_file::{SpillFile, Spilled};

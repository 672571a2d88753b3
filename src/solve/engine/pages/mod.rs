//! What a solver looks into: the pages of other tables and of its own, cached in bounded memory.
//!
//! A page has the cells of one slice with one side to move. The turns out of some slices lead to a
//! [`Closure`] of slices; their pages are read by the [`PageCache`], in as many rounds as there
//! must be for each to fit, and are then [`ResidentPages`], in which a position after a turn is
//! found by way of a [`Link`].

mod cache;
mod closure;
mod entries;
mod links;
mod outline;
mod packed;
mod resident;
mod rounds;
mod table_pages;

pub use cache::{FinishedPages, PageCache, Paged, section_entries};
pub use closure::Meeting;
pub use entries::{PartCells, SectionEntries, palette_scores, palette_scores_without_distance};
pub use links::{DropLink, Link, Links, droppable, successors};
pub use outline::{Drops, Outline};
pub use packed::PackedPages;
pub use resident::{LadderDrop, LadderLinks, ResidentPages, read};
pub use rounds::LookupRound;
pub use table_pages::{Extent, Page, PageCell, PageId, TablePages};

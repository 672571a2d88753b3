//! Materials, and the numbers of their positions.
//!
//! A [`Material`] says which men there are; an [`Index`] numbers the ways they can stand, once per
//! class of positions that the symmetries of the game make equal.

mod lead;
mod material;
mod numbering;
mod piece_group;
mod structures;
pub(crate) mod subset;

pub use lead::{Lead, LeadKind, Pair};
pub use material::{MAX_MEN, Material, MaterialError, most_men};
pub use numbering::{Index, LastMen, Line, NumberDigit};
pub(crate) use piece_group::PieceGroup;
pub use structures::Structures;

//! The positions of a slice, 64 at a time, and what moves between them.
//!
//! A slice has men that keep their roles and pawns that stand still: pawn moves, like captures,
//! lead to another slice that is solved before. So within a slice only pieces make quiet moves.
//! Its positions are numbered for speed, not for storage: the class of the leading men, then the
//! square of every other piece but one, make a *word*; the last piece, the *runner*, takes the 64
//! lanes of that word. Like pieces that neither lead nor run are not told apart, the runner is told
//! from those like it, and words whose men share a square exist.

mod checks;
mod chesslike;
mod conversions;
mod digits;
mod gather;
mod index_order;
mod lane_counts;
mod lines;
mod positions;
mod sets;
mod walks;
mod word;
mod words;

pub use chesslike::Chesslike;
pub use conversions::{After, Conversion};
pub use index_order::IndexOrder;
pub use lane_counts::LaneCounts;
pub use positions::{Sets, legal_lanes, legal_positions, side_first};
pub use walks::Walks;
pub use word::{PieceMoves, QuietTurns, Word, passing_setup};
pub use words::{MIN_WORDS, Slice, Stand};

//! The solver for games in which play can go in circles.
//!
//! Values form a ladder, with the value of infinite play, u, somewhere on it. Both players walk
//! one line: White prefers a higher value; of equal values above u White prefers the nearer one,
//! Black the farther one, and below u the other way round. So a value and its distance make one
//! number, a [`Score`](crate::answer::score::Score), that White maximises and Black minimises.
//!
//! Positions settle from the ends of the line towards u, one score at a time. On the upper half
//! White is the *hero*: a position with White to move settles as soon as one option has; one with
//! Black to move, the *villain*, when its last option has. What never settles is worth u. The
//! lower half is the same with the sides exchanged. A step works on 64 positions at once, and
//! only on words that read a word which changed in the step before.

mod checks;
mod decided;
mod game;
mod ladder_slice;
mod left_out;
pub mod perpetual;
mod resident_scores;
mod score_reader;
mod score_store;
mod settle;
mod spilled_scores;

pub use checks::{CheckScores, WordScores, after_check};
pub use game::{Conversions, ExitScores, LadderGame, Turned};
pub use ladder_slice::{LadderSlice, SolvedLadder};
pub use left_out::{put_back, put_back_and_tell};
pub use resident_scores::{ResidentScores, fill};
pub use score_reader::ScoreReader;
pub use settle::settle_beyond;

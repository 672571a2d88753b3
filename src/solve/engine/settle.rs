//! The solver for games in which play can go in circles.
//!
//! Values form a ladder, with the value of infinite play, u, somewhere on it. Both players walk
//! one line: White prefers a higher value; of equal values above u White prefers the nearer one,
//! Black the farther one, and below u the other way round. So a value and its distance make one
//! number, a [`Score`], that White maximises and Black minimises.
//!
//! Positions settle from the ends of the line towards u, one score at a time. On the upper half
//! White is the *hero*: a position with White to move settles as soon as one option has; one with
//! Black to move, the *villain*, when its last option has. What never settles is worth u. The
//! lower half is the same with the sides exchanged. A step works on 64 positions at once, and
//! only on words that read a word which changed in the step before.

use super::{
    decided::Decided,
    ladder::{QuietTurns, Sets},
    ledger::Ledger,
    pass::Pass,
    slice::Slice,
};
use crate::{answer::score::Score, board::Color};

/// Settles the `open` positions worth more to White than the first score, or more to Black than the
/// second, which are then open no longer.
///
/// On entry the ledger has the best score that the side to move can reach by a turn which leaves the
/// slice, or the score of the position itself if the game is over there. `decided`, if it is given, is
/// narrowed down.
///
/// # Errors
/// If the ledger lacks something.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`](crate::answer::score::Store::SPAN).
pub fn settle_beyond<L: Ledger>(
    slice: &Slice,
    turns: &impl QuietTurns,
    open: &mut Sets,
    ledger: &mut L,
    floors: [Score; 2],
    decided: Option<&Decided>,
) -> Result<(), L::Lack> {
    Color::ALL
        .into_iter()
        .zip(floors)
        .try_for_each(|half| Pass::new(slice, turns, half, decided).run(open, ledger))
}

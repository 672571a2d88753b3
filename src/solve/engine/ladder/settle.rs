//! Settles a slice from both ends of the ladder.

use super::{decided::Decided, pass::HalfPass, score_store::ScoreStore};
use crate::solve::engine::slice::{QuietTurns, Sets, Slice};
use crate::{answer::score::Score, board::Color};

/// Settles the `open` positions worth more to White than the first score, or more to Black than the
/// second, which are then open no longer.
///
/// On entry the store has the score of the best exit of each position, or the score of the position
/// itself if the game is over there. `decided`, if it is given, is narrowed down.
///
/// # Errors
/// If the store lacks something.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`](crate::answer::score::Store::SPAN).
pub fn settle_beyond<S: ScoreStore>(
    slice: &Slice,
    turns: &impl QuietTurns,
    open: &mut Sets,
    store: &mut S,
    floors: [Score; 2],
    decided: Option<&Decided>,
) -> Result<(), S::Error> {
    Color::ALL
        .into_iter()
        .zip(floors)
        .try_for_each(|half| HalfPass::new(slice, turns, half, decided).run(open, store))
}

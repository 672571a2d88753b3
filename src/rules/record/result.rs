//! The results that records give.

use crate::{
    board::Color,
    rules::game::{Ending, Game, Replay, results},
};

/// The results that a record can give.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The result of a game as records write it: `1-0`, `0-1`, `1/2-1/2`, or `*` if it goes on. Where
/// points are split, whoever has more has won.
pub fn result_text(ending: Option<&impl Ending>) -> &'static str {
    match ending.map(Ending::winner) {
        Some(Some(Color::White)) => RESULTS[0],
        Some(Some(Color::Black)) => RESULTS[1],
        Some(None) => RESULTS[2],
        None => RESULTS[3],
    }
}

/// A result that a record gives against the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatedError {
    /// The game has ended in another way.
    #[error("the record says {stated}, but the result is {result}")]
    Other {
        /// What it says.
        stated: String,
        /// What is right.
        result: &'static str,
    },
    /// A draw, where there are none.
    #[error(
        "the record says {}, but this game has no draws, nor can players agree on one",
        RESULTS[2]
    )]
    NoDraws,
}

/// Checks that a record of a finished game gives its true result, or, where a draw is scored, that
/// it is a draw. What it says of others, only the players know, but that a game is drawn which has
/// no draws.
///
/// # Errors
/// If it gives another.
pub fn check_results<G: Game>(
    replay: &Replay<G>,
    ending: Option<&G::Ending>,
) -> Result<(), StatedError> {
    let right = ending.map(|ending| (result_text(Some(ending)), ending.is_draw()));
    check(results(&replay.tags, replay.stated), G::HAS_DRAWS, right)
}

/// The same for what a record says, and the right result and whether it is a draw.
fn check<'r>(
    mut said: impl Iterator<Item = &'r str> + Clone,
    has_draws: bool,
    right: Option<(&'static str, bool)>,
) -> Result<(), StatedError> {
    if !has_draws && said.clone().any(|said| said == RESULTS[2]) {
        return Err(StatedError::NoDraws);
    }
    let Some((result, is_draw)) = right else { return Ok(()) };
    let is_right = |said: &str| said == result || (said == RESULTS[2] && is_draw);
    match said.find(|said| !is_right(said)) {
        Some(stated) => Err(StatedError::Other { stated: stated.to_owned(), result }),
        None => Ok(()),
    }
}

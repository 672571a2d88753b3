//! What ends a game at the board though it could go on: draws that players agree on or claim, and
//! resigning.

use std::{fmt, hash::Hash};

use super::{
    chess::Setup,
    game::{Game, Replay, Stated},
};
use crate::board::Color;

/// A draw that is agreed on or claimed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DrawClaim {
    /// The players agree.
    Agreement,
    /// The last position has come about three times.
    Repetition,
    /// Nobody has captured or moved a pawn for fifty moves of each side.
    FiftyMoves,
}

impl fmt::Display for DrawClaim {
    /// As `drawn` goes on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawClaim::Agreement => "by agreement",
            DrawClaim::Repetition => "by threefold repetition",
            DrawClaim::FiftyMoves => "by fifty moves without a capture or a pawn move",
        })
    }
}

/// The plies without a capture or a pawn move after which a draw can be claimed.
const FIFTY_MOVES: u32 = 100;

/// How a record ends that stops where the game could go on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Conclusion {
    /// With a draw.
    Drawn(DrawClaim),
    /// This side resigns.
    Resigned(Color),
}

/// How a record ends that stops where the game could go on, if it has ended. `identity` is what
/// makes two positions the same, and `ahead` who would come out ahead if it were a draw.
///
/// The last position may be one in which a draw can be claimed. It is one then, unless the record
/// gives the game to a side that a draw does not: that can only be because the other resigned.
pub fn conclusion<G: Game, I: Eq + Hash>(
    replay: &Replay<G>,
    setup: impl Fn(&G::Position) -> &Setup,
    identity: impl Fn(&G::Position) -> I,
    ahead: Option<Color>,
) -> Option<Conclusion> {
    let last = replay.last();
    let same = identity(last);
    let before = replay.plies.iter().filter(|ply| identity(&ply.before) == same).count();
    let claim = if before >= 2 {
        Some(DrawClaim::Repetition)
    } else {
        (setup(last).halfmove >= FIFTY_MOVES).then_some(DrawClaim::FiftyMoves)
    };
    match (replay.said(), claim) {
        (None, claim) => claim.map(Conclusion::Drawn),
        (Some(Stated::Drawn), claim) => {
            Some(Conclusion::Drawn(claim.unwrap_or(DrawClaim::Agreement)))
        }
        (Some(Stated::Won(winner)), Some(claim)) if ahead == Some(winner) => {
            Some(Conclusion::Drawn(claim))
        }
        (Some(Stated::Won(winner)), _) => Some(Conclusion::Resigned(!winner)),
    }
}

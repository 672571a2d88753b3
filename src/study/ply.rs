//! A turn of a line, and turns as they are read.

use crate::{answer::Tabled, board::Color, rules::Game};

/// One turn of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePly<G: Tabled> {
    /// The position before the turn.
    pub before: G::Position,
    /// The turn.
    pub turn: G::Turn,
    /// The position after it.
    pub after: G::Position,
    /// What the tables say of that position.
    pub answer: G::Answer,
}

/// A turn as people and programs read it, whatever game it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnText {
    /// Who makes it.
    pub mover: Color,
    /// The turn in UCI notation.
    pub uci: String,
    /// The turn in short notation.
    pub san: String,
    /// What a replay tells beside it.
    pub comment: Option<String>,
    /// The FEN of the position after it.
    pub fen: String,
    /// How the game has ended, if the turn ended it.
    pub ending: Option<String>,
}

impl TurnText {
    /// A turn from one position to another.
    pub fn new<G: Game>(
        game: &G,
        before: &G::Position,
        turn: G::Turn,
        after: &G::Position,
    ) -> TurnText {
        TurnText {
            mover: game.to_move(before),
            uci: game.uci(before, turn),
            san: game.san(before, turn),
            comment: game.comment(before, turn, after),
            fen: game.fen(after),
            ending: game.ending(after).map(|ending| ending.to_string()),
        }
    }
}

/// `1 ply`, `12 plies`.
pub(super) fn plies(number: impl Into<u64>) -> String {
    let number = number.into();
    format!("{number} pl{}", if number == 1 { "y" } else { "ies" })
}

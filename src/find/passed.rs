//! The same men with the other side to move.

use crate::rules::Game;

/// The fields of a FEN that say whose turn it is, and where a pawn can be taken in passing.
const TO_MOVE: usize = 1;
const EN_PASSANT: usize = 3;

/// A position as if it were the other side's turn; `None` if that is no position, since that side
/// would take the King.
///
/// It is written and read again, so that each game says itself what is a position of it.
pub(super) fn passed<G: Game>(game: &G, position: &G::Position) -> Option<G::Position> {
    let fen = game.fen(position);
    let other = (!game.to_move(position)).letter().to_string();
    let field = |(place, field)| match place {
        TO_MOVE => other.as_str(),
        EN_PASSANT => "-",
        _ => field,
    };
    let fields: Vec<&str> = fen.split(' ').enumerate().map(field).collect();
    game.parse_fen(&fields.join(" ")).ok()
}

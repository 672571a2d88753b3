//! Positions like another: with the other side to move, or seen through a symmetry.
//!
//! They are made by way of their FENs, so that each game says itself what is a position of it.

use crate::{
    board::{Square, Symmetry},
    rules::Game,
};

/// The fields of a FEN: the board, whose turn it is, and where a pawn can be taken in passing.
const BOARD: usize = 0;
const TO_MOVE: usize = 1;
const EN_PASSANT: usize = 3;

/// A position as if it were the other side's turn; `None` if that is no position, since that side
/// would take the King.
pub(super) fn passed<G: Game>(game: &G, position: &G::Position) -> Option<G::Position> {
    let other = (!game.to_move(position)).letter();
    read_changed(game, position, |place, field| match place {
        TO_MOVE => other.to_string(),
        EN_PASSANT => "-".to_owned(),
        _ => field.to_owned(),
    })
}

/// A position seen through a symmetry that its game keeps.
pub(super) fn image<G: Game>(
    game: &G,
    position: &G::Position,
    symmetry: Symmetry,
) -> Option<G::Position> {
    let men = game.board(position).image(symmetry).to_string();
    read_changed(game, position, |place, field| match place {
        // Men in reserve stand behind those on the board.
        BOARD => men.clone() + field.find('[').map_or("", |reserve| &field[reserve..]),
        EN_PASSANT => match field.parse::<Square>() {
            Ok(square) => symmetry.image(square).to_string(),
            Err(_) => field.to_owned(),
        },
        _ => field.to_owned(),
    })
}

/// The position of a FEN whose fields were changed.
fn read_changed<G: Game>(
    game: &G,
    position: &G::Position,
    change: impl Fn(usize, &str) -> String,
) -> Option<G::Position> {
    let fen = game.fen(position);
    let fields = fen.split(' ').enumerate().map(|(place, field)| change(place, field));
    game.parse_fen(&fields.collect::<Vec<String>>().join(" ")).ok()
}

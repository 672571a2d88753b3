//! Men that let nobody win, whatever is played, in the games of lila-tablebase.

use crate::{
    board::{Bitboard, Board, Color, Role},
    rules::Setup,
};

/// Whether nobody can mate in orthodox chess.
pub fn in_chess(setup: &Setup) -> bool {
    Color::ALL.iter().all(|&color| cannot_mate(setup, color))
}

/// Whether no sequence of legal moves lets a side mate.
fn cannot_mate(setup: &Setup, color: Color) -> bool {
    let board = &setup.board;
    let own = |role| board.men(color, role);
    if [Role::Pawn, Role::Rook, Role::Queen].iter().any(|&role| !own(role).is_empty()) {
        return false;
    }
    if !own(Role::Knight).is_empty() {
        // One knight mates a king that is shut in by a man of its own other than a queen.
        let helpers = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
        let helped = helpers.iter().any(|&role| !board.men(!color, role).is_empty());
        return board.of(color).len() == 2 && !helped;
    }
    if !own(Role::Bishop).is_empty() {
        // Bishops on one colour need a man that can block the other.
        let bishops = board.with(Role::Bishop);
        let one_colour =
            !bishops.intersects(Bitboard::DARK) || !bishops.intersects(Bitboard(!Bitboard::DARK.0));
        let blocked = [Role::Pawn, Role::Knight].iter().any(|&role| !board.with(role).is_empty());
        return one_colour && !blocked;
    }
    true
}

/// Whether nobody can mate in atomic chess, nor explode a King.
pub fn in_atomic(setup: &Setup) -> bool {
    let board = &setup.board;
    let kings = board.with(Role::King);
    if kings.len() < 2 {
        // One has exploded.
        return false;
    }
    let [white, black] = Color::ALL.map(|color| board.of(color) & !kings);
    let men = white | black;
    if !white.is_empty() && !black.is_empty() {
        // A man that is captured beside its King explodes it.
        return bishops_never_meet(board, men);
    }
    // Against a King alone: kings that touch are safe, so that it takes a queen, or several men.
    let may_be_queen = board.with(Role::Queen) | board.with(Role::Pawn);
    let knights = (men & board.with(Role::Knight)) == men;
    !men.intersects(may_be_queen) && (men.len() < 2 || knights && men.len() == 2)
}

/// Whether nobody can get rid of all men in antichess.
pub fn in_antichess(setup: &Setup) -> bool {
    bishops_never_meet(&setup.board, setup.board.occupied())
}

/// Whether some men are bishops alone, White's on one colour of squares and Black's on the other.
fn bishops_never_meet(board: &Board, men: Bitboard) -> bool {
    let [white, black] = Color::ALL.map(|color| board.of(color) & men);
    let apart = |one: Bitboard, other: Bitboard| {
        (white & one) == white && (black & other) == black && !white.is_empty() && !black.is_empty()
    };
    (men & board.with(Role::Bishop)) == men
        && (apart(Bitboard::LIGHT, Bitboard::DARK) || apart(Bitboard::DARK, Bitboard::LIGHT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Variant};

    fn of(game: &str, fen: &str) -> Setup {
        let game = Variant::named(game).expect("a game");
        game.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn in_atomic_chess_a_queen_wins_and_a_rook_does_not() {
        for (men, is_drawn) in [
            ("8/8/8/3k4/8/8/8/K7", true),
            ("8/8/8/3k4/8/8/8/K6R", true),
            ("8/8/8/3k4/8/8/8/K5NN", true),
            ("8/8/8/3k4/8/8/8/K5Q1", false),
            ("8/8/8/3k4/8/8/4P3/K7", false),
            ("8/8/8/3k4/8/8/8/K4NNN", false),
            ("8/8/8/3k4/8/8/8/K5RR", false),
            ("8/8/8/3k3r/8/8/8/K5R1", false),
            // On squares of one colour, and of two.
            ("8/8/8/3k4/8/4b3/8/K5B1", false),
            ("8/8/8/3k4/8/5b2/8/K5B1", true),
        ] {
            assert_eq!(in_atomic(&of("atomic", men)), is_drawn, "{men}");
        }
    }

    #[test]
    fn in_antichess_only_bishops_cannot_be_got_rid_of() {
        for (men, is_drawn) in [
            ("8/8/8/8/8/5b2/8/6B1", true),
            ("8/8/8/8/8/5b2/5b2/6B1", false),
            ("8/8/8/8/8/4b3/8/6B1", false),
            ("8/8/8/8/8/5b2/8/6R1", false),
            ("8/8/8/8/8/5n2/8/6N1", false),
        ] {
            assert_eq!(in_antichess(&of("antichess", men)), is_drawn, "{men}");
        }
    }
}

//! The FEN frame all games share.
//!
//! `<placement>[<holdings>] <turn> <castling> <en passant> [<game field>…] [<halfmove>]
//! [<fullmove>]`
//!
//! Read are also: underscores for spaces, several spaces for one, and texts that stop early (then
//! it is White's turn, nobody may castle, nothing can be taken en passant, counters are `0 1`).
//! One number at the end is the halfmove counter. Castling letters may come in any order. An
//! en passant square must be one a pawn has just stepped over; where no pawn attacks it, it is
//! forgotten. Whether the position before the double step could have been reached is not asked,
//! just as it is not asked of any other men.
//!
//! [`write`] gives the one canonical form, with every field.
//!
//! A game reads a FEN in steps: [`Frame::read`], [`Frame::board`], its own checks and fields
//! ([`Frame::take`]), and at last [`Frame::setup`], which refuses whatever is left.

use std::fmt::{self, Write};

use crate::board::{
    Bitboard, Board, ByColor, Color, PlacementError, Role, RoleSet, Square, between,
};

use super::{
    chess::{Castling, CastlingSquares, Setup},
    laws::Laws,
};

/// Why a FEN is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// No text.
    #[error("the FEN is empty; it begins with the placement of the men")]
    Empty,
    /// A character no FEN has.
    #[error("`{0}` is not an ASCII character; a FEN has no others")]
    NotAscii(char),
    /// The placement is none.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// Men in reserve where a game has no reserve.
    #[error("this game has no reserve; leave out `[{0}]`")]
    Holdings(String),
    /// Neither `w` nor `b`.
    #[error("`{0}` is not a side to move; write w or b")]
    Turn(String),
    /// Not a list of castling rights.
    #[error("`{0}` is not a list of castling rights; write - or some of KQkq, each once")]
    Castling(String),
    /// Castling rights in a game without castling.
    #[error("this game has no castling; write - instead of `{0}`")]
    NoCastling(String),
    /// A castling right whose King or Rook is not at home.
    #[error("castling right `{right}` needs {color}'s king on {king} and a rook on {rook}")]
    CastlingHome {
        /// The letter of the right.
        right: char,
        /// Whose right it is.
        color: Color,
        /// The King's home.
        king: Square,
        /// The Rook's home.
        rook: Square,
    },
    /// Not a square.
    #[error("`{0}` is not an en passant square; write - or a square a pawn has just stepped over")]
    EnPassant(String),
    /// A square no pawn of the other side can have stepped over.
    #[error("en passant square {square} must be on rank {rank} when it is {to_move}'s turn")]
    EnPassantRank {
        /// The square.
        square: Square,
        /// The right rank, 1 to 8.
        rank: u8,
        /// The side to move.
        to_move: Color,
    },
    /// No pawn has just stepped over the square.
    #[error(
        "en passant square {square} needs a pawn of {owner} on {pawn} and nothing behind it up to {home}"
    )]
    EnPassantPawn {
        /// The square.
        square: Square,
        /// Whose pawn stepped over it.
        owner: Color,
        /// Where the pawn must stand.
        pawn: Square,
        /// Where it came from.
        home: Square,
    },
    /// Pawns do not walk over the square.
    #[error("en passant square {square} is impossible: no pawn of this game walks over it")]
    NeverPassed {
        /// The square.
        square: Square,
    },
    /// Several squares that no pawn walks over at once.
    #[error("en passant squares {0} are impossible: no pawn of this game walks over all of them")]
    NeverPassedAtOnce(String),
    /// A side without King, or with several.
    #[error("{color} has {found} kings; each side has exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// How many it has.
        found: usize,
    },
    /// A side without men.
    #[error("{0} has no men; each side has at least one")]
    NoMen(Color),
    /// A pawn on the first or the last rank.
    #[error("a pawn stands on {square}; pawns stand on ranks 2 to {last}")]
    PawnRank {
        /// The square.
        square: Square,
        /// The last rank on which pawns stand, 7 on the board of chess.
        last: u8,
    },
    /// A piece where it would have promoted.
    #[error("the man on {square} would have promoted there")]
    Unpromoted {
        /// The square.
        square: Square,
    },
    /// A pawn on its last rank, where pawns may stand on the first.
    #[error("a pawn stands on {square}, the last rank of its side")]
    PawnOnLastRank {
        /// The square.
        square: Square,
    },
    /// A pawn on its first rank, where pawns may stand on the last.
    #[error("a pawn stands on {square}, the first rank of its side")]
    PawnOnFirstRank {
        /// The square.
        square: Square,
    },
    /// Kings that would take each other.
    #[error("the kings stand side by side, on {white} and {black}")]
    KingsTouch {
        /// Where White's stands.
        white: Square,
        /// Where Black's stands.
        black: Square,
    },
    /// The side not to move is in check.
    #[error("{in_check}'s king is in check, but it is {to_move}'s turn")]
    Check {
        /// The side in check.
        in_check: Color,
        /// The side to move.
        to_move: Color,
    },
    /// A counter out of range.
    #[error("`{text}` is not a {name}; write a number from {least} to {}", u32::MAX)]
    Counter {
        /// Which counter.
        name: &'static str,
        /// What it says.
        text: String,
        /// The least value it may have.
        least: u32,
    },
    /// A field of the game behind the counters.
    #[error("`{0}` stands behind the counters; it belongs before them")]
    Order(String),
    /// What the rules of one game have against the position, in words.
    #[error("{0}")]
    Game(String),
    /// A field after the en passant field that the game does not know or that is out of range.
    #[error("`{text}` is not a field of this game; {expected}")]
    Field {
        /// What it says.
        text: String,
        /// What may stand there.
        expected: String,
    },
}

impl FenError {
    /// What the rules of one game have against a position.
    pub(crate) fn game(problem: impl ToString) -> FenError {
        FenError::Game(problem.to_string())
    }
}

/// The fields of a FEN, not looked into yet.
#[derive(Debug)]
pub struct Frame<'t> {
    placement: &'t str,
    /// What stands in brackets after the placement; a game with a reserve takes it out.
    pub holdings: Option<&'t str>,
    turn: &'t str,
    castling: &'t str,
    /// The en passant field as written.
    pub en_passant: &'t str,
    fields: Vec<&'t str>,
    /// A field that was taken from behind a counter.
    late: Option<&'t str>,
    halfmove: &'t str,
    fullmove: &'t str,
}

impl<'t> Frame<'t> {
    /// Splits a FEN into its fields.
    ///
    /// # Errors
    /// If the text is empty or not ASCII.
    pub fn read(fen: &'t str) -> Result<Frame<'t>, FenError> {
        if !fen.is_ascii() {
            let foreign = fen.chars().find(|letter| !letter.is_ascii());
            return Err(FenError::NotAscii(foreign.unwrap_or_default()));
        }
        let mut words = fen
            .split(|letter: char| letter == '_' || letter.is_ascii_whitespace())
            .filter(|word| !word.is_empty());
        let first = words.next().ok_or(FenError::Empty)?;
        let bracketed = first.strip_suffix(']').and_then(|text| text.split_once('['));
        let (placement, holdings) =
            bracketed.map_or((first, None), |(placement, held)| (placement, Some(held)));
        let turn = words.next().unwrap_or("w");
        let castling = words.next().unwrap_or("-");
        let en_passant = words.next().unwrap_or("-");
        let mut fields: Vec<&str> = words.collect();
        let counters = fields.iter().rev().take(2).take_while(|word| is_number(word)).count();
        let mut counters = fields.split_off(fields.len() - counters).into_iter();
        let halfmove = counters.next().unwrap_or("0");
        let fullmove = counters.next().unwrap_or("1");
        let late = None;
        let frame = Frame {
            placement,
            holdings,
            turn,
            castling,
            en_passant,
            fields,
            late,
            halfmove,
            fullmove,
        };
        Ok(frame)
    }

    /// The men on the board of chess, of the given roles only, pawns on their ranks.
    ///
    /// # Errors
    /// If the placement is none, or a pawn stands on the first or eighth rank.
    pub fn board(&self, roles: RoleSet) -> Result<Board, FenError> {
        self.board_under(roles, &Laws::ORTHODOX)
    }

    /// The same on the board of some laws.
    ///
    /// # Errors
    /// If the placement is none, or a pawn stands where none can.
    pub fn board_under(&self, roles: RoleSet, laws: &Laws) -> Result<Board, FenError> {
        let board = Board::from_placement(self.placement, roles, laws.size)?;
        let misplaced = |&color: &Color| board.men(color, Role::Pawn) & !laws.pawn_squares(color);
        let misplaced = Color::ALL.iter().map(misplaced).fold(Bitboard::EMPTY, |all, of| all | of);
        let Some(square) = misplaced.first() else { return Ok(board) };
        let last = laws.size.ranks().saturating_sub(1);
        Err(match laws.pawns_on_ends() {
            [true, _] => FenError::PawnOnLastRank { square },
            [false, true] => FenError::PawnOnFirstRank { square },
            [false, false] => FenError::PawnRank { square, last },
        })
    }

    /// Checks that the castling field is empty, for games without castling.
    ///
    /// # Errors
    /// A [`FenError::NoCastling`] if it is not.
    pub fn no_castling(&self) -> Result<(), FenError> {
        match self.castling {
            "-" => Ok(()),
            rights => Err(FenError::NoCastling(rights.to_owned())),
        }
    }

    /// Takes out the first game field of a shape: the one `read` makes something of.
    pub fn take<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<(&'t str, T)> {
        let (at, value) =
            self.fields.iter().enumerate().find_map(|(at, field)| Some((at, read(field)?)))?;
        let field = self.fields.remove(at);
        if self.fields[..at].iter().any(|earlier| is_number(earlier)) {
            self.late.get_or_insert(field);
        }
        Some((field, value))
    }

    /// The men on `board` with the standard fields. `expected` says in words which game fields
    /// there can be, for the error about those that nobody took.
    ///
    /// # Errors
    /// If a field is malformed, unknown or does not fit the men, or if Kings are royal under
    /// `laws` and the side not to move is in check.
    pub fn setup(self, board: Board, laws: &Laws, expected: &str) -> Result<Setup, FenError> {
        if let Some(held) = self.holdings {
            return Err(FenError::Holdings(held.to_owned()));
        }
        if let Some(field) = self.late {
            return Err(FenError::Order(field.to_owned()));
        }
        // Numbers may well be the counters, with something wrong among or behind them.
        let wrong = self.fields.iter().find(|field| !is_number(field)).or(self.fields.first());
        if let Some(field) = wrong {
            return Err(FenError::Field {
                text: (*field).to_owned(),
                expected: expected.to_owned(),
            });
        }
        let to_move = Color::ALL
            .into_iter()
            .find(|color| self.turn.chars().eq([color.letter()]))
            .ok_or_else(|| FenError::Turn(self.turn.to_owned()))?;
        let mut setup = Setup {
            castling: read_castling(self.castling, &board)?,
            en_passant: read_en_passant(self.en_passant, &board, to_move, laws)?,
            checks_left: None,
            halfmove: read_counter("halfmove counter", self.halfmove, 0)?,
            fullmove: read_counter("move number", self.fullmove, 1)?,
            board,
            to_move,
        };
        if let Some(square) = laws.unpromoted(&setup.board) {
            return Err(FenError::Unpromoted { square });
        }
        let passed = setup.en_passant_squares(laws).next();
        setup.en_passant = passed;
        if laws.kings_face(&setup.board) {
            return Err(FenError::game(
                "the Kings face each other with nobody between, which they may not in this game",
            ));
        }
        if !laws.checks && laws.in_check(&setup.board, to_move) {
            return Err(FenError::game(format!(
                "{to_move}'s King is in check, and nobody may give check in this game"
            )));
        }
        // Whoever has blown up the King need not have minded a check.
        let blown_up = laws.explosive && laws.has_royal() && setup.board.king(to_move).is_none();
        if !blown_up && laws.in_check(&setup.board, !to_move) {
            let kings = Color::ALL.map(|color| setup.board.men(color, Role::King).first());
            return Err(match kings {
                [Some(white), Some(black)]
                    if laws.keeps_kings_apart() && white.king_steps(black) == 1 =>
                {
                    FenError::KingsTouch { white, black }
                }
                _ => FenError::Check { in_check: !to_move, to_move },
            });
        }
        Ok(setup)
    }
}

/// Whether a field has the shape of a counter.
pub(super) fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_castling(text: &str, board: &Board) -> Result<Castling, FenError> {
    let malformed = || FenError::Castling(text.to_owned());
    let mut castling = Castling::NONE;
    if text == "-" {
        return Ok(castling);
    }
    for letter in text.chars() {
        let (color, wing) = Castling::every()
            .find(|&(color, wing)| Castling::letter(color, wing) == letter)
            .filter(|&(color, wing)| !castling.has(color, wing))
            .ok_or_else(malformed)?;
        let CastlingSquares { king_from, rook_from, .. } = wing.squares(color);
        if board.king(color) != Some(king_from) || !board.men(color, Role::Rook).contains(rook_from)
        {
            let (king, rook) = (king_from, rook_from);
            return Err(FenError::CastlingHome { right: letter, color, king, rook });
        }
        castling = castling.with(Castling::right(color, wing));
    }
    Ok(castling)
}

fn read_en_passant(
    text: &str,
    board: &Board,
    to_move: Color,
    laws: &Laws,
) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let owner = !to_move;
    let malformed = || FenError::EnPassant(text.to_owned());
    let square = |name: &[u8]| str::from_utf8(name).ok()?.parse::<Square>().ok();
    let mut squares: Vec<Square> =
        text.as_bytes().chunks(2).map(square).collect::<Option<_>>().ok_or_else(malformed)?;
    // Fairy-Stockfish names where a man has come to by a first move, with the squares between, though
    // nobody can take it.
    let has_come = |&square: &Square| {
        let man = board.get(square).filter(|man| man.color == owner);
        man.is_some_and(|man| laws.movements.of(man).has_initial())
    };
    if squares.iter().any(has_come) {
        return Ok(None);
    }
    squares.sort_by_key(|square| square.rank());
    if owner == Color::Black {
        squares.reverse();
    }
    let &square = squares.first().ok_or_else(malformed)?;
    let walks = laws.walks_over(owner, square).filter(|&(home, pawn, _)| {
        let walked = between(home, pawn);
        squares.iter().all(|&square| walked.contains(square))
    });
    let walks: Vec<_> = walks.collect();
    let Some(&(home, pawn, _)) = walks.first() else {
        let passed = laws.passed_squares(to_move);
        return Err(match passed.first() {
            _ if squares.len() > 1 => FenError::NeverPassedAtOnce(text.to_owned()),
            Some(other) if !passed.intersects(Bitboard::rank(square.rank())) => {
                FenError::EnPassantRank { square, rank: other.rank() + 1, to_move }
            }
            _ => FenError::NeverPassed { square },
        });
    };
    let has_walked = |&(_, pawn, steps): &(Square, Square, i8)| {
        let home = laws.walked_from(owner, (pawn, steps), board.occupied());
        board.men(owner, Role::Pawn).contains(pawn) && home.is_some()
    };
    match walks.iter().any(has_walked) {
        true => Ok(Some(square)),
        false => Err(FenError::EnPassantPawn { square, owner, pawn, home }),
    }
}

fn read_counter(name: &'static str, text: &str, least: u32) -> Result<u32, FenError> {
    text.parse().ok().filter(|&count| count >= least).ok_or_else(|| FenError::Counter {
        name,
        text: text.to_owned(),
        least,
    })
}

/// Checks that each side has exactly one King; a disk is one.
///
/// # Errors
/// A [`FenError::Kings`] that names the side which has not.
pub fn one_king_each(board: &Board) -> Result<(), FenError> {
    let kings = board.with(Role::King) | board.with(Role::Disk);
    for color in Color::ALL {
        let found = (board.of(color) & kings).len();
        if found != 1 {
            return Err(FenError::Kings { color, found });
        }
    }
    Ok(())
}

/// The most points a side can have in a FEN. No game comes near, and all that any game adds to
/// them sums exactly.
pub const MAX_POINTS: u32 = 1_000_000;

/// Reads points of the shape `<number>+<number>`, White's first, up to [`MAX_POINTS`].
pub fn read_points(text: &str) -> Option<ByColor<u32>> {
    let points = read_pair(text).filter(|points| points.iter().all(|&points| points <= MAX_POINTS));
    points.map(ByColor::from)
}

/// Reads a game field of the shape `<number>+<number>`, White's first.
pub fn read_pair(text: &str) -> Option<[u32; 2]> {
    let (white, black) = text.split_once('+')?;
    let number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
    };
    Some([number(white)?, number(black)?])
}

/// The canonical FEN: `holdings` with its brackets (empty in games without a reserve), and
/// `fields` the game fields in their order.
pub fn write(setup: &Setup, laws: &Laws, holdings: &str, fields: &[String]) -> String {
    let Setup { board, to_move, castling, halfmove, fullmove, .. } = setup;
    // Room for most.
    let mut fen = String::with_capacity(96);
    let mut write = |part: fmt::Arguments<'_>| fen.write_fmt(part).expect("a string takes all");
    write(format_args!("{board}{holdings} {} {castling} ", to_move.letter()));
    // Several in the order in which Fairy-Stockfish writes them.
    let passed: Bitboard = setup.en_passant_squares(laws).collect();
    if passed.is_empty() {
        write(format_args!("-"));
    }
    passed.for_each(|square| write(format_args!("{square}")));
    fields.iter().for_each(|field| write(format_args!(" {field}")));
    write(format_args!(" {halfmove} {fullmove}"));
    fen
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use crate::rules::{
        Definition, Game, High, Laws, Noro, Stylish, Tiebraker, Variant, random_play,
    };

    #[test]
    fn lenient_reading_gives_one_canonical_form() {
        let canonical = "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50 0 1";
        for text in [
            canonical,
            "8/8/8/3k4/8/8/1BN5/K7",
            "8/8/8/3k4/8/8/1BN5/K7 w",
            " 8/8/8/3k4/8/8/1BN5/K7_w_-_-_50+50_0_1 ",
            "8/8/8/3k4/8/8/1BN5/K7  w  -  -  0",
            "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50",
        ] {
            let game = High::default();
            assert_eq!(game.fen(&game.parse_fen(text).unwrap()), canonical, "{text}");
        }
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b qkQK - 3 9";
        assert_eq!(
            Variant::orthodox().fen(&Variant::orthodox().parse_fen(fen).unwrap()),
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9"
        );
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (fen, error) in [
            ("", "the FEN is empty; it begins with the placement of the men"),
            ("8/8/8/8/8/8/8/Kk5é w", "`é` is not an ASCII character; a FEN has no others"),
            ("8/8/8/8/8/8/8/K7 w", "Black has 0 kings; each side has exactly one"),
            ("k7/8/8/8/8/8/8/K1K5 w", "White has 2 kings; each side has exactly one"),
            ("k7/8/8/8/8/8/8/K6P w", "a pawn stands on h1; pawns stand on ranks 2 to 7"),
            (
                "k7/8/8/8/8/8/8/K6D w",
                "`D` on rank 1 is neither a man of this game nor a number of empty squares",
            ),
            ("k7/8/8/8/8/8/8/K7[Q] w", "this game has no reserve; leave out `[Q]`"),
            ("k7/8/8/8/8/8/8/K7 x", "`x` is not a side to move; write w or b"),
            ("k6R/8/8/8/8/8/8/K7 w", "Black's king is in check, but it is White's turn"),
            ("k7/1K6/8/8/8/8/8/8 w", "the kings stand side by side, on b7 and a8"),
            (
                "k7/8/8/8/8/8/8/4K2R w X",
                "`X` is not a list of castling rights; write - or some of KQkq, each once",
            ),
            (
                "k7/8/8/8/8/8/8/4K2R w KK",
                "`KK` is not a list of castling rights; write - or some of KQkq, each once",
            ),
            (
                "k7/8/8/8/8/8/8/4K2R w Q",
                "castling right `Q` needs White's king on e1 and a rook on a1",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - e9",
                "`e9` is not an en passant square; write - or a square a pawn has just stepped over",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - e3",
                "en passant square e3 must be on rank 6 when it is White's turn",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - e6",
                "en passant square e6 needs a pawn of Black on e5 and nothing behind it up to e7",
            ),
            (
                "k7/4p3/8/4p3/8/8/8/K7 w - e6",
                "en passant square e6 needs a pawn of Black on e5 and nothing behind it up to e7",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 0",
                "`0` is not a move number; write a number from 1 to 4294967295",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 9999999999",
                "`9999999999` is not a halfmove counter; write a number from 0 to 4294967295",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 1 rest",
                "`rest` is not a field of this game; only the two counters may follow",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 1 50+50",
                "`50+50` is not a field of this game; only the two counters may follow",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 3 0 1",
                "`3` is not a field of this game; only the two counters may follow",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 50+50",
                "`50+50` is not a field of this game; only the two counters may follow",
            ),
        ] {
            assert_eq!(Variant::orthodox().parse_fen(fen).unwrap_err().to_string(), error, "{fen}");
        }
        for (fields, error) in [
            (
                "51+50",
                "`51+50` is not a field of this game; each vitality is a number from 1 to 50",
            ),
            ("0 1 50+50", "`50+50` stands behind the counters; it belongs before them"),
            ("0 50+50 1", "`50+50` stands behind the counters; it belongs before them"),
            (
                "50+50 0 1 extra",
                "`extra` is not a field of this game; only the vitalities as <white>+<black> and \
                 the two counters may follow",
            ),
        ] {
            let fen = format!("k7/8/8/8/8/8/8/K7 w - - {fields}");
            assert_eq!(High::default().parse_fen(&fen).unwrap_err().to_string(), error);
        }
    }

    /// Orthodox chess in which pawns may also walk three squares.
    fn with_triple_steps() -> Variant {
        let laws = Laws { triple_steps: Laws::ORTHODOX.double_steps, ..Laws::ORTHODOX };
        Variant::new(Definition { laws, ..Definition::default() })
    }

    pub fn check_round_trips<G: Game>(game: &G, picks: &[u16]) -> Result<(), TestCaseError> {
        for position in random_play::positions(game, game.initial(), picks) {
            // A finished game may show what no position to play on may.
            if game.ending(&position).is_none() {
                prop_assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position));
            }
        }
        Ok(())
    }

    /// Whatever is accepted can be played on and is written and read back the same.
    pub fn check_total<G: Game>(game: &G, text: &str) -> Result<(), TestCaseError> {
        if let Ok(position) = game.parse_fen(text) {
            prop_assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position.clone()));
            prop_assert_eq!(game.turns(&position).is_empty(), game.ending(&position).is_some());
            for turn in game.turns(&position) {
                let _ = game.ending(&game.play(&position, turn));
                let _ = game.san(&position, turn);
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn positions_of_random_games_round_trip(picks in random_play::picks(200)) {
            check_round_trips(&Variant::orthodox(), &picks)?;
            check_round_trips(&with_triple_steps(), &picks)?;
            check_round_trips(&High::default(), &picks)?;
            check_round_trips(&Noro::default(), &picks)?;
            check_round_trips(&Stylish::default(), &picks)?;
            check_round_trips(&Tiebraker, &picks)?;
        }

        #[test]
        fn no_text_panics(
            text in ".*",
            fields in "([pnbrqkPNBRQK1-8]{1,8}/){7}[KRQ1-8]{1,8} [wb] [KQkq]{0,4} ([a-h][3-6]){1,2} [0-9+]{0,6} [0-9]{0,12}",
        ) {
            for text in [&text, &fields] {
                check_total(&Variant::orthodox(), text)?;
                check_total(&with_triple_steps(), text)?;
                check_total(&High::default(), text)?;
                check_total(&Noro::default(), text)?;
                check_total(&Stylish::default(), text)?;
                check_total(&Tiebraker, text)?;
            }
        }

        #[test]
        fn no_damaged_fen_panics(
            picks in random_play::picks(80),
            at: prop::sample::Index,
            letter in "[ -~]",
        ) {
            let positions = random_play::positions(&High::default(), High::default().initial(), &picks);
            let mut fen = High::default().fen(positions.last().unwrap());
            let at = at.index(fen.len());
            fen.replace_range(at..=at, &letter);
            check_total(&High::default(), &fen)?;
            check_total(&Stylish::default(), &fen)?;
            check_total(&Variant::orthodox(), &fen)?;
            check_total(&Noro::default(), &fen)?;
        }

        #[test]
        fn no_damaged_mode_panics(
            picks in random_play::picks(80),
            at: prop::sample::Index,
            letter in "[ -~]",
            mode in "(normal|declared|accepted|option1:[0-9]{1,2}|option2:[wb])",
        ) {
            let positions = random_play::positions(&Tiebraker, Tiebraker.initial(), &picks);
            let mut fen = Tiebraker.fen(positions.last().unwrap());
            let fields: Vec<&str> = fen.split(' ').collect();
            check_total(&Tiebraker, &fen.replace(fields[4], &mode))?;
            let at = at.index(fen.len());
            fen.replace_range(at..=at, &letter);
            check_total(&Tiebraker, &fen)?;
        }
    }
}

//! Turns as text: UCI and standard algebraic notation (SAN) out, those and long algebraic in.
//!
//! Read are `e2e4`, `e7e8q`, `Nf3`, `exd6`, `Ngf3`, `Ng1-f3`, `Nc6xd4`, `e7-e8=Q`, `e8Q`, `O-O`,
//! `0-0-0`, a pass as `--`, `0000`, `Z0`, `@@@@` or a step to the own square (`e1e1`), drops as
//! `Q@e4` and, with the pawn that gives way, `Q@e3:e2`; each with or without `+`, `#`, `!` and `?`
//! behind it. A promotion always names its man. So are the turns of Tiebraker Chess: a declaration
//! as `K=D` or `declare`, and `option1` and `option2`.

use crate::board::{Role, Square};

use super::{
    chess::{Move, Setup, Wing},
    game::{Game, TurnError},
};

/// A pass in UCI notation.
pub const UCI_PASS: &str = "0000";
/// A pass in standard algebraic notation.
pub const SAN_PASS: &str = "--";
/// A declaration in UCI notation.
pub const UCI_DECLARATION: &str = "declare";
/// A declaration in standard algebraic notation.
pub const SAN_DECLARATION: &str = "K=D";
/// The first way to reject a declaration, in either notation.
pub const OPTION_1: &str = "option1";
/// The second.
pub const OPTION_2: &str = "option2";

/// What a text says about a turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// The board stays as it is.
    Pass,
    /// The King becomes a disk.
    Declaration,
    /// A declaration is rejected and turned around.
    Option1,
    /// A declaration is rejected.
    Option2,
    /// Castling on a wing.
    Castling(Wing),
    /// A man enters from the reserve.
    Drop {
        /// The man.
        role: Role,
        /// Where it is put.
        to: Square,
        /// Where the pawn goes that stood there, if that is written.
        relocated: Option<Square>,
    },
    /// A man moves.
    Move {
        /// The man, or `None` if no letter is written.
        role: Option<Role>,
        /// The file it comes from, 0 to 7.
        file: Option<u8>,
        /// The rank it comes from, 0 to 7.
        rank: Option<u8>,
        /// Whether a sign of capture is written.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What it becomes.
        promotion: Option<Role>,
    },
}

impl Written {
    /// Reads a text that has the shape of a turn; whether it fits a position is
    /// asked later.
    pub fn read(text: &str) -> Option<Written> {
        if text == SAN_PASS {
            return Some(Written::Pass);
        }
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            SAN_PASS | UCI_PASS | "Z0" | "@@@@" => return Some(Written::Pass),
            SAN_DECLARATION | UCI_DECLARATION => return Some(Written::Declaration),
            OPTION_1 => return Some(Written::Option1),
            OPTION_2 => return Some(Written::Option2),
            "O-O" | "0-0" => return Some(Written::Castling(Wing::King)),
            "O-O-O" | "0-0-0" => return Some(Written::Castling(Wing::Queen)),
            _ => {}
        }
        if let Some((man, squares)) = text.split_once('@') {
            let (to, pawn) =
                squares.split_once(':').map_or((squares, None), |(to, pawn)| (to, Some(pawn)));
            let mut letters = man.chars();
            let role = letters.next().and_then(Role::from_letter)?;
            let relocated = pawn.map(str::parse).transpose().ok()?;
            return letters.next().is_none().then_some(Written::Drop {
                role,
                to: to.parse().ok()?,
                relocated,
            });
        }
        let (role, rest) = match text.chars().next().and_then(Role::from_letter) {
            Some(role) => (Some(role), &text[1..]),
            None => (None, text),
        };
        let (rest, promotion) = match rest.chars().next_back() {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let promotion = Role::from_letter(letter.to_ascii_uppercase())?;
                let rest = &rest[..rest.len() - 1];
                (rest.strip_suffix('=').unwrap_or(rest), Some(promotion))
            }
            _ => (rest, None),
        };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to: Square = to.parse().ok()?;
        let capture = origin.ends_with('x');
        let origin = origin.strip_suffix(['x', '-']).unwrap_or(origin);
        let (file, rank) = match *origin.as_bytes() {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        if role.is_none() && (file, rank) == (Some(to.file()), Some(to.rank())) {
            return Some(Written::Pass);
        }
        Some(Written::Move { role, file, rank, capture, to, promotion })
    }

    /// Whether the text can mean this board move. Without a letter it means a pawn, unless it
    /// gives the whole square the man comes from.
    pub fn fits(self, setup: &Setup, mv: Move) -> bool {
        match self {
            Written::Pass => mv.is_pass(),
            Written::Drop { .. } | Written::Declaration | Written::Option1 | Written::Option2 => {
                false
            }
            Written::Castling(wing) => setup.castling_wing(mv) == Some(wing),
            Written::Move { role, file, rank, capture, to, promotion } => {
                let pawn_implied = file.is_none() || rank.is_none();
                let role = role.or(pawn_implied.then_some(Role::Pawn));
                let stands = |role| setup.board.with(role).contains(mv.from);
                let moves = |role| stands(role) || role == Role::Pawn && stands(Role::P);
                to == mv.to
                    && promotion.map(Role::letter) == mv.promotion.map(Role::letter)
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| rank == mv.from.rank())
                    && role.is_none_or(moves)
                    && (!capture || setup.is_capture(mv))
            }
        }
    }
}

/// The one legal turn that `fits`; `text` is for the error.
///
/// # Errors
/// A [`TurnError`] if no turn fits, or several.
pub fn choose<G: Game>(
    game: &G,
    position: &G::Position,
    text: &str,
    fits: impl Fn(G::Turn) -> bool,
) -> Result<G::Turn, TurnError> {
    let turns = game.turns(position);
    let found: Vec<usize> = (0..turns.len()).filter(|&at| fits(turns[at])).collect();
    if let [at] = found[..] {
        return Ok(turns[at]);
    }
    let fen = game.fen(position);
    let (san, uci) =
        (|at| game.san(position, turns[at]), |at: usize| game.uci(position, turns[at]));
    Err(none_or_several(text.to_owned(), fen, turns.len(), &found, (&san, &uci)))
}

/// Why a text is none of so many legal turns, or several, in their short notation and in UCI.
fn none_or_several(
    text: String,
    fen: String,
    legal: usize,
    found: &[usize],
    (san, uci): (&dyn Fn(usize) -> String, &dyn Fn(usize) -> String),
) -> TurnError {
    let list = |turns: &mut dyn Iterator<Item = String>| turns.collect::<Vec<_>>().join(" ");
    match found {
        [] if legal == 0 => TurnError::Over { text, fen },
        [] => TurnError::Illegal { text, fen, legal: list(&mut (0..legal).map(san)) },
        _ => {
            let candidates = list(&mut found.iter().map(|&at| uci(at)));
            TurnError::Ambiguous { text, fen, candidates }
        }
    }
}

/// A board move in standard algebraic notation, without a sign of check. `legal` are the legal
/// board moves, among which the text must be unique.
pub fn san(setup: &Setup, legal: &[Move], mv: Move) -> String {
    if mv.is_pass() {
        return SAN_PASS.to_owned();
    }
    match setup.castling_wing(mv) {
        Some(Wing::King) => return "O-O".to_owned(),
        Some(Wing::Queen) => return "O-O-O".to_owned(),
        None => {}
    }
    let Some(man) = setup.board.get(mv.from) else {
        return mv.to_string();
    };
    let capture = if setup.is_capture(mv) { "x" } else { "" };
    let from = mv.from.to_string();
    let (file, rank) = from.split_at(1);
    let promotion = mv.promotion.map_or_else(String::new, |role| format!("={}", role.letter()));
    if man.role == Role::Pawn {
        let file = if capture.is_empty() { "" } else { file };
        return format!("{file}{capture}{}{promotion}", mv.to);
    }
    // The file tells like men apart where it can, else the rank, else both.
    let rivals: Vec<Square> = legal
        .iter()
        .filter(|other| other.to == mv.to && other.from != mv.from)
        .filter(|other| setup.board.with(man.role).contains(other.from))
        .map(|other| other.from)
        .collect();
    let origin = if rivals.is_empty() {
        ""
    } else if rivals.iter().all(|rival| rival.file() != mv.from.file()) {
        file
    } else if rivals.iter().all(|rival| rival.rank() != mv.from.rank()) {
        rank
    } else {
        &from
    };
    format!("{}{origin}{capture}{}{promotion}", man.role.letter(), mv.to)
}

/// The sign behind a turn that leaves the opponent in check: `#` if that is mate, else `+`.
pub fn check_sign(check: bool, mate: bool) -> &'static str {
    match (check, mate) {
        (true, true) => "#",
        (true, false) => "+",
        (false, _) => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{High, Noro, Stylish, Tiebraker, Variant, random_play};

    fn check_round_trips<G: Game>(game: &G, picks: &[u16]) -> Result<(), TestCaseError> {
        for position in random_play::positions(game, game.initial(), picks) {
            for turn in game.turns(&position) {
                for text in [game.uci(&position, turn), game.san(&position, turn)] {
                    prop_assert_eq!(game.parse_turn(&position, &text), Ok(turn), "{}", text);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn what_is_written_is_read_back(picks in random_play::picks(100)) {
            check_round_trips(&Variant::orthodox(), &picks)?;
            check_round_trips(&High::default(), &picks)?;
            check_round_trips(&Noro::default(), &picks)?;
            check_round_trips(&Stylish::default(), &picks)?;
            check_round_trips(&Tiebraker, &picks)?;
        }

        #[test]
        fn no_text_panics(text in ".{0,8}", notation in "[KQRBNPEDa-h1-8xO0=@+#!-]{0,8}") {
            let _ = Written::read(&text);
            let _ = Written::read(&notation);
        }
    }

    #[test]
    fn many_spellings_mean_one_move() {
        let read = |fen: &str, text: &str| {
            let setup = Variant::orthodox().parse_fen(fen).unwrap();
            Variant::orthodox().parse_turn(&setup, text).map(|mv| mv.to_string())
        };
        let knights = "r3k2r/8/8/8/8/8/8/1N2KN2 w kq -";
        for text in ["Nbd2", "Nb1-d2", "b1d2", "Nb1d2!", "Nb1-d2?!"] {
            assert_eq!(read(knights, text).as_deref(), Ok("b1d2"), "{text}");
        }
        assert!(matches!(read(knights, "Nd2"), Err(TurnError::Ambiguous { .. })));
        assert!(matches!(read(knights, "d2"), Err(TurnError::Illegal { .. })));
        assert!(matches!(read(knights, "Nb1xd2"), Err(TurnError::Illegal { .. })));
        let black = "r3k2r/8/8/8/8/8/8/1N2KN2 b kq -";
        for (text, uci) in [("O-O", "e8g8"), ("0-0-0", "e8c8"), ("e8g8", "e8g8"), ("O-O+", "e8g8")]
        {
            assert_eq!(read(black, text).as_deref(), Ok(uci), "{text}");
        }
        let promotion = "3n3k/4P3/8/8/8/8/8/K7 w - -";
        for text in ["e8=Q+", "e7-e8=Q", "e8Q", "e7e8q"] {
            assert_eq!(read(promotion, text).as_deref(), Ok("e7e8q"), "{text}");
        }
        for text in ["exd8=N", "e7xd8=N", "ed8N", "e7d8n"] {
            assert_eq!(read(promotion, text).as_deref(), Ok("e7d8n"), "{text}");
        }
        for text in ["e8", "e8=K", "e8=P", "", "é8", "--", "e7e7"] {
            assert!(read(promotion, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_pass_is_read_in_every_spelling() {
        for text in ["--", "0000", "Z0", "@@@@", "e1e1"] {
            assert_eq!(Written::read(text), Some(Written::Pass), "{text}");
        }
    }

    #[test]
    fn men_are_told_apart_as_briefly_as_possible() {
        let sans = |fen: &str, uci: &str| {
            let setup = Variant::orthodox().parse_fen(fen).unwrap();
            Variant::orthodox().san(&setup, Variant::orthodox().parse_turn(&setup, uci).unwrap())
        };
        let queens = "6k1/8/8/8/Q6Q/8/8/K6Q w - -";
        assert_eq!(sans(queens, "a4e4"), "Qae4");
        assert_eq!(sans(queens, "h1e4"), "Q1e4");
        assert_eq!(sans(queens, "h4e4"), "Qh4e4");
        // A pinned rival is none.
        assert_eq!(sans("k3r3/8/8/8/8/4N3/8/N3K3 w - -", "a1c2"), "Nc2");
        assert_eq!(sans("7k/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6"), "exd6");
        assert_eq!(sans("6k1/5ppp/8/8/8/8/8/K2R4 w - -", "d1d8"), "Rd8#");
    }
}

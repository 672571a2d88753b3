//! Turns as text: UCI and standard algebraic notation (SAN) out, those and long algebraic in.
//!
//! Read are `e2e4`, `e7e8q`, `Nf3`, `exd6`, `Ngf3`, `Ng1-f3`, `Nc6xd4`, `e7-e8=Q`, `e8Q`, `O-O`,
//! `0-0-0`, a pass as `--`, `0000`, `Z0`, `@@@@` or a step to the own square (`e1e1`), each with
//! or without `+`, `#`, `!` and `?` behind it. A promotion always names its man.

use crate::board::{Role, Square};

use super::{
    Game, TurnError,
    chess::{Move, Setup, Wing},
};

/// A pass in UCI notation.
pub const UCI_PASS: &str = "0000";
/// A pass in standard algebraic notation.
pub const SAN_PASS: &str = "--";

/// What a text says about a board move or a pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// The board stays as it is.
    Pass,
    /// Castling on a wing.
    Castling(Wing),
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
    /// Reads a text that has the shape of a board move or a pass; whether it fits a position is
    /// asked later.
    pub fn read(text: &str) -> Option<Written> {
        if text == SAN_PASS {
            return Some(Written::Pass);
        }
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            SAN_PASS | UCI_PASS | "Z0" | "@@@@" => return Some(Written::Pass),
            "O-O" | "0-0" => return Some(Written::Castling(Wing::King)),
            "O-O-O" | "0-0-0" => return Some(Written::Castling(Wing::Queen)),
            _ => {}
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
            Written::Pass => false,
            Written::Castling(wing) => setup.castling_wing(mv) == Some(wing),
            Written::Move { role, file, rank, capture, to, promotion } => {
                let pawn_implied = file.is_none() || rank.is_none();
                let role = role.or(pawn_implied.then_some(Role::Pawn));
                to == mv.to
                    && promotion == mv.promotion
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| rank == mv.from.rank())
                    && role.is_none_or(|role| setup.board.with(role).contains(mv.from))
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
    let found: Vec<G::Turn> = turns.iter().copied().filter(|&turn| fits(turn)).collect();
    let list = |turns: &[G::Turn], write: &dyn Fn(G::Turn) -> String| {
        turns.iter().map(|&turn| write(turn)).collect::<Vec<_>>().join(" ")
    };
    match found[..] {
        [turn] => Ok(turn),
        [] if turns.is_empty() => {
            Err(TurnError::Over { text: text.to_owned(), fen: game.fen(position) })
        }
        [] => Err(TurnError::Illegal {
            text: text.to_owned(),
            fen: game.fen(position),
            legal: list(&turns, &|turn| game.san(position, turn)),
        }),
        _ => Err(TurnError::Ambiguous {
            text: text.to_owned(),
            candidates: list(&found, &|turn| game.uci(position, turn)),
        }),
    }
}

/// A board move in standard algebraic notation, without a sign of check. `legal` are the legal
/// board moves, among which the text must be unique.
pub fn san(setup: &Setup, legal: &[Move], mv: Move) -> String {
    match setup.castling_wing(mv) {
        Some(Wing::King) => return "O-O".to_owned(),
        Some(Wing::Queen) => return "O-O-O".to_owned(),
        None => {}
    }
    let Some(man) = setup.board.get(mv.from) else { return mv.to_string() };
    let capture = if setup.is_capture(mv) { "x" } else { "" };
    let from = mv.from.to_string();
    let (file, rank) = from.split_at(1);
    if man.role == Role::Pawn {
        let file = if capture.is_empty() { "" } else { file };
        let promotion =
            mv.promotion.map_or_else(String::new, |role| format!("={}", role.letter()));
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
    format!("{}{origin}{capture}{}", man.role.letter(), mv.to)
}

/// The sign behind a turn that leaves the opponent in check: `#` if that is mate, else `+`.
pub fn check_sign(check: bool, mate: bool) -> &'static str {
    match (check, mate) {
        (true, true) => "#",
        (true, false) => "+",
        (false, _) => "",
    }
}

//! What a record has that cannot be played or understood.

use crate::rules::{fen::FenError, game::TurnError};

/// Why a game record cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The FEN tag does not hold a position.
    #[error("line {line}: the FEN tag does not hold a position of this game")]
    Fen {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// A move that is not legal.
    #[error("line {line}: move {number} cannot be played")]
    Turn {
        /// The line, from 1.
        line: usize,
        /// The number of the move with its dots: `12.` for White, `12...` for Black.
        number: String,
        /// What is wrong with it, with the position before it.
        source: TurnError,
    },
    /// A move after the end of the game.
    #[error("line {line}: the game is over before move {number} `{text}`: {ending}")]
    Over {
        /// The line, from 1.
        line: usize,
        /// The number of the move with its dots.
        number: String,
        /// What is written.
        text: String,
        /// How the game has ended.
        ending: String,
    },
    /// A record without any move.
    #[error("there are no moves in this record")]
    NoMoves,
    /// A move number out of turn.
    #[error("line {line}: move number {found} where {expected} comes next, in {fen}")]
    Number {
        /// The line, from 1.
        line: usize,
        /// What is written.
        found: u64,
        /// The number of the next turn.
        expected: u64,
        /// The position there.
        fen: String,
    },
    /// A line with moves, prose and no number.
    #[error(
        "line {line}: `{text}` stands among moves without numbers; put remarks in braces or on a line of their own"
    )]
    Mixed {
        /// The line, from 1.
        line: usize,
        /// The first word of prose.
        text: String,
    },
    /// A comment or variation without end.
    #[error("line {line}: `{bracket}` is never closed")]
    Unclosed {
        /// The line it begins on, from 1.
        line: usize,
        /// The opening bracket.
        bracket: char,
    },
    /// More than one game.
    #[error("line {line}: a second game begins; give one game at a time")]
    SecondGame {
        /// The line, from 1.
        line: usize,
    },
}

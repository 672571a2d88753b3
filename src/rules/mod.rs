//! The rules of every game, readable first: this room is the judge of the others.
//!
//! Each game is one file that implements [`Game`] for a small value which holds the game's rule
//! options. Nothing here is tuned for speed; solvers are checked against it.

mod chess;
mod fen;
mod high;
mod koth;
mod laws;
mod men;
mod noro;
mod notation;
mod options;
mod orphic;
mod orthodox;
#[cfg(test)]
mod random_play;
mod record;
mod reserve;
mod stylish;
mod tiebraker;
mod tiebraker_score;
mod variant;

use std::{fmt::Debug, hash::Hash};

pub use chess::{Castling, CastlingSquares, Move, Setup, Wing};
pub use fen::FenError;
pub use high::{High, HighEnding, HighOptionError, HighPosition, HighTurn, Revitalise, Vitality};
pub use koth::KingOfTheHill;
pub use laws::Laws;
pub use men::{CountMen, ORTHODOX_ROLES};
pub use noro::{
    Elimination, MoveLimits, Noro, NoroCause, NoroEnding, NoroOptionError, NoroPosition,
};
pub use options::{OptionError, RuleOption, RuleOptions, usual_options};
pub use orphic::{Orphic, OrphicPosition, OrphicTurn};
pub use orthodox::Orthodox;
pub use record::{
    Ply, RecordError, Replay, read_record, read_record_until, read_tags, result_text,
};
pub(crate) use reserve::refuges;
pub use reserve::{Elks, PieceSet, Reserve, Rooks};
pub use stylish::{
    Award, Reason, ScoreSheet, ScoreSheetError, Stylish, StylishCause, StylishEnding,
    StylishPosition, is_dead,
};
pub use tiebraker::{ModeMismatch, Tiebraker, TiebrakerPosition, TiebrakerTurn};
pub use tiebraker_score::{Finish, Mode, Points, TiebrakerEnding};
pub use variant::{ByMen, ChessEnding, Variant, Wdl};

use crate::board::{Board, Color};

/// The full rules of a game, from its initial position to its last.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The name used in commands, folders and table headers: `high`.
    const NAME: &'static str;

    /// Everything the future depends on, and the FEN counters.
    type Position: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// One turn of one player.
    type Turn: Copy + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// How a finished game ended.
    type Ending: Ending;

    /// The rule options it has, which [`from_options`](Game::from_options) knows and
    /// [`options`](Game::options) gives.
    const OPTIONS: &'static [RuleOption] = &[];

    /// The game with the options it takes out of `options`; those left are not its own.
    ///
    /// # Errors
    /// If an option it knows has a value it does not.
    fn from_options(options: &mut RuleOptions) -> Result<Self, OptionError>;

    /// The rule options in force, by the names of the command line; empty if the game has none.
    fn options(&self) -> serde_json::Map<String, serde_json::Value>;

    /// The position every game starts from.
    fn initial(&self) -> Self::Position;

    /// Reads a FEN; the module of the game says what it accepts. Underscores pass for spaces.
    ///
    /// # Errors
    /// A [`FenError`] that says what is wrong, where, and what would be right. Whatever is
    /// accepted is a position in which every other function is total.
    fn parse_fen(&self, fen: &str) -> Result<Self::Position, FenError>;

    /// The one canonical FEN of a position.
    fn fen(&self, position: &Self::Position) -> String;

    /// The men on the board.
    fn board<'p>(&self, position: &'p Self::Position) -> &'p Board;

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Color;

    /// Every legal turn; none exactly if the game is over.
    fn turns(&self, position: &Self::Position) -> Vec<Self::Turn>;

    /// The position after a turn out of [`turns`](Game::turns).
    fn play(&self, position: &Self::Position, turn: Self::Turn) -> Self::Position;

    /// How the game ended, or `None` while it goes on.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// How a recorded game ended: as its last position says, unless repetition counts.
    fn result(&self, replay: &Replay<Self>) -> Option<Self::Ending> {
        self.ending(replay.last())
    }

    /// A turn in UCI notation: `e2e4`, `e7e8q`, `0000` for a pass.
    fn uci(&self, position: &Self::Position, turn: Self::Turn) -> String;

    /// A turn in standard algebraic notation: `Nf3`, `exd6`, `e8=Q#`, `--` for a pass.
    fn san(&self, position: &Self::Position, turn: Self::Turn) -> String;

    /// Reads a turn in UCI, short or long algebraic notation.
    ///
    /// # Errors
    /// A [`TurnError`] if the text fits no legal turn or several.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, TurnError>;

    /// What a replay tells beside a turn just played, such as the score it changed.
    fn comment(
        &self,
        before: &Self::Position,
        turn: Self::Turn,
        after: &Self::Position,
    ) -> Option<String>;
}

/// How a game ended, in words: `White wins by checkmate`.
pub trait Ending: Clone + Debug + PartialEq + std::fmt::Display {
    /// Who comes out ahead; nobody in a draw.
    fn winner(&self) -> Option<Color>;
}

/// How many sequences of `depth` turns there are; a game that ends sooner counts for none.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = game.turns(position);
    if depth == 1 {
        return turns.len() as u64;
    }
    turns.into_iter().map(|turn| perft(game, &game.play(position, turn), depth - 1)).sum()
}

/// Why a text is not a turn here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// No legal turn is written like this.
    #[error("`{text}` is not a legal turn in {fen}; legal are {legal}")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The legal turns in short notation, parted by spaces.
        legal: String,
    },
    /// The game has ended.
    #[error("`{text}` cannot be played: the game is over in {fen}")]
    Over {
        /// The text.
        text: String,
        /// The last position.
        fen: String,
    },
    /// Several legal turns are written like this.
    #[error("`{text}` could be any of {candidates} in {fen}; say which")]
    Ambiguous {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The turns it could be, in UCI notation.
        candidates: String,
    },
}

//! Orthodox chess.
//!
//! Checkmate wins, stalemate draws. Draws by repetition, by counting moves, by agreement or for
//! want of men are not modelled: such a game simply goes on, and endless play is a draw.
//!
//! FEN has no field of its own. The en passant square is kept and written only if a capture there
//! is legal, since otherwise it makes no difference.

use std::fmt;

use super::{
    Game, TurnError,
    chess::{Laws, Move, Setup},
    fen::{self, FenError, Frame},
    notation::{self, Written},
};
use crate::board::{Board, Color, Role};

/// The game, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Orthodox;

/// How a game of orthodox chess ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OrthodoxEnding {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
}

impl fmt::Display for OrthodoxEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrthodoxEnding::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            OrthodoxEnding::Stalemate => f.write_str("drawn by stalemate"),
        }
    }
}

/// The men of orthodox chess.
pub const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl Game for Orthodox {
    const NAME: &'static str = "orthodox";
    type Position = Setup;
    type Turn = Move;
    type Ending = OrthodoxEnding;

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    fn initial(&self) -> Setup {
        Setup::initial()
    }

    fn parse_fen(&self, fen: &str) -> Result<Setup, FenError> {
        let frame = Frame::read(fen)?;
        let board = frame.board(&ROLES)?;
        fen::one_king_each(&board)?;
        let mut setup = frame.setup(board, &Laws::ORTHODOX, "only the two counters may follow")?;
        setup.drop_idle_en_passant(&Laws::ORTHODOX);
        Ok(setup)
    }

    fn fen(&self, setup: &Setup) -> String {
        fen::write(setup, "", &[])
    }

    fn board<'p>(&self, setup: &'p Setup) -> &'p Board {
        &setup.board
    }

    fn to_move(&self, setup: &Setup) -> Color {
        setup.to_move
    }

    fn turns(&self, setup: &Setup) -> Vec<Move> {
        setup.moves(&Laws::ORTHODOX)
    }

    fn play(&self, setup: &Setup, mv: Move) -> Setup {
        let mut next = setup.play(mv);
        next.drop_idle_en_passant(&Laws::ORTHODOX);
        next
    }

    fn ending(&self, setup: &Setup) -> Option<OrthodoxEnding> {
        if !self.turns(setup).is_empty() {
            None
        } else if setup.in_check(setup.to_move) {
            Some(OrthodoxEnding::Checkmate { winner: !setup.to_move })
        } else {
            Some(OrthodoxEnding::Stalemate)
        }
    }

    fn uci(&self, _: &Setup, mv: Move) -> String {
        mv.to_string()
    }

    fn san(&self, setup: &Setup, mv: Move) -> String {
        let next = self.play(setup, mv);
        let check = next.in_check(next.to_move);
        let sign = notation::check_sign(check, check && self.turns(&next).is_empty());
        notation::san(setup, &self.turns(setup), mv) + sign
    }

    fn parse_turn(&self, setup: &Setup, text: &str) -> Result<Move, TurnError> {
        let written = Written::read(text);
        notation::choose(self, setup, text, |mv| {
            written.is_some_and(|written| written.fits(setup, mv))
        })
    }

    fn comment(&self, _: &Setup, _: Move, _: &Setup) -> Option<String> {
        None
    }
}

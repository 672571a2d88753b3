//! Ordinary variants of chess: orthodox moves under other laws, won, drawn or lost.
//!
//! A game of this kind is a type that implements [`Variant`]: what departs from orthodox chess,
//! as data or as a small hook. Everything else (turns, endings, FEN, notation, and in the other
//! rooms tables, words and statistics) comes from here. Checkmate wins; draws by repetition, by
//! counting moves or by agreement are not modelled: endless play is a draw.
//!
//! FEN has no field of its own. The en passant square is kept and written only if a capture there
//! is legal, since otherwise it makes no difference.

use std::{fmt, hash::Hash};

use super::{
    CountMen, Ending, Game, ORTHODOX_ROLES, OptionError, RuleOptions, TurnError,
    chess::{Move, Setup},
    fen::{self, FenError, Frame},
    laws::Laws,
    notation::{self, Written},
};
use crate::board::{Bitboard, Board, Color, Role, Square};

/// Win, draw or loss, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

/// An ordinary variant: what departs from orthodox chess.
pub trait Variant:
    Copy + fmt::Debug + PartialEq + Eq + Hash + Default + Send + Sync + 'static
{
    /// The name used in commands, folders and table headers.
    const NAME: &'static str;

    /// The name as its players write it.
    const TITLE: &'static str;

    /// The rules in short, in lines of at most 80 columns.
    const SUMMARY: &'static str;

    /// How men move, whether Kings are royal, whether one must capture, what pawns become.
    const LAWS: Laws = Laws::ORTHODOX;

    /// What a stalemate is worth to the side that has no turn.
    const STALEMATE: Wdl = Wdl::Draw;

    /// A King that reaches one of these squares wins at once.
    const GOAL: Bitboard = Bitboard::EMPTY;

    /// Whether checkmate is the only way to win: answers then say *mates*, and *wins* if not. A
    /// game in which [the men that are left](Variant::ended_by_men) may decide says `false`.
    const ONLY_MATE_WINS: bool =
        Self::LAWS.royal && Self::GOAL.is_empty() && matches!(Self::STALEMATE, Wdl::Draw);

    /// How the men that are left end the game, whoever is to move: a bare King that loses, the
    /// last man of some kind captured, men with which nobody can win. `None` if it goes on.
    ///
    /// Where Kings are not royal, a side may be left without men, and where captures explode a
    /// side may be left without its King; then this must say how the game ended.
    fn ended_by_men(_: &impl CountMen) -> Option<ByMen> {
        None
    }

    /// How the game has ended although the side to move may have turns.
    fn ended_early(setup: &Setup) -> Option<ChessEnding> {
        if let Some(by_men) = Self::ended_by_men(&setup.board) {
            return Some(ChessEnding::Men { winner: by_men.winner });
        }
        if Self::GOAL.is_empty() {
            return None;
        }
        // The side that has just moved comes first, though both cannot be there in a game.
        [!setup.to_move, setup.to_move].into_iter().find_map(|winner| {
            let reached = setup.board.men(winner, Role::King) & Self::GOAL;
            reached.first().map(|square| ChessEnding::Goal { winner, square })
        })
    }
}

/// Who has won when the men on the board end a game; nobody in a draw.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ByMen {
    /// The winner.
    pub winner: Option<Color>,
}

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChessEnding {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// The side to move has no turn and is not in check.
    Stalemate {
        /// The winner, where somebody wins by it.
        winner: Option<Color>,
    },
    /// A King has reached its goal.
    Goal {
        /// Whose King.
        winner: Color,
        /// Where it stands.
        square: Square,
    },
    /// The men that are left decide.
    Men {
        /// The winner; nobody in a draw.
        winner: Option<Color>,
    },
}

impl Ending for ChessEnding {
    fn winner(&self) -> Option<Color> {
        match *self {
            ChessEnding::Checkmate { winner } | ChessEnding::Goal { winner, .. } => Some(winner),
            ChessEnding::Stalemate { winner } | ChessEnding::Men { winner } => winner,
        }
    }
}

impl fmt::Display for ChessEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChessEnding::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            ChessEnding::Stalemate { winner: None } => f.write_str("drawn by stalemate"),
            ChessEnding::Stalemate { winner: Some(winner) } => {
                write!(f, "{winner} wins by stalemate")
            }
            ChessEnding::Goal { winner, square } => {
                write!(f, "{winner} wins: the King has reached {square}")
            }
            ChessEnding::Men { winner: Some(winner) } => {
                write!(f, "{winner} wins by the men that are left")
            }
            ChessEnding::Men { winner: None } => f.write_str("drawn by the men that are left"),
        }
    }
}

impl<V: Variant> Game for V {
    const NAME: &'static str = V::NAME;
    type Position = Setup;
    type Turn = Move;
    type Ending = ChessEnding;

    fn from_options(_: &mut RuleOptions) -> Result<V, OptionError> {
        Ok(V::default())
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    fn initial(&self) -> Setup {
        Setup::initial()
    }

    fn parse_fen(&self, fen: &str) -> Result<Setup, FenError> {
        let frame = Frame::read(fen)?;
        let board = frame.board(&ORTHODOX_ROLES)?;
        if V::LAWS.royal && V::ended_by_men(&board).is_none() {
            fen::one_king_each(&board)?;
        }
        let mut setup = frame.setup(board, &V::LAWS, "only the two counters may follow")?;
        let mover = setup.to_move;
        if let Some(square) = (board.men(mover, Role::King) & V::GOAL).first() {
            return Err(FenError::game(format!(
                "{mover}'s king on {square} has won already, so it cannot be {mover}'s turn"
            )));
        }
        setup.drop_idle_en_passant(&V::LAWS);
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

    fn is_check(&self, setup: &Setup) -> bool {
        V::LAWS.in_check(&setup.board, setup.to_move)
    }

    fn turns(&self, setup: &Setup) -> Vec<Move> {
        match V::ended_early(setup) {
            Some(_) => Vec::new(),
            None => setup.moves(&V::LAWS),
        }
    }

    fn play(&self, setup: &Setup, mv: Move) -> Setup {
        let mut next = setup.play_under(&V::LAWS, mv);
        next.drop_idle_en_passant(&V::LAWS);
        next
    }

    fn ending(&self, setup: &Setup) -> Option<ChessEnding> {
        if let Some(ending) = V::ended_early(setup) {
            return Some(ending);
        }
        let mover = setup.to_move;
        if !setup.moves(&V::LAWS).is_empty() {
            None
        } else if V::LAWS.in_check(&setup.board, mover) {
            Some(ChessEnding::Checkmate { winner: !mover })
        } else {
            let winner = match V::STALEMATE {
                Wdl::Win => Some(mover),
                Wdl::Draw => None,
                Wdl::Loss => Some(!mover),
            };
            Some(ChessEnding::Stalemate { winner })
        }
    }

    fn uci(&self, _: &Setup, mv: Move) -> String {
        mv.to_string()
    }

    fn san(&self, setup: &Setup, mv: Move) -> String {
        let next = self.play(setup, mv);
        let check = V::LAWS.in_check(&next.board, next.to_move);
        let mate = matches!(self.ending(&next), Some(ChessEnding::Checkmate { .. }));
        notation::san(setup, &self.turns(setup), mv) + notation::check_sign(check, mate)
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

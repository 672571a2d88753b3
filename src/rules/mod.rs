//! The rules of every game, readable first: this room is the judge of the others.
//!
//! Each game is one file that implements [`Game`] for a small value which holds the game's rule
//! options. Nothing here is tuned for speed; solvers are checked against it.

mod chess;
mod claim;
mod contest;
mod definition;
mod fen;
mod game;
mod high;
mod laws;
mod men;
mod noro;
mod notation;
mod options;
mod orphic;
mod promotion;
#[cfg(test)]
mod random_play;
mod record;
mod reserve;
mod stylish;
mod tiebraker;
mod tiebraker_score;
mod variant;
mod variant_file;
mod wdl;

pub use chess::{Castling, CastlingSquares, Move, Setup, Wing};
pub use claim::DrawClaim;
pub use contest::{Match, Played, Standing, played, players};
pub use definition::{Definition, Extinction, Goal, UnfitRoyalMen};
pub use fen::FenError;
pub use game::{
    Ending, Game, MatchRule, Ply, Replay, Stated, TurnError, perft, tag, usual_options,
};
pub use high::{High, HighEnding, HighOptionError, HighPosition, HighTurn, Revitalise, Vitality};
pub use laws::{Laws, OwnPromotions, Passing, Scarce};
pub use men::CountMen;
pub use noro::{
    Elimination, MoveLimits, Noro, NoroCause, NoroEnding, NoroOptionError, NoroPosition,
};
pub use options::{OptionError, RuleOption, RuleOptions};
pub use orphic::{Orphic, OrphicPosition, OrphicTurn};
pub use record::{
    Record, RecordError, StatedError, check_results, read_record, read_record_until, read_records,
    read_tags, result_text,
};
#[cfg(feature = "build")]
pub(crate) use reserve::refuges;
pub use reserve::{Elks, KingDrop, OrphicOptionError, PieceSet, Reserve, Rooks};
pub use stylish::{
    Award, Reason, ScoreSheet, ScoreSheetError, Stylish, StylishCause, StylishEnding,
    StylishPosition, is_dead,
};
pub use tiebraker::{ModeMismatch, Tiebraker, TiebrakerPosition, TiebrakerTurn};
pub use tiebraker_score::{Finish, Mode, Points, TiebrakerEnding};
pub use variant::{ChessEnding, Variant};
pub use variant_file::{MAX_FILE, Refusal, Resolved, VariantFile, VariantFileError};
pub(crate) use variant_file::{aliases, own_name};
pub use wdl::Wdl;

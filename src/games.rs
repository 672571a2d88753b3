//! The games as modules: what the rooms have of each.

/// Ordinary variants of chess: orthodox chess, others that are built in, and those of files.
pub mod ordinary {
    pub use crate::{
        answer::{Plies, VariantReader, Wdl, WinDrawLoss},
        rules::{
            ChessEnding, Definition, Extinction, Goal, Laws, Move, Passing, Refusal, Resolved,
            Scarce, Setup, UnfitRoyalMen, Variant, VariantFile, VariantFileError,
        },
    };
}

/// High Chess.
pub mod high {
    pub use crate::{
        answer::{Distance, Distances, HighAnswer, HighReader, Plies, Staircase},
        rules::{High, HighEnding, HighOptionError, HighPosition, HighTurn, Revitalise, Vitality},
    };
}

/// Norochess.
pub mod noro {
    pub use crate::{
        answer::{Bound, NoroAnswer, NoroReader, Thresholds},
        rules::{
            Elimination, MoveLimits, Noro, NoroCause, NoroEnding, NoroOptionError, NoroPosition,
        },
    };
}

/// Orphic Chess, with Rooks or with Elks.
pub mod orphic {
    pub use crate::{
        answer::{LadderReader, Plies, Wdl, WinDrawLoss},
        rules::{
            Elks, KingDrop, Orphic, OrphicOptionError, OrphicPosition, OrphicTurn, PieceSet,
            Reserve, Rooks,
        },
    };
}

/// Stylish victory or stylish fail.
pub mod stylish {
    pub use crate::{
        answer::{Plies, StylishAnswer, StylishReader},
        rules::{
            Award, DrawClaim, Reason, ScoreSheet, ScoreSheetError, Stylish, StylishCause,
            StylishEnding, StylishPosition, is_dead,
        },
    };
}

/// Tiebraker Chess.
pub mod tiebraker {
    pub use crate::{
        answer::{Plies, TiebrakerAnswer, TiebrakerReader},
        rules::{
            DrawClaim, Finish, Mode, ModeMismatch, Points, Tiebraker, TiebrakerEnding,
            TiebrakerPosition, TiebrakerTurn,
        },
    };
}

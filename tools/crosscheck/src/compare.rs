//! One table against Syzygy, position by position.

use std::fmt;

use anyhow::{Context as _, Result, anyhow};
use finale::{
    answer::Wdl,
    board::{Color, Role},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Game, Setup, Variant},
};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Position, PositionError,
    Square,
    variant::{Antichess, Atomic},
};
use shakmaty_syzygy::Syzygy;

use crate::shatranj::Shatranj;

/// The tables of others, with positions as the reader of Syzygy tables wants them.
pub type Published<P> = shakmaty_syzygy::Tablebase<P>;

/// A game of the reader of Syzygy tables.
pub trait Played: Position + Syzygy + Clone + Send + Sync {
    /// The position of a setup.
    ///
    /// # Errors
    /// If it is not a legal one.
    fn set_up(setup: shakmaty::Setup) -> Result<Self>;
}

impl Played for Chess {
    fn set_up(setup: shakmaty::Setup) -> Result<Chess> {
        set_up(setup)
    }
}

impl Played for Atomic {
    fn set_up(setup: shakmaty::Setup) -> Result<Atomic> {
        set_up(setup)
    }
}

impl Played for Antichess {
    fn set_up(setup: shakmaty::Setup) -> Result<Antichess> {
        set_up(setup)
    }
}

impl Played for Shatranj {
    fn set_up(setup: shakmaty::Setup) -> Result<Shatranj> {
        Shatranj::new(setup)
    }
}

/// The position of a setup in a game that the reader knows.
fn set_up<P: FromSetup>(setup: shakmaty::Setup) -> Result<P> {
    P::from_setup(setup, CastlingMode::Standard)
        // Tables also answer positions no game leads to, such as a check by two Knights.
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| anyhow!("{error}"))
}

/// How many positions were looked up in both tables.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Count {
    /// Look-ups: positions that are the same by symmetry count once.
    pub compared: u64,
    /// Legal positions these stand for.
    pub positions: u64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.compared += other.compared;
        self.positions += other.positions;
    }
}

/// What comparing a table found.
#[derive(Default)]
pub struct Comparison {
    /// Positions in which no pawn can be taken in passing.
    pub plain: Count,
    /// Positions in which one can.
    pub passing: Count,
    /// How many look-ups gave different results.
    pub different: u64,
    /// The first of those.
    pub example: Option<Difference>,
    failure: Option<anyhow::Error>,
    met: u64,
}

/// A position of which the tables say different things.
#[derive(Clone)]
pub struct Difference {
    fen: String,
    ours: Wdl,
    theirs: Wdl,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?} here, {:?} in Syzygy", self.fen, self.ours, self.theirs)
    }
}

impl Comparison {
    /// Looks a position up in Syzygy and compares; tells whether the look-up worked.
    fn check<P: Played>(
        &mut self,
        game: Variant,
        setup: &Setup,
        ours: Wdl,
        theirs: &Published<P>,
    ) -> bool {
        let theirs = match published(game, setup, theirs) {
            Ok(theirs) => theirs,
            Err(error) => {
                self.failure.get_or_insert(error);
                return false;
            }
        };
        if ours != theirs {
            self.different += 1;
            self.example.get_or_insert_with(|| Difference { fen: game.fen(setup), ours, theirs });
        }
        true
    }

    /// Adds what was found elsewhere; the example found here goes first.
    pub fn merge(&mut self, other: Comparison) {
        self.plain.add(other.plain);
        self.passing.add(other.passing);
        self.different += other.different;
        self.example = self.example.take().or(other.example);
        self.failure = self.failure.take().or(other.failure);
    }
}

/// Compares one of so many positions of a table, and those that differ from one of them by a pawn
/// that can be taken in passing.
///
/// # Errors
/// If a table of either kind is missing or damaged.
pub fn compare<P: Played>(
    ours: &Tablebase<Variant>,
    theirs: &Published<P>,
    material: &Material,
    every: u64,
) -> Result<Comparison> {
    let game = *ours.game();
    let laws = &game.definition().laws;
    let found = ours.tally(
        material,
        &Silent,
        Comparison::default,
        |found, setup, answer, weight| {
            found.met += 1;
            if found.failure.is_some() || !(found.met - 1).is_multiple_of(every) {
                return Ok(());
            }
            let count = Count { compared: 1, positions: weight };
            if found.check(game, setup, answer.wdl, theirs) {
                found.plain.add(count);
            }
            for mut passing in setup.passing_variants(laws) {
                passing.drop_idle_en_passant(laws);
                if passing.en_passant.is_some()
                    && found.check(game, &passing, ours.answer(&passing)?.wdl, theirs)
                {
                    found.passing.add(count);
                }
            }
            Ok(())
        },
        Comparison::merge,
    )?;
    match found.failure {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// What Syzygy says of a position if the 50-move rule is left aside.
fn published<P: Played>(game: Variant, setup: &Setup, tables: &Published<P>) -> Result<Wdl> {
    use shakmaty_syzygy::Wdl as Published;
    let position = position_of::<P>(game, setup)?;
    // The error of the reader names its causes itself, so it is not passed on as one.
    let wdl = tables.probe_wdl_after_zeroing(&position).map_err(|error| {
        anyhow!("cannot look up {} in the Syzygy tables: {error}", game.fen(setup))
    })?;
    Ok(match wdl {
        Published::Win | Published::CursedWin => Wdl::Win,
        Published::Draw => Wdl::Draw,
        Published::BlessedLoss | Published::Loss => Wdl::Loss,
    })
}

/// The same position for the Syzygy reader.
fn position_of<P: Played>(game: Variant, setup: &Setup) -> Result<P> {
    let role = |role| Bitboard(setup.board.with(role).0);
    let color = |color| Bitboard(setup.board.of(color).0);
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: role(Role::Pawn),
            knight: role(Role::Knight),
            bishop: role(Role::Bishop),
            rook: role(Role::Rook),
            queen: role(Role::Queen),
            king: role(Role::King),
        },
        ByColor { black: color(Color::Black), white: color(Color::White) },
    )?;
    let turn = shakmaty::Color::from_white(setup.to_move == Color::White);
    let ep_square = setup.en_passant.map(|square| Square::new(square.number() as u32));
    P::set_up(shakmaty::Setup { board, turn, ep_square, ..shakmaty::Setup::empty() })
        .with_context(|| format!("the Syzygy reader does not accept {}", game.fen(setup)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{EnPassantMode, fen::Fen};

    use super::*;
    use crate::game::Game as Compared;

    fn reads_the_same<P: Played>(game: Compared, fens: &[&str]) {
        let game = game.variant().unwrap();
        for fen in fens {
            let setup = game.parse_fen(fen).unwrap();
            let direct = P::set_up(fen.parse::<Fen>().unwrap().into_setup()).unwrap();
            let converted = position_of::<P>(game, &setup).unwrap();
            let [converted, read] =
                [converted, direct.clone()].map(|position| position.to_setup(EnPassantMode::Legal));
            assert_eq!(converted, read, "{fen}");
            assert_eq!(game.turns(&setup).len(), direct.legal_moves().len(), "{fen}");
        }
    }

    #[test]
    fn both_read_the_same_position_from_a_fen() {
        reads_the_same::<Chess>(
            Compared::Orthodox,
            &[
                "8/7Q/6K1/8/8/8/8/1k6 w - - 0 1",
                "8/8/8/8/8/3k4/2N1N3/1K6 b - - 0 1",
                "8/8/8/2k5/3Pp3/8/8/6K1 b - d3 0 1",
                "7r/8/8/1k6/8/2B5/8/K7 b - - 0 1",
            ],
        );
    }

    #[test]
    fn both_play_the_same_other_games() {
        reads_the_same::<Atomic>(
            Compared::Atomic,
            &[
                "8/8/8/8/8/8/1kq5/KR6 w - - 0 1",
                "8/8/8/2k5/3Pp3/8/8/6K1 b - d3 0 1",
                "8/8/8/8/8/2n5/1k6/K2Q4 b - - 0 1",
            ],
        );
        reads_the_same::<Antichess>(
            Compared::Antichess,
            &[
                "8/8/8/8/2k5/8/8/K1K5 w - - 0 1",
                "8/8/8/8/3Pp3/8/8/6K1 b - d3 0 1",
                "8/8/8/8/8/p7/P7/8 w - - 0 1",
            ],
        );
        reads_the_same::<Shatranj>(
            Compared::Shatranj,
            &[
                "8/1P6/2b5/8/8/3q4/8/K1k5 w - - 0 1",
                "8/8/8/8/3b4/8/1Q1k4/KR6 w - - 0 1",
                "8/2k5/8/8/8/8/1p6/2B4K b - - 0 1",
                "8/8/8/8/8/8/1rk5/K6R w - - 0 1",
            ],
        );
    }
}

//! One table against Syzygy, position by position.

use std::fmt;

use anyhow::{Result, anyhow};
use finale::{
    board::{Color, Role},
    index::Material,
    probe::Tablebase,
    rules::{Game, Laws, Variant, Setup},
    answer::Wdl,
    progress::Silent,
};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, PositionError, Square};

/// The published tables.
pub type Syzygy = shakmaty_syzygy::Tablebase<Chess>;

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
    fn check(&mut self, setup: &Setup, ours: Wdl, theirs: &Syzygy) -> bool {
        let theirs = match published(setup, theirs) {
            Ok(theirs) => theirs,
            Err(error) => {
                self.failure.get_or_insert(error);
                return false;
            }
        };
        if ours != theirs {
            self.different += 1;
            self.example.get_or_insert_with(|| Difference {
                fen: Variant::orthodox().fen(setup),
                ours,
                theirs,
            });
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

/// Compares every position of a table, and those that differ from one of them by a pawn that can
/// be taken in passing.
///
/// # Errors
/// If a table of either kind is missing or damaged.
pub fn compare(
    ours: &Tablebase<Variant>,
    theirs: &Syzygy,
    material: &Material,
) -> Result<Comparison> {
    let found = ours.tally(
        material,
        &Silent,
        Comparison::default,
        |found, setup, answer, weight| {
            if found.failure.is_some() {
                return Ok(());
            }
            let count = Count { compared: 1, positions: weight };
            if found.check(setup, answer.wdl, theirs) {
                found.plain.add(count);
            }
            for mut passing in setup.passing_variants(&Laws::ORTHODOX) {
                passing.drop_idle_en_passant(&Laws::ORTHODOX);
                if passing.en_passant.is_some()
                    && found.check(&passing, ours.answer(&passing)?.wdl, theirs)
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
fn published(setup: &Setup, tables: &Syzygy) -> Result<Wdl> {
    use shakmaty_syzygy::Wdl as Published;
    let position = position_of(setup)?;
    // The error of the reader names its causes itself, so it is not passed on as one.
    let wdl = tables.probe_wdl_after_zeroing(&position).map_err(|error| {
        anyhow!("cannot look up {} in the Syzygy tables: {error}", Variant::orthodox().fen(setup))
    })?;
    Ok(match wdl {
        Published::Win | Published::CursedWin => Wdl::Win,
        Published::Draw => Wdl::Draw,
        Published::BlessedLoss | Published::Loss => Wdl::Loss,
    })
}

/// The same position for the Syzygy reader.
fn position_of(setup: &Setup) -> Result<Chess> {
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
    shakmaty::Setup { board, turn, ep_square, ..shakmaty::Setup::empty() }
        .position::<Chess>(CastlingMode::Standard)
        // Tables also answer positions no game leads to, such as a check by two Knights.
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| {
            anyhow!("the Syzygy reader does not accept {}: {error}", Variant::orthodox().fen(setup))
        })
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn both_read_the_same_position_from_a_fen() {
        for fen in [
            "8/7Q/6K1/8/8/8/8/1k6 w - - 0 1",
            "8/8/8/8/8/3k4/2N1N3/1K6 b - - 0 1",
            "8/8/8/2k5/3Pp3/8/8/6K1 b - d3 0 1",
            "7r/8/8/1k6/8/2B5/8/K7 b - - 0 1",
        ] {
            let setup = Variant::orthodox().parse_fen(fen).unwrap();
            let direct: Chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
                .unwrap();
            let converted = position_of(&setup).unwrap();
            assert_eq!(converted, direct, "{fen}");
            assert_eq!(
                Variant::orthodox().turns(&setup).len(),
                shakmaty::Position::legal_moves(&direct).len()
            );
        }
    }
}

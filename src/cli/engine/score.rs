//! What an answer is worth, as engines say it.

use std::{cmp::Ordering, fmt};

use crate::{answer::Plies, board::Color, rules::MatchRule, study::Study};

/// Centipawns of a game that is won, where the tables do not tell in how many moves.
const WON: i64 = 10_000;

/// Centipawns of a point, in games whose matches are decided by points.
const POINT: i64 = 100;

/// A score in the view of the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Score {
    /// So many moves to the end of a game that is won; below 0, or 0, of one that is lost.
    Mate(i32),
    /// Centipawns, as far as there can be such: points, or the result alone.
    Centipawns(i64),
}

/// An answer as engines say it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Worth {
    /// The score.
    pub score: Score,
    /// Whether the side to move comes out ahead, level or behind.
    pub result: Ordering,
    /// The plies to the end of a game that is won or lost, where the tables tell.
    pub plies: Option<Plies>,
}

impl Worth {
    /// That of a position, which tables answer like this.
    pub fn new<G: Study>(game: &G, position: &G::Position, answer: &G::Answer) -> Worth {
        let value = match game.to_move(position) {
            Color::White => game.value(position, answer),
            Color::Black => -game.value(position, answer),
        };
        let unit = match G::MATCH {
            MatchRule::Wins | MatchRule::WinsThenPoints => WON,
            MatchRule::Points | MatchRule::PointsUnlessResigned => POINT,
        };
        let plies = game.plies_to_win(position, answer);
        let score = match (plies, value.signum()) {
            // No number of moves says that the game has just been won.
            (Some(plies), 1) if plies > Plies::ZERO => Score::Mate(plies.moves().into()),
            (Some(plies), -1) => Score::Mate(-i32::from(plies.moves())),
            _ => Score::Centipawns(value.saturating_mul(unit)),
        };
        Worth { score, result: value.cmp(&0), plies }
    }

    /// The chances to win, draw and lose, in thousandths.
    pub fn wdl(&self) -> &'static str {
        match self.result {
            Ordering::Greater => "1000 0 0",
            Ordering::Equal => "0 1000 0",
            Ordering::Less => "0 0 1000",
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Mate(moves) => write!(f, "mate {moves}"),
            Score::Centipawns(number) => write!(f, "cp {number}"),
        }
    }
}

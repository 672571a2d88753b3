//! How solving keeps scores, and what it makes of them.

use super::{Line, Score};
use crate::{
    answer::{Outcome, Plies},
    board::Color,
};

/// How a position's score is kept.
pub trait Store: Line + Copy + Ord + std::hash::Hash + Send + Sync + bytemuck::Pod {
    /// "Nothing known", less than every score.
    const NONE: Self;
    /// Keeps a score.
    fn keep(score: Score) -> Self;
    /// The score kept; meaningless for [`Store::NONE`].
    fn score(self) -> Score;
}

impl Store for i16 {
    const NONE: i16 = i16::MIN;

    #[inline]
    fn keep(score: Score) -> i16 {
        score.0 as i16
    }

    #[inline]
    fn score(self) -> Score {
        Score(self as i32)
    }
}

impl Store for i32 {
    const NONE: i32 = i32::MIN;

    #[inline]
    fn keep(score: Score) -> i32 {
        score.0
    }

    #[inline]
    fn score(self) -> Score {
        Score(self)
    }
}

impl Score {
    /// The score where a game of win, draw or loss is over, and infinite play is a draw.
    pub fn over<S: Line>(winner: Option<Color>) -> Score {
        match winner {
            Some(Color::White) => Score::new::<S>(1, Some(0), 0),
            Some(Color::Black) => Score::new::<S>(-1, Some(0), 0),
            None => Score::new::<S>(0, None, 0),
        }
    }

    /// The score one ply farther away.
    pub fn later<S: Line>(self) -> Score {
        Score(self.0 - (self.0 - self.value::<S>() * S::SPAN).signum())
    }

    /// The one that `side` likes best; `None` of none.
    pub fn best(side: Color, scores: impl Iterator<Item = Score>) -> Option<Score> {
        if side == Color::White { scores.max() } else { scores.min() }
    }

    /// The same value without its distance, with `side` to move, where infinite play is worth so
    /// much: as near as a value can be that solving may go on from. The side that does better than
    /// by infinite play is one ply away with the move, and there without it; so its turn there is
    /// no farther than any other to that value.
    pub fn without_distance<S: Line>(self, side: Color, infinite: i32) -> Score {
        let value = self.value::<S>();
        let moves = (value > infinite) == (side == Color::White);
        Score::new::<S>(value, Some(u16::from(moves)), infinite)
    }

    /// The score as `hero` counts: greater is better.
    #[inline]
    pub fn seen_by(self, hero: Color) -> i32 {
        if hero == Color::White { self.0 } else { -self.0 }
    }
}

impl Outcome {
    /// What a score stands for.
    pub(crate) fn of<S: Line>(score: Score) -> Outcome {
        Outcome { value: score.value::<S>(), distance: score.distance::<S>().map(Plies) }
    }

    /// The score that stands for it where infinite play is worth so much.
    pub(crate) fn score<S: Line>(self, infinite: i32) -> Score {
        Score::new::<S>(self.value, self.distance.map(|plies| plies.0), infinite)
    }
}

/// Whether `side` likes a score better than another, as both are kept.
#[inline]
pub fn better<S: Ord>(side: Color, score: S, than: S) -> bool {
    if side == Color::White { score > than } else { score < than }
}

/// A kept score [without its distance](Score::without_distance); none stays none.
#[inline]
pub fn without_distance<S: Store>(kept: S, side: Color, infinite: i32) -> S {
    if kept == S::NONE { kept } else { S::keep(kept.score().without_distance::<S>(side, infinite)) }
}

/// Keeps the better of what a cell has and another option of `side`.
#[inline]
pub fn offer<S: Store>(cell: &mut S, side: Color, option: S) {
    if *cell == S::NONE || better(side, option, *cell) {
        *cell = option;
    }
}

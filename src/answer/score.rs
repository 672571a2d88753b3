//! A value and its distance as one number.
//!
//! Values form a ladder, with the value of infinite play, u, somewhere on it. Both players walk
//! one line: White prefers a higher value; of equal values above u White prefers the nearer one,
//! Black the farther one, and below u the other way round. So a value and its distance make one
//! number, a [`Score`], that White maximises and Black minimises.

use crate::board::Color;

/// How a position's score is kept: the line cut into stretches of [`Store::SPAN`], one a value.
pub trait Store: Copy + Ord + std::hash::Hash + Send + Sync + bytemuck::Pod {
    /// How far two neighbouring values are apart; distances stay below half of it.
    const SPAN: i32;
    /// "Nothing known", less than every score.
    const NONE: Self;
    /// Keeps a score.
    fn keep(score: Score) -> Self;
    /// The score kept; meaningless for [`Store::NONE`].
    fn score(self) -> Score;
}

/// Room for the values −5 to 5, and distances up to 2,948 plies.
impl Store for i16 {
    const SPAN: i32 = 5_900;
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

/// Room for values up to ±32,766, and distances up to 32,766 plies.
impl Store for i32 {
    const SPAN: i32 = 1 << 16;
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

/// A value and its distance on the one line that White maximises and Black minimises.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

impl Score {
    /// The score of `value` in `distance` plies; of the value of infinite play without a distance.
    pub fn new<S: Store>(value: i32, distance: Option<u16>, infinite: i32) -> Score {
        let near = distance.map_or(0, |d| S::SPAN / 2 - 1 - i32::from(d));
        Score(value * S::SPAN + near * (value - infinite).signum())
    }

    /// The score where a game of win, draw or loss is over, and infinite play is a draw.
    pub fn over<S: Store>(winner: Option<Color>) -> Score {
        match winner {
            Some(Color::White) => Score::new::<S>(1, Some(0), 0),
            Some(Color::Black) => Score::new::<S>(-1, Some(0), 0),
            None => Score::new::<S>(0, None, 0),
        }
    }

    /// The value.
    pub fn value<S: Store>(self) -> i32 {
        (self.0 + S::SPAN / 2).div_euclid(S::SPAN)
    }

    /// The distance in plies; `None` for the value of infinite play.
    pub fn distance<S: Store>(self) -> Option<u16> {
        let near = (self.0 - self.value::<S>() * S::SPAN).abs();
        (near != 0).then(|| (S::SPAN / 2 - 1 - near) as u16)
    }

    /// The score one ply farther away.
    pub fn later<S: Store>(self) -> Score {
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
    pub fn without_distance<S: Store>(self, side: Color, infinite: i32) -> Score {
        let value = self.value::<S>();
        let moves = (value > infinite) == (side == Color::White);
        Score::new::<S>(value, Some(u16::from(moves)), infinite)
    }

    /// The same result with the sides exchanged.
    pub fn swap_colors(self) -> Score {
        Score(-self.0)
    }

    /// The score as `hero` counts: greater is better.
    #[inline]
    pub fn seen_by(self, hero: Color) -> i32 {
        if hero == Color::White { self.0 } else { -self.0 }
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

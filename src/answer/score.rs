//! A value and its distance as one number.
//!
//! Values form a ladder, with the value of infinite play, u, somewhere on it. Both players walk
//! one line: White prefers a higher value; of equal values above u White prefers the nearer one,
//! Black the farther one, and below u the other way round. So a value and its distance make one
//! number, a [`Score`], that White maximises and Black minimises.

#[cfg(feature = "build")]
mod kept;

#[cfg(feature = "build")]
pub use kept::{Store, better, offer, without_distance};

/// How wide a line of scores is: cut into stretches of [`Line::SPAN`], one a value.
pub trait Line {
    /// How far two neighbouring values are apart; distances stay below half of it.
    const SPAN: i32;
}

/// Room for the values −5 to 5, and distances up to 2,948 plies.
impl Line for i16 {
    const SPAN: i32 = 5_900;
}

/// Room for values up to ±32,766, and distances up to 32,766 plies.
impl Line for i32 {
    const SPAN: i32 = 1 << 16;
}

/// A value and its distance on the one line that White maximises and Black minimises.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

impl Score {
    /// The score of `value` in `distance` plies; of the value of infinite play without a distance.
    pub fn new<S: Line>(value: i32, distance: Option<u16>, infinite: i32) -> Score {
        let near = distance.map_or(0, |d| S::SPAN / 2 - 1 - i32::from(d));
        Score(value * S::SPAN + near * (value - infinite).signum())
    }

    /// The value.
    pub fn value<S: Line>(self) -> i32 {
        (self.0 + S::SPAN / 2).div_euclid(S::SPAN)
    }

    /// The distance in plies; `None` for the value of infinite play.
    pub fn distance<S: Line>(self) -> Option<u16> {
        let near = (self.0 - self.value::<S>() * S::SPAN).abs();
        (near != 0).then(|| (S::SPAN / 2 - 1 - near) as u16)
    }

    /// The same result with the sides exchanged.
    pub fn swap_colors(self) -> Score {
        Score(-self.0)
    }
}

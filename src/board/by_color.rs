//! Something for each side.

use std::{
    fmt,
    ops::{Index, IndexMut},
};

use serde::{Serialize, Serializer};

use super::Color;

/// Something for each side: a number of points, a reserve.
///
/// ```
/// use finale::board::{ByColor, Color};
///
/// let mut vitality = ByColor { white: 50, black: 20 };
/// vitality[Color::Black] -= 1;
/// assert_eq!(vitality, [50, 19].into());
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// What `make` makes for each side, White first.
    #[inline]
    pub fn new(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }

    /// What `change` makes of each.
    #[inline]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor { white: change(self.white), black: change(self.black) }
    }
}

impl<T: Copy> ByColor<T> {
    /// The same for both sides.
    pub const fn both(each: T) -> ByColor<T> {
        ByColor { white: each, black: each }
    }
}

impl<T> From<[T; 2]> for ByColor<T> {
    /// White's comes first.
    fn from([white, black]: [T; 2]) -> ByColor<T> {
        ByColor { white, black }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

impl<T: fmt::Display> fmt::Display for ByColor<T> {
    /// As a field of a FEN has it: `50+19`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.white, self.black)
    }
}

impl<T: Serialize> Serialize for ByColor<T> {
    /// A list, White's first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [&self.white, &self.black].serialize(serializer)
    }
}

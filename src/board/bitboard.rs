//! Sets of squares, one bit each.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

/// A set of squares; bit n stands for square number n.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);
    /// The light squares.
    pub const LIGHT: Bitboard = Bitboard(!Bitboard::DARK.0);

    /// These squares.
    pub const fn of<const N: usize>(squares: [Square; N]) -> Bitboard {
        let mut set = 0;
        let mut next = 0;
        while next < N {
            set |= squares[next].bit().0;
            next += 1;
        }
        Bitboard(set)
    }

    /// The squares of a rank, 0 to 7.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xFF << (8 * rank))
    }

    /// The squares of a file, 0 to 7.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file)
    }

    /// Whether the set holds `square`.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.number() & 1 != 0
    }

    /// Whether the set holds no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The square with the lowest number, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    /// Takes out and returns the square with the lowest number.
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // `self.len()` on a reference would be the trait's, which asks this very method.
        let len = Bitboard::len(*self);
        (len, Some(len))
    }
}

impl ExactSizeIterator for Bitboard {}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        square.bit()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

macro_rules! set_operation {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}

set_operation!(BitAnd bitand, BitAndAssign bitand_assign, &);
set_operation!(BitOr bitor, BitOrAssign bitor_assign, |);
set_operation!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl Square {
    /// Whether the square is dark; a1 is.
    #[inline]
    pub const fn is_dark(self) -> bool {
        Bitboard::DARK.contains(self)
    }

    /// The set that holds just this square.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.number())
    }
}

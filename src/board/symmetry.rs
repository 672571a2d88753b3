//! The eight symmetries of the board and the groups of them that games keep.

use super::{Bitboard, Square};

/// One of the eight symmetries: bit 0 mirrors the files, bit 1 the ranks, and bit 2 then swaps
/// files with ranks.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut number = 0;
        while number < 64 {
            let (mut file, mut rank) = (number as u8 & 7, number as u8 >> 3);
            if symmetry & 1 != 0 {
                file = 7 - file;
            }
            if symmetry & 2 != 0 {
                rank = 7 - rank;
            }
            if symmetry & 4 != 0 {
                (file, rank) = (rank, file);
            }
            images[symmetry][number] = rank * 8 + file;
            number += 1;
        }
        symmetry += 1;
    }
    images
};

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Left for right: a1 to h1.
    pub const MIRROR: Symmetry = Symmetry(1);
    /// Upside down: a1 to a8.
    pub const FLIP: Symmetry = Symmetry(2);
    /// The half turn: a1 to h8.
    pub const HALF_TURN: Symmetry = Symmetry(3);

    /// All eight.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// A number below 8: for tables with an entry per symmetry.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Where each square goes, by number.
    #[inline]
    pub fn images(self) -> &'static [u8; 64] {
        &IMAGES[self.index()]
    }

    /// Where `square` goes.
    #[inline]
    pub const fn image(self, square: Square) -> Square {
        Square::new(IMAGES[self.index()][square.number()])
    }

    /// Where it takes an offset: so many files to the right and ranks ahead.
    pub const fn image_of_offset(self, (mut files, mut ranks): (i8, i8)) -> (i8, i8) {
        if self.0 & 1 != 0 {
            files = -files;
        }
        if self.0 & 2 != 0 {
            ranks = -ranks;
        }
        if self.0 & 4 != 0 { (ranks, files) } else { (files, ranks) }
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        // Swapping comes last, so undoing it first exchanges the two mirrors.
        if self.0 & 4 != 0 { Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) } else { self }
    }

    /// This symmetry and after it another, as one.
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // Mirrors that come after a swap of file and rank are those of the other axis before it.
        let mirrors = next.0 & 3;
        let mirrors = if self.0 & 4 != 0 { (mirrors & 1) << 1 | mirrors >> 1 } else { mirrors };
        Symmetry(self.0 ^ mirrors ^ next.0 & 4)
    }

    /// Where the squares of a set go.
    #[inline]
    pub const fn image_of_set(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.0 & 1 != 0 {
            // Reversing the bits turns the board by a half; swapping the bytes turns the ranks
            // back.
            bits = bits.reverse_bits().swap_bytes();
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = transpose(bits);
        }
        Bitboard(bits)
    }
}

/// Reflects an 8×8 bit matrix at the diagonal a1–h8 by three rounds of block swaps.
#[inline]
const fn transpose(mut bits: u64) -> u64 {
    let mut swap = (bits ^ (bits << 28)) & 0x0F0F_0F0F_0000_0000;
    bits ^= swap ^ (swap >> 28);
    swap = (bits ^ (bits << 14)) & 0x3333_0000_3333_0000;
    bits ^= swap ^ (swap >> 14);
    swap = (bits ^ (bits << 7)) & 0x5500_5500_5500_5500;
    bits ^ swap ^ (swap >> 7)
}

/// A group of symmetries under which the positions of a table keep their value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// Only the identity.
    Trivial,
    /// Identity and left–right mirror: what pawns leave.
    Mirror,
    /// Identity, half turn and both diagonals: what keeps the colours of the squares.
    SquareColors,
    /// All eight.
    Full,
}

impl Group {
    /// The symmetries in the group, identity first.
    pub fn symmetries(self) -> impl Iterator<Item = Symmetry> + Clone {
        let members: &[u8] = match self {
            Group::Trivial => &[0],
            Group::Mirror => &[0, 1],
            Group::SquareColors => &[0, 3, 4, 7],
            Group::Full => &[0, 1, 2, 3, 4, 5, 6, 7],
        };
        members.iter().map(|&s| Symmetry(s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_undo_and_sets_follow_their_squares() {
        for symmetry in Symmetry::all() {
            for square in Square::all() {
                assert_eq!(symmetry.inverse().image(symmetry.image(square)), square);
                assert_eq!(symmetry.image_of_set(square.bit()), symmetry.image(square).bit());
            }
        }
    }

    #[test]
    fn one_after_the_other_is_one() {
        for first in Symmetry::all() {
            for next in Symmetry::all() {
                let both = first.then(next);
                assert!(Square::all().all(|s| both.image(s) == next.image(first.image(s))));
            }
        }
    }

    #[test]
    fn groups_are_closed_and_keep_what_they_promise() {
        for group in [Group::Trivial, Group::Mirror, Group::SquareColors, Group::Full] {
            for a in group.symmetries() {
                assert!(group.symmetries().any(|b| b == a.inverse()));
                for b in group.symmetries() {
                    assert!(
                        group
                            .symmetries()
                            .any(|c| { Square::all().all(|s| c.image(s) == a.image(b.image(s))) })
                    );
                }
            }
        }
        for symmetry in Group::SquareColors.symmetries() {
            assert!(Square::all().all(|s| symmetry.image(s).is_dark() == s.is_dark()));
        }
    }
}

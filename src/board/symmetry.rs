//! The symmetries of a board and the groups of them that games keep.

use super::{Bitboard, BoardSize, Square};

/// One of the symmetries of a board: bit 0 mirrors the files, bit 1 the ranks, and bit 2 then swaps
/// files with ranks, which only square boards allow. Behind them is how many files and ranks the
/// board has less than eight, three bits each, since that says where its middle is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u16);

/// How many symmetries of all boards there are.
const COUNT: usize = 8 << 6;

/// Where each takes the squares. Those that are not on the board go to others that are not.
static IMAGES: [[u8; 64]; COUNT] = {
    let mut images = [[0; 64]; COUNT];
    let mut symmetry = 0;
    while symmetry < COUNT {
        let last_file = 7 - (symmetry as u8 >> 3 & 7);
        let last_rank = 7 - (symmetry >> 6) as u8;
        let mut number = 0;
        while number < 64 {
            let (mut file, mut rank) = (number as u8 & 7, number as u8 >> 3);
            if symmetry & 1 != 0 {
                file = last_file.wrapping_sub(file) & 7;
            }
            if symmetry & 2 != 0 {
                rank = last_rank.wrapping_sub(rank) & 7;
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

/// The ordinals of the squares that those are, on the board of each symmetry; of those that are not
/// on the board they mean nothing.
static ORDINALS: [[u8; 64]; COUNT] = {
    let mut ordinals = [[0; 64]; COUNT];
    let mut symmetry = 0;
    while symmetry < COUNT {
        let files = 8 - (symmetry as u8 >> 3 & 7);
        let mut number = 0;
        while number < 64 {
            let image = IMAGES[symmetry][number];
            ordinals[symmetry][number] = (image >> 3) * files + (image & 7);
            number += 1;
        }
        symmetry += 1;
    }
    ordinals
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

    /// How many [kinds](Symmetry::kind) there are.
    pub const KINDS: usize = 8;

    /// All eight of the board of chess.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Which of the symmetries of its board it is, from 0 on: the same for all boards.
    #[inline]
    pub const fn kind(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The same symmetry of a board of another size.
    pub const fn on(self, size: BoardSize) -> Symmetry {
        let missing = (8 - size.files()) as u16 | ((8 - size.ranks()) as u16) << 3;
        Symmetry(self.0 & 7 | missing << 3)
    }

    /// Whether it takes the squares of a board to squares of that board.
    const fn fits(self, size: BoardSize) -> bool {
        self.0 & 4 == 0 || size.is_square()
    }

    /// Whether everything stays where it is.
    #[inline]
    pub const fn is_identity(self) -> bool {
        self.kind() == 0
    }

    /// Whether each square stays on its rank.
    pub const fn keeps_ranks(self) -> bool {
        self.0 & 6 == 0
    }

    /// Where each square goes, by number.
    #[inline]
    pub fn images(self) -> &'static [u8; 64] {
        &IMAGES[self.0 as usize % COUNT]
    }

    /// Where `square` goes.
    #[inline]
    pub const fn image(self, square: Square) -> Square {
        Square::new(IMAGES[self.0 as usize % COUNT][square.number()])
    }

    /// The [ordinals](BoardSize::ordinal) of where the squares of its board go, by number.
    #[inline]
    pub fn ordinals(self) -> &'static [u8; 64] {
        &ORDINALS[self.0 as usize % COUNT]
    }

    /// The ordinal of where `square` goes, which is on the board.
    #[inline]
    pub const fn ordinal(self, square: Square) -> usize {
        ORDINALS[self.0 as usize % COUNT][square.number()] as usize
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
        if self.0 & 4 != 0 {
            Symmetry(self.0 & !3 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        } else {
            self
        }
    }

    /// This symmetry and after it another of the same board, as one.
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // Mirrors that come after a swap of file and rank are those of the other axis before it.
        let mirrors = next.0 & 3;
        let mirrors = if self.0 & 4 != 0 { (mirrors & 1) << 1 | mirrors >> 1 } else { mirrors };
        // One of them may leave the board of chess where it is, and then fits every board.
        Symmetry((self.0 & 7) ^ mirrors ^ next.0 & 4 | (self.0 | next.0) & !7)
    }

    /// Where the squares of a set go that are on the board.
    #[inline]
    pub const fn image_of_set(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.0 & 1 != 0 {
            // Reversing the bits turns the board by a half; swapping the bytes turns the ranks
            // back. What a smaller board has is then too far to the right, by the files it lacks.
            bits = bits.reverse_bits().swap_bytes() >> (self.0 >> 3 & 7);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes() >> (8 * (self.0 >> 6 & 7));
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

/// A group of symmetries of a board under which the positions of a table keep their value, and
/// where pawns stand on that board.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group {
    kind: GroupKind,
    size: BoardSize,
    pawns_on_ends: [bool; 2],
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum GroupKind {
    Trivial,
    Mirror,
    SquareColors,
    Full,
}

impl Group {
    /// Only the identity.
    pub const TRIVIAL: Group =
        Group { kind: GroupKind::Trivial, size: BoardSize::CHESS, pawns_on_ends: [false; 2] };
    /// Identity and left–right mirror: what pawns leave.
    pub const MIRROR: Group = Group { kind: GroupKind::Mirror, ..Group::TRIVIAL };
    /// Identity, half turn and both diagonals: what keeps the colours of the squares of chess.
    pub const SQUARE_COLORS: Group = Group { kind: GroupKind::SquareColors, ..Group::TRIVIAL };
    /// All eight.
    pub const FULL: Group = Group { kind: GroupKind::Full, ..Group::TRIVIAL };

    /// The same of a board of another size, as far as it has them: unless it is square, files and
    /// ranks are not swapped.
    pub const fn on(self, size: BoardSize) -> Group {
        Group { size, ..self }
    }

    /// The same where pawns may stand, or may not, on the first and on the last rank of their side.
    pub const fn with_pawns_on_ends(self, pawns_on_ends: [bool; 2]) -> Group {
        Group { pawns_on_ends, ..self }
    }

    /// The board.
    #[inline]
    pub const fn size(self) -> BoardSize {
        self.size
    }

    /// Whether pawns may stand on the first and on the last rank of their side.
    #[inline]
    pub const fn pawns_on_ends(self) -> [bool; 2] {
        self.pawns_on_ends
    }

    /// Whether there is nothing in it but the identity.
    pub const fn is_trivial(self) -> bool {
        matches!(self.kind, GroupKind::Trivial)
    }

    /// Whether pawns keep all of it.
    pub const fn is_kept_by_pawns(self) -> bool {
        matches!(self.kind, GroupKind::Trivial | GroupKind::Mirror)
    }

    /// The symmetries in the group, identity first.
    pub fn symmetries(self) -> impl Iterator<Item = Symmetry> + Clone {
        let members: &[u16] = match self.kind {
            GroupKind::Trivial => &[0],
            GroupKind::Mirror => &[0, 1],
            GroupKind::SquareColors => &[0, 3, 4, 7],
            GroupKind::Full => &[0, 1, 2, 3, 4, 5, 6, 7],
        };
        let size = self.size;
        members.iter().map(|&s| Symmetry(s)).filter(move |s| s.fits(size)).map(move |s| s.on(size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::size::tests::sizes;

    const GROUPS: [Group; 4] = [Group::TRIVIAL, Group::MIRROR, Group::SQUARE_COLORS, Group::FULL];

    #[test]
    fn inverses_undo_and_sets_follow_their_squares() {
        for size in sizes() {
            for symmetry in Group::FULL.on(size).symmetries() {
                for square in Square::all() {
                    let image = symmetry.image(square);
                    assert_eq!(symmetry.inverse().image(image), square);
                    if size.contains(square) {
                        assert_eq!(symmetry.ordinal(square), size.ordinal(image));
                    }
                    assert_eq!(size.contains(square), size.contains(image), "{size} {symmetry:?}");
                    if size.contains(square) {
                        assert_eq!(symmetry.image_of_set(square.bit()), image.bit());
                    } else {
                        let on_board = symmetry.image_of_set(square.bit()) & size.squares();
                        assert!(on_board.is_empty(), "{size} {symmetry:?} {square}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_after_the_other_is_one() {
        for size in sizes() {
            for first in Group::FULL.on(size).symmetries() {
                for next in Group::FULL.on(size).symmetries() {
                    let both = first.then(next);
                    let one_by_one = |s| next.image(first.image(s));
                    assert!(size.squares().all(|s| both.image(s) == one_by_one(s)), "{size}");
                }
            }
        }
    }

    #[test]
    fn groups_are_closed_and_keep_what_they_promise() {
        for group in GROUPS.into_iter().flat_map(|group| sizes().map(move |size| group.on(size))) {
            for a in group.symmetries() {
                assert!(group.symmetries().any(|b| b == a.inverse()));
                for b in group.symmetries() {
                    assert!(group.symmetries().any(|c| c == b.then(a)), "{group:?}");
                }
            }
        }
        for symmetry in Group::SQUARE_COLORS.symmetries() {
            assert!(Square::all().all(|s| symmetry.image(s).is_dark() == s.is_dark()));
        }
    }
}

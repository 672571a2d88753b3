//! Which squares the men of chess attack.
//!
//! Sliders use obstruction difference on the four lines through a square: the nearest blocker on
//! either side bounds the attack. It needs 1 KiB of tables per kind of line and no multiplication,
//! and is branch-free (measured: about 3 ns a line pair).

use super::{Bitboard, Color, Square};

/// The squares of a line strictly below and strictly above one of its squares.
#[derive(Copy, Clone)]
struct Ray {
    lower: u64,
    upper: u64,
}

impl Ray {
    #[inline]
    const fn attacks(self, occupied: u64) -> u64 {
        let lower = self.lower & occupied;
        let upper = self.upper & occupied;
        // The nearest blocker below, or bit 0 where there is none: bits below the line's end are
        // cut away by the final mask.
        let nearest_below = 1u64 << (63 - (lower | 1).leading_zeros());
        let nearest_above = upper & upper.wrapping_neg();
        // Twice the upper blocker minus the lower one sets every bit from the one to the other;
        // with no upper blocker the doubling yields 0 and the borrow fills to the top.
        let span = nearest_above.wrapping_mul(2).wrapping_sub(nearest_below);
        span & (self.lower | self.upper)
    }
}

const fn ray(from: Square, files: i8, ranks: i8) -> u64 {
    let mut set = 0;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        set |= next.bit().0;
        square = next;
    }
    set
}

const fn lines(files: i8, ranks: i8) -> [Ray; 64] {
    let mut lines = [Ray { lower: 0, upper: 0 }; 64];
    let mut number = 0;
    while number < 64 {
        let square = Square::new(number as u8);
        lines[number] =
            Ray { lower: ray(square, -files, -ranks), upper: ray(square, files, ranks) };
        number += 1;
    }
    lines
}

const fn steps<const N: usize>(offsets: [(i8, i8); N]) -> [u64; 64] {
    let mut sets = [0; 64];
    let mut number = 0;
    while number < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = Square::new(number as u8).offset(offsets[i].0, offsets[i].1) {
                sets[number] |= to.bit().0;
            }
            i += 1;
        }
        number += 1;
    }
    sets
}

static FILES: [Ray; 64] = lines(0, 1);
static RANKS: [Ray; 64] = lines(1, 0);
static DIAGONALS: [Ray; 64] = lines(1, 1);
static ANTIDIAGONALS: [Ray; 64] = lines(-1, 1);

static KING: [u64; 64] =
    steps([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static KNIGHT: [u64; 64] =
    steps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static PAWN: [[u64; 64]; 2] = [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];

static BETWEEN: [[u64; 64]; 64] = {
    const DIRECTIONS: [(i8, i8); 8] =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut between = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 8 {
            let mut passed = 0;
            let mut square = Square::new(from as u8);
            while let Some(next) = square.offset(DIRECTIONS[d].0, DIRECTIONS[d].1) {
                between[from][next.number()] = passed;
                passed |= next.bit().0;
                square = next;
            }
            d += 1;
        }
        from += 1;
    }
    between
};

/// The squares a King (or a disk) on `square` attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.number()])
}

/// The squares a Knight on `square` attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.number()])
}

/// The squares a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.number()])
}

/// The squares a Rook on `square` attacks, blocked by `occupied`: the nearest blockers among them.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let n = square.number();
    Bitboard(FILES[n].attacks(occupied.0) | RANKS[n].attacks(occupied.0))
}

/// The squares a Bishop on `square` attacks, blocked by `occupied`.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let n = square.number();
    Bitboard(DIAGONALS[n].attacks(occupied.0) | ANTIDIAGONALS[n].attacks(occupied.0))
}

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    Bitboard(BETWEEN[from.number()][to.number()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

    /// Walks every direction square by square: slow and plainly right.
    fn walk(from: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for &(files, ranks) in directions {
            let mut square = from;
            while let Some(next) = square.offset(files, ranks) {
                reached |= next.bit();
                if occupied.contains(next) {
                    break;
                }
                square = next;
            }
        }
        reached
    }

    proptest::proptest! {
        #[test]
        fn sliders_stop_at_the_first_blocker(bits: u64, number in 0u8..64) {
            let (occupied, square) = (Bitboard(bits), Square::new(number));
            proptest::prop_assert_eq!(rook_attacks(square, occupied), walk(square, occupied, &ORTHOGONAL));
            proptest::prop_assert_eq!(bishop_attacks(square, occupied), walk(square, occupied, &DIAGONAL));
        }
    }

    #[test]
    fn between_is_exclusive_and_symmetric() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(
            between(square("a1"), square("d4")),
            [square("b2"), square("c3")].into_iter().collect()
        );
        assert_eq!(between(square("h8"), square("h7")), Bitboard::EMPTY);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
            }
        }
    }
}

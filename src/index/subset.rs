//! Numbers for sets of like men.
//!
//! A set of k squares with the ordinals s₁ < s₂ < … < s_k has the number
//! C(s₁,1) + C(s₂,2) + … + C(s_k,k), the combinatorial number system: dense, and the number of a
//! set does not depend on the order in which its men are named.

use super::MAX_MEN;
use crate::board::{Bitboard, BoardSize};

/// C(n, k) for n ≤ 64, k ≤ [`MAX_MEN`].
static CHOOSE: [[u64; MAX_MEN + 1]; 65] = {
    let mut choose = [[0; MAX_MEN + 1]; 65];
    let mut n = 0;
    while n <= 64 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= MAX_MEN && n > 0 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The ordinals of every set of two by its number: those of which there are most, found at once.
static OF_TWO: [[u8; 2]; 2016] = {
    let mut pairs = [[0; 2]; 2016];
    let (mut number, mut high) = (0, 1);
    while high < 64 {
        let mut low = 0;
        while low < high {
            pairs[number] = [low, high];
            number += 1;
            low += 1;
        }
        high += 1;
    }
    pairs
};

/// The two ordinals with this number, the lower first: as [`set`] without an origin; `None` if no
/// board has them.
#[inline]
pub(crate) fn two(number: usize) -> Option<[usize; 2]> {
    OF_TWO.get(number).map(|pair| pair.map(usize::from))
}

/// The number of a set of two ordinals without an origin, as [`number`].
#[inline]
pub(crate) const fn number_of_two(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    low + high * high.wrapping_sub(1) / 2
}

/// How many sets of `men` squares out of `squares` there are.
///
/// # Panics
/// If `squares` is above 64 or `men` above [`MAX_MEN`].
pub(crate) const fn count(squares: usize, men: usize) -> u64 {
    CHOOSE[squares][men]
}

/// The number of a set of at most [`MAX_MEN`] squares of a board, counting from the ordinal
/// `origin` on.
#[inline]
pub(crate) fn number(set: Bitboard, (size, origin): (BoardSize, usize)) -> u64 {
    set.zip(1..).map(|(square, k)| CHOOSE[size.ordinal(square) - origin][k]).sum()
}

/// The set of `men` squares with this number: the inverse of [`number`].
#[inline]
pub(crate) fn set(mut number: u64, men: usize, (size, origin): (BoardSize, usize)) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    let mut ordinal = size.len() - origin;
    for k in (1..=men).rev() {
        ordinal -= 1;
        while CHOOSE[ordinal][k] > number {
            ordinal -= 1;
        }
        number -= CHOOSE[ordinal][k];
        found |= size.square(ordinal + origin).bit();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn numbers_are_dense_and_reversible() {
        for (size, pawns) in [(BoardSize::CHESS, 48), (BoardSize::new(5, 6).unwrap(), 20)] {
            let from = (size, usize::from(size.files()));
            for men in 0..=3 {
                for n in 0..count(pawns, men) {
                    let squares = set(n, men, from);
                    assert_eq!(squares.len(), men);
                    assert!((squares & !size.pawn_squares()).is_empty());
                    assert_eq!(number(squares, from), n);
                }
            }
        }
    }

    #[test]
    fn two_are_numbered_as_any() {
        for n in 0..count(64, 2) {
            let [low, high] = two(n as usize).unwrap();
            assert!(low < high);
            let squares: Bitboard =
                [low, high].map(|ordinal| Square::new(ordinal as u8)).into_iter().collect();
            assert_eq!(squares, set(n, 2, (BoardSize::CHESS, 0)));
            assert_eq!(number_of_two(low, high), n as usize);
            assert_eq!(number_of_two(high, low), n as usize);
        }
        assert_eq!(two(count(64, 2) as usize), None);
    }
}

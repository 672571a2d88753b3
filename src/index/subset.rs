//! Numbers for sets of like men.
//!
//! A set of k squares s₁ < s₂ < … < s_k has the number C(s₁,1) + C(s₂,2) + … + C(s_k,k), the
//! combinatorial number system: dense, and the number of a set does not depend on the order in
//! which its men are named.

use crate::board::{Bitboard, Square};

/// C(n, k) for n ≤ 64, k ≤ 6.
static CHOOSE: [[u64; 7]; 65] = {
    let mut choose = [[0; 7]; 65];
    let mut n = 0;
    while n <= 64 {
        choose[n][0] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The squares of every set of two by its number: those of which there are most, found at once.
static OF_TWO: [[Square; 2]; 2016] = {
    let mut pairs = [[Square::new(0); 2]; 2016];
    let (mut number, mut high) = (0, 1);
    while high < 64 {
        let mut low = 0;
        while low < high {
            pairs[number] = [Square::new(low), Square::new(high)];
            number += 1;
            low += 1;
        }
        high += 1;
    }
    pairs
};

/// The two squares with this number, the lower first: as [`set`] without an origin; `None` if there
/// are none.
#[inline]
pub(crate) fn two(number: usize) -> Option<[Square; 2]> {
    OF_TWO.get(number).copied()
}

/// The number of a set of two squares without an origin, as [`number`].
#[inline]
pub(crate) const fn number_of_two(a: Square, b: Square) -> usize {
    let (a, b) = (a.number(), b.number());
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    low + high * high.wrapping_sub(1) / 2
}

/// How many sets of `men` squares out of `squares` there are.
///
/// # Panics
/// If `squares` is above 64 or `men` above 6.
pub(crate) const fn count(squares: usize, men: usize) -> u64 {
    CHOOSE[squares][men]
}

/// The number of a set of at most six squares, counting squares from number `origin` on.
#[inline]
pub(crate) fn number(set: Bitboard, origin: usize) -> u64 {
    set.zip(1..).map(|(square, k)| CHOOSE[square.number() - origin][k]).sum()
}

/// The set of `men` squares with this number: the inverse of [`number`].
#[inline]
pub(crate) fn set(mut number: u64, men: usize, origin: usize) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    let mut square = 64 - origin;
    for k in (1..=men).rev() {
        square -= 1;
        while CHOOSE[square][k] > number {
            square -= 1;
        }
        number -= CHOOSE[square][k];
        found |= Square::new((square + origin) as u8).bit();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_reversible() {
        for men in 0..=3 {
            let all = count(48, men);
            for n in 0..all {
                let squares = set(n, men, 8);
                assert_eq!(squares.len(), men);
                assert!(squares.into_iter().all(|s| (8..56).contains(&s.number())));
                assert_eq!(number(squares, 8), n);
            }
        }
    }

    #[test]
    fn two_are_numbered_as_any() {
        for n in 0..count(64, 2) {
            let [low, high] = two(n as usize).unwrap();
            assert!(low < high);
            assert_eq!(low.bit() | high.bit(), set(n, 2, 0));
            assert_eq!(number_of_two(low, high), n as usize);
            assert_eq!(number_of_two(high, low), n as usize);
        }
        assert_eq!(two(count(64, 2) as usize), None);
    }
}

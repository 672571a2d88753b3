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
}

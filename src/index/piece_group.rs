//! Like men as one digit of a number.

use super::subset;
use crate::board::{Man, Square};

/// Like men, told apart by nothing: the set of their squares is one digit of a number.
///
/// There are whole blocks of `BLOCK` digits; the last of them may be no set's.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PieceGroup<const BLOCK: u64> {
    first: usize,
    men: usize,
    size: u64,
}

impl<const BLOCK: u64> PieceGroup<BLOCK> {
    /// How many digits two men have.
    const OF_TWO: u64 = subset::count(64, 2).next_multiple_of(BLOCK);

    /// Brings like men together; `pieces` are in the order of `men`, as far as they are alike.
    pub fn of(men: &[Man], pieces: &[usize]) -> Vec<PieceGroup<BLOCK>> {
        let groups = pieces.chunk_by(|&a, &b| men[a] == men[b]).map(|like| {
            let size = subset::count(64, like.len()).next_multiple_of(BLOCK);
            PieceGroup { first: like[0], men: like.len(), size }
        });
        groups.collect()
    }

    /// The first of them; the others follow among the men.
    pub fn first(&self) -> usize {
        self.first
    }

    /// How many they are.
    pub fn men(&self) -> usize {
        self.men
    }

    /// Which men they are.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.men
    }

    /// How many digits there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The digit of the squares on which they stand, in whatever order.
    #[inline]
    pub fn digit(&self, square: impl Fn(usize) -> Square) -> u64 {
        match self.men {
            1 => square(self.first).number() as u64,
            2 => subset::number_of_two(square(self.first), square(self.first + 1)) as u64,
            _ => subset::number(self.range().map(square).collect(), 0),
        }
    }

    /// Takes their digit from the end of a number and calls `place` with each of them and its
    /// square; tells whether the digit is a set's.
    #[inline]
    pub fn take(&self, number: &mut u64, mut place: impl FnMut(usize, Square)) -> bool {
        // Dividing by a constant is much quicker.
        match self.men {
            1 => {
                place(self.first, Square::new((*number % 64) as u8));
                *number /= 64;
                true
            }
            2 => {
                let pair = subset::two((*number % Self::OF_TWO) as usize);
                *number /= Self::OF_TWO;
                pair.is_some_and(|[low, high]| {
                    place(self.first, low);
                    place(self.first + 1, high);
                    true
                })
            }
            men => {
                let digit = *number % self.size;
                *number /= self.size;
                let is_set = digit < subset::count(64, men);
                if is_set {
                    self.range().zip(subset::set(digit, men, 0)).for_each(|(man, s)| place(man, s));
                }
                is_set
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::{Bitboard, Color, Role},
        index::MAX_MEN,
    };

    /// Every digit of some Knights behind a Rook, and back.
    fn digits_come_back<const BLOCK: u64>() {
        let man = |role| Man::new(Color::White, role);
        for men in 1..=3 {
            let all = [vec![man(Role::Rook)], vec![man(Role::Knight); men]].concat();
            let pieces = PieceGroup::<BLOCK>::of(&all, &(0..=men).collect::<Vec<_>>());
            let [rook, knights] = pieces[..] else { panic!("two kinds") };
            assert_eq!((rook.size(), rook.range(), knights.range()), (64, 0..1, 1..men + 1));
            assert!(knights.size().is_multiple_of(BLOCK));
            let mut met = 0;
            for digit in 0..knights.size() {
                let mut squares = [Square::new(0); MAX_MEN];
                let mut number = 7 * knights.size() + digit;
                if !knights.take(&mut number, |man, square| squares[man] = square) {
                    continue;
                }
                met += 1;
                assert_eq!(number, 7);
                assert!(rook.take(&mut number, |man, square| squares[man] = square));
                assert_eq!((squares[0].number(), number), (7, 0));
                assert_eq!(squares[1..=men].iter().copied().collect::<Bitboard>().len(), men);
                // In whatever order they are named.
                squares[1..=men].reverse();
                assert_eq!(knights.digit(|man| squares[man]), digit);
            }
            assert_eq!(met, subset::count(64, men));
        }
    }

    #[test]
    fn dense_digits_come_back() {
        digits_come_back::<1>();
    }

    #[test]
    fn blocks_of_digits_come_back() {
        digits_come_back::<64>();
    }
}

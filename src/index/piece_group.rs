//! Like men as one digit of a number.

use super::subset;
use crate::board::{BoardSize, Man, Square};

/// Like men, told apart by nothing: the set of their squares is one digit of a number.
///
/// On the board of chess there are whole blocks of `BLOCK` digits; the last of them may be no
/// set's.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PieceGroup<const BLOCK: u64> {
    first: usize,
    men: usize,
    board: BoardSize,
    size: u64,
}

impl<const BLOCK: u64> PieceGroup<BLOCK> {
    /// How many digits two men have on the board of chess.
    const OF_TWO: u64 = subset::count(64, 2).next_multiple_of(BLOCK);

    /// Brings like men on a board together; `pieces` are in the order of `men`, as far as they are
    /// alike.
    pub fn of(men: &[Man], pieces: &[usize], board: BoardSize) -> Vec<PieceGroup<BLOCK>> {
        let groups = pieces.chunk_by(|&a, &b| men[a] == men[b]).map(|like| {
            let sets = subset::count(board.len(), like.len());
            let block = if board == BoardSize::CHESS { BLOCK } else { 1 };
            let size = sets.next_multiple_of(block);
            PieceGroup { first: like[0], men: like.len(), board, size }
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

    /// The board they stand on.
    #[cfg(feature = "build")]
    pub fn board(&self) -> BoardSize {
        self.board
    }

    /// Which men they are.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.men
    }

    /// How many digits there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The digit of the squares on which they stand, in whatever order, given the ordinals of
    /// those.
    #[inline]
    pub fn digit(&self, ordinal: impl Fn(usize) -> usize) -> u64 {
        match self.men {
            1 => ordinal(self.first) as u64,
            2 => subset::number_of_two(ordinal(self.first), ordinal(self.first + 1)) as u64,
            _ => {
                let ordinals = self.range().map(|man| Square::new(ordinal(man) as u8));
                subset::number(ordinals.collect(), (BoardSize::CHESS, 0))
            }
        }
    }

    /// Takes their digit from the end of a number and calls `place` with each of them and its
    /// square; tells whether the digit is a set's.
    #[inline]
    pub fn take(&self, number: &mut u64, mut place: impl FnMut(usize, Square)) -> bool {
        // Dividing by a constant is much quicker.
        let (digit, rest) = match self.men {
            1 if self.board == BoardSize::CHESS => (*number % 64, *number / 64),
            2 if self.board == BoardSize::CHESS => (*number % Self::OF_TWO, *number / Self::OF_TWO),
            _ => (*number % self.size, *number / self.size),
        };
        *number = rest;
        match self.men {
            1 => {
                place(self.first, self.board.square(digit as usize));
                true
            }
            2 => subset::two(digit as usize).is_some_and(|[low, high]| {
                place(self.first, self.board.square(low));
                place(self.first + 1, self.board.square(high));
                true
            }),
            men => {
                let is_set = digit < subset::count(self.board.len(), men);
                if is_set {
                    let squares = subset::set(digit, men, (self.board, 0));
                    self.range().zip(squares).for_each(|(man, square)| place(man, square));
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

    /// Every digit of some Knights behind a Rook on a board, and back.
    fn digits_come_back<const BLOCK: u64>(board: BoardSize) {
        let man = |role| Man::new(Color::White, role);
        for men in 1..=3 {
            let all = [vec![man(Role::Rook)], vec![man(Role::Knight); men]].concat();
            let pieces = PieceGroup::<BLOCK>::of(&all, &(0..=men).collect::<Vec<_>>(), board);
            let [rook, knights] = pieces[..] else { panic!("two kinds") };
            let squares = board.len() as u64;
            assert_eq!((rook.size(), rook.range(), knights.range()), (squares, 0..1, 1..men + 1));
            assert!(board != BoardSize::CHESS || knights.size().is_multiple_of(BLOCK));
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
                assert_eq!((squares[0], number), (board.square(7), 0));
                assert_eq!(squares[1..=men].iter().copied().collect::<Bitboard>().len(), men);
                // In whatever order they are named.
                squares[1..=men].reverse();
                assert_eq!(knights.digit(|man| board.ordinal(squares[man])), digit);
            }
            assert_eq!(met, subset::count(board.len(), men));
        }
    }

    #[test]
    fn dense_digits_come_back() {
        digits_come_back::<1>(BoardSize::CHESS);
        digits_come_back::<1>(BoardSize::new(5, 6).unwrap());
    }

    #[test]
    fn blocks_of_digits_come_back() {
        digits_come_back::<64>(BoardSize::CHESS);
        digits_come_back::<64>(BoardSize::new(4, 4).unwrap());
    }
}

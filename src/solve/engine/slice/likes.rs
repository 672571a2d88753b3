//! Like pieces that neither lead nor run, in the number of a word.

use super::Stand;
use crate::{
    board::{Bitboard, Man, Square},
    index::{MAX_MEN, subset},
};

/// Numbers that two like men take: their 2,016 sets of squares, and some that none has, for words come
/// in blocks of 64 and are quickly told apart by powers of two.
const OF_TWO: usize = 2048;

/// Some like pieces, whose squares are one digit of the number of a word.
#[derive(Copy, Clone, Debug)]
pub(super) struct Likes {
    /// The first of them; the others follow among the slice's men.
    first: usize,
    men: usize,
    size: usize,
    /// How far apart in words two of their numbers are.
    stride: usize,
}

impl Likes {
    /// Brings like pieces together; `pieces` are in the order of `men`, as far as they are alike. The
    /// last are the last digit of a word.
    pub fn of(men: &[Man], pieces: &[usize]) -> Vec<Likes> {
        let mut all: Vec<Likes> = Vec::new();
        let mut stride = 1;
        for like in pieces.chunk_by(|&a, &b| men[a] == men[b]).rev() {
            let size = match like.len() {
                1 => 64,
                2 => OF_TWO,
                more => (subset::count(64, more) as usize).next_multiple_of(64),
            };
            all.push(Likes { first: like[0], men: like.len(), size, stride });
            stride *= size;
        }
        all.reverse();
        all
    }

    /// How many numbers they take.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How far apart in words two of their numbers are.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Whether a piece is one of them.
    pub fn has(&self, piece: usize) -> bool {
        (self.first..self.first + self.men).contains(&piece)
    }

    /// Whether they are a single piece.
    pub fn has_one(&self) -> bool {
        self.men == 1
    }

    /// Whether they are so many, from that piece on.
    pub fn are(&self, first: usize, men: usize) -> bool {
        (self.first, self.men) == (first, men)
    }

    /// Their number, given where each stands.
    #[inline]
    pub fn number(&self, square: impl Fn(usize) -> Square) -> usize {
        match self.men {
            1 => square(self.first).number(),
            2 => subset::number_of_two(square(self.first), square(self.first + 1)),
            men => of_more((self.first..self.first + men).map(square).collect()),
        }
    }

    /// Takes their number from the end of what is left of a word, puts them where it says and tells
    /// their squares; `None` if no set of squares has that number.
    #[inline]
    pub fn take(&self, word: &mut usize, squares: &mut [Square; MAX_MEN]) -> Option<Bitboard> {
        // Dividing by a constant is much quicker.
        match self.men {
            1 => {
                let square = Square::new((*word % 64) as u8);
                *word /= 64;
                squares[self.first] = square;
                Some(square.bit())
            }
            2 => {
                let [low, high] = subset::two(*word % OF_TWO)?;
                *word /= OF_TWO;
                squares[self.first] = low;
                squares[self.first + 1] = high;
                Some(low.bit() | high.bit())
            }
            men => {
                let number = (*word % self.size) as u64;
                *word /= self.size;
                let set = (number < subset::count(64, men)).then(|| subset::set(number, men, 0))?;
                set.zip(self.first..).for_each(|(square, man)| squares[man] = square);
                Some(set)
            }
        }
    }

    /// The words to which one of them goes.
    #[inline]
    pub fn ways(&self, stand: &Stand, piece: usize) -> Ways {
        let number = self.number(|man| stand.squares[man]);
        let base = stand.word - number * self.stride;
        let (row, rest) = match self.men {
            1 => (Some(&ROWS[64]), Bitboard::EMPTY),
            2 => {
                let other = stand.squares[2 * self.first + 1 - piece];
                (Some(&ROWS[other.number()]), other.bit())
            }
            _ => (None, self.set(stand) & !stand.squares[piece].bit()),
        };
        Ways { base, stride: self.stride, row, rest }
    }

    /// Where they stand.
    fn set(&self, stand: &Stand) -> Bitboard {
        stand.squares[self.first..self.first + self.men].iter().copied().collect()
    }
}

/// The words that differ in the square of one piece.
pub(super) struct Ways {
    base: usize,
    stride: usize,
    /// The number that the pieces like it make with it, by its square; `None` if they are more than two.
    row: Option<&'static [u16; 64]>,
    /// Where those like it stand.
    rest: Bitboard,
}

impl Ways {
    /// The word with the piece on `square`, on which none of those like it may stand.
    #[inline]
    pub fn word(&self, square: Square) -> usize {
        let number = match self.row {
            Some(row) => usize::from(row[square.number()]),
            None => of_more(self.rest | square.bit()),
        };
        self.base + number * self.stride
    }
}

/// The numbers of two squares by the one and the other, and last those of a single one: reading them
/// keeps the loops over moves short.
static ROWS: [[u16; 64]; 65] = {
    let mut rows = [[0; 64]; 65];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            if a != b {
                rows[a][b] = subset::number_of_two(Square::new(a as u8), Square::new(b as u8)) as u16;
            }
            b += 1;
        }
        rows[64][a] = a as u16;
        a += 1;
    }
    rows
};

/// The number of a set of three squares or more: rare enough not to be in the loops over moves.
#[cold]
#[inline(never)]
fn of_more(squares: Bitboard) -> usize {
    subset::number(squares, 0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Role};

    #[test]
    fn numbers_come_back() {
        let man = |role| Man::new(Color::White, role);
        for likes in 1..=3 {
            let men = [vec![man(Role::Rook)], vec![man(Role::Knight); likes]].concat();
            let all = Likes::of(&men, &(0..=likes).collect::<Vec<_>>());
            let [rook, knights] = all[..] else { panic!("two kinds") };
            assert_eq!((rook.size(), rook.stride(), knights.stride()), (64, knights.size(), 1));
            assert!(knights.size().is_multiple_of(64));
            assert!(rook.has(0) && !rook.has(1) && knights.has(1) && knights.has(likes));
            let mut met = 0;
            for number in 0..knights.size() {
                let mut squares = [Square::new(0); MAX_MEN];
                let mut word = 7 * knights.size() + number;
                let Some(set) = knights.take(&mut word, &mut squares) else { continue };
                met += 1;
                assert_eq!(word, 7);
                assert_eq!(rook.take(&mut word, &mut squares), Some(Square::new(7).bit()));
                assert_eq!((set.len(), squares[0].number(), word), (likes, 7, 0));
                assert_eq!(squares[1..=likes].iter().copied().collect::<Bitboard>(), set);
                // In whatever order they are named.
                squares[1..=likes].reverse();
                assert_eq!(knights.number(|man| squares[man]), number);
            }
            assert_eq!(met, subset::count(64, likes));
        }
    }
}

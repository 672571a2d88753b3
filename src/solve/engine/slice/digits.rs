//! Pieces that neither lead nor run, in the number of a word.

use crate::{
    board::{Bitboard, Man, Square},
    index::{MAX_MEN, PieceGroup, subset},
};

/// Like pieces, whose squares are one digit of the number of a word.
///
/// Words come in blocks of 64, and two men have 2,048 digits, which are quickly taken from a word.
#[derive(Copy, Clone, Debug)]
pub(super) struct Digit {
    pub pieces: PieceGroup<64>,
    /// How far apart in words two of their digits are.
    pub stride: usize,
}

impl Digit {
    /// The digits of some pieces, which are in the order of `men` as far as they are alike; the
    /// last are the last digit of a word.
    pub fn of(men: &[Man], pieces: &[usize]) -> Vec<Digit> {
        let mut stride = 1;
        let mut digits: Vec<Digit> = Vec::new();
        for pieces in PieceGroup::of(men, pieces).into_iter().rev() {
            digits.push(Digit { pieces, stride });
            stride *= pieces.size() as usize;
        }
        digits.reverse();
        digits
    }

    /// How many words some digits make together.
    pub fn words(digits: &[Digit]) -> usize {
        digits.first().map_or(1, |first| first.pieces.size() as usize * first.stride)
    }

    /// The words to which one of the pieces goes from this one, in which men stand on `squares`.
    #[inline]
    pub fn ways(&self, word: usize, squares: &[Square; MAX_MEN], piece: usize) -> DigitWords {
        let Digit { pieces, stride } = self;
        let digit = pieces.digit(|man| squares[man]) as usize;
        let (row, rest) = match pieces.men() {
            1 => (Some(&ROWS[64]), Bitboard::EMPTY),
            2 => {
                let other = squares[2 * pieces.first() + 1 - piece];
                (Some(&ROWS[other.number()]), other.bit())
            }
            _ => {
                let all: Bitboard = squares[pieces.range()].iter().copied().collect();
                (None, all & !squares[piece].bit())
            }
        };
        DigitWords { base: word - digit * stride, stride: *stride, row, rest }
    }
}

/// The words that differ in the square of one piece.
pub(super) struct DigitWords {
    base: usize,
    stride: usize,
    /// The digit of the piece, and the one like it, by its square; `None` if they are more than
    /// two.
    row: Option<&'static [u16; 64]>,
    /// Where those like it stand.
    rest: Bitboard,
}

impl DigitWords {
    /// The word with the piece on `square`, on which none of those like it may stand.
    #[inline]
    pub fn word(&self, square: Square) -> usize {
        let digit = match self.row {
            Some(row) => usize::from(row[square.number()]),
            None => of_more(self.rest | square.bit()),
        };
        self.base + digit * self.stride
    }
}

/// The digits of two pieces by the square of one and that of the other, and last the digits of a
/// single one: reading them keeps the loops over moves short.
static ROWS: [[u16; 64]; 65] = {
    let mut rows = [[0; 64]; 65];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            if a != b {
                rows[a][b] =
                    subset::number_of_two(Square::new(a as u8), Square::new(b as u8)) as u16;
            }
            b += 1;
        }
        rows[64][a] = a as u16;
        a += 1;
    }
    rows
};

/// The digit of three pieces or more: rare enough not to be in the loops over moves.
#[cold]
#[inline(never)]
fn of_more(squares: Bitboard) -> usize {
    subset::number(squares, 0) as usize
}

//! Pieces that neither lead nor run, in the number of a word.

use std::sync::OnceLock;

use crate::{
    board::{Bitboard, BoardSize, Man, Square},
    index::{MAX_MEN, PieceGroup, subset},
};

/// Like pieces, whose squares are one digit of the number of a word.
///
/// On the board of chess words come in blocks of 64, and two men have 2,048 digits, which are
/// quickly taken from a word.
#[derive(Copy, Clone, Debug)]
pub(super) struct Digit {
    pub pieces: PieceGroup<64>,
    /// How far apart in words two of their digits are.
    pub stride: usize,
    rows: &'static Rows,
}

impl Digit {
    /// The digits of some pieces on a board, which are in the order of `men` as far as they are
    /// alike; the last are the last digit of a word.
    pub fn of(men: &[Man], pieces: &[usize], size: BoardSize) -> Vec<Digit> {
        let rows = rows(size);
        let mut stride = 1;
        let mut digits: Vec<Digit> = Vec::new();
        for pieces in PieceGroup::of(men, pieces, size).into_iter().rev() {
            digits.push(Digit { pieces, stride, rows });
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
        let &Digit { pieces, stride, rows } = self;
        let size = pieces.board();
        let digit = pieces.digit(|man| size.ordinal(squares[man])) as usize;
        let (row, rest) = match pieces.men() {
            1 => (Some(&rows[64]), Bitboard::EMPTY),
            2 => {
                let other = squares[2 * pieces.first() + 1 - piece];
                (Some(&rows[other.number()]), other.bit())
            }
            _ => {
                let all: Bitboard = squares[pieces.range()].iter().copied().collect();
                (None, all & !squares[piece].bit())
            }
        };
        DigitWords { base: word - digit * stride, stride, row, rest, size }
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
    size: BoardSize,
}

impl DigitWords {
    /// The word with the piece on `square`, on which none of those like it may stand.
    #[inline]
    pub fn word(&self, square: Square) -> usize {
        let digit = match self.row {
            Some(row) => usize::from(row[square.number()]),
            None => of_more(self.rest | square.bit(), self.size),
        };
        self.base + digit * self.stride
    }
}

/// The digits of two pieces by the square of one and that of the other, and last the digits of a
/// single one: reading them keeps the loops over moves short.
type Rows = [[u16; 64]; 65];

/// Those of a board.
fn rows(size: BoardSize) -> &'static Rows {
    static ROWS: [OnceLock<Box<Rows>>; 64] = [const { OnceLock::new() }; 64];
    ROWS[size.code()].get_or_init(|| {
        let mut rows = Box::new([[0; 64]; 65]);
        for a in size.squares() {
            for b in size.squares().filter(|&b| b != a) {
                let digit = subset::number_of_two(size.ordinal(a), size.ordinal(b));
                rows[a.number()][b.number()] = digit as u16;
            }
            rows[64][a.number()] = size.ordinal(a) as u16;
        }
        rows
    })
}

/// The digit of three pieces or more: rare enough not to be in the loops over moves.
#[cold]
#[inline(never)]
fn of_more(squares: Bitboard, size: BoardSize) -> usize {
    subset::number(squares, (size, 0)) as usize
}

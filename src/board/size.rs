//! How many files and ranks a board has.

use std::fmt;

use super::{Bitboard, Color, Square};

/// A board of 1 to 8 files and ranks. Its first square is a1, whatever its size, so squares are
/// named alike on all boards; the others of the 64 are not on it, and to who moves they are as if
/// taken.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize(u8);

/// For each number of files from one on, the squares of ordinals: dividing by it would take longer.
static SQUARES: [[u8; 64]; 8] = {
    let mut squares = [[0; 64]; 8];
    let mut files = 1;
    while files <= 8 {
        let mut ordinal = 0;
        while ordinal < 8 * files {
            squares[files - 1][ordinal] = (ordinal / files * 8 + ordinal % files) as u8;
            ordinal += 1;
        }
        files += 1;
    }
    squares
};

impl BoardSize {
    /// The board of chess.
    pub const CHESS: BoardSize = BoardSize(63);

    /// A board of so many files and ranks; `None` unless both are 1 to 8.
    pub fn new(files: u8, ranks: u8) -> Option<BoardSize> {
        let fits = |count| (1..=8).contains(&count);
        (fits(files) && fits(ranks)).then(|| BoardSize((ranks - 1) * 8 + files - 1))
    }

    /// The size that a placement in a FEN has by its ranks and by how long the first of them is;
    /// `None` if no board has it.
    pub fn of_placement(text: &str) -> Option<BoardSize> {
        let ranks = u8::try_from(text.split('/').count()).ok()?;
        let first = text.split('/').next()?.chars();
        let files: u32 = first.map(|letter| letter.to_digit(10).unwrap_or(1)).sum();
        BoardSize::new(u8::try_from(files).ok()?, ranks)
    }

    /// How many files there are, 1 to 8.
    #[inline]
    pub const fn files(self) -> u8 {
        self.0 % 8 + 1
    }

    /// How many ranks there are, 1 to 8.
    #[inline]
    pub const fn ranks(self) -> u8 {
        self.0 / 8 + 1
    }

    /// Whether there are as many files as ranks.
    pub const fn is_square(self) -> bool {
        self.files() == self.ranks()
    }

    /// How many squares there are, 1 to 64.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "no board is empty")]
    pub const fn len(self) -> usize {
        self.files() as usize * self.ranks() as usize
    }

    /// The squares.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        let row = 0x0101_0101_0101_0101 * (0xFF >> (8 - self.files()));
        Bitboard(row & (!0 >> (8 * (8 - self.ranks()))))
    }

    /// Whether a square is on the board.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        square.file() < self.files() && square.rank() < self.ranks()
    }

    /// A rank counted from a side's own first rank (0), as a rank of the board.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub const fn rank(self, color: Color, own: u8) -> u8 {
        match color {
            Color::White => own,
            Color::Black => self.ranks() - 1 - own,
        }
    }

    /// The squares of such a rank; none if there are not so many.
    pub const fn squares_of_rank(self, color: Color, own: u8) -> Bitboard {
        if own >= self.ranks() {
            return Bitboard::EMPTY;
        }
        Bitboard(Bitboard::rank(self.rank(color, own)).0 & self.squares().0)
    }

    /// The squares on which pawns stand: all but those of the first and the last rank.
    pub const fn pawn_squares(self) -> Bitboard {
        let ends =
            self.squares_of_rank(Color::White, 0).0 | self.squares_of_rank(Color::Black, 0).0;
        Bitboard(self.squares().0 & !ends)
    }

    /// The number of a square among those of the board, from a1 on: without gaps.
    #[inline]
    pub const fn ordinal(self, square: Square) -> usize {
        square.rank() as usize * self.files() as usize + square.file() as usize
    }

    /// The square of an ordinal: the inverse of [`ordinal`](BoardSize::ordinal).
    ///
    /// # Panics
    /// If `ordinal` is above 63; what is above the number of squares means nothing.
    #[inline]
    pub const fn square(self, ordinal: usize) -> Square {
        Square::new(SQUARES[self.0 as usize % 8][ordinal])
    }

    /// A number below 64: for tables with an entry per size.
    #[inline]
    pub const fn code(self) -> usize {
        self.0 as usize % 64
    }
}

impl Default for BoardSize {
    fn default() -> BoardSize {
        BoardSize::CHESS
    }
}

impl fmt::Display for BoardSize {
    /// Files first: `6×5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.files(), self.ranks())
    }
}

impl fmt::Debug for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every size of a board.
    pub fn sizes() -> impl Iterator<Item = BoardSize> {
        (1..=8).flat_map(|files| (1..=8).map(move |ranks| BoardSize::new(files, ranks).unwrap()))
    }

    #[test]
    fn squares_have_ordinals_without_gaps() {
        for size in sizes() {
            assert_eq!(size.squares().len(), size.len(), "{size}");
            assert!(Square::all().all(|s| size.contains(s) == size.squares().contains(s)));
            for (ordinal, square) in size.squares().enumerate() {
                let there_and_back = (size.ordinal(square), size.square(ordinal));
                assert_eq!(there_and_back, (ordinal, square), "{size}");
            }
        }
        assert_eq!((BoardSize::new(0, 8), BoardSize::new(8, 9)), (None, None));
        assert_eq!(BoardSize::of_placement("k3/4/2K1"), BoardSize::new(4, 3));
        assert_eq!(BoardSize::of_placement("9/9"), None);
        assert_eq!(BoardSize::of_placement(""), None);
    }

    #[test]
    fn pawns_keep_off_the_first_and_last_rank() {
        let size = BoardSize::new(5, 4).unwrap();
        let squares: Vec<String> = size.pawn_squares().map(|s| s.to_string()).collect();
        assert_eq!(squares.join(" "), "a2 b2 c2 d2 e2 a3 b3 c3 d3 e3");
        assert_eq!(BoardSize::CHESS.pawn_squares(), Bitboard(0x00FF_FFFF_FFFF_FF00));
        assert!(BoardSize::new(3, 2).unwrap().pawn_squares().is_empty());
        assert_eq!(size.squares_of_rank(Color::Black, 0), Bitboard(0x1F << 24));
    }
}

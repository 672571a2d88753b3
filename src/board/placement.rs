//! Which man stands where.

use std::fmt::{self, Write};

use super::{Bitboard, BoardSize, Color, Man, Movements, Role, RoleSet, Square, Symmetry};

/// How many bits tell a role, or that there is nobody: codes from 1 on.
const PLANES: usize = 5;

const _: () = assert!(Role::COUNT < 1 << PLANES);

/// The men on the board: a plane of squares for each colour, and one for each bit of the codes of
/// roles.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Board {
    colors: [Bitboard; 2],
    roles: [Bitboard; PLANES],
    size: BoardSize,
}

/// The code of a role.
const fn code(role: Role) -> usize {
    role.index() + 1
}

impl Board {
    /// The board of chess without men.
    pub const EMPTY: Board = Board::empty(BoardSize::CHESS);

    /// A board without men.
    #[inline]
    pub const fn empty(size: BoardSize) -> Board {
        Board { colors: [Bitboard::EMPTY; 2], roles: [Bitboard::EMPTY; PLANES], size }
    }

    /// How many files and ranks it has.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The man on `square`, if there is one.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Man> {
        let color = Color::ALL.into_iter().find(|&c| self.of(c).contains(square))?;
        Some(Man { color, role: self.role(square) })
    }

    /// The role of the man on `square`, where somebody stands.
    #[inline]
    pub(crate) fn role(&self, square: Square) -> Role {
        let bit = |plane: usize| (self.roles[plane].0 >> square.number() & 1) as usize;
        Role::ALL[(0..PLANES).fold(0, |code, plane| code | bit(plane) << plane) - 1]
    }

    /// Puts `man` on `square`, in place of whatever stood there.
    #[inline]
    pub fn put(&mut self, square: Square, man: Man) {
        self.remove(square);
        self.put_free(square, man);
    }

    /// Puts `man` on `square`, where nobody stands.
    #[inline]
    pub fn put_free(&mut self, square: Square, man: Man) {
        debug_assert!(!self.occupied().contains(square), "somebody stands on {square}");
        self.colors[man.color.index()] |= square.bit();
        for (plane, set) in self.roles.iter_mut().enumerate() {
            *set |= Bitboard((code(man.role) as u64 >> plane & 1) << square.number());
        }
    }

    /// Clears `square`.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        // Two loops of known lengths; one over both arrays is not vectorised.
        self.colors.iter_mut().for_each(|set| *set &= !square.bit());
        self.roles.iter_mut().for_each(|set| *set &= !square.bit());
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The men of one colour.
    #[inline]
    pub fn of(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of one role, both colours.
    #[inline]
    pub fn with(&self, role: Role) -> Bitboard {
        let mut found = Bitboard::ALL;
        for (plane, &set) in self.roles.iter().enumerate() {
            found &= if code(role) >> plane & 1 == 1 { set } else { !set };
        }
        found
    }

    /// The men of one colour and role.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.of(color) & self.with(role)
    }

    /// The square of the King or the disk of `color`, if it has one (the first, if several).
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.of(color) & (self.with(Role::King) | self.with(Role::Disk))).first()
    }

    /// Every man with its square, from a1 on.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.occupied().map(|square| (square, self.get(square).expect("an occupied square")))
    }

    /// The roles that men of one colour have.
    #[inline]
    pub fn roles(&self, color: Color) -> RoleSet {
        self.of(color).map(|at| self.role(at)).collect()
    }

    /// The men of `color` that attack `target` when `occupied` blocks.
    #[inline]
    pub fn attackers(
        &self,
        movements: Movements,
        color: Color,
        target: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        self.attacking(movements, color, target, occupied).collect()
    }

    /// Whether a man of `color` attacks `target`.
    #[inline]
    pub fn is_attacked_by(&self, movements: Movements, color: Color, target: Square) -> bool {
        self.is_attacked_under(movements, color, target, self.occupied())
    }

    /// Whether a man of `color` attacks `target` when `occupied` blocks.
    #[inline]
    pub fn is_attacked_under(
        &self,
        movements: Movements,
        color: Color,
        target: Square,
        occupied: Bitboard,
    ) -> bool {
        self.attacking(movements, color, target, occupied).next().is_some()
    }

    /// The men of `color` that attack `target` when `occupied` blocks, one after the other.
    #[inline]
    fn attacking(
        &self,
        movements: Movements,
        color: Color,
        target: Square,
        occupied: Bitboard,
    ) -> impl Iterator<Item = Square> + use<'_> {
        (self.of(color) & occupied).filter(move |&from| {
            let man = Man { color, role: self.role(from) };
            movements.of(man).attacks(from, occupied).contains(target)
        })
    }

    /// Whether the board seen through a symmetry is the same.
    pub fn looks_alike(&self, symmetry: Symmetry) -> bool {
        self.colors.iter().chain(&self.roles).all(|&set| symmetry.image_of_set(set) == set)
    }

    /// The board seen through one of its symmetries.
    pub fn image(&self, symmetry: Symmetry) -> Board {
        let mut board = *self;
        for sets in [&mut board.colors[..], &mut board.roles[..]] {
            // Most kinds of men are not there.
            for set in sets.iter_mut().filter(|set| **set != Bitboard::EMPTY) {
                *set = symmetry.image_of_set(*set);
            }
        }
        board
    }

    /// The board with every colour swapped and turned upside down, so that the game is the same
    /// with the sides exchanged.
    pub fn swap_colors(&self) -> Board {
        let mut board = self.image(Symmetry::FLIP.on(self.size));
        board.colors.reverse();
        board
    }

    /// Reads a placement on a board as FEN writes it: ranks from the last down, parted by `/`.
    ///
    /// Accepts the letters of `roles` only, so that a game names the men it knows.
    ///
    /// # Errors
    /// A [`PlacementError`] that names the rank and what is wrong with it.
    pub fn from_placement(
        text: &str,
        roles: RoleSet,
        size: BoardSize,
    ) -> Result<Board, PlacementError> {
        #[expect(
            clippy::manual_pattern_char_comparison,
            reason = "ranks are a few letters, and to look at each is quicker than a search for one"
        )]
        let ranks = || text.split(|letter| letter == '/');
        let found = ranks().count();
        if found != usize::from(size.ranks()) {
            return Err(PlacementError::Ranks { found, needed: size.ranks() });
        }
        let files = size.files();
        let mut board = Board::empty(size);
        for (row, rank_text) in ranks().enumerate() {
            let rank = size.ranks() - 1 - row as u8;
            let wrong_files = || PlacementError::Files {
                rank: rank + 1,
                text: rank_text.to_owned(),
                needed: files,
            };
            let mut file = 0u8;
            for letter in rank_text.chars() {
                if let Some(run @ 1..=8) = letter.to_digit(10) {
                    file += run as u8;
                } else {
                    let man = roles
                        .man(letter)
                        .ok_or(PlacementError::Letter { letter, rank: rank + 1 })?;
                    if file < files {
                        board.put(Square::at(file, rank), man);
                    }
                    file += 1;
                }
                if file > files {
                    return Err(wrong_files());
                }
            }
            if file != files {
                return Err(wrong_files());
            }
        }
        Ok(board)
    }
}

/// Why a text is no placement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Not as many ranks as the board has.
    #[error(
        "the placement has {found} rank{}, but needs {needed}, parted by `/`",
        if *found == 1 { "" } else { "s" }
    )]
    Ranks {
        /// How many there are.
        found: usize,
        /// How many there should be.
        needed: u8,
    },
    /// A letter that is no man of this game.
    #[error(
        "`{letter}` on rank {rank} is neither a man of this game nor a number of empty squares"
    )]
    Letter {
        /// The letter.
        letter: char,
        /// Its rank, 1 to 8.
        rank: u8,
    },
    /// A rank with more or fewer squares than the board has files.
    #[error("rank {rank}, `{text}`, does not fill {needed} squares")]
    Files {
        /// The rank, 1 to 8.
        rank: u8,
        /// What it says.
        text: String,
        /// How many squares there should be.
        needed: u8,
    },
}

impl fmt::Display for Board {
    /// The placement as FEN writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |empty: u8| (empty > 0).then_some(char::from(b'0' + empty));
        for rank in (0..self.size.ranks()).rev() {
            let mut empty = 0;
            for file in 0..self.size.files() {
                match self.get(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(man) => {
                        run(empty).map_or(Ok(()), |digit| f.write_char(digit))?;
                        f.write_char(man.letter())?;
                        empty = 0;
                    }
                }
            }
            run(empty).map_or(Ok(()), |digit| f.write_char(digit))?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_round_trips() {
        let text = "rnbqkbnr/pppppppp/8/8/3eD3/1zA5/PPPPPPPP/RNBQKBNR";
        let read = |text, size| Board::from_placement(text, RoleSet::OF_LETTERS, size).unwrap();
        assert_eq!(read(text, BoardSize::CHESS).to_string(), text);
        let text = "4K/5/k1p2";
        let board = read(text, BoardSize::new(5, 3).unwrap());
        assert_eq!(board.to_string(), text);
        assert_eq!(board.king(Color::White), Some(Square::at(4, 2)));
        assert_eq!(board.swap_colors().to_string(), "K1P2/5/4k");
    }

    #[test]
    fn errors_name_the_rank() {
        let read_on = |text, size| {
            let board = Board::from_placement(text, RoleSet::of(&[Role::King]), size);
            board.unwrap_err().to_string()
        };
        let read = |text| read_on(text, BoardSize::CHESS);
        let small = BoardSize::new(4, 3).unwrap();
        assert_eq!(
            read_on("k3/4/4/4", small),
            "the placement has 4 ranks, but needs 3, parted by `/`"
        );
        assert_eq!(read_on("k3/5/4", small), "rank 2, `5`, does not fill 4 squares");
        assert_eq!(read("8/8/8/8"), "the placement has 4 ranks, but needs 8, parted by `/`");
        assert_eq!(
            read("8/8/8/8/8/8/8/7Q"),
            "`Q` on rank 1 is neither a man of this game nor a number of empty squares"
        );
        assert_eq!(read("8/8/8/8/8/44k/8/8"), "rank 3, `44k`, does not fill 8 squares");
        assert_eq!(read("8/8/8/8/8/7/8/8"), "rank 3, `7`, does not fill 8 squares");
    }
}

//! Which men each side has, on the board and in hand.

use std::{fmt, str::FromStr};

use crate::board::{Board, Color, Man, Role};

/// The most men a table can have on the board.
pub const MAX_MEN: usize = 6;

/// How many men of each role a side has, four bits for each role, Kings highest: of two sides with
/// as many men the greater number has the stronger ones.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Counts(u128);

/// The most men of a role that are counted; nothing with so many has a table.
const MOST: u8 = 15;

impl Counts {
    fn shift(role: Role) -> usize {
        4 * (Role::COUNT - 1 - role.index())
    }

    fn get(self, role: Role) -> u8 {
        (self.0 >> Counts::shift(role)) as u8 & MOST
    }

    /// One more, if that can be counted.
    fn add(&mut self, role: Role) {
        self.0 += u128::from(self.get(role) < MOST) << Counts::shift(role);
    }

    /// One fewer.
    ///
    /// # Panics
    /// If there is none.
    fn remove(&mut self, role: Role) {
        assert!(self.get(role) > 0, "a man that is there");
        self.0 -= 1 << Counts::shift(role);
    }

    /// The roles there are men of, in the order of names.
    fn roles(self) -> impl Iterator<Item = Role> + use<> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let highest = 127usize.checked_sub(left.leading_zeros() as usize)? / 4;
            left &= !(u128::from(MOST) << (4 * highest));
            Some(Role::ALL[Role::COUNT - 1 - highest])
        })
    }

    /// How many men there are in all.
    fn all(self) -> usize {
        self.roles().map(|role| usize::from(self.get(role))).sum()
    }
}

/// The men of both sides.
///
/// Written like `KBNvK`: White's men first, each side in the order `KQREBN`,
/// other pieces from A to Z, pawns; men in reserve stand in brackets behind those on the board:
/// `K[R]vK`.
///
/// ```
/// use finale::index::Material;
/// let material: Material = "KNBvK".parse()?;
/// assert_eq!(material.to_string(), "KBNvK");
/// assert_eq!(material.swap_colors().to_string(), "KvKBN");
/// # Ok::<(), finale::index::MaterialError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Material {
    board: [Counts; 2],
    reserve: [Counts; 2],
}

impl Material {
    /// The men on `board`, with empty reserves. Disks count as the Kings they stand for.
    pub fn of(board: &Board) -> Material {
        let mut material = Material::default();
        for (_, man) in board.iter() {
            material.board[man.color.index()].add(king_for_disk(man.role));
        }
        material
    }

    /// How many men of `color` and `role` are on the board.
    pub fn count(&self, color: Color, role: Role) -> u8 {
        self.board[color.index()].get(role)
    }

    /// How many men of `color` and `role` are in reserve.
    pub fn reserve(&self, color: Color, role: Role) -> u8 {
        self.reserve[color.index()].get(role)
    }

    /// These men in reserve, and those that stand on `board`.
    pub fn with_board(&self, board: &Board) -> Material {
        Material { board: Material::of(board).board, reserve: self.reserve }
    }

    /// The men in reserve alone.
    pub fn in_reserve(&self) -> Material {
        Material { board: Default::default(), reserve: self.reserve }
    }

    /// The roles that men of `color` on the board have, each once, in the order of names.
    pub fn roles(&self, color: Color) -> impl Iterator<Item = Role> + use<> {
        self.board[color.index()].roles()
    }

    /// How many men of `color` are on the board.
    pub fn men_of(&self, color: Color) -> usize {
        self.board[color.index()].all()
    }

    /// How many men of `color` are in reserve.
    pub fn reserve_of(&self, color: Color) -> usize {
        self.reserve[color.index()].all()
    }

    /// How many men stand on the board.
    pub fn len(&self) -> usize {
        self.men_of(Color::White) + self.men_of(Color::Black)
    }

    /// How many men there are, on the board and in reserve.
    pub fn all_men(&self) -> usize {
        self.len() + self.reserve_of(Color::White) + self.reserve_of(Color::Black)
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many pawns White and Black have on the board.
    pub fn pawns(&self) -> [usize; 2] {
        Color::ALL.map(|color| usize::from(self.count(color, Role::Pawn)))
    }

    /// Whether there is a pawn on the board.
    pub fn has_pawns(&self) -> bool {
        self.pawns() != [0, 0]
    }

    /// Whether either side has some on the board.
    pub fn has_pawns_on_both_sides(&self) -> bool {
        !self.pawns().contains(&0)
    }

    /// One more man on the board.
    pub fn add(&mut self, man: Man) {
        self.board[man.color.index()].add(man.role);
    }

    /// One man fewer on the board.
    ///
    /// # Panics
    /// If there is no such man.
    pub fn remove(&mut self, man: Man) {
        self.board[man.color.index()].remove(man.role);
    }

    /// One more man in reserve.
    pub fn add_to_reserve(&mut self, man: Man) {
        self.reserve[man.color.index()].add(man.role);
    }

    /// One man fewer in reserve.
    ///
    /// # Panics
    /// If there is no such man.
    pub fn remove_from_reserve(&mut self, man: Man) {
        self.reserve[man.color.index()].remove(man.role);
    }

    /// The men on the board, White's first, each side as in the name.
    ///
    /// This is the order in which [`Index`](super::Index) takes their squares.
    pub fn men(&self) -> Vec<Man> {
        let mut men = Vec::with_capacity(self.len());
        for color in Color::ALL {
            let counts = self.board[color.index()];
            for role in counts.roles() {
                men.extend((0..counts.get(role)).map(|_| Man::new(color, role)));
            }
        }
        men
    }

    /// The same with the sides exchanged.
    pub fn swap_colors(&self) -> Material {
        let [white, black] = self.board;
        let [in_white_hand, in_black_hand] = self.reserve;
        Material { board: [black, white], reserve: [in_black_hand, in_white_hand] }
    }

    /// The one of a material and its colour swap that names the table where colours swap freely:
    /// more men first, then more Kings, Queens, …; men in reserve count after men on the board.
    pub fn stronger_first(&self) -> Material {
        let swapped = self.swap_colors();
        // As numbers, since every probe compares them.
        let strength = |m: &Material| {
            let men = m.men_of(Color::White) + m.reserve_of(Color::White);
            (men, m.board[0], m.reserve[0])
        };
        if strength(&swapped) > strength(self) { swapped } else { *self }
    }
}

fn king_for_disk(role: Role) -> Role {
    if role == Role::Disk { Role::King } else { role }
}

/// Why a text is no material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// No `v` between the sides.
    #[error("`{0}` is not a material: write White's men, `v`, Black's men, like KBNvK")]
    NoSides(String),
    /// A letter that is no man.
    #[error(
        "`{letter}` in `{text}` is not a man: use capital letters, and [ ] around men in reserve"
    )]
    Letter {
        /// The letter.
        letter: char,
        /// The whole text.
        text: String,
    },
    /// Brackets that do not pair up.
    #[error("the brackets in `{0}` do not pair up: men in reserve are written like K[QR]vK")]
    Brackets(String),
    /// Too many men for a table.
    #[error("`{text}` has {men} men on the board; tables have at most {MAX_MEN}")]
    TooManyMen {
        /// The whole text.
        text: String,
        /// How many there are.
        men: usize,
    },
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let (white, black) =
            text.split_once('v').ok_or_else(|| MaterialError::NoSides(text.to_owned()))?;
        let mut material = Material::default();
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            let mut in_reserve = false;
            let mut letters = side.chars();
            for letter in &mut letters {
                match letter {
                    '[' if !in_reserve => in_reserve = true,
                    ']' if in_reserve => break,
                    '[' | ']' => return Err(MaterialError::Brackets(text.to_owned())),
                    _ => {
                        let role = Role::from_letter(letter).ok_or_else(|| {
                            MaterialError::Letter { letter, text: text.to_owned() }
                        })?;
                        let counts =
                            if in_reserve { &mut material.reserve } else { &mut material.board };
                        counts[color.index()].add(role);
                    }
                }
            }
            let closed = side.ends_with(']');
            if letters.next().is_some() || in_reserve != closed {
                return Err(MaterialError::Brackets(text.to_owned()));
            }
        }
        match material.len() {
            men if men > MAX_MEN => Err(MaterialError::TooManyMen { text: text.to_owned(), men }),
            _ => Ok(material),
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            let write = |f: &mut fmt::Formatter<'_>, counts: &Counts| {
                counts.roles().try_for_each(|role| {
                    (0..counts.get(role)).try_for_each(|_| write!(f, "{}", role.letter()))
                })
            };
            write(f, &self.board[color.index()])?;
            if self.reserve_of(color) > 0 {
                f.write_str("[")?;
                write(f, &self.reserve[color.index()])?;
                f.write_str("]")?;
            }
            if color == Color::White {
                f.write_str("v")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normal() {
        for (text, name) in [
            ("KNBvK", "KBNvK"),
            ("KvK", "KvK"),
            ("K[RQ]vK", "K[QR]vK"),
            ("[K]v[K]", "[K]v[K]"),
            ("QvR", "QvR"),
            ("PK[]vK", "KPvK"),
            ("PZANKvK", "KNAZPvK"),
        ] {
            let material: Material = text.parse().unwrap();
            assert_eq!(material.to_string(), name);
            assert_eq!(name.parse::<Material>().unwrap(), material);
        }
    }

    #[test]
    fn the_stronger_side_comes_first() {
        for (text, name) in [
            ("KvKQ", "KQvK"),
            ("KRvKQ", "KQvKR"),
            ("KPvKN", "KNvKP"),
            ("KNvKNN", "KNNvKN"),
            ("KvK[Q]", "K[Q]vK"),
        ] {
            assert_eq!(text.parse::<Material>().unwrap().stronger_first().to_string(), name);
        }
    }

    #[test]
    fn what_is_no_material_is_told_why() {
        let error = |text: &str| text.parse::<Material>().unwrap_err().to_string();
        assert_eq!(
            error("KBNK"),
            "`KBNK` is not a material: write White's men, `v`, Black's men, like KBNvK"
        );
        assert!(error("K?vK").contains("`?` in `K?vK` is not a man"));
        assert!(error("KQRBvKQR").contains("7 men on the board; tables have at most 6"));
        for text in ["K[QvK", "KQ]vK", "K[Q]RvK", "K[[Q]]vK"] {
            assert!(error(text).contains("brackets"), "{text}");
        }
    }
}

//! Which men each side has, on the board and in hand.

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::board::{Board, BoardSize, ByColor, Color, Man, Role};

/// The most men a table can have on any board.
pub const MAX_MEN: usize = 9;

/// The most men a table can have on a board: fewer where more would make more positions than
/// anybody's machine holds.
pub const fn most_men(size: BoardSize) -> usize {
    match size.len() {
        ..MAX_MEN => size.len(),
        MAX_MEN..=16 => MAX_MEN,
        17..=32 => 8,
        _ => 6,
    }
}

/// How many men of each role a side has: four bits for each of those on the board, Kings highest,
/// and three in the last bits for each of those in reserve, where only some can be. Of two sides
/// with as many men the greater number has the stronger ones.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Side(u128);

/// Where men are.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Whereabouts {
    Board,
    Reserve,
}

use Whereabouts::{Board as OnBoard, Reserve as InReserve};

/// How many roles can be in reserve: those up to the Knight.
const IN_RESERVE: usize = Role::Knight.index() + 1;

/// How many roles can be on the board: all but the disk, which counts as the King it stands for.
const ON_BOARD: usize = Role::Disk.index();

impl Whereabouts {
    /// How many bits a count has.
    const fn bits(self) -> usize {
        match self {
            OnBoard => 4,
            InReserve => 3,
        }
    }

    /// The most men of a role that are counted; nothing with so many has a table.
    const fn most(self) -> u8 {
        (1 << self.bits()) - 1
    }

    /// How many roles there can be.
    const fn roles(self) -> usize {
        match self {
            OnBoard => ON_BOARD,
            InReserve => IN_RESERVE,
        }
    }

    /// Where the counts begin.
    const fn first_bit(self) -> usize {
        match self {
            OnBoard => (IN_RESERVE * InReserve.bits()).next_multiple_of(OnBoard.bits()),
            InReserve => 0,
        }
    }
}

const _: () = assert!(OnBoard.first_bit() + ON_BOARD * OnBoard.bits() == 128);

impl Side {
    /// Where a count begins; `None` for a role that cannot be there.
    const fn shift(role: Role, place: Whereabouts) -> Option<usize> {
        match place.roles().checked_sub(role.index() + 1) {
            Some(from_last) => Some(place.first_bit() + place.bits() * from_last),
            None => None,
        }
    }

    #[inline]
    fn get(self, role: Role, place: Whereabouts) -> u8 {
        Side::shift(role, place).map_or(0, |shift| (self.0 >> shift) as u8 & place.most())
    }

    /// One more, if that can be counted.
    #[inline]
    fn add(&mut self, role: Role, place: Whereabouts) {
        let shift = Side::shift(role, place).expect("a man that can be there");
        self.0 += u128::from(self.get(role, place) < place.most()) << shift;
    }

    /// One fewer.
    fn remove(&mut self, role: Role, place: Whereabouts) {
        assert!(self.get(role, place) > 0, "a man that is there");
        let shift = Side::shift(role, place).expect("a man that can be there");
        self.0 -= 1 << shift;
    }

    /// The same without the men on the board, or without those in reserve.
    #[inline]
    fn only(self, place: Whereabouts) -> Side {
        let reserve = (1 << OnBoard.first_bit()) - 1;
        Side(self.0 & if place == InReserve { reserve } else { !reserve })
    }

    /// The roles there are men of, in the order of names.
    fn roles(self, place: Whereabouts) -> impl Iterator<Item = Role> + use<> {
        let mut left = self.only(place).0 >> place.first_bit();
        std::iter::from_fn(move || {
            let highest = 127usize.checked_sub(left.leading_zeros() as usize)? / place.bits();
            left &= !(u128::from(place.most()) << (place.bits() * highest));
            Some(Role::ALL[place.roles() - 1 - highest])
        })
    }

    /// How many men there are in all.
    #[inline]
    fn all(self, place: Whereabouts) -> usize {
        match place {
            OnBoard => self.all_on_board(),
            InReserve => self.roles(place).map(|role| usize::from(self.get(role, place))).sum(),
        }
    }

    /// How many men there are on the board. Every probe asks several times, so all counts are added
    /// at once.
    #[inline]
    fn all_on_board(self) -> usize {
        const LOW: u128 = u128::from_ne_bytes([OnBoard.most(); 16]);
        let counts = self.only(OnBoard).0;
        let pairs = (counts & LOW) + (counts >> OnBoard.bits() & LOW);
        let [low, high] = [pairs as u64, (pairs >> 64) as u64];
        // Four counts a byte, at most 60, and 405 in all.
        let bytes = low + high;
        let words = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
        (words.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
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
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Material(ByColor<Side>);

impl Ord for Material {
    /// By the men on the board before those in reserve.
    fn cmp(&self, other: &Material) -> Ordering {
        let key = |Material(sides): &Material| (sides.map(|side| side.only(OnBoard)), *sides);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Material {
    fn partial_cmp(&self, other: &Material) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Material {
    /// The men on `board`, with empty reserves. Disks count as the Kings they stand for.
    #[inline]
    pub fn of(board: &Board) -> Material {
        Material(ByColor::new(|color| {
            let mut side = Side::default();
            for square in board.of(color) {
                side.add(king_for_disk(board.role(square)), OnBoard);
            }
            side
        }))
    }

    /// How many men of `color` and `role` are on the board.
    pub fn count(&self, color: Color, role: Role) -> u8 {
        self.0[color].get(role, OnBoard)
    }

    /// How many men of `color` and `role` are in reserve.
    pub fn reserve(&self, color: Color, role: Role) -> u8 {
        self.0[color].get(role, InReserve)
    }

    /// These men in reserve, and those that stand on `board`.
    pub fn with_board(&self, board: &Board) -> Material {
        let Material(on_board) = Material::of(board);
        let both = |color| Side(on_board[color].0 | self.0[color].only(InReserve).0);
        Material(ByColor::new(both))
    }

    /// The men in reserve alone.
    pub fn in_reserve(&self) -> Material {
        Material(self.0.map(|side| side.only(InReserve)))
    }

    /// The roles that men of `color` on the board have, each once, in the order of names.
    pub fn roles(&self, color: Color) -> impl Iterator<Item = Role> + use<> {
        self.0[color].roles(OnBoard)
    }

    /// How many men of `color` are on the board.
    #[inline]
    pub fn men_of(&self, color: Color) -> usize {
        self.0[color].all(OnBoard)
    }

    /// How many men of `color` are in reserve.
    #[inline]
    pub fn reserve_of(&self, color: Color) -> usize {
        self.0[color].all(InReserve)
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
        self.0[man.color].add(man.role, OnBoard);
    }

    /// One man fewer on the board.
    ///
    /// # Panics
    /// If there is no such man.
    pub fn remove(&mut self, man: Man) {
        self.0[man.color].remove(man.role, OnBoard);
    }

    /// Whether men of a role can be in reserve: those up to the Knight in the order of names.
    pub fn can_hold(role: Role) -> bool {
        Side::shift(role, InReserve).is_some()
    }

    /// One more man in reserve.
    ///
    /// # Panics
    /// If such a man [cannot](Material::can_hold) be there.
    pub fn add_to_reserve(&mut self, man: Man) {
        self.0[man.color].add(man.role, InReserve);
    }

    /// One man fewer in reserve.
    ///
    /// # Panics
    /// If there is no such man.
    pub fn remove_from_reserve(&mut self, man: Man) {
        self.0[man.color].remove(man.role, InReserve);
    }

    /// The men on the board, White's first, each side as in the name.
    ///
    /// This is the order in which [`Index`](super::Index) takes their squares.
    pub fn men(&self) -> Vec<Man> {
        let mut men = Vec::with_capacity(self.len());
        for color in Color::ALL {
            for role in self.roles(color) {
                men.extend((0..self.count(color, role)).map(|_| Man::new(color, role)));
            }
        }
        men
    }

    /// The same where the letter of pawns stands for another man, which a name does not tell.
    pub fn without_pawns(&self) -> Material {
        Material(self.0.map(|mut side| {
            for _ in 0..side.get(Role::Pawn, OnBoard) {
                side.remove(Role::Pawn, OnBoard);
                side.add(Role::P, OnBoard);
            }
            side
        }))
    }

    /// The same with the sides exchanged.
    #[inline]
    pub fn swap_colors(&self) -> Material {
        let ByColor { white, black } = self.0;
        Material(ByColor { white: black, black: white })
    }

    /// The one of a material and its colour swap that names the table where colours swap freely:
    /// more men first, then more Kings, Queens, …; men in reserve count after men on the board.
    pub fn stronger_first(&self) -> Material {
        let swapped = self.swap_colors();
        // As numbers, since every probe compares them.
        let strength = |m: &Material| {
            let men = m.men_of(Color::White) + m.reserve_of(Color::White);
            (men, m.0.white)
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
    /// A man that no game holds in reserve.
    #[error("`{letter}` in `{text}` is never in reserve; K Q R E B N can be")]
    NeverInReserve {
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
                        let place = if in_reserve { InReserve } else { OnBoard };
                        if Side::shift(role, place).is_none() {
                            return Err(MaterialError::NeverInReserve {
                                letter,
                                text: text.to_owned(),
                            });
                        }
                        material.0[color].add(role, place);
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
            let side = self.0[color];
            let write = |f: &mut fmt::Formatter<'_>, place| {
                side.roles(place).try_for_each(|role| {
                    (0..side.get(role, place)).try_for_each(|_| write!(f, "{}", role.letter()))
                })
            };
            write(f, OnBoard)?;
            if self.reserve_of(color) > 0 {
                f.write_str("[")?;
                write(f, InReserve)?;
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
    fn men_are_counted_where_they_are() {
        for (text, board, reserve) in [
            ("KvK", [1, 1], [0, 0]),
            ("KQBBPvKZ", [5, 2], [0, 0]),
            ("K[QRR]vK[N]", [1, 1], [3, 1]),
            ("[KQREBN]vP", [0, 1], [6, 0]),
        ] {
            let material: Material = text.parse().unwrap();
            assert_eq!(Color::ALL.map(|color| material.men_of(color)), board, "{text}");
            assert_eq!(Color::ALL.map(|color| material.reserve_of(color)), reserve, "{text}");
        }
        // As many of every role as can be counted.
        let mut crowd = Material::default();
        for man in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|r| Man::new(color, r))) {
            (0..100).filter(|_| man.role != Role::Disk).for_each(|_| crowd.add(man));
            (0..100)
                .filter(|_| Material::can_hold(man.role))
                .for_each(|_| crowd.add_to_reserve(man));
        }
        assert_eq!((crowd.men_of(Color::White), crowd.reserve_of(Color::Black)), (405, 42));
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
        assert!(error("K[P]vK").contains("`P` in `K[P]vK` is never in reserve"));
        assert!(error("K?vK").contains("`?` in `K?vK` is not a man"));
        assert!(error("KQRBNvKQRBN").contains("10 men on the board; tables have at most 9"));
        for text in ["K[QvK", "KQ]vK", "K[Q]RvK", "K[[Q]]vK"] {
            assert!(error(text).contains("brackets"), "{text}");
        }
    }
}

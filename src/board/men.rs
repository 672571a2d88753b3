//! Colours, roles and men.

use std::{fmt, ops::Not};

/// A side.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The side that plays up the board.
    White,
    /// The side that plays down the board.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// Whether something holds for a side at least.
    #[inline]
    pub fn any(holds: impl FnMut(Color) -> bool) -> bool {
        Color::ALL.into_iter().any(holds)
    }

    /// 0 for White, 1 for Black: for tables with a row per side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`, as in FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The way the side's pawns walk: +1 or −1 rank.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// A rank counted from the side's own first rank (0), as a rank of the board.
    #[inline]
    pub const fn rank(self, own: u8) -> u8 {
        match self {
            Color::White => own,
            Color::Black => 7 - own,
        }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    /// `White` or `Black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// What kind of man it is: a letter. How it moves, the game says; usually as the
/// [`Movement`](super::Movement) of its name.
///
/// The order is the one materials are written in: `KQREBN`, the letters that only files of variants
/// give to men, the pawn, and the disk (a King that may not move) last.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "a letter says nothing about how the man moves")]
pub enum Role {
    King,
    Queen,
    Rook,
    Elk,
    Bishop,
    Knight,
    A,
    C,
    D,
    F,
    G,
    H,
    I,
    J,
    L,
    M,
    O,
    /// A man with the letter of the pawn that is none, as games from files may have.
    P,
    S,
    T,
    U,
    V,
    W,
    X,
    Y,
    Z,
    Pawn,
    Disk,
}

/// The letter of each role, by [`Role::index`]. The disk has that of a role, too, and so has the
/// pawn; no game has both.
const LETTERS: &[u8; Role::COUNT] = b"KQREBNACDFGHIJLMOPSTUVWXYZPD";

impl Role {
    /// How many there are.
    pub const COUNT: usize = 28;

    /// Every role, in the order of material names.
    pub const ALL: [Role; Role::COUNT] = {
        use Role::*;
        [
            King, Queen, Rook, Elk, Bishop, Knight, A, C, D, F, G, H, I, J, L, M, O, P, S, T, U, V,
            W, X, Y, Z, Pawn, Disk,
        ]
    };

    /// A number below [`COUNT`](Role::COUNT): for tables with an entry per role.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter.
    pub const fn letter(self) -> char {
        LETTERS[self as usize] as char
    }

    /// The role with this upper-case letter; never the disk, and the pawn rather than another man
    /// with its letter.
    pub fn from_letter(letter: char) -> Option<Role> {
        let index = LETTERS.iter().position(|&l| char::from(l) == letter)?;
        Some(if Role::ALL[index] == Role::P { Role::Pawn } else { Role::ALL[index] })
    }

    /// The English name as it stands in a sentence: pieces in upper case, the pawn and the disk
    /// not. A man that has no usual name goes by its letter.
    pub const fn title(self) -> &'static str {
        const TITLES: [&str; Role::COUNT] = [
            "King", "Queen", "Rook", "Elk", "Bishop", "Knight", "A", "C", "D", "F", "G", "H", "I",
            "J", "L", "M", "O", "P", "S", "T", "U", "V", "W", "X", "Y", "Z", "pawn", "disk",
        ];
        TITLES[self as usize]
    }

    /// The English name, or the letter, in lower case.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; Role::COUNT] = [
            "king", "queen", "rook", "elk", "bishop", "knight", "a", "c", "d", "f", "g", "h", "i",
            "j", "l", "m", "o", "p", "s", "t", "u", "v", "w", "x", "y", "z", "pawn", "disk",
        ];
        NAMES[self as usize]
    }
}

/// A set of roles.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RoleSet(u32);

impl RoleSet {
    /// One man for each letter, that which it usually stands for.
    pub const OF_LETTERS: RoleSet =
        RoleSet::of(&Role::ALL).with(Role::P, false).with(Role::Disk, false);

    /// The men of orthodox chess.
    pub const ORTHODOX: RoleSet =
        RoleSet::of(&[Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn]);

    /// These roles.
    pub const fn of(roles: &[Role]) -> RoleSet {
        let mut set = 0;
        let mut next = 0;
        while next < roles.len() {
            set |= 1 << roles[next].index();
            next += 1;
        }
        RoleSet(set)
    }

    /// Whether a role is among them.
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role.index() & 1 == 1
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same with or without a role.
    pub const fn with(self, role: Role, is_there: bool) -> RoleSet {
        let without = self.0 & !(1 << role.index());
        RoleSet(without | (is_there as u32) << role.index())
    }

    /// Those that are in both.
    pub const fn and(self, other: RoleSet) -> RoleSet {
        RoleSet(self.0 & other.0)
    }

    /// Those that are in either.
    pub const fn or(self, other: RoleSet) -> RoleSet {
        RoleSet(self.0 | other.0)
    }

    /// The roles, in the order of material names.
    pub fn iter(self) -> impl Iterator<Item = Role> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| Role::ALL[left.trailing_zeros() as usize]);
            left &= left.wrapping_sub(1);
            next
        })
    }

    /// Their letters in lower case: `qrbn`.
    pub fn letters(self) -> String {
        self.iter().map(|role| role.letter().to_ascii_lowercase()).collect()
    }

    /// The man among them that FEN writes with this letter.
    #[inline]
    pub fn man(self, letter: char) -> Option<Man> {
        let upper = letter.to_ascii_uppercase();
        let role = self.iter().find(|role| role.letter() == upper)?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Man { color, role })
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> RoleSet {
        roles.into_iter().fold(RoleSet::default(), |all, role| all.with(role, true))
    }
}

/// A man: a role of a colour.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Man {
    /// Whose man it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Man {
    /// A man of `color` and `role`.
    pub const fn new(color: Color, role: Role) -> Man {
        Man { color, role }
    }

    /// The letter FEN uses: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

//! The men of Orphic Chess that wait to be dropped, and the two sets of men it is played with.

use std::{fmt, str::FromStr};

use super::{fen::FenError, laws::Laws};
use crate::board::{Bitboard, ByColor, Color, Man, Role, RoleSet, Square};

/// Which men the game is played with, and the rules that hang on it.
pub trait PieceSet: Copy + fmt::Debug + PartialEq + Eq + Default + Send + Sync + 'static {
    /// The name of the game with these men.
    const NAME: &'static str;
    /// The same as its players write it.
    const TITLE: &'static str;
    /// The men of the game.
    const ROLES: RoleSet;
    /// What a pawn may become, and that Kings are royal.
    const LAWS: Laws;
    /// Where a King that leaves other men in reserve may be dropped, unless something else is
    /// chosen.
    const KING: KingDrop;
}

/// The text is not an option of Orphic Chess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrphicOptionError {
    /// Not a place for a King.
    #[error("`{0}` is not where a king may be dropped; write first-rank or free")]
    King(String),
}

/// Where a King may be dropped that leaves other men in reserve.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum KingDrop {
    /// On its side's first rank; as the last man of its reserve, anywhere.
    #[default]
    FirstRank,
    /// Anywhere, at any time.
    Free,
}

impl fmt::Display for KingDrop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KingDrop::FirstRank => "first-rank",
            KingDrop::Free => "free",
        })
    }
}

impl FromStr for KingDrop {
    type Err = OrphicOptionError;

    fn from_str(text: &str) -> Result<KingDrop, OrphicOptionError> {
        match text {
            "first-rank" => Ok(KingDrop::FirstRank),
            "free" => Ok(KingDrop::Free),
            _ => Err(OrphicOptionError::King(text.to_owned())),
        }
    }
}

/// The men of orthodox chess.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Rooks;

impl PieceSet for Rooks {
    const NAME: &'static str = "orphic";
    const TITLE: &'static str = "Orphic Chess";
    const ROLES: RoleSet = RoleSet::ORTHODOX;
    const LAWS: Laws = Laws::ORTHODOX;
    const KING: KingDrop = KingDrop::FirstRank;
}

/// Elks in place of the Rooks: Rooks on dark squares and Knights on light ones.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Elks;

impl PieceSet for Elks {
    const NAME: &'static str = "orphic-elks";
    const TITLE: &'static str = "Orphic Chess with Elks";
    const ROLES: RoleSet = RoleSet::ORTHODOX.with(Role::Rook, false).with(Role::Elk, true);
    const LAWS: Laws = Laws {
        promotions: ByColor::both(RoleSet::of(&[
            Role::Queen,
            Role::Elk,
            Role::Bishop,
            Role::Knight,
        ])),
        ..Laws::ORTHODOX
    };
    const KING: KingDrop = KingDrop::Free;
}

/// Where a pawn may go, if it is free, to make room for a man that is dropped in its place.
pub(crate) fn refuges(color: Color) -> Bitboard {
    let ranks = (1..=3).map(|own| Bitboard::rank(color.rank(own)));
    ranks.fold(Bitboard::EMPTY, |all, rank| all | rank)
}

/// What Orphic Chess has against a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReserveFenError {
    /// A double step of a side that can only capture.
    #[error(
        "en passant square {square} is impossible: while {owner}'s king is in reserve, {owner}'s men only capture"
    )]
    EnPassantReserve {
        /// The square.
        square: Square,
        /// Whose pawn would have stepped over it.
        owner: Color,
    },
    /// A letter between the brackets that is no man to drop.
    #[error("`{letter}` cannot be in reserve; only {allowed} can, in lower case for Black")]
    ReserveLetter {
        /// The letter.
        letter: char,
        /// The letters of the men that can, in upper case.
        allowed: String,
    },
    /// More men in reserve than the game begins with.
    #[error("{color} has too many {}s in reserve; the limit is {most}", role.name())]
    ReserveCount {
        /// The side.
        color: Color,
        /// The men.
        role: Role,
        /// How many of them there are at first.
        most: u8,
    },
    /// More pawns and promoted men than there were pawns.
    #[error("{color} has more than 8 pawns and promoted men: {pawns} pawns, {promoted} promoted")]
    Promotions {
        /// The side.
        color: Color,
        /// How many pawns it has.
        pawns: usize,
        /// How many men it has beyond those the game begins with.
        promoted: usize,
    },
}

impl From<ReserveFenError> for FenError {
    fn from(problem: ReserveFenError) -> FenError {
        FenError::game(problem)
    }
}

/// How many kinds of men can be in reserve: those before the Knight, and it.
const KINDS: usize = Role::Knight.index() + 1;

/// The men a side has still to drop.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Reserve([u8; KINDS]);

impl Reserve {
    /// The reserve each side begins with: all men of a set but the pawns.
    pub fn full<S: PieceSet>() -> Reserve {
        let mut reserve = Reserve::default();
        for role in S::ROLES.iter() {
            match role {
                Role::King | Role::Queen => reserve.0[role.index()] = 1,
                Role::Pawn => {}
                _ => reserve.0[role.index()] = 2,
            }
        }
        reserve
    }

    /// The reserve with so many men of each role.
    pub fn of(counts: impl IntoIterator<Item = (Role, u8)>) -> Reserve {
        let mut reserve = Reserve::default();
        for (role, count) in counts.into_iter().filter(|&(_, count)| count > 0) {
            reserve.0[role.index()] = count;
        }
        reserve
    }

    /// How many men of `role` there are, 0 to 2.
    pub fn count(&self, role: Role) -> u8 {
        self.0.get(role.index()).copied().unwrap_or(0)
    }

    /// How many men there are, 0 to 8.
    pub fn len(&self) -> u8 {
        self.0.iter().sum()
    }

    /// Whether nothing is left to drop.
    pub fn is_empty(&self) -> bool {
        *self == Reserve::default()
    }

    /// The roles there are men of, each once.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        Role::ALL[..KINDS].iter().copied().filter(move |&role| self.count(role) > 0)
    }

    /// One more man.
    pub fn add(&mut self, role: Role) {
        self.0[role.index()] += 1;
    }

    /// One man fewer, if there is such a man.
    pub fn remove(&mut self, role: Role) {
        if let Some(count) = self.0.get_mut(role.index()) {
            *count = count.saturating_sub(1);
        }
    }

    /// Reads the letters between the brackets.
    ///
    /// # Errors
    /// If a letter is no man of the full reserve, or there are more of a kind than in that.
    pub fn read_both<S: PieceSet>(text: &str) -> Result<ByColor<Reserve>, FenError> {
        let full = Reserve::full::<S>();
        let mut reserves = ByColor::<Reserve>::default();
        for letter in text.chars() {
            let man =
                S::ROLES.man(letter).filter(|man| full.count(man.role) > 0).ok_or_else(|| {
                    ReserveFenError::ReserveLetter {
                        letter,
                        allowed: full.roles().map(Role::letter).collect(),
                    }
                })?;
            let reserve = &mut reserves[man.color];
            reserve.add(man.role);
            let most = full.count(man.role);
            if reserve.count(man.role) > most {
                let Man { color, role } = man;
                return Err(ReserveFenError::ReserveCount { color, role, most }.into());
            }
        }
        Ok(reserves)
    }
}

impl fmt::Display for Reserve {
    /// The letters in upper case: `KQRRBBNN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roles().try_for_each(|role| {
            (0..self.count(role)).try_for_each(|_| write!(f, "{}", role.letter()))
        })
    }
}

impl fmt::Debug for Reserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

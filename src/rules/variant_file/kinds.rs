//! The kinds of men that a game has: their keys, their letters and how they move.

use std::collections::{BTreeMap, BTreeSet};

use super::{refusal::shortened, values};
use crate::board::{Bitboard, ByColor, Color, Limits, Movement, Movements, Role, RoleSet};

/// The kinds that have a key, in the order in which keys are read wherever they stand, and how they
/// move by Betza's notation.
const KINDS: [(&str, &str); 34] = [
    (PAWN, "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    // A step and two more, the same way outwards.
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("centaur", "KN"),
];

/// The pawn, which alone promotes, steps twice and takes in passing; always the letter p, though
/// that may be another kind's.
const PAWN: &str = "pawn";

/// The King that is royal.
const KING: &str = "king";

/// The King that is an ordinary man, unless another key makes it royal.
const COMMONER: &str = "commoner";

/// How keys begin that say where men of a kind may go.
const KEPT: &str = "mobilityRegion";

/// How keys of kinds begin that a file describes itself.
const CUSTOM: &str = "customPiece";

/// How many such keys there are.
const CUSTOM_KINDS: usize = 25;

/// When a key that names a kind of men is read among those that do; `None` if it names none.
pub(super) fn place(key: &str) -> Option<usize> {
    let custom = || {
        let number: usize = key.strip_prefix(CUSTOM)?.parse().ok()?;
        (1..=CUSTOM_KINDS).contains(&number).then_some(KINDS.len() + 1 + number)
    };
    match key {
        COMMONER => Some(KINDS.len()),
        // Last, so that no other kind takes its letter.
        KING => Some(KINDS.len() + CUSTOM_KINDS + 2),
        key => KINDS.iter().position(|(name, _)| *name == key).or_else(custom),
    }
}

/// The kind and side that a key names which says where men may go.
fn kept_kind(key: &str) -> Option<(String, Color)> {
    let named = key.strip_prefix(KEPT)?;
    let of = |color: Color| named.strip_prefix(&color.to_string()).map(|kind| (kind, color));
    let (kind, color) = Color::ALL.into_iter().find_map(of)?;
    let mut letters = kind.chars();
    let first = letters.next().filter(char::is_ascii_uppercase)?;
    let kind = format!("{}{}", first.to_ascii_lowercase(), letters.as_str());
    place(&kind).is_some().then_some((kind, color))
}

/// Whether a key says where men of a kind may go.
pub(super) fn keeps_a_kind(key: &str) -> bool {
    key.starts_with(KEPT)
}

/// The kinds of men that a game has, by their letters, and where men may go.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    all: BTreeMap<Role, Kind>,
    /// Of kinds that may not go everywhere, by their keys, whether the game has them or not.
    regions: BTreeMap<String, ByColor<Bitboard>>,
    /// The keys of kinds whose letter its section has given to some kind, be it the same again.
    given_anew: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct Kind {
    key: String,
    movements: [Movement; 2],
}

impl Kinds {
    /// Begins the keys of another section.
    pub fn begin(&mut self) {
        self.given_anew.clear();
    }

    /// Takes in what a key of a kind says: its letter, `-` for none, and behind a colon how it
    /// moves.
    pub fn meet(&mut self, key: &str, value: &str) -> values::Value<()> {
        let custom = key.starts_with(CUSTOM);
        if value == "-" || value.is_empty() {
            self.all.retain(|_, kind| kind.key != key);
            return Ok(());
        }
        let (letter, notation) = match value.split_once(':') {
            Some((letter, notation)) => (letter, Some(notation)),
            None => (value, None),
        };
        let mut letters = letter.chars();
        let role = letters.next().and_then(values::man).filter(|_| letters.next().is_none());
        let Some(mut role) = role else {
            let example = if custom { "a:BN" } else { "a" };
            let value = shortened(value);
            return Err(format!("`{value}` is not a letter for a man, like `{example}`"));
        };
        let notation = match (key, notation) {
            (KING, notation) => notation.unwrap_or("K"),
            (_, Some(notation)) if custom => notation,
            (_, None) if custom => {
                return Err(format!("it needs a movement behind the letter, like `{letter}:BN`"));
            }
            (_, Some(_)) => return Err("this kind has a movement of its own".to_owned()),
            (COMMONER, None) => "K",
            (_, None) => {
                let known = KINDS.iter().find(|(name, _)| *name == key);
                known.map_or("", |(_, notation)| notation)
            }
        };
        if key == PAWN && role != Role::Pawn {
            return Err("the letter of the pawn is p".to_owned());
        }
        if key != PAWN && role == Role::Pawn {
            role = Role::P;
        }
        let movements = match key {
            PAWN => Ok(Movements::USUAL.of_both(role)),
            _ => Movement::by_notation(notation).map_err(|error| error.to_string()),
        }?;
        // A letter belongs to the kind that is named last.
        let had_it = self.all.iter().find(|(other, _)| other.letter() == role.letter());
        self.given_anew.extend(had_it.map(|(_, kind)| kind.key.clone()));
        self.all.retain(|other, kind| kind.key != key && other.letter() != role.letter());
        self.all.insert(role, Kind { key: key.to_owned(), movements });
        Ok(())
    }

    /// Takes the royal King out.
    pub fn remove_king(&mut self) {
        self.begin();
        self.all.retain(|_, kind| kind.key != KING);
    }

    /// The letters there are.
    pub fn men(&self) -> RoleSet {
        self.all.keys().copied().collect()
    }

    /// The men of letters, which may be those of the pawn or of another kind with its letter.
    pub fn men_with(&self, letters: RoleSet) -> RoleSet {
        if self.all.contains_key(&Role::P) && letters.contains(Role::Pawn) {
            letters.with(Role::Pawn, false).with(Role::P, true)
        } else {
            letters
        }
    }

    /// Takes in where men of a kind may go, of the side that the key names.
    pub fn keep(&mut self, key: &str, value: &str) -> values::Value<()> {
        let Some((kind, color)) = kept_kind(key) else {
            return Err(format!("it needs a side and a kind of men, like `{KEPT}WhiteKing`"));
        };
        let squares = values::squares(value)?;
        // Other programs read no squares as all.
        let region = if squares.is_empty() { Bitboard::ALL } else { squares };
        self.regions.entry(kind).or_insert(ByColor::both(Bitboard::ALL))[color] = region;
        Ok(())
    }

    /// Where men of a kind may go on a board of these squares, if that is not everywhere.
    fn region(&self, kind: &Kind, squares: Bitboard) -> Option<ByColor<Bitboard>> {
        let region = |region: Bitboard| match squares & !region {
            Bitboard::EMPTY => Bitboard::ALL,
            _ => region & squares,
        };
        let regions = self.regions.get(&kind.key).map(|regions| regions.map(region));
        regions.filter(|&regions| regions != ByColor::both(Bitboard::ALL))
    }

    /// Whether some may not go everywhere on a board of these squares.
    pub fn are_kept(&self, squares: Bitboard) -> bool {
        self.all.values().any(|kind| self.region(kind, squares).is_some())
    }

    /// How they move on a board of these squares, where men of each side are at home on some.
    pub fn movements(
        &self,
        squares: Bitboard,
        homes: ByColor<Bitboard>,
    ) -> values::Value<Movements> {
        let mut unusual = Vec::new();
        for (&role, kind) in &self.all {
            let regions = self.region(kind, squares);
            if regions.is_some() && role == Role::Pawn {
                return Err(format!("`{KEPT}`: pawns go wherever they can"));
            }
            let [white, _] = kind.movements;
            let movements = match regions.is_none() && !white.has_initial() {
                true => kind.movements,
                false => {
                    let limits = ByColor::new(|color| Limits {
                        region: regions.map_or(Bitboard::ALL, |regions| regions[color]),
                        home: homes[color],
                    });
                    let notation = white.notation().unwrap_or_default();
                    Movement::within(notation, limits).map_err(|error| error.to_string())?
                }
            };
            if movements != Movements::USUAL.of_both(role) {
                unusual.push((role, movements));
            }
        }
        Ok(Movements::with(&unusual))
    }

    /// The letters that kinds have now of which these letters were before, without those that are
    /// gone. Letters that stood for nothing are those of the kinds that usually have them.
    pub fn followed(&self, before: &Kinds, men: RoleSet) -> RoleSet {
        let key_of =
            |role: Role| before.all.get(&role).map_or(role.name(), |kind| kind.key.as_str());
        let role_of = |key: &str| self.all.iter().find(|(_, kind)| kind.key == key);
        let now = men.iter().filter_map(|role| role_of(key_of(role)));
        now.map(|(&role, _)| role).collect()
    }

    /// Those of the kinds whose letters its section has not given to any kind. Fairy-Stockfish takes
    /// others out of the game, and so out of what men promote to, before it puts them in again.
    pub fn without_given_anew(&self, men: RoleSet) -> RoleSet {
        let is_kept = |role: &Role| {
            self.all.get(role).is_some_and(|kind| !self.given_anew.contains(&kind.key))
        };
        men.iter().filter(is_kept).collect()
    }

    /// The letter of the King that is royal by itself, if there is one.
    pub fn royal_king(&self) -> Option<Role> {
        self.all.iter().find(|(_, kind)| kind.key == KING).map(|(&role, _)| role)
    }

    /// Whether the letter of the King is an ordinary man's that moves as a King.
    pub fn has_common_king(&self) -> bool {
        self.all.get(&Role::King).is_some_and(|kind| kind.key == COMMONER)
    }
}

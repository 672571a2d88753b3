//! How men move: which man of a game attacks what, and where it can go.
//!
//! Solvers look at 64 positions at once that differ in where one man stands. So there are three
//! questions about each kind of move: for the men on the board as they are, for all squares on
//! which one more man may stand, and back from where it leads.

use std::{
    collections::HashMap,
    fmt, hash,
    sync::{LazyLock, Mutex},
};

use super::{
    Betza, BetzaError, Bitboard, ByColor, Color, Limits, Man, Role, Square, Symmetry,
    attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
    betza,
};
use crate::lock::lock;

/// How a man of one side moves.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Movement {
    /// One step in any direction.
    King,
    /// Rook and Bishop in one.
    Queen,
    /// Any distance along ranks and files.
    Rook,
    /// A Rook on dark squares, a Knight on light ones.
    Elk,
    /// Any distance along diagonals.
    Bishop,
    /// Two steps one way and one aside.
    Knight,
    /// Captures diagonally forward. Its steps are not told here: they change what a table is about.
    Pawn(Color),
    /// Attacks like a King and never moves.
    Disk,
    /// Neither attacks nor moves.
    Still,
    /// As a notation says.
    Betza(&'static Betza),
}

/// The most notations that a program keeps.
const MOST_NOTATIONS: usize = 1000;

impl Movement {
    /// How a man of a letter usually moves. Those that have no usual movement stand still.
    const fn usual(man: Man) -> Movement {
        match man.role {
            Role::King => Movement::King,
            Role::Queen => Movement::Queen,
            Role::Rook => Movement::Rook,
            Role::Elk => Movement::Elk,
            Role::Bishop => Movement::Bishop,
            Role::Knight => Movement::Knight,
            Role::Pawn => Movement::Pawn(man.color),
            Role::Disk => Movement::Disk,
            _ => Movement::Still,
        }
    }

    /// The movements of White's and Black's man by a notation, which are made once and kept for as
    /// long as the program runs.
    ///
    /// # Errors
    /// If it is none, or a program can keep no more of them.
    pub fn by_notation(notation: &str) -> Result<[Movement; 2], BetzaError> {
        Movement::within(notation, Limits::NONE_OF_BOTH)
    }

    /// The same for men that move only within the limits of their side.
    ///
    /// # Errors
    /// As [`by_notation`](Movement::by_notation).
    pub fn within(notation: &str, limits: ByColor<Limits>) -> Result<[Movement; 2], BetzaError> {
        type Known = HashMap<(String, ByColor<Limits>), [Movement; 2]>;
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let mut known = lock(&KNOWN);
        let key = (notation.to_owned(), limits);
        if let Some(&movements) = known.get(&key) {
            return Ok(movements);
        }
        let movements = Movement::made_by_notation(notation, limits)?;
        if known.len() == MOST_NOTATIONS {
            return Err(BetzaError::TooMany(MOST_NOTATIONS));
        }
        known.insert(key, movements);
        Ok(movements)
    }

    fn made_by_notation(
        notation: &str,
        limits: ByColor<Limits>,
    ) -> Result<[Movement; 2], BetzaError> {
        let ways = betza::read(notation)?;
        let usual = [
            ("K", Movement::King),
            ("Q", Movement::Queen),
            ("R", Movement::Rook),
            ("B", Movement::Bishop),
            ("N", Movement::Knight),
        ];
        let everywhere = limits.map(|limits| limits.region) == ByColor::both(Bitboard::ALL);
        let same = |&(name, movement): &(&str, Movement)| {
            (betza::read(name).as_ref() == Ok(&ways)).then_some([movement; 2])
        };
        Ok(usual.iter().filter(|_| everywhere).find_map(same).unwrap_or_else(|| {
            Color::ALL.map(|color| {
                let betza = Betza::new(notation, &ways, limits[color], color);
                Movement::Betza(Box::leak(Box::new(betza)))
            })
        }))
    }

    /// Where it can go and capture: anywhere but for men whose game says otherwise.
    pub fn region(self) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.region(),
            _ => Bitboard::ALL,
        }
    }

    /// Whether it captures otherwise than it goes.
    pub fn captures_aside(self) -> bool {
        match self {
            Movement::Pawn(_) | Movement::Disk => true,
            Movement::Betza(betza) => betza.captures_aside(),
            _ => false,
        }
    }

    /// Whether it has moves that it makes only where it is at home.
    pub fn has_initial(self) -> bool {
        matches!(self, Movement::Betza(betza) if betza.has_initial())
    }

    /// Betza's notation of it; none for what that does not have.
    pub fn notation(self) -> Option<&'static str> {
        Some(match self {
            Movement::King => "K",
            Movement::Queen => "Q",
            Movement::Rook => "R",
            Movement::Bishop => "B",
            Movement::Knight => "N",
            Movement::Pawn(_) => "fmWfcF",
            Movement::Elk | Movement::Disk | Movement::Still => return None,
            Movement::Betza(betza) => betza.notation(),
        })
    }

    /// Whether a symmetry of the board takes its moves to its moves.
    pub fn keeps(self, symmetry: Symmetry) -> bool {
        match self {
            Movement::Elk => Square::all().all(|s| symmetry.image(s).is_dark() == s.is_dark()),
            Movement::Pawn(_) => symmetry.keeps_ranks(),
            Movement::Betza(betza) => betza.keeps(symmetry),
            _ => true,
        }
    }

    /// The squares it attacks, blocked by `occupied`: on which it captures an enemy.
    #[inline]
    pub fn attacks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::King | Movement::Disk => king_attacks(from),
            Movement::Knight => knight_attacks(from),
            Movement::Pawn(color) => pawn_attacks(color, from),
            Movement::Bishop => bishop_attacks(from, occupied),
            Movement::Rook => rook_attacks(from, occupied),
            Movement::Queen => rook_attacks(from, occupied) | bishop_attacks(from, occupied),
            Movement::Elk if from.is_dark() => rook_attacks(from, occupied),
            Movement::Elk => knight_attacks(from),
            Movement::Still => Bitboard::EMPTY,
            Movement::Betza(betza) => betza.attacks(from, occupied),
        }
    }

    /// The squares from which it attacks `target`, blocked by `occupied`: the inverse of
    /// [`attacks`](Movement::attacks).
    #[inline]
    pub fn attackers(self, target: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Pawn(color) => pawn_attacks(!color, target),
            Movement::Elk => {
                rook_attacks(target, occupied) & Bitboard::DARK
                    | knight_attacks(target) & Bitboard::LIGHT
            }
            Movement::Betza(betza) => betza.attackers(target, occupied),
            _ => self.attacks(target, occupied),
        }
    }

    /// The squares on which one more man may stand while it attacks `target`; none if it does not,
    /// wherever that man stands.
    #[inline]
    pub fn attacks_past(self, from: Square, target: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.attacks_past(from, target, occupied),
            _ if self.attacks(from, occupied).contains(target) => !between(from, target),
            _ => Bitboard::EMPTY,
        }
    }

    /// The empty squares where it can go without capturing.
    #[inline]
    pub fn steps(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.steps(from, occupied) & !occupied,
            Movement::Disk | Movement::Pawn(_) => Bitboard::EMPTY,
            _ => self.attacks(from, occupied) & !occupied,
        }
    }

    /// The empty squares where it can go without capturing, for some square of one more man.
    #[inline]
    pub fn perhaps_steps(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.perhaps_steps(from, occupied) & !occupied,
            _ => self.steps(from, occupied),
        }
    }

    /// The empty squares from which it can have come without capturing, for some square of one more
    /// man.
    #[inline]
    pub fn perhaps_steps_from(self, to: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.perhaps_steps_from(to, occupied) & !occupied,
            Movement::Disk | Movement::Pawn(_) => Bitboard::EMPTY,
            _ => self.attackers(to, occupied) & !occupied,
        }
    }

    /// The squares on which one more man may stand while it goes from one square to another, which
    /// are among those it can [perhaps](Movement::perhaps_steps) go to.
    #[inline]
    pub fn steps_past(self, from: Square, to: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Movement::Betza(betza) => betza.steps_past(from, to, occupied),
            _ => !between(from, to),
        }
    }
}

/// How the men of a game move: a few tables that live as long as the program.
#[derive(Copy, Clone)]
pub struct Movements(&'static Table);

/// For White and Black a movement for each role.
type Table = [[Movement; Role::COUNT]; 2];

static USUAL: Table = {
    let mut table = [[Movement::King; Role::COUNT]; 2];
    let mut place = 0;
    while place < 2 * Role::COUNT {
        let (color, role) = (Color::ALL[place % 2], Role::ALL[place / 2]);
        table[place % 2][place / 2] = Movement::usual(Man { color, role });
        place += 1;
    }
    table
};

impl Movements {
    /// As the men of built-in games move.
    pub const USUAL: Movements = Movements(&USUAL);

    /// The usual movements but for some roles, which move as White's and Black's man here.
    pub fn with(changes: &[(Role, [Movement; 2])]) -> Movements {
        if changes.is_empty() {
            return Movements::USUAL;
        }
        let mut table = USUAL;
        for &(role, movements) in changes {
            for color in Color::ALL {
                table[color.index()][role.index()] = movements[color.index()];
            }
        }
        Movements(Box::leak(Box::new(table)))
    }

    /// Whether all men move as they usually do.
    #[inline]
    pub fn are_usual(self) -> bool {
        std::ptr::eq(self.0, &raw const USUAL)
    }

    /// How White's and Black's man of a role move.
    pub fn of_both(self, role: Role) -> [Movement; 2] {
        Color::ALL.map(|color| self.of(Man { color, role }))
    }

    /// How a man moves.
    #[inline]
    pub const fn of(self, man: Man) -> Movement {
        self.0[man.color.index()][man.role.index()]
    }
}

impl PartialEq for Movements {
    fn eq(&self, other: &Movements) -> bool {
        std::ptr::eq(self.0, other.0) || self.0 == other.0
    }
}

impl Eq for Movements {}

impl hash::Hash for Movements {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        // Which man moves as which is the same in games that are equal.
        let notations = self.0[0].map(|movement| matches!(movement, Movement::Betza(_)));
        notations.hash(state);
    }
}

impl fmt::Debug for Movements {
    /// The roles that do not move as usual, by their notations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white = |role| Man { color: Color::White, role };
        let unusual = Role::ALL
            .into_iter()
            .filter(|&role| self.of(white(role)) != Movement::usual(white(role)));
        f.debug_map().entries(unusual.map(|role| (role, self.of(white(role)).notation()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Usual men, and one by any notation.
    fn movements() -> impl Strategy<Value = Movement> {
        use Movement::{Bishop, Disk, Elk, King, Knight, Queen, Rook, Still};
        let usual = vec![
            King,
            Queen,
            Rook,
            Elk,
            Bishop,
            Knight,
            Disk,
            Still,
            Movement::Pawn(Color::White),
            Movement::Pawn(Color::Black),
        ];
        let modes = prop::sample::select(vec!["", "m", "c", "i"]);
        let directions = prop::sample::select(vec!["", "f", "b", "s", "vl", "fr", "hr", "fh"]);
        let kinds = prop::sample::select(vec![
            "W", "F", "D", "N", "A", "nN", "nA", "nZ", "C", "NN", "R", "B2", "pR", "pB", "gQ", "H",
            "R3",
        ]);
        let atom = (modes, directions, kinds).prop_filter_map("directions", |(mode, way, kind)| {
            let notation = format!("{mode}{way}{kind}");
            betza::read(&notation).is_ok().then_some(notation)
        });
        let limits = prop_oneof![
            Just(Limits::NONE_OF_BOTH),
            any::<[[u64; 2]; 2]>().prop_map(|bits| ByColor::from(bits.map(|bits| {
                let [region, home] = bits.map(Bitboard);
                Limits { region, home }
            }))),
            Just(ByColor {
                white: Limits { region: Bitboard::rank(3), ..Limits::NONE },
                black: Limits { region: Bitboard::file(2), home: Bitboard::rank(6) },
            }),
        ];
        let notations = (prop::collection::vec(atom, 1..4), limits, 0..2usize);
        // Not all that is written in a row is a notation: `R` and `R3` are not.
        let by_notation = notations.prop_filter_map("atoms", |(atoms, limits, color)| {
            Some(Movement::made_by_notation(&atoms.concat(), limits).ok()?[color])
        });
        prop_oneof![prop::sample::select(usual), by_notation]
    }

    proptest! {
        #[test]
        fn all_questions_are_about_the_same_moves(
            movement in movements(),
            bits: u64,
            fewer: u64,
            number in 0u8..64,
            more in 0u8..64,
        ) {
            let (occupied, here) = (Bitboard(bits & fewer), Square::new(number));
            let other = Square::new(more);
            let with = occupied | other.bit();
            let steps = movement.steps(here, occupied);
            prop_assert!(!steps.intersects(occupied));
            prop_assert!((steps & !movement.perhaps_steps(here, occupied)).is_empty());
            for there in Square::all().filter(|&there| there != here) {
                let attacks = movement.attacks(here, occupied).contains(there);
                prop_assert_eq!(movement.attackers(there, occupied).contains(here), attacks);
                if [here, there].contains(&other) || occupied.contains(other) {
                    continue;
                }
                // With one more man on the board.
                let past = movement.attacks_past(here, there, occupied).contains(other);
                prop_assert_eq!(past, movement.attacks(here, with).contains(there), "{}", there);
                if occupied.contains(there) {
                    continue;
                }
                let goes = movement.steps(here, with).contains(there);
                let perhaps = movement.perhaps_steps(here, occupied).contains(there);
                let past = movement.steps_past(here, there, occupied).contains(other);
                prop_assert_eq!(perhaps && past, goes, "{}", there);
                if !occupied.contains(here) {
                    let back = movement.perhaps_steps_from(there, occupied).contains(here);
                    prop_assert_eq!(back && past, goes, "{}", there);
                }
            }
        }

        #[test]
        fn symmetries_that_are_kept_turn_moves(
            movement in movements(),
            bits: u64,
            fewer: u64,
            number in 0u8..64,
        ) {
            let (occupied, here) = (Bitboard(bits & fewer), Square::new(number));
            for symmetry in Symmetry::all().filter(|&symmetry| movement.keeps(symmetry)) {
                let (turned, from) = (symmetry.image_of_set(occupied), symmetry.image(here));
                let image = |set| symmetry.image_of_set(set);
                prop_assert_eq!(movement.attacks(from, turned), image(movement.attacks(here, occupied)));
                prop_assert_eq!(movement.steps(from, turned), image(movement.steps(here, occupied)));
            }
        }
    }

    #[test]
    fn notations_of_usual_men_are_those_men() {
        for (notation, movement) in
            [("FW", Movement::King), ("RB", Movement::Queen), ("NmNcN", Movement::Knight)]
        {
            assert_eq!(Movement::by_notation(notation), Ok([movement; 2]));
        }
        let [white, black] = Movement::by_notation("BN").unwrap();
        assert_ne!(white, Movement::Bishop);
        assert_eq!(white.notation(), Some("BN"));
        assert_ne!(white, black, "each is of its side");
        assert_eq!(Movement::by_notation("NB").unwrap()[0], white);
        // Each is made once.
        let Movement::Betza(again) = Movement::by_notation("BN").unwrap()[0] else { panic!() };
        let Movement::Betza(white) = white else { panic!() };
        assert!(std::ptr::eq(white, again));
    }

    #[test]
    fn games_know_their_men() {
        let knight = Movement::by_notation("N").unwrap();
        let changed = Movements::with(&[(Role::King, knight)]);
        assert_eq!(changed.of_both(Role::King), knight);
        assert_eq!(changed.of_both(Role::Queen), [Movement::Queen; 2]);
        assert_ne!(changed, Movements::USUAL);
        assert_eq!(Movements::with(&[]), Movements::USUAL);
        assert_eq!(format!("{changed:?}"), "{King: Some(\"N\")}");
    }
}

//! How a man moves, by Betza's notation: `NN`, `fRbB`, `mRcpR`.
//!
//! A notation is a row of atoms, each with its modifiers before it and its range behind. An atom is
//! a leap: `W` (1, 0), `F` (1, 1), `D` (2, 0), `N` (2, 1), `A` (2, 2), `H` (3, 0), `C` or `L`
//! (3, 1), `Z` or `J` (3, 2), `G` (3, 3), and `K` for `WF`. An atom that is written twice, or with
//! a number behind, is a ride: so many leaps, or any number, over empty squares. `R`, `B` and `Q`
//! ride without that. The modifiers are
//!
//! * `m`, only without capturing; `c`, only capturing;
//! * `f b l r v s h`, some of the directions;
//! * `n`, a leap that squares on the way can block;
//! * `i`, a move without capturing, only from where pawns of the side walk two squares;
//! * `e`, which says of a pawn that it takes in passing, and here nothing, as in Fairy-Stockfish;
//! * `p`, a ride that begins behind the first man on its way; `g`, only to the square behind it.
//!
//! Directions are read as Fairy-Stockfish does. Those of an oblique leap have a main part, the
//! longer one, and one aside: of two letters the first is the part aside, the second the main one,
//! and one letter is a main part. `h` behind a letter takes all that have that part at all; `hr`
//! and `hl` are the two halves that a piece which only turns has.

use std::collections::BTreeMap;

use super::{Bitboard, ByColor, Square};

/// How far it goes to the right and ahead, seen by the side that moves.
pub type Offset = (i8, i8);

/// The most letters of a notation: several times as many as anybody has needed.
const LETTERS: usize = 100;

/// Why a text is no notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BetzaError {
    /// Far more than describes a man.
    #[error("it has {0} letters; a notation has at most {LETTERS}")]
    Long(usize),
    /// Far more kinds of men than anybody plays with, each of which takes memory.
    #[error("more than {0} notations are known already, and a program keeps no more")]
    TooMany(usize),
    /// A letter that is neither an atom nor a modifier.
    #[error("`{0}` is neither an atom nor a modifier of Betza's notation that is known")]
    Letter(char),
    /// Modifiers with no atom behind them.
    #[error("`{0}` stands at the end, where an atom should follow")]
    NoAtom(String),
    /// Directions that cannot be had together.
    #[error("`{0}` are no directions of `{1}`")]
    Directions(String, char),
    /// A hopper that is none.
    #[error("only R, B and Q hop, as far as they like: `{0}`")]
    Hopper(String),
}

/// A way of moving, from wherever the man stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Way {
    /// Where to.
    pub to: Offset,
    /// What must be empty, in order.
    pub clear: Vec<Offset>,
    /// Of these, in order, exactly one must be taken, if there are any.
    pub hurdles: Vec<Offset>,
    /// Whether it leads to empty squares.
    pub quiet: bool,
    /// Whether it captures.
    pub captures: bool,
    /// Whether it is only for men that are at home.
    pub initial: bool,
}

/// Where a man of a side makes its moves.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Where it can go and capture.
    pub region: Bitboard,
    /// From where it makes its initial moves.
    pub home: Bitboard,
}

impl Limits {
    /// Everywhere, and from everywhere, on any board.
    pub const NONE: Limits = Limits { region: Bitboard::ALL, home: Bitboard::ALL };

    /// The same for both sides.
    pub const NONE_OF_BOTH: ByColor<Limits> = ByColor { white: Limits::NONE, black: Limits::NONE };
}

/// Reads a notation, as the side sees it that moves up the board: each way once, in order.
///
/// # Errors
/// If it is none.
pub fn read(notation: &str) -> Result<Vec<Way>, BetzaError> {
    let letters: Vec<char> = notation.chars().collect();
    if letters.len() > LETTERS {
        return Err(BetzaError::Long(letters.len()));
    }
    let mut ways = Ways::default();
    let mut atom = Atom::default();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        at += 1;
        atom.text.push(letter);
        let next = letters.get(at).copied();
        if atom.modify(letter) {
            continue;
        }
        if DIRECTIONS.contains(letter) {
            let second = next.filter(|&second| goes_with(letter, second));
            atom.directions.push([letter, second.unwrap_or(letter)]);
            if let Some(second) = second {
                atom.text.push(second);
                at += 1;
            }
            continue;
        }
        let (leaps, rides) = leaps_of(letter).ok_or(BetzaError::Letter(letter))?;
        if let Some(behind) = next.filter(|&next| next == letter || next.is_ascii_digit()) {
            at += 1;
            atom.text.push(behind);
            atom.range = behind.to_digit(10).map_or(0, |range| range as u8);
            atom.rides = true;
        }
        atom.rides |= rides;
        std::mem::take(&mut atom).add_to(&mut ways, letter, rides, leaps)?;
    }
    if atom.text.is_empty() { Ok(ways.all()) } else { Err(BetzaError::NoAtom(atom.text)) }
}

/// The letters of directions.
const DIRECTIONS: &str = "fbvrlsh";

/// Whether two letters of directions make one.
fn goes_with(first: char, second: char) -> bool {
    let vertical = |letter| "fbvh".contains(letter);
    let horizontal = |letter| "rlsh".contains(letter);
    first == second
        || vertical(first) && horizontal(second)
        || horizontal(first) && vertical(second)
}

/// The leaps of an atom, and whether it rides of itself.
fn leaps_of(atom: char) -> Option<(&'static [Offset], bool)> {
    const KING: &[Offset] = &[(0, 1), (1, 1)];
    Some(match atom {
        'W' => (&KING[..1], false),
        'F' => (&KING[1..], false),
        'K' => (KING, false),
        'R' => (&KING[..1], true),
        'B' => (&KING[1..], true),
        'Q' => (KING, true),
        'D' => (&[(0, 2)], false),
        'N' => (&[(1, 2)], false),
        'A' => (&[(2, 2)], false),
        'H' => (&[(0, 3)], false),
        'C' | 'L' => (&[(1, 3)], false),
        'Z' | 'J' => (&[(2, 3)], false),
        'G' => (&[(3, 3)], false),
        _ => return None,
    })
}

/// An atom with all that belongs to it.
#[derive(Default)]
struct Atom {
    text: String,
    quiet: bool,
    captures: bool,
    directions: Vec<[char; 2]>,
    blockable: bool,
    initial: bool,
    hopper: Option<char>,
    rides: bool,
    /// How many leaps a ride has at most, 0 for any number.
    range: u8,
}

impl Atom {
    /// Takes in a modifier that is no direction.
    fn modify(&mut self, letter: char) -> bool {
        match letter {
            'm' => self.quiet = true,
            'c' => self.captures = true,
            'n' => self.blockable = true,
            'i' => self.initial = true,
            'e' => {}
            'p' | 'g' => self.hopper = Some(letter),
            _ => return false,
        }
        true
    }

    fn add_to(
        mut self,
        ways: &mut Ways,
        letter: char,
        rides_of_itself: bool,
        leaps: &[Offset],
    ) -> Result<(), BetzaError> {
        if self.hopper.is_some() && !(rides_of_itself && self.range == 0) {
            return Err(BetzaError::Hopper(self.text));
        }
        if !self.quiet && !self.captures {
            (self.quiet, self.captures) = (true, true);
        }
        if self.initial {
            self.captures = false;
        }
        for &leap in leaps {
            // Along a rank or file there is no part aside.
            let straight = leaps.len() == 1 && leap.0 == 0;
            let split = |&[a, b]: &[char; 2]| match straight {
                true => [a, b].into_iter().filter(|&one| one != 'h').map(|one| [one; 2]).collect(),
                false => vec![[a, b]],
            };
            let directions: Vec<[char; 2]> = self.directions.iter().flat_map(split).collect();
            for form in Form::all(leap) {
                let mut wanted = directions.is_empty();
                for &letters in &directions {
                    let has = form.has(letters);
                    wanted |= has.ok_or_else(|| {
                        BetzaError::Directions(letters.into_iter().collect(), letter)
                    })?;
                }
                if wanted {
                    self.add_way(ways, form.offset);
                }
            }
        }
        Ok(())
    }

    /// Adds the leap or the ride that begins with an offset.
    fn add_way(&self, ways: &mut Ways, one: Offset) {
        let modes = [self.quiet, self.captures];
        if modes == [false; 2] {
            return;
        }
        let nth = |n: i8| (one.0 * n, one.1 * n);
        let mut add = |to, clear, hurdles| {
            ways.add(Course { to, clear, hurdles, initial: self.initial }, modes);
        };
        if !self.rides {
            return add(one, if self.blockable { path(one) } else { Vec::new() }, Vec::new());
        }
        let most = if self.range == 0 { 7 } else { self.range.min(7) as i8 };
        for n in (1..=most).filter(|&n| on_some_board(nth(n))) {
            let passed: Vec<Offset> = (1..n).map(nth).collect();
            match self.hopper {
                None => add(nth(n), passed, Vec::new()),
                Some(_) if passed.is_empty() => {}
                Some('p') => add(nth(n), Vec::new(), passed),
                Some(_) => {
                    let (hurdle, clear) = passed.split_last().expect("some are passed");
                    add(nth(n), clear.to_vec(), vec![*hurdle]);
                }
            }
        }
    }
}

/// Whether there are two squares so far apart.
fn on_some_board((files, ranks): Offset) -> bool {
    files.abs() < 8 && ranks.abs() < 8
}

/// The squares a blockable leap passes: first along its longer part until what is left is diagonal.
fn path(leap: Offset) -> Vec<Offset> {
    let mut at: Offset = (0, 0);
    let mut passed = Vec::new();
    loop {
        let left = (leap.0 - at.0, leap.1 - at.1);
        if left.0.abs() >= left.1.abs() {
            at.0 += left.0.signum();
        }
        if left.1.abs() >= left.0.abs() {
            at.1 += left.1.signum();
        }
        if at == leap {
            return passed;
        }
        passed.push(at);
    }
}

/// One of the eight images of a leap.
struct Form {
    offset: Offset,
    /// The direction of its main part and of that aside.
    main: char,
    aside: char,
    /// Which half of the images it is among, if the board is only turned.
    half: char,
}

impl Form {
    fn all((aside, main): Offset) -> impl Iterator<Item = Form> {
        let forms = [
            ((aside, main), 'f', 'r', 'r'),
            ((-aside, -main), 'b', 'l', 'r'),
            ((main, -aside), 'r', 'b', 'r'),
            ((-main, aside), 'l', 'f', 'r'),
            ((main, aside), 'r', 'f', 'l'),
            ((-main, -aside), 'l', 'b', 'l'),
            ((aside, -main), 'b', 'r', 'l'),
            ((-aside, main), 'f', 'l', 'l'),
        ];
        forms.into_iter().map(|(offset, main, aside, half)| Form { offset, main, aside, half })
    }

    /// Whether it is among some directions; `None` if they are none.
    fn has(&self, letters: [char; 2]) -> Option<bool> {
        let of = |letter: char, part: char| match letter {
            'v' => part == 'f' || part == 'b',
            's' => part == 'r' || part == 'l',
            letter => letter == part,
        };
        Some(match letters {
            ['h', half @ ('r' | 'l')] => self.half == half,
            [part @ ('f' | 'b' | 'r' | 'l'), 'h'] => self.main == part || self.aside == part,
            ['h', _] | [_, 'h'] | ['v', 's' | 'r' | 'l'] | ['s', 'v' | 'f' | 'b'] => return None,
            [aside, main] if aside == main => of(main, self.main),
            [aside, main] => of(aside, self.aside) && of(main, self.main),
        })
    }
}

/// What a [`Way`] is but for whether it captures.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Course {
    to: Offset,
    clear: Vec<Offset>,
    hurdles: Vec<Offset>,
    initial: bool,
}

/// Ways, each once, and whether they lead to empty squares and capture.
#[derive(Default)]
struct Ways(BTreeMap<Course, [bool; 2]>);

impl Ways {
    fn add(&mut self, mut course: Course, modes: [bool; 2]) {
        course.clear.sort_unstable();
        course.hurdles.sort_unstable();
        let known = self.0.entry(course).or_default();
        for (known, mode) in known.iter_mut().zip(modes) {
            *known |= mode;
        }
    }

    fn all(self) -> Vec<Way> {
        let all = self.0.into_iter().map(|(course, [quiet, captures])| {
            let Course { to, clear, hurdles, initial } = course;
            Way { to, clear, hurdles, quiet, captures, initial }
        });
        all.collect()
    }
}

impl Way {
    /// Where it leads from a square, if that is on the board and within limits.
    pub fn target(&self, from: Square, limits: Limits) -> Option<Square> {
        let is_open = !self.initial || limits.home.contains(from);
        let to = from.offset(self.to.0, self.to.1).filter(|_| is_open);
        to.filter(|&to| limits.region.contains(to))
    }

    /// The same with every offset changed alike.
    pub fn map(&self, image: impl Fn(Offset) -> Offset) -> Way {
        let all = |offsets: &[Offset]| {
            let mut images: Vec<Offset> = offsets.iter().map(|&offset| image(offset)).collect();
            images.sort_unstable();
            images
        };
        Way { to: image(self.to), clear: all(&self.clear), hurdles: all(&self.hurdles), ..*self }
    }

    /// Whether another one goes the same way from the same squares, whether or not it captures there.
    pub fn is_like(&self, other: &Way) -> bool {
        (self.to, &self.clear, &self.hurdles, self.initial)
            == (other.to, &other.clear, &other.hurdles, other.initial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the ways of a notation lead from d4 on an empty board, with and without capturing.
    fn targets(notation: &str) -> String {
        let from = Square::at(3, 3);
        let squares = read(notation).unwrap().into_iter().filter_map(|way| {
            let square = from.offset(way.to.0, way.to.1)?;
            let mode = match (way.quiet, way.captures) {
                (true, true) => "",
                (true, false) if way.initial => "i",
                (true, false) => "m",
                _ => "c",
            };
            Some(format!("{mode}{square}"))
        });
        let mut squares: Vec<String> = squares.collect();
        squares.sort_unstable();
        squares.join(" ")
    }

    #[test]
    fn directions_are_those_of_fairy_stockfish() {
        for (notation, expected) in [
            ("fW", "d5"),
            ("fsW", "c4 d5 e4"),
            ("vW", "d3 d5"),
            ("rW", "e4"),
            ("fhW", "d5"),
            ("fF", "c5 e5"),
            ("flF", "c5"),
            ("bsF", "c3 e3"),
            ("fN", "c6 e6"),
            ("ffN", "c6 e6"),
            ("fsN", "b5 f5"),
            ("frN", "f5"),
            ("rfN", "e6"),
            ("sN", "b3 b5 f3 f5"),
            ("vN", "c2 c6 e2 e6"),
            ("fhN", "b5 c6 e6 f5"),
            ("rhN", "e2 e6 f3 f5"),
            ("hrN", "b5 c2 e6 f3"),
            ("hlN", "b3 c6 e2 f5"),
            ("fsK", "c4 c5 e4 e5"),
            ("WfF", "c4 c5 d3 d5 e4 e5"),
            ("fmWfcF", "cc5 ce5 md5"),
            ("R2", "b4 c4 d2 d3 d5 d6 e4 f4"),
            ("F2", "b2 b6 c3 c5 e3 e5 f2 f6"),
            ("D", "b4 d2 d6 f4"),
            ("fmWfceFifmnD", "cc5 ce5 id6 md5"),
            ("ifR3", "id5 id6 id7"),
            ("icN", ""),
            ("", ""),
        ] {
            assert_eq!(targets(notation), expected, "{notation}");
        }
        assert_eq!(targets("Q"), targets("RB"));
        assert_eq!(targets("K"), targets("FW"));
        assert_eq!(targets("NN"), targets("N0"));
        assert_eq!(read("mNcN"), read("N"));
    }

    #[test]
    fn what_blocks_is_on_the_way() {
        let way = |notation: &str, to: Offset| {
            let ways = read(notation).unwrap();
            ways.into_iter().find(|way| way.to == to).map(|way| (way.clear, way.hurdles))
        };
        assert_eq!(way("nN", (1, 2)), Some((vec![(0, 1)], vec![])));
        assert_eq!(way("nZ", (3, 2)), Some((vec![(1, 0), (2, 1)], vec![])));
        assert_eq!(way("nA", (-2, 2)), Some((vec![(-1, 1)], vec![])));
        assert_eq!(way("NN", (2, 4)), Some((vec![(1, 2)], vec![])));
        assert_eq!(way("pR", (0, 1)), None);
        assert_eq!(way("pR", (0, 3)), Some((vec![], vec![(0, 1), (0, 2)])));
        assert_eq!(way("gB", (3, 3)), Some((vec![(1, 1)], vec![(2, 2)])));
    }

    #[test]
    fn what_is_no_notation_is_told_why() {
        for (notation, error) in [
            ("xN", "`x` is neither an atom nor a modifier of Betza's notation that is known"),
            ("Nf", "`f` stands at the end, where an atom should follow"),
            ("vrN", "`vr` are no directions of `N`"),
            ("pN", "only R, B and Q hop, as far as they like: `pN`"),
            ("gR3", "only R, B and Q hop, as far as they like: `gR3`"),
        ] {
            assert_eq!(read(notation).unwrap_err().to_string(), error);
        }
        let long = "N".repeat(LETTERS + 1);
        assert_eq!(read(&long), Err(BetzaError::Long(LETTERS + 1)));
    }
}

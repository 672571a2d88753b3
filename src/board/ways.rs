//! What a man that moves by a notation attacks and where it can go, from tables made of its ways.

use std::sync::OnceLock;

use super::{
    Bitboard, Color, Square, Symmetry,
    betza::{Limits, Offset, Way, read},
};

/// Where ways lead from each square of the board, or where they come from.
#[derive(Debug)]
struct Targets {
    /// Squares that can be reached whoever stands elsewhere.
    leaps: [Bitboard; 64],
    /// All others; several may lead to the same square.
    passing: [Vec<Passing>; 64],
}

/// A way between two squares that depends on others.
#[derive(Copy, Clone, Debug)]
struct Passing {
    to: Square,
    clear: Bitboard,
    hurdles: Bitboard,
}

impl Passing {
    fn is_open(&self, occupied: Bitboard) -> bool {
        !self.clear.intersects(occupied)
            && (self.hurdles.is_empty() || (self.hurdles & occupied).len() == 1)
    }

    /// The squares on which one more man may stand, or must.
    fn past(&self, occupied: Bitboard) -> Bitboard {
        if self.clear.intersects(occupied) {
            return Bitboard::EMPTY;
        }
        match (self.hurdles & occupied).len() {
            _ if self.hurdles.is_empty() => !self.clear,
            0 => self.hurdles,
            1 => !(self.clear | self.hurdles),
            _ => Bitboard::EMPTY,
        }
    }
}

impl Targets {
    /// Of some ways within limits; `back` tells where they come from.
    fn of<'w>(ways: impl Iterator<Item = &'w Way> + Clone, limits: Limits, back: bool) -> Targets {
        let mut targets =
            Targets { leaps: [Bitboard::EMPTY; 64], passing: std::array::from_fn(|_| Vec::new()) };
        for way in ways {
            for from in Square::all() {
                let Some(to) = way.target(from, limits) else { continue };
                // What lies between two squares of the board is on the board.
                let set = |offsets: &[Offset]| -> Bitboard {
                    offsets.iter().filter_map(|&(files, ranks)| from.offset(files, ranks)).collect()
                };
                let (clear, hurdles) = (set(&way.clear), set(&way.hurdles));
                let (here, there) = if back { (to, from) } else { (from, to) };
                if clear.is_empty() && hurdles.is_empty() {
                    targets.leaps[here.number()] |= there.bit();
                } else {
                    targets.passing[here.number()].push(Passing { to: there, clear, hurdles });
                }
            }
        }
        targets
    }

    fn open(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let passing = self.passing[from.number()].iter();
        passing
            .filter(|way| way.is_open(occupied))
            .fold(self.leaps[from.number()], |all, way| all | way.to.bit())
    }

    fn perhaps_open(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let passing = self.passing[from.number()].iter();
        let possible = passing.filter(|way| !way.past(occupied).is_empty());
        possible.fold(self.leaps[from.number()], |all, way| all | way.to.bit())
    }

    fn past(&self, from: Square, to: Square, occupied: Bitboard) -> Bitboard {
        if self.leaps[from.number()].contains(to) {
            return Bitboard::ALL;
        }
        let passing = self.passing[from.number()].iter().filter(|way| way.to == to);
        passing.fold(Bitboard::EMPTY, |all, way| all | way.past(occupied))
    }
}

/// A quiet way for all squares at once.
#[derive(Clone, Debug)]
pub struct Shift {
    /// How much higher the number of the square is where it leads.
    pub step: i32,
    /// The squares from which that is on the board, and within limits.
    inside: Bitboard,
    clear: Vec<i32>,
    hurdles: Vec<i32>,
}

impl Shift {
    fn of(way: &Way, limits: Limits) -> Shift {
        let step = |&(files, ranks): &Offset| i32::from(files) + 8 * i32::from(ranks);
        let inside = Square::all().filter(|&from| way.target(from, limits).is_some());
        Shift {
            step: step(&way.to),
            inside: inside.collect(),
            clear: way.clear.iter().map(step).collect(),
            hurdles: way.hurdles.iter().map(step).collect(),
        }
    }

    /// The squares from which it is open, whether or not somebody stands where it leads.
    pub fn open(&self, occupied: Bitboard) -> Bitboard {
        // What lies between two squares of the board is on the board, so nothing wraps around.
        let seen = |step: i32| match step {
            0.. => occupied.0 >> step,
            _ => occupied.0 << -step,
        };
        let blocked = self.clear.iter().fold(0, |taken, &step| taken | seen(step));
        let mut open = self.inside.0 & !blocked;
        if !self.hurdles.is_empty() {
            let [one, more] = self.hurdles.iter().fold([0, 0], |[one, more], &step| {
                let here = seen(step);
                [one | here, more | one & here]
            });
            open &= one & !more;
        }
        Bitboard(open)
    }
}

/// Quiet moves for all squares at once: those that usual men have, too, and all others.
#[derive(Clone, Debug, Default)]
pub struct Shifts {
    /// Whether there are all those of a Rook.
    pub rook: bool,
    /// Whether there are all those of a Bishop.
    pub bishop: bool,
    /// Whether there are all those of a Knight.
    pub knight: bool,
    /// Whether there are all those of a King.
    pub king: bool,
    /// What those do not have.
    pub others: Vec<Shift>,
}

impl Shifts {
    fn of(ways: &[Way], limits: Limits) -> Shifts {
        let mut left: Vec<&Way> = ways.iter().filter(|way| way.quiet).collect();
        let mut has_all = |notation: &str| {
            let all = read(notation).expect("a notation");
            let is_among = |way: &Way, all: &[&Way]| all.iter().any(|other| other.is_like(way));
            let has = limits.region == Bitboard::ALL && all.iter().all(|way| is_among(way, &left));
            if has {
                left.retain(|way| !is_among(way, &all.iter().collect::<Vec<_>>()));
            }
            has
        };
        let [rook, bishop, knight, king] = ["R", "B", "N", "K"].map(&mut has_all);
        let others = left.into_iter().map(|way| Shift::of(way, limits)).collect();
        Shifts { rook, bishop, knight, king, others }
    }
}

/// A man that moves by a notation, of one side.
#[derive(Debug)]
pub struct Betza {
    notation: String,
    color: Color,
    /// As on the board, in order.
    ways: Vec<Way>,
    limits: Limits,
    tables: OnceLock<Tables>,
}

/// What is looked up for a man. It takes some 400 KiB and a millisecond to make, so it is made when
/// somebody asks: most men of a file of variants are never played with.
#[derive(Debug)]
struct Tables {
    shifts: Shifts,
    quiet: Targets,
    quiet_back: Targets,
    captures: Targets,
    captures_back: Targets,
}

impl Tables {
    fn of(ways: &[Way], limits: Limits) -> Tables {
        let quiet = || ways.iter().filter(|way| way.quiet);
        let captures = || ways.iter().filter(|way| way.captures);
        Tables {
            shifts: Shifts::of(ways, limits),
            quiet: Targets::of(quiet(), limits, false),
            quiet_back: Targets::of(quiet(), limits, true),
            captures: Targets::of(captures(), limits, false),
            captures_back: Targets::of(captures(), limits, true),
        }
    }
}

impl PartialEq for Betza {
    fn eq(&self, other: &Betza) -> bool {
        (self.color, &self.ways, self.limits) == (other.color, &other.ways, other.limits)
    }
}

impl Betza {
    /// A man of a side with the ways that a notation gives, within limits.
    pub fn new(notation: &str, ways: &[Way], limits: Limits, color: Color) -> Betza {
        let ways = match color {
            Color::White => ways.to_vec(),
            Color::Black => images(ways, |(files, ranks)| (-files, -ranks)),
        };
        // Nobody asks where those are at home that have no initial moves.
        let home = if has_initial(&ways) { limits.home } else { Bitboard::ALL };
        let limits = Limits { home, ..limits };
        Betza { notation: notation.to_owned(), color, ways, limits, tables: OnceLock::new() }
    }

    /// The notation.
    pub fn notation(&self) -> &str {
        &self.notation
    }

    /// Where it can go and capture.
    pub fn region(&self) -> Bitboard {
        self.limits.region
    }

    /// Whether it captures otherwise than it goes.
    pub fn captures_aside(&self) -> bool {
        self.ways.iter().any(|way| way.captures && !way.quiet)
    }

    /// Whether it has moves that it makes only where it is at home.
    pub fn has_initial(&self) -> bool {
        has_initial(&self.ways)
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::of(&self.ways, self.limits))
    }

    /// Its moves without capturing, from all squares at once.
    pub fn shifts(&self) -> &Shifts {
        &self.tables().shifts
    }

    /// How many squares it attacks or goes to on an empty board, all squares it can stand on
    /// together.
    pub fn mobility(&self) -> usize {
        let all = |from| self.attacks(from, Bitboard::EMPTY) | self.steps(from, Bitboard::EMPTY);
        Square::all().map(|from| all(from).len()).sum()
    }

    /// Whether a symmetry of the board takes its ways to its ways, and its limits to themselves.
    pub fn keeps(&self, symmetry: Symmetry) -> bool {
        let keeps = |set: Bitboard| set == Bitboard::ALL || symmetry.image_of_set(set) == set;
        images(&self.ways, |offset| symmetry.image_of_offset(offset)) == self.ways
            && keeps(self.limits.region)
            && keeps(self.limits.home)
    }

    /// The squares it can capture on.
    pub fn attacks(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.tables().captures.open(from, occupied)
    }

    /// The squares from which it can capture on `target`.
    pub fn attackers(&self, target: Square, occupied: Bitboard) -> Bitboard {
        self.tables().captures_back.open(target, occupied)
    }

    /// The squares on which one more man may stand while it captures on `to`.
    pub fn attacks_past(&self, from: Square, to: Square, occupied: Bitboard) -> Bitboard {
        self.tables().captures.past(from, to, occupied)
    }

    /// Where it can go without capturing, if nobody stands there.
    pub fn steps(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.tables().quiet.open(from, occupied)
    }

    /// Where it can go without capturing for some square of one more man.
    pub fn perhaps_steps(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.tables().quiet.perhaps_open(from, occupied)
    }

    /// From where it can have come without capturing for some square of one more man.
    pub fn perhaps_steps_from(&self, to: Square, occupied: Bitboard) -> Bitboard {
        self.tables().quiet_back.perhaps_open(to, occupied)
    }

    /// The squares on which one more man may stand while it goes to `to` without capturing.
    pub fn steps_past(&self, from: Square, to: Square, occupied: Bitboard) -> Bitboard {
        self.tables().quiet.past(from, to, occupied)
    }
}

fn has_initial(ways: &[Way]) -> bool {
    ways.iter().any(|way| way.initial)
}

/// Ways with every offset changed alike, in order.
fn images(ways: &[Way], image: impl Fn(Offset) -> Offset) -> Vec<Way> {
    let mut images: Vec<Way> = ways.iter().map(|way| way.map(&image)).collect();
    images.sort_unstable();
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_what_looks_the_same() {
        let kept = |notation: &str, color| {
            let betza = Betza::new(notation, &read(notation).unwrap(), Limits::NONE, color);
            Symmetry::all().filter(|&symmetry| betza.keeps(symmetry)).count()
        };
        for color in Color::ALL {
            assert_eq!(kept("NNmAcD", color), 8);
            assert_eq!(kept("fR", color), 2);
            assert_eq!(kept("hrN", color), 4);
            assert_eq!(kept("vR", color), 4);
            assert_eq!(kept("rfN", color), 1);
        }
    }
}

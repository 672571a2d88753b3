//! How far the end of a game is, at every pair of vitalities.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use super::Staircase;
use crate::{
    answer::{Outcome, Plies},
    board::{ByColor, Color},
    parallel::{self, chunks},
    rules::HighEnding,
};

/// The result of a position with its distance as one number: *n* + 1 if White wins in *n* plies,
/// −(*n* + 1) if Black does. 0 is none.
pub(crate) type Signed = i16;

/// Who wins, and after how many plies, when the winner hurries and the loser delays.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Distance {
    /// Who wins.
    pub winner: Color,
    /// After how many plies of both sides; 0 if the game is over.
    pub plies: Plies,
}

impl Distance {
    /// How the game ends, if `to_move` is to move now. Mate is the winner's turn, exhaustion the
    /// loser's, so the number of plies tells them apart.
    pub fn ending(self, to_move: Color) -> HighEnding {
        let winner = self.winner;
        let last = if self.plies.0 % 2 == 1 { to_move } else { !to_move };
        if last == winner {
            HighEnding::Checkmate { winner }
        } else {
            HighEnding::Exhaustion { winner }
        }
    }

    pub(super) fn from_signed(signed: Signed) -> Distance {
        let winner = if signed > 0 { Color::White } else { Color::Black };
        Distance { winner, plies: Plies(signed.unsigned_abs().saturating_sub(1)) }
    }

    pub(super) fn signed(self) -> Signed {
        let number = self.plies.0 as Signed + 1;
        if self.winner == Color::White { number } else { -number }
    }

    /// What this is worth to `side`: greater is better.
    pub(super) fn worth(self, side: Color) -> i16 {
        worth(self.signed(), side)
    }
}

/// What a result is worth to `side`: wins are above 0, quick ones highest; losses are below,
/// quick ones lowest.
#[inline]
pub(super) fn worth(result: Signed, side: Color) -> i16 {
    let mine = if side == Color::White { result } else { -result };
    if mine > 0 { i16::MAX - mine } else { i16::MIN - mine }
}

/// The better of two results for `side`.
///
/// As unsigned numbers, results stand as White likes them, the best first: won soon, won late, lost
/// late, lost soon.
#[inline]
pub(super) fn better(a: Signed, b: Signed, side: Color) -> Signed {
    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
    let better = if side == Color::White { a.min(b) } else { a.max(b) };
    better.cast_signed()
}

/// The result before a turn that leads to this one: a ply more to go. None if there is no number
/// for so many.
#[inline]
pub(super) fn before(result: Signed) -> Signed {
    // As `signum` has it, which is not vectorised.
    let sign = Signed::from(result > 0) - Signed::from(result < 0);
    let before = result.wrapping_add(sign);
    if (before > 0) == (result > 0) { before } else { 0 }
}

/// The distance to the end of a position at every pair of vitalities.
#[derive(Clone, Debug)]
pub struct Distances(Source);

#[derive(Clone, Debug)]
enum Source {
    /// A function of a table.
    Stored { table: Arc<Functions>, number: u32 },
    /// V rows of V results.
    Derived { rows: Arc<[Signed]>, full: u8 },
}

impl Distances {
    pub(super) fn stored(table: &Arc<Functions>, number: u32) -> Option<Distances> {
        let known = table.staircases.len() > number as usize;
        known.then(|| Distances(Source::Stored { table: table.clone(), number }))
    }

    /// The distances with V rows of V results: for each of White's vitalities one for each of
    /// Black's.
    pub(super) fn derived(rows: impl Into<Arc<[Signed]>>, full: u8) -> Distances {
        Distances(Source::Derived { rows: rows.into(), full })
    }

    /// The distances where this side, to move, is mated.
    pub(super) fn mated(side: Color, full: u8) -> Distances {
        let lost = Distance { winner: !side, plies: Plies::ZERO }.signed();
        Distances::derived(vec![lost; usize::from(full) * usize::from(full)], full)
    }

    /// The distance at these vitalities, White's first, both 1 to V.
    pub fn at(&self, ByColor { white, black }: ByColor<u8>) -> Distance {
        Distance::from_signed(self.row(white)[usize::from(black) - 1])
    }

    /// V: the vitalities there can be.
    pub fn full(&self) -> u8 {
        match &self.0 {
            Source::Stored { table, .. } => table.full,
            Source::Derived { full, .. } => *full,
        }
    }

    /// The results at a vitality of White, for each one of Black from 1 on.
    #[inline]
    pub(super) fn row(&self, white: u8) -> &[Signed] {
        match &self.0 {
            Source::Stored { table, number } => table.row(*number, white),
            Source::Derived { rows, full } => {
                let at = usize::from(white - 1) * usize::from(*full);
                &rows[at..at + usize::from(*full)]
            }
        }
    }

    fn rows(&self) -> impl Iterator<Item = &[Signed]> {
        (1..=self.full()).map(|white| self.row(white))
    }

    /// Who wins at which vitalities.
    pub fn staircase(&self) -> Staircase {
        match &self.0 {
            Source::Stored { table, number } => table.staircase(*number as usize).clone(),
            Source::Derived { .. } => Staircase::new(self.rows().map(step).collect::<Vec<u8>>()),
        }
    }
}

/// How many of each row's results White wins, of rows of `v` results each; an error says what is
/// wrong.
pub(super) fn steps(rows: &[Signed], v: usize) -> Result<Vec<u8>, &'static str> {
    parallel::try_map(chunks(rows, v), 1, |_, row| {
        let step = step(row);
        let fine = row.len() == v && row[usize::from(step)..].iter().all(|&result| result < 0);
        fine.then_some(step).ok_or("a row is wrong")
    })
}

/// How many of a row's results White wins; they come first.
fn step(row: &[Signed]) -> u8 {
    row.iter().take_while(|&&result| result > 0).count() as u8
}

impl PartialEq for Distances {
    fn eq(&self, other: &Distances) -> bool {
        if let (Source::Stored { table, number }, Source::Stored { table: others, number: other }) =
            (&self.0, &other.0)
            && Arc::ptr_eq(table, others)
        {
            // Functions that differ in what they say of mates may have the same rows.
            return number == other || table.rows_of(*number) == table.rows_of(*other);
        }
        self.full() == other.full() && self.rows().eq(other.rows())
    }
}

impl Eq for Distances {}

impl Hash for Distances {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rows().for_each(|row| row.hash(state));
    }
}

/// All functions of a table: what is known of its positions, each once.
#[derive(Debug)]
pub(crate) struct Functions {
    full: u8,
    /// V results each.
    rows: Vec<Signed>,
    /// For each function V numbers of rows.
    functions: Vec<u32>,
    /// Who can force mate where a position has this function.
    mates: Vec<Outcome>,
    /// The staircase of each function.
    staircases: Vec<u32>,
    distinct: Vec<Staircase>,
}

impl Functions {
    /// Functions of V numbers of rows, with a mate each, and rows of V results; an error says what
    /// is wrong.
    pub(super) fn new(
        full: u8,
        rows: Vec<Signed>,
        functions: Vec<u32>,
        mates: Vec<Outcome>,
    ) -> Result<Functions, &'static str> {
        let v = usize::from(full);
        if rows.is_empty() || functions.is_empty() || functions.len() != mates.len() * v {
            return Err("its length is wrong");
        }
        let steps = steps(&rows, v)?;
        let mut met = indexmap::IndexSet::with_hasher(rustc_hash::FxBuildHasher);
        let mut staircases = Vec::with_capacity(functions.len() / v);
        let mut staircase = vec![0; v];
        for function in functions.chunks(v) {
            let mut changed = false;
            for (step, &row) in staircase.iter_mut().zip(function) {
                let now = *steps.get(row as usize).ok_or("there is no such row")?;
                changed |= now != *step;
                *step = now;
            }
            if !staircase.is_sorted() {
                return Err("a function is wrong");
            }
            // Functions are in order, so neighbours often have the same.
            let at = match staircases.last() {
                Some(&last) if !changed => last,
                _ => match met.get_index_of(staircase.as_slice()) {
                    Some(at) => at as u32,
                    None => met.insert_full(Box::<[u8]>::from(staircase.as_slice())).0 as u32,
                },
            };
            staircases.push(at);
        }
        let ordered = functions.chunks(v).zip(&mates).is_sorted_by(|(a, mate), (b, other)| {
            let differing = a.iter().zip(b.iter()).find(|(a, b)| a != b);
            let row = |number: &u32| &rows[*number as usize * v..][..v];
            match differing {
                Some((a, b)) => row(a) < row(b),
                None => mate.packed() < other.packed(),
            }
        });
        if !ordered {
            return Err("the functions are not in order");
        }
        let distinct = met.into_iter().map(Staircase::new).collect();
        Ok(Functions { full, rows, functions, mates, staircases, distinct })
    }

    /// How many functions there are.
    pub fn len(&self) -> usize {
        self.staircases.len()
    }

    /// The numbers of the rows of a function.
    fn rows_of(&self, function: u32) -> &[u32] {
        let v = usize::from(self.full);
        &self.functions[function as usize * v..][..v]
    }

    /// Who can force mate where a position has this function.
    pub fn mate(&self, function: usize) -> Outcome {
        self.mates[function]
    }

    /// The staircase of a function.
    pub fn staircase(&self, function: usize) -> &Staircase {
        &self.distinct[self.staircases[function] as usize]
    }

    /// The results of a function at a vitality of White.
    #[inline]
    pub fn row(&self, function: u32, white: u8) -> &[Signed] {
        let v = usize::from(self.full);
        let row = self.functions[function as usize * v + usize::from(white) - 1] as usize;
        &self.rows[row * v..][..v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_result_is_the_one_that_is_worth_more() {
        let results = [1, 2, 3, 700, Signed::MAX, -1, -2, -3, -700, -Signed::MAX];
        for side in Color::ALL {
            for (a, b) in results.into_iter().flat_map(|a| results.map(|b| (a, b))) {
                let more = if worth(a, side) > worth(b, side) { a } else { b };
                assert_eq!(better(a, b, side), more, "{a} or {b} for {side}");
            }
        }
    }

    #[test]
    fn a_turn_takes_a_ply() {
        assert_eq!([1, 700, -1, -700].map(before), [2, 701, -2, -701]);
        assert_eq!([0, Signed::MAX, Signed::MIN].map(before), [0; 3]);
    }
}

//! How rows and functions come out of what they are packed as: what is likely to come next.

use std::slice;

use rustc_hash::FxHashMap;

use super::distance::Signed;
use crate::parallel::{self, chunks};

/// How much the results of a row differ from those it is told by, given how much more each differs
/// than the one before it does. Small numbers of either sign are packed as small ones: 0, −1, 1, −2,
/// 2 as 0, 1, 2, 3, 4.
#[inline]
pub(super) fn unpack_differences(packed: impl Iterator<Item = u16>, row: &mut [Signed]) {
    let mut differs: Signed = 0;
    for (result, packed) in row.iter_mut().zip(packed) {
        let more = (packed >> 1) as Signed ^ -((packed & 1) as Signed);
        differs = differs.wrapping_add(more);
        *result = differs;
    }
}

/// For each row that occurs for the first time in some functions, the one it is told by: the one
/// before it, or the first one of the function before. Rows are numbered in the order in which they
/// occur, and so many have been `met` before these functions.
pub(super) fn bases(functions: &[u32], v: usize, met: usize) -> Vec<Option<u32>> {
    let mut bases = Vec::new();
    for (at, &row) in functions.iter().enumerate() {
        if row as usize == met + bases.len() {
            let base = at.checked_sub(if at.is_multiple_of(v) { v } else { 1 });
            bases.push(base.map(|base| functions[base]));
        }
    }
    bases
}

/// How many of the rows that have followed a row are remembered.
const REMEMBERED: usize = 254;

/// A row is the one before it once more.
pub(super) const SAME: u8 = 0;

/// A row is none of those that are remembered; it is named elsewhere. Codes between this and
/// [`SAME`] tell how many others have followed the row before more recently, plus one.
pub(super) const NAMED: u8 = u8::MAX;

/// Functions as they are stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PackedFunctions {
    /// For each function, with how many rows of the function before it begins; 0 for the first of
    /// those packed together.
    pub shared: Vec<u8>,
    /// For each other row how it follows the row before: [`SAME`], [`NAMED`] or a place; of all
    /// functions packed together, first those of the first row, then those of the second, and so
    /// on.
    pub codes: Vec<u8>,
    /// For each row that is named its [difference](differing) from the row before, or 0 if it
    /// occurs for the first time, and so is the next.
    pub named: Vec<u32>,
}

impl PackedFunctions {
    /// How many rows the functions have.
    pub fn rows(&self) -> usize {
        new_rows(&self.named)
    }
}

/// How many of the rows that are named occur for the first time.
fn new_rows(named: &[u32]) -> usize {
    named.iter().filter(|&&name| name == 0).count()
}

/// The rows that have followed each row, but for itself, the latest last; those that begin a
/// function follow a row of their own.
#[derive(Default)]
pub(super) struct Followers(FxHashMap<Option<u32>, Vec<u32>>);

impl Followers {
    pub fn of(&mut self, before: Option<u32>) -> &mut Vec<u32> {
        self.0.entry(before).or_default()
    }
}

/// Adds to rows that are remembered one that is not.
pub(super) fn remember(known: &mut Vec<u32>, row: u32) {
    if known.len() == REMEMBERED {
        known.remove(0);
    }
    known.push(row);
}

/// The number of a row that differs so much from that of another one: 1, 2, 3, 4 are −1, 1, −2, 2.
pub(super) fn differing(difference: u32, from: u32) -> u32 {
    from.wrapping_add(difference >> 1 ^ (difference & 1).wrapping_neg())
}

/// Functions of `v` rows each as they are stored, cut into those that were packed together.
pub(super) struct Pieces<'p> {
    v: usize,
    /// Each with how many rows have been met before.
    all: Vec<(Piece<'p>, usize)>,
}

impl<'p> Pieces<'p> {
    /// Cuts functions of which so many were packed `at_once`; an error says what is wrong.
    pub fn new(
        packed: &'p PackedFunctions,
        v: usize,
        at_once: usize,
    ) -> Result<Pieces<'p>, &'static str> {
        let PackedFunctions { shared, codes, named } = packed;
        if shared.iter().any(|&shared| usize::from(shared) > v) {
            return Err("a function shares more rows than it has");
        }
        let (mut codes, mut named) = (&codes[..], &named[..]);
        let mut met = 0;
        let mut all = Vec::new();
        for shared in shared.chunks(at_once) {
            let told: usize = shared.iter().map(|&shared| v - usize::from(shared)).sum();
            let (of_piece, rest) = codes.split_at_checked(told).ok_or("it has too few rows")?;
            codes = rest;
            let names = parallel::gather(of_piece, 1, &|_, codes: &[u8]| {
                codes.iter().filter(|&&code| code == NAMED).count()
            });
            let names = names.into_iter().sum();
            let (names, rest) = named.split_at_checked(names).ok_or("it has too few followers")?;
            named = rest;
            all.push((Piece { shared, codes: of_piece, named: names }, met));
            met += new_rows(names);
        }
        if !codes.is_empty() || !named.is_empty() {
            return Err("it has more rows than functions");
        }
        Ok(Pieces { v, all })
    }

    /// All functions; an error says what is wrong. All numbers of rows are below
    /// [`PackedFunctions::rows`].
    pub fn unpack(&self) -> Result<Vec<u32>, &'static str> {
        let Some((largest, _)) = self.all.first() else { return Ok(Vec::new()) };
        let lengths = self.all.iter().map(|(piece, _)| piece.shared.len());
        let mut functions = vec![0; lengths.sum::<usize>() * self.v];
        let places = chunks(&mut functions[..], largest.shared.len() * self.v);
        parallel::try_each((places, &self.all[..]), 1, |_, (functions, (piece, met))| {
            piece.unpack(functions, self.v, *met)
        })?;
        Ok(functions)
    }

    /// What comes of each piece, given its functions and how many rows have been met before; they
    /// are unpacked for that and not kept. An error says what is wrong, as `look` may find it, too.
    #[cfg(feature = "build")]
    pub fn map<T: Send>(
        &self,
        look: impl Fn(&[u32], usize) -> Result<T, &'static str> + Sync,
    ) -> Result<Vec<T>, &'static str> {
        parallel::try_map(&self.all[..], 1, |_, (piece, met)| {
            let mut functions = vec![0; piece.shared.len() * self.v];
            piece.unpack(&mut functions, self.v, *met)?;
            look(&functions, *met)
        })
    }

    /// The [bases] of all rows, without all functions in memory; an error says what is wrong.
    #[cfg(feature = "build")]
    pub fn bases(&self) -> Result<Vec<Option<u32>>, &'static str> {
        let of_pieces = self.map(|functions, met| {
            let last = &functions[functions.len() - self.v..];
            Ok((bases(functions, self.v, met), last[0]))
        })?;
        let mut all = Vec::with_capacity(of_pieces.iter().map(|(bases, _)| bases.len()).sum());
        let mut before = None;
        for (bases, last) in of_pieces {
            let first = all.len();
            all.extend(bases);
            // Nothing in the piece comes before the first row of its first function.
            if let Some(base @ None) = all.get_mut(first) {
                *base = before;
            }
            before = Some(last);
        }
        Ok(all)
    }
}

/// What was packed together.
struct Piece<'a> {
    shared: &'a [u8],
    codes: &'a [u8],
    named: &'a [u32],
}

impl<'p> Piece<'p> {
    /// The codes of each row.
    fn columns(&self, v: usize) -> Vec<slice::Iter<'p, u8>> {
        let mut told = vec![0; v + 1];
        self.shared.iter().for_each(|&shared| told[usize::from(shared)] += 1);
        let (mut count, mut rest) = (0, self.codes);
        let column = |told: usize| {
            count += told;
            rest.split_off(..count).expect("there are as many as the functions have").iter()
        };
        told.into_iter().take(v).map(column).collect()
    }

    /// Unpacks functions of `v` rows each; so many rows have been met before.
    fn unpack(&self, functions: &mut [u32], v: usize, met: usize) -> Result<(), &'static str> {
        let (mut columns, mut named) = (self.columns(v), self.named.iter());
        let mut followers = Followers::default();
        let mut next = met as u32;
        for (n, &shared) in self.shared.iter().enumerate() {
            let (last, functions) = functions[n.saturating_sub(1) * v..].split_at_mut(n.min(1) * v);
            let (function, shared) = (&mut functions[..v], usize::from(shared));
            let begun = last.get(..shared).ok_or("nothing comes before its first function")?;
            function[..shared].copy_from_slice(begun);
            let mut before = begun.last().copied();
            for (to, codes) in function.iter_mut().zip(&mut columns).skip(shared) {
                let row = match (codes.next().copied(), before) {
                    (None, _) | (Some(SAME), None) => return Err("nothing comes before a row"),
                    (Some(SAME), Some(before)) => before,
                    (Some(NAMED), _) => {
                        let row = match named.next() {
                            Some(0) => {
                                next += 1;
                                next - 1
                            }
                            Some(&name) => differing(name, before.unwrap_or(next)),
                            None => return Err("it has too few followers"),
                        };
                        if row >= next {
                            return Err("a row is named before it occurs");
                        }
                        remember(followers.of(before), row);
                        row
                    }
                    (Some(code), _) => {
                        let known = followers.of(before);
                        let at = known.len().checked_sub(usize::from(code));
                        let at = at.ok_or("nothing has followed a row so often")?;
                        known[at..].rotate_left(1);
                        known[known.len() - 1]
                    }
                };
                *to = row;
                before = Some(row);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_row_is_told_as_one() {
        // The second row is the next one, but named by its difference from the first.
        let packed =
            PackedFunctions { shared: vec![0], codes: vec![NAMED, NAMED, SAME], named: vec![0, 2] };
        let pieces = Pieces::new(&packed, 3, 1).expect("as many as there should be");
        assert_eq!(pieces.unpack(), Err("a row is named before it occurs"));
        let packed = PackedFunctions { named: vec![0, 0], ..packed };
        let pieces = Pieces::new(&packed, 3, 1).expect("as many as there should be");
        assert_eq!(pieces.unpack(), Ok(vec![0, 1, 1]));
    }

    proptest! {
        #[test]
        fn forged_functions_do_no_harm(
            shared in prop::collection::vec(0u8..4, 0..30),
            codes in prop::collection::vec((0u8..5).prop_map(|c| if c == 4 { NAMED } else { c }), 0..60),
            named in prop::collection::vec(0u32..10, 0..60),
        ) {
            let packed = PackedFunctions { shared, codes, named };
            let rows = packed.rows();
            let functions = Pieces::new(&packed, 3, 4).and_then(|pieces| pieces.unpack());
            if let Ok(functions) = functions {
                prop_assert!(functions.iter().all(|&row| (row as usize) < rows));
            }
        }
    }
}

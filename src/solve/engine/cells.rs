//! What a slice keeps for each position while it is solved: a score, in one byte if it fits.
//!
//! Where values are −1, 0 and 1, infinite play is worth 0, and a game ends with the turn that wins it,
//! the side to move wins in an odd number of plies and loses in an even one. So half a distance tells
//! the whole one, and a byte is enough as long as wins take no more than 253 plies. Where one does not
//! fit, all cells of the slice are made wider.

use std::{convert::Infallible, io};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{
    ladder::MIN_WORDS,
    packed::distinct,
    scratch::{Budget, Scratch},
};
use crate::{
    answer::score::{Score, Store},
    board::Color,
};

/// Cells that are made wider at a time.
const PIECE: usize = 1 << 26;

/// A number for every word and lane, per side to move.
pub type BothSides<C> = [Scratch<C>; 2];

/// How a score is kept, given who is to move. Cells of the same side to move go up with their scores.
pub trait Cell<S: Store>: bytemuck::Pod + Ord + Send + Sync {
    /// No score, less than every other.
    const EMPTY: Self;

    /// Keeps a score; `None` if it does not fit.
    fn fit(side: Color, score: Score) -> Option<Self>;

    /// The score kept; meaningless for [`Cell::EMPTY`].
    fn score(self, side: Color) -> Score;

    /// The lanes of a row that hold `value`.
    #[inline]
    fn lanes_with(row: &[Self], value: Self) -> u64 {
        // Bytes first: comparing and narrowing many cells at once is what processors have.
        let mut found = [0; 64];
        found.iter_mut().zip(row).for_each(|(found, &cell)| *found = u8::from(cell == value));
        found.chunks_exact(8).rev().fold(0, |lanes, eight| {
            lanes << 8 | gathered(u64::from_le_bytes(eight.try_into().expect("eight bytes")))
        })
    }
}

impl<S: Store> Cell<S> for S {
    const EMPTY: S = S::NONE;

    #[inline]
    fn fit(_: Color, score: Score) -> Option<S> {
        Some(S::keep(score))
    }

    #[inline]
    fn score(self, _: Color) -> Score {
        Store::score(self)
    }
}

/// A score in one byte: 128 for a draw; above it White wins, in twice as many plies as there are to
/// 255, and one more if White is to move; below it Black wins, in twice as many as there are from 1.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Half(u8);

const DRAW: u8 = 128;

/// The score of a game that White has just won.
fn won<S: Store>() -> i32 {
    Score::new::<S>(1, Some(0), 0).seen_by(Color::White)
}

impl<S: Store> Cell<S> for Half {
    const EMPTY: Half = Half(0);

    #[inline]
    fn fit(side: Color, score: Score) -> Option<Half> {
        let seen = score.seen_by(Color::White);
        if seen == 0 {
            return Some(Half(DRAW));
        }
        let winner = if seen > 0 { Color::White } else { Color::Black };
        let plies = won::<S>() - seen.abs();
        let fits = (0..254).contains(&plies) && (plies % 2 == 1) == (winner == side);
        fits.then(|| match (winner, (plies / 2) as u8) {
            (Color::White, half) => Half(255 - half),
            (Color::Black, half) => Half(1 + half),
        })
    }

    #[inline]
    fn score(self, side: Color) -> Score {
        let plies = |winner, half: u8| won::<S>() - 2 * i32::from(half) - i32::from(winner == side);
        Score::from_seen(
            Color::White,
            match self.0 {
                DRAW => 0,
                above if above > DRAW => plies(Color::White, 255 - above),
                below => -plies(Color::Black, below - 1),
            },
        )
    }

    #[inline]
    fn lanes_with(row: &[Half], value: Half) -> u64 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let pattern = u64::from_ne_bytes([value.0; 8]);
        bytemuck::cast_slice::<Half, u8>(row).chunks_exact(8).rev().fold(0, |lanes, eight| {
            let differs = u64::from_le_bytes(eight.try_into().expect("eight bytes")) ^ pattern;
            // The top bit of each byte: whether the byte is zero.
            let equal = !(((differs & LOW) + LOW) | differs | LOW);
            lanes << 8 | gathered(equal >> 7)
        })
    }
}

/// The lowest bits of eight bytes, the first byte's lowest.
#[inline]
fn gathered(bits: u64) -> u64 {
    // The product has them all in its top byte.
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The cells of a slice, of one width or the other.
pub enum Rows<'a, S> {
    /// A byte each.
    Half(&'a mut BothSides<Half>),
    /// As many as a score takes.
    Whole(&'a mut BothSides<S>),
}

/// Does the same with the cells of either width.
macro_rules! with_rows {
    ($cells:expr, $rows:ident => $work:expr) => {
        match $cells {
            $crate::solve::engine::cells::Rows::Half($rows) => $work,
            $crate::solve::engine::cells::Rows::Whole($rows) => $work,
        }
    };
}
pub(super) use with_rows;

/// The cells of a slice that is being settled.
pub trait Ledger<S: Store> {
    /// Why a score cannot be made to fit.
    type Lack;

    /// The cells.
    fn rows(&mut self) -> Rows<'_, S>;

    /// Sees to it that they can hold a score with this side to move.
    ///
    /// # Errors
    /// If that takes more memory than there is.
    fn make_fit(&mut self, side: Color, score: Score) -> Result<(), Self::Lack>;
}

impl<S: Store> Ledger<S> for BothSides<S> {
    type Lack = Infallible;

    fn rows(&mut self) -> Rows<'_, S> {
        Rows::Whole(self)
    }

    fn make_fit(&mut self, _: Color, _: Score) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The cells of a slice, as narrow as their scores allow.
pub struct Cells<'a, S> {
    kept: Kept<S>,
    budget: &'a Budget,
}

enum Kept<S> {
    Half(BothSides<Half>),
    Whole(BothSides<S>),
}

impl<'a, S: Store> Cells<'a, S> {
    /// So many empty cells a side; `narrow` ones, or such as hold every score.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn empty(len: usize, narrow: bool, budget: &'a Budget) -> io::Result<Cells<'a, S>> {
        let kept = if narrow {
            let empty = <Half as Cell<S>>::EMPTY;
            Kept::Half([budget.array(len, empty)?, budget.array(len, empty)?])
        } else {
            Kept::Whole([budget.array(len, S::NONE)?, budget.array(len, S::NONE)?])
        };
        Ok(Cells { kept, budget })
    }

    /// Takes them out, and leaves none.
    pub fn take(&mut self) -> Cells<'a, S> {
        let none = Kept::Half(Default::default());
        Cells { kept: std::mem::replace(&mut self.kept, none), budget: self.budget }
    }

    /// Makes them hold every score.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn widen(&mut self) -> io::Result<()> {
        if let Kept::Half(narrow) = &mut self.kept {
            let [white, black] = std::mem::take(narrow);
            let wide = [self.widened(Color::White, white)?, self.widened(Color::Black, black)?];
            self.kept = Kept::Whole(wide);
        }
        Ok(())
    }

    /// The cells of a side as wide ones, which take their memory piece by piece.
    fn widened(&self, side: Color, mut narrow: Scratch<Half>) -> io::Result<Scratch<S>> {
        narrow.make_room();
        let mut wide = self.budget.array(narrow.len(), S::zeroed())?;
        for (piece, wide) in wide.chunks_mut(PIECE).enumerate() {
            let start = piece * PIECE;
            let cells = wide.par_iter_mut().zip(narrow[start..].par_iter());
            cells.with_min_len(64 * MIN_WORDS).for_each(|(wide, &narrow)| {
                *wide = whole(side, narrow);
            });
            narrow.give_back(start + wide.len());
        }
        Ok(wide)
    }

    /// Those of one side to move.
    pub fn side(&self, side: Color) -> OneSide<'_, S> {
        match &self.kept {
            Kept::Half(cells) => {
                let meanings = std::array::from_fn(|cell| whole(side, Half(cell as u8)));
                OneSide::Half { cells: &cells[side.index()], meanings: Box::new(meanings) }
            }
            Kept::Whole(cells) => OneSide::Whole(&cells[side.index()]),
        }
    }

    /// Forgets those of one side to move, whose memory is then free.
    pub fn forget(&mut self, side: Color) {
        match &mut self.kept {
            Kept::Half(cells) => cells[side.index()] = Scratch::default(),
            Kept::Whole(cells) => cells[side.index()] = Scratch::default(),
        }
    }
}

/// The score of a cell as it is kept where all fit.
#[inline]
fn whole<S: Store, C: Cell<S>>(side: Color, cell: C) -> S {
    if cell == C::EMPTY { S::NONE } else { S::keep(cell.score(side)) }
}

/// The cells of one side to move.
pub enum OneSide<'a, S> {
    /// A byte each, and the scores they stand for.
    Half {
        /// The cells.
        cells: &'a [Half],
        /// The score of each value.
        meanings: Box<[S; 256]>,
    },
    /// As many as a score takes.
    Whole(&'a [S]),
}

impl<S: Store> OneSide<'_, S> {
    /// The score at a place: 64 times its word, plus its lane.
    #[inline]
    pub fn get(&self, place: usize) -> S {
        match self {
            OneSide::Half { cells, meanings } => meanings[usize::from(cells[place].0)],
            OneSide::Whole(cells) => cells[place],
        }
    }

    /// Every score that occurs.
    pub fn distinct(&self) -> FxHashSet<S> {
        match self {
            OneSide::Half { cells, meanings } => {
                let met = |mut met: [bool; 256], cells: &[Half]| {
                    cells.iter().for_each(|cell| met[usize::from(cell.0)] = true);
                    met
                };
                let chunks = cells.par_chunks(64 * MIN_WORDS).fold(|| [false; 256], met);
                let met = chunks
                    .reduce(|| [false; 256], |a, b| std::array::from_fn(|cell| a[cell] || b[cell]));
                let met = meanings.iter().zip(met).filter(|&(_, met)| met);
                met.map(|(&score, _)| score).collect()
            }
            OneSide::Whole(cells) => {
                let chunks = cells.par_chunks(64 * MIN_WORDS).map(distinct);
                chunks.reduce(FxHashSet::default, |a, b| a.union(&b).copied().collect())
            }
        }
    }
}

impl<S: Store> Ledger<S> for Cells<'_, S> {
    type Lack = io::Error;

    fn rows(&mut self) -> Rows<'_, S> {
        match &mut self.kept {
            Kept::Half(cells) => Rows::Half(cells),
            Kept::Whole(cells) => Rows::Whole(cells),
        }
    }

    fn make_fit(&mut self, side: Color, score: Score) -> io::Result<()> {
        match <Half as Cell<S>>::fit(side, score) {
            Some(_) => Ok(()),
            None => self.widen(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(side: Color, score: Score) -> Option<Half> {
        <Half as Cell<i16>>::fit(side, score)
    }

    #[test]
    fn what_fits_a_byte_comes_back() {
        for side in Color::ALL {
            let mut met = Vec::new();
            for (value, plies) in (-1..=1).flat_map(|value| (0..300).map(move |n| (value, n))) {
                let distance = (value != 0).then_some(plies);
                let score = Score::new::<i16>(value, distance, 0);
                let odd = (value == 1) == (side == Color::White);
                let fits = value == 0 || plies < 254 && (plies % 2 == 1) == odd;
                assert_eq!(half(side, score).is_some(), fits, "{side:?} {value} {plies}");
                if let Some(cell) = half(side, score) {
                    assert_eq!(Cell::<i16>::score(cell, side), score);
                    assert!(cell > <Half as Cell<i16>>::EMPTY);
                    met.push((score, cell));
                }
            }
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), 255);
            assert!(met.is_sorted_by_key(|&(_, cell)| cell));
        }
    }

    #[test]
    fn cells_become_wider_where_a_score_does_not_fit() {
        let budget = Budget::new(1 << 20, "none");
        let mut cells = Cells::<i16>::empty(64, true, &budget).unwrap();
        let win = |plies| Score::new::<i16>(1, Some(plies), 0);
        with_rows!(cells.rows(), rows => {
            rows[0][5] = Cell::<i16>::fit(Color::White, win(253)).unwrap();
        });
        for (plies, narrow) in [(251, true), (252, false), (255, false)] {
            cells.make_fit(Color::White, win(plies)).unwrap();
            assert_eq!(matches!(cells.rows(), Rows::Half(_)), narrow);
            assert_eq!(cells.side(Color::White).get(5), i16::keep(win(253)));
            assert_eq!(cells.side(Color::White).get(6), i16::NONE);
        }
        let met = [i16::NONE, i16::keep(win(253))];
        assert_eq!(cells.side(Color::White).distinct(), met.into_iter().collect());
        cells.forget(Color::White);
        assert!(cells.side(Color::White).distinct().is_empty());
    }

    proptest::proptest! {
        #[test]
        fn lanes_are_found(row: [u8; 32], value: u8, shift in 0..8) {
            let row: Vec<u8> = row.iter().chain(&row).map(|b| b >> shift).collect();
            let value = value >> shift;
            let slowly = row.iter().rev().fold(0, |lanes, &c| lanes << 1 | u64::from(c == value));
            let bytes: Vec<Half> = row.iter().copied().map(Half).collect();
            proptest::prop_assert_eq!(<Half as Cell<i16>>::lanes_with(&bytes, Half(value)), slowly);
            let wide: Vec<i32> = row.iter().copied().map(i32::from).collect();
            proptest::prop_assert_eq!(i32::lanes_with(&wide, i32::from(value)), slowly);
        }
    }
}

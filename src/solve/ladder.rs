//! The solver for games in which play can go in circles.
//!
//! Values form a ladder, with the value of infinite play, u, somewhere on it. Both players walk
//! one line: White prefers a higher value; of equal values above u White prefers the nearer one,
//! Black the farther one, and below u the other way round. So a value and its distance make one
//! number, a [`Score`], that White maximises and Black minimises.
//!
//! Positions settle from the ends of the line towards u, one score at a time. On the upper half
//! White is the *hero*: a position with White to move settles as soon as one option has; one with
//! Black to move, the *villain*, when its last option has. What never settles is worth u. The
//! lower half is the same with the sides exchanged. A step works on 64 positions at once, and
//! only on words that read a word which changed in the step before.

use rayon::prelude::*;

use crate::board::{Bitboard, Color};

use super::{
    pass::Pass,
    scratch::Scratch,
    slice::{Slice, Stand},
};

/// How a position's score is kept: the line cut into stretches of [`Store::SPAN`], one a value.
pub trait Store: Copy + Ord + std::hash::Hash + Send + Sync + bytemuck::Pod {
    /// How far two neighbouring values are apart; distances stay below half of it.
    const SPAN: i32;
    /// "Nothing known", less than every score.
    const NONE: Self;
    /// Keeps a score.
    fn keep(score: Score) -> Self;
    /// The score kept; meaningless for [`Store::NONE`].
    fn score(self) -> Score;
}

/// Room for the values −5 to 5, and distances up to 2,948 plies.
impl Store for i16 {
    const SPAN: i32 = 5_900;
    const NONE: i16 = i16::MIN;

    #[inline]
    fn keep(score: Score) -> i16 {
        score.0 as i16
    }

    #[inline]
    fn score(self) -> Score {
        Score(self as i32)
    }
}

/// Room for values up to ±32,766, and distances up to 32,766 plies.
impl Store for i32 {
    const SPAN: i32 = 1 << 16;
    const NONE: i32 = i32::MIN;

    #[inline]
    fn keep(score: Score) -> i32 {
        score.0
    }

    #[inline]
    fn score(self) -> Score {
        Score(self)
    }
}

/// A value and its distance on the one line that White maximises and Black minimises.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

impl Score {
    /// The score of `value` in `distance` plies; of the value of infinite play without a distance.
    pub fn new<S: Store>(value: i32, distance: Option<u16>, infinite: i32) -> Score {
        let near = distance.map_or(0, |d| S::SPAN / 2 - 1 - i32::from(d));
        Score(value * S::SPAN + near * (value - infinite).signum())
    }

    /// The value.
    pub fn value<S: Store>(self) -> i32 {
        (self.0 + S::SPAN / 2).div_euclid(S::SPAN)
    }

    /// The distance in plies; `None` for the value of infinite play.
    pub fn distance<S: Store>(self) -> Option<u16> {
        let near = (self.0 - self.value::<S>() * S::SPAN).abs();
        (near != 0).then(|| (S::SPAN / 2 - 1 - near) as u16)
    }

    /// The score one ply farther away.
    pub fn later<S: Store>(self) -> Score {
        Score(self.0 - (self.0 - self.value::<S>() * S::SPAN).signum())
    }

    /// The one that `side` likes best; `None` of none.
    pub fn best(side: Color, scores: impl Iterator<Item = Score>) -> Option<Score> {
        if side == Color::White { scores.max() } else { scores.min() }
    }

    /// The same result with the sides exchanged.
    pub fn swap_colors(self) -> Score {
        Score(-self.0)
    }

    /// The score as `hero` counts: greater is better.
    #[inline]
    pub fn seen_by(self, hero: Color) -> i32 {
        if hero == Color::White { self.0 } else { -self.0 }
    }

    /// The score that `hero` counts so.
    #[inline]
    pub fn of(hero: Color, seen: i32) -> Score {
        Score(if hero == Color::White { seen } else { -seen })
    }
}

/// Whether `side` likes a score better than another, as both are kept.
#[inline]
pub fn better<S: Store>(side: Color, score: S, than: S) -> bool {
    if side == Color::White { score > than } else { score < than }
}

/// Keeps the better of what a cell has and another option of `side`.
#[inline]
pub fn offer<S: Store>(cell: &mut S, side: Color, option: S) {
    if *cell == S::NONE || better(side, option, *cell) {
        *cell = option;
    }
}

/// The turns that stay in a slice.
pub trait QuietTurns: Sync {
    /// The lanes of `stand`, among those `wanted`, in which `side` has a quiet turn to one of the
    /// positions in `set`, which gives the lanes of a word for the other side to move.
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64;

    /// Calls `tell` with every word, and lanes in it, from which a quiet turn of `side` leads to
    /// one of the `lanes` of this word, which has the other side to move. Lanes that are no legal
    /// positions may be among them.
    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        tell: impl FnMut(usize, u64),
    );
}

/// Moves of pieces, as in orthodox chess.
pub struct Moves;

impl QuietTurns for Moves {
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        slice.reach(stand, side, wanted, set)
    }

    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        tell: impl FnMut(usize, u64),
    ) {
        slice.unmove(stand, side, lanes, tell);
    }
}

/// The legal positions of a slice: per side to move a set of lanes a word.
pub type Sets = [Vec<u64>; 2];

/// Every legal position of a slice.
pub fn legal_positions(slice: &Slice) -> Sets {
    Color::ALL.map(|side| {
        (0..slice.words())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .map(|word| slice.stand(word).map_or(0, |stand| slice.legal(&stand, side).0))
            .collect()
    })
}

/// The least number of words worth a task of its own.
pub const MIN_WORDS: usize = 512;

/// Settles every legal position of a slice.
///
/// On entry `cells` hold, per side to move and per word and lane, the best score that the side to
/// move can reach by a turn which leaves the slice, the score of the position itself if the game
/// is over there, or [`Store::NONE`]. On return they hold the score of every legal position, and
/// [`Store::NONE`] elsewhere.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle<S: Store>(
    slice: &Slice,
    turns: &impl QuietTurns,
    legal: Sets,
    cells: &mut [Scratch<S>; 2],
    infinite: i32,
) {
    let draw = Score::new::<S>(infinite, None, infinite);
    let mut open = legal;
    settle_beyond(slice, turns, &mut open, cells, [draw; 2]);
    fill(&open, cells, S::keep(draw));
}

/// Settles the `open` positions worth more to White than the first score, or more to Black than the
/// second, which are then open no longer; like [`settle`], of which it is the first part.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle_beyond<S: Store>(
    slice: &Slice,
    turns: &impl QuietTurns,
    open: &mut Sets,
    cells: &mut [Scratch<S>; 2],
    floors: [Score; 2],
) {
    for hero in Color::ALL {
        let floor = floors[hero.index()].seen_by(hero);
        Pass::new(slice, turns, hero, floor, cells).run(open, cells);
    }
}

/// Gives every open position a score.
pub fn fill<S: Store>(open: &Sets, cells: &mut [Scratch<S>; 2], score: S) {
    for side in 0..2 {
        let rows = cells[side].par_chunks_mut(64).with_min_len(MIN_WORDS);
        rows.zip(&open[side]).for_each(|(row, &open)| {
            Bitboard(open).for_each(|lane| row[lane.number()] = score);
        });
    }
}

/// The entry of a side for writing, and the other one.
pub(in crate::solve) fn two<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

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

use super::{
    decided::Decided,
    ladder::{MIN_WORDS, QuietTurns, Sets},
    pass::{Pass, lanes_where},
    scratch::Scratch,
    slice::Slice,
};
use crate::{
    answer::score::{Score, Store},
    board::{Bitboard, Color},
};

/// Settles every legal position of a slice.
///
/// On entry `cells` hold, per side to move and per word and lane, the best score that the side to
/// move can reach by a turn which leaves the slice, the score of the position itself if the game
/// is over there, or [`Store::NONE`]. On return they hold the score of every legal position, and
/// [`Store::NONE`] elsewhere; and `decided`, if it is given, is narrowed down.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle<S: Store>(
    slice: &Slice,
    turns: &impl QuietTurns,
    legal: Sets,
    cells: &mut [Scratch<S>; 2],
    infinite: i32,
    decided: Option<&Decided>,
) {
    let draw = Score::new::<S>(infinite, None, infinite);
    let mut open = legal;
    settle_beyond(slice, turns, &mut open, cells, [draw; 2], decided);
    if let Some(decided) = decided {
        for side in Color::ALL {
            let rows = cells[side.index()].par_chunks(64).with_min_len(MIN_WORDS);
            rows.zip(&open[side.index()]).enumerate().for_each(|(word, (row, &open))| {
                let exits = lanes_where(row, |&cell| cell == S::keep(draw));
                decided.settle(side, word, open, exits);
            });
        }
    }
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
    decided: Option<&Decided>,
) {
    for hero in Color::ALL {
        let floor = floors[hero.index()].seen_by(hero);
        Pass::new(slice, turns, hero, floor, cells, decided).run(open, cells);
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

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
    cells::{BothSides, Cell, Ledger, with_rows},
    decided::Decided,
    ladder::{MIN_WORDS, QuietTurns, Sets},
    pass::Pass,
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
/// # Errors
/// If the cells must become wider and cannot.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle<S: Store, L: Ledger<S>>(
    slice: &Slice,
    turns: &impl QuietTurns,
    legal: Sets,
    cells: &mut L,
    infinite: i32,
    decided: Option<&Decided>,
) -> Result<(), L::Lack> {
    let draw = Score::new::<S>(infinite, None, infinite);
    let mut open = legal;
    settle_beyond(slice, turns, &mut open, cells, [draw; 2], decided)?;
    if let Some(decided) = decided {
        with_rows!(cells.rows(), rows => narrow_down::<S, _>(decided, &open, rows, draw));
    }
    fill(&open, cells, draw)
}

/// Positions that are still open get a score: those are decided that have a turn worth it out of the
/// slice.
fn narrow_down<S: Store, C: Cell<S>>(
    decided: &Decided,
    open: &Sets,
    cells: &BothSides<C>,
    score: Score,
) {
    for side in Color::ALL {
        let rows = cells[side.index()].par_chunks(64).with_min_len(MIN_WORDS);
        rows.zip(&open[side.index()]).enumerate().filter(|(_, (_, open))| **open != 0).for_each(
            |(word, (row, &open))| {
                let exits = C::fit(side, score).map_or(0, |cell| C::lanes_with(row, cell));
                decided.settle(side, word, open, exits);
            },
        );
    }
}

/// Settles the `open` positions worth more to White than the first score, or more to Black than the
/// second, which are then open no longer; like [`settle`], of which it is the first part.
///
/// # Errors
/// If the cells must become wider and cannot.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle_beyond<S: Store, L: Ledger<S>>(
    slice: &Slice,
    turns: &impl QuietTurns,
    open: &mut Sets,
    cells: &mut L,
    floors: [Score; 2],
    decided: Option<&Decided>,
) -> Result<(), L::Lack> {
    for hero in Color::ALL {
        let floor = floors[hero.index()];
        Color::ALL.into_iter().try_for_each(|side| cells.make_fit(side, floor))?;
        let pass = with_rows!(cells.rows(), rows => {
            Pass::<S, _>::new(slice, turns, (hero, floor), rows, decided)
        });
        pass.run(open, cells)?;
    }
    Ok(())
}

/// Gives every open position a score.
///
/// # Errors
/// If the cells must become wider and cannot.
pub fn fill<S: Store, L: Ledger<S>>(
    open: &Sets,
    cells: &mut L,
    score: Score,
) -> Result<(), L::Lack> {
    for side in Color::ALL.into_iter().filter(|&side| open[side.index()].iter().any(|&l| l != 0)) {
        cells.make_fit(side, score)?;
        with_rows!(cells.rows(), rows => fill_side::<S, _>(side, &open[side.index()], rows, score));
    }
    Ok(())
}

fn fill_side<S: Store, C: Cell<S>>(
    side: Color,
    open: &[u64],
    cells: &mut BothSides<C>,
    score: Score,
) {
    let cell = C::fit(side, score).expect("it has been made to fit");
    let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS);
    rows.zip(open).for_each(|(row, &open)| {
        Bitboard(open).for_each(|lane| row[lane.number()] = cell);
    });
}

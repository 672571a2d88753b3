//! Values as the mover counts them in the countdown: a byte a lane, more is better, 0 is none.

use crate::{
    answer::{score::Store, tiebraker::stage::Cell},
    board::Color,
    parallel::{self, chunks},
    solve::engine::{
        lanes::{Bytes, by_lane},
        slice::MIN_WORDS,
    },
};

/// The last stage of the countdown, of which `cells` have the other player to move, as the `owner`
/// of the disk counts, who looks ahead to it.
pub fn first(cells: &[Cell], owner: Color) -> Vec<Bytes> {
    parallel::map(chunks(cells, 64), MIN_WORDS, |_, row| {
        Bytes(by_lane(|lane| match row[lane] {
            Cell::NONE => 0,
            cell => {
                let score = cell.score();
                let over = score.distance::<Cell>() == Some(0);
                counted(last_ply(score.value::<Cell>(), over), owner)
            }
        }))
    })
}

/// The value of a position after the last ply of the countdown, from that in the last stage, and
/// whether the game is over: one it ends by mate pays all.
pub fn last_ply(value: i32, over: bool) -> i32 {
    if over && is_by_mate(value) { value.signum() * 5 } else { value }
}

/// Whether a value of the last stage comes about by mate.
pub fn is_by_mate(value: i32) -> bool {
    value.abs() == 4
}

/// A value as `side` counts in the countdown: 1 to 11, more is better.
pub fn counted(value: i32, side: Color) -> u8 {
    let seen = if side == Color::White { value } else { -value };
    (seen + 6) as u8
}

/// The inverse of [`counted`].
pub fn uncounted(byte: u8, side: Color) -> i32 {
    let seen = i32::from(byte) - 6;
    if side == Color::White { seen } else { -seen }
}

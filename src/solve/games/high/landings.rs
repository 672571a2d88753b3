//! What vital turns are worth, in tables without distances: they restore vitality, so little of the
//! staircase they lead to matters.

use super::ahead::{Ahead, Landings};
use crate::{
    board::Color,
    rules::{High, Revitalise},
};

/// What of a staircase matters to a vital turn that leads to it: T(V), and the least vW with
/// T(vW) = V, or V + 1 if there is none.
pub(super) type StairLanding = [u8; 2];

/// What of this staircase matters.
pub(super) fn landing(staircase: &[u8]) -> StairLanding {
    let full = staircase.len() as u8;
    let full_from = (1..).zip(staircase).find(|&(_, &step)| step == full);
    let top = *staircase.last().expect("at least one step");
    [top, full_from.map_or(full + 1, |(white, _)| white)]
}

/// Everything the slices of a material look into, in tables without distances.
pub(super) type StaircaseContext<'a> = Ahead<'a, Staircases<'a>>;

/// Landings of staircases.
pub(super) struct Staircases<'a>(pub &'a High);

impl Staircases<'_> {
    /// What a vital turn of `side` that lands there is worth, as [`SliceLayers::vital`] keeps it.
    pub(super) fn worth(&self, side: Color, [top, full_from]: StairLanding) -> u8 {
        let full = self.0.vitality.points();
        match (self.0.revitalise, side) {
            (Revitalise::Mover, Color::White) => top,
            (Revitalise::Mover, Color::Black) => full_from,
            // With both restored, White wins everywhere or nowhere.
            (Revitalise::Both, Color::White) => {
                if top == full {
                    full
                } else {
                    0
                }
            }
            (Revitalise::Both, Color::Black) => {
                if top == full {
                    1
                } else {
                    full + 1
                }
            }
        }
    }
}

impl Landings for Staircases<'_> {
    type Landing = StairLanding;

    fn best(&self, to_move: Color, after: impl Iterator<Item = StairLanding>) -> StairLanding {
        let full = self.0.vitality.points();
        let worth = after.map(|landing| self.worth(to_move, landing)).max();
        match (to_move, worth) {
            (Color::White, worth) => match worth.unwrap_or(0) {
                top if top == full => [full, 1],
                top => [top, full + 1],
            },
            (Color::Black, Some(from)) if from > full => [0, from],
            (Color::Black, from) => [full, from.unwrap_or(1)],
        }
    }
}

//! The answer for a position from those after each turn, in plain code: it judges what solvers
//! compute.

use super::{
    answer::HighAnswer,
    distance::{Distances, Signed, result_worth, worth},
    staircase::Staircase,
};
use crate::{
    board::Color,
    rules::{Game, High, HighPosition, HighTurn, Laws, Revitalise},
};

/// What a turn does to vitalities.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Effect {
    /// It mates, and changes nothing.
    Mates,
    /// It restores one vitality or both.
    Vital,
    /// It costs its mover a point.
    Costs,
    /// It costs nothing.
    Free,
}

impl Effect {
    fn of(game: &High, position: &HighPosition, turn: HighTurn) -> Effect {
        let next = game.play(position, turn).setup;
        if next.is_checkmate(&Laws::ORTHODOX) {
            Effect::Mates
        } else if High::is_vital(position, turn) {
            Effect::Vital
        } else if High::high(&next.board) != position.setup.to_move {
            Effect::Costs
        } else {
            Effect::Free
        }
    }
}

/// The staircase of a position from those after each turn, by the recurrence of the rules.
pub(super) fn staircase(
    game: &High,
    position: &HighPosition,
    options: &[(HighTurn, HighAnswer)],
) -> Staircase {
    let full = game.vitality.points();
    let mover = position.setup.to_move;
    let all_or_none = |all: bool| if all { full } else { 0 };
    let mut best: Option<Vec<u8>> = None;
    for (turn, after) in options {
        let t = |white: u8| after.staircase.at(white);
        let effect = Effect::of(game, position, *turn);
        let step = |white: u8| match (effect, game.revitalise, mover) {
            (Effect::Mates, ..) => all_or_none(mover == Color::White),
            (Effect::Vital, Revitalise::Mover, Color::White) => t(full),
            (Effect::Vital, Revitalise::Mover, Color::Black) => all_or_none(t(white) == full),
            (Effect::Vital, Revitalise::Both, _) => all_or_none(t(full) == full),
            (Effect::Costs, _, Color::White) if white == 1 => 0,
            (Effect::Costs, _, Color::White) => t(white - 1),
            (Effect::Costs, _, Color::Black) => full.min(t(white) + 1),
            (Effect::Free, ..) => t(white),
        };
        let steps = (1..=full).map(step);
        best = Some(match best {
            None => steps.collect(),
            Some(best) if mover == Color::White => {
                best.into_iter().zip(steps).map(|(a, b)| a.max(b)).collect()
            }
            Some(best) => best.into_iter().zip(steps).map(|(a, b)| a.min(b)).collect(),
        });
    }
    // Without a turn the mover is mated.
    let mated = || vec![all_or_none(mover == Color::Black); usize::from(full)];
    Staircase::new(best.unwrap_or_else(mated))
}

/// The distances of a position from those after each turn, if all are known.
pub(super) fn distances(
    game: &High,
    position: &HighPosition,
    options: &[(HighTurn, HighAnswer)],
) -> Option<Distances> {
    let full = game.vitality.points();
    let v = usize::from(full);
    let mover = position.setup.to_move;
    // The result of having won or lost.
    let over = |winner: Color| if winner == Color::White { 1 } else { -1 };
    let mut best: Vec<i16> = Vec::with_capacity(v * v);
    let mut option: Vec<Signed> = Vec::with_capacity(v * v);
    for (turn, after) in options {
        let after = after.distances.as_ref()?;
        option.clear();
        match (Effect::of(game, position, *turn), game.revitalise, mover) {
            (Effect::Mates, ..) => option.resize(v * v, over(mover)),
            (Effect::Vital, Revitalise::Mover, Color::White) => {
                (0..v).for_each(|_| option.extend(after.row(full)));
            }
            (Effect::Vital, Revitalise::Mover, Color::Black) => {
                for white in 1..=full {
                    option.extend(std::iter::repeat_n(after.row(white)[v - 1], v));
                }
            }
            (Effect::Vital, Revitalise::Both, _) => option.resize(v * v, after.row(full)[v - 1]),
            (Effect::Costs, _, Color::White) => {
                // The last point is spent.
                option.resize(v, over(Color::Black));
                (1..full).for_each(|white| option.extend(after.row(white)));
            }
            (Effect::Costs, _, Color::Black) => {
                for white in 1..=full {
                    option.push(over(Color::White));
                    option.extend(&after.row(white)[..v - 1]);
                }
            }
            (Effect::Free, ..) => (1..=full).for_each(|white| option.extend(after.row(white))),
        }
        // A turn takes a ply.
        let worths = option.iter().map(|result| worth(result + result.signum(), mover));
        if best.is_empty() {
            best.extend(worths);
        } else {
            best.iter_mut().zip(worths).for_each(|(best, worth)| *best = worth.max(*best));
        }
    }
    if best.is_empty() {
        return Some(Distances::mated(mover, full));
    }
    let results: Vec<Signed> = best.into_iter().map(|best| result_worth(best, mover)).collect();
    Some(Distances::derived(results, full))
}

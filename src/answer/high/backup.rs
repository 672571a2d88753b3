//! The answer for a position from those after each turn, in plain code: it judges what solvers
//! compute.

use super::{
    answer::HighAnswer,
    distance::{Distances, Signed, before, better},
    staircase::Staircase,
};
use crate::{
    board::Color,
    rules::{High, HighPosition, HighTurn, Laws, Revitalise},
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
    fn of(position: &HighPosition, turn: HighTurn) -> Effect {
        let setup = &position.setup;
        let next = match turn {
            HighTurn::Pass => setup.pass(),
            HighTurn::Move(mv) => setup.play(mv),
        };
        if next.is_checkmate(&Laws::ORTHODOX) {
            Effect::Mates
        } else if High::is_vital(position, turn) {
            Effect::Vital
        } else if High::high(&next.board) != setup.to_move {
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
        let effect = Effect::of(position, *turn);
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

/// The best for `mover` at every pair of vitalities, in V rows of V results.
struct Best {
    mover: Color,
    rows: Vec<Signed>,
    v: usize,
}

impl Best {
    /// Everywhere the worst there is: to have lost.
    fn lost(mover: Color, full: u8) -> Best {
        let v = usize::from(full);
        Best { mover, rows: vec![won(!mover); v * v], v }
    }

    /// The results at each vitality of White, from 1 on, of which each is for one of Black.
    fn rows(&mut self) -> impl Iterator<Item = (u8, &mut [Signed])> {
        (1..).zip(self.rows.chunks_exact_mut(self.v))
    }

    /// Another option: at each vitality of White so many results, for Black's from 1 on.
    fn join<'r>(&mut self, option: impl Fn(u8) -> &'r [Signed]) {
        let mover = self.mover;
        self.rows().for_each(|(white, best)| join(best, option(white), mover));
    }

    /// Another option: at each vitality of White one result, whatever Black's is.
    fn join_each(&mut self, option: impl Fn(u8) -> Signed) {
        let mover = self.mover;
        for (white, best) in self.rows() {
            let result = option(white);
            best.iter_mut().for_each(|best| *best = better(*best, result, mover));
        }
    }
}

/// The better of each two results for `mover`.
fn join(best: &mut [Signed], option: &[Signed], mover: Color) {
    best.iter_mut().zip(option).for_each(|(best, &result)| *best = better(*best, result, mover));
}

/// The result of having won.
fn won(winner: Color) -> Signed {
    if winner == Color::White { 1 } else { -1 }
}

/// The distances of a position from those after each turn, if all are known.
pub(super) fn distances(
    game: &High,
    position: &HighPosition,
    options: &[(HighTurn, HighAnswer)],
) -> Option<Distances> {
    let full = game.vitality.points();
    let mover = position.setup.to_move;
    if options.is_empty() {
        return Some(Distances::mated(mover, full));
    }
    // Of the results after turns. What is the best of them is so a ply before, too.
    let mut best = Best::lost(mover, full);
    let last = usize::from(full) - 1;
    for (turn, after) in options {
        let after = after.distances.as_ref()?;
        match (Effect::of(position, *turn), game.revitalise, mover) {
            (Effect::Mates, ..) => best.join_each(|_| won(mover)),
            (Effect::Vital, Revitalise::Mover, Color::White) => best.join(|_| after.row(full)),
            (Effect::Vital, Revitalise::Mover, Color::Black) => {
                best.join_each(|white| after.row(white)[last]);
            }
            (Effect::Vital, Revitalise::Both, _) => best.join_each(|_| after.row(full)[last]),
            // Who spends the last point has lost; nothing found so far is worse.
            (Effect::Costs, _, Color::White) => {
                best.rows().skip(1).for_each(|(white, best)| {
                    join(best, after.row(white - 1), mover);
                });
            }
            (Effect::Costs, _, Color::Black) => {
                best.rows().for_each(|(white, best)| {
                    join(&mut best[1..], after.row(white), mover);
                });
            }
            (Effect::Free, ..) => best.join(|white| after.row(white)),
        }
    }
    best.rows.iter_mut().for_each(|result| *result = before(*result));
    Some(Distances::derived(best.rows, full))
}

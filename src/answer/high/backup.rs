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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::{Distance, Plies, Wdl, WinDrawLoss},
        board::ByColor,
        rules::{Ending, Game, Vitality},
    };

    /// Answers of every kind that could be after a turn, the more different the better.
    fn any_answer(seed: usize, full: u8) -> HighAnswer {
        let v = usize::from(full);
        let result = |place| match (place * 7919 + seed * 104_729) % 601 {
            300 => -1,
            number => number as Signed - 300,
        };
        let distances = Distances::derived((0..v * v).map(result).collect::<Vec<_>>(), full);
        let mate = WinDrawLoss { wdl: Wdl::Draw, dtm: None };
        HighAnswer { staircase: distances.staircase(), distances: Some(distances), mate }
    }

    /// What the rules make of a position with these vitalities, turn by turn.
    fn played(
        game: &High,
        position: &HighPosition,
        options: &[(HighTurn, HighAnswer)],
    ) -> Option<Distance> {
        let results = options.iter().map(|(turn, answer)| {
            let next = game.play(position, *turn);
            let after = match game.ending(&next) {
                Some(ending) => {
                    let winner = ending.winner().expect("nothing is drawn");
                    Distance { winner, plies: Plies::ZERO }
                }
                None => answer.distances.as_ref().expect("they are known").at(next.vitality),
            };
            Distance { plies: after.plies.later(), ..after }
        });
        results.max_by_key(|result| result.worth(position.setup.to_move))
    }

    #[test]
    fn distances_are_what_the_rules_make_of_each_pair_of_vitalities() {
        let fens = [
            "8/8/8/3k4/8/8/1R6/K7 w - - 0 1",
            "8/8/8/3k4/8/8/1R6/K7 b - - 0 1",
            "k7/8/1K6/8/8/8/8/7R w - - 0 1",
            "8/8/8/8/8/1k6/7r/K7 b - - 0 1",
            "8/8/8/8/8/1q2K3/2k5/8 w - - 0 1",
            "8/P7/8/8/8/2k1r3/8/3K4 w - - 0 1",
            "8/8/8/8/Pp6/2k1p3/8/3K4 b - a3 0 1",
            "3k4/8/8/Pp6/8/8/8/4K3 w - b6 0 1",
            "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",
        ];
        for (vitality, revitalise) in [1, 2, 5, 50]
            .into_iter()
            .flat_map(|full| [Revitalise::Mover, Revitalise::Both].map(|whose| (full, whose)))
        {
            let game = High { vitality: Vitality::new(vitality).unwrap(), revitalise };
            for fen in fens {
                let mut position = game.parse_fen(fen).unwrap();
                let turns = game.turns(&position).into_iter().enumerate();
                let options: Vec<_> =
                    turns.map(|(seed, turn)| (turn, any_answer(seed, vitality))).collect();
                let found = distances(&game, &position, &options).unwrap();
                for (white, black) in
                    (1..=vitality).flat_map(|white| (1..=vitality).map(move |black| (white, black)))
                {
                    position.vitality = ByColor { white, black };
                    let winner = !position.setup.to_move;
                    let mated = Distance { winner, plies: Plies::ZERO };
                    let expected = played(&game, &position, &options).unwrap_or(mated);
                    assert_eq!(found.at(position.vitality), expected, "{}", game.fen(&position));
                }
            }
        }
    }
}

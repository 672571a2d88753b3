//! Whether perpetual checks are what a table says: what looking one turn ahead cannot tell.
//!
//! A table that passes the look one turn ahead is right wherever a distance counts down. Left are
//! the positions worth 45, 50 and 51 points in the normal game and after acceptance. There the
//! hero, who would give perpetual check, and the villain are told apart, and two things shown:
//!
//! - *The hero keeps it up* where the points are those of the hero's perpetual check. The stored
//!   number of quiet moves never grows and each quiet move of the hero lowers it, so the hero
//!   makes finitely many. What could still fail is that the villain answers check with check for
//!   ever: the hero must be able to force a quiet answer.
//! - *The hero cannot begin one* where the points are even: if the hero only ever checks within
//!   these positions, the villain can always force a quiet move of the hero, or leave.
//!
//! Both are small games on the checks and the answers to them, played out here with the rules and
//! the finished tables.

use bitvec::prelude::*;
use rustc_hash::FxHashMap;

use super::{Corrections, Judged};
use crate::{
    answer::{
        TiebrakerAnswer, TiebrakerReader,
        place::board_of,
        tiebraker::{
            converts, position_of,
            stage::{Stage, crowned, points_of, value_of},
        },
    },
    board::{Color, Square},
    index::{Index, MAX_MEN},
    parallel::{self, joined},
    probe::{ProbeError, Tablebase},
    rules::{Game, Laws, Tiebraker, TiebrakerPosition},
};

impl Judged for Tiebraker {
    fn endless_mismatches(
        tables: &Tablebase<Tiebraker>,
        reader: &TiebrakerReader,
    ) -> Result<Corrections<Tiebraker>, ProbeError> {
        mismatches(reader.index(), &|position| tables.answer(position))
    }
}

/// A position in a stage: side to move, number, and the file of a pawn that may be taken in
/// passing.
type Key = u64;

/// Where an answer to a check leads.
#[derive(Copy, Clone, Debug)]
struct Answer {
    to: Key,
    checks: bool,
}

/// Positions of the hero, the checks among them, and the answers of the villain.
#[derive(Default)]
struct Checks {
    heroes: Vec<Hero>,
    /// For each position after a check, the answers that stay within the game; without an entry
    /// the villain gets away from it.
    answers: FxHashMap<Key, Vec<Answer>>,
}

/// A position with the hero to move.
struct Hero {
    key: Key,
    /// Where checks lead.
    checks: Vec<Key>,
    /// Whether a turn that is no check of this game is as good for the hero.
    safe: bool,
}

/// The answers that need a perpetual check to be what it is not, with the answers that would be
/// right.
///
/// # Errors
/// What `known` fails with.
fn mismatches<E: Send>(
    index: &Index,
    known: &(impl Fn(&TiebrakerPosition) -> Result<TiebrakerAnswer, E> + Sync),
) -> Result<Corrections<Tiebraker>, E> {
    let mut wrong = Vec::new();
    for stage in Stage::all().filter(|stage| stage.has_perpetual()) {
        for hero in Color::ALL.into_iter().filter(|&hero| stage.rewards_perpetual(hero)) {
            let sign = if hero == Color::White { 1 } else { -1 };
            let game = Look { index, stage, hero, known };
            // Where the hero should keep it up, and cannot.
            let kept = game.collect(sign)?;
            let held = kept.forced(true);
            let heroes = held.iter_zeros().map(|place| &kept.heroes[place]);
            wrong.extend(game.positions(heroes, 0));
            // Where it should be impossible, and is not.
            let even = game.collect(0)?;
            let held = even.forced(false);
            let heroes = held.iter_ones().map(|place| &even.heroes[place]);
            wrong.extend(game.positions(heroes, sign));
        }
    }
    Ok(wrong)
}

/// The game between hero and villain in one stage.
struct Look<'a, K> {
    index: &'a Index,
    stage: Stage,
    hero: Color,
    known: &'a K,
}

impl<E: Send, K: Fn(&TiebrakerPosition) -> Result<TiebrakerAnswer, E> + Sync> Look<'_, K> {
    /// The checks of the hero in positions of some value, and the answers to them.
    fn collect(&self, value: i32) -> Result<Checks, E> {
        let heroes = parallel::try_map(0..self.index.len(), 1, |_, number| {
            let Some(position) = position_of(self.index, self.stage, self.hero, number) else {
                return Ok(Vec::new());
            };
            let variants = position.setup.passing_variants(&Laws::ORTHODOX).into_iter().filter_map(
                |mut setup| {
                    setup.drop_idle_en_passant(&Laws::ORTHODOX);
                    setup.en_passant?;
                    Some(TiebrakerPosition { setup, mode: position.mode })
                },
            );
            let mut found: Vec<Hero> = Vec::new();
            for position in std::iter::once(position.clone()).chain(variants) {
                found.extend(self.hero(&position, value)?);
            }
            Ok(found)
        })?;
        let heroes = joined(heroes);
        let mut after: Vec<Key> = heroes.iter().flat_map(|hero| hero.checks.clone()).collect();
        after.sort_unstable();
        after.dedup();
        let answers = parallel::try_map(after, 1, |_, key| {
            Ok(self.answers(key, value)?.map(|answers| (key, answers)))
        })?;
        Ok(Checks { heroes, answers: answers.into_iter().flatten().collect() })
    }

    fn hero(&self, position: &TiebrakerPosition, value: i32) -> Result<Option<Hero>, E> {
        let own = (self.known)(position)?;
        if value_of(own.points) != value {
            return Ok(None);
        }
        let turns = Tiebraker.turns(position);
        if turns.is_empty() {
            return Ok(None);
        }
        let mut hero = Hero { key: self.key(position), checks: Vec::new(), safe: false };
        for turn in turns {
            let after = Tiebraker.play(position, turn);
            let checks = after.setup.in_check(after.setup.to_move);
            if value == 0 && (!checks || converts(position, turn)) {
                continue;
            }
            let answer = (self.known)(&after)?;
            // A quiet move may be made as long as the table has some left; one of results alone
            // does not tell, and leaves it at the points.
            let quiet = answer.quiet.unwrap_or(0) + u16::from(!checks);
            let too_many = value != 0 && own.quiet.is_some_and(|left| quiet > left);
            if answer.points != own.points || too_many {
                continue;
            }
            if !checks || converts(position, turn) {
                hero.safe = true;
            } else {
                hero.checks.push(self.key(&after));
            }
        }
        Ok((value != 0 || !hero.checks.is_empty()).then_some(hero))
    }

    /// The answers to a check that stay within the game; `None` if the villain can leave it for
    /// something that suits the hero less.
    fn answers(&self, key: Key, value: i32) -> Result<Option<Vec<Answer>>, E> {
        let Some(position) = self.position(key) else { return Ok(None) };
        let mut answers = Vec::new();
        for turn in Tiebraker.turns(&position) {
            let after = Tiebraker.play(&position, turn);
            let found = value_of((self.known)(&after)?.points);
            let seen = if self.hero == Color::White { found } else { -found };
            let leaves = converts(&position, turn);
            if seen > value.abs() || seen == 1 && leaves {
                continue;
            }
            if seen < value.abs() || leaves {
                return Ok(None);
            }
            let checks = after.setup.in_check(after.setup.to_move);
            answers.push(Answer { to: self.key(&after), checks });
        }
        Ok(Some(answers))
    }

    fn positions<'h>(
        &self,
        heroes: impl Iterator<Item = &'h Hero>,
        value: i32,
    ) -> Corrections<Tiebraker> {
        let points = points_of(value).expect("a place on the ladder");
        let quiet = (value != 0).then_some(0);
        let answer = TiebrakerAnswer { points, distance: None, quiet };
        heroes.filter_map(|hero| Some((self.position(hero.key)?, answer))).collect()
    }

    fn key(&self, position: &TiebrakerPosition) -> Key {
        let setup = &position.setup;
        let mut squares = [Square::new(0); MAX_MEN];
        let crowned = crowned(&setup.board);
        let mut board = crowned;
        for (square, man) in squares.iter_mut().zip(self.index.men()) {
            *square = board.men(man.color, man.role).first().expect("the men of the table");
            board.remove(*square);
        }
        let number = self.index.encode(&squares).expect("Kings apart");
        // A position and its mirror image share a number; the file has to follow.
        let file = setup.en_passant.map_or(8, |square| {
            let shown = self.index.decode(number);
            let kept = shown
                .is_some_and(|shown| board_of(crowned.size(), self.index.men(), &shown) == crowned);
            if kept { square.file() } else { 7 - square.file() }
        });
        (number * 9 + u64::from(file)) * 2 + setup.to_move.index() as u64
    }

    fn position(&self, key: Key) -> Option<TiebrakerPosition> {
        let side = Color::ALL[(key % 2) as usize];
        let file = (key / 2 % 9) as u8;
        let mut position = position_of(self.index, self.stage, side, key / 18)?;
        if file < 8 {
            position.setup.en_passant = Some(Square::at(file, side.rank(5)));
        }
        Some(position)
    }
}

impl Checks {
    /// The hero's positions, by their places, from which the hero can keep checking, so that the
    /// villain makes quiet moves again and again. With `once`, a single quiet move of the villain
    /// is enough.
    fn forced(&self, once: bool) -> BitVec {
        let places: FxHashMap<Key, usize> =
            self.heroes.iter().enumerate().map(|(place, hero)| (hero.key, place)).collect();
        let among = |set: &BitVec, key: &Key| places.get(key).is_some_and(|&place| set[place]);
        let mut alive = bitvec![1; self.heroes.len()];
        loop {
            // The villain can be made to move quietly to a position still alive.
            let mut sure = bitvec![0; self.heroes.len()];
            loop {
                let good = |answer: &Answer| match (answer.checks, once) {
                    (true, _) => among(&sure, &answer.to),
                    (false, true) => true,
                    (false, false) => among(&alive, &answer.to),
                };
                let holds = |key: &Key| {
                    self.answers.get(key).is_some_and(|answers| answers.iter().all(good))
                };
                let open: Vec<usize> = (alive.clone() & !sure.clone()).iter_ones().collect();
                let is_sure = |place: &usize| {
                    let hero = &self.heroes[*place];
                    hero.safe || hero.checks.iter().any(holds)
                };
                let more = joined(parallel::gather(open, 1, &|_, open: Vec<usize>| {
                    open.into_iter().filter(is_sure).collect()
                }));
                if more.is_empty() {
                    break;
                }
                more.into_iter().for_each(|place| sure.set(place, true));
            }
            if once || sure == alive {
                return sure;
            }
            alive = sure;
        }
    }
}

#[cfg(test)]
mod tests;

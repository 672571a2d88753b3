//! Infinite play in which checks count: where can a player keep up a perpetual check?
//!
//! The *hero* wins an infinite play if from some point on every move of theirs gives check, while
//! the other player, the *villain*, makes quiet moves again and again. They also win by a turn out
//! of the arena to a position that is a perpetual check of theirs. This is a parity game with
//! three priorities: a quiet move of the hero (3, bad) outweighs a quiet move of the villain
//! (2, good), and that a check by either (1, bad). So the positions the hero wins are
//!
//! > μX. νY. μZ. (the mover is the hero, and *some* turn checks into Z, is quiet into X, or is a
//! > good exit) or (the mover is the villain, and *all* turns check into Z, are quiet into Y, or
//! > are good exits)
//!
//! The number of rounds of μX until a position is in is its *level*: how many quiet moves the hero
//! still needs, at most, before only checks follow. Both players can play for it, so levels are
//! minimax values like distances. `docs/perpetual.md` gives the reasons.

use std::collections::BTreeMap;

use crate::board::Color;
use crate::parallel;
use crate::solve::engine::slice::{MIN_WORDS, Sets};

/// Positions of both sides to move, 64 a word, and the turns between them.
pub trait Arena: Sync {
    /// How many words there are for each side to move.
    fn words(&self) -> usize;

    /// The lanes of a word, among those `wanted`, in which `side` has a turn to a position in
    /// `set`.
    fn reach(
        &self,
        word: usize,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64;
}

/// What is asked about an arena.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Who wants to give perpetual check.
    pub hero: Color,
    /// The positions that are not decided otherwise. Turns of the hero to other positions are
    /// never good, and turns of the villain to them never bad.
    pub open: &'a Sets,
    /// The positions whose mover is in check.
    pub checked: &'a Sets,
    /// Exits of the hero to their own perpetual checks, by the level they have for the hero.
    pub wins: ExitsByLevel,
    /// Villain positions with an exit that never suits the hero.
    pub blocked: Vec<u64>,
    /// Villain positions whose exits all lead to perpetual checks of the hero, by the greatest
    /// level among those.
    pub delays: ExitsByLevel,
}

/// Lanes of words, by level.
pub type ExitsByLevel = BTreeMap<u16, Vec<(usize, u64)>>;

/// Finds the positions the hero wins: tells `won` each level with the positions that have it, per
/// side to move.
pub fn solve(arena: &impl Arena, question: Question<'_>, mut won: impl FnMut(u16, &Sets)) {
    let words = arena.words();
    let mut all: Sets = [vec![0; words], vec![0; words]];
    let mut round = LevelRound { arena, question, exits: vec![0; words], delayed: vec![0; words] };
    let delays: Vec<_> = round.question.delays.values().flatten().copied().collect();
    for (word, lanes) in delays {
        round.delayed[word] |= lanes;
    }
    let mut level = 0;
    loop {
        round.open_exits(level);
        let next = round.won_from(&all);
        let new: Sets = [0, 1]
            .map(|side| next[side].iter().zip(&all[side]).map(|(next, old)| next & !old).collect());
        let grew = new.iter().flatten().any(|&lanes| lanes != 0);
        if grew {
            won(level, &new);
        }
        all = next;
        // Without anything new, only an exit of a higher level can make a difference.
        level = match round.next_exit(level) {
            _ if grew => level + 1,
            Some(next) => next,
            None => return,
        };
    }
}

struct LevelRound<'a, A> {
    arena: &'a A,
    question: Question<'a>,
    /// Hero positions with a good exit of a level reached.
    exits: Vec<u64>,
    /// Villain positions with an exit of a level not reached.
    delayed: Vec<u64>,
}

impl<A: Arena> LevelRound<'_, A> {
    fn open_exits(&mut self, level: u16) {
        for (word, lanes) in self.question.wins.get(&level).into_iter().flatten() {
            self.exits[*word] |= lanes;
        }
        for (word, lanes) in self.question.delays.get(&level).into_iter().flatten() {
            self.delayed[*word] &= !lanes;
        }
    }

    fn next_exit(&self, level: u16) -> Option<u16> {
        let after = |exits: &ExitsByLevel| exits.range(level + 1..).next().map(|(&level, _)| level);
        [&self.question.wins, &self.question.delays].into_iter().filter_map(after).min()
    }

    /// The positions won if those in `won` count as won after a quiet move: νY. μZ.
    fn won_from(&self, won: &Sets) -> Sets {
        let (hero, villain) = (self.question.hero, !self.question.hero);
        let checked = |side: Color| self.question.checked[side.index()].as_slice();
        let open = |side: Color| self.question.open[side.index()].as_slice();
        let quiet = |word: usize| won[villain.index()][word] & !checked(villain)[word];
        let sure = self.each(open(hero), |word, lanes| {
            lanes & self.exits[word] | self.arena.reach(word, hero, lanes, &quiet)
        });
        // Where the hero wins, and the checks to which every answer is won; from above.
        let mut heroes = open(hero).to_vec();
        let mut checks: Vec<u64> = open(villain)
            .iter()
            .zip(checked(villain))
            .map(|(open, checked)| open & checked)
            .collect();
        loop {
            let mut next = won[hero.index()].clone();
            let lost_checks = loop {
                // An answer that checks must be won already; a quiet one may lead round again.
                let bad = |word: usize| {
                    let counter = checked(hero)[word];
                    open(hero)[word] & !(heroes[word] & !counter | next[word] & counter)
                };
                let kept = self.each(&checks, |word, lanes| self.all_good(word, lanes, &bad));
                let reached = self.each(&heroes, |word, lanes| {
                    let check = |word: usize| kept[word];
                    lanes & sure[word] | self.arena.reach(word, hero, lanes, &check)
                });
                let more = next.iter().zip(&reached).zip(checked(hero));
                let countered = more.into_iter().any(|((old, new), check)| new & !old & check != 0);
                next = reached;
                if !countered {
                    break kept;
                }
            };
            let stable = next == heroes;
            (heroes, checks) = (next, lost_checks);
            if stable {
                break;
            }
        }
        let bad = |word: usize| open(hero)[word] & !heroes[word];
        let villains = self.each(open(villain), |word, lanes| self.all_good(word, lanes, &bad));
        match hero {
            Color::White => [heroes, villains],
            Color::Black => [villains, heroes],
        }
    }

    /// The lanes in which the villain has no turn to a bad position and no bad exit.
    fn all_good(&self, word: usize, lanes: u64, bad: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        let lanes = lanes & !self.question.blocked[word] & !self.delayed[word];
        if lanes == 0 {
            0
        } else {
            lanes & !self.arena.reach(word, !self.question.hero, lanes, bad)
        }
    }

    /// Looks at every word with a lane in `lanes`.
    fn each(&self, lanes: &[u64], look: impl Fn(usize, u64) -> u64 + Sync) -> Vec<u64> {
        parallel::map(
            lanes,
            MIN_WORDS,
            |word, &lanes| {
                if lanes == 0 { 0 } else { look(word, lanes) }
            },
        )
    }
}

#[cfg(test)]
mod tests;

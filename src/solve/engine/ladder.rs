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

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    answer::score::{Score, Store},
    board::{Bitboard, Color},
};

use super::{
    scratch::Scratch,
    slice::{Slice, Stand},
};

/// The turns that stay in a slice.
pub trait QuietTurns: Sync {
    /// The lanes of `stand` in which `side` has a quiet turn to one of the positions in `set`.
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64;

    /// Tells every word whose [`reach`](QuietTurns::reach) for `side` reads this one.
    fn readers(&self, slice: &Slice, stand: &Stand, side: Color, tell: impl FnMut(usize)) {
        slice.readers(stand, side, tell);
    }
}

/// PieceMoves of pieces, as in orthodox chess.
pub struct PieceMoves;

impl QuietTurns for PieceMoves {
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        slice.quiet(stand, side, set)
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
    legal: &Sets,
    cells: &mut [Scratch<S>; 2],
    infinite: i32,
) {
    let draw = Score::new::<S>(infinite, None, infinite);
    let decided = settle_beyond(slice, turns, legal, cells, [draw; 2]);
    fill(legal, &decided, cells, S::keep(draw));
}

/// Settles the positions worth more to White than the first score, or more to Black than the
/// second, and returns them; like [`settle`], of which it is the first part.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`].
pub fn settle_beyond<S: Store>(
    slice: &Slice,
    turns: &impl QuietTurns,
    legal: &Sets,
    cells: &mut [Scratch<S>; 2],
    floors: [Score; 2],
) -> Sets {
    let mut decided: Sets = [vec![0; slice.words()], vec![0; slice.words()]];
    for hero in Color::ALL {
        let floor = floors[hero.index()].seen_by(hero);
        let settled = Pass::new(slice, turns, legal, floor, hero, cells).run(cells);
        for side in 0..2 {
            decided[side].iter_mut().zip(&settled[side]).for_each(|(all, new)| *all |= new);
        }
    }
    decided
}

/// Gives every legal position that is not decided a score, and none to what is no position.
pub fn fill<S: Store>(legal: &Sets, decided: &Sets, cells: &mut [Scratch<S>; 2], score: S) {
    for side in 0..2 {
        cells[side].par_chunks_mut(64).with_min_len(MIN_WORDS).enumerate().for_each(
            |(word, row)| {
                let (legal, decided) = (Bitboard(legal[side][word]), Bitboard(decided[side][word]));
                for lane in legal & !decided {
                    row[lane.number()] = score;
                }
                for lane in !legal {
                    row[lane.number()] = S::NONE;
                }
            },
        );
    }
}

/// One half of the ladder.
struct Pass<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    legal: &'a Sets,
    hero: Color,
    /// Only scores better for the hero settle.
    floor: i32,
    settled: Sets,
    /// Villain positions with an option out of the slice that has not settled.
    blocked: Vec<u64>,
    /// Per side and word, the best score seen by the hero among the options that leave the slice
    /// and have not had their turn.
    due: [Vec<i32>; 2],
    /// Per side, the words to look at in this step.
    touched: [Vec<AtomicBool>; 2],
    /// Per side, the words to look at in the next step.
    touched_next: [Vec<AtomicBool>; 2],
    /// Villain positions that settled in the last step.
    fresh: Vec<u64>,
}

impl<'a, T: QuietTurns> Pass<'a, T> {
    fn new<S: Store>(
        slice: &'a Slice,
        turns: &'a T,
        legal: &'a Sets,
        floor: i32,
        hero: Color,
        cells: &[Scratch<S>; 2],
    ) -> Self {
        let words = slice.words();
        let due = Color::ALL.map(|side| {
            cells[side.index()]
                .par_chunks(64)
                .with_min_len(MIN_WORDS)
                .map(|row| next_due(row, hero, floor, i32::MAX))
                .collect()
        });
        let villain = (!hero).index();
        let blocked = cells[villain]
            .par_chunks(64)
            .with_min_len(MIN_WORDS)
            .map(|row| lanes_where(row, |&cell| cell != S::NONE))
            .collect();
        let flags = || (0..words).map(|_| AtomicBool::new(false)).collect();
        Pass {
            slice,
            turns,
            legal,
            hero,
            floor,
            settled: [vec![0; words], vec![0; words]],
            blocked,
            due,
            touched: [flags(), flags()],
            touched_next: [flags(), flags()],
            fresh: vec![0; words],
        }
    }

    fn run<S: Store>(mut self, cells: &mut [Scratch<S>; 2]) -> Sets {
        let mut last: Option<Score> = None;
        let hero = self.hero;
        let score_of = |seen: i32| Score::from_seen(hero, seen);
        loop {
            let later = last.map(Score::later::<S>);
            let now = later.map_or_else(|| self.next_due(), |score| score.seen_by(hero));
            if now <= self.floor {
                return self.settled;
            }
            let score = score_of(now);
            assert!(last != Some(score), "distances fit the ladder");
            let fresh = self.settle_villain(score, now, &mut cells[(!self.hero).index()]);
            let heroes = self.settle_hero(score, now, &mut cells[self.hero.index()]);
            let active = heroes || fresh.iter().any(|&lanes| lanes != 0);
            last = active.then_some(score);
            self.fresh = fresh;
            std::mem::swap(&mut self.touched, &mut self.touched_next);
        }
    }

    /// The next score at which a turn out of the slice matters.
    fn next_due(&self) -> i32 {
        self.due
            .iter()
            .map(|due| due.par_iter().with_min_len(8 * MIN_WORDS).copied().max().unwrap_or(NEVER))
            .max()
            .expect("two sides")
    }

    /// Settles the villain positions whose last option settled in the step before, and returns
    /// them.
    fn settle_villain<S: Store>(
        &mut self,
        score: Score,
        now: i32,
        cells: &mut Scratch<S>,
    ) -> Vec<u64> {
        let (hero, villain) = (self.hero.index(), (!self.hero).index());
        let (slice, turns, floor) = (self.slice, self.turns, self.floor);
        let (legal, hero_color) = (self.legal, self.hero);
        let [settled, open] = two(&mut self.settled, villain);
        let open = &*open;
        let (touched, touched_next) = (&self.touched, &self.touched_next);
        let mut fresh = vec![0; slice.words()];
        (
            cells.par_chunks_mut(64),
            settled.par_iter_mut(),
            self.blocked.par_iter_mut(),
            self.due[villain].par_iter_mut(),
            fresh.par_iter_mut(),
        )
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .enumerate()
            .for_each(|(word, (row, settled, blocked, due, fresh))| {
                let was_touched = touched[villain][word].load(Relaxed);
                if *due != now && !was_touched {
                    return;
                }
                touched[villain][word].store(false, Relaxed);
                if *due == now {
                    *blocked &= !lanes_where(row, |&cell| cell == S::keep(score));
                    *due = next_due(row, hero_color, floor, now);
                }
                let candidates = legal[villain][word] & !*settled & !*blocked;
                if candidates == 0 {
                    return;
                }
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                let unsettled = |w: usize| legal[hero][w] & !open[w];
                let new = candidates & !turns.reach(slice, &stand, !hero_color, &unsettled);
                if new != 0 {
                    *fresh = new;
                    *settled |= new;
                    Bitboard(new).for_each(|lane| row[lane.number()] = S::keep(score));
                    turns.readers(slice, &stand, hero_color, |w| {
                        touched_next[hero][w].store(true, Relaxed)
                    });
                }
            });
        fresh
    }

    /// Settles the hero positions with an option that settled in the step before; tells whether
    /// there were any.
    fn settle_hero<S: Store>(&mut self, score: Score, now: i32, cells: &mut Scratch<S>) -> bool {
        let (hero, villain) = (self.hero.index(), (!self.hero).index());
        let (slice, turns, floor) = (self.slice, self.turns, self.floor);
        let (legal, hero_color) = (self.legal, self.hero);
        let (touched, touched_next) = (&self.touched, &self.touched_next);
        let fresh = &self.fresh;
        (cells.par_chunks_mut(64), self.settled[hero].par_iter_mut(), self.due[hero].par_iter_mut())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .enumerate()
            .map(|(word, (row, settled, due))| {
                let was_touched = touched[hero][word].load(Relaxed);
                if *due != now && !was_touched {
                    return false;
                }
                let mut new = 0;
                if *due == now {
                    new = lanes_where(row, |&cell| cell == S::keep(score));
                    *due = next_due(row, hero_color, floor, now);
                }
                let Some(stand) = slice.stand(word) else { return false };
                if was_touched {
                    touched[hero][word].store(false, Relaxed);
                    new |= turns.reach(slice, &stand, hero_color, &|w: usize| fresh[w]);
                }
                new &= legal[hero][word] & !*settled;
                if new != 0 {
                    *settled |= new;
                    Bitboard(new).for_each(|lane| row[lane.number()] = S::keep(score));
                    turns.readers(slice, &stand, !hero_color, |w| {
                        touched_next[villain][w].store(true, Relaxed)
                    });
                }
                new != 0
            })
            .reduce(|| false, |a, b| a | b)
    }
}

/// Less than any score, as either player counts.
const NEVER: i32 = -i32::MAX;

/// The best score below `now`, as the hero counts, that leaves the slice from this row.
fn next_due<S: Store>(row: &[S], hero: Color, floor: i32, now: i32) -> i32 {
    row.iter()
        .filter(|&&cell| cell != S::NONE)
        .map(|cell| cell.score().seen_by(hero))
        .filter(|&score| score < now && score > floor)
        .max()
        .unwrap_or(NEVER)
}

/// The lanes whose cell passes a test.
#[inline]
fn lanes_where<S>(row: &[S], test: impl Fn(&S) -> bool) -> u64 {
    row.iter().rev().fold(0, |lanes, cell| lanes << 1 | u64::from(test(cell)))
}

/// The entry of a side for writing, and the other one.
pub(in crate::solve) fn two<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

//! Settles one half of the ladder, from its end towards the value of infinite play.
//!
//! What settles in a step tells exactly the positions that have a turn to it: one option is enough
//! for the hero, and a villain so told looks whether it has an option left, stopping at the first.
//! Words lie in blocks, and a step passes by the blocks in which nobody has been told anything.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    decided::Decided,
    ladder::{self, QuietTurns, Sets},
    scratch::Scratch,
    slice::Slice,
};
use crate::{
    answer::score::{Score, Store},
    board::{Bitboard, Color, Square},
};

/// Words a block.
const BLOCK: usize = 64;

/// The least number of blocks worth a task of its own.
const MIN_BLOCKS: usize = 8;

/// Less than any score, as either player counts.
const NEVER: i32 = -i32::MAX;

/// One half of the ladder.
pub struct Pass<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Only scores better for the hero settle.
    floor: i32,
    /// Per side, when a turn out of the slice matters.
    due: [Due; 2],
    /// Positions with a turn to one that settled in the last step.
    reached: [Reached; 2],
    /// Where those of this step are noted that the side must not see before the next one.
    reached_next: Reached,
    decided: Option<&'a Decided>,
}

/// The best score, seen by the hero, among the options that leave the slice and have not had their
/// turn.
struct Due {
    words: Vec<i32>,
    blocks: Vec<i32>,
}

impl Due {
    fn new<S: Store>(cells: &[S], hero: Color, floor: i32) -> Due {
        let rows = cells.par_chunks(64).with_min_len(BLOCK * MIN_BLOCKS);
        let words: Vec<i32> = rows.map(|row| next_due(row, hero, floor, i32::MAX)).collect();
        let blocks = words.chunks(BLOCK).map(soonest).collect();
        Due { words, blocks }
    }

    fn next(&self) -> i32 {
        soonest(&self.blocks)
    }
}

fn soonest(due: &[i32]) -> i32 {
    due.iter().copied().max().unwrap_or(NEVER)
}

/// A set of positions that any thread may add to.
struct Reached {
    words: Vec<AtomicU64>,
    /// The blocks that have any.
    blocks: Vec<AtomicBool>,
}

impl Reached {
    fn empty(words: usize) -> Reached {
        Reached {
            words: (0..words).map(|_| AtomicU64::new(0)).collect(),
            blocks: (0..words.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    #[inline]
    fn add(&self, word: usize, lanes: u64) {
        // To look first is much cheaper than to write what is there already.
        if lanes & !self.words[word].load(Relaxed) != 0 {
            self.words[word].fetch_or(lanes, Relaxed);
            let block = &self.blocks[word / BLOCK];
            if !block.load(Relaxed) {
                block.store(true, Relaxed);
            }
        }
    }
}

/// Takes away what a variable had, which no other thread uses at the moment.
#[inline]
fn take(lanes: &AtomicU64) -> u64 {
    let taken = lanes.load(Relaxed);
    if taken != 0 {
        lanes.store(0, Relaxed);
    }
    taken
}

impl<'a, T: QuietTurns> Pass<'a, T> {
    /// The half of the ladder in which `hero` does better than `floor`. What turns that are left out
    /// decide is noted in `decided`, if somebody wants to know.
    pub fn new<S: Store>(
        slice: &'a Slice,
        turns: &'a T,
        hero: Color,
        floor: i32,
        cells: &[Scratch<S>; 2],
        decided: Option<&'a Decided>,
    ) -> Self {
        let reached = || Reached::empty(slice.words());
        Pass {
            slice,
            turns,
            hero,
            floor,
            due: [0, 1].map(|side| Due::new(&cells[side], hero, floor)),
            reached: [reached(), reached()],
            reached_next: reached(),
            decided,
        }
    }

    /// Settles what does better than the floor; `open` positions have not settled.
    ///
    /// # Panics
    /// If a distance exceeds half of [`Store::SPAN`].
    pub fn run<S: Store>(mut self, open: &mut Sets, cells: &mut [Scratch<S>; 2]) {
        let mut last: Option<Score> = None;
        let hero = self.hero;
        loop {
            let now = match last {
                Some(score) => score.later::<S>().seen_by(hero),
                None => self.due.iter().map(Due::next).max().expect("two sides"),
            };
            if now <= self.floor {
                return;
            }
            let score = Score::from_seen(hero, now);
            assert!(last != Some(score), "distances fit the ladder");
            // The villain first: what the hero settles now is one ply too late for it.
            let villains = self.step(!hero, score, open, cells);
            let heroes = self.step(hero, score, open, cells);
            last = (villains || heroes).then_some(score);
            std::mem::swap(&mut self.reached[hero.index()], &mut self.reached_next);
        }
    }

    /// Settles the positions with `side` to move that are worth `score`; tells whether there were
    /// any.
    fn step<S: Store>(
        &mut self,
        side: Color,
        score: Score,
        open: &mut Sets,
        cells: &mut [Scratch<S>; 2],
    ) -> bool {
        let &mut Pass { slice, turns, hero, floor, decided, .. } = self;
        let Pass { reached, reached_next, due, .. } = self;
        let (me, now) = (side.index(), score.seen_by(hero));
        let [open, others] = ladder::two(open, me);
        let others = &*others;
        let mine = &reached[me];
        let told = if side == hero { &reached[(!side).index()] } else { reached_next };
        let Due { words: due_words, blocks: due_blocks } = &mut due[me];
        (
            cells[me].par_chunks_mut(64 * BLOCK),
            open.par_chunks_mut(BLOCK),
            due_words.par_chunks_mut(BLOCK),
            due_blocks.par_iter_mut(),
        )
            .into_par_iter()
            .with_min_len(MIN_BLOCKS)
            .enumerate()
            .map(|(block, (rows, open, due, block_due))| {
                let was_told = mine.blocks[block].load(Relaxed);
                let is_due = *block_due == now;
                if !was_told && !is_due {
                    return false;
                }
                mine.blocks[block].store(false, Relaxed);
                let mut settled = false;
                for (n, ((row, open), due)) in
                    rows.chunks_mut(64).zip(open).zip(&mut *due).enumerate()
                {
                    let word = block * BLOCK + n;
                    let mut lanes = if was_told { take(&mine.words[word]) } else { 0 };
                    let mut exits = 0;
                    if is_due && *due == now {
                        *due = next_due(row, hero, floor, now);
                        exits = *open & lanes_where(row, |&cell| cell == S::keep(score));
                        // They have had their turn.
                        Bitboard(exits).for_each(|lane| row[lane.number()] = S::NONE);
                        lanes |= exits;
                    }
                    lanes &= *open;
                    if lanes == 0 {
                        continue;
                    }
                    let stand = slice.stand(word).expect("legal lanes stand somewhere");
                    if side != hero {
                        let waits = |lane: &Square| row[lane.number()] != S::NONE;
                        lanes &= !Bitboard(lanes).filter(waits).collect::<Bitboard>().0;
                        lanes &= !turns.reach(slice, &stand, side, lanes, &|w| others[w]);
                    }
                    if lanes != 0 {
                        settled = true;
                        *open &= !lanes;
                        Bitboard(lanes).for_each(|lane| row[lane.number()] = S::keep(score));
                        if let Some(decided) = decided {
                            decided.settle(side, word, lanes, exits);
                        }
                        turns.unmove(slice, &stand, !side, lanes, |word, lanes| {
                            told.add(word, lanes & others[word]);
                        });
                    }
                }
                if is_due {
                    *block_due = soonest(due);
                }
                settled
            })
            .reduce(|| false, |a, b| a | b)
    }
}

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
pub fn lanes_where<S>(row: &[S], test: impl Fn(&S) -> bool) -> u64 {
    row.iter().rev().fold(0, |lanes, cell| lanes << 1 | u64::from(test(cell)))
}

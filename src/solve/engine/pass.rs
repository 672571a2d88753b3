//! Settles one half of the ladder, from its end towards the value of infinite play.
//!
//! What settles in a step tells exactly the positions that have a turn to it: one option is enough
//! for the hero, and a villain so told looks whether it has an option left, stopping at the first.
//! Words lie in blocks, and a step passes by the blocks in which nobody has been told anything.
//!
//! Words of the same class of leading men are settled by the same thread, so most of what they tell
//! stays with it, which is much cheaper than to tell the words of other threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    cells::{BothSides, Cell, Ledger, with_rows},
    decided::Decided,
    ladder::{self, QuietTurns, Sets},
    slice::Slice,
};
use crate::{
    answer::score::{Score, Store, better, offer},
    board::{Bitboard, Color},
};

/// Words a block.
const BLOCK: usize = 64;

/// The least number of words worth a task of its own.
const MIN_WORDS: usize = 8 * BLOCK;

/// One half of the ladder.
pub struct Pass<'a, S, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Only scores better for the hero settle.
    floor: Score,
    /// Per side, when a turn out of the slice matters.
    due: [Due<S>; 2],
    /// Positions with a turn to one that settled in the last step.
    told: [Told; 2],
    /// Where those of this step are noted that the hero must not see before the next one.
    told_next: Option<Told>,
    /// Words that a thread settles one after the other: some classes of the leading men.
    together: usize,
    decided: Option<&'a Decided>,
}

/// The best score, for the hero, among the options that leave the slice and have not had their turn.
struct Due<S> {
    words: Vec<S>,
    blocks: Vec<S>,
    /// The lanes of each word that have such an option, whatever it is worth: kept for rows that are
    /// longer than what a processor reads at once, none for others.
    lanes: Vec<u64>,
}

impl<S: Store> Due<S> {
    fn new<C: Cell<S>>(side: Color, cells: &[C], hero: Color, floor: Score) -> Due<S> {
        let rows = cells.par_chunks(64).with_min_len(MIN_WORDS);
        let words: Vec<S> = rows.map(|row| next_due(row, side, hero, floor, None)).collect();
        let blocks = words.chunks(BLOCK).map(|words| soonest(hero, words)).collect();
        let rows = cells.par_chunks(64).with_min_len(MIN_WORDS);
        let lanes = rows.map(|row| !C::lanes_with(row, C::EMPTY));
        let lanes = if size_of::<C>() > 1 { lanes.collect() } else { Vec::new() };
        Due { words, blocks, lanes }
    }
}

/// The best of some scores for the hero.
fn soonest<S: Store>(hero: Color, due: &[S]) -> S {
    let mut best = S::NONE;
    due.iter().filter(|&&due| due != S::NONE).for_each(|&due| offer(&mut best, hero, due));
    best
}

/// Positions that have been told something.
struct Told {
    /// By words that the same thread settles.
    near: Vec<u64>,
    /// By any others.
    far: Vec<AtomicU64>,
    /// The blocks that have any.
    blocks: Vec<AtomicBool>,
}

impl Told {
    fn empty(words: usize) -> Told {
        Told {
            near: vec![0; words],
            far: (0..words).map(|_| AtomicU64::new(0)).collect(),
            blocks: (0..words.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect(),
        }
    }
}

/// Notes that a block has been told something.
#[inline]
fn wake(block: &AtomicBool) {
    if !block.load(Relaxed) {
        block.store(true, Relaxed);
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

impl<'a, S: Store, T: QuietTurns> Pass<'a, S, T> {
    /// The half of the ladder in which the hero does better than the floor. What turns that are left
    /// out decide is noted in `decided`, if somebody wants to know.
    pub fn new<C: Cell<S>>(
        slice: &'a Slice,
        turns: &'a T,
        (hero, floor): (Color, Score),
        cells: &BothSides<C>,
        decided: Option<&'a Decided>,
    ) -> Self {
        let told = || Told::empty(slice.words());
        // Classes have one word or a multiple of 64, so they come in blocks or are made of blocks.
        let together = slice.words_a_class().max(MIN_WORDS);
        Pass {
            slice,
            turns,
            hero,
            floor,
            due: Color::ALL.map(|side| Due::new(side, &cells[side.index()], hero, floor)),
            told: [told(), told()],
            told_next: None,
            together,
            decided,
        }
    }

    /// Settles what does better than the floor; `open` positions have not settled.
    ///
    /// # Errors
    /// If the cells must become wider and cannot.
    ///
    /// # Panics
    /// If a distance exceeds half of [`Store::SPAN`].
    pub fn run<L: Ledger<S>>(mut self, open: &mut Sets, cells: &mut L) -> Result<(), L::Lack> {
        let mut last: Option<Score> = None;
        let (hero, floor) = (self.hero, self.floor.seen_by(self.hero));
        loop {
            let score = match last {
                Some(score) => score.later::<S>(),
                None => {
                    match soonest(hero, &self.due.each_ref().map(|due| soonest(hero, &due.blocks)))
                    {
                        due if due == S::NONE => return Ok(()),
                        due => due.score(),
                    }
                }
            };
            if score.seen_by(hero) <= floor {
                return Ok(());
            }
            assert!(last != Some(score), "distances fit the ladder");
            // The villain first: what the hero settles now is one ply too late for it.
            let work = [!hero, hero].map(|side| self.has_work(side, score));
            if work == [true; 2] && self.told_next.is_none() {
                self.told_next = Some(Told::empty(self.slice.words()));
            }
            let mut settled = false;
            for (side, _) in [!hero, hero].into_iter().zip(work).filter(|&(_, work)| work) {
                cells.make_fit(side, score)?;
                settled |= with_rows!(cells.rows(), rows => self.step(side, score, open, rows));
            }
            last = settled.then_some(score);
            if let Some(next) = &mut self.told_next {
                std::mem::swap(&mut self.told[hero.index()], next);
            }
        }
    }

    /// Whether a position with `side` to move may be worth `score`.
    fn has_work(&self, side: Color, score: Score) -> bool {
        let told = &self.told[side.index()].blocks;
        told.iter().any(|told| told.load(Relaxed))
            || self.due[side.index()].blocks.contains(&S::keep(score))
    }

    /// Settles the positions with `side` to move that are worth `score`; tells whether there were
    /// any.
    fn step<C: Cell<S>>(
        &mut self,
        side: Color,
        score: Score,
        open: &mut Sets,
        cells: &mut BothSides<C>,
    ) -> bool {
        let &mut Pass { slice, turns, hero, floor, decided, together, .. } = self;
        let Pass { told, told_next, due, .. } = self;
        let me = side.index();
        let [open, others] = ladder::two(open, me);
        let [mine, told] = ladder::two(told, me);
        let told = if side == hero { told } else { told_next.as_mut().unwrap_or(told) };
        let cell = C::fit(side, score).expect("it has been made to fit");
        let step = Step {
            slice,
            turns,
            hero,
            floor,
            side,
            now: S::keep(score),
            cell,
            others,
            mine: (&mine.far, &mine.blocks),
            told: (&told.far, &told.blocks),
            decided,
        };
        let Due { words: due_words, blocks: due_blocks, lanes: due_lanes } = &mut due[me];
        let mut due_lanes = due_lanes.chunks_mut(together);
        let tasks = slice.words().div_ceil(together);
        let due_lanes: Vec<_> = (0..tasks).map(|_| due_lanes.next().unwrap_or_default()).collect();
        (
            cells[me].par_chunks_mut(64 * together),
            open.par_chunks_mut(together),
            due_words.par_chunks_mut(together),
            due_blocks.par_chunks_mut(together / BLOCK),
            due_lanes,
            mine.near.par_chunks_mut(together),
            told.near.par_chunks_mut(together),
        )
            .into_par_iter()
            .enumerate()
            .map(|(task, (cells, open, due_words, due_blocks, due_lanes, near, told))| {
                let first = task * together;
                step.settle(&mut Words {
                    first,
                    cells,
                    open,
                    due_words,
                    due_blocks,
                    due_lanes,
                    near,
                    told,
                })
            })
            .reduce(|| false, |a, b| a | b)
    }
}

/// What threads share in one step.
struct Step<'a, S, T, C> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    floor: Score,
    /// Who is to move.
    side: Color,
    /// The score that settles, as options have it and as cells do.
    now: S,
    cell: C,
    /// The open positions with the other side to move.
    others: &'a [u64],
    /// What this side has been told by other threads, and the blocks that have been told anything.
    mine: (&'a [AtomicU64], &'a [AtomicBool]),
    /// The same of the other side, for the next step.
    told: (&'a [AtomicU64], &'a [AtomicBool]),
    decided: Option<&'a Decided>,
}

/// The words that a thread settles one after the other.
struct Words<'a, S, C> {
    /// The first of them.
    first: usize,
    cells: &'a mut [C],
    open: &'a mut [u64],
    due_words: &'a mut [S],
    due_blocks: &'a mut [S],
    /// Nothing if that is not kept.
    due_lanes: &'a mut [u64],
    /// What they have been told by each other.
    near: &'a mut [u64],
    /// What they tell each other.
    told: &'a mut [u64],
}

impl<S: Store, T: QuietTurns, C: Cell<S>> Step<'_, S, T, C> {
    /// Settles some words; tells whether there were any to settle.
    fn settle(&self, words: &mut Words<'_, S, C>) -> bool {
        let mut settled = false;
        for block in 0..words.due_blocks.len() {
            let flag = &self.mine.1[words.first / BLOCK + block];
            let was_told = flag.load(Relaxed);
            let is_due = words.due_blocks[block] == self.now;
            if !was_told && !is_due {
                continue;
            }
            flag.store(false, Relaxed);
            let range = block * BLOCK..words.open.len().min((block + 1) * BLOCK);
            for at in range.clone() {
                settled |= self.settle_word(words, at, was_told);
            }
            if is_due {
                words.due_blocks[block] = soonest(self.hero, &words.due_words[range]);
            }
        }
        settled
    }

    /// Settles one word.
    #[inline]
    fn settle_word(&self, words: &mut Words<'_, S, C>, at: usize, was_told: bool) -> bool {
        let &Step { slice, turns, hero, side, cell, others, .. } = self;
        let (word, row) = (words.first + at, &mut words.cells[at * 64..(at + 1) * 64]);
        let (open, due) = (&mut words.open[at], &mut words.due_words[at]);
        let mut lanes = 0;
        if was_told {
            lanes = std::mem::take(&mut words.near[at]) | take(&self.mine.0[word]);
        }
        let mut exits = 0;
        if *due == self.now {
            *due = next_due(row, side, hero, self.floor, Some(cell));
            exits = *open & C::lanes_with(row, cell);
            // They have had their turn.
            words.due_lanes.get_mut(at).into_iter().for_each(|due| *due &= !exits);
            Bitboard(exits).for_each(|lane| row[lane.number()] = C::EMPTY);
            lanes |= exits;
        }
        lanes &= *open;
        if lanes == 0 {
            return false;
        }
        let stand = slice.stand(word).expect("legal lanes stand somewhere");
        if side != hero {
            lanes &= match words.due_lanes.get(at) {
                Some(due) => !due,
                None => C::lanes_with(row, C::EMPTY),
            };
            if lanes == 0 {
                return false;
            }
            lanes &= !turns.reach(slice, &stand, side, lanes, &|word| others[word]);
            if lanes == 0 {
                return false;
            }
        }
        *open &= !lanes;
        Bitboard(lanes).for_each(|lane| row[lane.number()] = cell);
        if let Some(decided) = self.decided {
            decided.settle(side, word, lanes, exits);
        }
        let (far, blocks) = self.told;
        turns.unmove(slice, &stand, !side, lanes, |word, lanes| {
            let lanes = lanes & others[word];
            if lanes == 0 {
                return;
            }
            if let Some(near) = words.told.get_mut(word.wrapping_sub(words.first)) {
                *near |= lanes;
                wake(&blocks[word / BLOCK]);
            } else if lanes & !far[word].load(Relaxed) != 0 {
                // To look first is much cheaper than to write what is there already.
                far[word].fetch_or(lanes, Relaxed);
                wake(&blocks[word / BLOCK]);
            }
        });
        true
    }
}

/// The score that leaves the slice from this row and is the best for the hero, above the floor and, if
/// it is given, below `now`.
fn next_due<S: Store, C: Cell<S>>(
    row: &[C],
    side: Color,
    hero: Color,
    floor: Score,
    now: Option<C>,
) -> S {
    let floor = C::fit(side, floor).expect("it has been made to fit");
    let row = row.iter().copied();
    let best = match (hero, now) {
        (Color::White, None) => row.max(),
        (Color::White, Some(now)) => row.map(|cell| if cell < now { cell } else { floor }).max(),
        (Color::Black, now) => {
            let now = now.unwrap_or(C::EMPTY);
            row.map(|cell| if cell > now { cell } else { floor }).min()
        }
    };
    let best = best.expect("64 lanes");
    if best != C::EMPTY && better(hero, best, floor) { S::keep(best.score(side)) } else { S::NONE }
}

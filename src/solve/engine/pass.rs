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
    decided::Decided,
    ladder::{self, QuietTurns, Sets},
    ledger::{Ledger, Stretch},
    slice::Slice,
};
use crate::{answer::score::Score, board::Color};

/// Words a block.
pub const BLOCK: usize = 64;

/// One half of the ladder.
pub struct Pass<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Only scores better for the hero settle.
    floor: Score,
    /// Positions with a turn to one that settled in the last step.
    told: [Told; 2],
    /// Where those of this step are noted that the hero must not see before the next one.
    told_next: Option<Told>,
    decided: Option<&'a Decided>,
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

impl<'a, T: QuietTurns> Pass<'a, T> {
    /// The half of the ladder in which the hero does better than the floor. What turns that are left
    /// out decide is noted in `decided`, if somebody wants to know.
    pub fn new(
        slice: &'a Slice,
        turns: &'a T,
        (hero, floor): (Color, Score),
        decided: Option<&'a Decided>,
    ) -> Self {
        let told = || Told::empty(slice.words());
        Pass { slice, turns, hero, floor, told: [told(), told()], told_next: None, decided }
    }

    /// Settles what does better than the floor; `open` positions have not settled.
    ///
    /// # Errors
    /// If the ledger lacks something.
    ///
    /// # Panics
    /// If a distance exceeds half of [`Store::SPAN`](crate::answer::score::Store::SPAN).
    pub fn run<L: Ledger>(mut self, open: &mut Sets, ledger: &mut L) -> Result<(), L::Lack> {
        let mut last: Option<Score> = None;
        let (hero, floor) = (self.hero, self.floor.seen_by(self.hero));
        ledger.begin(hero, self.floor);
        loop {
            let score = match last.map(Score::later::<L::Store>).or_else(|| ledger.soonest()) {
                Some(score) if score.seen_by(hero) > floor => score,
                _ => return Ok(()),
            };
            assert!(last != Some(score), "distances fit the ladder");
            // The villain first: what the hero settles now is one ply too late for it.
            let work = [!hero, hero].map(|side| self.has_work(side, score, ledger));
            if work == [true; 2] && self.told_next.is_none() {
                self.told_next = Some(Told::empty(self.slice.words()));
            }
            let mut settled = false;
            for (side, _) in [!hero, hero].into_iter().zip(work).filter(|&(_, work)| work) {
                settled |= self.step(side, ledger.stretches(side, score), open)?;
            }
            last = settled.then_some(score);
            if let Some(next) = &mut self.told_next {
                std::mem::swap(&mut self.told[hero.index()], next);
            }
        }
    }

    /// Whether a position with `side` to move may be worth `score`.
    fn has_work(&self, side: Color, score: Score, ledger: &impl Ledger) -> bool {
        let told = &self.told[side.index()].blocks;
        told.iter().any(|told| told.load(Relaxed)) || ledger.is_due(side, score)
    }

    /// Settles positions with `side` to move; tells whether there were any.
    fn step<R: Stretch + Send>(
        &mut self,
        side: Color,
        stretches: Vec<R>,
        open: &mut Sets,
    ) -> Result<bool, R::Lack> {
        let &mut Pass { slice, turns, hero, decided, .. } = self;
        let Pass { told, told_next, .. } = self;
        let me = side.index();
        let together = slice.words_a_stretch();
        let [open, others] = ladder::two(open, me);
        let [mine, told] = ladder::two(told, me);
        let told = if side == hero { told } else { told_next.as_mut().unwrap_or(told) };
        let step = Step {
            slice,
            turns,
            hero,
            side,
            others,
            mine: (&mine.far, &mine.blocks),
            told: (&told.far, &told.blocks),
            decided,
        };
        (
            stretches,
            open.par_chunks_mut(together),
            mine.near.par_chunks_mut(together),
            told.near.par_chunks_mut(together),
        )
            .into_par_iter()
            .enumerate()
            .map(|(task, (stretch, open, near, told))| {
                let words = Words { first: task * together, stretch, open, near, told };
                step.settle(words)
            })
            .try_reduce(|| false, |a, b| Ok(a | b))
    }
}

/// What threads share in one step.
struct Step<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Who is to move.
    side: Color,
    /// The open positions with the other side to move.
    others: &'a [u64],
    /// What this side has been told by other threads, and the blocks that have been told anything.
    mine: (&'a [AtomicU64], &'a [AtomicBool]),
    /// The same of the other side, for the next step.
    told: (&'a [AtomicU64], &'a [AtomicBool]),
    decided: Option<&'a Decided>,
}

/// The words that a thread settles one after the other.
struct Words<'a, R> {
    /// The first of them.
    first: usize,
    stretch: R,
    open: &'a mut [u64],
    /// What they have been told by each other.
    near: &'a mut [u64],
    /// What they tell each other.
    told: &'a mut [u64],
}

impl<T: QuietTurns> Step<'_, T> {
    /// Settles some words; tells whether there were any to settle.
    fn settle<R: Stretch>(&self, mut words: Words<'_, R>) -> Result<bool, R::Lack> {
        words.stretch.open()?;
        let mut settled = false;
        for start in (0..words.open.len()).step_by(BLOCK) {
            let block = start..words.open.len().min(start + BLOCK);
            let flag = &self.mine.1[(words.first + start) / BLOCK];
            let was_told = flag.load(Relaxed);
            if !was_told && !words.stretch.is_due(block.clone()) {
                continue;
            }
            flag.store(false, Relaxed);
            for at in block {
                settled |= self.settle_word(&mut words, at, was_told);
            }
        }
        words.stretch.close()?;
        Ok(settled)
    }

    /// Settles one word.
    #[inline]
    fn settle_word<R: Stretch>(&self, words: &mut Words<'_, R>, at: usize, was_told: bool) -> bool {
        let &Step { slice, turns, hero, side, others, .. } = self;
        let word = words.first + at;
        let (stretch, open) = (&mut words.stretch, &mut words.open[at]);
        let exits = stretch.due(at, *open);
        let mut lanes = exits;
        if was_told {
            lanes |= (std::mem::take(&mut words.near[at]) | take(&self.mine.0[word])) & *open;
        }
        if lanes == 0 {
            return false;
        }
        if side != hero {
            lanes &= !stretch.waiting(at);
            if lanes == 0 {
                return false;
            }
        }
        let stand = slice.stand(word).expect("legal lanes stand somewhere");
        if side != hero {
            lanes &= !turns.reach(slice, &stand, side, lanes, &|word| others[word]);
            if lanes == 0 {
                return false;
            }
        }
        *open &= !lanes;
        stretch.settle(at, lanes);
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

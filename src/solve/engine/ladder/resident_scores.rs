//! Scores that lie in memory, one behind the other: for slices whose scores are looked at between
//! the halves of the ladder.

use std::{convert::Infallible, ops::Range};

use super::{
    score_store::{ScoreStore, StoreStretch},
    settle::BLOCK,
};
use crate::solve::engine::{
    lanes::lanes_with,
    slice::{MIN_WORDS, Sets, Slice},
    spill::ScratchArray,
};
use crate::{
    answer::score::{Score, Store, better, offer},
    board::{Bitboard, Color},
    parallel::{self, chunks},
};

/// A score for every word and lane, per side to move.
pub type ScoresBySide<S> = [ScratchArray<S>; 2];

/// The scores of a slice: of each position that of its best exit, until it settles; then its own.
pub struct ResidentScores<'a, S> {
    scores: &'a mut ScoresBySide<S>,
    hero: Color,
    floor: S,
    together: usize,
    /// Per side, the exits that are pending.
    due: [PendingRows<S>; 2],
}

/// The best score, for the hero, of pending exits: per word, and per block of words.
struct PendingRows<S> {
    words: Vec<S>,
    blocks: Vec<S>,
    /// The lanes of each word that have such an exit, whatever it is worth: a row of scores is
    /// several cache lines.
    lanes: Vec<u64>,
}

impl<S: Store> Default for PendingRows<S> {
    fn default() -> PendingRows<S> {
        PendingRows { words: Vec::new(), blocks: Vec::new(), lanes: Vec::new() }
    }
}

impl<'a, S: Store> ResidentScores<'a, S> {
    /// The scores of this slice.
    pub fn of(slice: &Slice, scores: &'a mut ScoresBySide<S>) -> ResidentScores<'a, S> {
        let (hero, floor, together) = (Color::White, S::NONE, slice.words_a_stretch());
        ResidentScores { scores, hero, floor, together, due: Default::default() }
    }
}

impl<S: Store> ScoreStore for ResidentScores<'_, S> {
    type Store = S;
    type Error = Infallible;
    type Stretch<'s>
        = ResidentStep<'s, S>
    where
        Self: 's;

    fn begin(&mut self, hero: Color, floor: Score) {
        let floor = S::keep(floor);
        let due = |scores: &ScratchArray<S>| {
            let rows = || chunks(&scores[..], 64);
            let words = parallel::map(rows(), MIN_WORDS, |_, row| next_due(row, hero, floor, None));
            let blocks = words.chunks(BLOCK).map(|words| soonest(hero, words)).collect();
            PendingRows {
                words,
                blocks,
                lanes: parallel::map(rows(), MIN_WORDS, |_, row| !lanes_with(row, S::NONE)),
            }
        };
        self.due = self.scores.each_ref().map(due);
        (self.hero, self.floor) = (hero, floor);
    }

    fn next_pending(&self) -> Option<Score> {
        let sides = self.due.each_ref().map(|due| soonest(self.hero, &due.blocks));
        Some(soonest(self.hero, &sides)).filter(|&due| due != S::NONE).map(S::score)
    }

    fn is_due(&self, side: Color, score: Score) -> bool {
        self.due[side.index()].blocks.contains(&S::keep(score))
    }

    fn stretches(&mut self, side: Color, score: Score) -> Vec<ResidentStep<'_, S>> {
        let &mut ResidentScores { hero, floor, together, .. } = self;
        let PendingRows { words, blocks, lanes } = &mut self.due[side.index()];
        let now = S::keep(score);
        let rows = self.scores[side.index()].chunks_mut(64 * together);
        let due = words.chunks_mut(together).zip(blocks.chunks_mut(together / BLOCK));
        let all = rows.zip(due).zip(lanes.chunks_mut(together));
        all.map(|((rows, (words, blocks)), lanes)| ResidentStep {
            rows,
            words,
            blocks,
            lanes,
            hero,
            floor,
            now,
        })
        .collect()
    }
}

/// Some words of one side to move.
pub struct ResidentStep<'s, S> {
    rows: &'s mut [S],
    words: &'s mut [S],
    blocks: &'s mut [S],
    lanes: &'s mut [u64],
    hero: Color,
    floor: S,
    now: S,
}

impl<S: Store> StoreStretch for ResidentStep<'_, S> {
    type Error = Infallible;

    fn begin(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline]
    fn is_due(&self, words: Range<usize>) -> bool {
        self.blocks[words.start / BLOCK] == self.now
    }

    #[inline]
    fn take_due(&mut self, word: usize, open: u64) -> u64 {
        if self.words[word] != self.now {
            return 0;
        }
        let row = &mut self.rows[word * 64..(word + 1) * 64];
        self.words[word] = next_due(row, self.hero, self.floor, Some(self.now));
        let lanes = lanes_with(row, self.now) & open;
        self.lanes[word] &= !lanes;
        Bitboard(lanes).for_each(|lane| row[lane.number()] = S::NONE);
        lanes
    }

    #[inline]
    fn pending(&self, word: usize) -> u64 {
        self.lanes[word]
    }

    #[inline]
    fn settle(&mut self, word: usize, lanes: u64) {
        let row = &mut self.rows[word * 64..(word + 1) * 64];
        Bitboard(lanes).for_each(|lane| row[lane.number()] = self.now);
    }

    fn finish(&mut self) -> Result<(), Infallible> {
        for (block, words) in self.blocks.iter_mut().zip(self.words.chunks(BLOCK)) {
            if *block == self.now {
                *block = soonest(self.hero, words);
            }
        }
        Ok(())
    }
}

/// The best of some scores for the hero.
fn soonest<S: Store>(hero: Color, due: &[S]) -> S {
    let mut best = S::NONE;
    due.iter().filter(|&&due| due != S::NONE).for_each(|&due| offer(&mut best, hero, due));
    best
}

/// The score of the pending exit in this row that is the best for the hero, above the floor and, if
/// it is given, below `now`.
fn next_due<S: Store>(row: &[S], hero: Color, floor: S, now: Option<S>) -> S {
    let row = row.iter().copied();
    let best = match (hero, now) {
        (Color::White, None) => row.fold(floor, S::max),
        (Color::White, Some(now)) => {
            row.fold(floor, |best, score| if score < now { best.max(score) } else { best })
        }
        (Color::Black, now) => {
            let now = now.unwrap_or(S::NONE);
            row.fold(floor, |best, score| if score > now { best.min(score) } else { best })
        }
    };
    if best != S::NONE && better(hero, best, floor) { best } else { S::NONE }
}

/// Gives every open position a score.
pub fn fill<S: Store>(open: &Sets, scores: &mut ScoresBySide<S>, score: Score) {
    for (scores, open) in scores.iter_mut().zip(open) {
        let rows = (chunks(&mut scores[..], 64), &open[..]);
        parallel::each(rows, MIN_WORDS, |_, (row, &open)| {
            Bitboard(open).for_each(|lane| row[lane.number()] = S::keep(score));
        });
    }
}

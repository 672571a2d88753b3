//! The scores of a slice as they become known, in delta logs that are spilled to a file.
//!
//! A solver of a ladder asks of a position whether it has settled, but not with which score. So the
//! scores need not lie in memory: what settles in a step is a lane set behind those of the steps
//! before, and exits are kept as lane sets by what they are worth, for each score is asked for
//! once, when exits worth it take effect. Lane sets go to a spill file, to which they are appended
//! and from which they are read in long pieces. In memory are the few bits of each position that a
//! step looks at.
//!
//! A slice is cut into stretches of words, each with a log of its own, so that threads need not
//! wait for each other, and the scores of a stretch can be put together by themselves.

use std::{io, ops::Range};

use rustc_hash::{FxHashMap, FxHashSet};

use super::score_store::{ScoreStore, StoreStretch};
use crate::solve::engine::{
    lanes::lanes_with,
    slice::{Sets, Slice},
    spill::{Budget, DeltaLog, LaneSetReader, LaneSets, SpillFile, Spilled},
};
use crate::{
    answer::score::{Score, Store, better},
    board::{Bitboard, Color},
    parallel::{self, chunks},
};

/// The scores of a slice, as they become known.
pub struct SpilledScores<S> {
    file: SpillFile,
    words: usize,
    together: usize,
    /// Per side to move, the stretches.
    stretches: [Vec<SpilledStretch<S>>; 2],
    /// The positions with an exit that is still pending.
    pending: Sets,
    hero: Color,
    /// Per side to move, the scores of pending exits that the hero prefers to the floor; the best
    /// last.
    pending_scores: [Vec<S>; 2],
    /// Positions that were given a score at once.
    filled: Vec<(Sets, S)>,
}

/// What is known of a stretch with one side to move.
struct SpilledStretch<S> {
    /// The scores that exits are worth, the least first, and which of the bytes in `spilled` are
    /// the lane sets that have them.
    exits: Vec<(S, Range<usize>)>,
    spilled: Spilled,
    /// What has settled, step by step, with which score.
    settled: DeltaLog<S>,
    /// The scores of the steps.
    scores: Vec<S>,
}

impl<S: Store> SpilledStretch<S> {
    fn empty() -> SpilledStretch<S> {
        let spilled = Spilled::Here(Vec::new());
        SpilledStretch {
            exits: Vec::new(),
            spilled,
            settled: DeltaLog::default(),
            scores: Vec::new(),
        }
    }

    /// The words and lanes whose best exit is worth a score.
    fn exits_worth(&self, score: S, file: &SpillFile) -> io::Result<Vec<(usize, u64)>> {
        match self.exits.binary_search_by_key(&score, |&(worth, _)| worth) {
            Ok(at) => {
                let sets = file.read(&self.spilled, self.exits[at].1.clone())?;
                Ok(LaneSetReader::new(&sets).collect())
            }
            Err(_) => Ok(Vec::new()),
        }
    }

    /// What exits are worth, in rows of so many words; none if there are none.
    fn exit_rows(&self, words: usize, file: &SpillFile) -> io::Result<Vec<S>> {
        if self.exits.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = vec![S::NONE; words * 64];
        for &(score, _) in &self.exits {
            for (word, lanes) in self.exits_worth(score, file)? {
                put(&mut rows, word, lanes, score);
            }
        }
        Ok(rows)
    }

    /// Keeps what exits are worth.
    fn keep_exits(&mut self, exits: FxHashMap<S, LaneSets>, file: &SpillFile) -> io::Result<()> {
        let mut exits: Vec<(S, LaneSets)> = exits.into_iter().collect();
        exits.sort_unstable_by_key(|&(score, _)| score);
        let mut all = Vec::new();
        self.exits.clear();
        for (score, sets) in exits {
            let start = all.len();
            all.extend(sets.into_bytes());
            self.exits.push((score, start..all.len()));
        }
        self.spilled = file.keep(all)?;
        Ok(())
    }
}

/// Puts the same score into some lanes of rows.
#[inline]
fn put<S: Store>(rows: &mut [S], word: usize, lanes: u64, score: S) {
    let row = &mut rows[word * 64..(word + 1) * 64];
    Bitboard(lanes).for_each(|lane| row[lane.number()] = score);
}

impl<S: Store> SpilledScores<S> {
    /// A slice of which nothing is known.
    pub fn new(slice: &Slice, budget: &Budget) -> SpilledScores<S> {
        let words = slice.words();
        let empty = || (0..slice.stretches()).map(|_| SpilledStretch::empty()).collect();
        SpilledScores {
            file: budget.spill_file(),
            words,
            together: slice.words_a_stretch(),
            stretches: [empty(), empty()],
            pending: [vec![0; words], vec![0; words]],
            hero: Color::White,
            pending_scores: Default::default(),
            filled: Vec::new(),
        }
    }

    /// Lets `meet` better what exits are worth, in each word with some of these
    /// positions: it gets a row with the best that is known of each, or [`Store::NONE`].
    pub fn meet(
        &mut self,
        side: Color,
        positions: &[u64],
        meet: impl Fn(usize, &mut [S; 64]) + Sync,
    ) -> io::Result<()> {
        let SpilledScores { file, together, stretches, pending, .. } = self;
        let (file, together) = (&*file, *together);
        let pending = chunks(&mut pending[side.index()][..], together);
        let stretches = (&mut stretches[side.index()][..], pending, chunks(positions, together));
        parallel::try_each(stretches, 1, |number, (stretch, pending, positions)| {
            let before = stretch.exit_rows(positions.len(), file)?;
            let mut exits = FxHashMap::<S, LaneSets>::default();
            for (word, _) in positions.iter().enumerate().filter(|&(_, &lanes)| lanes != 0) {
                let mut row = [S::NONE; 64];
                if let Some(before) = before.get(word * 64..(word + 1) * 64) {
                    row.copy_from_slice(before);
                }
                meet(number * together + word, &mut row);
                let mut left = !lanes_with(&row, S::NONE);
                pending[word] = left;
                while left != 0 {
                    let score = row[left.trailing_zeros() as usize];
                    let lanes = lanes_with(&row, score);
                    exits.entry(score).or_default().add(word, lanes);
                    left &= !lanes;
                }
            }
            stretch.keep_exits(exits, file)
        })
    }

    /// Calls `meet` with every word, and the lanes in it whose best exit is worth a score.
    pub fn exits_worth(
        &self,
        side: Color,
        score: Score,
        meet: impl Fn(usize, u64) + Sync,
    ) -> io::Result<()> {
        parallel::try_each(&self.stretches[side.index()][..], 1, |number, stretch| {
            let first = number * self.together;
            let mut next = 0;
            for (word, lanes) in stretch.exits_worth(S::keep(score), &self.file)? {
                (next..word).for_each(|word| meet(first + word, 0));
                meet(first + word, lanes);
                next = word + 1;
            }
            let words = self.together.min(self.words - first);
            (next..words).for_each(|word| meet(first + word, 0));
            Ok(())
        })
    }

    /// Gives positions a score; none of them has settled.
    pub fn fill(&mut self, positions: Sets, score: Score) {
        self.filled.push((positions, S::keep(score)));
    }

    /// Every score of a position with this side to move.
    pub fn distinct(&self, side: Color) -> FxHashSet<S> {
        let settled =
            self.stretches[side.index()].iter().flat_map(|stretch| &stretch.scores).copied();
        let is_there = |sets: &Sets| sets[side.index()].iter().any(|&lanes| lanes != 0);
        let filled = self.filled.iter().filter(|(sets, _)| is_there(sets));
        settled.chain(filled.map(|&(_, score)| score)).collect()
    }

    /// The scores of a stretch, word by word and lane by lane; [`Store::NONE`] where there is no
    /// position.
    pub fn stretch(&self, side: Color, stretch: usize) -> io::Result<Vec<S>> {
        let words = self.together.min(self.words - stretch * self.together);
        let mut rows = vec![S::NONE; words * 64];
        self.stretches[side.index()][stretch].settled.each(&self.file, |score, sets| {
            sets.for_each(|(word, lanes)| put(&mut rows, word, lanes, score));
        })?;
        for (sets, score) in &self.filled {
            let sets = sets[side.index()][stretch * self.together..].iter().take(words);
            sets.enumerate().for_each(|(word, &lanes)| put(&mut rows, word, lanes, *score));
        }
        Ok(rows)
    }
}

impl<S: Store> ScoreStore for SpilledScores<S> {
    type Store = S;
    type Error = io::Error;
    type Stretch<'s>
        = SpilledStep<'s, S>
    where
        Self: 's;

    fn begin(&mut self, hero: Color, floor: Score) {
        self.hero = hero;
        self.pending_scores = self.stretches.each_ref().map(|stretches| {
            let worths =
                stretches.iter().flat_map(|stretch| &stretch.exits).map(|&(worth, _)| worth);
            let better = worths.filter(|&worth| better(hero, worth, S::keep(floor)));
            let mut scores: Vec<S> = better.collect::<FxHashSet<S>>().into_iter().collect();
            scores.sort_unstable_by_key(|worth| worth.score().seen_by(hero));
            scores
        });
    }

    fn next_pending(&self) -> Option<Score> {
        let sides = self.pending_scores.iter().filter_map(|scores| scores.last());
        Score::best(self.hero, sides.map(|worth| worth.score()))
    }

    fn is_due(&self, side: Color, score: Score) -> bool {
        self.pending_scores[side.index()].last() == Some(&S::keep(score))
    }

    fn stretches(&mut self, side: Color, score: Score) -> Vec<SpilledStep<'_, S>> {
        let (me, now) = (side.index(), S::keep(score));
        let take_effect = self.is_due(side, score);
        if take_effect {
            self.pending_scores[me].pop();
        }
        let SpilledScores { file, together, stretches, pending, .. } = self;
        let stretches = stretches[me].iter_mut().zip(pending[me].chunks_mut(*together));
        stretches
            .map(|(stretch, pending)| SpilledStep {
                file,
                stretch,
                pending,
                now,
                take_effect,
                due: Vec::new(),
                next: 0,
                settled: LaneSets::default(),
            })
            .collect()
    }
}

/// What becomes known of a stretch in one step.
pub struct SpilledStep<'s, S> {
    file: &'s SpillFile,
    stretch: &'s mut SpilledStretch<S>,
    pending: &'s mut [u64],
    now: S,
    /// Whether exits take effect in this step, in some stretch.
    take_effect: bool,
    /// Where they do in this stretch, and which is the next.
    due: Vec<(usize, u64)>,
    next: usize,
    settled: LaneSets,
}

impl<S: Store> StoreStretch for SpilledStep<'_, S> {
    type Error = io::Error;

    fn begin(&mut self) -> io::Result<()> {
        if self.take_effect {
            self.due = self.stretch.exits_worth(self.now, self.file)?;
        }
        Ok(())
    }

    #[inline]
    fn is_due(&self, block: Range<usize>) -> bool {
        self.due.get(self.next).is_some_and(|(word, _)| block.contains(word))
    }

    #[inline]
    fn take_due(&mut self, word: usize, open: u64) -> u64 {
        match self.due.get(self.next) {
            Some(&(next, lanes)) if next == word => {
                self.next += 1;
                self.pending[word] &= !lanes;
                lanes & open
            }
            _ => 0,
        }
    }

    #[inline]
    fn pending(&self, word: usize) -> u64 {
        self.pending[word]
    }

    #[inline]
    fn settle(&mut self, word: usize, lanes: u64) {
        self.settled.add(word, lanes);
    }

    fn finish(&mut self) -> io::Result<()> {
        let settled = std::mem::take(&mut self.settled);
        if settled.is_empty() {
            return Ok(());
        }
        self.stretch.scores.push(self.now);
        self.stretch.settled.add(self.now, settled, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// A score that a position with White to move may have after some plies, or none.
    fn score(number: u64) -> Option<Score> {
        match number % 7 {
            0 => None,
            1 => Some(Score::new::<i16>(0, None, 0)),
            2 => Some(Score::new::<i16>(-1, Some((number / 7 % 20) as u16 * 2), 0)),
            _ => Some(Score::new::<i16>(1, Some((number / 7 % 20) as u16 * 2 + 1), 0)),
        }
    }

    /// Some number for each word and lane.
    fn noise(word: usize, lane: usize, seed: u64) -> u64 {
        let mixed = ((word * 64 + lane) as u64 ^ seed << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed >> 31 ^ mixed >> 17
    }

    #[test]
    fn exits_take_effect_once_and_what_settles_is_put_together() {
        let slice = Slice::of_pieces("KRvKN");
        let (words, folder) = (slice.words(), tempfile::tempdir().unwrap());
        let budget = Budget::new(1 << 30, folder.path());
        let mut scores = SpilledScores::<i16>::new(&slice, &budget);
        let positions: Vec<u64> =
            (0..words).map(|word| if word % 5 == 3 { 0 } else { noise(word, 0, 9) }).collect();
        let lanes_in = |word: usize| Bitboard(positions[word]).map(Square::number);
        let kept = |score: Option<Score>| score.map_or(i16::NONE, i16::keep);
        // Turns are met twice; the better ones stay.
        for seed in [1, 2] {
            let meet = |word: usize, row: &mut [i16; 64]| {
                for lane in lanes_in(word) {
                    row[lane] = row[lane].max(kept(score(noise(word, lane, seed))));
                }
            };
            scores.meet(Color::White, &positions, meet).unwrap();
        }
        let best = |word: usize, lane: usize| {
            let both = [1, 2].map(|seed| kept(score(noise(word, lane, seed))));
            both[0].max(both[1])
        };
        let draw = Score::new::<i16>(0, None, 0);
        let met = std::sync::Mutex::new(vec![0; words]);
        scores
            .exits_worth(Color::White, draw, |word, lanes| met.lock().unwrap()[word] = lanes)
            .unwrap();
        for (word, met) in met.into_inner().unwrap().into_iter().enumerate() {
            let lanes = lanes_in(word).filter(|&lane| best(word, lane) == i16::keep(draw));
            assert_eq!(met, lanes.fold(0, |lanes, lane| lanes | 1 << lane), "{word}");
        }
        // Whatever takes effect settles, where lanes are even, and what has none where they are
        // odd.
        let even = 0x5555_5555_5555_5555;
        scores.begin(Color::White, draw);
        let mut turns = Vec::new();
        while let Some(score) = scores.next_pending() {
            assert!(scores.is_due(Color::White, score) && !scores.is_due(Color::Black, score));
            turns.push(score);
            for (n, mut stretch) in scores.stretches(Color::White, score).into_iter().enumerate() {
                stretch.begin().unwrap();
                let first = n * slice.words_a_stretch();
                for word in first..words.min(first + slice.words_a_stretch()) {
                    let due = stretch.take_due(word - first, even);
                    let expected = lanes_in(word).filter(|lane| lane % 2 == 0);
                    let expected = expected.filter(|&lane| best(word, lane) == i16::keep(score));
                    assert_eq!(due, expected.fold(0, |lanes, lane| lanes | 1 << lane));
                    if due != 0 {
                        stretch.settle(word - first, due);
                        assert_eq!(stretch.pending(word - first) & due, 0);
                    }
                }
                stretch.finish().unwrap();
            }
        }
        assert!(turns.is_sorted_by(|a, b| a > b) && turns.len() == 20);
        let odd: Vec<u64> = positions.iter().map(|lanes| lanes & !even).collect();
        scores.fill([odd, vec![0; words]], draw);
        let all = (0..slice.stretches()).flat_map(|n| scores.stretch(Color::White, n).unwrap());
        let all: Vec<i16> = all.collect();
        let expected = |word: usize, lane: usize| match positions[word] >> lane & 1 {
            0 => i16::NONE,
            _ if lane % 2 == 1 => i16::keep(draw),
            _ => Some(best(word, lane)).filter(|&best| best > i16::keep(draw)).unwrap_or(i16::NONE),
        };
        for (word, row) in all.chunks(64).enumerate() {
            assert!(row.iter().enumerate().all(|(lane, &s)| s == expected(word, lane)), "{word}");
        }
        let mut distinct: Vec<i16> = scores.distinct(Color::White).into_iter().collect();
        distinct.sort_unstable();
        let mut expected: Vec<i16> = all.iter().copied().filter(|&s| s != i16::NONE).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(distinct, expected);
        assert!(scores.distinct(Color::Black).is_empty());
    }

    #[test]
    fn scores_without_a_place_are_an_error() {
        let slice = Slice::of_pieces("KRvKN");
        let mut scores = SpilledScores::<i16>::new(&slice, &Budget::new(0, "nowhere/at/all"));
        let positions = vec![!0; slice.words()];
        let met = scores.meet(Color::Black, &positions, |word, row| {
            row.iter_mut().enumerate().for_each(|(lane, s)| *s = noise(word, lane, 3) as i16 >> 4);
        });
        assert_eq!(met.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

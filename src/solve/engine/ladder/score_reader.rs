//! The scores of a solved slice in the order of an index, put together as they are written.

use std::{
    io,
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::spilled_scores::SpilledScores;
use crate::solve::engine::slice::{IndexOrder, Slice};
use crate::{
    answer::score::Store,
    board::Color,
    index::Index,
    lock::{into_inner, lock},
};

/// The scores with one side to move, stretch by stretch.
///
/// Those of a stretch are put together when the first of its numbers is asked for, and forgotten
/// after the last: every number must be asked for once.
pub struct ScoreReader<'a, S> {
    scores: &'a SpilledScores<S>,
    side: Color,
    stretches: Vec<SharedStretch<S>>,
    /// How many numbers a stretch has, but for the last one.
    numbers: u64,
    /// How many stretches of words that are.
    together: usize,
    words: usize,
    error: Mutex<Option<io::Error>>,
}

/// The scores of a stretch, which several threads may ask for.
struct SharedStretch<S> {
    /// If they are there.
    rows: Mutex<Option<Arc<Vec<S>>>>,
    /// How many numbers have not been asked for.
    left: AtomicU64,
}

impl<'a, S: Store> ScoreReader<'a, S> {
    /// The scores of a slice with `side` to move; the numbers are those of an index that has
    /// this one slice.
    pub fn new(
        index: &Index,
        slice: &Slice,
        scores: &'a SpilledScores<S>,
        side: Color,
    ) -> ScoreReader<'a, S> {
        let (numbers, together) = match slice.numbers_a_stretch(index, index.len()) {
            Some(numbers) => (numbers, 1),
            None => (index.len(), slice.stretches()),
        };
        let rows = |stretch: u64| {
            let left = numbers.min(index.len() - stretch * numbers);
            SharedStretch { rows: Mutex::default(), left: AtomicU64::new(left) }
        };
        let stretches = (0..index.len().div_ceil(numbers)).map(rows).collect();
        let words = slice.words_a_stretch();
        ScoreReader { scores, side, stretches, numbers, together, words, error: Mutex::default() }
    }

    /// Calls `meet` with every position among some numbers: how far behind the first its number is,
    /// its place in the order of words and lanes, and its score. Numbers that are no positions are
    /// passed by, and so are all if the scores cannot be read.
    pub fn each(
        &self,
        range: Range<u64>,
        order: &IndexOrder<'_>,
        mut meet: impl FnMut(usize, usize, S),
    ) {
        let mut start = range.start;
        while start < range.end {
            let stretch = (start / self.numbers) as usize;
            let end = range.end.min((stretch as u64 + 1) * self.numbers);
            let first = stretch * self.together * self.words * 64;
            match self.rows(stretch) {
                Ok(rows) => {
                    let behind = (start - range.start) as usize;
                    order.each(start as usize, (end - start) as usize, |number, place| {
                        meet(behind + number, place, rows[place - first]);
                    });
                }
                Err(error) => *lock(&self.error) = Some(error),
            }
            let SharedStretch { rows, left } = &self.stretches[stretch];
            if left.fetch_sub(end - start, Relaxed) == end - start {
                *lock(rows) = None;
            }
            start = end;
        }
    }

    /// All numbers have been asked for.
    pub fn finish(self) -> io::Result<()> {
        into_inner(self.error).map_or(Ok(()), Err)
    }

    fn rows(&self, stretch: usize) -> io::Result<Arc<Vec<S>>> {
        let mut rows = lock(&self.stretches[stretch].rows);
        if let Some(rows) = &*rows {
            return Ok(rows.clone());
        }
        let mut all = Vec::new();
        for stretch in stretch * self.together..(stretch + 1) * self.together {
            all.extend(self.scores.stretch(self.side, stretch)?);
        }
        let all = Arc::new(all);
        *rows = Some(all.clone());
        Ok(all)
    }
}

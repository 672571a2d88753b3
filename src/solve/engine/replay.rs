//! The scores of a solved slice in the order of an index, put together as they are written.

use std::{
    io,
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::{journal::Journal, order::Order, slice::Slice};
use crate::{answer::score::Store, board::Color, index::Index, lock::lock};

/// The scores with one side to move, stretch by stretch.
///
/// Those of a stretch are put together when the first of its numbers is asked for, and forgotten
/// after the last: every number must be asked for once.
pub struct Replay<'a, S> {
    journal: &'a Journal<S>,
    side: Color,
    stretches: Vec<Shared<S>>,
    /// How many numbers a stretch has, but for the last one.
    numbers: u64,
    /// How many stretches of the journal that are.
    together: usize,
    words: usize,
    lack: Mutex<Option<io::Error>>,
}

/// The scores of a stretch, which several threads may ask for.
struct Shared<S> {
    /// If they are there.
    rows: Mutex<Option<Arc<Vec<S>>>>,
    /// How many numbers have not been asked for.
    left: AtomicU64,
}

impl<'a, S: Store> Replay<'a, S> {
    /// What the journal of a slice has with `side` to move; the numbers are those of an index that has
    /// this one slice.
    pub fn new(
        index: &Index,
        slice: &Slice,
        journal: &'a Journal<S>,
        side: Color,
    ) -> Replay<'a, S> {
        let (numbers, together) = match slice.numbers_a_stretch(index, index.len()) {
            Some(numbers) => (numbers, 1),
            None => (index.len(), slice.stretches()),
        };
        let rows = |stretch: u64| {
            let left = numbers.min(index.len() - stretch * numbers);
            Shared { rows: Mutex::default(), left: AtomicU64::new(left) }
        };
        let stretches = (0..index.len().div_ceil(numbers)).map(rows).collect();
        let words = slice.words_a_stretch();
        Replay { journal, side, stretches, numbers, together, words, lack: Mutex::default() }
    }

    /// Calls `meet` with every position among some numbers: how far behind the first its number is,
    /// its place in the order of words and lanes, and its score. Numbers that are no positions are
    /// passed by, and so are all if the journal cannot be read.
    pub fn each(
        &self,
        range: Range<u64>,
        order: &Order<'_>,
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
                Err(error) => *lock(&self.lack) = Some(error),
            }
            let Shared { rows, left } = &self.stretches[stretch];
            if left.fetch_sub(end - start, Relaxed) == end - start {
                *lock(rows) = None;
            }
            start = end;
        }
    }

    /// All numbers have been asked for.
    ///
    /// # Errors
    /// If the journal could not be read.
    pub fn finish(self) -> io::Result<()> {
        let lack = self.lack.into_inner().unwrap_or_else(PoisonError::into_inner);
        lack.map_or(Ok(()), Err)
    }

    fn rows(&self, stretch: usize) -> io::Result<Arc<Vec<S>>> {
        let mut rows = lock(&self.stretches[stretch].rows);
        if let Some(rows) = &*rows {
            return Ok(rows.clone());
        }
        let mut all = Vec::new();
        for stretch in stretch * self.together..(stretch + 1) * self.together {
            all.extend(self.journal.stretch(self.side, stretch)?);
        }
        let all = Arc::new(all);
        *rows = Some(all.clone());
        Ok(all)
    }
}

//! What slices tell of the positions of a table.

use std::{ops::Range, sync::Arc};

use crate::{
    answer::Outcome,
    parallel,
    solve::{BuildError, FinishedScores, FinishedTable, FinishedTurns, TurnCounts},
};

/// Makes some slices; `None` if one of them cannot be made.
pub fn scores(slices: &FinishedTable<'_>, range: Range<u64>) -> Option<Vec<FinishedScores>> {
    parallel::try_map(range, 1, |_, slice| slices.scores(slice)).ok()
}

/// Makes all slices, those together that look into the same pages; `None` if one of them cannot be
/// made. `done` hears how many cells are.
pub fn all_scores(
    slices: &FinishedTable<'_>,
    done: &(dyn Fn(u64) + Sync),
) -> Option<Vec<FinishedScores>> {
    let mut all = Vec::new();
    for group in (0..slices.sections()).flat_map(|section| slices.groups(section)) {
        let _ahead = slices.read_ahead(&group).ok()?;
        let made = parallel::try_map(&group[..], 1, |_, &slice| {
            let scores = slices.scores(slice)?;
            done(slices.slice_numbers());
            Ok::<_, BuildError>((slice, scores))
        });
        all.extend(made.ok()?);
    }
    all.sort_unstable_by_key(|&(slice, _)| slice);
    Some(all.into_iter().map(|(_, scores)| scores).collect())
}

/// The slices of so many numbers that have some cells, each with those of its numbers that are
/// among these.
pub fn slices_of(numbers: u64, cells: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> {
    (cells.start / numbers..cells.end.div_ceil(numbers)).map(move |slice| {
        let start = slice * numbers;
        (slice, cells.start.max(start) - start..(cells.end - start).min(numbers))
    })
}

/// What counts the turns of positions.
pub struct TurnCounter<'a, 't> {
    slices: &'a FinishedTable<'t>,
    all: &'a [FinishedScores],
    /// The slice that was looked at last, which may be larger than what is looked at together.
    last: Option<(u64, Arc<FinishedTurns<'a, 't>>)>,
}

impl<'a, 't> TurnCounter<'a, 't> {
    /// Of a table whose slices are all there, in their order.
    pub fn new(slices: &'a FinishedTable<'t>, all: &'a [FinishedScores]) -> TurnCounter<'a, 't> {
        TurnCounter { slices, all, last: None }
    }

    /// How many turns of the positions of some cells lead to what; `None` if it cannot be told.
    pub fn count(&mut self, cells: &Range<u64>) -> Option<Vec<TurnCounts>> {
        let TurnCounter { slices, all, last } = &*self;
        let wanted: Vec<_> = slices_of(slices.slice_numbers(), cells.clone()).collect();
        let counted = parallel::try_map(wanted, 1, |_, (slice, numbers)| {
            let turns = match last {
                Some((known, turns)) if *known == slice => Arc::clone(turns),
                _ => Arc::new(slices.turns(slice, all)),
            };
            let counts = turns.count(numbers)?;
            Ok::<_, BuildError>((slice, turns, counts))
        });
        let mut all_counts = Vec::with_capacity((cells.end - cells.start) as usize);
        for (slice, turns, counts) in counted.ok()? {
            all_counts.extend(counts);
            self.last = Some((slice, turns));
        }
        Some(all_counts)
    }
}

/// What some slices tell that follow each other.
#[derive(Copy, Clone)]
pub struct Told<'a> {
    /// How many cells each has.
    pub numbers: u64,
    /// The first.
    pub first: u64,
    pub scores: &'a [FinishedScores],
    /// What turns lead to from a cell on, if they are counted.
    pub turns: Option<(u64, &'a [TurnCounts])>,
}

impl<'a> Told<'a> {
    /// The slice of a cell, and which cells it has.
    pub fn slice(&self, cell: u64) -> (Range<u64>, &'a FinishedScores) {
        let slice = cell / self.numbers;
        let start = slice * self.numbers;
        (start..start + self.numbers, &self.scores[(slice - self.first) as usize])
    }

    /// What the turns of the position of a cell lead to, if they are counted.
    #[inline]
    pub fn turns(&self, cell: u64) -> Option<TurnCounts> {
        self.turns.map(|(first, turns)| turns[(cell - first) as usize])
    }

    /// What comes of the position of a cell, if it is legal.
    pub fn outcome(&self, cell: u64) -> Option<Outcome> {
        let (cells, scores) = self.slice(cell);
        scores.outcome(cell - cells.start)
    }
}

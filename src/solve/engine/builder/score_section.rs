//! Tables of games with a ladder, written into files.
//!
//! A table has a section of cells per side to move, `white` and `black`; where colours swap and
//! both sides have the same men, only `white`. The palette says what a cell stands for: the value
//! (White's view) in the upper 16 bits, two's complement, and the distance plus one in the lower
//! 16, or 0 for none.
//!
//! A game may leave out what some turns decide whose worth other tables tell. Where the best of
//! those turns makes the score of a position, its cell may hold any score that is no better for
//! the side to move, which packs better; the best of the cell and of those turns is the score.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::workbench::Workbench;
use crate::{
    answer::{
        Outcome,
        score::{Score, Store},
    },
    board::Color,
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Scores to be written into a section of cells.
pub(crate) struct ScoreSection<S> {
    /// The name of the section.
    pub name: String,
    /// The side to move.
    pub side: Color,
    /// How many there are.
    pub entries: u64,
    /// How many belong to a slice, if there are several.
    pub slice: Option<u64>,
    /// Every one that occurs.
    pub distinct: FxHashSet<S>,
    /// Whether their distances are written.
    pub distances: bool,
}

impl<S: Store> ScoreSection<S> {
    /// Writes the section. `cells` gives those of some entries, each with whether the turns that a
    /// table leaves out make its score.
    pub fn write(
        self,
        writer: &mut TableWriter,
        cells: &(dyn Fn(Range<u64>) -> Vec<(S, bool)> + Sync),
        bench: &Workbench<'_>,
    ) -> Result<(), TableError> {
        let ScoreSection { name, side, entries, slice, distinct, distances } = self;
        let mut scores: Vec<S> = distinct.into_iter().filter(|&cell| cell != S::NONE).collect();
        scores.sort_unstable();
        if scores.is_empty() {
            // On a small board men may have no place at all, and an entry must be something.
            scores.push(S::keep(Score::new::<S>(0, None, 0)));
        }
        let places = PalettePlaces::of(&scores);
        let outcome = |cell: &S| {
            let Outcome { value, distance } = Outcome::of::<S>(cell.score());
            Outcome { value, distance: distance.filter(|_| distances) }
        };
        let palette = scores.iter().map(|cell| outcome(cell).packed()).collect();
        let width = Width::holding(scores.len().saturating_sub(1) as u32);
        let mut spec = CellSpec::new(name, entries, width).with_palette(palette);
        if let Some(slice) = slice {
            spec = spec.in_slices(slice);
        }
        writer.choices(spec, |range, entries| {
            if !bench.goes_on_to(range.end - range.start) {
                return range.for_each(|_| entries.anything());
            }
            for (cell, decided) in cells(range) {
                if cell == S::NONE {
                    entries.anything();
                    continue;
                }
                let place = places.of_score(cell);
                match (decided, side) {
                    (false, _) => entries.exactly(place),
                    (true, Color::White) => entries.between(0, place),
                    (true, Color::Black) => entries.between(place, u32::MAX),
                }
            }
        })
    }
}

/// Where scores stand in a palette.
enum PalettePlaces<S> {
    /// Where they are close to each other: from the least one on, seen by White.
    Dense(i32, Vec<u32>),
    /// Where they are not.
    Sparse(FxHashMap<S, u32>),
}

impl<S: Store> PalettePlaces<S> {
    /// The places of scores that go up.
    fn of(scores: &[S]) -> PalettePlaces<S> {
        let seen = |score: &S| score.score().seen_by(Color::White);
        let least = scores.first().map_or(0, seen);
        let span = scores.last().map_or(0, seen) - least;
        if span >= 1 << 16 {
            return PalettePlaces::Sparse(scores.iter().copied().zip(0..).collect());
        }
        let mut places = vec![0; span as usize + 1];
        for (score, place) in scores.iter().zip(0..) {
            places[(seen(score) - least) as usize] = place;
        }
        PalettePlaces::Dense(least, places)
    }

    /// The place of one of them.
    #[inline]
    fn of_score(&self, score: S) -> u32 {
        match self {
            PalettePlaces::Dense(least, places) => {
                places[(score.score().seen_by(Color::White) - least) as usize]
            }
            PalettePlaces::Sparse(places) => places[&score],
        }
    }
}

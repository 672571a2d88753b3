//! What is known of the cells of a section, in as few bytes as the number of outcomes allows.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::PackError;
use crate::{answer::Outcome, parallel};

/// What is known of a cell: what it stands for, and whether turns that the table leaves out reach
/// that, so that the cell may be anything that is no better; nothing if it is no position.
pub type Known = Option<(Outcome, bool)>;

/// Tells what is known of the cells of a slice.
pub type ToKnow<'a> = dyn Fn(u64) -> Result<Known, PackError> + Sync + 'a;

/// Reads a slice.
pub type ToRead<'a> = dyn Fn(u64) -> Result<Box<ToKnow<'a>>, PackError> + Sync + 'a;

/// Prepares what reads the slices of a group.
pub type ToBegin<'a, 'f> = dyn Fn(&[u64]) -> Result<Box<ToRead<'a>>, PackError> + 'f;

/// Cells whose outcomes are numbered together: so few that numbers, with a bit more, fit two bytes.
const CHUNK: u64 = 1 << 14;

/// A cell that is no position.
const NOTHING: u16 = u16::MAX;

/// Cells by the places of their outcomes in a palette: twice that, and one more where turns that
/// the table leaves out reach it. The greatest number is no position.
pub enum Cells {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// Some cells, by the numbers of their outcomes in the same way.
struct Chunk {
    cells: Vec<u16>,
    outcomes: Vec<Outcome>,
}

impl Chunk {
    fn new(cells: Range<u64>, known: &ToKnow<'_>) -> Result<Chunk, PackError> {
        let mut numbers: FxHashMap<Outcome, u16> = FxHashMap::default();
        let mut outcomes = Vec::new();
        let mut last = None;
        let cells = cells.map(|cell| {
            let Some((outcome, reached)) = known(cell)? else { return Ok(NOTHING) };
            let number = match last {
                // Many are like their neighbour.
                Some((before, number)) if before == outcome => number,
                _ => *numbers.entry(outcome).or_insert_with(|| {
                    outcomes.push(outcome);
                    outcomes.len() as u16 - 1
                }),
            };
            last = Some((outcome, number));
            Ok(2 * number + u16::from(reached))
        });
        Ok(Chunk { cells: cells.collect::<Result<_, PackError>>()?, outcomes })
    }

    /// Its cells by the places of their outcomes.
    fn placed<'c>(
        &'c self,
        places: &FxHashMap<Outcome, u32>,
    ) -> impl Iterator<Item = Option<u32>> + 'c {
        let places: Vec<u32> = self.outcomes.iter().map(|outcome| places[outcome]).collect();
        let of = move |cell: u16| 2 * places[usize::from(cell / 2)] + u32::from(cell % 2);
        self.cells.iter().map(move |&cell| (cell != NOTHING).then(|| of(cell)))
    }
}

impl Cells {
    /// The cells of some slices, so many in each, and the outcomes there are, from White's worst to
    /// its best. `groups` names each slice once; `begin` gives what reads those of a group, which are
    /// read side by side, and `done` hears how many cells have been asked for.
    ///
    /// # Errors
    /// What `begin` or `done` fails with.
    pub fn ask<'k>(
        (groups, slice): (&[Vec<u64>], u64),
        begin: &ToBegin<'k, '_>,
        done: &(dyn Fn(u64) -> Result<(), PackError> + Sync),
    ) -> Result<(Cells, Vec<Outcome>), PackError> {
        let mut slices = Vec::new();
        for group in groups {
            let read = begin(group)?;
            slices.extend(parallel::try_map(&group[..], 1, |_, &number| {
                let known = read(number)?;
                let chunks = parallel::try_map(0..slice.div_ceil(CHUNK), 1, |_, chunk| {
                    let cells = chunk * CHUNK..slice.min((chunk + 1) * CHUNK);
                    let length = cells.end - cells.start;
                    let chunk = Chunk::new(cells, &*known);
                    done(length)?;
                    chunk
                })?;
                Ok::<_, PackError>((number, chunks))
            })?);
        }
        slices.sort_unstable_by_key(|&(number, _)| number);
        let chunks = || slices.iter().flat_map(|(_, chunks)| chunks);
        let all: FxHashSet<Outcome> =
            chunks().flat_map(|chunk| chunk.outcomes.iter().copied()).collect();
        let mut palette: Vec<Outcome> = all.into_iter().collect();
        palette.sort_by_key(|outcome| outcome.score::<i32>(0));
        let places = palette.iter().copied().zip(0..).collect();
        let placed = chunks().flat_map(|chunk| chunk.placed(&places));
        let cells = if palette.len() <= usize::from(NOTHING / 2) {
            Cells::Short(placed.map(|cell| cell.map_or(NOTHING, |cell| cell as u16)).collect())
        } else {
            Cells::Long(placed.map(|cell| cell.unwrap_or(u32::MAX)).collect())
        };
        Ok((cells, palette))
    }

    /// The place of the outcome of a cell, and whether turns that the table leaves out reach it;
    /// `None` if it is no position.
    #[inline]
    pub fn get(&self, number: u64) -> Option<(u32, bool)> {
        let number = number as usize;
        let cell = match self {
            Cells::Short(cells) => {
                Some(cells[number]).filter(|&cell| cell != NOTHING).map(u32::from)
            }
            Cells::Long(cells) => Some(cells[number]).filter(|&cell| cell != u32::MAX),
        };
        cell.map(|cell| (cell / 2, cell % 2 == 1))
    }
}

//! The entries of a file as a solver keeps them: each is turned into what it stands for.

use std::sync::Arc;

use super::table_pages::PageCell;
use crate::{
    answer::{
        Outcome,
        score::{Store, without_distance},
    },
    board::Color,
    index::Material,
    parallel::{self, chunks},
    table::{Cells, Table, TableError, Width, le_u32},
};

/// How many entries are read at a time: half a block of a file, so that threads share a large page.
const PIECE: usize = 1 << 18;

/// The scores that the palette of some cells stands for, where whatever is not worth infinite play
/// has a distance; [without distances](crate::answer::score::Score::without_distance) if those are
/// not wanted.
pub fn palette_scores<S: Store>(part: &PartCells<'_>, infinite: i32) -> Arc<[S]> {
    if part.distances {
        let has_end = |outcome: &Outcome| outcome.value == infinite || outcome.distance.is_some();
        return kept(part.cells, infinite, has_end);
    }
    let mut scores: Arc<[S]> = kept(part.cells, infinite, |_| true);
    for score in Arc::make_mut(&mut scores) {
        *score = without_distance(*score, part.side, infinite);
    }
    scores
}

/// The scores that the palette of some cells stands for, whether they have a distance or not.
pub fn palette_scores_without_distance<S: Store>(cells: &Cells, infinite: i32) -> Arc<[S]> {
    kept(cells, infinite, |_| true)
}

/// What those stand for that there can be: files may say anything.
fn kept<S: Store>(cells: &Cells, infinite: i32, can_be: impl Fn(&Outcome) -> bool) -> Arc<[S]> {
    let palette = cells.palette().unwrap_or_default().iter();
    let outcomes = palette.map(|&packed| Some(Outcome::unpack(packed)).filter(&can_be));
    outcomes.map(|o| o.and_then(|o| keep(o, infinite)).unwrap_or(S::NONE)).collect()
}

/// An outcome as a score is kept; `None` if there is no such score.
fn keep<S: Store>(outcome: Outcome, infinite: i32) -> Option<S> {
    if outcome.value.abs() >= i32::from(i16::MAX) {
        // More than any store has room for.
        return None;
    }
    let score = S::keep(outcome.score::<S>(infinite));
    (score != S::NONE && Outcome::of::<S>(score.score()) == outcome).then_some(score)
}

/// Cells of a table, or of a part of one, whose entries stand for something.
pub struct PartCells<'a> {
    /// Where they are.
    pub table: &'a Table,
    /// What the table is about.
    pub material: &'a Material,
    pub mode: usize,
    /// Who is to move in them.
    pub side: Color,
    /// Which of the stretches of their name they are.
    pub number: usize,
    pub cells: &'a Cells,
    /// Whether their distances are wanted.
    pub distances: bool,
}

/// All entries of a mode and side to move.
pub struct SectionEntries<C> {
    /// The stretches: the number of the first entry of each, and what every entry from 0 on stands
    /// for; [`PageCell::GAP`] where there can be no such entry.
    pub stretches: Vec<(u64, Cells, Arc<[C]>)>,
}

impl<C: PageCell> SectionEntries<C> {
    /// Copies what the entries from `start` on stand for.
    pub fn read(&self, start: u64, page: &mut [C]) -> Result<(), TableError> {
        parallel::try_each(chunks(page, PIECE), 1, |piece, mut out| {
            let mut number = start + (piece * PIECE) as u64;
            while !out.is_empty() {
                let at = self.stretches.partition_point(|(first, ..)| *first <= number) - 1;
                let (first, cells, meanings) = &self.stretches[at];
                let left = (first + cells.entries()).saturating_sub(number);
                let count = out.len().min(left as usize);
                if count == 0 {
                    // The size has been checked, so this is an error that says where.
                    return cells.get(number - first).map(|_| ());
                }
                let (now, rest) = out.split_at_mut(count);
                let width = cells.section().width;
                let mut bytes = vec![0; count * width.bytes()];
                cells.read_from(number - first, &mut bytes)?;
                for (cell, entry) in now.iter_mut().zip(bytes.chunks_exact(width.bytes())) {
                    let entry = unpacked(entry, width);
                    *cell =
                        meant(meanings, entry).ok_or_else(|| cells.not_in_palette(entry as u32))?;
                }
                number += count as u64;
                out = rest;
            }
            Ok(())
        })
    }
}

/// What an entry stands for; `None` if there can be no such entry.
#[inline]
fn meant<C: PageCell>(meanings: &[C], entry: usize) -> Option<C> {
    meanings.get(entry).copied().filter(|&cell| cell != C::GAP)
}

/// The number that the bytes of an entry make.
#[inline]
fn unpacked(entry: &[u8], width: Width) -> usize {
    match width {
        Width::One => usize::from(entry[0]),
        _ => le_u32(entry) as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Plies;

    #[test]
    fn outcomes_that_no_score_stands_for_are_none() {
        let keeps = |value, distance: Option<u16>| {
            let outcome = Outcome { value, distance: distance.map(Plies) };
            [keep::<i16>(outcome, 0).is_some(), keep::<i32>(outcome, 0).is_some()]
        };
        assert_eq!(keeps(0, None), [true; 2]);
        assert_eq!(keeps(1, Some(0)), [true; 2]);
        assert_eq!(keeps(-5, Some(2947)), [true; 2]);
        assert_eq!(keeps(1, Some(2948)), [true; 2]);
        // Infinite play has no distance; nothing is so far away, or worth so much.
        assert_eq!(keeps(0, Some(7)), [false; 2]);
        assert_eq!(keeps(1, Some(2949)), [false, true]);
        assert_eq!(keeps(1, Some(u16::MAX - 1)), [false; 2]);
        assert_eq!(keeps(7, Some(1)), [false, true]);
        assert_eq!(keeps(-32_766, Some(0)), [false, true]);
        assert_eq!([keeps(-32_768, Some(0)), keeps(-32_768, None)], [[false; 2]; 2]);
    }

    #[test]
    fn entries_that_cannot_be_are_none() {
        assert_eq!([0, 1, 2].map(|entry| meant(&[7, i16::GAP], entry)), [Some(7), None, None]);
    }
}

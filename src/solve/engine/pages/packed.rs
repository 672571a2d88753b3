//! The pages of a part, packed as soon as they are solved, until the part is written.
//!
//! A part is solved structure by structure and written section by section. What lies between is
//! packed in haste: that takes a small part of the memory, and little time beside solving.

use std::{
    hash::{BuildHasher, Hash},
    io,
    ops::Range,
    sync::{Mutex, OnceLock},
};

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::table_pages::PageCell;
use crate::lock::lock;
use crate::parallel::{self, chunks};
use crate::solve::engine::spill::{Budget, Loan, pack, unpack};

/// Cells that are packed together: large enough to pack well, small enough that a page is packed by
/// several threads and a few cells are unpacked soon.
const CHUNK: usize = 1 << 16;

/// The pages of some structures: several *sections*, each with a page for every structure.
pub struct PackedPages<S> {
    structures: Range<usize>,
    /// Cells a page.
    size: usize,
    sections: Vec<PackedSection<S>>,
}

struct PackedSection<S> {
    pages: Vec<OnceLock<PackedPage>>,
    /// Every cell that occurs.
    distinct: Mutex<FxHashSet<S>>,
}

struct PackedPage {
    chunks: Vec<Box<[u8]>>,
    #[allow(dead_code, reason = "gives back the memory that the chunks take")]
    loan: Loan,
}

impl<S: PageCell> PackedPages<S> {
    /// None yet, for some structures of `size` numbers each.
    pub fn new(structures: Range<usize>, size: u64, sections: usize) -> PackedPages<S> {
        let section = || PackedSection {
            pages: structures.clone().map(|_| OnceLock::new()).collect(),
            distinct: Mutex::default(),
        };
        let sections = (0..sections).map(|_| section()).collect();
        PackedPages { structures, size: size as usize, sections }
    }

    /// Adds a page; its memory is taken out of `budget`.
    ///
    /// # Panics
    /// If it is there already.
    pub fn put(
        &self,
        section: usize,
        structure: usize,
        cells: &[S],
        budget: &Budget,
    ) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.size);
        let section = &self.sections[section];
        let chunks = parallel::try_map(chunks(cells, CHUNK), 1, |_, cells| {
            let distinct = distinct(cells);
            lock(&section.distinct).extend(distinct);
            pack(bytemuck::cast_slice(cells)).map(Vec::into_boxed_slice)
        })?;
        let bytes = chunks.iter().map(|chunk| chunk.len() as u64).sum();
        let page = PackedPage { chunks, loan: budget.take(bytes) };
        let put = section.pages[structure - self.structures.start].set(page);
        assert!(put.is_ok(), "a structure is solved once");
        Ok(())
    }

    /// Whether a page is there.
    pub fn has(&self, section: usize, structure: usize) -> bool {
        self.structures.contains(&structure)
            && self.sections[section].pages[structure - self.structures.start].get().is_some()
    }

    /// Every cell that occurs in a section.
    pub fn distinct(&self, section: usize) -> FxHashSet<S> {
        lock(&self.sections[section].distinct).clone()
    }

    /// Whether two sections say the same of every position.
    pub fn are_equal(&self, sections: [usize; 2]) -> bool {
        // Equal cells are packed into equal bytes.
        let [a, b] = sections.map(|section| &self.sections[section].pages);
        a.iter().zip(b).all(|(a, b)| match (a.get(), b.get()) {
            (Some(a), Some(b)) => a.chunks == b.chunks,
            (a, b) => a.is_none() && b.is_none(),
        })
    }

    /// Copies the cells of a page.
    ///
    /// # Panics
    /// If it is not there.
    pub fn page(&self, section: usize, structure: usize, out: &mut [S]) {
        let packed = &self.chunks(section, structure)[..];
        parallel::each((chunks(out, CHUNK), packed), 1, |_, (out, chunk)| {
            unpack(chunk, bytemuck::cast_slice_mut(out));
        });
    }

    /// The cells of some numbers of a section, counted from the first structure there is.
    ///
    /// # Panics
    /// If a page of theirs is not there.
    pub fn range(&self, section: usize, numbers: Range<u64>) -> Vec<S> {
        let mut cells = vec![S::GAP; (numbers.end - numbers.start) as usize];
        let mut piece = vec![S::GAP; CHUNK.min(self.size)];
        let mut next = numbers.start as usize;
        let mut out = cells.as_mut_slice();
        while !out.is_empty() {
            let (structure, at) = (next / self.size, next % self.size);
            let (chunk, skip) = (at / CHUNK, at % CHUNK);
            let length = CHUNK.min(self.size - chunk * CHUNK);
            let packed = &self.chunks(section, self.structures.start + structure)[chunk];
            let count = out.len().min(length - skip);
            let (now, rest) = out.split_at_mut(count);
            if count == length {
                unpack(packed, bytemuck::cast_slice_mut(now));
            } else {
                unpack(packed, bytemuck::cast_slice_mut(&mut piece[..length]));
                now.copy_from_slice(&piece[skip..skip + count]);
            }
            next += count;
            out = rest;
        }
        cells
    }

    fn chunks(&self, section: usize, structure: usize) -> &Vec<Box<[u8]>> {
        let page = self.sections[section].pages[structure - self.structures.start].get();
        &page.expect("solved before it is needed").chunks
    }
}

/// Every cell that occurs among some.
pub fn distinct<S: Copy + Eq + Hash>(cells: &[S]) -> FxHashSet<S> {
    let mut met = FxHashSet::default();
    // Most have been met shortly before, which is cheaper to see than to look up.
    let mut recent = [None; 256];
    for &cell in cells {
        let recent = &mut recent[FxBuildHasher.hash_one(cell) as usize % 256];
        if *recent != Some(cell) {
            met.insert(cell);
            *recent = Some(cell);
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_out_as_they_went_in() {
        let budget = Budget::new(1 << 20, "none");
        for size in [10, CHUNK, CHUNK + 77] {
            let cell = |section: usize, number: usize| match section {
                0 | 2 => (number / 5 * 7 % 1000) as i16,
                _ => (number % 13) as i16,
            };
            let pages = PackedPages::new(3..6, size as u64, 3);
            for (section, structure) in (0..3).flat_map(|s| (3..6).map(move |n| (s, n))) {
                assert!(!pages.has(section, structure));
                let first = (structure - 3) * size;
                let cells: Vec<i16> = (first..first + size).map(|n| cell(section, n)).collect();
                pages.put(section, structure, &cells, &budget).unwrap();
                assert!(pages.has(section, structure));
                let mut out = vec![0; size];
                pages.page(section, structure, &mut out);
                assert_eq!(out, cells);
            }
            assert!(!pages.has(0, 6) && !pages.has(0, 2));
            for range in [0..1, 3..3 * size, size - 1..size + 1, 0..3 * size] {
                let cells: Vec<i16> = range.clone().map(|n| cell(1, n)).collect();
                assert_eq!(pages.range(1, range.start as u64..range.end as u64), cells);
            }
            assert_eq!(pages.distinct(1), (0..13).collect());
            assert!(pages.are_equal([0, 2]) && !pages.are_equal([0, 1]));
            assert!(budget.left() < 1 << 20);
        }
        assert_eq!(budget.left(), 1 << 20);
    }
}

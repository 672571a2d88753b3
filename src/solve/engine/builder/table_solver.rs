//! A table that is solved part by part: each with only what it looks into unpacked, and packed at
//! once.
//!
//! How a part is solved is the game's. What is the same for all is here: what the parts of a table
//! share, which slices are solved together, and where their pages go.

use std::{ops::Range, sync::Arc};

use super::{
    claims::PartFolder,
    layout::{layout, section},
    memory::{BATCH, sections, shares},
    own_pages::OwnPages,
    workbench::Workbench,
};
use crate::{
    board::Color,
    index::{Index, Material},
    solve::{
        engine::{
            pages::{Extent, LookupRound, PackedPages, Page, PageCache, PageCell, PageId, Paged},
            spill::Budget,
        },
        error::BuildError,
        goal::Goal,
        parts::{Layout, Part},
    },
    table::{TableError, TableWriter},
};

/// Where more memory is left for slices, they are solved together up to a number for so many bytes
/// of it: what they look into is read and put right for all of them at once. Four times the bits
/// that slices take a number, so most is left for packed pages.
const LEFT_A_NUMBER: u64 = 64;

/// What the parts of a table share while they are solved.
pub struct TableSolver<'a, C> {
    pub game: Arc<dyn Paged<Cell = C>>,
    pub material: Material,
    /// How its positions are numbered.
    pub index: Arc<Index>,
    /// What it looks into.
    pub cache: PageCache<'a, C>,
    /// Memory for slices while they are solved.
    pub budget: Budget,
    /// What all solvers work with.
    pub bench: &'a Workbench<'a>,
    layout: Layout,
    folder: PartFolder,
    own: Arc<OwnPages<C>>,
}

/// A part that is being solved, and its pages until it is written.
pub struct PartJob<C> {
    pub structures: Range<usize>,
    /// What it is called in messages.
    name: String,
    /// Its pages, packed as soon as they are solved.
    pub pages: Arc<PackedPages<C>>,
    /// The part itself, unless it is the table.
    part: Option<Part>,
}

impl<C> PartJob<C> {
    /// Whether the part is the whole table.
    pub fn is_whole(&self) -> bool {
        self.part.is_none()
    }
}

/// Slices that are solved together, and what they look into.
pub struct Batch {
    /// Their structures, all equally far on.
    pub structures: Range<usize>,
    /// What they look into; one round, unless there is a single slice.
    pub rounds: Vec<LookupRound>,
}

impl<'a, C: PageCell> TableSolver<'a, C> {
    /// The table of a material, of which nothing is solved.
    pub fn new(game: Arc<dyn Paged<Cell = C>>, goal: &Goal, bench: &'a Workbench<'a>) -> Self {
        let (&Goal { material, contents }, directories) = (goal, bench.directories);
        let index = Arc::new(game.index(&material));
        let layout = layout(&*game, &material, bench.part_size);
        let id = game.game().table_id(&material, contents);
        let folder = PartFolder::new(id, directories, bench.options);
        let (for_pages, for_slices) = shares(&*game, &material, bench.budget.left());
        let cache =
            PageCache::new(game.clone(), directories, contents, bench.budget.of_bytes(for_pages));
        let budget = bench.budget.of_bytes(for_slices);
        let parts = (folder.clone(), layout.clone());
        let blocks = directories.cache().clone();
        let own = Arc::new(OwnPages::new(game.clone(), material, index.clone(), parts, blocks));
        cache.begin(&material, index.clone(), own.clone());
        TableSolver { game, material, index, cache, budget, bench, layout, folder, own }
    }

    /// Begins a part; those it needs are there.
    pub fn begin(&self, part: &Part) -> PartJob<C> {
        let all = self.index.structures().map_or(1, |structures| structures.len());
        let structures = part.structures.start..part.structures.end.min(all);
        let sections = 2 * self.game.modes(&self.material);
        let pages = Arc::new(PackedPages::new(structures.clone(), self.size(), sections));
        self.own.begin(&pages);
        let (name, part) = match self.layout.is_one_piece() {
            true => (self.material.to_string(), None),
            false => (format!("{} {}", self.material, part.id), Some(part.clone())),
        };
        self.bench.progress.begin(&format!("solving {name}"), structures.len() as u64);
        PartJob { structures, name, pages, part }
    }

    /// How many numbers are solved together, if slices are smaller.
    pub fn together(&self) -> u64 {
        BATCH.max(self.budget.left() / LEFT_A_NUMBER)
    }

    /// How many numbers a structure has.
    pub fn size(&self) -> u64 {
        self.index.structure_range(0).end
    }

    /// Structures that are solved together: equally far on, and with at most so many numbers if
    /// they can be so small.
    pub fn batches(&self, structures: Range<usize>, numbers: u64) -> Vec<Range<usize>> {
        equally_far(&self.index, structures, (numbers / self.size()).max(1) as usize)
    }

    /// Some structures in batches that look into no more from a mode than there is room for in one
    /// round, halved until that is so or single slices are left: fewer slices look into fewer
    /// pages, and every round takes another look at their turns.
    pub fn in_one_round(
        &self,
        mode: usize,
        structures: Range<usize>,
    ) -> Result<Vec<Batch>, BuildError> {
        let reached = self.cache.reached(&self.material, structures.clone())?;
        let rounds = self.cache.rounds(mode, &reached)?;
        if rounds.len() <= 1 || structures.len() <= 1 {
            return Ok(vec![Batch { structures, rounds }]);
        }
        let middle = structures.start + structures.len() / 2;
        let mut batches = self.in_one_round(mode, structures.start..middle)?;
        batches.extend(self.in_one_round(mode, middle..structures.end)?);
        Ok(batches)
    }

    /// How many entries a part has in each section.
    pub fn entries(&self, job: &PartJob<C>) -> u64 {
        job.structures.len() as u64 * self.size()
    }

    /// How many cells a part has in all sections.
    fn cells(&self, job: &PartJob<C>) -> u64 {
        self.entries(job) * sections(&*self.game, &self.material)
    }

    /// Adds a page of the part being solved, in the order of the index.
    ///
    /// # Panics
    /// If it is there already.
    pub fn put(
        &self,
        job: &PartJob<C>,
        (mode, side): (usize, Color),
        structure: usize,
        page: &Page<C>,
    ) -> Result<(), BuildError> {
        let id = PageId { material: self.material, structure, mode, side };
        job.pages.put(section(mode, side), structure, page, &self.budget)?;
        self.cache.keep((id, Extent::Whole), page);
        Ok(())
    }

    /// Begins the file of a part, whose cells are written `times` in all, as progress counts them.
    pub fn writer(&self, job: &PartJob<C>, times: u64) -> Result<TableWriter, TableError> {
        let writer = self.folder.writer(job.part.as_ref())?;
        self.bench.progress.begin(&format!("writing {}", job.name), times * self.cells(job));
        Ok(writer)
    }
}

/// Structures of an index that are equally far on, at most so many together.
fn equally_far(index: &Index, structures: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let ranks = |n| index.structures().map_or(0, |s| s.ranks_to_go(n));
    let mut batches: Vec<Range<usize>> = Vec::new();
    for structure in structures {
        match batches.last_mut() {
            Some(batch) if batch.len() < most && ranks(batch.start) == ranks(structure) => {
                batch.end += 1;
            }
            _ => batches.push(structure..structure + 1),
        }
    }
    batches
}

//! The pages of the table being solved.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, Mutex, Weak},
};

use rustc_hash::FxHashMap;

use super::{claims::PartFolder, layout::section};
use crate::{
    board::Color,
    index::{Index, Material},
    lock::lock,
    solve::{
        engine::pages::{
            FinishedPages, PackedPages, PageCell, PageId, Paged, SectionEntries, section_entries,
        },
        error::BuildError,
        parts::{Layout, Part, PartId},
    },
    table::{BlockCache, Table},
};

/// The pages of the table being solved: those of the part that is being solved, and the finished
/// parts, opened as they are asked for.
pub struct OwnPages<C> {
    game: Arc<dyn Paged<Cell = C>>,
    material: Material,
    index: Arc<Index>,
    folder: PartFolder,
    distances: bool,
    layout: Layout,
    cache: BlockCache,
    open: Mutex<FxHashMap<PartId, OpenPart<C>>>,
    /// Those of the part that is being solved, as long as it is.
    solved: Mutex<Weak<PackedPages<C>>>,
}

/// A finished part, with the sections that were asked for.
struct OpenPart<C> {
    table: Table,
    entries: FxHashMap<usize, Arc<SectionEntries<C>>>,
}

impl<C: PageCell> OwnPages<C> {
    /// Those of a material's table, cut like this, whose finished parts are in `folder`.
    pub fn new(
        game: Arc<dyn Paged<Cell = C>>,
        material: Material,
        index: Arc<Index>,
        (folder, layout): (PartFolder, Layout),
        cache: BlockCache,
    ) -> OwnPages<C> {
        let distances = game.has_distances(folder.contents());
        let (open, solved) = (Mutex::default(), Mutex::new(Weak::new()));
        OwnPages { game, material, index, folder, distances, layout, cache, open, solved }
    }

    /// From now on the pages of the part being solved are these, as long as they are kept.
    pub fn begin(&self, solved: &Arc<PackedPages<C>>) {
        *lock(&self.solved) = Arc::downgrade(solved);
    }

    /// The entries of a finished part for a mode and side to move.
    fn entries(
        &self,
        part: &Part,
        mode: usize,
        side: Color,
    ) -> Result<Arc<SectionEntries<C>>, BuildError> {
        let table = {
            let mut open = lock(&self.open);
            let OpenPart { table, entries } = match open.entry(part.id) {
                Entry::Occupied(open) => open.into_mut(),
                Entry::Vacant(place) => {
                    let table = self.folder.open(part, &self.cache)?;
                    place.insert(OpenPart { table, entries: FxHashMap::default() })
                }
            };
            if let Some(entries) = entries.get(&section(mode, side)) {
                return Ok(entries.clone());
            }
            table.clone()
        };
        // Not under the lock: while a palette is read, this thread may read another page.
        let count = part.structures.len() as u64 * self.index.structure_range(0).end;
        let wanted = (count, self.distances);
        let entries = section_entries(&*self.game, &table, &self.material, (mode, side), wanted)?;
        let entries = Arc::new(entries);
        if let Some(open) = lock(&self.open).get_mut(&part.id) {
            open.entries.insert(section(mode, side), entries.clone());
        }
        Ok(entries)
    }
}

impl<C: PageCell> FinishedPages<C> for Arc<OwnPages<C>> {
    fn read(&self, id: PageId, page: &mut [C]) -> Result<(), BuildError> {
        let PageId { structure, mode, side, .. } = id;
        let solved = lock(&self.solved).upgrade();
        if let Some(solved) = solved.filter(|pages| pages.has(section(mode, side), structure)) {
            solved.page(section(mode, side), structure, page);
            return Ok(());
        }
        let part = self.layout.holding(structure).expect("every structure has a part");
        let start = (structure - part.structures.start) as u64 * self.index.structure_range(0).end;
        Ok(self.entries(part, mode, side)?.read(start, page)?)
    }
}

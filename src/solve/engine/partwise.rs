//! Tables solved part by part: each with only what it looks into unpacked, and packed at once.
//!
//! How a part is solved is the game's; who takes which part, where its pages go and how they come
//! into the file is the same for all.

use std::{
    collections::hash_map::Entry,
    ops::Range,
    sync::{Arc, Mutex},
    time::Duration,
};

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::{
    entries::Entries,
    ladder_file::Scores,
    packed::PackedPages,
    paged::Paged,
    scratch::Budget,
    slice::Slice,
    stock::{Finished, Stock},
    values::{Extent, Page, PageId},
};
use crate::{
    answer::{
        Tabled,
        score::Store,
        sections::{REPEATS, section_name},
    },
    board::Color,
    index::{Index, Material, Structures},
    lock::lock,
    solve::{BuildError, Layout, Part, PartFolder, PartId, Solve, Workbench},
    table::{BlockCache, Table, TableError, TableWriter, WriterOptions},
};

/// How long to wait before looking again whether another process has finished a part.
const PATIENCE: Duration = Duration::from_millis(200);

/// How the table of a material is cut into parts of at most `part_size` numbers.
pub fn layout<G: Paged>(game: &G, material: &Material, part_size: u64) -> Layout {
    if !(game.in_parts() && material.has_pawns() && game.numbers(material) > part_size) {
        return Layout::one_piece();
    }
    let [white, black] = material.pawns();
    // Without an index: going through all structures takes long where there are many pawns.
    let by_ranks = Structures::count_by_ranks(white, black, game.group(material));
    Layout::of(&by_ranks, game.slice_numbers(material), part_size, G::MANY_PARTS)
}

/// Slices are solved together up to so many numbers, whatever the memory.
pub const BATCH: u64 = 1 << 20;

/// Where more memory is left for slices, up to a number for so many bytes of it: what they look into
/// is read and put right for all of them at once.
const LEFT_A_NUMBER: u64 = 64;

/// The memory that solving part by part takes, in bytes.
pub struct Needed {
    /// With as much as it can use.
    pub memory: u64,
    /// At least, to keep to what is allowed.
    pub least: u64,
}

/// How much memory the table of a material takes, about, whose slices take so many bits for each
/// number while they are solved, up to `together` numbers at a time.
pub fn needed<G: Paged>(
    game: &G,
    material: &Material,
    together: u64,
    bits_a_number: u64,
) -> Needed {
    let slice = game.slice_numbers(material);
    // Like men have more lanes than numbers where one of them runs.
    let lanes = Slice::lanes(&material.men(), game.group(material), &game.laws());
    let page = |material: &Material| game.slice_numbers(material) * size_of::<G::Cell>() as u64;
    let around = game.game().needs(material);
    let largest = around.iter().map(page).fold(page(material), u64::max);
    let slices = (BATCH / slice).max(1);
    // At most so many of a table in each of its modes. Where both sides have pawns, what these lead
    // to is looked into with one side to move: who has promoted is not.
    let pages = |material: &Material, most: u64, share: u64| {
        let structures = game.numbers(material) / game.slice_numbers(material);
        let modes = game.modes(material);
        let sections: usize = (0..modes).map(|mode| game.sides(material, mode).len()).sum();
        (most * modes as u64).min(structures * sections as u64 / share) * page(material)
    };
    // With pawns also its own pages, of which those of some batches before stay.
    let own = if material.has_pawns() { pages(material, 16 * slices, 1) } else { 0 };
    let (behind, share) = match material.has_pawns_on_both_sides() {
        true => (behind(game, &around), 2),
        false => (Vec::new(), 1),
    };
    let around = around.iter().map(|material| pages(material, 4 * slices, share));
    let behind = behind.iter().map(|material| pages(material, 4 * slices, 1));
    let pages = own + around.sum::<u64>() + behind.sum::<u64>();
    let together = slice.max(together).min(game.numbers(material));
    let block = WriterOptions::default().block_len as u64;
    let packing = if game.numbers(material) < 2 * block { 0 } else { PACKING };
    let slices = lanes * bits_a_number / 8;
    Needed {
        memory: BASE + packing + together.div_ceil(slice) * slices + pages,
        least: BASE.max(match single_slice_pages(game, material) {
            Some(pages) => (slices + pages) * SIXTEENTHS / (PAGES_SHARE + SLICES_SHARE),
            // A round takes half of what pages have, and has room for a few.
            None => {
                let pages = 2 * 2 * largest * SIXTEENTHS / PAGES_SHARE;
                pages.max(slices * SIXTEENTHS / SLICES_SHARE)
            }
        }),
    }
}

/// The materials behind some: where captures and promotions are left out, what they lead to is
/// looked up too. They are the other side's, so without its pawns there is little behind.
fn behind<G: Paged>(game: &G, around: &[Material]) -> Vec<Material> {
    let mut all = around.to_vec();
    let mut next = 0;
    while let Some(material) = all.get(next).copied() {
        if game.leaves_out(&material) {
            for after in game.game().needs(&material) {
                if !all.contains(&after) {
                    all.push(after);
                }
            }
        }
        next += 1;
    }
    all.split_off(around.len())
}

/// What every build takes, about, however small the table.
const BASE: u64 = 16 << 20;

/// What packing takes on two cores at the default level, where each of them has a whole block.
const PACKING: u64 = 8 << 20;

/// What the memory is shared in. Unpacked blocks have two sixteenths, and as much is left for what
/// nobody counts.
const SIXTEENTHS: u64 = 16;

/// The sixteenths that pages have.
const PAGES_SHARE: u64 = 7;

/// The sixteenths that slices have while they are solved, and packed pages.
const SLICES_SHARE: u64 = 5;

/// The room for all pages of a table that is one slice of one mode, so that it meets all turns in one
/// round; `None` for other tables.
fn single_slice_pages<G: Paged>(game: &G, material: &Material) -> Option<u64> {
    if material.has_pawns() || game.modes(material) > 1 {
        return None;
    }
    let pages = |material: &Material| -> u64 {
        let modes = 0..game.modes(material);
        let sections: u64 = modes.map(|mode| game.sides(material, mode).len() as u64).sum();
        sections * game.numbers(material) * size_of::<G::Cell>() as u64
    };
    let around: u64 = game.game().needs(material).iter().map(pages).sum();
    let own = if G::FROM_SLICE { 0 } else { pages(material) };
    // A round takes half of what pages have.
    Some(2 * (around + own))
}

/// How much of the memory pages have, and how much slices.
fn shares<G: Paged>(game: &G, material: &Material, memory: u64) -> (u64, u64) {
    let (pages, slices) = (memory / SIXTEENTHS * PAGES_SHARE, memory / SIXTEENTHS * SLICES_SHARE);
    match single_slice_pages(game, material) {
        // What these leave is the slice's.
        Some(most) if most < pages => (most, pages + slices - most),
        _ => (pages, slices),
    }
}

/// A table that is being solved part by part.
pub struct Partwise<'a, G: Paged> {
    /// The game.
    pub game: &'a G,
    /// The table's material.
    pub material: Material,
    /// How its positions are numbered.
    pub index: Arc<Index>,
    /// What it looks into.
    pub stock: Stock<'a, G>,
    /// Memory for slices while they are solved.
    pub budget: Budget,
    /// What all solvers work with.
    pub bench: &'a Workbench<'a>,
    layout: Layout,
    folder: PartFolder,
    pages: Arc<Pages<'a, G>>,
}

/// A part that is being solved.
pub struct Job {
    /// Its structures.
    pub structures: Range<usize>,
    /// What it is called in messages.
    pub name: String,
    /// The part itself, unless it is the table.
    part: Option<Part>,
}

impl<'a, G: Paged> Partwise<'a, G> {
    /// The table of a material.
    pub fn new(game: &'a G, material: &Material, bench: &'a Workbench<'a>) -> Self {
        let index = Arc::new(game.index(material));
        let layout = layout(game, material, bench.part_size);
        let memory = bench.budget.left();
        let (for_pages, for_slices) = shares(game, material, memory);
        let stock = Stock::new(game, bench, for_pages);
        let folder =
            PartFolder::new(game.game().table_id(material), bench.directories, bench.options);
        let pages = Arc::new(Pages {
            game,
            material: *material,
            index: index.clone(),
            folder: folder.clone(),
            layout: layout.clone(),
            cache: bench.directories.cache().clone(),
            open: Mutex::default(),
            solved: Mutex::default(),
        });
        stock.begin(material, index.clone(), pages.clone());
        let budget = bench.budget.of_bytes(for_slices);
        Partwise { game, material: *material, index, stock, budget, bench, layout, folder, pages }
    }

    /// Solves the table and writes it, in one piece or part by part, or just one `part`, for which
    /// those it needs are there. `solve` solves a part and [puts](Partwise::put) its pages.
    ///
    /// # Errors
    /// If a table or part it needs is missing or damaged, or room is lacking.
    pub fn build(
        &self,
        part: Option<&Part>,
        solve: impl Fn(&Job) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        match part {
            Some(part) => self.build_part(part, solve),
            None => self.build_all(solve),
        }
    }

    /// Solves the table and writes it.
    fn build_all(&self, solve: impl Fn(&Job) -> Result<(), BuildError>) -> Result<(), BuildError> {
        if self.layout.is_one_piece() {
            return self.build_part(&self.layout.parts()[0], solve);
        }
        let folder = self.folder.clone().replacing_damaged();
        while !folder.is_joined() {
            let missing: Vec<&Part> =
                self.layout.parts().iter().filter(|part| !folder.has(part)).collect();
            let Some(first) = missing.first() else {
                if let Some(_claim) = folder.claim("join")? {
                    folder.join(&self.layout)?;
                    folder.remove();
                } else {
                    std::thread::sleep(PATIENCE);
                }
                continue;
            };
            // Those of a group need nothing of each other; what comes later needs them all.
            let group = missing.iter().filter(|part| part.id.group == first.id.group);
            let mut worked = false;
            for part in group {
                let Some(_claim) = folder.claim(&part.id.to_string())? else { continue };
                // Somebody may have finished it before it was claimed, and parts go once the table has come.
                if !folder.has(part) && !folder.is_joined() {
                    self.build_part(part, &solve)?;
                }
                worked = true;
            }
            if !worked {
                std::thread::sleep(PATIENCE);
            }
        }
        Ok(())
    }

    /// Solves one part and writes it; those it needs are there.
    fn build_part(
        &self,
        part: &Part,
        solve: impl Fn(&Job) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let all = self.index.structures().map_or(1, |structures| structures.len());
        let structures = part.structures.start..part.structures.end.min(all);
        let sections = 2 * self.game.modes(&self.material);
        let solved = PackedPages::new(structures.clone(), self.size(), sections);
        *lock(&self.pages.solved) = Some(Arc::new(solved));
        let job = match self.layout.is_one_piece() {
            true => Job { structures, name: self.material.to_string(), part: None },
            false => {
                let name = format!("{} {}", self.material, part.id);
                Job { structures, name, part: Some(part.clone()) }
            }
        };
        let steps = job.structures.len() as u64;
        self.bench.progress.begin(&format!("solving {}", job.name), steps);
        solve(&job)?;
        *lock(&self.pages.solved) = None;
        Ok(())
    }

    /// Solves what others are solving of the same table, cut in the same way; it is theirs to write it.
    ///
    /// # Errors
    /// As [`build`](Partwise::build).
    pub fn solve_along(
        &self,
        job: &Job,
        solve: impl Fn(&Job) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let whole = || self.layout.parts()[0].clone();
        self.build_part(&job.part.clone().unwrap_or_else(whole), solve)
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
        let most = (numbers / self.size()).max(1) as usize;
        let ranks = |n| self.index.structures().map_or(0, |s| s.ranks_to_go(n));
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

    /// How many entries a part has in each section.
    pub fn entries(&self, job: &Job) -> u64 {
        job.structures.len() as u64 * self.size()
    }

    /// How many cells a part has in all sections.
    pub fn cells(&self, job: &Job) -> u64 {
        let Partwise { game, material, .. } = self;
        let modes = 0..game.modes(material);
        let sections: usize = modes.map(|mode| game.sides(material, mode).len()).sum();
        self.entries(job) * sections as u64
    }

    /// Adds a page of the part being solved, in the order of the index.
    ///
    /// # Errors
    /// If memory is lacking.
    ///
    /// # Panics
    /// If it is there already.
    pub fn put(
        &self,
        mode: usize,
        side: Color,
        structure: usize,
        page: &Page<G::Cell>,
    ) -> Result<(), BuildError> {
        let id = PageId { material: self.material, structure, mode, side };
        self.pages.solved().put(section(mode, side), structure, page, &self.budget)?;
        self.stock.keep((id, Extent::Whole), page);
        Ok(())
    }

    /// Begins the file of a part.
    ///
    /// # Errors
    /// If it cannot be made where it belongs.
    pub fn writer(&self, job: &Job) -> Result<TableWriter, TableError> {
        match &job.part {
            Some(part) => self.folder.writer(part),
            None => self.bench.writer(&self.game.game().table_id(&self.material)),
        }
    }

    /// The pages of the part being solved.
    pub fn solved(&self) -> Arc<PackedPages<G::Cell>> {
        self.pages.solved()
    }
}

impl<G: Paged<Cell: Store>> Partwise<'_, G> {
    /// Writes a part, all pages of which are there; see [`write_sections`](Partwise::write_sections).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        job: &Job,
        decided: impl Fn(usize, Color, u64) -> bool + Sync,
    ) -> Result<(), BuildError> {
        let mut writer = self.writer(job)?;
        self.bench.progress.begin(&format!("writing {}", job.name), self.cells(job));
        self.write_sections(job, &mut writer, decided)?;
        writer.finish()?;
        Ok(())
    }

    /// Writes the sections of a part. `decided` says, for a mode, a side to move and a number,
    /// whether what tables leave out makes its cell.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_sections(
        &self,
        job: &Job,
        writer: &mut TableWriter,
        decided: impl Fn(usize, Color, u64) -> bool + Sync,
    ) -> Result<(), BuildError> {
        let Partwise { game, material, index, bench, .. } = self;
        let solved = self.solved();
        let (size, modes) = (self.size(), 0..game.modes(material));
        let entries = self.entries(job);
        let first = job.structures.start as u64 * size;
        let mut repeats: Map<String, Value> = Map::new();
        for mode in modes {
            let sides = game.sides(material, mode);
            let name = |mode, side| section_name(side, &game.suffix(material, mode));
            // What is left out here must be left out of the whole table.
            let same = game.repeats(mode).filter(|&before| {
                let equal =
                    |&side: &Color| solved.are_equal([section(before, side), section(mode, side)]);
                job.part.is_none() && sides.iter().all(equal)
            });
            for &side in sides {
                let name_here = name(mode, side);
                if let Some(same) = same {
                    let same = name(same, side);
                    let first = repeats.get(&same).cloned().unwrap_or(Value::String(same));
                    repeats.insert(name_here, first);
                    bench.progress.advance(entries);
                    continue;
                }
                let section = section(mode, side);
                let scores = Scores {
                    name: name_here,
                    side,
                    entries,
                    slice: index.structures().map(|_| size),
                    distinct: solved.distinct(section),
                };
                let cells = |range: Range<u64>| {
                    let cells = solved.range(section, range.clone());
                    let numbers = range.map(|number| first + number);
                    let with_decided = |(number, cell)| (cell, decided(mode, side, number));
                    numbers.zip(cells).map(with_decided).collect()
                };
                scores.write(writer, cells, bench)?;
            }
        }
        let repeating = (0..game.modes(material)).any(|mode| game.repeats(mode).is_some());
        if repeating && job.part.is_none() {
            writer.meta().insert(REPEATS.to_owned(), Value::Object(repeats));
        }
        Ok(())
    }
}

/// The number of the section of a mode and side to move.
pub fn section(mode: usize, side: Color) -> usize {
    2 * mode + side.index()
}

/// The pages of the table being solved: those of the part that is being solved, and the finished
/// parts, opened as they are asked for.
struct Pages<'a, G: Paged> {
    game: &'a G,
    material: Material,
    index: Arc<Index>,
    folder: PartFolder,
    layout: Layout,
    cache: BlockCache,
    open: Mutex<FxHashMap<PartId, OpenPart<G::Meanings>>>,
    solved: Mutex<Option<Arc<PackedPages<G::Cell>>>>,
}

/// A finished part, with the sections that were asked for.
struct OpenPart<M> {
    table: Table,
    entries: FxHashMap<usize, Arc<Entries<M>>>,
}

impl<G: Paged> Pages<'_, G> {
    fn solved(&self) -> Arc<PackedPages<G::Cell>> {
        lock(&self.solved).clone().expect("a part is being solved")
    }

    /// The entries of a finished part for a mode and side to move.
    fn entries(
        &self,
        part: &Part,
        mode: usize,
        side: Color,
    ) -> Result<Arc<Entries<G::Meanings>>, BuildError> {
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
        let entries = Entries::open(self.game, &table, &self.material, (mode, side), count)?;
        let entries = Arc::new(entries);
        if let Some(open) = lock(&self.open).get_mut(&part.id) {
            open.entries.insert(section(mode, side), entries.clone());
        }
        Ok(entries)
    }
}

impl<G: Paged> Finished<G::Cell> for Arc<Pages<'_, G>> {
    fn read(&self, id: PageId, page: &mut [G::Cell]) -> Result<(), BuildError> {
        let PageId { structure, mode, side, .. } = id;
        let solved = lock(&self.solved).clone();
        if let Some(solved) = solved.filter(|pages| pages.has(section(mode, side), structure)) {
            solved.page(section(mode, side), structure, page);
            return Ok(());
        }
        let part = self.layout.holding(structure).expect("every structure has a part");
        let start = (structure - part.structures.start) as u64 * self.index.structure_range(0).end;
        Ok(self.entries(part, mode, side)?.read(start, page)?)
    }
}

//! The tables a solver looks into, page by page, in bounded memory.
//!
//! Pages are read from the files of tables, or of the parts of the table being solved, when they
//! are asked for, and kept as long as there is room. A page that a table does not tell in full is
//! put right first, by way of other pages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    conversions::Conversions,
    ladder_game::LadderGame,
    library::Library,
    reach::{Outline, Reach},
    scratch::Budget,
    values::{Page, PageId, Values, bring_some_into_order},
};
use crate::{
    answer::{
        Outcome, TableId,
        place::table_sides,
        score::{Store, offer},
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::{Index, Material},
    solve::{BuildError, Workbench},
    table::{Stretches, TableError, Width},
};

/// A ladder game whose tables are solved and read slice by slice.
pub trait Paged: LadderGame {
    /// What the names of sections have behind the side to move.
    const SUFFIX: &'static str;

    /// Whether tables leave out what captures and promotions decide.
    const LEAVES_OUT: bool;

    /// What identifies the table of a material.
    fn id(&self, material: &Material) -> TableId;

    /// The tables one turn away.
    fn next_tables(&self, material: &Material) -> Vec<Material>;
}

/// Some of the pages that solving takes: what is looked up in one go.
pub struct Round {
    /// The pages.
    pub pages: Vec<PageId>,
    /// Whether turns are met whose position is looked up.
    pub plain: bool,
    /// Whether turns are met whose position is looked ahead.
    pub passing: bool,
}

/// Where the cells of a table are read from.
struct Source {
    index: Arc<Index>,
    sides: usize,
    infinite: i32,
    files: Files,
}

enum Files {
    /// A finished table, with the cells of each side to move.
    Table(Vec<Stretches>),
    /// The table being solved, of which some parts are finished.
    Parts(Box<dyn PartFiles>),
}

/// The finished parts of a table.
pub trait PartFiles: Send + Sync {
    /// The cells of the part that has a structure, per side to move, and the first structure.
    ///
    /// # Errors
    /// If there is no such part, or it is damaged.
    fn holding(&self, structure: usize) -> Result<(usize, Vec<Stretches>), BuildError>;
}

/// The pages that are kept.
struct Kept<S> {
    pages: FxHashMap<PageId, (Page<S>, u64)>,
    /// Counts up with every use.
    now: u64,
}

/// The tables a solver looks into, page by page.
pub struct Stock<'a, G: Paged> {
    game: &'a G,
    bench: &'a Workbench<'a>,
    budget: Budget,
    capacity: u64,
    sources: Mutex<FxHashMap<Material, Arc<Source>>>,
    kept: Mutex<Kept<G::Store>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, G: Paged> Stock<'a, G> {
    /// Nothing yet, and room for `capacity` bytes of pages.
    pub fn new(game: &'a G, bench: &'a Workbench<'a>, capacity: u64) -> Stock<'a, G> {
        Stock {
            game,
            bench,
            budget: bench.budget.of_bytes(capacity),
            capacity,
            sources: Mutex::default(),
            kept: Mutex::new(Kept { pages: FxHashMap::default(), now: 0 }),
        }
    }

    /// Adds the table being solved, of which parts are finished as they are asked for.
    pub fn begin(&self, material: &Material, index: Arc<Index>, parts: Box<dyn PartFiles>) {
        let sides = table_sides(material, self.game.swaps_colors());
        let infinite = self.game.infinite(material);
        let source = Source { index, sides, infinite, files: Files::Parts(parts) };
        lock(&self.sources).insert(*material, Arc::new(source));
    }

    fn source(&self, material: &Material) -> Result<Arc<Source>, BuildError> {
        if let Some(source) = lock(&self.sources).get(material) {
            return Ok(source.clone());
        }
        let id = self.game.id(material);
        let table = self.bench.shelf.open(&id)?;
        let index = Arc::new(self.game.index(material));
        let sides = table_sides(material, self.game.swaps_colors());
        let cells = Color::ALL[..sides]
            .iter()
            .map(|&side| sized_stretches(&table, &section_name(side, G::SUFFIX), index.len()));
        let files = Files::Table(cells.collect::<Result<_, _>>()?);
        let infinite = self.game.infinite(material);
        let source = Arc::new(Source { index, sides, infinite, files });
        Ok(lock(&self.sources).entry(*material).or_insert(source).clone())
    }

    /// The page that has the positions of an outline after a turn of `mover`; `None` if the game
    /// is over with these men.
    fn page_after(&self, after: &Outline, mover: Color) -> Result<Option<PageId>, BuildError> {
        if self.game.over_by_men(&after.material).is_some() {
            return Ok(None);
        }
        let swaps = self.game.swaps_colors();
        let named = if swaps { after.material.stronger_first() } else { after.material };
        let equal = swaps && after.material == after.material.swap_colors();
        let to_move = !mover;
        let swapped = named != after.material || equal && to_move == Color::Black;
        let (outline, side) =
            if swapped { (after.swap_colors(), !to_move) } else { (*after, to_move) };
        let source = self.source(&named)?;
        let structure = source.index.structures().map_or(0, |s| s.number(outline.pawns).0);
        Ok(Some(PageId { material: named, structure, side }))
    }

    fn pages(&self, reach: &FxHashSet<(Outline, Color)>) -> Result<Vec<PageId>, BuildError> {
        let pages = reach.iter().map(|(after, mover)| self.page_after(after, *mover));
        let mut pages: Vec<PageId> =
            pages.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        pages.sort_unstable();
        pages.dedup();
        Ok(pages)
    }

    fn outline(&self, material: &Material, structure: usize) -> Result<Outline, BuildError> {
        let index = &self.source(material)?.index;
        let pawns = index.structures().map_or_else(Default::default, |s| s.pawns(structure));
        Ok(Outline { material: *material, pawns })
    }

    /// The pages that all turns out of some slices lead to, with the sides to move that count, in
    /// as many rounds as there must be for the pages of each to fit the room.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn rounds(
        &self,
        material: &Material,
        structures: impl Iterator<Item = usize>,
    ) -> Result<Vec<Round>, BuildError> {
        let mut reach = Reach::default();
        for structure in structures {
            let outline = self.outline(material, structure)?;
            Color::ALL.iter().for_each(|&side| outline.reach(side, &self.game.laws(), &mut reach));
        }
        self.divide(&reach)
    }

    fn divide(&self, reach: &Reach) -> Result<Vec<Round>, BuildError> {
        let (plain, passing) = (self.pages(&reach.plain)?, self.pages(&reach.passing)?);
        let most = self.capacity / 2;
        let mut all = [plain.clone(), passing.clone()].concat();
        all.sort_unstable();
        all.dedup();
        let bytes = all.iter().map(|page| self.page_bytes(page)).sum::<Result<u64, _>>()?;
        if bytes <= most {
            return Ok(vec![Round { pages: all, plain: true, passing: true }]);
        }
        let mut rounds = Vec::new();
        let mut taken = 0;
        for page in plain {
            let bytes = self.page_bytes(&page)?;
            if rounds.is_empty() || taken + bytes > most {
                rounds.push(Round { pages: Vec::new(), plain: true, passing: false });
                taken = 0;
            }
            taken += bytes;
            rounds.last_mut().expect("one has been begun").pages.push(page);
        }
        if !passing.is_empty() {
            rounds.push(Round { pages: passing, plain: false, passing: true });
        }
        Ok(rounds)
    }

    fn page_bytes(&self, page: &PageId) -> Result<u64, BuildError> {
        let size = self.source(&page.material)?.index.structure_range(0).end;
        Ok(size * size_of::<G::Store>() as u64)
    }

    /// The tables around a material, with the pages of a round; all rounds are told so that a page
    /// of none of them is noticed.
    ///
    /// # Errors
    /// If a table is missing or damaged, or scratch space is lacking.
    pub fn library(
        &self,
        material: &Material,
        rounds: &[Round],
        round: usize,
    ) -> Result<Library<G::Store>, BuildError> {
        let mut tables: FxHashMap<Material, Values<G::Store>> = FxHashMap::default();
        for material in self.game.next_tables(material).into_iter().chain([*material]) {
            let source = self.source(&material)?;
            tables.insert(material, Values::empty(source.index.clone(), source.sides));
        }
        let mut library = Library::new();
        let Round { pages, plain, passing } = &rounds[round];
        (library.plain, library.passing) = (*plain, *passing);
        for (other, Round { pages, .. }) in rounds.iter().enumerate() {
            if other != round {
                library.elsewhere.extend(pages);
            }
        }
        // Large pages are put right by all threads, small ones by one each.
        let pages = pages.par_iter().map(|&id| Ok((id, self.page(id)?)));
        for (id, page) in pages.collect::<Result<Vec<_>, BuildError>>()? {
            let values = match tables.get_mut(&id.material) {
                Some(values) => values,
                None => {
                    // Two turns away, for looking ahead.
                    let source = self.source(&id.material)?;
                    let values = Values::empty(source.index.clone(), source.sides);
                    tables.entry(id.material).or_insert(values)
                }
            };
            values.put_page(id.structure, id.side, page);
        }
        for (material, values) in tables {
            library.add(material, Arc::new(values));
        }
        Ok(library)
    }

    /// A page, put right.
    fn page(&self, id: PageId) -> Result<Page<G::Store>, BuildError> {
        {
            let mut kept = lock(&self.kept);
            kept.now += 1;
            let now = kept.now;
            if let Some((page, used)) = kept.pages.get_mut(&id) {
                *used = now;
                return Ok(page.clone());
            }
        }
        let source = self.source(&id.material)?;
        let mut page = self.room((source.index.structure_range(0).end) as usize)?;
        source.read(id, &mut page)?;
        if G::LEAVES_OUT {
            self.put_right(id, &source.index, &mut page)?;
        }
        let page = Arc::new(page);
        self.keep(id, &page);
        Ok(page)
    }

    /// Puts back what a page leaves out.
    fn put_right(
        &self,
        id: PageId,
        index: &Index,
        page: &mut [G::Store],
    ) -> Result<(), BuildError> {
        let mut reach = Reach::default();
        let outline = self.outline(&id.material, id.structure)?;
        outline.reach_by_change(id.side, &self.game.laws(), &mut reach);
        let rounds = self.divide(&reach)?;
        for round in 0..rounds.len() {
            let library = self.library(&id.material, &rounds, round)?;
            let conversions = Conversions::new(self.game, &id.material, &library);
            let slice = conversions.slice(index, id.structure);
            let start = index.structure_range(id.structure).start;
            // Class by class of the leading men, as many at a time as there is room for.
            let classes = slice.classes_like(index).unwrap_or(1);
            let (words, numbers) = (slice.words() / classes, page.len() / classes);
            let bytes = (words * 64 + numbers) * size_of::<G::Store>();
            let together = (self.capacity as usize / 8 / bytes).clamp(1, classes);
            for (first, page) in (0..).step_by(together).zip(page.chunks_mut(together * numbers)) {
                let words = first * words..(first * words + together * words).min(slice.words());
                let origin = words.start * 64;
                let options = conversions.all_left_out(&slice, id.side, words);
                let mut in_order = vec![G::Store::NONE; page.len()];
                let number = start + (first * numbers) as u64;
                bring_some_into_order(index, number, &slice, (origin, &options), &mut in_order);
                for (cell, option) in page.iter_mut().zip(in_order) {
                    if option != G::Store::NONE {
                        offer(cell, id.side, option);
                    }
                }
            }
        }
        Ok(())
    }

    /// Room for a page, if need be instead of others that nobody uses.
    ///
    /// # Errors
    /// If there is none in memory nor on the disk.
    pub fn room(&self, cells: usize) -> Result<super::scratch::Scratch<G::Store>, BuildError> {
        let bytes = (cells * size_of::<G::Store>()) as u64;
        let mut kept = lock(&self.kept);
        if self.budget.left() < bytes {
            kept.forget(bytes + self.capacity / 8);
        }
        Ok(self.budget.array(cells, G::Store::NONE)?)
    }

    /// Keeps a page as long as there is room.
    pub fn keep(&self, id: PageId, page: &Page<G::Store>) {
        let mut kept = lock(&self.kept);
        kept.now += 1;
        let now = kept.now;
        kept.pages.insert(id, (page.clone(), now));
    }
}

impl<S: Store> Kept<S> {
    /// Forgets pages that nobody uses, those used longest ago first, until `bytes` are free.
    fn forget(&mut self, bytes: u64) {
        let idle = self.pages.iter().filter(|(_, (page, _))| Arc::strong_count(page) == 1);
        let mut idle: Vec<(u64, PageId)> = idle.map(|(&id, &(_, used))| (used, id)).collect();
        idle.sort_unstable();
        let mut freed = 0;
        for (_, id) in idle {
            if freed >= bytes {
                return;
            }
            let (page, _) = self.pages.remove(&id).expect("it has just been found there");
            freed += size_of_val(&**page) as u64;
        }
    }
}

impl Source {
    /// Reads the cells of a page as they are stored.
    fn read<S: Store>(&self, id: PageId, page: &mut [S]) -> Result<(), BuildError> {
        let start = self.index.structure_range(id.structure).start;
        match &self.files {
            Files::Table(sides) => Ok(self.copy(&sides[id.side.index()], start, page)?),
            Files::Parts(parts) => {
                let (first, sides) = parts.holding(id.structure)?;
                let start = start - self.index.structure_range(first).start;
                Ok(self.copy(&sides[id.side.index()], start, page)?)
            }
        }
    }

    /// Copies cells from entry `start` on.
    fn copy<S: Store>(
        &self,
        from: &Stretches,
        start: u64,
        page: &mut [S],
    ) -> Result<(), TableError> {
        const PIECE: usize = 1 << 18;
        page.par_chunks_mut(PIECE).enumerate().try_for_each(|(piece, mut out)| {
            let mut number = start + (piece * PIECE) as u64;
            while !out.is_empty() {
                let (first, cells) = from.holding(number);
                let left = (first + cells.entries()).saturating_sub(number);
                let count = out.len().min(left as usize);
                if count == 0 {
                    // The size has been checked, so this is an error that says where.
                    return cells.get(number - first).map(|_| ());
                }
                let (now, rest) = out.split_at_mut(count);
                let palette: Vec<S> = cells
                    .palette()
                    .unwrap_or_default()
                    .iter()
                    .map(|&packed| S::keep(Outcome::unpack(packed).score::<S>(self.infinite)))
                    .collect();
                let width = cells.section().width;
                let mut bytes = vec![0; count * width.bytes()];
                cells.read_from(number - first, &mut bytes)?;
                for (cell, entry) in now.iter_mut().zip(bytes.chunks_exact(width.bytes())) {
                    let place = place(entry, width);
                    *cell =
                        *palette.get(place).ok_or_else(|| cells.not_in_palette(place as u32))?;
                }
                number += count as u64;
                out = rest;
            }
            Ok(())
        })
    }
}

/// The place in the palette that an entry names.
#[inline]
fn place(entry: &[u8], width: Width) -> usize {
    match width {
        Width::One => usize::from(entry[0]),
        _ => entry.iter().rfold(0, |n, &byte| n << 8 | usize::from(byte)),
    }
}

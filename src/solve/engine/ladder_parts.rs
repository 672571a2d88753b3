//! Tables of games with a ladder, solved part by part: each with only what it looks into unpacked,
//! and packed at once.

use std::{
    ops::Range,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    conversions::Conversions,
    ladder_file,
    ladder_slice::{LadderSlice, Solved},
    scratch::Budget,
    stock::{Paged, PartFiles, Stock},
    values::{PageId, Values, bring_into_order, structure_squares},
};
use crate::{
    answer::{place::table_sides, score::Store, sections::section_name},
    board::Color,
    index::{Index, Material},
    solve::{BuildError, Layout, Part, PartFolder, PartId, Workbench},
    table::{BlockCache, Stretches, TableWriter},
};

/// Slices are solved together up to so many numbers.
pub const BATCH: u64 = 1 << 20;

/// How long to wait before looking again whether another process has finished a part.
const PATIENCE: Duration = Duration::from_millis(200);

/// Solves a table and writes it: in one piece, or part by part.
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub fn build<G: Paged>(
    game: &G,
    material: &Material,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let work = Partwise::new(game, material, bench);
    let Some(parts) = &work.parts else {
        let part = &work.layout.parts()[0];
        return work.solve(part, || bench.writer(&game.id(material)));
    };
    while !parts.folder.is_joined() {
        let missing: Vec<&Part> =
            work.layout.parts().iter().filter(|part| !parts.folder.has(part)).collect();
        let Some(first) = missing.first() else {
            if let Some(_claim) = parts.folder.claim("join")? {
                if !parts.folder.is_joined() {
                    parts.folder.join(&work.layout)?;
                }
                parts.folder.remove();
            } else {
                std::thread::sleep(PATIENCE);
            }
            continue;
        };
        // Those of a group need nothing of each other; what comes later needs them all.
        let group = missing.iter().filter(|part| part.id.group == first.id.group);
        let mut worked = false;
        for part in group {
            let Some(_claim) = parts.folder.claim(&part.id.to_string())? else { continue };
            // Somebody may have finished it before it was claimed.
            if !parts.folder.has(part) && !parts.folder.is_joined() {
                work.solve(part, || parts.folder.writer(part))?;
            }
            worked = true;
        }
        if !worked {
            std::thread::sleep(PATIENCE);
        }
    }
    Ok(())
}

/// Solves one part of a table that is cut into parts; those it needs are there.
///
/// # Errors
/// As [`build`].
pub fn build_part<G: Paged>(
    game: &G,
    material: &Material,
    part: &Part,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let work = Partwise::new(game, material, bench);
    match &work.parts {
        None => work.solve(part, || bench.writer(&game.id(material))),
        Some(parts) => work.solve(part, || parts.folder.writer(part)),
    }
}

/// A table that is being solved part by part.
struct Partwise<'a, G: Paged> {
    game: &'a G,
    material: Material,
    index: Arc<Index>,
    layout: Layout,
    /// What is known of its parts; nothing if there is one.
    parts: Option<Arc<Parts>>,
    stock: Stock<'a, G>,
    /// Memory for slices while they are solved.
    budget: Budget,
    bench: &'a Workbench<'a>,
}

/// The finished parts of a table, opened as they are asked for.
struct Parts {
    folder: PartFolder,
    layout: Layout,
    names: Vec<String>,
    cache: BlockCache,
    open: Mutex<FxHashMap<PartId, Vec<Stretches>>>,
}

impl PartFiles for Arc<Parts> {
    fn holding(&self, structure: usize) -> Result<(usize, Vec<Stretches>), BuildError> {
        let part = self.layout.holding(structure).expect("every structure has a part");
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let sides = match open.get(&part.id) {
            Some(sides) => sides.clone(),
            None => {
                let table = self.folder.open(part, &self.cache)?;
                let sides = self.names.iter().map(|name| table.stretches(name));
                let sides = sides.collect::<Result<Vec<_>, _>>()?;
                open.entry(part.id).or_insert(sides).clone()
            }
        };
        Ok((part.structures.start, sides))
    }
}

impl<'a, G: Paged> Partwise<'a, G> {
    fn new(game: &'a G, material: &Material, bench: &'a Workbench<'a>) -> Self {
        let index = Arc::new(game.index(material));
        let layout = Layout::of(&index, bench.part_size);
        let memory = bench.budget.left();
        let stock = Stock::new(game, bench, memory / 2);
        let sides = table_sides(material, game.swaps_colors());
        let names = Color::ALL[..sides].iter().map(|&side| section_name(side, G::SUFFIX));
        let parts = Parts {
            folder: PartFolder::new(game.id(material), bench.shelf, bench.options),
            layout: layout.clone(),
            names: names.collect(),
            cache: bench.shelf.cache().clone(),
            open: Mutex::default(),
        };
        let parts = Arc::new(parts);
        stock.begin(material, index.clone(), Box::new(parts.clone()));
        Partwise {
            game,
            material: *material,
            parts: (!layout.is_one_piece()).then_some(parts),
            index,
            layout,
            stock,
            budget: bench.budget.of_bytes(memory / 8 * 3),
            bench,
        }
    }

    /// Solves a part and writes it.
    fn solve(
        &self,
        part: &Part,
        writer: impl FnOnce() -> Result<TableWriter, crate::table::TableError>,
    ) -> Result<(), BuildError> {
        let Partwise { game, material, index, bench, .. } = self;
        let all = index.structures().map_or(1, |structures| structures.len());
        let structures = part.structures.start..part.structures.end.min(all);
        let name = match &self.parts {
            None => material.to_string(),
            Some(_) => format!("{material} {}", part.id),
        };
        bench.progress.begin(&format!("solving {name}"), structures.len() as u64);
        let sides = table_sides(material, game.swaps_colors());
        let pages = Values::empty(index.clone(), sides);
        let decided = Decided::new(structures.clone());
        let rounds = match index.structures() {
            None => self.stock.rounds(material, 0..1)?,
            Some(_) => Vec::new(),
        };
        // Without pawns every turn that leaves the slice changes the men. Where all pages it looks
        // into are there at once, a second look at them is better than twice the memory.
        let looks_again = G::LEAVES_OUT && rounds.len() == 1;
        for batch in self.batches(structures.clone()) {
            self.solve_batch(batch, &pages, &decided, G::LEAVES_OUT && !looks_again)?;
        }
        let library = looks_again.then(|| self.stock.library(material, &rounds, 0)).transpose()?;
        let again = library.as_ref().map(|library| {
            let conversions = Conversions::new(*game, material, library);
            let slice = conversions.slice(index, 0);
            (conversions, slice)
        });
        let size = index.structure_range(0).end;
        let numbers = structures.start as u64 * size..structures.end as u64 * size;
        let positions = (numbers.end - numbers.start) * sides as u64;
        bench.progress.begin(&format!("writing {name}"), positions);
        let mut writer = writer()?;
        for &side in pages.sides() {
            let left_out = |index: &Index, side, number| match &again {
                Some((conversions, slice)) => conversions.best_left_out(slice, index, side, number),
                None if decided.get(side, number, size) => pages.get(side, number),
                None => G::Store::NONE,
            };
            let name = section_name(side, G::SUFFIX);
            let numbers = numbers.clone();
            ladder_file::write_numbers(&mut writer, name, &pages, side, numbers, &left_out, bench)?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Structures that are solved together: equally far on, and not too many.
    fn batches(&self, structures: Range<usize>) -> Vec<Range<usize>> {
        let most = (BATCH / self.index.structure_range(0).end).max(1) as usize;
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

    fn solve_batch(
        &self,
        batch: Range<usize>,
        pages: &Values<G::Store>,
        decided: &Decided,
        note_changes: bool,
    ) -> Result<(), BuildError> {
        let Partwise { game, material, index, stock, budget, bench, .. } = self;
        let begin = |structure: usize| -> Result<LadderSlice<'_, G>, BuildError> {
            let slice = game.slice(material, structure_squares(index, structure));
            Ok(LadderSlice::new(*game, material, slice, note_changes, budget)?)
        };
        let slices = batch.clone().into_par_iter().map(begin);
        let mut slices = slices.collect::<Result<Vec<_>, _>>()?;
        let rounds = stock.rounds(material, batch.clone())?;
        for round in 0..rounds.len() {
            let library = stock.library(material, &rounds, round)?;
            let conversions = Conversions::new(*game, material, &library);
            slices.par_iter_mut().for_each(|slice| slice.leave(&conversions));
        }
        let slices: Vec<_> = batch.zip(slices).collect();
        slices.into_par_iter().try_for_each(|(structure, slice)| {
            self.finish(structure, slice.settle(), pages, decided)?;
            bench.progress.advance(1);
            Ok(())
        })
    }

    /// Brings the scores of a slice into the order of the index.
    fn finish(
        &self,
        structure: usize,
        solved: Solved<G::Store>,
        pages: &Values<G::Store>,
        decided: &Decided,
    ) -> Result<(), BuildError> {
        let Partwise { material, index, stock, budget, .. } = self;
        let Solved { slice, cells, changes } = solved;
        let size = index.structure_range(0).end as usize;
        for &side in pages.sides() {
            let mut page = stock.room(size)?;
            bring_into_order(index, structure, &slice, &cells[side.index()], &mut page);
            if let Some(changes) = &changes {
                let mut in_order = budget.array(size, G::Store::NONE)?;
                let changes = &changes[side.index()];
                bring_into_order(index, structure, &slice, changes, &mut in_order);
                let both = page.par_chunks(64).zip(in_order.par_chunks(64));
                let same = both.map(|(cells, changes)| {
                    let same = cells.iter().zip(changes).rev();
                    same.fold(0_u64, |bits, (cell, change)| bits << 1 | u64::from(cell == change))
                });
                decided.put(side, structure, same.collect());
            }
            let page = Arc::new(page);
            stock.keep(PageId { material: *material, structure, side }, &page);
            pages.put_page(structure, side, page);
        }
        Ok(())
    }
}

/// The positions of a part that a capture or promotion decides: a bit for each, per structure and
/// side to move.
struct Decided {
    first: usize,
    bits: Vec<[OnceLock<Box<[u64]>>; 2]>,
}

impl Decided {
    fn new(structures: Range<usize>) -> Decided {
        Decided { first: structures.start, bits: structures.map(|_| Default::default()).collect() }
    }

    fn put(&self, side: Color, structure: usize, bits: Vec<u64>) {
        let put = self.bits[structure - self.first][side.index()].set(bits.into());
        assert!(put.is_ok(), "a structure is solved once");
    }

    /// Whether the position with this number is; a structure has `size` of them.
    fn get(&self, side: Color, number: u64, size: u64) -> bool {
        let bits = &self.bits[(number / size) as usize - self.first][side.index()];
        let at = number % size;
        bits.get().is_some_and(|bits| bits[(at / 64) as usize] >> (at % 64) & 1 == 1)
    }
}

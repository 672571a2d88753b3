//! The tables a solver looks into, page by page, in bounded memory.
//!
//! Pages are read from the files of tables, or of the parts of the table being solved, when they
//! are asked for, and kept as long as there is room. A page that a table does not tell in full is
//! put right first, by way of other pages.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, Mutex},
};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    entries::Entries,
    library::Library,
    paged::{Cell, Meeting, Paged},
    reach::{Outline, Reach},
    scratch::{Budget, Scratch},
    values::{Extent, Page, PageId, Values},
};
use crate::{
    answer::Tabled,
    board::Color,
    index::{Index, Material},
    lock::lock,
    rules::Laws,
    solve::{BuildError, Solve, Workbench},
};

/// Some of the pages that solving takes: what is looked up in one go.
pub struct Round {
    /// The pages, each once, in order, with what is looked up there.
    pub pages: Vec<(PageId, Extent)>,
    /// Whether turns are met whose position is looked up.
    pub plain: bool,
    /// Whether turns are met whose position is looked ahead.
    pub passing: bool,
}

impl Round {
    /// All rounds in one, whether or not there is room for that.
    pub fn together(rounds: Vec<Round>) -> Round {
        let pages = rounds.into_iter().flat_map(|round| round.pages).collect();
        Round { pages: each_once(pages), plain: true, passing: true }
    }
}

/// Brings pages into order, each once, with all that is looked up there.
fn each_once(mut pages: Vec<(PageId, Extent)>) -> Vec<(PageId, Extent)> {
    pages.sort_unstable();
    pages.dedup_by(|(other, more), (page, extent)| {
        let same = page == other;
        if same && extent != more {
            *extent = Extent::Whole;
        }
        same
    });
    pages
}

/// What the turns out of some slices lead to, whatever the mode.
pub struct Ways(FxHashSet<Way>);

/// A slice that a turn leads to, as its table knows it.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Way {
    /// Who makes the turn out of the slice.
    mover: Color,
    meeting: Meeting,
    extent: Extent,
    material: Material,
    structure: usize,
    side: Color,
    swapped: bool,
}

/// Where the cells of the table being solved are read from, of which some structures are finished.
pub trait Finished<S>: Send + Sync {
    /// Copies the cells of a page.
    ///
    /// # Errors
    /// If the part that has them is missing or damaged.
    fn read(&self, id: PageId, page: &mut [S]) -> Result<(), BuildError>;
}

/// Where the cells of a table are read from.
struct Source<'a, G: Paged> {
    index: Arc<Index>,
    modes: usize,
    files: Files<'a, G>,
}

enum Files<'a, G: Paged> {
    /// A finished table: the entries of each mode and side to move.
    Table(FxHashMap<(usize, Color), Entries<G::Meanings>>),
    /// The table being solved.
    Own(Box<dyn Finished<G::Cell> + 'a>),
}

/// The pages that are kept, with what of them is right.
struct Kept<S> {
    pages: FxHashMap<(PageId, Extent), (Page<S>, u64)>,
    /// Counts up with every use.
    now: u64,
}

/// The tables a solver looks into, page by page.
pub struct Stock<'a, G: Paged> {
    game: &'a G,
    bench: &'a Workbench<'a>,
    budget: Budget,
    capacity: u64,
    sources: Mutex<FxHashMap<Material, Arc<Source<'a, G>>>>,
    kept: Mutex<Kept<G::Cell>>,
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

    /// How many bytes of pages there is room for.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Forgets all pages: those asked for again are read again.
    pub fn forget(&self) {
        lock(&self.kept).pages.clear();
    }

    /// Adds the table being solved, whose structures are finished as they are asked for.
    pub fn begin(
        &self,
        material: &Material,
        index: Arc<Index>,
        finished: impl Finished<G::Cell> + 'a,
    ) {
        let files = Files::Own(Box::new(finished));
        let source = Source { index, modes: self.game.modes(material), files };
        lock(&self.sources).insert(*material, Arc::new(source));
    }

    fn source(&self, material: &Material) -> Result<Arc<Source<'a, G>>, BuildError> {
        if let Some(source) = lock(&self.sources).get(material) {
            return Ok(source.clone());
        }
        let table = self.bench.directories.open(&self.game.game().table_id(material))?;
        let index = Arc::new(self.game.index(material));
        let modes = self.game.modes(material);
        let mut all = FxHashMap::default();
        for mode in 0..modes {
            for &side in self.game.sides(material, mode) {
                let section = (mode, side);
                let entries = Entries::open(self.game, &table, material, section, index.len())?;
                all.insert(section, entries);
            }
        }
        let source = Arc::new(Source { index, modes, files: Files::Table(all) });
        Ok(lock(&self.sources).entry(*material).or_insert(source).clone())
    }

    /// How the positions of a material are numbered.
    ///
    /// # Errors
    /// If its table is missing or damaged.
    pub fn index(&self, material: &Material) -> Result<Arc<Index>, BuildError> {
        Ok(self.source(material)?.index.clone())
    }

    /// The slice that has the positions of an outline after a turn; `None` if the game is over
    /// with these men.
    fn way(
        &self,
        mover: Color,
        (meeting, extent): (Meeting, Extent),
        (after, turned): &(Outline, Color),
    ) -> Result<Option<Way>, BuildError> {
        if self.game.has_ended(&after.material) {
            return Ok(None);
        }
        let swaps = self.game.swaps_colors();
        let material = if swaps { after.material.stronger_first() } else { after.material };
        let equal = swaps && after.material == after.material.swap_colors();
        let to_move = !*turned;
        let swapped = material != after.material || equal && to_move == Color::Black;
        let (outline, side) =
            if swapped { (after.swap_colors(), !to_move) } else { (*after, to_move) };
        let source = self.source(&material)?;
        let structure = source.index.structures().map_or(0, |s| s.number(outline.pawns).0);
        Ok(Some(Way { mover, meeting, extent, material, structure, side, swapped }))
    }

    fn outline(&self, material: &Material, structure: usize) -> Result<Outline, BuildError> {
        let index = &self.source(material)?.index;
        let pawns = index.structures().map_or_else(Default::default, |s| s.pawns(structure));
        Ok(Outline { material: *material, pawns })
    }

    /// What all turns out of some slices lead to.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn ways(
        &self,
        material: &Material,
        structures: impl Iterator<Item = usize> + Clone,
    ) -> Result<Ways, BuildError> {
        if self.game.game().needs(material).is_empty() {
            // Nothing goes on in them.
            return Ok(Ways(FxHashSet::default()));
        }
        self.ways_by(material, structures, &Color::ALL, Outline::reach)
    }

    /// What the captures and promotions of a page lead to.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn ways_by_change(&self, page: PageId) -> Result<Ways, BuildError> {
        let structures = page.structure..page.structure + 1;
        self.ways_by(&page.material, structures, &[page.side], Outline::reach_by_change)
    }

    fn ways_by(
        &self,
        material: &Material,
        structures: impl Iterator<Item = usize> + Clone,
        movers: &[Color],
        reach_of: impl Fn(&Outline, Color, &Laws, &mut Reach),
    ) -> Result<Ways, BuildError> {
        let mut ways = FxHashSet::default();
        for &mover in movers {
            let mut reach = Reach::default();
            for structure in structures.clone() {
                let outline = self.outline(material, structure)?;
                reach_of(&outline, mover, &self.game.laws(), &mut reach);
            }
            let Reach { plain, promoted, idle, passing } = &reach;
            let whole = |meeting| (meeting, Extent::Whole);
            let mut meet = |how, after: &_| -> Result<(), BuildError> {
                ways.extend(self.way(mover, how, after)?);
                Ok(())
            };
            plain.iter().try_for_each(|after| meet(whole(Meeting::LookedUp), after))?;
            idle.iter().try_for_each(|after| meet(whole(Meeting::Idle), after))?;
            passing.iter().try_for_each(|after| meet(whole(Meeting::LookedAhead), after))?;
            promoted.iter().try_for_each(|&(after, turned, role)| {
                meet((Meeting::LookedUp, Extent::Promoted(role)), &(after, turned))
            })?;
        }
        Ok(Ways(ways))
    }

    /// The pages that some ways out of a mode lead to, in as many rounds as there must be for the
    /// pages of each to fit the room.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn rounds(&self, mode: usize, ways: &Ways) -> Result<Vec<Round>, BuildError> {
        let game = self.game;
        let (mut plain, mut passing) = (Vec::new(), Vec::new());
        for way in ways.0.iter().filter(|way| game.movers(mode).contains(&way.mover)) {
            let Way { meeting, extent, ref material, structure, side, swapped, .. } = *way;
            let pages = if meeting == Meeting::LookedUp { &mut plain } else { &mut passing };
            for mode in game.modes_after(mode, material, swapped, meeting) {
                if game.sides(material, mode).contains(&side) {
                    let id = PageId { material: *material, structure, mode, side };
                    pages.push((id, extent));
                }
            }
        }
        let (plain, passing) = (each_once(plain), each_once(passing));
        let most = self.capacity / 2;
        let all = each_once([plain.clone(), passing.clone()].concat());
        let bytes = all.iter().map(|(page, _)| self.page_bytes(page)).sum::<Result<u64, _>>()?;
        if bytes <= most {
            return Ok(vec![Round { pages: all, plain: true, passing: true }]);
        }
        let mut rounds = Vec::new();
        let mut taken = 0;
        for page in plain {
            let bytes = self.page_bytes(&page.0)?;
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
        Ok(size * size_of::<G::Cell>() as u64)
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
    ) -> Result<Library<G::Cell>, BuildError> {
        let mut tables: FxHashMap<Material, Vec<Arc<Values<G::Cell>>>> = FxHashMap::default();
        let begin = |material: &Material| -> Result<_, BuildError> {
            let source = self.source(material)?;
            // Modes without a page share one table without any.
            let empty = Arc::new(Values::empty(source.index.clone(), Color::ALL.len()));
            Ok(vec![empty; source.modes])
        };
        for material in self.game.game().needs(material).into_iter().chain([*material]) {
            tables.insert(material, begin(&material)?);
        }
        let mut library = Library::new();
        let Round { pages, plain, passing } = &rounds[round];
        (library.plain, library.passing) = (*plain, *passing);
        for (other, Round { pages, .. }) in rounds.iter().enumerate() {
            if other != round {
                library.elsewhere.extend(pages.iter().map(|(id, _)| id));
            }
        }
        // Large pages are put right by all threads, small ones by one each.
        let pages = pages.par_iter().map(|&(id, extent)| Ok((id, self.page(id, extent)?)));
        let mut found: FxHashMap<(Material, usize), Values<G::Cell>> = FxHashMap::default();
        for (id, page) in pages.collect::<Result<Vec<_>, BuildError>>()? {
            let values = match found.entry((id.material, id.mode)) {
                Entry::Occupied(values) => values.into_mut(),
                Entry::Vacant(place) => {
                    let index = self.source(&id.material)?.index.clone();
                    place.insert(Values::empty(index, Color::ALL.len()))
                }
            };
            values.put_page(id.structure, id.side, page);
        }
        for ((material, mode), values) in found {
            let modes = match tables.entry(material) {
                Entry::Occupied(modes) => modes.into_mut(),
                // Two turns away, for looking ahead.
                Entry::Vacant(place) => place.insert(begin(&material)?),
            };
            modes[mode] = Arc::new(values);
        }
        for (material, modes) in tables {
            modes.into_iter().for_each(|values| library.add(material, values));
        }
        Ok(library)
    }

    /// A page, put right as far as it is looked up.
    fn page(&self, id: PageId, extent: Extent) -> Result<Page<G::Cell>, BuildError> {
        let leaves_out = self.game.leaves_out(&id.material);
        // What needs not be put right is right as a whole.
        let extent = if leaves_out { extent } else { Extent::Whole };
        {
            let mut kept = lock(&self.kept);
            kept.now += 1;
            let now = kept.now;
            for more in [Extent::Whole, extent] {
                if let Some((page, used)) = kept.pages.get_mut(&(id, more)) {
                    *used = now;
                    return Ok(page.clone());
                }
            }
        }
        let source = self.source(&id.material)?;
        let mut page = self.room((source.index.structure_range(0).end) as usize)?;
        match &source.files {
            Files::Own(finished) => finished.read(id, &mut page)?,
            Files::Table(all) => {
                let start = source.index.structure_range(id.structure).start;
                all[&(id.mode, id.side)].read(start, &mut page)?;
            }
        }
        if leaves_out {
            self.game.put_right(self, (id, extent), &mut page)?;
        }
        let page = Arc::new(page);
        self.keep((id, extent), &page);
        Ok(page)
    }

    /// Room for a page, if need be instead of others that nobody uses.
    ///
    /// # Errors
    /// If there is none in memory nor on the disk.
    pub fn room(&self, cells: usize) -> Result<Scratch<G::Cell>, BuildError> {
        let bytes = (cells * size_of::<G::Cell>()) as u64;
        let mut kept = lock(&self.kept);
        if self.budget.left() < bytes {
            kept.forget(bytes + self.capacity / 8);
        }
        Ok(self.budget.array(cells, G::Cell::GAP)?)
    }

    /// Keeps a page as long as there is room.
    pub fn keep(&self, id: (PageId, Extent), page: &Page<G::Cell>) {
        let mut kept = lock(&self.kept);
        kept.now += 1;
        let now = kept.now;
        kept.pages.insert(id, (page.clone(), now));
    }
}

impl<S: Cell> Kept<S> {
    /// Forgets pages that nobody uses, those used longest ago first, until `bytes` are free.
    fn forget(&mut self, bytes: u64) {
        let idle = self.pages.iter().filter(|(_, (page, _))| Arc::strong_count(page) == 1);
        let mut idle: Vec<(u64, (PageId, Extent))> =
            idle.map(|(&id, &(_, used))| (used, id)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Tablebase,
        board::{Man, Role},
        orthodox::Orthodox,
        progress::Silent,
        solve::BuildOptions,
        table::WriterOptions,
    };

    /// How many positions of a page differ between what a table has of it, what is right after
    /// promotions, and what is right everywhere, with the promoted man on its last rank or not.
    fn compare(bench: &Workbench<'_>, id: PageId, extent: Extent) -> [[u32; 2]; 2] {
        let Extent::Promoted(role) = extent else { panic!("after a promotion") };
        let game = Orthodox;
        let stock = || Stock::new(&game, bench, 64 << 20);
        let page = |extent| stock().page(id, extent).unwrap();
        let (after_promotion, whole) = (page(extent), page(Extent::Whole));
        let index = stock().index(&id.material).unwrap();
        let start = index.structure_range(id.structure).start;
        let man = Man::new(!id.side, role);
        let mut met = [[0; 2]; 2];
        for (n, (&part, &whole)) in after_promotion.iter().zip(&**whole).enumerate() {
            let Some(squares) = index.decode(start + n as u64) else { continue };
            if whole == i16::GAP {
                continue;
            }
            let men = index.men().iter().zip(squares);
            let mut promoted = men.filter(|&(&other, _)| other == man).map(|(_, square)| square);
            let there = promoted.any(|square| square.rank() == man.color.rank(7));
            met[usize::from(there)][usize::from(part != whole)] += 1;
        }
        met
    }

    #[test]
    fn pages_are_right_where_promotions_lead() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(Orthodox, folder.path());
        let materials = ["KQvKP", "KQQvK"].map(|material| material.parse().unwrap());
        let options = BuildOptions::default();
        tables.build(&materials, &options).unwrap();
        let budget = Budget::new(1 << 30, folder.path());
        let bench = Workbench {
            directories: tables.directories(),
            budget: &budget,
            options: WriterOptions::default(),
            distances: true,
            part_size: 1 << 24,
            progress: &Silent,
        };
        let queen = Extent::Promoted(Role::Queen);
        // After Black's pawn has promoted, colours exchanged; and with several like the new one.
        for (material, structure) in [("KQvKP", 3), ("KQvKP", 17), ("KQvKR", 0), ("KQQvK", 0)] {
            let material: Material = material.parse().unwrap();
            let id = PageId { material, structure, mode: 0, side: Color::Black };
            let [[_, elsewhere_wrong], [right, wrong]] = compare(&bench, id, queen);
            assert!(right > 0 && elsewhere_wrong > 0, "{material} {structure}");
            assert_eq!(wrong, 0, "{material} {structure}");
        }
    }
}

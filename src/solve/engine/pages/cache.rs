//! The tables a solver looks into, page by page, in bounded memory.
//!
//! Pages are read from the files of tables, or of the parts of the table being solved, when they
//! are asked for, and kept as long as there is room. A page that a table does not tell in full is
//! put right first, by way of other pages.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::{
    closure::Meeting,
    entries::{PartCells, SectionEntries},
    links::successors,
    outline::Drops,
    table_pages::{Extent, Page, PageCell, PageId},
};
use crate::{
    answer::{
        Contents,
        place::table_sides,
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::{Index, Material},
    lock::lock,
    probe::{Catalogue, TableDirectories},
    solve::{
        engine::{
            slice::Chesslike,
            spill::{Budget, ScratchArray},
        },
        error::BuildError,
        parts::MANY,
    },
    table::{Stretches, Table, TableError},
};

/// A game whose tables are solved and read page by page.
///
/// A table has one *mode*, or several where what came before a position counts; each has a section
/// of cells for each side to move.
pub trait Paged: Chesslike + Send + 'static {
    /// What pages are made of.
    type Cell: PageCell;

    /// The game whose tables they are.
    fn game(&self) -> &dyn Catalogue;

    /// Whether a table that is one slice is written from that, without pages of its own.
    fn writes_slice(&self) -> bool {
        true
    }

    /// About how many parts a very large table has: each of their sections has its place in the
    /// header.
    fn many_parts(&self) -> u64 {
        MANY
    }

    /// How many modes the table of a material has.
    fn modes(&self, _: &Material) -> usize {
        1
    }

    /// The sides to move that a table shows in a mode.
    fn sides(&self, material: &Material, _mode: usize) -> &'static [Color] {
        &Color::ALL[..table_sides(material, self.swaps_colors())]
    }

    /// What the names of a mode's sections have behind the side to move.
    fn suffix(&self, _: &Material, _mode: usize) -> String {
        String::new()
    }

    /// The cells of a mode and side to move, which must be so many.
    fn stretches(
        &self,
        table: &Table,
        material: &Material,
        (mode, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        sized_stretches(table, &section_name(side, &self.suffix(material, mode)), entries)
    }

    /// Whether what is solved for tables that hold so much has distances.
    fn has_distances(&self, contents: Contents) -> bool {
        contents >= Contents::Distance
    }

    /// What every entry of some cells stands for; see [`SectionEntries`].
    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[Self::Cell]>, TableError>;

    /// Whether the table of a material leaves out what captures and promotions decide, so that its
    /// pages must be [put right](Paged::put_right).
    fn leaves_out(&self, _: &Material) -> bool {
        false
    }

    /// Puts right a page that was read of a table that [leaves out](Paged::leaves_out) something,
    /// at least as far as it is looked up.
    fn put_right(
        &self,
        _: &PageCache<'_, Self::Cell>,
        _: (PageId, Extent),
        _: &mut [Self::Cell],
    ) -> Result<(), BuildError> {
        Ok(())
    }

    /// The sides that can be to move in a mode.
    fn movers(&self, _mode: usize) -> &'static [Color] {
        &Color::ALL
    }

    /// The modes of `table` that are looked into from `mode`; `swapped` says whether the table has
    /// the sides exchanged.
    fn modes_after(
        &self,
        _mode: usize,
        table: &Material,
        _swapped: bool,
        meeting: Meeting,
    ) -> Vec<usize> {
        if meeting == Meeting::Idle { Vec::new() } else { (0..self.modes(table)).collect() }
    }

    /// Whether the game is over with some men, which then have no table.
    fn has_ended(&self, _: &Material) -> bool {
        false
    }

    /// How men are dropped, if they are.
    fn drops(&self) -> Option<&dyn Drops> {
        None
    }

    /// The materials that have a table and are one conversion away, as their tables are named,
    /// without the material itself.
    fn successors(&self, material: &Material) -> Vec<Material> {
        let mut all = successors(material, &self.laws(), self.swaps_colors());
        all.retain(|after| !self.has_ended(after));
        all
    }

    /// The mode before that often says the same; a table in one piece leaves out what does.
    fn repeats(&self, _mode: usize) -> Option<usize> {
        None
    }
}

/// All entries of a mode and side to move, which must be so many, and what they stand for, with
/// distances or without.
pub fn section_entries<C: PageCell>(
    game: &dyn Paged<Cell = C>,
    table: &Table,
    material: &Material,
    (mode, side): (usize, Color),
    (entries, distances): (u64, bool),
) -> Result<SectionEntries<C>, TableError> {
    let stretches = game.stretches(table, material, (mode, side), entries)?;
    let known = stretches.iter().enumerate().map(|(number, (first, cells))| {
        let part = PartCells { table, material, mode, side, number, cells, distances };
        Ok((first, cells.clone(), game.meanings(&part)?))
    });
    Ok(SectionEntries { stretches: known.collect::<Result<_, TableError>>()? })
}

/// Where the cells of the table being solved are read from, of which some structures are finished.
pub trait FinishedPages<S>: Send + Sync {
    /// Copies the cells of a page.
    fn read(&self, id: PageId, page: &mut [S]) -> Result<(), BuildError>;
}

/// Where the cells of a table are read from.
pub(super) struct PageSource<'a, C> {
    pub index: Arc<Index>,
    pub modes: usize,
    files: PageFiles<'a, C>,
}

enum PageFiles<'a, C> {
    /// A finished table: the entries of each mode and side to move.
    Table(FxHashMap<(usize, Color), SectionEntries<C>>),
    /// The table being solved.
    Own(Box<dyn FinishedPages<C> + 'a>),
}

/// The pages that are kept, with what of them is right.
struct CachedPages<S> {
    pages: FxHashMap<(PageId, Extent), (Page<S>, u64)>,
    /// Counts up with every use.
    now: u64,
}

/// The tables a solver looks into, page by page.
pub struct PageCache<'a, C> {
    pub(super) game: Arc<dyn Paged<Cell = C>>,
    directories: &'a TableDirectories,
    /// How much the tables looked into must hold at least.
    least: Contents,
    budget: Budget,
    capacity: u64,
    sources: Mutex<FxHashMap<Material, Arc<PageSource<'a, C>>>>,
    kept: Mutex<CachedPages<C>>,
}

impl<'a, C: PageCell> PageCache<'a, C> {
    /// Nothing yet of the tables in some directories that hold at least so much, and room for as
    /// many bytes of pages as the budget has; what exceeds it is mapped from files.
    pub fn new(
        game: Arc<dyn Paged<Cell = C>>,
        directories: &'a TableDirectories,
        least: Contents,
        budget: Budget,
    ) -> Self {
        let capacity = budget.left();
        PageCache {
            game,
            directories,
            least,
            budget,
            capacity,
            sources: Mutex::default(),
            kept: Mutex::new(CachedPages { pages: FxHashMap::default(), now: 0 }),
        }
    }

    /// How many bytes of pages there is room for.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Whether scores in its pages have distances.
    pub fn has_distances(&self) -> bool {
        self.game.has_distances(self.least)
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
        finished: impl FinishedPages<C> + 'a,
    ) {
        let files = PageFiles::Own(Box::new(finished));
        let source = PageSource { index, modes: self.game.modes(material), files };
        lock(&self.sources).insert(*material, Arc::new(source));
    }

    pub(super) fn source(&self, material: &Material) -> Result<Arc<PageSource<'a, C>>, BuildError> {
        if let Some(source) = lock(&self.sources).get(material) {
            return Ok(source.clone());
        }
        let ids = self.game.game().table_ids(material, self.least);
        let mut table = self.directories.open(self.directories.first(&ids))?;
        if table.header().sections.iter().any(|section| section.digits.is_some()) {
            // What is a page in the order of numbers may lie in any block.
            table = table.held(u64::MAX);
        }
        let index = Arc::new(self.game.index(material));
        let modes = self.game.modes(material);
        let mut all = FxHashMap::default();
        for mode in 0..modes {
            for &side in self.game.sides(material, mode) {
                let section = (mode, side);
                let wanted = (index.len(), self.has_distances());
                let entries = section_entries(&*self.game, &table, material, section, wanted)?;
                all.insert(section, entries);
            }
        }
        let source = Arc::new(PageSource { index, modes, files: PageFiles::Table(all) });
        Ok(lock(&self.sources).entry(*material).or_insert(source).clone())
    }

    /// How the positions of a material are numbered.
    pub fn index(&self, material: &Material) -> Result<Arc<Index>, BuildError> {
        Ok(self.source(material)?.index.clone())
    }

    /// A page, put right as far as it is looked up.
    pub(super) fn page(&self, id: PageId, extent: Extent) -> Result<Page<C>, BuildError> {
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
        let mut page = self.stored(id)?;
        if leaves_out {
            self.game.put_right(self, (id, extent), &mut page)?;
        }
        let page = Arc::new(page);
        self.keep((id, extent), &page);
        Ok(page)
    }

    /// A page as its table has it, of which nothing is kept.
    pub fn stored(&self, id: PageId) -> Result<ScratchArray<C>, BuildError> {
        let source = self.source(&id.material)?;
        let mut page = self.room((source.index.structure_range(0).end) as usize)?;
        match &source.files {
            PageFiles::Own(finished) => finished.read(id, &mut page)?,
            PageFiles::Table(all) => {
                let start = source.index.structure_range(id.structure).start;
                all[&(id.mode, id.side)].read(start, &mut page)?;
            }
        }
        Ok(page)
    }

    /// Room for a page, if need be instead of others that nobody uses.
    pub fn room(&self, cells: usize) -> Result<ScratchArray<C>, BuildError> {
        let bytes = (cells * size_of::<C>()) as u64;
        let mut kept = lock(&self.kept);
        if self.budget.left() < bytes {
            kept.forget(bytes + self.capacity / 8);
        }
        Ok(self.budget.array(cells, C::GAP)?)
    }

    /// Keeps a page as long as there is room.
    pub fn keep(&self, id: (PageId, Extent), page: &Page<C>) {
        let mut kept = lock(&self.kept);
        kept.now += 1;
        let now = kept.now;
        kept.pages.insert(id, (page.clone(), now));
    }
}

impl<S: PageCell> CachedPages<S> {
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
impl<'a> PageCache<'a, i16> {
    /// Nothing yet of orthodox tables, and room for so many bytes.
    pub fn orthodox(directories: &'a TableDirectories, bytes: u64) -> PageCache<'a, i16> {
        let budget = Budget::new(bytes, directories.folder());
        PageCache::new(
            Arc::new(crate::rules::Variant::orthodox()),
            directories,
            Contents::Distance,
            budget,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Tablebase,
        board::{Man, Role},
        ordinary::Variant,
        solve::{build::BuildOptions, engine::slice::Chesslike},
    };

    /// The orthodox tables of some materials, and the folder that goes away with them.
    fn built(materials: &[&str]) -> (tempfile::TempDir, Tablebase<Variant>) {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(Variant::orthodox(), folder.path());
        let materials: Vec<Material> = materials.iter().map(|m| m.parse().unwrap()).collect();
        tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
        (folder, tables)
    }

    /// How many positions of a page differ between what a table has of it, what is right after
    /// promotions, and what is right everywhere, with the promoted man on its last rank or not.
    fn compare(directories: &TableDirectories, id: PageId, extent: Extent) -> [[u32; 2]; 2] {
        let Extent::Promoted(role) = extent else { panic!("after a promotion") };
        let page = |extent| PageCache::orthodox(directories, 64 << 20).page(id, extent).unwrap();
        let (after_promotion, whole) = (page(extent), page(Extent::Whole));
        let index = Variant::orthodox().index(&id.material);
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
        let (_folder, tables) = built(&["KQvKP", "KQQvK"]);
        let queen = Extent::Promoted(Role::Queen);
        // After Black's pawn has promoted, colours exchanged; and with several like the new one.
        for (material, structure) in [("KQvKP", 3), ("KQvKP", 17), ("KQvKR", 0), ("KQQvK", 0)] {
            let material: Material = material.parse().unwrap();
            let id = PageId { material, structure, mode: 0, side: Color::Black };
            let [[_, elsewhere_wrong], [right, wrong]] = compare(tables.directories(), id, queen);
            assert!(right > 0 && elsewhere_wrong > 0, "{material} {structure}");
            assert_eq!(wrong, 0, "{material} {structure}");
        }
    }

    #[test]
    fn pages_in_use_stay_and_others_make_room() {
        let (_folder, tables) = built(&["KQvK", "KRvK"]);
        let page = |material: Material, side| PageId { material, structure: 0, mode: 0, side };
        let [queen, rook] = ["KQvK", "KRvK"].map(|material| material.parse().unwrap());
        let bytes = 2 * Variant::orthodox().numbers(&queen);
        // Room for two, and what putting right takes.
        let cache = PageCache::orthodox(tables.directories(), 2 * bytes);
        let read = |id| cache.page(id, Extent::Whole).unwrap();
        let kept = read(page(queen, Color::White));
        let dropped = Arc::downgrade(&read(page(queen, Color::Black)));
        assert!(dropped.upgrade().is_some() && cache.budget.left() == 0);
        drop(read(page(rook, Color::White)));
        assert!(dropped.upgrade().is_none(), "the page used longest ago that nobody uses");
        assert!(Arc::ptr_eq(&kept, &read(page(queen, Color::White))), "a page in use stays");
        let again = read(page(queen, Color::Black));
        assert!(Arc::ptr_eq(&again, &read(page(queen, Color::Black))), "what is kept is not read");
        cache.forget();
        assert!(!Arc::ptr_eq(&kept, &read(page(queen, Color::White))), "what is forgotten is");
        assert_eq!(kept[..], read(page(queen, Color::White))[..]);
    }

    #[test]
    fn rounds_have_every_page_once_and_fit() {
        let (_folder, tables) = built(&["KPvKP"]);
        let material: Material = "KPvKP".parse().unwrap();
        let pages = |bytes: u64| {
            let cache = PageCache::orthodox(tables.directories(), bytes);
            let reached = cache.reached(&material, 100..140).unwrap();
            let rounds = cache.rounds(0, &reached).unwrap();
            let size = |id: &PageId| 2 * Variant::orthodox().slice_numbers(&id.material);
            for round in rounds.iter().filter(|round| round.plain) {
                let taken: u64 = round.pages.iter().map(|(id, _)| size(id)).sum();
                assert!(taken <= bytes / 2 || round.pages.len() == 1, "{taken} of {bytes}");
            }
            let plain = rounds.iter().filter(|round| round.plain);
            let mut plain: Vec<_> = plain.flat_map(|round| round.pages.clone()).collect();
            plain.sort_unstable();
            assert!(plain.windows(2).all(|pair| pair[0].0 != pair[1].0), "each page once");
            (rounds.len(), plain.len())
        };
        let (one, all) = pages(1 << 30);
        let (several, plain) = pages(1 << 20);
        assert_eq!(one, 1);
        // Those looked ahead to are a round of their own, where not all are one.
        assert!(several > 2 && plain <= all, "{several} rounds, {plain} pages of {all}");
    }
}

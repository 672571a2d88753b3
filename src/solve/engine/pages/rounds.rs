//! What a batch of slices looks up, in as many rounds as there must be for each to fit.

use std::{collections::hash_map::Entry, ops::Range, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    cache::{Meeting, PageCache},
    cell::PageCell,
    closure::{Closure, TurnRules},
    outline::Outline,
    resident::ResidentPages,
    table_pages::{Extent, Page, PageId, TablePages},
};
use crate::{
    board::Color,
    index::{Index, Material},
    parallel,
    solve::error::BuildError,
};

/// Some of the pages that solving takes: what is looked up in one go.
pub struct LookupRound {
    /// The pages, each once, in order, with what is looked up there.
    pub pages: Vec<(PageId, Extent)>,
    /// Whether turns are met whose position is looked up.
    pub plain: bool,
    /// Whether turns are met whose position is looked ahead.
    pub passing: bool,
}

impl LookupRound {
    /// All rounds in one, whether or not there is room for that.
    pub fn together(rounds: Vec<LookupRound>) -> LookupRound {
        let pages = rounds.into_iter().flat_map(|round| round.pages).collect();
        LookupRound { pages: each_once(pages), plain: true, passing: true }
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
pub struct SlicesReached(FxHashSet<SliceReached>);

/// A slice that a turn leads to, as its table knows it.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct SliceReached {
    /// Who makes the turn out of the slice.
    mover: Color,
    meeting: Meeting,
    extent: Extent,
    material: Material,
    structure: usize,
    side: Color,
    swapped: bool,
}

/// How a slice is met, and how much of it is looked up.
type How = (Meeting, Extent);

/// A slice after a turn, and who has made it.
type After = (Outline, Color);

/// How the positions of a table are numbered, and how many modes it has.
type Shape = (Arc<Index>, usize);

impl<C: PageCell> PageCache<'_, C> {
    /// The slice that has the positions of an outline after a turn; `None` if the game is over
    /// with these men.
    fn slice_reached(
        &self,
        mover: Color,
        (meeting, extent): How,
        (after, turned): &After,
    ) -> Result<Option<SliceReached>, BuildError> {
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
        Ok(Some(SliceReached { mover, meeting, extent, material, structure, side, swapped }))
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
    pub fn reached(
        &self,
        material: &Material,
        structures: Range<usize>,
    ) -> Result<SlicesReached, BuildError> {
        if self.game.successors(material).is_empty() {
            // Nothing goes on in them.
            return Ok(SlicesReached(FxHashSet::default()));
        }
        self.reached_by(material, structures, &Color::ALL, &Closure::add)
    }

    /// What the captures and promotions of a page lead to.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn reached_by_change(&self, page: PageId) -> Result<SlicesReached, BuildError> {
        let structures = page.structure..page.structure + 1;
        self.reached_by(&page.material, structures, &[page.side], &Closure::add_changes)
    }

    fn reached_by(
        &self,
        material: &Material,
        structures: Range<usize>,
        movers: &[Color],
        add: &dyn Fn(&mut Closure, &Outline, Color, TurnRules<'_>),
    ) -> Result<SlicesReached, BuildError> {
        let rules = TurnRules { laws: &self.game.laws(), drops: self.game.drops() };
        let mut reached = FxHashSet::default();
        for &mover in movers {
            let mut closure = Closure::default();
            for structure in structures.clone() {
                add(&mut closure, &self.outline(material, structure)?, mover, rules);
            }
            each_met(&closure, &mut |how, after| {
                reached.extend(self.slice_reached(mover, how, after)?);
                Ok(())
            })?;
        }
        Ok(SlicesReached(reached))
    }

    /// The pages that are looked into from a mode of some slices, whose turns lead to those
    /// `reached`, in as many rounds as there must be for the pages of each to fit the room.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn rounds(
        &self,
        mode: usize,
        reached: &SlicesReached,
    ) -> Result<Vec<LookupRound>, BuildError> {
        let game = &self.game;
        let (mut plain, mut passing) = (Vec::new(), Vec::new());
        for slice in reached.0.iter().filter(|slice| game.movers(mode).contains(&slice.mover)) {
            let SliceReached { meeting, extent, ref material, structure, side, swapped, .. } =
                *slice;
            let pages = if meeting == Meeting::LookedUp { &mut plain } else { &mut passing };
            for mode in game.modes_after(mode, material, swapped, meeting) {
                if game.sides(material, mode).contains(&side) {
                    let id = PageId { material: *material, structure, mode, side };
                    pages.push((id, extent));
                }
            }
        }
        in_rounds(plain, passing, self.capacity() / 2, &|page| self.page_bytes(page))
    }

    fn page_bytes(&self, page: &PageId) -> Result<u64, BuildError> {
        let size = self.source(&page.material)?.index.structure_range(0).end;
        Ok(size * size_of::<C>() as u64)
    }

    /// The tables around a material, with the pages of a round; all rounds are told so that a page
    /// of none of them is noticed.
    ///
    /// # Errors
    /// If a table is missing or damaged, or scratch space is lacking.
    pub fn resident(
        &self,
        material: &Material,
        rounds: &[LookupRound],
        round: usize,
    ) -> Result<ResidentPages<C>, BuildError> {
        // Large pages are put right by all threads, small ones by one each.
        let pages = parallel::try_map(&rounds[round].pages[..], 1, |_, &(id, extent)| {
            self.page(id, extent).map(|page| (id, page))
        })?;
        let mut around = self.game.successors(material);
        around.push(*material);
        in_place(pages, &around, rounds, round, &|material| {
            let source = self.source(material)?;
            Ok((source.index.clone(), source.modes))
        })
    }
}

/// Calls `meet` with all that a closure has, each with how it is met.
fn each_met(
    Closure { plain, promoted, idle, passing }: &Closure,
    meet: &mut dyn FnMut(How, &After) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let met = [(plain, Meeting::LookedUp), (idle, Meeting::Idle), (passing, Meeting::LookedAhead)];
    for (all, meeting) in met {
        all.iter().try_for_each(|after| meet((meeting, Extent::Whole), after))?;
    }
    promoted.iter().try_for_each(|&(after, turned, role)| {
        meet((Meeting::LookedUp, Extent::Promoted(role)), &(after, turned))
    })
}

/// Pages that are looked up and pages that are looked ahead to, in rounds of at most so many bytes.
fn in_rounds(
    plain: Vec<(PageId, Extent)>,
    passing: Vec<(PageId, Extent)>,
    most: u64,
    page_bytes: &dyn Fn(&PageId) -> Result<u64, BuildError>,
) -> Result<Vec<LookupRound>, BuildError> {
    let (plain, passing) = (each_once(plain), each_once(passing));
    let all = each_once([plain.clone(), passing.clone()].concat());
    let bytes = all.iter().map(|(page, _)| page_bytes(page)).sum::<Result<u64, _>>()?;
    if bytes <= most {
        return Ok(vec![LookupRound { pages: all, plain: true, passing: true }]);
    }
    let mut rounds = Vec::new();
    let mut taken = 0;
    for page in plain {
        let bytes = page_bytes(&page.0)?;
        if rounds.is_empty() || taken + bytes > most {
            rounds.push(LookupRound { pages: Vec::new(), plain: true, passing: false });
            taken = 0;
        }
        taken += bytes;
        rounds.last_mut().expect("one has been begun").pages.push(page);
    }
    if !passing.is_empty() {
        rounds.push(LookupRound { pages: passing, plain: false, passing: true });
    }
    Ok(rounds)
}

/// The tables `around`, of these shapes, with the pages of a round.
fn in_place<S: PageCell>(
    pages: Vec<(PageId, Page<S>)>,
    around: &[Material],
    rounds: &[LookupRound],
    round: usize,
    shape: &dyn Fn(&Material) -> Result<Shape, BuildError>,
) -> Result<ResidentPages<S>, BuildError> {
    let begin = |material: &Material| -> Result<Vec<Arc<TablePages<S>>>, BuildError> {
        let (index, modes) = shape(material)?;
        // Modes without a page share one table without any.
        let empty = Arc::new(TablePages::empty(index, Color::ALL.len()));
        Ok(vec![empty; modes])
    };
    let mut tables = FxHashMap::default();
    for material in around {
        tables.insert(*material, begin(material)?);
    }
    let mut resident = ResidentPages::new();
    (resident.plain, resident.passing) = (rounds[round].plain, rounds[round].passing);
    for (other, LookupRound { pages, .. }) in rounds.iter().enumerate() {
        if other != round {
            resident.elsewhere.extend(pages.iter().map(|(id, _)| id));
        }
    }
    let mut found: FxHashMap<(Material, usize), TablePages<S>> = FxHashMap::default();
    for (id, page) in pages {
        let values = match found.entry((id.material, id.mode)) {
            Entry::Occupied(values) => values.into_mut(),
            Entry::Vacant(place) => {
                place.insert(TablePages::empty(shape(&id.material)?.0, Color::ALL.len()))
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
        modes.into_iter().for_each(|values| resident.add(material, values));
    }
    Ok(resident)
}

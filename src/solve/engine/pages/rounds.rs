//! What a batch of slices looks up, in as many rounds as there must be for each to fit.

use std::{collections::hash_map::Entry, ops::Range, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    cache::PageCache,
    closure::{Closure, Meeting, Reached, TurnRules, Wanted},
    outline::Outline,
    resident::ResidentPages,
    table_pages::{Extent, Page, PageCell, PageId, TablePages},
};
use crate::{board::Color, index::Material, parallel, solve::error::BuildError};

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

impl<C: PageCell> PageCache<'_, C> {
    /// The slice that has the positions of an outline after a turn of a mover; `None` if the game
    /// is over with these men.
    fn slice_reached(
        &self,
        mover: Color,
        Reached { after, turned, meeting, extent }: Reached,
    ) -> Result<Option<SliceReached>, BuildError> {
        if self.game.has_ended(&after.material) {
            return Ok(None);
        }
        let swaps = self.game.swaps_colors();
        let material = if swaps { after.material.stronger_first() } else { after.material };
        let equal = swaps && after.material == after.material.swap_colors();
        let swapped = material != after.material || equal && turned == Color::White;
        let source = self.source(&material)?;
        let (outline, side) = if swapped {
            (after.swap_colors(source.index.size()), turned)
        } else {
            (after, !turned)
        };
        let structure = source.index.structures().map_or(0, |s| s.number(outline.pawns).0);
        Ok(Some(SliceReached { mover, meeting, extent, material, structure, side, swapped }))
    }

    fn outline(&self, material: &Material, structure: usize) -> Result<Outline, BuildError> {
        let index = &self.source(material)?.index;
        let pawns = index.structures().map_or_else(Default::default, |s| s.pawns(structure));
        Ok(Outline { material: *material, pawns })
    }

    /// What all turns out of some slices lead to.
    pub fn reached(
        &self,
        material: &Material,
        structures: Range<usize>,
    ) -> Result<SlicesReached, BuildError> {
        if !material.has_pawns() && self.game.successors(material).is_empty() {
            // Nothing goes on in them; steps of pawns lead to other slices of the same table.
            return Ok(SlicesReached(FxHashSet::default()));
        }
        self.reached_by(material, structures, &Color::ALL, Wanted::All)
    }

    /// What the captures and promotions of a page lead to.
    pub fn reached_by_change(&self, page: PageId) -> Result<SlicesReached, BuildError> {
        self.reached_by(&page.material, [page.structure], &[page.side], Wanted::Changes)
    }

    /// Reads the pages that captures and promotions of some pages lead to, which are of one section,
    /// one after the other in the order of their tables, so that what each of these is put right from
    /// need not be read anew for each of those. They are kept as long as they are held; none is where
    /// not all of them fit the room.
    pub fn read_ahead(&self, pages: &[PageId]) -> Result<Vec<Page<C>>, BuildError> {
        let Some(&PageId { material, mode, side, .. }) = pages.first() else {
            return Ok(Vec::new());
        };
        let structures = pages.iter().map(|page| page.structure);
        let reached = self.reached_by(&material, structures, &[side], Wanted::Changes)?;
        match &self.rounds(mode, &reached)?[..] {
            [round] => round.pages.iter().map(|&(id, extent)| self.page(id, extent)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    fn reached_by(
        &self,
        material: &Material,
        structures: impl IntoIterator<Item = usize> + Clone,
        movers: &[Color],
        wanted: Wanted,
    ) -> Result<SlicesReached, BuildError> {
        let rules = TurnRules { laws: &self.game.laws(), drops: self.game.drops() };
        let mut reached = FxHashSet::default();
        for &mover in movers {
            let mut closure = Closure::default();
            for structure in structures.clone() {
                rules.add(&mut closure, &self.outline(material, structure)?, mover, wanted);
            }
            for outline in closure {
                reached.extend(self.slice_reached(mover, outline)?);
            }
        }
        Ok(SlicesReached(reached))
    }

    /// The pages that are looked into from a mode of some slices, whose turns lead to those
    /// `reached`, in as many rounds as there must be for the pages of each to fit the room.
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
        let bytes = |(page, _): &(PageId, Extent)| -> Result<u64, BuildError> {
            let size = self.source(&page.material)?.index.structure_range(0).end;
            Ok(size * size_of::<C>() as u64)
        };
        let room = self.capacity() / 2;
        let (plain, passing) = (each_once(plain), each_once(passing));
        let all = each_once([plain.clone(), passing.clone()].concat());
        if all.iter().map(bytes).sum::<Result<u64, _>>()? <= room {
            return Ok(vec![LookupRound { pages: all, plain: true, passing: true }]);
        }
        let mut rounds = Vec::new();
        let mut taken = 0;
        for page in plain {
            let bytes = bytes(&page)?;
            if rounds.is_empty() || taken + bytes > room {
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

    /// The tables around a material, with the pages of a round; all rounds are told so that a page
    /// of none of them is noticed.
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
        let begin = |material: &Material| -> Result<Vec<Arc<TablePages<C>>>, BuildError> {
            let source = self.source(material)?;
            // Modes without a page share one table without any.
            let empty = Arc::new(TablePages::empty(source.index.clone()));
            Ok(vec![empty; source.modes])
        };
        let mut tables = FxHashMap::default();
        for material in self.game.successors(material).into_iter().chain([*material]) {
            tables.insert(material, begin(&material)?);
        }
        let mut found: FxHashMap<(Material, usize), TablePages<C>> = FxHashMap::default();
        for (id, page) in pages {
            let values = match found.entry((id.material, id.mode)) {
                Entry::Occupied(values) => values.into_mut(),
                Entry::Vacant(place) => {
                    let index = self.index(&id.material)?;
                    place.insert(TablePages::empty(index))
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
        let others = rounds.iter().enumerate().filter(|&(other, _)| other != round);
        let elsewhere = others.flat_map(|(_, round)| round.pages.iter().map(|&(id, _)| id));
        let LookupRound { plain, passing, .. } = rounds[round];
        Ok(ResidentPages { tables, elsewhere: elsewhere.collect(), plain, passing })
    }
}

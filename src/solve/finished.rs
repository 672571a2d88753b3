//! What the finished table of an ordinary variant tells, slice by slice.
//!
//! Whoever wants all of a table asks the engine for it: it finds what captures and promotions make
//! of 64 positions at once, where a probe looks at one position after the other.

mod turns;

use std::{collections::BTreeMap, convert::Infallible, fmt, iter, ops::Range, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    engine::{
        builder::LadderTables,
        ladder::{LadderGame, put_back, put_back_and_tell},
        pages::{Extent, Page, PageCache, PageId, Paged},
        slice::{Chesslike, IndexOrder, legal_lanes},
        spill::{Budget, ScratchArray},
    },
    error::BuildError,
    goal::Goal,
    table::one_sided_needs,
};
use crate::{
    answer::{
        Outcome, Tabled,
        place::{board_of, plain_setup},
        score::Store,
    },
    board::{Color, Man, Role, Square, pawn_attacks},
    index::{Index, Material},
    probe::TableDirectories,
    rules::Variant,
};

pub use turns::{FinishedTurns, TurnCounts};

/// A finished table that stores both sides to move, as do all that its captures and promotions
/// lead to.
pub struct FinishedTable<'a> {
    game: Variant,
    material: Material,
    index: Arc<Index>,
    /// The mode and the side to move of each section, in the order of the table's cells.
    sections: Vec<(usize, Color)>,
    cache: PageCache<'a, i16>,
}

impl fmt::Debug for FinishedTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedTable").field("material", &self.material).finish_non_exhaustive()
    }
}

impl<'a> FinishedTable<'a> {
    /// The table of a material as far as it holds so much, which may be more, from which slices are
    /// read with as much memory as a budget has left. `None` if one of the tables stores one side
    /// alone, or if games may end early, so that slices do not know which positions the table has.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn open(
        game: Variant,
        goal: &Goal,
        directories: &'a TableDirectories,
        budget: Budget,
    ) -> Result<Option<FinishedTable<'a>>, BuildError> {
        let Goal { material, contents } = *goal;
        if game.ladder(&material, 0).ends_early() {
            return Ok(None);
        }
        let own = directories.open(directories.first(&game.table_ids(&material, contents)))?;
        let is_one_sided =
            own.header().side.is_some() || !one_sided_needs(&game, goal, directories)?.is_empty();
        if is_one_sided {
            return Ok(None);
        }
        let cache = PageCache::new(Arc::new(game), directories, contents, budget);
        let index = cache.index(&material)?;
        let sections = (0..game.modes(&material))
            .flat_map(|mode| game.sides(&material, mode).iter().map(move |&side| (mode, side)));
        let sections = sections.collect();
        Ok(Some(FinishedTable { game, material, index, sections, cache }))
    }

    /// How many numbers each slice has.
    pub fn slice_numbers(&self) -> u64 {
        self.index.structure_range(0).end
    }

    /// How many slices there are, each with one side to move.
    pub fn slices(&self) -> u64 {
        self.sections() * self.structures()
    }

    /// How many sections the table has, each with a side to move.
    pub fn sections(&self) -> u64 {
        self.sections.len() as u64
    }

    /// How many slices a mode has for each side to move.
    fn structures(&self) -> u64 {
        self.index.len() / self.slice_numbers()
    }

    /// The slice with the same structure and the other side to move, where the table tells those
    /// apart.
    pub fn with_other_side(&self, slice: u64) -> Option<u64> {
        let (section, structure) = (slice / self.structures(), slice % self.structures());
        let (mode, side) = self.sections[section as usize];
        let other = self.sections.iter().position(|&other| other == (mode, !side))?;
        Some(other as u64 * self.structures() + structure)
    }

    /// The slices of a section, in groups whose promotions lead into the same pages.
    ///
    /// These pages differ in the pawns that stay where they are, so the slices of a group have the
    /// same pawns that cannot promote yet. Those in which no pawn can are the first group, and those
    /// in which all can, which lead to the most, the last: so who is told how many are done learns
    /// soon about how long it takes.
    pub fn groups(&self, section: u64) -> Vec<Vec<u64>> {
        let laws = self.game.laws();
        let is_near = |&(man, square): &(Man, Square)| {
            pawn_attacks(man.color, square).intersects(laws.promotes_on(man, square))
        };
        let mut groups: BTreeMap<Vec<(Man, Square)>, Vec<u64>> = BTreeMap::new();
        let mut others = Vec::new();
        for structure in 0..self.structures() {
            let slice = section * self.structures() + structure;
            let mut pawns: Vec<_> = self.pawns(structure as usize).collect();
            if pawns.iter().any(is_near) {
                pawns.retain(|pawn| !is_near(pawn));
                groups.entry(pawns).or_default().push(slice);
            } else {
                others.push(slice);
            }
        }
        iter::once(others).chain(groups.into_values().rev()).collect()
    }

    /// Reads what captures and promotions of some slices of a section lead to, if there is room for
    /// it all, and keeps it as long as that is held.
    ///
    /// # Errors
    /// If a table is damaged or there is no room.
    pub fn read_ahead(&self, slices: &[u64]) -> Result<ReadAhead, BuildError> {
        let pages: Vec<PageId> = slices.iter().map(|&slice| self.page(slice)).collect();
        Ok(ReadAhead { _pages: self.cache.read_ahead(&pages)? })
    }

    /// The pawns of a structure, and where they stand.
    fn pawns(&self, structure: usize) -> impl Iterator<Item = (Man, Square)> {
        let men = self.index.men().iter().copied();
        let men = men.zip(self.index.structure_squares(structure));
        men.filter(|(man, _)| man.role == Role::Pawn)
    }

    /// Which page of the table a slice is, in the order of the table's cells.
    fn page(&self, slice: u64) -> PageId {
        let (mode, side) = self.sections[(slice / self.structures()) as usize];
        let structure = (slice % self.structures()) as usize;
        PageId { material: self.material, structure, mode, side }
    }

    /// Reads a slice, by its number in the order of the table's cells.
    ///
    /// # Errors
    /// If a table is damaged or there is no room.
    pub fn scores(&self, slice: u64) -> Result<FinishedScores, BuildError> {
        let id = self.page(slice);
        let (ladder, mut scores) = (self.ladder(id), self.cache.stored(id)?);
        put_back(&*ladder, &self.cache, (id, Extent::Whole), &mut scores)?;
        Ok(self.finished(&*ladder, id, scores))
    }

    /// Reads a slice in the same way, with what captures and promotions make.
    ///
    /// # Errors
    /// If a table is damaged or there is no room.
    pub fn slice(&self, slice: u64) -> Result<FinishedSlice, BuildError> {
        let id = self.page(slice);
        let (ladder, mut scores) = (self.ladder(id), self.cache.stored(id)?);
        let reached = put_back_and_tell(&*ladder, &self.cache, id, &mut scores)?;
        Ok(FinishedSlice { scores: self.finished(&*ladder, id, scores), reached })
    }

    fn ladder(&self, id: PageId) -> Box<dyn LadderGame<Store = i16> + '_> {
        self.game.ladder(&self.material, id.mode)
    }

    /// The scores of a page, of which nothing is left out.
    fn finished(
        &self,
        ladder: &dyn LadderGame<Store = i16>,
        id: PageId,
        scores: ScratchArray<i16>,
    ) -> FinishedScores {
        let FinishedTable { material, index, cache, .. } = self;
        let squares = index.structure_squares(id.structure);
        let slice = ladder.slice(material, squares);
        let start = index.structure_range(id.structure).start;
        let order = IndexOrder::new(index, &slice);
        let legal = order.sort_lanes(&legal_lanes(&slice, id.side), scores.len());
        let (pawns, squares): (Vec<_>, Vec<_>) = self.pawns(id.structure).unzip();
        let board = board_of(index.size(), &pawns, &squares);
        let passing = plain_setup(board, id.side, None).passing_variants(slice.laws());
        let has_passing = !passing.is_empty();
        let (index, distances) = (Arc::clone(index), cache.has_distances());
        FinishedScores { scores, legal, distances, has_passing, index, start }
    }
}

/// What the captures and promotions of some slices lead to, which is not read again while this lives.
pub struct ReadAhead {
    _pages: Vec<Page<i16>>,
}

impl fmt::Debug for ReadAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadAhead").finish_non_exhaustive()
    }
}

/// What comes of the positions of a slice of a finished table, which has one side to move.
pub struct FinishedScores {
    scores: ScratchArray<i16>,
    /// The numbers that are positions, a bit each.
    legal: Box<[u64]>,
    distances: bool,
    has_passing: bool,
    index: Arc<Index>,
    /// The first of its numbers in the index.
    start: u64,
}

impl fmt::Debug for FinishedScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedScores").finish_non_exhaustive()
    }
}

impl FinishedScores {
    /// What a number of the slice stands for; `None` if it is no position.
    #[inline]
    pub fn outcome(&self, number: u64) -> Option<Outcome> {
        let number = number as usize;
        let is_legal = self.legal[number / 64] >> (number % 64) & 1 != 0;
        is_legal.then(|| self.outcome_of(self.scores[number]))
    }

    /// Whether the pawns stand so that one may be taken in passing if it has just gone two squares.
    /// Positions in which one can be have no numbers.
    pub fn has_passing(&self) -> bool {
        self.has_passing
    }

    #[inline]
    fn outcome_of(&self, score: i16) -> Outcome {
        let outcome = Outcome::of::<i16>(score.score());
        let distance = outcome.distance.filter(|_| self.distances);
        Outcome { distance, ..outcome }
    }

    /// Calls `meet` with the positions among some numbers of the slice that are counted with their
    /// own: with the number, how many placements it stands for, and what comes of it.
    ///
    /// # Errors
    /// What `meet` fails with.
    pub fn each<E>(
        &self,
        numbers: Range<u64>,
        mut meet: impl FnMut(u64, u64, Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_score(numbers, |number, weight, score| {
            meet(number, weight, self.outcome_of(score))
        })
    }

    /// How many of those positions come to the same.
    pub fn count(&self, numbers: Range<u64>) -> Vec<(Outcome, Counted)> {
        let mut by_score: FxHashMap<i16, Counted> = FxHashMap::default();
        let counted = self.each_score(numbers, |number, weight, score| {
            let counted = by_score.entry(score).or_insert(Counted::from(number));
            counted.positions += 1;
            counted.placements += weight;
            Ok::<_, Infallible>(())
        });
        let Ok(()) = counted;
        by_score.into_iter().map(|(score, counted)| (self.outcome_of(score), counted)).collect()
    }

    #[inline(always)]
    fn each_score<E>(
        &self,
        numbers: Range<u64>,
        mut meet: impl FnMut(u64, u64, i16) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut next = numbers.start;
        while next < numbers.end {
            let (weight, end) = self.index.common_weight(self.start + next);
            let end = numbers.end.min(end - self.start);
            while next < end {
                let (word, from) = (next / 64, next % 64);
                let behind = end.min((word + 1) * 64);
                let mut legal = self.legal[word as usize] >> from << from;
                legal &= u64::MAX >> (64 - (behind - word * 64));
                while legal != 0 {
                    let number = word * 64 + u64::from(legal.trailing_zeros());
                    legal &= legal - 1;
                    let weight = weight.unwrap_or_else(|| self.index.weight(self.start + number));
                    if weight > 0 {
                        meet(number, weight, self.scores[number as usize])?;
                    }
                }
                next = behind;
            }
        }
        Ok(())
    }
}

/// How many positions there are of a kind.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The number of the first.
    pub first: u64,
    /// How many there are, those counted once that symmetries make equal.
    pub positions: u64,
    /// How many placements they stand for.
    pub placements: u64,
}

impl Counted {
    /// None yet; the first has this number.
    fn from(first: u64) -> Counted {
        Counted { first, positions: 0, placements: 0 }
    }

    /// Adds others of the kind.
    pub fn merge(&mut self, other: Counted) {
        self.first = self.first.min(other.first);
        self.positions += other.positions;
        self.placements += other.placements;
    }
}

/// A slice of a finished table with one side to move.
pub struct FinishedSlice {
    scores: FinishedScores,
    /// Whether captures and promotions make the score.
    reached: Vec<bool>,
}

impl fmt::Debug for FinishedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedSlice").finish_non_exhaustive()
    }
}

impl FinishedSlice {
    /// What a number of the slice stands for, and whether captures and promotions alone make it
    /// that; `None` if it is no position.
    pub fn known(&self, number: u64) -> Option<(Outcome, bool)> {
        Some((self.scores.outcome(number)?, self.reached[number as usize]))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tempfile::TempDir;

    use super::*;
    use crate::{
        Tablebase,
        answer::{Contents, variant::modes},
        rules::Variant,
        solve::BuildOptions,
    };

    fn built_in(name: &str) -> Variant {
        Variant::named(name).expect("a game")
    }

    /// The tables of a material, and the folder that goes away with them.
    fn built(game: Variant, name: &str, contents: Contents) -> (TempDir, Tablebase<Variant>) {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(game, folder.path());
        let options = BuildOptions::default().level(1).contents(contents);
        tables.build(&[name.parse().unwrap()], &options).unwrap();
        (folder, tables)
    }

    fn open<'t>(
        tables: &'t Tablebase<Variant>,
        material: &Material,
        told: Contents,
        memory: u64,
    ) -> Option<FinishedTable<'t>> {
        let game = *tables.game();
        let budget = Budget::new(memory, tables.directories().folder());
        let goal = Goal::new(&game, *material, told);
        FinishedTable::open(game, &goal, tables.directories(), budget).unwrap()
    }

    /// Holds what slices tell against what is known of each position by itself. Tells of how many
    /// it was asked, and how many captures and promotions make.
    fn compare(
        tables: &Tablebase<Variant>,
        material: &Material,
        told: Contents,
        memory: u64,
    ) -> [u32; 2] {
        let game = *tables.game();
        let finished = open(tables, material, told, memory).expect("both sides, and no early end");
        let (table, _) = tables.open_whole(material).unwrap();
        let (entries, size) = (finished.index.len(), finished.slice_numbers());
        assert_eq!(finished.slices() * size, modes(game) as u64 * 2 * entries);
        let mut met = [0; 2];
        let is_asked = |at: &u64| (at % finished.structures()).is_multiple_of(5);
        for at in (0..finished.slices()).filter(is_asked) {
            let _ahead = at.is_multiple_of(2).then(|| finished.read_ahead(&[at]).unwrap());
            let (slice, scores) = (finished.slice(at).unwrap(), finished.scores(at).unwrap());
            for number in (0..size).step_by(3) {
                let cell = at * size + number;
                let expected = game.cell(&table.reader, cell).map(|setup| {
                    let known = tables.known_cell(&table, cell, &setup, told).unwrap();
                    (known.0.outcome(setup.to_move), known.1)
                });
                assert_eq!(slice.known(number), expected, "{material} {at} {number}");
                let outcome = expected.map(|(outcome, _)| outcome);
                assert_eq!(scores.outcome(number), outcome, "{material} {at} {number}");
                met[0] += u32::from(expected.is_some());
                met[1] += u32::from(expected.is_some_and(|(_, reached)| reached));
            }
        }
        met
    }

    #[test]
    fn slices_tell_what_is_known_of_each_position() {
        let three_check = built_in("3check");
        let (distance, result) = (Contents::Distance, Contents::Result);
        // With little memory, what captures and promotions lead to is looked up in several rounds.
        let (much, little) = (1 << 30, 1 << 20);
        for (game, name, holding, asked) in [
            (
                Variant::orthodox(),
                "KQvKP",
                distance,
                &[(distance, much), (distance, little), (result, much)][..],
            ),
            (Variant::orthodox(), "KRvKN", result, &[(result, little)]),
            (three_check, "KPvK", distance, &[(distance, much)]),
        ] {
            let (_folder, tables) = built(game, name, holding);
            let material: Material = name.parse().unwrap();
            for &(told, memory) in asked {
                let [positions, reached] = compare(&tables, &material, told, memory);
                assert!(reached > 100 && positions > 2 * reached, "{name}: {positions} {reached}");
            }
        }
    }

    #[test]
    fn slices_of_a_group_have_the_pawns_in_common_that_cannot_promote() {
        let (gardner, distance) = (built_in("gardner"), Contents::Distance);
        let (_folder, tables) = built(gardner, "KPvKP", distance);
        let finished = open(&tables, &"KPvKP".parse().unwrap(), distance, 1 << 20);
        let finished = finished.expect("both sides, and no early end");

        // Pawns promote on the fifth rank and on the first.
        let stay = |slice: u64| -> Vec<Option<Square>> {
            let near = |man: Man| if man.color == Color::White { 3 } else { 1 };
            let pawns = finished.pawns((slice - finished.structures()) as usize);
            pawns.map(|(man, at)| (at.rank() != near(man)).then_some(at)).collect()
        };
        let groups = finished.groups(1);
        let all: BTreeSet<u64> = groups.iter().flatten().copied().collect();
        assert_eq!(all.len(), groups.iter().map(Vec::len).sum::<usize>());
        assert!(all.into_iter().eq(finished.structures()..2 * finished.structures()));
        let (others, groups) = groups.split_first().expect("there is always this one");
        assert!(others.iter().all(|&slice| stay(slice).iter().all(Option::is_some)));
        let mut met = BTreeSet::new();
        for group in groups {
            let first = stay(group[0]);
            assert!(group.iter().all(|&slice| stay(slice) == first) && first.contains(&None));
            assert!(met.insert(first));
        }
        assert!(groups.iter().any(|group| group.len() > 4));
    }

    #[test]
    fn where_games_end_early_slices_do_not_tell() {
        let distance = Contents::Distance;
        let (_folder, tables) = built(Variant::koth(), "KQvK", distance);
        assert!(open(&tables, &"KQvK".parse().unwrap(), distance, 1 << 20).is_none());
    }
}

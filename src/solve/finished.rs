//! What the finished table of an ordinary variant tells, slice by slice.
//!
//! Whoever wants all of a table asks the engine for it: it finds what captures and promotions make
//! of 64 positions at once, where a probe looks at one position after the other.

use std::{fmt, sync::Arc};

use super::{
    engine::{
        builder::LadderTables,
        ladder::put_back_and_tell,
        pages::{PageCache, PageId},
        slice::{IndexOrder, legal_lanes, structure_squares},
        spill::{Budget, ScratchArray},
    },
    error::BuildError,
    goal::Goal,
    table::one_sided_needs,
};
use crate::{
    answer::{Outcome, Tabled, score::Store},
    board::Color,
    index::{Index, Material},
    probe::TableDirectories,
    rules::Variant,
};

/// A finished table that stores both sides to move, as do all that its captures and promotions
/// lead to.
pub struct FinishedTable<'a> {
    game: Variant,
    material: Material,
    index: Arc<Index>,
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
        Ok(Some(FinishedTable { game, material, index, cache }))
    }

    /// How many numbers each slice has.
    pub fn slice_numbers(&self) -> u64 {
        self.index.structure_range(0).end
    }

    /// Reads a slice of a mode with a side to move.
    ///
    /// # Errors
    /// If a table is damaged or there is no room.
    pub fn slice(
        &self,
        (mode, side): (usize, Color),
        structure: usize,
    ) -> Result<FinishedSlice, BuildError> {
        let FinishedTable { game, material, index, cache } = self;
        let ladder = game.ladder(material, mode);
        let id = PageId { material: *material, structure, mode, side };
        let mut scores = cache.stored(id)?;
        let reached = put_back_and_tell(&*ladder, cache, id, &mut scores)?;
        let slice = ladder.slice(material, structure_squares(index, structure));
        let order = IndexOrder::new(index, index.structure_range(structure).start, &slice);
        let legal = order.sort_lanes(&legal_lanes(&slice, side), scores.len());
        Ok(FinishedSlice { scores, reached, legal, distances: cache.has_distances() })
    }
}

/// A slice of a finished table with one side to move.
pub struct FinishedSlice {
    scores: ScratchArray<i16>,
    /// Whether captures and promotions make the score.
    reached: Vec<bool>,
    /// The numbers that are positions, a bit each.
    legal: Box<[u64]>,
    distances: bool,
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
        let number = number as usize;
        if self.legal[number / 64] >> (number % 64) & 1 == 0 {
            return None;
        }
        let outcome = Outcome::of::<i16>(self.scores[number].score());
        let distance = outcome.distance.filter(|_| self.distances);
        Some((Outcome { distance, ..outcome }, self.reached[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Tablebase,
        answer::{Contents, variant::modes},
        rules::{Game, Variant},
        solve::BuildOptions,
    };

    /// Holds what slices tell against what is known of each position by itself. Tells of how many
    /// it was asked, and how many captures and promotions make.
    fn compare(
        tables: &Tablebase<Variant>,
        material: &Material,
        told: Contents,
        memory: u64,
    ) -> [u32; 2] {
        let game = *tables.game();
        let budget = Budget::new(memory, tables.directories().folder());
        let goal = Goal::new(&game, *material, told);
        let finished = FinishedTable::open(game, &goal, tables.directories(), budget);
        let finished = finished.unwrap().expect("both sides, and no early end");
        let (table, _) = tables.open_whole(material).unwrap();
        let (entries, size) = (finished.index.len(), finished.slice_numbers());
        let sections = (0..modes(game)).flat_map(|mode| Color::ALL.map(|side| (mode, side)));
        let mut met = [0; 2];
        for (at, section) in (0..).zip(sections) {
            for structure in (0..entries / size).step_by(5) {
                let slice = finished.slice(section, structure as usize).unwrap();
                for number in (0..size).step_by(3) {
                    let cell = at * entries + structure * size + number;
                    let expected = game.cell(&table.reader, cell).map(|setup| {
                        let known = tables.known_cell(&table, cell, &setup, told).unwrap();
                        (known.0.outcome(setup.to_move), known.1)
                    });
                    assert_eq!(slice.known(number), expected, "{material} {section:?} {number}");
                    met[0] += u32::from(expected.is_some());
                    met[1] += u32::from(expected.is_some_and(|(_, reached)| reached));
                }
            }
        }
        met
    }

    #[test]
    fn slices_tell_what_is_known_of_each_position() {
        let three_check = *Variant::built_in().iter().find(|game| game.name() == "3check").unwrap();
        let (distance, result) = (Contents::Distance, Contents::Result);
        // With little memory, what captures and promotions lead to is looked up in several rounds.
        let (much, little) = (1 << 30, 1 << 20);
        for (game, name, built, asked) in [
            (
                Variant::orthodox(),
                "KQvKP",
                distance,
                &[(distance, much), (distance, little), (result, much)][..],
            ),
            (Variant::orthodox(), "KRvKN", result, &[(result, little)]),
            (three_check, "KPvK", distance, &[(distance, much)]),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let tables = Tablebase::new(game, folder.path());
            let material: Material = name.parse().unwrap();
            tables.build(&[material], &BuildOptions::default().level(1).contents(built)).unwrap();
            for &(told, memory) in asked {
                let [positions, reached] = compare(&tables, &material, told, memory);
                assert!(reached > 100 && positions > 2 * reached, "{name}: {positions} {reached}");
            }
        }
    }

    #[test]
    fn where_games_end_early_slices_do_not_tell() {
        let game = Variant::koth();
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(game, folder.path());
        let material: Material = "KQvK".parse().unwrap();
        tables.build(&[material], &BuildOptions::default().level(1)).unwrap();
        let goal = Goal::new(&game, material, Contents::Distance);
        let budget = Budget::new(1 << 20, folder.path());
        assert!(FinishedTable::open(game, &goal, tables.directories(), budget).unwrap().is_none());
    }
}

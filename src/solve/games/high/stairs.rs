//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    ahead::{Ahead, LandingTables},
    interner::{Interner, Sequences},
    landings::{Landing, Staircases, landing},
    layers::{SolvedLayers, solve_layers},
    numbered,
};
use crate::{
    answer::{
        high::{STAIRCASES, read_staircases},
        place::chess_group,
        score::Store,
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::{Index, Material},
    rules::{High, Laws},
    solve::{
        BuildError, TableSize, Workbench,
        engine::{
            ladder_game::Chesslike,
            packed::PackedPages,
            paged::{Cell, Paged},
            partwise::{self, BATCH, Partwise, section},
            scratch::{Budget, Scratch},
            slice::Slice,
            stock::Round,
            values::{bring_into_order, structure_squares},
        },
    },
    table::{Cells, Stretches, Table, TableError, TableWriter},
};

/// An entry per position of a slice, per side to move.
type BothSides<T> = [Scratch<T>; 2];

/// The staircases of a table: a number per position, and what the numbers mean.
pub(super) struct Stairs {
    numbers: PackedPages<u32>,
    staircases: Sequences<u8>,
}

/// High Chess with what the numbers of the tables that were opened mean to a vital turn. Pages hold
/// that alone.
struct LandingPages<'a> {
    game: &'a High,
    landings: Mutex<FxHashMap<Material, Arc<[Landing]>>>,
}

impl Cell for Landing {
    const GAP: Landing = [0; 2];
}

impl Chesslike for LandingPages<'_> {
    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        false
    }
}

impl Paged for LandingPages<'_> {
    type Game = High;
    type Cell = Landing;
    type Meanings = Arc<[Landing]>;
    const IN_PARTS: bool = false;

    fn game(&self) -> &High {
        self.game
    }

    fn stretches(
        &self,
        table: &Table,
        material: &Material,
        (_, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        let mut landings = self.landings.lock().unwrap_or_else(PoisonError::into_inner);
        if !landings.contains_key(material) {
            let staircases = read_staircases(table, entries)?;
            let all = staircases.iter().map(|staircase| landing(staircase.steps())).collect();
            landings.insert(*material, all);
        }
        sized_stretches(table, &section_name(side, ""), entries)
    }

    fn meanings(&self, _: &Cells, material: &Material, _: (usize, Color)) -> Arc<[Landing]> {
        let landings = self.landings.lock().unwrap_or_else(PoisonError::into_inner);
        landings[material].clone()
    }
}

/// How big a table without distances is.
pub(super) fn size(game: &High, material: &Material) -> TableSize {
    let positions = 2 * Index::count(material, chess_group(material));
    let pages = LandingPages { game, landings: Mutex::default() };
    // For both sides to move three rows of bytes, numbers of four and landings of two, and what is
    // packed of them.
    let needed = partwise::needed(&pages, material, 0, 2 * (3 + 4 + 2 + 1));
    TableSize {
        positions,
        memory: needed.memory,
        least: Some(needed.least),
        loaded: 2 * positions,
        file: positions / 4,
        time: Duration::from_nanos(positions * 200),
    }
}

impl High {
    pub(super) fn solve_stairs(
        &self,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<Stairs, BuildError> {
        let pages = LandingPages { game: self, landings: Mutex::default() };
        let work = Partwise::new(&pages, material, bench);
        let structures = work.index.structures().map_or(1, |structures| structures.len());
        let numbers = PackedPages::new(0..structures, work.size(), Color::ALL.len());
        let staircases = Interner::new(usize::from(self.vitality.points()));
        work.solve_whole(|job| {
            let mut batches = work.batches(job.structures.clone(), BATCH).into_iter();
            batches.try_for_each(|batch| self.solve_batch(&work, batch, &numbers, &staircases))
        })?;
        Ok(Stairs { numbers, staircases: staircases.into_sequences() })
    }

    /// Solves slices that are equally far on, with the pages of all around at hand at once.
    fn solve_batch(
        &self,
        work: &Partwise<'_, LandingPages<'_>>,
        batch: Range<usize>,
        packed: &PackedPages<u32>,
        staircases: &Interner<u8>,
    ) -> Result<(), BuildError> {
        let Partwise { material, index, stock, budget, bench, .. } = work;
        let rounds = stock.rounds(0, &stock.ways(material, batch.clone())?)?;
        if rounds.len() > 1 && batch.len() > 1 {
            // Fewer slices look into fewer pages.
            let middle = batch.start + batch.len() / 2;
            self.solve_batch(work, batch.start..middle, packed, staircases)?;
            return self.solve_batch(work, middle..batch.end, packed, staircases);
        }
        let library = stock.library(material, &[Round::together(rounds)], 0)?;
        let tables: LandingTables<Landing> =
            library.iter().map(|(material, modes)| (*material, modes[0].clone())).collect();
        let context = Ahead::new(self, material, Staircases(self), &tables);
        batch.into_par_iter().try_for_each(|structure| -> Result<(), BuildError> {
            let squares = structure_squares(index, structure);
            let slice = Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
            let solved = solve_layers(&context, &slice, budget)?;
            let (numbers, landings) = self.number_staircases(solved, staircases, budget)?;
            for side in Color::ALL {
                let mut page = budget.array(work.size() as usize, 0)?;
                bring_into_order(index, structure, &slice, &numbers[side.index()], &mut page);
                packed.put(section(0, side), structure, &page, budget)?;
                let mut page = stock.room(work.size() as usize)?;
                bring_into_order(index, structure, &slice, &landings[side.index()], &mut page);
                work.put(0, side, structure, &Arc::new(page))?;
            }
            bench.progress.advance(1);
            Ok(())
        })
    }

    /// Solves the layers of a slice and finds its staircases among those of the table.
    fn number_staircases(
        &self,
        (mut numbers, legal, histories): SolvedLayers,
        staircases: &Interner<u8>,
        budget: &Budget,
    ) -> io::Result<(BothSides<u32>, BothSides<Landing>)> {
        let full = u16::from(self.vitality.points());
        let cells = numbers[0].len();
        let mut landings = [budget.array(cells, [0; 2])?, budget.array(cells, [0; 2])?];
        let meaning = |staircase: &[u8]| (staircases.number(staircase), landing(staircase));
        for ((numbers, landings), legal) in numbers.iter_mut().zip(&mut landings).zip(&legal) {
            histories.give_meaning(numbers, landings, legal, 0, 1..full + 1, meaning);
        }
        Ok((numbers, landings))
    }
}

/// Writes the staircases and a number of one for every position; `mates` has who can force mate.
pub(super) fn write_stairs(
    writer: &mut TableWriter,
    stairs: &Stairs,
    positions: u64,
    mates: &PackedPages<i16>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    // Sorted, so that every build writes the same file whatever its threads did first.
    let (order, places) = stairs.staircases.sorted(stairs.staircases.numbers());
    writer.blob(STAIRCASES, &stairs.staircases.concat(&order))?;
    let place = |side, range: Range<u64>| {
        let numbers = stairs.numbers.range(section(0, side), range.clone());
        let mates = mates.range(section(0, side), range);
        // Numbers that are no positions have no mate either.
        let legal = |mate: i16| mate != <i16 as Store>::NONE;
        let both = numbers.into_iter().zip(mates);
        both.map(|(number, mate)| legal(mate).then(|| places[number as usize])).collect()
    };
    numbered::write_ranges(writer, positions, order.len(), place, bench)?;
    Ok(())
}

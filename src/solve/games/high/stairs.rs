//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex},
    time::Duration,
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    ahead::{Ahead, LandingTables},
    interner::{Interner, Sequences},
    landings::{Landing, Staircases, landing},
    layers::solve_layers,
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
    lock::lock,
    rules::{High, Laws},
    solve::{
        BuildError, TableSize, Workbench,
        engine::{
            chronicle::Chronicle,
            ladder_game::Chesslike,
            order::Order,
            packed::PackedPages,
            paged::{Cell, Paged},
            partwise::{self, BATCH, Partwise, section},
            slice::Slice,
            stock::Round,
            values::structure_squares,
        },
    },
    table::{Cells, Stretches, Table, TableError, TableWriter},
};

/// The number for what is no position.
const NO_STAIRCASE: u32 = u32::MAX;

/// Numbers whose landings are found by a thread at once.
const CHUNK: usize = 1 << 16;

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
        let mut landings = lock(&self.landings);
        if !landings.contains_key(material) {
            let staircases = read_staircases(table, entries)?;
            let all = staircases.iter().map(|staircase| landing(staircase.steps())).collect();
            landings.insert(*material, all);
        }
        sized_stretches(table, &section_name(side, ""), entries)
    }

    fn meanings(&self, _: &Cells, material: &Material, _: (usize, Color)) -> Arc<[Landing]> {
        let landings = lock(&self.landings);
        landings[material].clone()
    }
}

/// How big a table without distances is.
pub(super) fn size(game: &High, material: &Material) -> TableSize {
    let positions = 2 * Index::count(material, chess_group(material));
    let pages = LandingPages { game, landings: Mutex::default() };
    // For both sides to move three rows of bytes, and what is packed of them; numbers of four bytes
    // come when the rows have gone.
    let needed = partwise::needed(&pages, material, 0, 8 * 2 * (3 + 1));
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
            let (chronicles, legal) = solve_layers(&context, &slice, budget)?;
            let order = Order::new(index, index.structure_range(structure).start, &slice);
            for (side, chronicle) in Color::ALL.into_iter().zip(chronicles) {
                let legal: Vec<_> = legal[side.index()].chunks(slice.words_a_stretch()).collect();
                let mut numbers = budget.array(work.size() as usize, NO_STAIRCASE)?;
                let number = |n: usize| self.number_staircases(&chronicle, n, legal[n], staircases);
                order.sort_stretches(number, &mut numbers)?;
                packed.put(section(0, side), structure, &numbers, budget)?;
                // Nothing looks into a table that is one slice while it is solved.
                if material.has_pawns() {
                    let mut page = stock.room(work.size() as usize)?;
                    find_landings(&numbers, staircases, &mut page);
                    work.put(0, side, structure, &Arc::new(page))?;
                }
            }
            bench.progress.advance(1);
            Ok(())
        })
    }

    /// Finds the staircases of a stretch of words among those of the table; `legal` are its positions.
    fn number_staircases(
        &self,
        chronicle: &Chronicle,
        stretch: usize,
        legal: &[u64],
        staircases: &Interner<u8>,
    ) -> io::Result<Vec<u32>> {
        let (mut numbers, histories) = chronicle.stretch(stretch)?;
        let full = u16::from(self.vitality.points());
        let meaning = |staircase: &[u8]| (staircases.number(staircase), ());
        let mut others = vec![(); numbers.len()];
        let layers = 1..full + 1;
        histories.give_meaning(&mut numbers, &mut others, legal, NO_STAIRCASE, layers, meaning);
        Ok(numbers)
    }
}

/// What vital turns to positions with staircases of some numbers are worth.
fn find_landings(numbers: &[u32], staircases: &Interner<u8>, page: &mut [Landing]) {
    page.par_chunks_mut(CHUNK).zip(numbers.par_chunks(CHUNK)).for_each(|(page, numbers)| {
        let mut known = FxHashMap::from_iter([(NO_STAIRCASE, Landing::GAP)]);
        for (to, &number) in page.iter_mut().zip(numbers) {
            *to = *known.entry(number).or_insert_with(|| staircases.look(number, landing));
        }
    });
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

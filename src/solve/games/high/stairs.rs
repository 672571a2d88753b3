//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{
    io,
    ops::Range,
    path::PathBuf,
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
    mates::{self, Mates},
    numbered,
};
use crate::{
    answer::{
        high::{STAIRCASES, read_staircases},
        place::chess_group,
        score::Store,
    },
    board::Color,
    index::{Index, Material},
    lock::lock,
    rules::{High, Laws},
    solve::{
        BuildError, Part, TableSize, Workbench,
        engine::{
            chronicle::Chronicle,
            entries::Stretch,
            ladder_game::Chesslike,
            order::Order,
            packed::PackedPages,
            paged::{Cell, Paged},
            partwise::{self, BATCH, Job, Partwise, section},
            slice::Slice,
            stock::Round,
            values::structure_squares,
        },
    },
    table::{TableError, TableWriter},
};

/// The number for what is no position.
const NO_STAIRCASE: u32 = u32::MAX;

/// Numbers whose landings are found by a thread at once.
const CHUNK: usize = 1 << 16;

/// The staircases of a part: a number per position, and what the numbers mean.
struct Stairs {
    numbers: PackedPages<u32>,
    staircases: Sequences<u8>,
}

/// High Chess with what the numbers of the tables that were opened mean to a vital turn. Pages hold
/// that alone.
struct LandingPages<'a> {
    game: &'a High,
    landings: Mutex<Opened>,
}

/// What the numbers of a stretch mean, by the path of the file and the number of the stretch.
type Opened = FxHashMap<(PathBuf, usize), Arc<[Landing]>>;

impl<'a> LandingPages<'a> {
    /// None opened yet.
    fn new(game: &'a High) -> LandingPages<'a> {
        LandingPages { game, landings: Mutex::default() }
    }
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
    const FROM_SLICE: bool = false;

    fn game(&self) -> &High {
        self.game
    }

    fn meanings(&self, stretch: &Stretch<'_>) -> Result<Arc<[Landing]>, TableError> {
        let Stretch { table, number, cells, .. } = *stretch;
        let key = (table.path().to_owned(), number);
        if let Some(known) = lock(&self.landings).get(&key) {
            return Ok(known.clone());
        }
        // Not under the lock, for many threads read.
        let staircases = read_staircases(table, number, cells.entries())?;
        let all: Arc<[Landing]> =
            staircases.iter().map(|staircase| landing(staircase.steps())).collect();
        lock(&self.landings).insert(key, all.clone());
        Ok(all)
    }
}

/// How big a table without distances is.
pub(super) fn size(game: &High, material: &Material) -> TableSize {
    let positions = 2 * Index::count(material, chess_group(material));
    let pages = LandingPages::new(game);
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

/// Solves a table without distances and writes it, or just one part; see [`Partwise::build`].
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub(super) fn build(
    game: &High,
    material: &Material,
    part: Option<&Part>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let (pages, mates) = (LandingPages::new(game), Mates { game, in_parts: true });
    let stairs = Partwise::new(&pages, material, bench);
    let work = Partwise::new(&mates, material, bench);
    work.build(part, |job| solve(&stairs, &work, job))
}

/// Solves a part and writes it: its staircases, and its mates.
fn solve(
    stairs: &Partwise<'_, LandingPages<'_>>,
    mates: &Partwise<'_, Mates<'_>>,
    job: &Job,
) -> Result<(), BuildError> {
    // They have the memory in turn.
    mates.stock.forget();
    let found = stairs.game.game.solve_stairs(stairs, job)?;
    stairs.stock.forget();
    mates::solve(mates, job, |writer| {
        write_stairs(writer, &found, mates.entries(job), &mates.solved(), mates.bench)
    })
}

impl High {
    /// Finds the staircases of a part whose mates are another's work.
    fn solve_stairs(
        &self,
        work: &Partwise<'_, LandingPages<'_>>,
        job: &Job,
    ) -> Result<Stairs, BuildError> {
        let numbers = PackedPages::new(job.structures.clone(), work.size(), Color::ALL.len());
        let staircases = Interner::new(usize::from(self.vitality.points()));
        work.solve_along(job, |job| {
            let mut batches = work.batches(job.structures.clone(), BATCH).into_iter();
            batches.try_for_each(|batch| self.solve_batch(work, batch, &numbers, &staircases))
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
fn write_stairs(
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

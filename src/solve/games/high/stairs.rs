//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{
    io,
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use rustc_hash::FxHashMap;

use super::{
    ahead::{Ahead, LandingTables},
    landings::{StairLanding, Staircases, landing},
    layers::solve_layers,
    mates::{Mates, MatesSolver, MovesAndPass},
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
    parallel::{self, chunks},
    probe::Catalogue,
    rules::{High, Laws},
    solve::{
        engine::{
            builder::{
                BATCH, Batch, PartJob, SolveParts, TableSolver, Workbench, memory_need, section,
            },
            clock::{LayerLog, Sequences, SharedInterner},
            pages::{LookupRound, PackedPages, PageCell, Paged, PartCells},
            slice::{Chesslike, IndexOrder, Slice},
        },
        error::BuildError,
        game::TableSize,
        goal::Goal,
        parts::Part,
    },
    table::{TableError, TableWriter},
};

/// The number for what is no position.
const NO_STAIRCASE: u32 = u32::MAX;

/// Numbers whose landings are found by a thread at once: each finds the few that occur anew.
const CHUNK: usize = 1 << 16;

/// The staircases of a part: a number per position, and what the numbers mean.
struct Stairs {
    numbers: PackedPages<u32>,
    staircases: Sequences<u8>,
}

/// High Chess with what the numbers of the tables that were opened mean to a vital turn. Pages hold
/// that alone.
struct LandingPages {
    game: High,
    landings: Mutex<Opened>,
}

/// What the numbers of a stretch mean, by the path of the file and the number of the stretch.
type Opened = FxHashMap<(PathBuf, usize), Arc<[StairLanding]>>;

impl LandingPages {
    /// None opened yet.
    fn new(game: High) -> LandingPages {
        LandingPages { game, landings: Mutex::default() }
    }
}

impl PageCell for StairLanding {
    const GAP: StairLanding = [0; 2];
}

impl Chesslike for LandingPages {
    fn swaps_colors(&self) -> bool {
        false
    }
}

impl Paged for LandingPages {
    type Cell = StairLanding;

    fn game(&self) -> &dyn Catalogue {
        &self.game
    }

    fn writes_slice(&self) -> bool {
        false
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[StairLanding]>, TableError> {
        let PartCells { table, number, cells, .. } = *stretch;
        let key = (table.path().to_owned(), number);
        if let Some(known) = lock(&self.landings).get(&key) {
            return Ok(known.clone());
        }
        // Not under the lock, for many threads read.
        let staircases = read_staircases(table, number, cells.entries())?;
        let all: Arc<[StairLanding]> =
            staircases.iter().map(|staircase| landing(staircase.steps())).collect();
        lock(&self.landings).insert(key, all.clone());
        Ok(all)
    }
}

/// How big a table without distances is.
pub(super) fn size(game: &High, material: &Material) -> TableSize {
    let positions = 2 * Index::count(material, chess_group(material));
    let pages = LandingPages::new(*game);
    // For both sides to move three rows of bytes, and what is packed of them; numbers of four bytes
    // come when the rows have gone.
    let needed = memory_need(&pages, material, 0, 8 * 2 * (3 + 1));
    TableSize {
        positions,
        memory: needed.memory,
        least: Some(needed.least),
        loaded: 2 * positions,
        file: positions / 4,
        scratch: None,
        time: Duration::from_nanos(positions * 200),
    }
}

/// Solves the parts of a table without distances: the staircases of each, and its mates.
pub(super) struct StaircaseSolver<'a> {
    game: High,
    stairs: TableSolver<'a, StairLanding>,
    mates: MatesSolver<'a>,
}

impl<'a> StaircaseSolver<'a> {
    /// The table of a material.
    pub fn new(game: &High, goal: &Goal, bench: &'a Workbench<'a>) -> Self {
        let stairs = TableSolver::new(Arc::new(LandingPages::new(*game)), goal, bench);
        let mates = MatesSolver::new(Mates(*game), MovesAndPass, goal, bench);
        StaircaseSolver { game: *game, stairs, mates }
    }
}

impl SolveParts for StaircaseSolver<'_> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let StaircaseSolver { game, stairs, mates: solver } = self;
        let work = &solver.work;
        // They have the memory in turn.
        work.cache.forget();
        let found = solve_stairs(game, stairs, part)?;
        stairs.cache.forget();
        let job = work.begin(part);
        solver.solve_pages(&job, None)?;
        let mut writer = work.writer(&job, 2)?;
        write_stairs(&mut writer, &found, work.entries(&job), &job.pages, work.bench)?;
        work.write_sections(&job, &mut writer, None)?;
        work.bench.finish(writer)
    }
}

/// Finds the staircases of a part whose mates are another's work.
fn solve_stairs(
    game: &High,
    work: &TableSolver<'_, StairLanding>,
    part: &Part,
) -> Result<Stairs, BuildError> {
    let job = work.begin(part);
    let full = usize::from(game.vitality.points());
    let found = Finding {
        numbers: PackedPages::new(job.structures.clone(), work.size(), Color::ALL.len()),
        staircases: SharedInterner::new(full),
    };
    for structures in work.batches(job.structures.clone(), BATCH) {
        for batch in work.in_one_round(0, structures)? {
            game.solve_batch(work, &job, batch, &found)?;
        }
    }
    Ok(Stairs { numbers: found.numbers, staircases: found.staircases.into_sequences() })
}

/// What has been found of the staircases of a part.
struct Finding {
    /// A number per position.
    numbers: PackedPages<u32>,
    /// What the numbers mean.
    staircases: SharedInterner<u8>,
}

impl High {
    /// Solves slices that are equally far on, with the pages of all around at hand at once.
    fn solve_batch(
        &self,
        work: &TableSolver<'_, StairLanding>,
        job: &PartJob<StairLanding>,
        Batch { structures, rounds }: Batch,
        Finding { numbers: packed, staircases }: &Finding,
    ) -> Result<(), BuildError> {
        let TableSolver { material, index, cache, budget, bench, .. } = work;
        let pages = cache.resident(material, &[LookupRound::together(rounds)], 0)?;
        let tables: LandingTables<StairLanding> =
            pages.iter().map(|(material, modes)| (*material, modes[0].clone())).collect();
        let context = Ahead::new(self, material, Staircases(self), &tables);
        parallel::try_each(structures, 1, |_, structure| -> Result<(), BuildError> {
            let squares = index.structure_squares(structure);
            let slice = Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
            let (logs, legal) = solve_layers(&context, &slice, budget)?;
            let order = IndexOrder::new(index, &slice);
            for (side, log) in Color::ALL.into_iter().zip(logs) {
                let legal: Vec<_> = legal[side.index()].chunks(slice.words_a_stretch()).collect();
                let mut numbers = budget.array(work.size() as usize, NO_STAIRCASE)?;
                let number = |n: usize| self.number_staircases(&log, n, legal[n], staircases);
                order.sort_stretches(number, &mut numbers)?;
                packed.put(section(0, side), structure, &numbers, budget)?;
                // Nothing looks into a table that is one slice while it is solved.
                if material.has_pawns() {
                    let mut page = cache.room(work.size() as usize)?;
                    find_landings(&numbers, staircases, &mut page);
                    work.put(job, (0, side), structure, &Arc::new(page))?;
                }
            }
            bench.progress.advance(1);
            Ok(())
        })
    }

    /// Finds the staircases of a stretch of words among those of the table; `legal` are its
    /// positions.
    fn number_staircases(
        &self,
        log: &LayerLog,
        stretch: usize,
        legal: &[u64],
        staircases: &SharedInterner<u8>,
    ) -> io::Result<Vec<u32>> {
        let (mut numbers, histories) = log.stretch(stretch)?;
        let full = u16::from(self.vitality.points());
        let meaning = |staircase: &[u8]| (staircases.number(staircase), ());
        let mut others = vec![(); numbers.len()];
        let layers = 1..full + 1;
        histories.give_meaning(&mut numbers, &mut others, legal, NO_STAIRCASE, layers, meaning);
        Ok(numbers)
    }
}

/// What vital turns to positions with staircases of some numbers are worth.
fn find_landings(numbers: &[u32], staircases: &SharedInterner<u8>, page: &mut [StairLanding]) {
    parallel::each((chunks(page, CHUNK), chunks(numbers, CHUNK)), 1, |_, (page, numbers)| {
        let mut known = FxHashMap::from_iter([(NO_STAIRCASE, StairLanding::GAP)]);
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
    numbered::write(writer, positions, order.len(), place, bench)?;
    Ok(())
}

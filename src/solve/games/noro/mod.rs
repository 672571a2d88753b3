//! Norochess: who wins at which score, with any number of plies to go.
//!
//! Every position has a pair of [`Thresholds`](crate::answer::Thresholds) per ply that may remain, or
//! a [`Finish`](crate::answer::Finish) per ply and score difference.
//! They are solved layer by layer ([`layers`]), one score difference after the other, from what
//! other slices are worth in all layers at once ([`options`]), and stored as a number per position and a dictionary of histories
//! ([`file`]).

mod dictionary;
mod file;
mod history_tables;
mod layers;
mod options;
mod scale;
mod tables;

use std::{sync::Arc, time::Duration};

use self::{
    history_tables::{HistoryTables, number_histories},
    options::Options,
    tables::NoroTables,
};
use crate::{
    answer::{Contents, place::chess_group},
    board::Color,
    index::{Index, Material},
    parallel,
    rules::Noro,
    solve::{
        engine::{
            builder::{
                BATCH, Batch, MemoryNeed, PartJob, SolveParts, TableSolver, Workbench, layout,
                memory_need,
            },
            clock::LayerLog,
            pages::{Links, LookupRound, Paged},
            slice::{IndexOrder, Slice, structure_squares},
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::{Layout, Part},
    },
};

/// Solves the parts of a table.
struct NoroSolver<'a> {
    tables: Arc<NoroTables>,
    work: TableSolver<'a, u32>,
}

impl SolveParts for NoroSolver<'_> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let NoroSolver { tables, work } = self;
        let job = work.begin(part);
        for structures in work.batches(job.structures.clone(), BATCH) {
            for batch in work.in_one_round(0, structures)? {
                solve_batch(tables, work, &job, batch)?;
            }
        }
        file::write(tables, work, &job)
    }
}

/// Solves slices that are equally far on, with the pages of all around at hand at once.
fn solve_batch(
    game: &NoroTables,
    work: &TableSolver<'_, u32>,
    job: &PartJob<u32>,
    Batch { structures, rounds }: Batch,
) -> Result<(), BuildError> {
    let TableSolver { material, index, cache, budget, bench, .. } = work;
    let pages = cache.resident(material, &[LookupRound::together(rounds)], 0)?;
    let tables = HistoryTables::new(game, &pages);
    let links = Links::new(&material.men(), &Noro::LAWS, false, |m| tables.number(m));
    let dictionaries = game.dictionaries(material);
    parallel::try_each(structures, 1, |_, structure| -> Result<(), BuildError> {
        let squares = structure_squares(index, structure);
        let slice = Slice::new(material.men(), squares, chess_group(material), Noro::LAWS);
        let mut logs = [0, 1].map(|_| LayerLog::new(&slice, budget));
        for scale in game.scales(material).into_iter().enumerate() {
            let gather = |side| Options::gather(&slice, (side, scale.1), &links, &tables, budget);
            let options = [gather(Color::White)?, gather(Color::Black)?];
            layers::solve(game.layers(), scale, &slice, options, &mut logs, budget)?;
        }
        let order = IndexOrder::new(index, index.structure_range(structure).start, &slice);
        for (side, log) in Color::ALL.into_iter().zip(logs) {
            let dictionary = &dictionaries[side.index()];
            let length = game.codes(material, side);
            let number = |n| number_histories(dictionary, &log, n, (side, length));
            let mut page = cache.room(work.size() as usize)?;
            order.sort_stretches(number, &mut page)?;
            work.put(job, (0, side), structure, &Arc::new(page))?;
        }
        bench.progress.advance(1);
        Ok(())
    })
}

impl Solve for Noro {
    fn needs(&self, material: &Material) -> Vec<Material> {
        NoroTables::new(*self, Contents::Result).successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let positions = 2 * Index::count_with_common_kings(material, chess_group(material));
        // For both sides to move a byte of keys, and two bytes of options, while a slice is solved;
        // a page of four bytes, and those that are packed.
        let bits = 8 * (2 * (1 + 2) + 4);
        let tables = NoroTables::new(*self, goal.contents);
        let MemoryNeed { memory, least } = memory_need(&tables, material, 0, bits);
        // Of 34 materials of four men; of single ones 0.1 to 1.
        let file = positions * if material.has_pawns() { 3 } else { 2 } / 5;
        // What positions are worth in all layers is held in memory until the table is written.
        let (file, nanos, histories) = match tables.differences(material) {
            // KQvKR and KRvKN take 1.4 and 1.7 times as much as with thresholds.
            Some(told) => (file * 8 / 5, 150 * told.count() as u64, positions * 12),
            None => (file, 250, positions),
        };
        TableSize {
            positions,
            memory: memory + histories,
            least: Some(least + histories),
            loaded: positions * 4,
            file,
            scratch: None,
            time: Duration::from_nanos(positions * nanos),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(&NoroTables::new(*self, goal.contents), &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        let tables = Arc::new(NoroTables::new(*self, goal.contents));
        Box::new(NoroSolver { work: TableSolver::new(tables.clone(), goal, bench), tables })
    }
}

//! Norochess: who wins at which score, with any number of plies to go.
//!
//! Every position has a pair of [`Thresholds`](crate::answer::Thresholds) per ply that may remain, or
//! a [`Finish`](crate::answer::Finish) per ply and score difference.
//! They are solved layer by layer ([`layers`]), one score difference after the other, from what
//! other slices are worth in all layers at once ([`offers`], [`options`]), and stored as a number
//! per position and a dictionary of histories ([`file`]).

mod dictionary;
mod file;
mod history_tables;
mod layers;
mod mixer;
mod offers;
mod options;
mod scale;
mod tables;

use std::{sync::Arc, time::Duration};

use self::{
    history_tables::{HistoryTables, number_histories},
    offers::Offers,
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
            slice::{IndexOrder, Slice, Walks},
            spill::{Budget, Loan},
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
        let squares = index.structure_squares(structure);
        let slice = Slice::new(material.men(), squares, chess_group(material), Noro::LAWS);
        let mut logs = [0, 1].map(|_| LayerLog::new(&slice, budget));
        let scales = game.scales(material);
        let walks = walks_for(&slice, budget);
        let walks = walks.as_ref().map(|(walks, _)| walks);
        let gather = |side| Offers::gather(&slice, (side, &scales), &links, &tables, budget);
        let offers = [gather(Color::White)?, gather(Color::Black)?];
        let mut solve = |place, options| {
            let scale = (place, scales[place]);
            layers::solve(game.layers(), scale, (&slice, walks), options, &mut logs, budget)
        };
        let last = scales.len() - 1;
        for place in 0..last {
            let [white, black] = &offers;
            let options = [white.with_scale(place, budget)?, black.with_scale(place, budget)?];
            solve(place, options)?;
        }
        solve(last, offers.map(|offers| offers.with_last_scale(last)))?;
        let order = IndexOrder::new(index, &slice);
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

/// The quiet moves of both sides, found once for all layers, and the memory they take, if that is
/// little of what is left.
fn walks_for(slice: &Slice, budget: &Budget) -> Option<([Walks; 2], Loan)> {
    let size = slice.walks_size();
    let fits = size <= budget.left() / 4;
    fits.then(|| (Color::ALL.map(|side| slice.walks(side)), budget.take(size)))
}

impl Solve for Noro {
    fn needs(&self, material: &Material) -> Vec<Material> {
        NoroTables::new(*self, Contents::Result).successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let positions = 2 * Index::count_with_common_kings(material, chess_group(material));
        let tables = NoroTables::new(*self, goal.contents);
        let told = tables.differences(material);
        // For both sides to move a byte of keys, and two bytes of options, while a slice is solved;
        // the same for all differences, if there are many; a page of four bytes, and those that are
        // packed.
        let options = if told.is_some() { 2 + 2 } else { 2 };
        let bits = 8 * (2 * (1 + options) + 4);
        let MemoryNeed { memory, least } = memory_need(&tables, material, 0, bits);
        // Quiet moves, if there is memory for them: as many bytes a lane as for KQvKR.
        let walks = 12 * Slice::lanes(&material.men(), chess_group(material), &Noro::LAWS);
        // Of 34 materials of four men; of single ones 0.1 to 1.
        let file = positions * if material.has_pawns() { 3 } else { 2 } / 5;
        // What positions are worth in all layers is held in memory until the table is written.
        let (file, nanos, histories) = match told {
            // KQvKR and KRvKN take 1.4 and 1.7 times as much as with thresholds.
            Some(told) => (file * 8 / 5, 150 * told.count() as u64, positions * 12),
            None => (file, 250, positions),
        };
        TableSize {
            positions,
            memory: memory + walks + histories,
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

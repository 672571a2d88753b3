//! Tiebraker Chess: points, and how far the next conversion is.
//!
//! A table has a section for each stage, that is mode and owner of the disk, and side to move. The
//! stages of a material are solved from the last to the first: option 2, the countdown after
//! option 1, accepted and fresh declarations, and the normal game. Values are places on the ladder
//! of [`Points::ALL`](crate::rules::Points::ALL), −5 to 5, so that exchanging the sides negates
//! them.
//!
//! A stage looks into one or a few stages of other slices, so slices are solved together, stage by
//! stage, with the pages of one stage unpacked at a time.

mod around;
mod exits;
mod slices;
mod stage_tables;
mod turns;

use std::{ops::Range, sync::Arc, time::Duration};

use crate::{
    answer::{
        place::chess_group,
        tiebraker::{
            stage::{Cell, Stage},
            stage_cells, stage_sides,
        },
    },
    board::Color,
    index::{Index, Material},
    parallel,
    probe::Catalogue,
    rules::{Mode, Tiebraker},
    solve::{
        engine::{
            builder::{
                BATCH, MemoryNeed, PartJob, SolveParts, TableSolver, Workbench, layout, memory_need,
            },
            pages::{Meeting, Paged, PartCells, palette_scores_without_distance},
            slice::Chesslike,
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::{Layout, Part},
    },
    table::{Stretches, Table, TableError},
};
use around::Around;
use slices::{StageSlice, bytes_a_number};
use stage_tables::StageTables;

impl Chesslike for Tiebraker {
    fn swaps_colors(&self) -> bool {
        true
    }
}

/// The modes of tables are the stages.
impl Paged for Tiebraker {
    type Cell = Cell;

    fn game(&self) -> &dyn Catalogue {
        self
    }

    fn many_parts(&self) -> u64 {
        16
    }

    fn modes(&self, _: &Material) -> usize {
        Stage::COUNT
    }

    fn sides(&self, material: &Material, mode: usize) -> &'static [Color] {
        stage_sides(material, Stage::numbered(mode))
    }

    fn suffix(&self, _: &Material, mode: usize) -> String {
        format!(" {}", Stage::numbered(mode))
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[Cell]>, TableError> {
        let stage = Stage::numbered(stretch.mode);
        // Perpetual check wins without one.
        let mut scores = palette_scores_without_distance(stretch.cells, stage.infinite());
        if !stretch.distances {
            let told = |cell: &mut Cell| *cell = stage.without_distance(*cell, stretch.side);
            Arc::make_mut(&mut scores).iter_mut().for_each(told);
        }
        Ok(scores)
    }

    fn stretches(
        &self,
        table: &Table,
        _: &Material,
        (mode, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        stage_cells(table, Stage::numbered(mode), side, entries)
    }

    fn movers(&self, mode: usize) -> &'static [Color] {
        match Stage::numbered(mode).mover() {
            None => &Color::ALL,
            Some(Color::White) => &Color::ALL[..1],
            Some(Color::Black) => &Color::ALL[1..],
        }
    }

    fn modes_after(
        &self,
        mode: usize,
        table: &Material,
        swapped: bool,
        meeting: Meeting,
    ) -> Vec<usize> {
        let stage = Stage::numbered(mode);
        let mut stages = Vec::new();
        let mut after = stage.after_move();
        match (meeting, stage.mode) {
            // It is made of the answers to it, all in the same slice.
            (_, Mode::Declared) => {}
            (Meeting::LookedUp | Meeting::Idle, _) => stages.push(after),
            (Meeting::LookedAhead, Mode::Normal) => {
                // The answer to a declaration says how far a perpetual check is.
                let declared = [Mode::Declared, Mode::Accepted].into_iter();
                let declared =
                    declared.flat_map(|mode| Color::ALL.map(|owner| Stage::with_disk(mode, owner)));
                stages.extend(declared.chain([after]));
            }
            (Meeting::LookedAhead, _) => {
                // A double step may be answered by another; each takes other pawns.
                for _ in 0..table.pawns().into_iter().sum::<usize>().max(1) {
                    after = after.after_move();
                    if !stages.contains(&after) {
                        stages.push(after);
                    }
                }
            }
        }
        let seen = |stage: Stage| if swapped { stage.swap_colors() } else { stage };
        stages.into_iter().map(|stage| seen(stage).number()).collect()
    }

    fn repeats(&self, mode: usize) -> Option<usize> {
        // With two plies of the countdown fewer the same side is to move.
        let stage = Stage::numbered(mode);
        match stage.mode {
            Mode::Option1(left) if left > 2 => {
                Some(Stage { mode: Mode::Option1(left - 2), ..stage }.number())
            }
            _ => None,
        }
    }
}

/// Solves the parts of a table.
struct TiebrakerSolver<'a>(TableSolver<'a, Cell>);

impl SolveParts for TiebrakerSolver<'_> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let TiebrakerSolver(work) = self;
        let job = work.begin(part);
        let around = Around::new(&work.material, &work.cache)?;
        let together = (work.budget.left() / bytes_a_number(&work.material)).min(BATCH);
        for batch in work.batches(job.structures.clone(), together) {
            solve_batch(work, &job, &around, batch)?;
        }
        work.write(&job, None)
    }
}

/// Solves slices that are equally far on, stage by stage.
fn solve_batch(
    work: &TableSolver<'_, Cell>,
    job: &PartJob<Cell>,
    around: &Around,
    batch: Range<usize>,
) -> Result<(), BuildError> {
    let TableSolver { material, cache, bench, .. } = work;
    let reached = cache.reached(material, batch.clone())?;
    let mut slices =
        parallel::try_map(batch, 1, |_, structure| StageSlice::new(work, job, around, structure))?;
    for stage in Stage::all() {
        let rounds = cache.rounds(stage.number(), &reached)?;
        slices.iter_mut().try_for_each(|slice| slice.begin(stage))?;
        for round in 0..rounds.len() {
            let pages = cache.resident(material, &rounds, round)?;
            let tables = StageTables::new(around, &pages, cache.has_distances());
            parallel::each(&mut slices[..], 1, |_, slice| slice.leave(stage, &tables));
        }
        parallel::try_each(&mut slices[..], 1, |_, slice| slice.settle(stage))?;
    }
    bench.progress.advance(slices.len() as u64);
    Ok(())
}

impl Solve for Tiebraker {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        let numbers = Index::count(material, chess_group(material));
        let sections: usize = Stage::all().map(|stage| stage_sides(material, stage).len()).sum();
        let bytes = bytes_a_number(material);
        let MemoryNeed { memory, least } = memory_need(self, material, BATCH, 8 * bytes);
        let positions = numbers * sections as u64;
        let time = Duration::from_nanos(positions * if material.has_pawns() { 90 } else { 30 });
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 2,
            file: positions / 30,
            scratch: None,
            time,
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(self, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        Box::new(TiebrakerSolver(TableSolver::new(Arc::new(*self), goal, bench)))
    }
}

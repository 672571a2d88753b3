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

mod exits;
mod slices;
mod tables;
mod turns;

use std::{ops::Range, sync::Arc, time::Duration};

use rayon::prelude::*;

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
    rules::{Laws, Mode, Tiebraker},
    solve::{
        BuildError, Layout, Part, Solve, TableSize, Workbench,
        engine::{
            entries::{self, Stretch},
            ladder_game::Chesslike,
            links,
            paged::{Meeting, Paged},
            partwise::{self, BATCH, Job, Needed, Partwise},
        },
    },
    table::{Stretches, Table, TableError},
};
use slices::{Room, bytes_a_number};
use tables::{Around, Tables};

impl Chesslike for Tiebraker {
    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        true
    }
}

/// The modes of tables are the stages.
impl Paged for Tiebraker {
    type Game = Tiebraker;
    type Cell = Cell;
    type Meanings = Arc<[Cell]>;
    const MANY_PARTS: u64 = 16;

    fn game(&self) -> &Tiebraker {
        self
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

    fn meanings(&self, stretch: &Stretch<'_>) -> Result<Arc<[Cell]>, TableError> {
        // Perpetual check wins without one.
        let infinite = Stage::numbered(stretch.mode).infinite();
        Ok(entries::scores_without_distance(stretch.cells, infinite))
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

/// Solves a part and writes it.
fn solve(work: &Partwise<'_, Tiebraker>, job: &Job) -> Result<(), BuildError> {
    let around = Around::new(&work.material, Tiebraker.needs(&work.material), &work.stock)?;
    let together = (work.budget.left() / bytes_a_number(&work.material)).min(BATCH);
    for batch in work.batches(job.structures.clone(), together) {
        solve_batch(work, &around, batch)?;
    }
    work.write(job, |_, _, _| false)
}

fn solve_batch(
    work: &Partwise<'_, Tiebraker>,
    around: &Around,
    batch: Range<usize>,
) -> Result<(), BuildError> {
    let Partwise { material, stock, bench, .. } = work;
    let ways = stock.ways(material, batch.clone())?;
    let rooms = batch.into_par_iter().map(|structure| Room::new(work, around, structure));
    let mut rooms = rooms.collect::<Result<Vec<_>, _>>()?;
    for stage in Stage::all() {
        let rounds = stock.rounds(stage.number(), &ways)?;
        rooms.iter_mut().try_for_each(|room| room.begin(stage))?;
        for round in 0..rounds.len() {
            let library = stock.library(material, &rounds, round)?;
            let tables = Tables::new(around, &library);
            rooms.par_iter_mut().for_each(|room| room.leave(stage, &tables));
        }
        rooms.par_iter_mut().try_for_each(|room| room.settle(stage))?;
    }
    bench.progress.advance(rooms.len() as u64);
    Ok(())
}

impl Solve for Tiebraker {
    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &Laws::ORTHODOX, true)
    }

    fn size(&self, material: &Material, _distances: bool) -> TableSize {
        let numbers = Index::count(material, chess_group(material));
        let sections: usize = Stage::all().map(|stage| stage_sides(material, stage).len()).sum();
        let bytes = bytes_a_number(material);
        let Needed { memory, least } = partwise::needed(self, material, BATCH, 8 * bytes);
        let positions = numbers * sections as u64;
        let time = Duration::from_nanos(positions * if material.has_pawns() { 90 } else { 30 });
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 2,
            file: positions / 30,
            time,
        }
    }

    fn layout(&self, material: &Material, part_size: u64, _distances: bool) -> Layout {
        partwise::layout(self, material, part_size)
    }

    fn solve(
        &self,
        material: &Material,
        part: Option<&Part>,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError> {
        let work = Partwise::new(self, material, bench);
        work.build(part, |job| solve(&work, job))
    }
}

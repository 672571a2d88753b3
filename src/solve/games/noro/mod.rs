//! Norochess: who wins at which score, with any number of plies to go.
//!
//! Every position has a pair of [`Thresholds`] per ply that may remain. They are solved layer by
//! layer ([`layers`]), from what other slices are worth in all layers at once ([`options`]), and
//! stored as a number per position and a dictionary of [`histories`](library) ([`file`]).

mod file;
mod layers;
mod library;
mod options;
mod tables;

use std::{ops::Range, sync::Arc, time::Duration};

use rayon::prelude::*;

use self::{
    library::{HistoryLibrary, number_histories},
    options::Options,
    tables::NoroTables,
};
use crate::{
    answer::place::chess_group,
    board::Color,
    index::{Index, Material},
    rules::Noro,
    solve::{
        BuildError, Layout, Part, Solve, TableSize, Workbench,
        engine::{
            links::{self, Links},
            order::Order,
            partwise::{self, BATCH, Job, Needed, Partwise},
            slice::Slice,
            stock::Round,
            values::structure_squares,
        },
    },
};

/// Solves a part and writes it.
fn solve(work: &Partwise<'_, NoroTables<'_>>, job: &Job) -> Result<(), BuildError> {
    for batch in work.batches(job.structures.clone(), BATCH) {
        solve_batch(work, batch)?;
    }
    file::write(work, job)
}

/// Solves slices that are equally far on, with the pages of all around at hand at once.
fn solve_batch(work: &Partwise<'_, NoroTables<'_>>, batch: Range<usize>) -> Result<(), BuildError> {
    let Partwise { game, material, index, stock, budget, bench, .. } = work;
    let rounds = stock.rounds(0, &stock.ways(material, batch.clone())?)?;
    if rounds.len() > 1 && batch.len() > 1 {
        // Fewer slices look into fewer pages.
        let middle = batch.start + batch.len() / 2;
        solve_batch(work, batch.start..middle)?;
        return solve_batch(work, middle..batch.end);
    }
    let library = stock.library(material, &[Round::together(rounds)], 0)?;
    let library = HistoryLibrary::new(game, &library);
    let links = Links::new(&material.men(), &Noro::LAWS, false, |m| library.number(m));
    let dictionaries = game.dictionaries(material);
    batch.into_par_iter().try_for_each(|structure| -> Result<(), BuildError> {
        let squares = structure_squares(index, structure);
        let slice = Slice::new(material.men(), squares, chess_group(material), Noro::LAWS);
        let gather = |side| Options::gather(&slice, side, &links, &library, budget);
        let options = [gather(Color::White)?, gather(Color::Black)?];
        let chronicles = layers::solve(game.layers(), &slice, options, budget)?;
        let order = Order::new(index, index.structure_range(structure).start, &slice);
        for (side, chronicle) in Color::ALL.into_iter().zip(chronicles) {
            let dictionary = &dictionaries[side.index()];
            let number = |n| number_histories(dictionary, &chronicle, n, (side, game.layers()));
            let mut page = stock.room(work.size() as usize)?;
            order.sort_stretches(number, &mut page)?;
            work.put(0, side, structure, &Arc::new(page))?;
        }
        bench.progress.advance(1);
        Ok(())
    })
}

impl Solve for Noro {
    fn needs(&self, material: &Material) -> Vec<Material> {
        let mut needed = links::successors(material, &Noro::LAWS, false);
        // Whoever takes the last man needs no table.
        needed.retain(|after| Color::ALL.into_iter().all(|color| after.men_of(color) > 0));
        needed
    }

    fn size(&self, material: &Material, _distances: bool) -> TableSize {
        let positions = 2 * Index::count_with_common_kings(material, chess_group(material));
        // For both sides to move a byte of keys, and two bytes of options, while a slice is solved; a
        // page of four bytes, and those that are packed.
        let tables = NoroTables::new(self);
        let bits = 8 * (2 * (1 + 2) + 4);
        let Needed { memory, least } = partwise::needed(&tables, material, 0, bits);
        TableSize {
            positions,
            memory: memory + positions,
            least: Some(least + positions),
            loaded: positions * 4,
            file: positions / 4,
            time: Duration::from_nanos(positions * 250),
        }
    }

    fn layout(&self, material: &Material, part_size: u64, _distances: bool) -> Layout {
        partwise::layout(&NoroTables::new(self), material, part_size)
    }

    fn solve(
        &self,
        material: &Material,
        part: Option<&Part>,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError> {
        let tables = NoroTables::new(self);
        let work = Partwise::new(&tables, material, bench);
        work.build(part, |job| solve(&work, job))
    }
}

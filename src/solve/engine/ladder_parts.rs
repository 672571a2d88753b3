//! Tables of games with a ladder, part by part.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

use super::{
    conversions::Conversions,
    ladder_game::LadderGame,
    ladder_slice::{LadderSlice, Solved},
    paged::Paged,
    partwise::{BATCH, Job, Partwise},
    values::{bring_into_order, structure_squares},
};
use crate::{
    answer::score::Store,
    board::Color,
    index::Material,
    solve::{BuildError, Part, Workbench},
};

/// A game whose slices are ladders, each mode by itself.
pub trait Ladders: Paged<Cell: Store> {
    /// The ladder of a mode.
    type Ladder<'a>: LadderGame<Store = Self::Cell>
    where
        Self: 'a;

    /// Whether tables leave out what captures and promotions decide.
    const LEAVES_OUT: bool;

    /// The ladder of a mode of a material's table.
    fn ladder(&self, material: &Material, mode: usize) -> Self::Ladder<'_>;
}

/// Solves a table and writes it: in one piece, or part by part.
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub fn build<G: Ladders>(
    game: &G,
    material: &Material,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let work = Partwise::new(game, material, bench);
    work.build(|job| solve(&work, job))
}

/// Solves one part of a table that is cut into parts; those it needs are there.
///
/// # Errors
/// As [`build`].
pub fn build_part<G: Ladders>(
    game: &G,
    material: &Material,
    part: &Part,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let work = Partwise::new(game, material, bench);
    work.build_part(part, |job| solve(&work, job))
}

/// Solves a part of a table that leaves nothing out; its pages are not written.
///
/// # Errors
/// As [`build`].
pub fn solve_pages<G: Ladders>(work: &Partwise<'_, G>, job: &Job) -> Result<(), BuildError> {
    for batch in work.batches(job.structures.clone(), BATCH) {
        for mode in 0..work.game.modes(&work.material) {
            solve_batch(work, batch.clone(), mode, None)?;
        }
    }
    Ok(())
}

/// Solves a part and writes it.
fn solve<G: Ladders>(work: &Partwise<'_, G>, job: &Job) -> Result<(), BuildError> {
    let Partwise { game, material, index, stock, .. } = work;
    let modes = game.modes(material);
    // Without pawns every turn that leaves the slice changes the men. Where all pages it looks
    // into are there at once, a second look at them is better than twice the memory.
    let rounds = match index.structures() {
        None if G::LEAVES_OUT => stock.rounds(0, &stock.ways(material, 0..1)?)?,
        _ => Vec::new(),
    };
    let looks_again = rounds.len() == 1;
    let decided = Decided::new(job.structures.clone(), modes);
    for batch in work.batches(job.structures.clone(), BATCH) {
        for mode in 0..modes {
            let noted = (G::LEAVES_OUT && !looks_again).then_some(&decided);
            solve_batch(work, batch.clone(), mode, noted)?;
        }
    }
    let library = looks_again.then(|| stock.library(material, &rounds, 0)).transpose()?;
    let ladder = game.ladder(material, 0);
    let again = library.as_ref().map(|library| {
        let conversions = Conversions::new(&ladder, material, library);
        let slice = conversions.slice(index, 0);
        (conversions, slice)
    });
    work.write(job, |mode, side, number, cell| match &again {
        Some((conversions, slice)) => conversions.best_left_out(slice, index, side, number) == cell,
        None => decided.get(mode, side, number, work.size()),
    })
}

fn solve_batch<G: Ladders>(
    work: &Partwise<'_, G>,
    batch: Range<usize>,
    mode: usize,
    decided: Option<&Decided>,
) -> Result<(), BuildError> {
    let Partwise { game, material, index, stock, budget, bench, .. } = work;
    let ladder = game.ladder(material, mode);
    let rounds = stock.rounds(mode, &stock.ways(material, batch.clone())?)?;
    if rounds.len() > 1 && batch.len() > 1 {
        // Fewer slices look into fewer pages, and every round takes another look at their turns.
        let middle = batch.start + batch.len() / 2;
        solve_batch(work, batch.start..middle, mode, decided)?;
        return solve_batch(work, middle..batch.end, mode, decided);
    }
    let begin = |structure: usize| -> Result<LadderSlice<'_, _>, BuildError> {
        let slice = ladder.slice(material, structure_squares(index, structure));
        Ok(LadderSlice::new(&ladder, material, slice, decided.is_some(), budget)?)
    };
    let slices = batch.clone().into_par_iter().map(begin);
    let mut slices = slices.collect::<Result<Vec<_>, _>>()?;
    for round in 0..rounds.len() {
        let library = stock.library(material, &rounds, round)?;
        let conversions = Conversions::new(&ladder, material, &library);
        slices.par_iter_mut().for_each(|slice| slice.leave(&conversions));
    }
    let slices: Vec<_> = batch.zip(slices).collect();
    slices.into_par_iter().try_for_each(|(structure, slice)| {
        finish(work, structure, mode, slice.settle(), decided)?;
        if mode == 0 {
            bench.progress.advance(1);
        }
        Ok(())
    })
}

/// Brings the scores of a slice into the order of the index.
fn finish<G: Ladders>(
    work: &Partwise<'_, G>,
    structure: usize,
    mode: usize,
    solved: Solved<G::Cell>,
    decided: Option<&Decided>,
) -> Result<(), BuildError> {
    let Partwise { game, material, index, stock, budget, .. } = work;
    let Solved { slice, cells, changes } = solved;
    let size = work.size() as usize;
    for &side in game.sides(material, mode) {
        let mut page = stock.room(size)?;
        bring_into_order(index, structure, &slice, &cells[side.index()], &mut page);
        if let (Some(changes), Some(decided)) = (&changes, decided) {
            let mut in_order = budget.array(size, G::Cell::NONE)?;
            let changes = &changes[side.index()];
            bring_into_order(index, structure, &slice, changes, &mut in_order);
            let both = page.par_chunks(64).zip(in_order.par_chunks(64));
            let same = both.map(|(cells, changes)| {
                let same = cells.iter().zip(changes).rev();
                same.fold(0_u64, |bits, (cell, change)| bits << 1 | u64::from(cell == change))
            });
            decided.put(mode, side, structure, same.collect());
        }
        work.put(mode, side, structure, &Arc::new(page))?;
    }
    Ok(())
}

/// The positions of a part that a capture or promotion decides: a bit for each, per structure, mode
/// and side to move.
struct Decided {
    first: usize,
    modes: usize,
    bits: Vec<[OnceLock<Box<[u64]>>; 2]>,
}

impl Decided {
    fn new(structures: Range<usize>, modes: usize) -> Decided {
        let bits = (0..structures.len() * modes).map(|_| Default::default()).collect();
        Decided { first: structures.start, modes, bits }
    }

    fn place(&self, mode: usize, structure: usize) -> usize {
        (structure - self.first) * self.modes + mode
    }

    fn put(&self, mode: usize, side: Color, structure: usize, bits: Vec<u64>) {
        let put = self.bits[self.place(mode, structure)][side.index()].set(bits.into());
        assert!(put.is_ok(), "a structure is solved once");
    }

    /// Whether the position with this number is; a structure has `size` of them.
    fn get(&self, mode: usize, side: Color, number: u64, size: u64) -> bool {
        let bits = &self.bits[self.place(mode, (number / size) as usize)][side.index()];
        let at = number % size;
        bits.get().is_some_and(|bits| bits[(at / 64) as usize] >> (at % 64) & 1 == 1)
    }
}

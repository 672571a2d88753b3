//! Tables of games with a ladder, part by part.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

use super::{
    conversions::Conversions,
    ladder_file::Scores,
    ladder_game::LadderGame,
    ladder_slice::{LadderSlice, Solved},
    order::Order,
    paged::Paged,
    partwise::{Job, Partwise},
    replay::Replay,
    stock::Round,
    values::structure_squares,
};
use crate::{
    answer::{score::Store, sections::section_name},
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

    /// The ladder of a mode of a material's table.
    fn ladder(&self, material: &Material, mode: usize) -> Self::Ladder<'_>;
}

/// Solves a table and writes it, or just one part; see [`Partwise::build`].
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub fn build<G: Ladders>(
    game: &G,
    material: &Material,
    part: Option<&Part>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let work = Partwise::new(game, material, bench);
    work.build(part, |job| solve(&work, job))
}

/// Solves a part of a table that leaves nothing out; its pages are not written.
///
/// # Errors
/// As [`build`].
pub fn solve_pages<G: Ladders>(work: &Partwise<'_, G>, job: &Job) -> Result<(), BuildError> {
    for batch in work.batches(job.structures.clone(), work.together()) {
        for mode in 0..work.game.modes(&work.material) {
            solve_batch(work, batch.clone(), mode, None)?;
        }
    }
    Ok(())
}

/// Solves a part and writes it.
fn solve<G: Ladders>(work: &Partwise<'_, G>, job: &Job) -> Result<(), BuildError> {
    let modes = work.game.modes(&work.material);
    if work.index.structures().is_none() && modes == 1 {
        return solve_slice(work, job);
    }
    let decided = Decided::new(job.structures.clone(), modes);
    let leaves_out = work.game.leaves_out(&work.material);
    for batch in work.batches(job.structures.clone(), work.together()) {
        for mode in 0..modes {
            solve_batch(work, batch.clone(), mode, leaves_out.then_some(&decided))?;
        }
    }
    work.write(job, |mode, side, number| decided.get(mode, side, number, work.size()))
}

/// Solves a table that is one slice and writes it, from the slice as it is.
fn solve_slice<G: Ladders>(work: &Partwise<'_, G>, job: &Job) -> Result<(), BuildError> {
    let Partwise { game, material, index, stock, bench, .. } = work;
    let ladder = game.ladder(material, 0);
    let rounds = stock.rounds(0, &stock.ways(material, 0..1)?)?;
    let slices = begin(work, &ladder, 0..1, &rounds, game.leaves_out(material))?;
    // All turns out of the table have been met.
    stock.forget();
    let solved = slices.into_iter().next().expect("there is one").settle()?;
    bench.progress.advance(1);
    let mut writer = work.writer(job)?;
    bench.progress.begin(&format!("writing {}", job.name), work.cells(job));
    let Solved { slice, journal, mut decided } = solved;
    let order = Order::new(index, 0, &slice);
    for &side in game.sides(material, 0) {
        let decided = decided.as_mut().map(|sets| std::mem::take(&mut sets[side.index()]));
        let replay = Replay::new(index, &slice, &journal, side);
        let scores = Scores {
            name: section_name(side, &game.suffix(material, 0)),
            side,
            entries: index.len(),
            slice: None,
            distinct: journal.scores(side),
        };
        let in_order = |range: Range<u64>| {
            let mut entries = vec![(G::Cell::NONE, false); (range.end - range.start) as usize];
            replay.each(range, &order, |number, place, score| {
                let lanes = decided.as_ref().map_or(0, |decided| decided[place / 64]);
                entries[number] = (score, lanes >> (place % 64) & 1 == 1);
            });
            entries
        };
        scores.write(&mut writer, in_order, bench)?;
        replay.finish()?;
    }
    writer.finish()?;
    Ok(())
}

/// Begins some slices, and meets all turns out of them in some rounds.
fn begin<'l, G: Ladders, L: LadderGame<Store = G::Cell>>(
    work: &'l Partwise<'_, G>,
    ladder: &'l L,
    batch: Range<usize>,
    rounds: &[Round],
    note_decided: bool,
) -> Result<Vec<LadderSlice<'l, L>>, BuildError> {
    let Partwise { material, index, stock, budget, .. } = work;
    let begin = |structure: usize| {
        let slice = ladder.slice(material, structure_squares(index, structure));
        LadderSlice::new(ladder, material, slice, note_decided, budget)
    };
    let mut slices: Vec<_> = batch.into_par_iter().map(begin).collect();
    for round in 0..rounds.len() {
        let library = stock.library(material, rounds, round)?;
        let conversions = Conversions::new(ladder, material, &library);
        let last = round + 1 == rounds.len();
        slices.par_iter_mut().try_for_each(|slice| slice.leave(&conversions, last))?;
    }
    Ok(slices)
}

fn solve_batch<G: Ladders>(
    work: &Partwise<'_, G>,
    batch: Range<usize>,
    mode: usize,
    decided: Option<&Decided>,
) -> Result<(), BuildError> {
    let Partwise { game, material, stock, .. } = work;
    let ladder = game.ladder(material, mode);
    let rounds = stock.rounds(mode, &stock.ways(material, batch.clone())?)?;
    if rounds.len() > 1 && batch.len() > 1 {
        // Fewer slices look into fewer pages, and every round takes another look at their turns.
        let middle = batch.start + batch.len() / 2;
        solve_batch(work, batch.start..middle, mode, decided)?;
        return solve_batch(work, middle..batch.end, mode, decided);
    }
    let slices = begin(work, &ladder, batch.clone(), &rounds, decided.is_some())?;
    let slices: Vec<_> = batch.zip(slices).collect();
    slices.into_par_iter().try_for_each(|(structure, slice)| {
        finish(work, structure, mode, slice.settle()?, decided)?;
        if mode == 0 {
            work.bench.progress.advance(1);
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
    let Partwise { game, material, index, stock, .. } = work;
    let size = work.size() as usize;
    let order = Order::new(index, index.structure_range(structure).start, &solved.slice);
    for &side in game.sides(material, mode) {
        let mut page = stock.room(size)?;
        let journal = &solved.journal;
        order.sort_stretches(|n| journal.stretch(side, n), &mut page)?;
        if let (Some(sets), Some(decided)) = (&solved.decided, decided) {
            let bits = order.sort_lanes(&sets[side.index()], size);
            decided.put(mode, side, structure, bits);
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

    fn put(&self, mode: usize, side: Color, structure: usize, bits: Box<[u64]>) {
        let put = self.bits[self.place(mode, structure)][side.index()].set(bits);
        assert!(put.is_ok(), "a structure is solved once");
    }

    /// Whether the position with this number is; a structure has `size` of them.
    fn get(&self, mode: usize, side: Color, number: u64, size: u64) -> bool {
        let bits = &self.bits[self.place(mode, (number / size) as usize)][side.index()];
        let at = number % size;
        bits.get().is_some_and(|bits| bits[(at / 64) as usize] >> (at % 64) & 1 == 1)
    }
}

//! Tables of games with a ladder, part by part.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{
    score_section::ScoreSection,
    solve_parts::SolveParts,
    table_solver::{Batch, PartJob, TableSolver},
    workbench::Workbench,
};
use crate::{
    answer::{
        score::{Store, without_distance},
        sections::section_name,
    },
    board::Color,
    index::Material,
    parallel,
    solve::{
        engine::{
            ladder::{Conversions, LadderGame, LadderSlice, ScoreReader, SolvedLadder},
            pages::{LookupRound, PutRight},
            slice::{IndexOrder, structure_squares},
        },
        error::BuildError,
        goal::Goal,
        parts::Part,
    },
};

/// A game whose slices are ladders, each mode by itself.
pub trait LadderTables: PutRight<Cell: Store> {
    /// The ladder of a mode.
    type Ladder<'a>: LadderGame<Store = Self::Cell>
    where
        Self: 'a;

    /// The ladder of a mode of a material's table.
    fn ladder(&self, material: &Material, mode: usize) -> Self::Ladder<'_>;
}

/// Solves the parts of a table whose slices are ladders.
pub struct LadderSolver<'a, G: LadderTables>(TableSolver<'a, G>);

impl<'a, G: LadderTables> LadderSolver<'a, G> {
    /// The table of a material.
    pub fn new(game: G, goal: &Goal, bench: &'a Workbench<'a>) -> Self {
        LadderSolver(TableSolver::new(game, goal, bench))
    }
}

impl<G: LadderTables> SolveParts for LadderSolver<'_, G> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let LadderSolver(work) = self;
        let job = work.begin(part);
        let modes = work.game.modes(&work.material);
        if work.index.structures().is_none() && modes == 1 {
            return solve_slice(work, &job);
        }
        let decided = DecidedBits::new(job.structures.clone(), modes);
        let leaves_out = work.game.leaves_out(&work.material);
        solve_batches(work, &job, leaves_out.then_some(&decided))?;
        work.write(&job, |mode, side, number| decided.get(mode, side, number, work.size()))
    }
}

/// Solves the pages of a part of a table that leaves nothing out; they are not written.
///
/// # Errors
/// If a table or part it needs is missing or damaged, or room is lacking.
pub fn solve_pages<G: LadderTables>(
    work: &TableSolver<'_, G>,
    job: &PartJob<G::Cell>,
) -> Result<(), BuildError> {
    solve_batches(work, job, None)
}

/// Solves all slices of a part; what captures and promotions decide is noted in `decided`, if
/// somebody wants to know.
fn solve_batches<G: LadderTables>(
    work: &TableSolver<'_, G>,
    job: &PartJob<G::Cell>,
    decided: Option<&DecidedBits>,
) -> Result<(), BuildError> {
    for structures in work.batches(job.structures.clone(), work.together()) {
        for mode in 0..work.game.modes(&work.material) {
            for batch in work.in_one_round(mode, structures.clone())? {
                solve_batch(work, job, mode, batch, decided)?;
            }
        }
    }
    Ok(())
}

/// Solves a table that is one slice and writes it, from the slice as it is.
fn solve_slice<G: LadderTables>(
    work: &TableSolver<'_, G>,
    job: &PartJob<G::Cell>,
) -> Result<(), BuildError> {
    let TableSolver { game, material, index, cache, bench, .. } = work;
    let ladder = game.ladder(material, 0);
    let (distances, infinite) = (cache.has_distances(), ladder.infinite(material));
    let rounds = cache.rounds(0, &cache.reached(material, 0..1)?)?;
    let slices = begin(work, &ladder, 0..1, &rounds, game.leaves_out(material))?;
    // All turns out of the table have been met.
    cache.forget();
    let solved = slices.into_iter().next().expect("there is one").settle()?;
    bench.progress.advance(1);
    let mut writer = work.writer(job)?;
    bench.progress.begin(&format!("writing {}", job.name), work.cells(job));
    let SolvedLadder { slice, scores, mut decided } = solved;
    let order = IndexOrder::new(index, 0, &slice);
    for &side in game.sides(material, 0) {
        let decided = decided.as_mut().map(|sets| std::mem::take(&mut sets[side.index()]));
        let reader = ScoreReader::new(index, &slice, &scores, side);
        let told = |score: G::Cell| match distances {
            true => score,
            false => without_distance(score, side, infinite),
        };
        let section = ScoreSection {
            name: section_name(side, &game.suffix(material, 0)),
            side,
            entries: index.len(),
            slice: None,
            distinct: scores.distinct(side).into_iter().map(told).collect(),
            distances,
        };
        let in_order = |range: Range<u64>| {
            let mut entries = vec![(G::Cell::NONE, false); (range.end - range.start) as usize];
            reader.each(range, &order, |number, place, score| {
                let lanes = decided.as_ref().map_or(0, |decided| decided[place / 64]);
                entries[number] = (told(score), lanes >> (place % 64) & 1 == 1);
            });
            entries
        };
        section.write(&mut writer, &in_order, bench)?;
        reader.finish()?;
    }
    writer.finish()?;
    Ok(())
}

/// Begins some slices, and meets all turns out of them in some rounds.
fn begin<'l, G: LadderTables, L: LadderGame<Store = G::Cell>>(
    work: &'l TableSolver<'_, G>,
    ladder: &'l L,
    batch: Range<usize>,
    rounds: &[LookupRound],
    note_decided: bool,
) -> Result<Vec<LadderSlice<'l, L>>, BuildError> {
    let TableSolver { material, index, cache, budget, .. } = work;
    let mut slices = parallel::map(batch, 1, |_, structure| {
        let slice = ladder.slice(material, structure_squares(index, structure));
        LadderSlice::new(ladder, material, slice, note_decided, budget)
    });
    for round in 0..rounds.len() {
        let resident = cache.resident(material, rounds, round)?;
        let conversions = Conversions::new(ladder, material, &resident);
        let last = round + 1 == rounds.len();
        parallel::try_each(&mut slices[..], 1, |_, slice| slice.leave(&conversions, last))?;
    }
    Ok(slices)
}

/// Solves some slices that are equally far on, with the pages of all around at hand.
fn solve_batch<G: LadderTables>(
    work: &TableSolver<'_, G>,
    job: &PartJob<G::Cell>,
    mode: usize,
    Batch { structures, rounds }: Batch,
    decided: Option<&DecidedBits>,
) -> Result<(), BuildError> {
    let ladder = work.game.ladder(&work.material, mode);
    let slices = begin(work, &ladder, structures.clone(), &rounds, decided.is_some())?;
    parallel::try_each((structures, slices), 1, |_, (structure, slice)| {
        finish(work, job, &ladder, (mode, structure), slice.settle()?, decided)?;
        if mode == 0 {
            work.bench.progress.advance(1);
        }
        Ok(())
    })
}

/// Brings the scores of a slice into the order of the index.
fn finish<G: LadderTables>(
    work: &TableSolver<'_, G>,
    job: &PartJob<G::Cell>,
    ladder: &G::Ladder<'_>,
    (mode, structure): (usize, usize),
    solved: SolvedLadder<G::Cell>,
    decided: Option<&DecidedBits>,
) -> Result<(), BuildError> {
    let TableSolver { game, material, index, cache, .. } = work;
    let size = work.size() as usize;
    let order = IndexOrder::new(index, index.structure_range(structure).start, &solved.slice);
    for &side in game.sides(material, mode) {
        let mut page = cache.room(size)?;
        order.sort_stretches(|n| solved.scores.stretch(side, n), &mut page)?;
        if !cache.has_distances() {
            let infinite = ladder.infinite(material);
            page.iter_mut().for_each(|cell| *cell = without_distance(*cell, side, infinite));
        }
        if let (Some(sets), Some(decided)) = (&solved.decided, decided) {
            let bits = order.sort_lanes(&sets[side.index()], size);
            decided.put(mode, side, structure, bits);
        }
        work.put(job, (mode, side), structure, &Arc::new(page))?;
    }
    Ok(())
}

/// The positions of a part that a capture or promotion decides: a bit for each, per structure, mode
/// and side to move.
struct DecidedBits {
    first: usize,
    modes: usize,
    bits: Vec<[OnceLock<Box<[u64]>>; 2]>,
}

impl DecidedBits {
    fn new(structures: Range<usize>, modes: usize) -> DecidedBits {
        let bits = (0..structures.len() * modes).map(|_| Default::default()).collect();
        DecidedBits { first: structures.start, modes, bits }
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

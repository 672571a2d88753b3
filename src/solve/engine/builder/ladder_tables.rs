//! Tables of games with a ladder, part by part.

use std::{ops::Range, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    decided_bits::DecidedBits,
    score_section::ScoreSection,
    table_solver::{Batch, PartJob, TableSolver},
    workbench::{SolveParts, Workbench},
};
use crate::{
    answer::{
        score::{Store, without_distance},
        sections::section_name,
    },
    board::{ByColor, Color},
    index::Material,
    parallel::{self, chunks},
    solve::{
        engine::{
            ladder::{
                CheckScores, Conversions, LadderGame, LadderSlice, ScoreReader, SolvedLadder,
                WordScores,
            },
            pages::{LookupRound, PageCell, Paged},
            slice::{IndexOrder, QuietTurns},
        },
        error::BuildError,
        goal::Goal,
        parts::Part,
    },
};

/// A game whose slices are ladders, each mode by itself.
pub trait LadderTables: Paged<Cell: Store> {
    /// The ladder of a mode of a material's table.
    fn ladder(
        &self,
        material: &Material,
        mode: usize,
    ) -> Box<dyn LadderGame<Store = Self::Cell> + '_>;

    /// The mode before it that a check of a side leads into, where checks are counted; `None` where
    /// that is the last one.
    fn mode_after_check(&self, _mode: usize, _side: Color) -> Option<usize> {
        None
    }
}

/// The scores of slices with each side to move, by mode and structure.
type Solved<C> = FxHashMap<(usize, usize), ByColor<WordScores<C>>>;

/// Solves the parts of a table whose slices are ladders.
pub struct LadderSolver<'a, C, T> {
    pub work: TableSolver<'a, C>,
    tables: Arc<dyn LadderTables<Cell = C>>,
    /// The turns that stay in a slice.
    turns: T,
}

impl<'a, C: Store + PageCell, T: QuietTurns> LadderSolver<'a, C, T> {
    /// The table of a material, in whose slices some turns stay.
    pub fn new(
        game: impl LadderTables<Cell = C>,
        turns: T,
        goal: &Goal,
        bench: &'a Workbench<'a>,
    ) -> Self {
        let tables = Arc::new(game);
        LadderSolver { work: TableSolver::new(tables.clone(), goal, bench), tables, turns }
    }

    /// Solves the pages of a part, which are not written; what captures and promotions decide is
    /// noted in `decided`, if somebody wants to know.
    pub fn solve_pages(
        &self,
        job: &PartJob<C>,
        decided: Option<&DecidedBits>,
    ) -> Result<(), BuildError> {
        let work = &self.work;
        let modes = work.game.modes(&work.material);
        let is_wanted = |mode: usize| {
            let mut later = mode + 1..modes;
            later.any(|later| Color::any(|c| self.tables.mode_after_check(later, c) == Some(mode)))
        };
        for structures in work.batches(job.structures.clone(), work.together()) {
            let mut solved = Solved::default();
            for mode in 0..modes {
                for batch in work.in_one_round(mode, structures.clone())? {
                    let new =
                        self.solve_batch(job, mode, batch, (&solved, is_wanted(mode)), decided)?;
                    solved.extend(new);
                }
            }
        }
        Ok(())
    }

    /// Solves some slices that are equally far on, with the pages of all around at hand, and brings
    /// their scores into the order of the index; gives them as they are if another mode wants them.
    /// `earlier` are those of modes before this one.
    fn solve_batch(
        &self,
        job: &PartJob<C>,
        mode: usize,
        Batch { structures, rounds }: Batch,
        (earlier, is_wanted): (&Solved<C>, bool),
        decided: Option<&DecidedBits>,
    ) -> Result<Solved<C>, BuildError> {
        let TableSolver { game, material, index, cache, bench, .. } = &self.work;
        let ladder = self.tables.ladder(material, mode);
        let leading = (&*ladder, mode, earlier);
        let slices = self.begin(leading, structures.clone(), &rounds, decided.is_some())?;
        let (size, infinite) = (self.work.size() as usize, ladder.infinite(material));
        let solved = parallel::try_map((structures, slices), 1, |_, (structure, slice)| {
            let solved = slice.settle()?;
            let order = IndexOrder::new(index, &solved.slice);
            for &side in game.sides(material, mode) {
                let mut page = cache.room(size)?;
                order.sort_stretches(|n| solved.scores.stretch(side, n), &mut page)?;
                if !cache.has_distances() {
                    page.iter_mut().for_each(|c| *c = without_distance(*c, side, infinite));
                }
                if let (Some(sets), Some(decided)) = (&solved.decided, decided) {
                    let bits = order.sort_lanes(&sets[side.index()], size);
                    decided.put(mode, side, structure, bits);
                }
                self.work.put(job, (mode, side), structure, &Arc::new(page))?;
            }
            if mode == 0 {
                bench.progress.advance(1);
            }
            if !is_wanted {
                return Ok(None);
            }
            let [white, black] = Color::ALL.map(|side| self.in_words(&solved, side));
            let scores = ByColor { white: white?, black: black? };
            Ok::<_, BuildError>(Some(((mode, structure), scores)))
        })?;
        Ok(solved.into_iter().flatten().collect())
    }

    /// The scores of a slice with one side to move.
    fn in_words(&self, solved: &SolvedLadder<C>, side: Color) -> Result<WordScores<C>, BuildError> {
        let SolvedLadder { slice, scores, .. } = solved;
        let mut all = self.work.budget.array(slice.words() * 64, C::NONE)?;
        let stretches = chunks(&mut all[..], slice.words_a_stretch() * 64);
        parallel::try_each(stretches, 1, |number, stretch| {
            stretch.copy_from_slice(&scores.stretch(side, number)?);
            Ok::<_, BuildError>(())
        })?;
        Ok(Arc::new(all))
    }

    /// Begins some slices, and meets all turns out of them in some rounds.
    fn begin<'l>(
        &'l self,
        (ladder, mode, earlier): (&'l dyn LadderGame<Store = C>, usize, &Solved<C>),
        batch: Range<usize>,
        rounds: &[LookupRound],
        note_decided: bool,
    ) -> Result<Vec<LadderSlice<'l, C, T>>, BuildError> {
        let TableSolver { material, index, cache, budget, .. } = &self.work;
        let checks = |structure| {
            CheckScores(ByColor::new(|checked: Color| {
                let after = self.tables.mode_after_check(mode, !checked)?;
                Some(earlier[&(after, structure)][checked].clone())
            }))
        };
        let mut slices = parallel::map(batch, 1, |_, structure| {
            let slice = ladder.slice(material, index.structure_squares(structure));
            let slice = (slice, ladder.checks_left().map(|_| checks(structure)));
            LadderSlice::new((ladder, &self.turns), material, slice, note_decided, budget)
        });
        for round in 0..rounds.len() {
            let resident = cache.resident(material, rounds, round)?;
            let conversions = Conversions::new(ladder, material, &resident);
            let last = round + 1 == rounds.len();
            parallel::try_each(&mut slices[..], 1, |_, slice| slice.leave(&conversions, last))?;
        }
        Ok(slices)
    }

    /// Solves a table that is one slice and writes it, from the slice as it is.
    fn solve_slice(&self, job: &PartJob<C>) -> Result<(), BuildError> {
        let TableSolver { game, material, index, cache, bench, .. } = &self.work;
        let ladder = self.tables.ladder(material, 0);
        let (distances, infinite) = (cache.has_distances(), ladder.infinite(material));
        let rounds = cache.rounds(0, &cache.reached(material, 0..1)?)?;
        let leading = (&*ladder, 0, &Solved::default());
        let slices = self.begin(leading, 0..1, &rounds, game.leaves_out(material))?;
        // All turns out of the table have been met.
        cache.forget();
        let solved = slices.into_iter().next().expect("there is one").settle()?;
        bench.progress.advance(1);
        let mut writer = self.work.writer(job, 1)?;
        let SolvedLadder { slice, scores, mut decided } = solved;
        let order = IndexOrder::new(index, &slice);
        for &side in game.sides(material, 0) {
            let decided = decided.as_mut().map(|sets| std::mem::take(&mut sets[side.index()]));
            let reader = ScoreReader::new(index, &slice, &scores, side);
            let told = |score: C| match distances {
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
                let mut entries = vec![(C::NONE, false); (range.end - range.start) as usize];
                reader.each(range, &order, |number, place, score| {
                    let lanes = decided.as_ref().map_or(0, |decided| decided[place / 64]);
                    entries[number] = (told(score), lanes >> (place % 64) & 1 == 1);
                });
                entries
            };
            section.write(&mut writer, &in_order, bench)?;
            reader.finish()?;
        }
        bench.finish(writer)
    }
}

impl<C: Store + PageCell, T: QuietTurns> SolveParts for LadderSolver<'_, C, T> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let work = &self.work;
        let job = work.begin(part);
        let modes = work.game.modes(&work.material);
        if work.index.structures().is_none() && modes == 1 {
            return self.solve_slice(&job);
        }
        let leaves_out = work.game.leaves_out(&work.material);
        let decided =
            leaves_out.then(|| DecidedBits::new(job.structures.clone(), modes, work.size()));
        self.solve_pages(&job, decided.as_ref())?;
        work.write(&job, decided.as_ref())
    }
}

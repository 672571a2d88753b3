//! How the pages of a part come into its file.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    decided_bits::DecidedBits,
    layout::section,
    score_section::ScoreSection,
    table_solver::{PartJob, TableSolver},
};
use crate::{
    answer::{
        score::Store,
        sections::{REPEATS, section_name},
    },
    board::Color,
    solve::{engine::pages::PageCell, error::BuildError},
    table::TableWriter,
};

impl<C: Store + PageCell> TableSolver<'_, C> {
    /// Writes a part, all pages of which are there; see
    /// [`write_sections`](TableSolver::write_sections).
    pub fn write(&self, job: &PartJob<C>, decided: Option<&DecidedBits>) -> Result<(), BuildError> {
        let mut writer = self.writer(job, 1)?;
        self.write_sections(job, &mut writer, decided)?;
        self.bench.finish(writer)
    }

    /// Writes the sections of a part; what tables leave out makes the cells of those positions that
    /// are `decided`.
    pub fn write_sections(
        &self,
        job: &PartJob<C>,
        writer: &mut TableWriter,
        decided: Option<&DecidedBits>,
    ) -> Result<(), BuildError> {
        let TableSolver { game, material, bench, .. } = self;
        let solved = &job.pages;
        let (size, modes) = (self.size(), 0..game.modes(material));
        let entries = self.entries(job);
        let mut repeats: Map<String, Value> = Map::new();
        for mode in modes {
            let sides = game.sides(material, mode);
            let name = |mode, side| section_name(side, &game.suffix(material, mode));
            // What is left out here must be left out of the whole table.
            let same = game.repeats(mode).filter(|&before| {
                let equal =
                    |&side: &Color| solved.are_equal([section(before, side), section(mode, side)]);
                job.is_whole() && sides.iter().all(equal)
            });
            for &side in sides {
                let name_here = name(mode, side);
                if let Some(same) = same {
                    let same = name(same, side);
                    let first = repeats.get(&same).cloned().unwrap_or(Value::String(same));
                    repeats.insert(name_here, first);
                    bench.progress.advance(entries);
                    continue;
                }
                let section = section(mode, side);
                let scores = ScoreSection {
                    name: name_here,
                    side,
                    entries,
                    slice: self.index.structures().map(|_| size),
                    distinct: solved.distinct(section),
                    distances: self.cache.has_distances(),
                };
                let cells = |range: Range<u64>| {
                    let cells = solved.range(section, range.clone()).into_iter();
                    match decided {
                        None => cells.map(|cell| (cell, false)).collect(),
                        Some(decided) => cells.zip(decided.range((mode, side), range)).collect(),
                    }
                };
                scores.write(writer, &cells, bench)?;
            }
        }
        let repeating = (0..game.modes(material)).any(|mode| game.repeats(mode).is_some());
        if repeating && job.is_whole() {
            writer.meta().insert(REPEATS.to_owned(), Value::Object(repeats));
        }
        Ok(())
    }
}

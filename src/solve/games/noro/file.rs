//! Tables of Norochess on disk.
//!
//! For each side to move there are two sections of cells: `white` holds a number per position, and
//! `white histories` the codes these numbers stand for, one byte a layer, history after history.

use super::tables::NoroTables;
use crate::{
    answer::{noro::HISTORIES, sections::section_name},
    board::Color,
    lock::read,
    solve::{
        engine::{
            builder::{PartJob, TableSolver, section},
            pages::PageCell,
        },
        error::BuildError,
    },
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Writes a solved table, or a part of one.
pub fn write(
    game: &NoroTables,
    work: &TableSolver<'_, u32>,
    job: &PartJob<u32>,
) -> Result<(), BuildError> {
    let mut writer = work.writer(job, 1)?;
    for side in Color::ALL {
        write_side(&mut writer, side, (game, work), job)?;
    }
    work.bench.finish(writer)
}

fn write_side(
    writer: &mut TableWriter,
    side: Color,
    (game, work): (&NoroTables, &TableSolver<'_, u32>),
    job: &PartJob<u32>,
) -> Result<(), TableError> {
    let TableSolver { material, bench, .. } = work;
    let (solved, entries) = (&job.pages, work.entries(job));
    let dictionaries = game.dictionaries(material);
    let dictionary = read(&dictionaries[side.index()]);
    let length = game.codes(material, side);
    // Sorted, and each once, so that every build writes the same file whatever its threads did
    // first and wherever it learned of a history.
    let numbers = solved.distinct(section(0, side)).into_iter().filter(|&n| n != u32::GAP);
    let mut met: Vec<u32> = numbers.collect();
    met.sort_unstable_by(|&a, &b| dictionary.cmp(a, b));
    let mut histories: Vec<u32> = Vec::new();
    let end = met.iter().map(|&number| number as usize + 1).max().unwrap_or(0);
    let mut places = vec![0_u32; end];
    for number in met {
        if histories.last().is_none_or(|&last| dictionary.cmp(last, number).is_ne()) {
            histories.push(number);
        }
        places[number as usize] = histories.len() as u32 - 1;
    }
    let width = Width::holding(histories.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(section_name(side, ""), entries, width);
    writer.choices(spec, |range, entries| {
        if !bench.goes_on_to(range.end - range.start) {
            return range.for_each(|_| entries.anything());
        }
        for number in solved.range(section(0, side), range) {
            match number {
                u32::GAP => entries.anything(),
                number => entries.exactly(places[number as usize]),
            }
        }
    })?;
    let codes = (histories.len() * length) as u64;
    let spec = CellSpec::new(section_name(side, HISTORIES), codes, Width::One);
    writer.cells(spec, |range, bytes| dictionary.copy(&histories, range.start as usize, bytes))
}

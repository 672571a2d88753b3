//! Tables of Norochess on disk.
//!
//! For each side to move there are two sections of cells: `white` holds a number per position, and
//! `white histories` the codes these numbers stand for, one byte a layer, history after history.

use std::sync::PoisonError;

use super::tables::NoroTables;
use crate::{
    answer::{noro::HISTORIES, sections::section_name},
    board::Color,
    solve::{
        BuildError,
        engine::{
            paged::Cell,
            partwise::{Job, Partwise, section},
        },
    },
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Writes a solved table.
///
/// # Errors
/// If the file cannot be written.
pub fn write(work: &Partwise<'_, NoroTables<'_>>, job: &Job) -> Result<(), BuildError> {
    let mut writer = work.writer(job)?;
    work.bench.progress.begin(&format!("writing {}", job.name), 2 * work.index.len());
    for side in Color::ALL {
        write_side(&mut writer, side, work)?;
    }
    writer.finish()?;
    Ok(())
}

fn write_side(
    writer: &mut TableWriter,
    side: Color,
    work: &Partwise<'_, NoroTables<'_>>,
) -> Result<(), TableError> {
    let Partwise { game, material, index, bench, .. } = work;
    let solved = work.solved();
    let dictionaries = game.dictionaries(material);
    let dictionary = dictionaries[side.index()].read();
    let dictionary = dictionary.unwrap_or_else(PoisonError::into_inner);
    let length = game.layers().of_side(side);
    let histories: Vec<&[u8]> = dictionary.codes().chunks_exact(length).collect();
    // Sorted, so that every build writes the same file whatever its threads did first.
    let mut order: Vec<u32> = (0..histories.len() as u32).collect();
    order.sort_unstable_by_key(|&number| histories[number as usize]);
    let mut places = vec![0u32; order.len()];
    order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
    let width = Width::holding(order.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(section_name(side, ""), index.len(), width);
    writer.choices(spec, |range, entries| {
        bench.progress.advance(range.end - range.start);
        for number in solved.range(section(0, side), range) {
            match number {
                u32::GAP => entries.anything(),
                number => entries.exactly(places[number as usize]),
            }
        }
    })?;
    let entries = (order.len() * length) as u64;
    let spec = CellSpec::new(section_name(side, HISTORIES), entries, Width::One);
    writer.cells(spec, |range, bytes| {
        for (entry, byte) in range.zip(bytes) {
            let (history, layer) = (entry as usize / length, entry as usize % length);
            *byte = histories[order[history] as usize][layer];
        }
    })
}

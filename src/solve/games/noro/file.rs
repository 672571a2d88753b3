//! Tables of Norochess on disk.
//!
//! For each side to move there are two sections of cells: `white` holds a number per position, and
//! `white histories` the codes these numbers stand for, one byte a layer, history after history.

use std::sync::PoisonError;

use rayon::prelude::*;

use super::library::{HistoryDictionary, Known};
use crate::{
    answer::{
        TableId,
        noro::{HISTORIES, Layers, histories, index, no_history},
        sections::{section_name, sized},
    },
    board::Color,
    solve::{BuildError, Workbench, engine::values::Values},
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Writes a solved table.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    id: &TableId,
    table: &Known,
    layers: Layers,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let mut writer = bench.writer(id)?;
    let positions = 2 * table.values.index.len();
    bench.progress.begin(&format!("writing {}", id.material), positions);
    for side in Color::ALL {
        write_side(&mut writer, side, table, layers, bench)?;
    }
    writer.finish()?;
    Ok(())
}

fn write_side(
    writer: &mut TableWriter,
    side: Color,
    table: &Known,
    layers: Layers,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    let dictionary = table.dictionaries[side.index()].read();
    let dictionary = dictionary.unwrap_or_else(PoisonError::into_inner);
    let length = layers.of_side(side);
    let histories: Vec<&[u8]> = dictionary.codes().chunks_exact(length).collect();
    // Sorted, so that every build writes the same file whatever its threads did first.
    let mut order: Vec<u32> = (0..histories.len() as u32).collect();
    order.sort_unstable_by_key(|&number| histories[number as usize]);
    let mut places = vec![0u32; order.len()];
    order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
    let width = Width::holding(order.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(section_name(side, ""), table.values.index.len(), width);
    writer.cells(spec, |range, bytes| {
        bench.progress.advance(range.end - range.start);
        // Numbers that are no positions repeat their neighbour, which packs best.
        let number = |position: u64| {
            let number = table.values.get(side, position);
            (number != Known::NOWHERE).then(|| places[number as usize])
        };
        let mut last = range.clone().find_map(number).unwrap_or(0);
        for (position, entry) in range.zip(bytes.chunks_exact_mut(width.bytes())) {
            last = number(position).unwrap_or(last);
            entry.copy_from_slice(&last.to_le_bytes()[..width.bytes()]);
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

/// Reads a whole table for solving.
///
/// # Errors
/// If it is missing or damaged, or memory is lacking.
pub fn load(id: &TableId, layers: Layers, bench: &Workbench<'_>) -> Result<Known, BuildError> {
    let table = bench.shelf.open(id)?;
    let values = Values::empty(index(&id.material), 2);
    let mut sides = Vec::new();
    let dictionaries = Color::ALL.map(|side| -> Result<_, TableError> {
        let cells = sized(&table, &section_name(side, ""), values.index.len())?;
        let codes = histories(&table, side, layers, values.index.len())?.read_all()?;
        let histories = codes.len() / layers.of_side(side);
        let width = cells.section().width.bytes();
        let numbers: Vec<u32> = cells
            .read_all()?
            .par_chunks_exact(width)
            .with_min_len(1 << 14)
            .map(|entry| entry.iter().rfold(0, |n, &byte| n << 8 | u32::from(byte)))
            .collect();
        match numbers.par_iter().find_any(|&&number| number as usize >= histories) {
            Some(&number) => Err(no_history(&table, side, number)),
            None => {
                sides.push(numbers);
                Ok(HistoryDictionary::finished(codes).into())
            }
        }
    });
    let [white, black] = dictionaries;
    let dictionaries = [white?, black?];
    values.load(&sides, bench.budget)?;
    Ok(Known { values, dictionaries })
}

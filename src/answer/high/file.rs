//! What the files of High Chess have: staircases, or functions and their rows.

use super::{
    distance::{Functions, Signed},
    packing::{PackedFunctions, pack_functions, pack_rows, unpack_functions, unpack_rows},
    staircase::Staircase,
};
use crate::table::{CellSpec, Kind, Table, TableError, TableWriter, Width};

/// The blob of staircases of a table without distances: V bytes each, in the order of their numbers.
pub(crate) const STAIRCASES: &str = "staircases";

/// The functions, packed: V entries each.
const FUNCTIONS: &str = "functions";

/// What belongs to the functions: the numbers of rows where they cannot be guessed.
const FOLLOWERS: &str = "followers";

/// The rows, packed: V entries each.
const ROWS: &str = "rows";

fn damaged(table: &Table, section: &str, problem: &str) -> TableError {
    TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{section}`"),
        problem: problem.to_owned(),
    }
}

/// V, as the header of a table says.
fn vitality(table: &Table, section: &str) -> Result<u8, TableError> {
    let full = table.header().options.get("vitality").and_then(|v| v.as_u64());
    let full = full.filter(|full| (1..=50).contains(full));
    full.map(|full| full as u8).ok_or_else(|| damaged(table, section, "no vitality"))
}

/// Whether a table has distances.
pub(crate) fn has_distances(table: &Table) -> bool {
    table.header().section(FUNCTIONS, Kind::Cells).is_some()
}

/// What each number of a table with so many `positions` on either side's turn means for who wins,
/// checked.
pub(crate) fn read_staircases(table: &Table, positions: u64) -> Result<Vec<Staircase>, TableError> {
    if has_distances(table) {
        let functions = read_functions(table, positions)?;
        return Ok((0..functions.len())
            .map(|number| functions.staircase(number).clone())
            .collect());
    }
    let full = vitality(table, STAIRCASES)?;
    let blob = table.blob(STAIRCASES, most_entries(full, positions))?;
    let staircases = blob.chunks(usize::from(full));
    let fine = |s: &[u8]| {
        s.len() == usize::from(full) && s.is_sorted() && s.iter().all(|&step| step <= full)
    };
    if blob.is_empty() || !staircases.clone().all(fine) {
        return Err(damaged(table, STAIRCASES, "not all are staircases"));
    }
    if !staircases.clone().is_sorted_by(|a, b| a < b) {
        return Err(damaged(table, STAIRCASES, "the staircases are not in order"));
    }
    Ok(staircases.map(Staircase::new).collect())
}

/// How many entries staircases or functions can have: V for each position of either side.
fn most_entries(full: u8, positions: u64) -> u64 {
    positions.saturating_mul(2 * u64::from(full))
}

/// How many rows functions may have, so that forged tables cannot claim memory without end. Real
/// ones have less than a quarter of it.
pub(crate) fn most_rows(positions: u64) -> u64 {
    positions.saturating_mul(16)
}

/// The functions of a table with distances and so many `positions` on either side's turn, checked.
/// There is no more than one for each.
pub(crate) fn read_functions(table: &Table, positions: u64) -> Result<Functions, TableError> {
    let full = vitality(table, FUNCTIONS)?;
    let v = usize::from(full);
    // So many entries can make sense, and no more are read.
    let numbers = |name: &str, most: u64| -> Result<Vec<u32>, TableError> {
        let cells = table.cells(name)?;
        if cells.entries() > most {
            return Err(damaged(table, name, "more entries than make sense"));
        }
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let number = |entry: &[u8]| entry.iter().rfold(0, |n, &byte| n << 8 | u32::from(byte));
        Ok(bytes.chunks_exact(width).map(number).collect())
    };
    let recent = numbers(FUNCTIONS, most_entries(full, positions))?;
    let followers = numbers(FOLLOWERS, recent.len() as u64)?;
    let packed = PackedFunctions { recent, followers };
    // Each row is used, and comes for the first time somewhere.
    let rows = packed.rows();
    if rows as u64 > most_rows(positions) {
        return Err(damaged(table, FOLLOWERS, "more rows than make sense"));
    }
    let entries = numbers(ROWS, (rows * v) as u64)?;
    if entries.len() != rows * v {
        return Err(damaged(table, ROWS, "its length is wrong"));
    }
    let entries: Option<Vec<u16>> = entries.into_iter().map(|n| u16::try_from(n).ok()).collect();
    let entries = entries.ok_or_else(|| damaged(table, ROWS, "an entry is too large"))?;
    unpack_functions(&packed, v, rows)
        .and_then(|functions| Functions::new(full, unpack_rows(&entries, v), functions))
        .map_err(|problem| damaged(table, FUNCTIONS, problem))
}

/// Writes functions: V numbers each of rows, which must be numbered in the order in which they
/// occur.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_functions(
    writer: &mut TableWriter,
    rows: &[Box<[Signed]>],
    functions: &[u32],
) -> Result<(), TableError> {
    let v = rows.first().map_or(1, |row| row.len());
    let rows: Vec<u32> = pack_rows(rows, v).into_iter().map(u32::from).collect();
    let PackedFunctions { recent, followers } = pack_functions(functions, v);
    for (name, numbers) in [(ROWS, rows), (FUNCTIONS, recent), (FOLLOWERS, followers)] {
        let width = Width::holding(numbers.iter().copied().max().unwrap_or(0));
        writer.cells(CellSpec::new(name, numbers.len() as u64, width), |range, bytes| {
            let numbers = &numbers[range.start as usize..range.end as usize];
            for (entry, number) in bytes.chunks_exact_mut(width.bytes()).zip(numbers) {
                entry.copy_from_slice(&number.to_le_bytes()[..width.bytes()]);
            }
        })?;
    }
    Ok(())
}

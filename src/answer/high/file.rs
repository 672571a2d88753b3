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

/// What each number of a table means for who wins, checked.
pub(crate) fn read_staircases(table: &Table) -> Result<Vec<Staircase>, TableError> {
    if has_distances(table) {
        let functions = read_functions(table)?;
        return Ok((0..functions.len())
            .map(|number| functions.staircase(number).clone())
            .collect());
    }
    let full = vitality(table, STAIRCASES)?;
    let blob = table.blob(STAIRCASES)?;
    let fine = |s: &[u8]| {
        s.len() == usize::from(full) && s.is_sorted() && s.iter().all(|&step| step <= full)
    };
    if blob.is_empty() || !blob.chunks(usize::from(full)).all(fine) {
        return Err(damaged(table, STAIRCASES, "not all are staircases"));
    }
    Ok(blob.chunks(usize::from(full)).map(Staircase::new).collect())
}

/// The functions of a table with distances, checked.
pub(crate) fn read_functions(table: &Table) -> Result<Functions, TableError> {
    let full = vitality(table, FUNCTIONS)?;
    let v = usize::from(full);
    let numbers = |name: &str| -> Result<Vec<u32>, TableError> {
        let cells = table.cells(name)?;
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let number = |entry: &[u8]| entry.iter().rfold(0, |n, &byte| n << 8 | u32::from(byte));
        Ok(bytes.chunks_exact(width).map(number).collect())
    };
    let rows: Vec<u16> = numbers(ROWS)?.into_iter().map(|number| number as u16).collect();
    if rows.len() % v != 0 {
        return Err(damaged(table, ROWS, "its length is wrong"));
    }
    let packed = PackedFunctions { recent: numbers(FUNCTIONS)?, followers: numbers(FOLLOWERS)? };
    unpack_functions(&packed, v, rows.len() / v)
        .and_then(|functions| Functions::new(full, unpack_rows(&rows, v), functions))
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

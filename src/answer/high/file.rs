//! What the files of High Chess have: staircases, or functions and their rows.

use super::{
    distance::{Functions, Signed},
    staircase::Staircase,
};
use crate::table::{CellSpec, Kind, Table, TableError, TableWriter, Width};

/// The blob of staircases of a table without distances: V bytes each, in the order of their numbers.
pub(crate) const STAIRCASES: &str = "staircases";

/// The functions: for each, V numbers of rows.
const FUNCTIONS: &str = "functions";

/// The rows: for each, V results.
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
    let numbers = |name: &str| -> Result<Vec<u32>, TableError> {
        let cells = table.cells(name)?;
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let number = |entry: &[u8]| entry.iter().rfold(0, |n, &byte| n << 8 | u32::from(byte));
        Ok(bytes.chunks_exact(width).map(number).collect())
    };
    let rows = numbers(ROWS)?.into_iter().map(|result| result as Signed).collect();
    Functions::new(full, rows, numbers(FUNCTIONS)?)
        .map_err(|problem| damaged(table, FUNCTIONS, problem))
}

/// Writes functions and rows, each with V entries, one after the other.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_functions(
    writer: &mut TableWriter,
    rows: &[Signed],
    functions: &[u32],
) -> Result<(), TableError> {
    writer.cells(CellSpec::new(ROWS, rows.len() as u64, Width::Two), |range, bytes| {
        let rows = &rows[range.start as usize..range.end as usize];
        for (entry, result) in bytes.chunks_exact_mut(2).zip(rows) {
            entry.copy_from_slice(&result.to_le_bytes());
        }
    })?;
    let most = functions.iter().copied().max().unwrap_or(0);
    let width = Width::holding(most);
    writer.cells(CellSpec::new(FUNCTIONS, functions.len() as u64, width), |range, bytes| {
        let functions = &functions[range.start as usize..range.end as usize];
        for (entry, number) in bytes.chunks_exact_mut(width.bytes()).zip(functions) {
            entry.copy_from_slice(&number.to_le_bytes()[..width.bytes()]);
        }
    })
}

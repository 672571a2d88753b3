//! Writes what the files of High Chess have with distances: functions and their rows.

use super::{
    distance::Signed,
    file::{FOLLOWERS, FUNCTIONS, FUNCTIONS_AT_ONCE, MATES, ROWS, SHARED},
    packing::{pack_functions, pack_result},
    unpacking::{PackedFunctions, bases},
};
use crate::{
    answer::Outcome,
    parallel::{self, chunks},
    table::{CellSpec, TableError, TableWriter, Width},
};

/// Writes functions: `v` numbers each of rows, which must be numbered in the order in which they
/// occur, and a mate each. `of` has the `v` results of a row.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_functions<'r>(
    writer: &mut TableWriter,
    v: usize,
    of: impl Fn(usize) -> &'r [Signed] + Sync,
    functions: &[u32],
    mates: &[Outcome],
) -> Result<(), TableError> {
    let bases = bases(functions, v, 0);
    let results = bases.len() * v;
    let packed =
        |row: usize, at: usize| pack_result(of(row), bases[row].map(|base| of(base as usize)), at);
    let most = parallel::map(chunks(&bases[..], 1 << 14), 1, |piece, bases| {
        let rows = (piece << 14..).take(bases.len());
        rows.flat_map(|row| (0..v).map(move |at| packed(row, at))).max()
    });
    let most = most.into_iter().max().flatten();
    let bytes_each = if most > Some(u16::from(u8::MAX)) { 2 } else { 1 };
    let spec = CellSpec::new(ROWS, (bytes_each * results) as u64, Width::One);
    writer.cells(spec, |range, mut bytes| {
        let mut entry = range.start as usize;
        // What is left of a row at a time.
        while !bytes.is_empty() {
            let (upper, row, first) = (entry / results, entry % results / v, entry % v);
            let length = bytes.len().min(v - first);
            let of_row = bytes.split_off_mut(..length).expect("it is no longer");
            for (at, byte) in (first..).zip(of_row) {
                *byte = packed(row, at).to_le_bytes()[upper];
            }
            entry += length;
        }
    })?;
    let PackedFunctions { shared, codes, named } = pack_functions(functions, v, FUNCTIONS_AT_ONCE);
    for (name, entries) in [(SHARED, shared), (FUNCTIONS, codes)] {
        writer.cells(CellSpec::new(name, entries.len() as u64, Width::One), |range, bytes| {
            bytes.copy_from_slice(&entries[range.start as usize..range.end as usize]);
        })?;
    }
    let width = Width::holding(named.iter().copied().max().unwrap_or(0));
    writer.cells(CellSpec::new(FOLLOWERS, named.len() as u64, width), |range, bytes| {
        let named = &named[range.start as usize..range.end as usize];
        for (entry, number) in bytes.chunks_exact_mut(width.bytes()).zip(named) {
            entry.copy_from_slice(&number.to_le_bytes()[..width.bytes()]);
        }
    })?;
    let mut palette: Vec<u32> = mates.iter().map(|mate| mate.packed()).collect();
    palette.sort_unstable();
    palette.dedup();
    let width = Width::holding(palette.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(MATES, mates.len() as u64, width).with_palette(palette.clone());
    writer.cells(spec, |range, bytes| {
        let mates = &mates[range.start as usize..range.end as usize];
        for (entry, mate) in bytes.chunks_exact_mut(width.bytes()).zip(mates) {
            let place = palette.binary_search(&mate.packed()).expect("all of them are there");
            entry.copy_from_slice(&(place as u32).to_le_bytes()[..width.bytes()]);
        }
    })
}

//! What the files of High Chess have: staircases, or functions and their rows.

#[cfg(feature = "build")]
use super::distance::steps;
use super::{
    distance::{Functions, Signed},
    staircase::Staircase,
    unpacking::{PackedFunctions, Pieces, bases, unpack_differences},
};
use crate::{
    answer::{Outcome, contents::Contents},
    parallel::{self, chunks},
    table::{Cells, Table, TableError, Width, blob_name, le_u32},
};

/// The blob of staircases of a table without distances, or of a stretch of it: V bytes each, in the
/// order of their numbers.
pub(crate) const STAIRCASES: &str = "staircases";

/// The functions, packed: how each row follows the one before it, but for those that a function
/// shares with the function before it.
pub(super) const FUNCTIONS: &str = "functions";

/// What belongs to the functions: with how many rows of the function before it each begins.
pub(super) const SHARED: &str = "shared";

/// What belongs to the functions: who can force mate where a position has one. What a function
/// tells nearly always tells that, too.
pub(super) const MATES: &str = "mates";

/// What belongs to the functions: the numbers of rows where they cannot be guessed.
pub(super) const FOLLOWERS: &str = "followers";

/// Functions that are packed together.
pub(super) const FUNCTIONS_AT_ONCE: usize = 1 << 15;

/// The rows, packed by how they differ from others: the lower bytes of V entries each, then the
/// upper ones if there are any.
pub(super) const ROWS: &str = "rows";

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
    table.header().contents == Contents::Distance.name()
}

/// What each number in a stretch of a table means for who wins, checked; the stretch has so many
/// `positions` on either side's turn.
pub(crate) fn read_staircases(
    table: &Table,
    stretch: usize,
    positions: u64,
) -> Result<Vec<Staircase>, TableError> {
    if has_distances(table) {
        let functions = read_functions(table, stretch, positions)?;
        return Ok((0..functions.len())
            .map(|number| functions.staircase(number).clone())
            .collect());
    }
    let name = &blob_name(STAIRCASES, stretch);
    let full = vitality(table, name)?;
    let blob = table.blob(name, most_entries(full, positions))?;
    let staircases = blob.chunks(usize::from(full));
    let fine = |s: &[u8]| {
        s.len() == usize::from(full) && s.is_sorted() && s.iter().all(|&step| step <= full)
    };
    if blob.is_empty() || !staircases.clone().all(fine) {
        return Err(damaged(table, name, "not all are staircases"));
    }
    if !staircases.clone().is_sorted_by(|a, b| a < b) {
        return Err(damaged(table, name, "the staircases are not in order"));
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

/// What a stretch of a table has of a name.
fn cells_of(table: &Table, name: &str, stretch: usize) -> Result<Cells, TableError> {
    let cells = table.stretches(name)?.stretch(stretch).cloned();
    cells.ok_or_else(|| damaged(table, name, "it has too few stretches"))
}

/// The functions of a stretch of a table with distances as they are stored, which has so many
/// `positions` on either side's turn.
fn read_packed(
    table: &Table,
    stretch: usize,
    positions: u64,
    v: usize,
) -> Result<PackedFunctions, TableError> {
    // So many entries can make sense, and no more are read.
    let entries = |name: &str, widest: Width, most: u64| -> Result<(Vec<u8>, usize), TableError> {
        let cells = cells_of(table, name, stretch)?;
        if cells.entries() > most {
            return Err(damaged(table, name, "more entries than make sense"));
        }
        let width = cells.section().width;
        if width.bytes() > widest.bytes() {
            return Err(damaged(table, name, "its entries are too wide"));
        }
        Ok((cells.read_all()?, width.bytes()))
    };
    let (shared, _) = entries(SHARED, Width::One, most_entries(1, positions))?;
    let (codes, _) = entries(FUNCTIONS, Width::One, (shared.len() * v) as u64)?;
    let (named, width) = entries(FOLLOWERS, Width::Four, codes.len() as u64)?;
    let named = named.chunks_exact(width).map(le_u32).collect();
    let packed = PackedFunctions { shared, codes, named };
    // Each row is used, and comes for the first time somewhere.
    if packed.rows() as u64 > most_rows(positions) {
        return Err(damaged(table, FOLLOWERS, "more rows than make sense"));
    }
    Ok(packed)
}

/// The functions of a stretch of a table with distances, which has so many `positions` on either
/// side's turn, checked. There is no more than one for each.
pub(crate) fn read_functions(
    table: &Table,
    stretch: usize,
    positions: u64,
) -> Result<Functions, TableError> {
    let full = vitality(table, FUNCTIONS)?;
    let v = usize::from(full);
    let is_damaged = |problem| damaged(table, FUNCTIONS, problem);
    let packed = read_packed(table, stretch, positions, v)?;
    let pieces = Pieces::new(&packed, v, FUNCTIONS_AT_ONCE).map_err(is_damaged)?;
    let functions = pieces.unpack().map_err(is_damaged)?;
    let rows = packed.rows();
    drop(packed);
    let bases = bases(&functions, v, 0);
    debug_assert_eq!(bases.len(), rows, "rows are numbered in the order in which they occur");
    let rows = read_rows(table, stretch, &bases, v)?;
    drop(bases);
    let (cells, mates) = read_mates(table, stretch, positions)?;
    let palette = cells.palette().unwrap_or_default();
    let mates = mates.into_iter().map(|mate| palette.get(mate).copied().map(Outcome::unpack));
    let mates: Option<Vec<Outcome>> = mates.collect();
    let mates = mates.ok_or_else(|| damaged(table, MATES, "an entry is not in the palette"))?;
    Functions::new(full, rows, functions, mates).map_err(is_damaged)
}

/// A function of a table, for those who look at each once.
#[cfg(feature = "build")]
pub(crate) struct Function<'f> {
    rows: &'f [Signed],
    numbers: &'f [u32],
}

#[cfg(feature = "build")]
impl Function<'_> {
    /// The result at these vitalities less one.
    #[inline]
    pub fn result(&self, white: usize, black: usize) -> Signed {
        self.rows[self.numbers[white] as usize * self.numbers.len() + black]
    }
}

/// What comes of each function of such a stretch. Rows are in memory, as where
/// [all is read](read_functions), but functions stay packed until they are looked at. Both are
/// checked, but for the order of functions, on which nothing depends here.
#[cfg(feature = "build")]
pub(crate) fn map_functions<T: Send>(
    table: &Table,
    stretch: usize,
    positions: u64,
    look: impl Fn(Function<'_>) -> T + Sync,
) -> Result<Vec<T>, TableError> {
    let v = usize::from(vitality(table, FUNCTIONS)?);
    let is_damaged = |problem| damaged(table, FUNCTIONS, problem);
    let packed = read_packed(table, stretch, positions, v)?;
    let pieces = Pieces::new(&packed, v, FUNCTIONS_AT_ONCE).map_err(is_damaged)?;
    let rows = read_rows(table, stretch, &pieces.bases().map_err(is_damaged)?, v)?;
    let steps = steps(&rows, v).map_err(is_damaged)?;
    // White's wins only grow with its vitality.
    let is_fine = |numbers: &[u32]| numbers.iter().is_sorted_by_key(|&row| steps[row as usize]);
    let looked = pieces.map(|functions, _| {
        let function = |numbers| {
            is_fine(numbers)
                .then(|| look(Function { rows: &rows, numbers }))
                .ok_or("a function is wrong")
        };
        functions.chunks_exact(v).map(function).collect::<Result<Vec<T>, _>>()
    });
    Ok(looked.map_err(is_damaged)?.into_iter().flatten().collect())
}

/// Who can force mate, for each function of a stretch of a table, which has so many `positions` on
/// either side's turn: places in the palette of these cells.
pub(crate) fn read_mates(
    table: &Table,
    stretch: usize,
    positions: u64,
) -> Result<(Cells, Vec<usize>), TableError> {
    let cells = cells_of(table, MATES, stretch)?;
    if cells.entries() > most_entries(1, positions) {
        return Err(damaged(table, MATES, "more entries than make sense"));
    }
    let width = cells.section().width.bytes();
    let entries = cells.read_all()?;
    let places = entries.chunks_exact(width).map(|entry| le_u32(entry) as usize).collect();
    Ok((cells, places))
}

/// Rows that are unpacked together.
const ROWS_AT_ONCE: usize = 1 << 14;

/// The rows of a stretch, of `v` results each, one behind the other, given which others they are
/// told by.
fn read_rows(
    table: &Table,
    stretch: usize,
    bases: &[Option<u32>],
    v: usize,
) -> Result<Vec<Signed>, TableError> {
    let cells = cells_of(table, ROWS, stretch)?;
    let results = bases.len() * v;
    let has_upper = match cells.entries() {
        entries if entries == results as u64 => false,
        entries if entries == 2 * results as u64 => true,
        _ => return Err(damaged(table, ROWS, "its length is wrong")),
    };
    if cells.section().width != Width::One {
        return Err(damaged(table, ROWS, "its entries are too wide"));
    }
    let mut rows = vec![0; results];
    parallel::try_each(chunks(&mut rows[..], ROWS_AT_ONCE * v), 1, |piece, rows| {
        let first = piece * ROWS_AT_ONCE * v;
        let mut lower = vec![0; rows.len()];
        let mut upper = lower.clone();
        cells.read_from(first as u64, &mut lower)?;
        if has_upper {
            cells.read_from((results + first) as u64, &mut upper)?;
        }
        let bytes = lower.chunks_exact(v).zip(upper.chunks_exact(v));
        for (row, (lower, upper)) in rows.chunks_exact_mut(v).zip(bytes) {
            let packed = lower.iter().zip(upper).map(|(&l, &u)| u16::from_le_bytes([l, u]));
            unpack_differences(packed, row);
        }
        Ok(())
    })?;
    for (number, base) in bases.iter().enumerate() {
        let Some(base) = base else { continue };
        let (before, row) = rows.split_at_mut(number * v);
        let base = &before[*base as usize * v..][..v];
        for (result, base) in row[..v].iter_mut().zip(base) {
            *result = result.wrapping_add(*base);
        }
    }
    Ok(rows)
}

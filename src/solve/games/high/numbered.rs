//! Sections that give each position the number of something kept once.

use std::ops::Range;

use crate::{
    answer::sections::{section_name, sized},
    board::Color,
    parallel::{self, chunks, joined},
    solve::{
        engine::{builder::Workbench, pages::TablePages},
        error::BuildError,
    },
    table::{CellSpec, Table, TableError, TableWriter, Width, le_u32},
};

/// Writes for both sides to move what `places` says of a range of so many `numbers`, each one of
/// `kinds`; `None` for those that are no positions, which may be anything.
pub(super) fn write(
    writer: &mut TableWriter,
    numbers: u64,
    kinds: usize,
    places: impl Fn(Color, Range<u64>) -> Vec<Option<u32>> + Sync,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    let width = Width::holding(kinds.saturating_sub(1) as u32);
    for side in Color::ALL {
        let spec = CellSpec::new(section_name(side, ""), numbers, width).varied();
        writer.choices(spec, |range, entries| {
            if !bench.goes_on_to(range.end - range.start) {
                return range.for_each(|_| entries.anything());
            }
            for place in places(side, range) {
                match place {
                    None => entries.anything(),
                    Some(place) => entries.exactly(place),
                }
            }
        })?;
    }
    Ok(())
}

/// Reads such sections; `meanings` are those of the numbers for each side to move, and `kind` is
/// what they are called.
pub(super) fn load<T: bytemuck::Pod + Send + Sync>(
    values: &TablePages<T>,
    table: &Table,
    meanings: [&[T]; 2],
    kind: &str,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let mut sides = Vec::new();
    for (side, meanings) in Color::ALL.into_iter().zip(meanings) {
        let cells = sized(table, &section_name(side, ""), values.index.len())?;
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let meaning = |entry| meanings.get(le_u32(entry) as usize).copied();
        let found = parallel::map(chunks(&bytes[..], width << 14), 1, |_, entries| {
            entries.chunks_exact(width).map(meaning).collect::<Option<Vec<T>>>()
        });
        let found = found.into_iter().collect::<Option<Vec<_>>>().map(joined);
        sides.push(found.ok_or_else(|| TableError::Damaged {
            path: table.path().to_owned(),
            place: format!("section `{}`", section_name(side, "")),
            problem: format!("it names a {kind} that is not there"),
        })?);
    }
    values.load(&sides, bench.budget)?;
    Ok(())
}

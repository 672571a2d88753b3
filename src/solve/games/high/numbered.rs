//! Sections that give each position the number of something kept once.

use std::ops::Range;

use crate::{
    answer::sections::section_name,
    board::Color,
    solve::engine::builder::Workbench,
    table::{CellSpec, TableError, TableWriter, Width},
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

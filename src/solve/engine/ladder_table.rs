//! Tables of games with a ladder, solved slice by slice with everything in memory.

use std::{io, sync::Arc};

use rayon::prelude::*;

use super::{
    conversions::Conversions,
    ladder_game::LadderGame,
    ladder_slice::{LadderSlice, Solved},
    library::Library,
    order::Order,
    values::{Values, structure_groups},
};
use crate::{
    answer::{place::table_sides, score::Store},
    index::Material,
    solve::{BuildError, Workbench},
};

/// Solves all slices of a material.
///
/// # Errors
/// If scratch space is lacking.
pub fn solve<G: LadderGame>(
    game: &G,
    material: &Material,
    library: &mut Library<G::Store>,
    bench: &Workbench<'_>,
) -> Result<Arc<Values<G::Store>>, BuildError> {
    let sides = table_sides(material, game.swaps_colors());
    let values = Arc::new(Values::empty(game.index(material), sides));
    library.add(*material, values.clone());
    let conversions = Conversions::new(game, material, library);
    let groups = structure_groups(&values.index);
    bench
        .progress
        .begin(&format!("solving {material}"), groups.iter().map(|g| g.len() as u64).sum());
    for group in groups {
        group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
            let slice = conversions.slice(&values.index, structure);
            let mut slice = LadderSlice::new(game, material, slice, false, bench.budget)?;
            slice.leave(&conversions)?;
            let Solved { slice, cells, .. } = slice.settle()?;
            let range = values.index.structure_range(structure);
            let order = Order::new(&values.index, range.start, &slice);
            let pages = values.sides().iter().map(|&side| {
                let cells = cells.side(side);
                let mut page =
                    bench.budget.array((range.end - range.start) as usize, Store::NONE)?;
                order.sort(|place| cells.get(place), &mut page);
                Ok(page)
            });
            values.put(structure, pages.collect::<io::Result<_>>()?);
            bench.progress.advance(1);
            Ok(())
        })?;
    }
    Ok(values)
}

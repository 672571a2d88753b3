//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{io, sync::Arc};

use rayon::prelude::*;

use super::{
    ahead::{Ahead, LandingTables},
    interner::Interner,
    landings::{Landing, Staircases, landing},
    layers::SliceLayers,
    numbered,
};
use crate::{
    answer::{
        TableId,
        high::{STAIRCASES, read_staircases},
        place::chess_group,
        score::Store,
    },
    index::{Index, Material},
    rules::{High, Laws},
    solve::{
        BuildError, Workbench,
        engine::{
            scratch::{Budget, Scratch},
            slice::Slice,
            values::{Values, structure_groups, structure_squares},
        },
    },
    table::TableWriter,
};

/// An entry per position of a slice, per side to move.
type BothSides<T> = [Scratch<T>; 2];

/// The staircases of a table: a number per position, and what the numbers mean.
pub(super) struct Stairs {
    numbers: Values<u32>,
    staircases: Interner<u8>,
}

impl High {
    pub(super) fn solve_stairs(
        &self,
        material: &Material,
        mut tables: LandingTables<Landing>,
        bench: &Workbench<'_>,
    ) -> Result<Stairs, BuildError> {
        let index = || Index::new(material, chess_group(material));
        let numbers = Values::empty(index(), 2);
        let landings = Arc::new(Values::empty(index(), 2));
        tables.insert(*material, landings.clone());
        let context = Ahead::new(self, material, Staircases(self), &tables);
        let groups = structure_groups(&numbers.index);
        let steps = groups.iter().map(|g| g.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}, vitalities"), steps);
        let staircases = Interner::new();
        for group in groups {
            group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
                let squares = structure_squares(&numbers.index, structure);
                let slice =
                    Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
                let layers = SliceLayers::new(&context, &slice, bench.budget)?;
                let (of_numbers, of_landings) =
                    self.number_staircases(layers, &staircases, bench.budget)?;
                numbers.fill(structure, &slice, &of_numbers, 0, bench.budget)?;
                landings.fill(structure, &slice, &of_landings, [0; 2], bench.budget)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        Ok(Stairs { numbers, staircases })
    }

    /// Solves the layers of a slice and finds its staircases among those of the table.
    fn number_staircases(
        &self,
        layers: SliceLayers<'_>,
        staircases: &Interner<u8>,
        budget: &Budget,
    ) -> io::Result<(BothSides<u32>, BothSides<Landing>)> {
        let full = u16::from(self.vitality.points());
        let (mut numbers, legal, histories) = layers.run(budget)?;
        let cells = numbers[0].len();
        let mut landings = [budget.array(cells, [0; 2])?, budget.array(cells, [0; 2])?];
        let mut met: Vec<Option<(u32, Landing)>> = vec![None; histories.len()];
        for (side, legal) in legal.iter().enumerate() {
            let cells = numbers[side].iter_mut().zip(landings[side].iter_mut());
            for (cell, (number, to)) in cells.enumerate() {
                if legal[cell / 64] >> (cell % 64) & 1 == 0 {
                    continue;
                }
                (*number, *to) = *met[*number as usize].get_or_insert_with(|| {
                    let staircase = histories.values(*number, 1..full + 1);
                    (staircases.number(&staircase), landing(&staircase))
                });
            }
        }
        Ok((numbers, landings))
    }
}

/// Writes the staircases and a number of one for every position.
pub(super) fn write_stairs(
    writer: &mut TableWriter,
    stairs: &Stairs,
    mates: &Values<i16>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    // Sorted, so that every build writes the same file whatever its threads did first.
    let (staircases, places) =
        stairs.staircases.sorted(|_, stairs| Some(Box::<[u8]>::from(stairs)));
    writer.blob(STAIRCASES, &staircases.concat())?;
    // Numbers that are no positions have no mate either.
    let place = |side, number| {
        let legal = mates.get(side, number) != <i16 as Store>::NONE;
        legal.then(|| places[stairs.numbers.get(side, number) as usize])
    };
    numbered::write(writer, stairs.numbers.index.len(), staircases.len(), place, bench)?;
    Ok(())
}

/// Reads what solving other tables takes of a whole table.
pub(super) fn load_landings(
    id: &TableId,
    bench: &Workbench<'_>,
) -> Result<Values<Landing>, BuildError> {
    let table = bench.shelf.open(id)?;
    let index = Index::new(&id.material, chess_group(&id.material));
    let values = Values::empty(index, 2);
    let staircases = read_staircases(&table, values.index.len())?;
    let landings: Vec<Landing> = staircases.iter().map(|s| landing(s.steps())).collect();
    numbered::load(&values, &table, [&landings; 2], "staircase", bench)?;
    Ok(values)
}

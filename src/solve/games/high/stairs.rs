//! The staircases of a whole table: its slices one after the other, and what they leave in the
//! file.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex},
};

use rayon::prelude::*;

use super::{
    landings::{Context, Landing, landing},
    layers::SliceLayers,
};
use crate::{
    answer::{
        TableId,
        high::{STAIRCASES, read_staircases},
        place::chess_group,
        score::Store,
        sections::{section_name, sized},
    },
    board::Color,
    index::{Index, Material},
    rules::{High, Laws},
    solve::{
        BuildError, Workbench,
        engine::{
            links::Links,
            scratch::{Budget, Scratch},
            slice::Slice,
            values::{Values, structure_groups, structure_squares},
        },
    },
    table::{CellSpec, TableError, TableWriter, Width},
};

/// An entry per position of a slice, per side to move.
type BothSides<T> = [Scratch<T>; 2];

/// Staircases by number, shared by all slices of a table while they are solved.
#[derive(Default)]
struct StaircaseDictionary {
    numbers: HashMap<Vec<u8>, u32>,
    staircases: Vec<Vec<u8>>,
}

impl StaircaseDictionary {
    fn number(&mut self, staircase: Vec<u8>) -> u32 {
        let next = self.staircases.len() as u32;
        *self.numbers.entry(staircase).or_insert_with_key(|staircase| {
            self.staircases.push(staircase.clone());
            next
        })
    }
}

/// The staircases of a table: a number per position, and what the numbers mean.
pub(super) struct Stairs {
    numbers: Values<u32>,
    staircases: Vec<Vec<u8>>,
}

impl High {
    pub(super) fn solve_stairs(
        &self,
        material: &Material,
        mut tables: HashMap<Material, Arc<Values<Landing>>>,
        bench: &Workbench<'_>,
    ) -> Result<Stairs, BuildError> {
        let index = || Index::new(material, chess_group(material));
        let numbers = Values::empty(index(), 2);
        let landings = Arc::new(Values::empty(index(), 2));
        tables.insert(*material, landings.clone());
        let links = Links::new(&material.men(), &Laws::ORTHODOX, false, |m| tables.get(m).cloned());
        let context = Context { game: self, tables: &tables, links };
        let groups = structure_groups(&numbers.index);
        let steps = groups.iter().map(|g| g.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}, vitalities"), steps);
        let dictionary = Mutex::new(StaircaseDictionary::default());
        for group in groups {
            group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
                let squares = structure_squares(&numbers.index, structure);
                let slice =
                    Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
                let layers = SliceLayers::new(&context, &slice, bench.budget)?;
                let (of_numbers, of_landings) =
                    self.number_staircases(layers, &dictionary, bench.budget)?;
                numbers.fill(structure, &slice, &of_numbers, 0, bench.budget)?;
                landings.fill(structure, &slice, &of_landings, [0; 2], bench.budget)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        let dictionary = dictionary.into_inner().expect("no holder panics");
        Ok(Stairs { numbers, staircases: dictionary.staircases })
    }

    /// Solves the layers of a slice and finds its staircases in the dictionary.
    fn number_staircases(
        &self,
        layers: SliceLayers<'_>,
        dictionary: &Mutex<StaircaseDictionary>,
        budget: &Budget,
    ) -> io::Result<(BothSides<u32>, BothSides<Landing>)> {
        let full = u16::from(self.vitality.points());
        let (mut numbers, legal, histories) = layers.run(budget)?;
        let cells = numbers[0].len();
        let mut landings = [budget.array(cells, [0; 2])?, budget.array(cells, [0; 2])?];
        let mut dictionary = dictionary.lock().expect("no holder panics");
        let mut met: Vec<Option<(u32, Landing)>> = vec![None; histories.len()];
        for (side, legal) in legal.iter().enumerate() {
            let cells = numbers[side].iter_mut().zip(landings[side].iter_mut());
            for (cell, (number, to)) in cells.enumerate() {
                if legal[cell / 64] >> (cell % 64) & 1 == 0 {
                    continue;
                }
                (*number, *to) = *met[*number as usize].get_or_insert_with(|| {
                    let staircase = histories.values(*number, 1..full + 1);
                    let landing = landing(&staircase);
                    (dictionary.number(staircase), landing)
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
    let staircases = &stairs.staircases;
    // Sorted, so that every build writes the same file whatever its threads did first.
    let mut order: Vec<u32> = (0..staircases.len() as u32).collect();
    order.sort_by_key(|&number| &staircases[number as usize]);
    let mut places = vec![0_u32; order.len()];
    order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
    let bytes: Vec<u8> =
        order.iter().flat_map(|&n| staircases[n as usize].iter().copied()).collect();
    writer.blob(STAIRCASES, &bytes)?;
    let width = Width::holding(order.len().saturating_sub(1) as u32);
    for side in Color::ALL {
        let spec = CellSpec::new(section_name(side, ""), stairs.numbers.index.len(), width);
        writer.cells(spec, |range, bytes| {
            bench.progress.advance(range.end - range.start);
            // Numbers that are no positions, which have no mate either, repeat their neighbour.
            let legal = |number: u64| mates.get(side, number) != <i16 as Store>::NONE;
            let place = |number: u64| places[stairs.numbers.get(side, number) as usize];
            let mut last = range.clone().find(|&n| legal(n)).map_or(0, place);
            for (number, entry) in range.zip(bytes.chunks_exact_mut(width.bytes())) {
                if legal(number) {
                    last = place(number);
                }
                entry.copy_from_slice(&last.to_le_bytes()[..width.bytes()]);
            }
        })?;
    }
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
    let mut sides = Vec::new();
    for side in Color::ALL {
        let cells = sized(&table, &section_name(side, ""), values.index.len())?;
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let found: Option<Vec<Landing>> = bytes
            .par_chunks_exact(width)
            .with_min_len(1 << 14)
            .map(|entry| entry.iter().rfold(0, |n, &byte| n << 8 | usize::from(byte)))
            .map(|number| landings.get(number).copied())
            .collect();
        sides.push(found.ok_or_else(|| TableError::Damaged {
            path: table.path().to_owned(),
            place: format!("section `{}`", section_name(side, "")),
            problem: "it names a staircase that is not there".to_owned(),
        })?);
    }
    values.load(&sides, bench.budget)?;
    Ok(values)
}

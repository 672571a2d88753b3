//! Norochess: who wins at which score, with any number of plies to go.
//!
//! Every position has a pair of [`Thresholds`] per ply that may remain. They are solved layer by
//! layer ([`layers`]), from what other slices are worth in all layers at once ([`options`]), and
//! stored as a number per position and a dictionary of [`histories`](library) ([`file`]).

mod file;
mod layers;
mod library;
mod options;
mod solved;

use std::{sync::Arc, time::Duration};

use rayon::prelude::*;

use self::{
    library::{HistoryLibrary, Known},
    options::Options,
    solved::Solved,
};
use crate::{
    answer::{
        Tabled,
        noro::{Layers, index},
        place::chess_group,
    },
    board::Color,
    index::{Index, Material},
    rules::Noro,
    solve::{
        BuildError, Solve, TableSize, Workbench,
        engine::{
            links::{self, Links},
            slice::Slice,
            values::{Values, structure_groups, structure_squares},
        },
    },
};

impl Noro {
    fn solve_values(
        &self,
        material: &Material,
        mut library: HistoryLibrary,
        bench: &Workbench<'_>,
    ) -> Result<Arc<Known>, BuildError> {
        let values = Values::empty(index(material), 2);
        let table = Arc::new(Known { values, dictionaries: Default::default() });
        library.add(*material, table.clone());
        let links = Links::new(&material.men(), &Noro::LAWS, false, |m| library.number(m));
        let groups = structure_groups(&table.values.index);
        let steps = groups.iter().map(|group| group.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}"), steps);
        for group in groups {
            group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
                let squares = structure_squares(&table.values.index, structure);
                let group = chess_group(material);
                let slice = Slice::new(material.men(), squares, group, Noro::LAWS);
                let solved = self.solve_slice(&slice, &links, &library, bench)?;
                let numbers = table.number_histories(solved, Layers::of(self));
                let none = Known::NOWHERE;
                table.values.fill(structure, &slice, &numbers, none, bench.budget)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        Ok(table)
    }

    fn solve_slice(
        &self,
        slice: &Slice,
        links: &Links<u16>,
        library: &HistoryLibrary,
        bench: &Workbench<'_>,
    ) -> Result<[Solved; 2], BuildError> {
        let gather = |side| Options::gather(slice, side, links, library, bench.budget);
        let options = [gather(Color::White)?, gather(Color::Black)?];
        let solved = layers::solve(Layers::of(self), slice, &options, bench.budget)?;
        Ok(solved)
    }

    /// The tables that solving a material looks into.
    fn library(
        &self,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<HistoryLibrary, BuildError> {
        let mut library = HistoryLibrary::new(self);
        for needed in self.needs(material) {
            let id = self.table_id(&needed);
            library.add(needed, Arc::new(file::load(&id, Layers::of(self), bench)?));
        }
        Ok(library)
    }
}

/// How tables number the positions of a material.
impl Solve for Noro {
    fn needs(&self, material: &Material) -> Vec<Material> {
        let mut needed = links::successors(material, &Noro::LAWS, false);
        // Whoever takes the last man needs no table.
        needed.retain(|after| Color::ALL.into_iter().all(|color| after.men_of(color) > 0));
        needed
    }

    fn size(&self, material: &Material) -> TableSize {
        let positions = 2 * Index::count_with_common_kings(material, chess_group(material));
        // Numbers of four bytes in the order of words and in that of the index, a byte of keys,
        // and two bytes of options.
        TableSize {
            positions,
            memory: positions * (8 + 1 + 2),
            least: None,
            loaded: positions * 4,
            file: positions / 4,
            time: Duration::from_nanos(positions * 400),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material);
        let library = self.library(material, bench)?;
        let table = self.solve_values(material, library, bench)?;
        file::write(&id, &table, Layers::of(self), bench)
    }
}

//! Tiebraker Chess: points, and how far the next conversion is.
//!
//! A table has a section for each stage, that is mode and owner of the disk, and side to move. The
//! stages of a material are solved from the last to the first: option 2, the countdown after
//! option 1, accepted and fresh declarations, and the normal game. Values are places on the ladder
//! of [`Points::ALL`](crate::rules::Points::ALL), −5 to 5, so that exchanging the sides negates
//! them.

mod exits;
mod slices;
mod stage_table;

use std::{sync::Arc, time::Duration};

use rayon::prelude::*;

use crate::{
    answer::{
        Tabled,
        place::chess_group,
        tiebraker::{stage::Stage, stage_sides},
    },
    index::{Index, Material},
    rules::{Laws, Tiebraker},
    solve::{
        BuildError, Solve, TableSize, Workbench,
        engine::{
            links::{self, Links},
            values::structure_groups,
        },
    },
};
use slices::Tables;
use stage_table::StageTable;

impl Solve for Tiebraker {
    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &Laws::ORTHODOX, true)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::count(material, chess_group(material));
        let sections: usize = Stage::all().map(|stage| stage_sides(material, stage).len()).sum();
        // Every section in the order of the index, fourteen in the order of words, and the exits.
        let memory = numbers * (2 * sections as u64 + 2 * 14 + 6 * 20);
        let positions = numbers * sections as u64;
        let time = Duration::from_nanos(positions * 90);
        TableSize { positions, memory, loaded: positions * 2, file: positions / 60, time }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material);
        let material = &id.material;
        let mut materials = self.needs(material);
        let own = materials.len();
        let mut loaded = Vec::with_capacity(own + 1);
        for needed in &materials {
            let needed = self.table_id(needed);
            loaded.push(Arc::new(StageTable::load(&needed, bench)?));
        }
        loaded.push(Arc::new(StageTable::empty(material)));
        materials.push(*material);
        let links = Links::new(&material.men(), &Laws::ORTHODOX, true, |found| {
            materials.iter().position(|m| m == found).map(|place| place as u16)
        });
        let tables = Tables { layers: loaded, materials, links, own };
        let layers = &tables.layers[own];
        let groups = structure_groups(layers.index());
        let steps = groups.iter().map(|group| group.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}"), steps);
        for group in groups {
            group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
                slices::solve(&tables, material, structure, bench)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), self.size(material).positions);
        layers.write(material, &mut writer, bench)?;
        writer.finish()?;
        Ok(())
    }
}

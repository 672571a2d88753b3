//! High Chess: who wins at which vitalities, and who can force mate.
//!
//! A table has two parts. The *staircases* tell who wins: for each vitality vW of White, T(vW) is
//! the largest vitality of Black against which White still wins. They are solved layer by layer,
//! vW = 1, 2, …, V; within a layer the moves that cost White nothing make a short fixpoint. A turn
//! that costs White a point looks at the layer before, and one that costs Black a point adds one
//! to T. Captures and pawn moves are vital, so another slice is met only through one byte a
//! position. The *mates* are a ladder table of the same moves without vitalities.

mod layers;
mod mates;
mod stairs;

use std::{collections::HashMap, sync::Arc, time::Duration};

use crate::{
    answer::{TableId, Tabled, high::MATE, place::chess_group},
    index::{Index, Material},
    rules::{High, Laws},
    solve::{
        BuildError, Solve, TableSize, Workbench,
        engine::{
            ladder_file::{self, nothing_left_out},
            ladder_table,
            library::Library,
            links,
        },
    },
};
use mates::Mates;

impl Solve for High {
    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &Laws::ORTHODOX, false)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::count(material, chess_group(material));
        // Six bytes of rows, a number of four bytes in the order of words and in that of the
        // index, and the mates of two bytes, for each side to move.
        TableSize {
            positions: 2 * numbers,
            memory: 2 * numbers * (6 + 8 + 2),
            // Two bytes for where turns land, and two for mates.
            loaded: 2 * numbers * (2 + 2),
            file: 2 * numbers / 5,
            time: Duration::from_nanos(2 * numbers * 400),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material);
        let ids: Vec<TableId> = self.needs(material).iter().map(|m| self.table_id(m)).collect();
        let mut tables = HashMap::new();
        for id in &ids {
            tables.insert(id.material, Arc::new(stairs::load_landings(id, bench)?));
        }
        let stairs = self.solve_stairs(material, tables, bench)?;
        let mut library = Library::new();
        for id in &ids {
            let index = Index::new(&id.material, chess_group(&id.material));
            let mates = ladder_file::load(id, index, false, MATE, 0, nothing_left_out, bench)?;
            library.add(id.material, Arc::new(mates));
        }
        let mates = ladder_table::solve(&Mates(self), material, &mut library, bench)?;
        drop(library);
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), 2 * self.size(material).positions);
        stairs::write_stairs(&mut writer, &stairs, &mates, bench)?;
        ladder_file::write_sections(&mut writer, MATE, &mates, nothing_left_out, bench)?;
        writer.finish()?;
        Ok(())
    }
}

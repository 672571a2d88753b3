//! A table as its solver has it in memory: for each stage one score a position.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    answer::{
        TableId,
        place::{Entry, chess_group},
        score::{Score, Store},
        tiebraker::{
            REPEATS, resolve,
            stage::{Cell, Stage},
            stage_cells, stage_section, stage_sides,
        },
    },
    board::Color,
    index::{Index, Material},
    rules::Mode,
    solve::{
        BuildError, Workbench,
        engine::{
            ladder_file::{nothing_left_out, read_section, write_section},
            values::Values,
        },
    },
    table::{TableError, TableWriter},
};

/// The scores of a table, stage by stage.
pub struct StageTable {
    index: Index,
    /// Per stage, the cells of the sides to move it has; a stage of which the table shows nothing
    /// has none.
    stages: Vec<Option<Arc<Values<Cell>>>>,
}

impl StageTable {
    /// A table of which nothing is known yet.
    pub fn empty(material: &Material) -> StageTable {
        let index = Index::new(material, chess_group(material));
        let stages = Stage::all()
            .map(|stage| match stage_sides(material, stage).len() {
                0 => None,
                sides => Some(Arc::new(Values::empty(index.clone(), sides))),
            })
            .collect();
        StageTable { index, stages }
    }

    /// Reads a whole table.
    ///
    /// # Errors
    /// If it is missing or damaged, or memory is lacking.
    pub fn load(id: &TableId, bench: &Workbench<'_>) -> Result<StageTable, BuildError> {
        let table = bench.shelf.open(id)?;
        let mut layers = StageTable::empty(&id.material);
        for stage in Stage::all() {
            let sides = stage_sides(&id.material, stage);
            let repeated = before(stage).filter(|_| {
                sides.iter().any(|&side| {
                    let name = stage_section(stage, side);
                    resolve(&table, name.clone()) != name
                })
            });
            if let Some(same) = repeated {
                layers.stages[stage.number()] = layers.stages[same.number()].clone();
                continue;
            }
            let Some(values) = &layers.stages[stage.number()] else { continue };
            let read = |&side: &Color| {
                let cells = stage_cells(&table, stage, side, layers.index.len())?;
                read_section(&cells, stage.infinite())
            };
            let cells = sides.iter().map(read).collect::<Result<Vec<_>, TableError>>()?;
            values.load(&cells, bench.budget)?;
        }
        Ok(layers)
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The cells of a stage, if the table shows any; with a single side to move they count as
    /// White's.
    pub fn stage(&self, stage: Stage) -> Option<&Arc<Values<Cell>>> {
        self.stages[stage.number()].as_ref()
    }

    /// The score of a position of `stage`, both seen before its table may have exchanged the
    /// sides.
    ///
    /// # Panics
    /// If the table does not show the position or has not solved it.
    pub fn score(&self, stage: Stage, entry: &Entry) -> Score {
        let number = self.index.encode(&entry.squares).expect("Kings apart");
        self.at(stage, entry.side, entry.swapped, number)
    }

    /// The same for the position with a number in the table.
    ///
    /// # Panics
    /// As [`score`](StageTable::score).
    #[inline]
    pub fn at(&self, stage: Stage, side: Color, swapped: bool, number: u64) -> Score {
        let stage = if swapped { stage.swap_colors() } else { stage };
        let values = self.stages[stage.number()].as_ref().expect("a stage the table shows");
        let side = if values.sides().len() == 1 { Color::White } else { side };
        let score = values.get(side, number).score();
        if swapped { score.swap_colors() } else { score }
    }

    /// Writes every stage, but for those that say the same as two plies before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        material: &Material,
        writer: &mut TableWriter,
        bench: &Workbench<'_>,
    ) -> Result<(), TableError> {
        let mut repeats: Map<String, Value> = Map::new();
        for stage in Stage::all() {
            let Some(values) = self.stage(stage) else { continue };
            let sides = stage_sides(material, stage);
            let same = before(stage)
                .filter(|&before| self.stage(before).is_some_and(|b| b.says_the_same(values)));
            for (slot, &side) in Color::ALL.into_iter().zip(sides) {
                let name = stage_section(stage, side);
                if let Some(same) = same {
                    let same = stage_section(same, side);
                    let first = repeats.get(&same).cloned().unwrap_or(Value::String(same));
                    repeats.insert(name, first);
                    bench.progress.advance(self.index.len());
                } else {
                    write_section(writer, name, values, slot, &nothing_left_out, bench)?;
                }
            }
        }
        writer.meta().insert(REPEATS.to_owned(), Value::Object(repeats));
        Ok(())
    }
}

/// The stage with two plies of the countdown fewer, if that has the same side to move.
fn before(stage: Stage) -> Option<Stage> {
    let owner = stage.disk?;
    match stage.mode {
        Mode::Option1(left) if left > 2 => Some(Stage::with_disk(Mode::Option1(left - 2), owner)),
        _ => None,
    }
}

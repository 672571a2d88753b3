//! A table that is being written in another form.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::games::Pack;
use crate::{
    answer::{TableId, sections::REPEATS},
    board::Color,
    probe::{OpenTable, Tablebase},
    progress::Progress,
    solve::FinishedTable,
    table::{Description, Table, TableError, TableWriter, WriterOptions},
};

/// What is to be written.
pub struct Job<'a, G: Pack> {
    pub tables: &'a Tablebase<G>,
    pub table: &'a OpenTable<G>,
    pub file: &'a Table,
    pub id: TableId,
    pub path: PathBuf,
    pub options: WriterOptions,
    /// What tells the table slice by slice, if something does.
    pub finished: Option<FinishedTable<'a>>,
    pub progress: &'a dyn Progress,
}

impl<G: Pack> Job<'_, G> {
    /// Begins the file, in which one side to move may be stored alone.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn writer(&self, only: Option<Color>) -> Result<TableWriter, TableError> {
        let mut meta = self.file.header().meta.clone();
        if let Some(only) = only {
            keep_repeats(&mut meta, only);
        }
        let side = only.map(|side| side.name().to_owned());
        let description = Description { side, meta, ..self.id.description() };
        TableWriter::create(&self.path, description, self.options)
    }
}

/// Keeps of the sections that repeat others those of a side to move.
fn keep_repeats(meta: &mut Map<String, Value>, only: Color) {
    if let Some(Value::Object(repeats)) = meta.get_mut(REPEATS) {
        repeats.retain(|name, _| name.starts_with(only.name()));
    }
}

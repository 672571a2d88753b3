//! The functions of a table: each stretch of its numbers has its own.

use std::sync::{Arc, Mutex, OnceLock};

use super::{distance::Functions, file::read_functions};
use crate::{
    lock::lock,
    table::{Table, TableError},
};

/// The functions of each stretch of a table.
#[derive(Debug)]
pub(super) struct Dictionaries {
    table: Table,
    stretches: Vec<Dictionary>,
}

/// The functions of a stretch, when they have been asked for.
#[derive(Debug)]
struct Dictionary {
    /// How many positions the stretch has on either side's turn.
    positions: u64,
    functions: OnceLock<Arc<Functions>>,
    /// Held while they are read.
    reading: Mutex<()>,
}

impl Dictionaries {
    /// Those of a table whose stretches have so many `positions` each on either side's turn. If
    /// there is one stretch it is read and checked at once; several are large, and are read when
    /// they are asked for.
    ///
    /// # Errors
    /// If the only one is damaged.
    pub fn open(
        table: &Table,
        positions: impl Iterator<Item = u64>,
    ) -> Result<Dictionaries, TableError> {
        let stretches = positions.map(|positions| Dictionary {
            positions,
            functions: OnceLock::new(),
            reading: Mutex::default(),
        });
        let all = Dictionaries { table: table.clone(), stretches: stretches.collect() };
        if all.stretches.len() == 1 {
            all.get(0)?;
        }
        Ok(all)
    }

    /// The functions of a stretch; `None` if there is no such stretch.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn get(&self, stretch: usize) -> Result<Option<&Arc<Functions>>, TableError> {
        let Some(Dictionary { positions, functions, reading }) = self.stretches.get(stretch) else {
            return Ok(None);
        };
        if let Some(functions) = functions.get() {
            return Ok(Some(functions));
        }
        // What others are reading is waited for: it takes a second and much memory.
        let _one_at_a_time = lock(reading);
        if functions.get().is_none() {
            let read = Arc::new(read_functions(&self.table, stretch, *positions)?);
            let _ = functions.set(read);
        }
        Ok(functions.get())
    }
}

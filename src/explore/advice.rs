//! What people are told who meet a table that is not there.

use std::path::Path;

use crate::{
    answer::TableId,
    probe::{OpenTableError, ProbeError},
};

/// What people can do about tables.
#[derive(Copy, Clone, Debug)]
pub struct Advice {
    /// An error with its causes in a sentence, and what would help.
    pub sentence: fn(&ProbeError) -> String,
    /// The command that builds a table into a folder of tables, if they can run it.
    pub build: Option<fn(&TableId, &Path) -> String>,
}

impl Advice {
    /// For people who run nothing on this machine, and have no business knowing where its tables lie.
    pub const PUBLIC: Advice = Advice { sentence: without_places, build: None };
}

/// An error in a sentence that names no file or folder.
fn without_places(error: &ProbeError) -> String {
    match error {
        ProbeError::Open(OpenTableError::Missing { id, .. }) => {
            format!("there is no table for {} here", id.material)
        }
        ProbeError::Open(_) | ProbeError::Table(_) | ProbeError::Fetch(_) => {
            "a table that this takes cannot be read here".to_owned()
        }
        ProbeError::Unanswerable(_) | ProbeError::Stopped => error.to_string(),
    }
}

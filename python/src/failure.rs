//! What goes wrong, as exceptions of the package: the sentences are the library's, and what would
//! help is said in Python.

use std::{error::Error, path::Path};

use finale::{
    answer::TableId,
    probe::{OpenTableError, ProbeError, address},
    solve::BuildError,
    study::{AnswerError, ColumnsError, UnansweredError, with_causes},
    table::TableError,
};
use pyo3::{
    call::PyCallArgs,
    exceptions::{PyKeyboardInterrupt, PyOSError, PyValueError},
    prelude::*,
};

use crate::games::{Chosen, quoted};

/// Why something could not be done.
pub enum Failure {
    /// What was asked is wrong: a FEN, a material, a column.
    Wrong(String),
    /// No table covers such positions.
    Uncovered(String),
    /// A table is not there: the sentence, the material, and the call that builds it.
    Missing {
        /// The sentence.
        words: String,
        /// The material of the table.
        material: String,
        /// What builds it.
        command: String,
    },
    /// A table is damaged.
    Damaged(String),
    /// There is a table, but of another game, by other rules, or of another finale.
    Other(String),
    /// The system refused something.
    System(String),
    /// It was stopped.
    Stopped,
}

impl Failure {
    /// As an exception of the package.
    pub fn exception(self) -> PyErr {
        match self {
            Failure::Wrong(words) => PyValueError::new_err(words),
            Failure::Uncovered(words) => raised("UncoveredPositionError", (words,)),
            Failure::Missing { words, material, command } => {
                raised("MissingTableError", (words, material, command))
            }
            Failure::Damaged(words) => raised("DamagedTableError", (words,)),
            Failure::Other(words) => raised("OtherTableError", (words,)),
            Failure::System(words) => PyOSError::new_err(words),
            Failure::Stopped => PyKeyboardInterrupt::new_err(()),
        }
    }

    /// Something wrong in what was asked.
    pub fn wrong(error: &(dyn Error + 'static)) -> Failure {
        Failure::Wrong(with_causes(error))
    }

    /// The same about one of many positions.
    fn at(self, place: &str) -> Failure {
        let placed = |words: String| format!("{place}: {words}");
        match self {
            Failure::Wrong(words) => Failure::Wrong(placed(words)),
            Failure::Uncovered(words) => Failure::Uncovered(placed(words)),
            Failure::Missing { words, material, command } => {
                Failure::Missing { words: placed(words), material, command }
            }
            other => other,
        }
    }

    /// Its sentence.
    pub fn words(&self) -> &str {
        match self {
            Failure::Wrong(words)
            | Failure::Uncovered(words)
            | Failure::Missing { words, .. }
            | Failure::Damaged(words)
            | Failure::Other(words)
            | Failure::System(words) => words,
            Failure::Stopped => "stopped",
        }
    }
}

/// An exception class of `finale.errors`, made of these arguments.
fn raised(class: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
    Python::attach(|py| {
        let class = py.import("finale.errors").and_then(|errors| errors.getattr(class));
        let made = class.and_then(|class| class.call1(arguments));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// What tells what would help: the game as it was opened, and where.
pub struct Adviser<'a> {
    /// The game as it was opened.
    pub chosen: &'a Chosen,
}

impl Adviser<'_> {
    /// Why a position could not be answered.
    pub fn probe(&self, error: &ProbeError) -> Failure {
        match error {
            ProbeError::Unanswerable(error) => Failure::Uncovered(error.to_string()),
            ProbeError::Open(error) => self.open(error),
            ProbeError::Table(error) => self.table(error),
            ProbeError::Fetch(_) => Failure::System(with_causes(error)),
            ProbeError::Stopped => Failure::Stopped,
        }
    }

    /// Why one of many could not be.
    pub fn unanswered(&self, error: &UnansweredError) -> Failure {
        let failure = match &*error.source {
            AnswerError::Fen(error) => Failure::Wrong(error.to_string()),
            AnswerError::Probe(error) => self.probe(error),
        };
        failure.at(&error.to_string())
    }

    /// Why there are no columns.
    pub fn columns(&self, error: &ColumnsError) -> Failure {
        match error {
            ColumnsError::Probe(error) => self.probe(error),
            other => Failure::Wrong(other.to_string()),
        }
    }

    /// Why tables could not be built.
    pub fn build(&self, error: &BuildError) -> Failure {
        match error {
            BuildError::Open(error) => self.open(error),
            BuildError::Table(error) => self.table(error),
            BuildError::Unfit(_) => Failure::wrong(error),
            BuildError::Stopped => Failure::Stopped,
            BuildError::Scratch(_) | BuildError::Folder { .. } => {
                Failure::System(with_causes(error))
            }
            other => Failure::Other(with_causes(other)),
        }
    }

    fn open(&self, error: &OpenTableError) -> Failure {
        let sentence = with_causes(error);
        match error {
            OpenTableError::Missing { id, folder } => {
                // What lies elsewhere is built on this machine.
                let here = match address(folder) {
                    Some(_) => Path::new("tables"),
                    None => folder.parent().unwrap_or(folder),
                };
                let command = self.command(id, here);
                let words = format!("{sentence}; build it with `{command}`");
                Failure::Missing { words, material: id.material.to_string(), command }
            }
            OpenTableError::Table(error) => self.table(error),
            _ => Failure::Other(sentence),
        }
    }

    fn table(&self, error: &TableError) -> Failure {
        let words = with_causes(error);
        match error {
            TableError::Io { .. } | TableError::Folder { .. } | TableError::Memory { .. } => {
                Failure::System(words)
            }
            TableError::Version { .. } => Failure::Other(words),
            _ => Failure::Damaged(words),
        }
    }

    /// The call that builds a table into a folder: `finale.build('high', ['KBNvK'], 'tables')`.
    fn command(&self, id: &TableId, folder: &Path) -> String {
        let contents = match id.is_usual {
            true => String::new(),
            false => format!(", contents={}", quoted(id.contents.name())),
        };
        // The tables of some materials are another game's, which has not these options.
        let own = id.game == self.chosen.game.name();
        let options = if own { self.chosen.written() } else { String::new() };
        format!(
            "finale.build({}, [{}], {}{contents}{options})",
            quoted(id.game),
            quoted(&id.material.to_string()),
            quoted(&folder.display().to_string()),
        )
    }
}

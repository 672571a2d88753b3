//! The folder of tables: where a table lies, and whether it is the one meant.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{
    index::Material,
    rules::{Game, Stylish},
    table::{BlockCache, Table, TableError},
};

/// What tells one table from all others.
#[derive(Clone, PartialEq, Debug)]
pub struct TableId {
    /// The game's name.
    pub game: &'static str,
    /// The rule options.
    pub options: Map<String, Value>,
    /// The men, as the table is named.
    pub material: Material,
}

impl TableId {
    /// The command that builds the table.
    pub fn build_command(&self) -> String {
        let mut command = format!("finale build {} '{}'", self.game, self.material);
        if !self.material.to_string().contains('[') {
            command = command.replace('\'', "");
        }
        for (name, value) in &self.options {
            match value {
                // A score sheet, which is written into a file unless it is the default one.
                Value::Object(_) if Stylish::default().options().get(name) == Some(value) => {}
                Value::Object(_) => command += &format!(" --{name} FILE"),
                _ => command += &format!(" --{name} {}", plain(value)),
            }
        }
        command
    }
}

/// Why a table is not at hand.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// It has not been built.
    #[error("there is no table for {material} in {folder}; build it with `{command}`")]
    Missing {
        /// Its material.
        material: Material,
        /// Where it was looked for.
        folder: PathBuf,
        /// What builds it.
        command: String,
    },
    /// The file is a table of something else.
    #[error("{path} is a table of {found}, not of {expected}; move it away and run `{command}`")]
    Other {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was looked for.
        expected: String,
        /// What builds the right one.
        command: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A folder of tables, `<folder>/<game>/<material>.ftb`.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
    cache: BlockCache,
}

impl Shelf {
    /// The tables in `folder`, which need not exist, read through `cache`.
    pub fn new(folder: impl Into<PathBuf>, cache: BlockCache) -> Shelf {
        Shelf { folder: folder.into(), cache }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a table lies.
    pub fn path(&self, id: &TableId) -> PathBuf {
        self.folder.join(id.game).join(format!("{}.ftb", id.material))
    }

    /// Opens a table.
    ///
    /// # Errors
    /// A [`ShelfError`] if it is missing, damaged, or of another game, material or options.
    pub fn open(&self, id: &TableId) -> Result<Table, ShelfError> {
        let path = self.path(id);
        if !path.try_exists().unwrap_or(true) {
            return Err(ShelfError::Missing {
                material: id.material,
                folder: path.parent().unwrap_or(&self.folder).to_owned(),
                command: id.build_command(),
            });
        }
        let table = Table::open_with(&path, &self.cache)?;
        let header = table.header();
        let same = header.game == id.game
            && header.options == id.options
            && header.material == id.material.to_string();
        if same {
            return Ok(table);
        }
        let material = id.material.to_string();
        Err(ShelfError::Other {
            found: describe(&header.game, &header.material, &header.options, &id.options),
            expected: describe(id.game, &material, &id.options, &header.options),
            command: id.build_command(),
            path,
        })
    }
}

/// `high KBNvK (vitality 50, revitalise mover)`; see [`options_in_words`] for `other`.
fn describe(
    game: &str,
    material: &str,
    options: &Map<String, Value>,
    other: &Map<String, Value>,
) -> String {
    let options = options_in_words(options, other);
    if options.is_empty() {
        format!("{game} {material}")
    } else {
        format!("{game} {material} ({})", options.join(", "))
    }
}

/// Each rule option with its value: `vitality 50`; of options with many entries, such as score
/// sheets, only the entries that are not as in `other`.
pub fn options_in_words(options: &Map<String, Value>, other: &Map<String, Value>) -> Vec<String> {
    let mut shown = Vec::new();
    for (name, value) in options {
        match value {
            Value::Object(entries) => differences(name, entries, other.get(name), &mut shown),
            _ => shown.push(format!("{name} {}", plain(value))),
        }
    }
    shown
}

/// The entries of a tree that are not as in another, by their path: `scores.promotion.rook 10`.
fn differences(
    path: &str,
    entries: &Map<String, Value>,
    other: Option<&Value>,
    shown: &mut Vec<String>,
) {
    for (name, value) in entries {
        let path = format!("{path}.{name}");
        let other = other.and_then(|other| other.get(name));
        match value {
            Value::Object(entries) => differences(&path, entries, other, shown),
            _ if other == Some(value) => {}
            _ => shown.push(format!("{path} {}", plain(value))),
        }
    }
}

/// A value as it is written on the command line.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

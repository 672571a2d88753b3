//! The folder of tables: where a table lies, and whether it is the one meant.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{
    index::Material,
    rules::{Game, RuleOptions},
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
    /// The options that are not the game's defaults, as they are typed.
    typed: String,
}

impl TableId {
    /// The table of a game, with its options, and a material named as the game names it.
    pub fn new<G: Game>(game: &G, material: Material) -> TableId {
        let options = game.options();
        let usual = G::from_options(&mut RuleOptions::none()).map(|game| game.options());
        let typed = options
            .iter()
            .filter(|(name, value)| usual.as_ref().ok().and_then(|u| u.get(*name)) != Some(value))
            .map(|(name, value)| match value {
                // Options that are more than a word, such as a score sheet, come from a file.
                Value::Object(_) => format!(" --{name} FILE"),
                _ => format!(" --{name} {}", plain(value)),
            })
            .collect();
        TableId { game: G::NAME, options, material, typed }
    }

    /// The command that builds the table into a folder of tables.
    pub fn build_command(&self, folder: &Path) -> String {
        let material = self.material.to_string();
        // Shells read brackets as patterns.
        let quote = if material.contains('[') { "'" } else { "" };
        let folder = match folder {
            folder if folder == Path::new("tables") => String::new(),
            folder => format!(" --tables {}", folder.display()),
        };
        format!("finale build {} {quote}{material}{quote}{}{folder}", self.game, self.typed)
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
                command: id.build_command(&self.folder),
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
            command: id.build_command(&self.folder),
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

//! The folders of tables: where a table lies, and whether it is the one meant.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::catalogue::Catalogue;
use crate::{
    answer::{Contents, TableId, TableName},
    index::Material,
    table::{BlockCache, Description, Table, TableError, age},
};

/// Why a table is not at hand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenTableError {
    /// It was made by a finale of another age.
    #[error(
        "{} was made by {} finale: it has schema {found} of {}, and this one reads {}",
        path.display(), age(*found, id.schema), id.game, id.schema
    )]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema it has.
        found: u16,
        /// Which table was looked for.
        id: Box<TableId>,
    },
    /// It has not been built.
    #[error("there is no table for {} in {}", id.material, folder.display())]
    Missing {
        /// Which table.
        id: Box<TableId>,
        /// Where it was looked for last: the folder of the game.
        folder: PathBuf,
    },
    /// The file is a table of something else, such as `high KBNvK (vitality 20)`.
    #[error("{} is a table of {found}, not of {expected}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was looked for.
        expected: String,
        /// Whether it is of another game, material or contents, and not just by other rules.
        another: bool,
        /// Which table was looked for.
        id: Box<TableId>,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl OpenTableError {
    /// The table that is missing or has another in its place, if that is the reason.
    pub fn wanted(&self) -> Option<&TableId> {
        match self {
            OpenTableError::Missing { id, .. }
            | OpenTableError::Other { id, .. }
            | OpenTableError::Schema { id, .. } => Some(id),
            OpenTableError::Table(_) => None,
        }
    }

    /// Whether the table is there, and building it again would help.
    pub fn is_mended_by_building(&self) -> bool {
        match self {
            OpenTableError::Table(error) => error.is_damage(),
            OpenTableError::Schema { found, id, .. } => *found < id.schema,
            OpenTableError::Missing { .. } | OpenTableError::Other { .. } => false,
        }
    }
}

/// One or more folders of tables, `<folder>/<game>/<material>.ftb`; see [`TableId::file`].
///
/// Tables are looked for in each folder in turn; new ones go to the first.
#[derive(Clone, Debug)]
pub struct TableDirectories {
    folders: Vec<PathBuf>,
    cache: BlockCache,
}

impl TableDirectories {
    /// The tables in `folder`, which need not exist, read through `cache`.
    pub fn new(folder: impl Into<PathBuf>, cache: BlockCache) -> TableDirectories {
        TableDirectories { folders: vec![folder.into()], cache }
    }

    /// The same with another folder to look into where the ones before lack a table.
    #[must_use]
    pub fn and(mut self, folder: impl Into<PathBuf>) -> TableDirectories {
        self.folders.push(folder.into());
        self
    }

    /// Where unpacked blocks of its tables are kept.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// The folder that new tables go to.
    pub fn folder(&self) -> &Path {
        &self.folders[0]
    }

    /// All folders, in the order they are looked into.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Where a table lies once it is built.
    pub fn path(&self, id: &TableId) -> PathBuf {
        place(self.folder(), id)
    }

    /// Where a table is, in the first folder that has it.
    fn find(&self, id: &TableId) -> Option<PathBuf> {
        let mut places = self.folders.iter().map(|folder| place(folder, id));
        // What cannot be looked at is opened, to say why.
        places.find(|path| path.try_exists().unwrap_or(true))
    }

    /// The table files of a game, in the order of the folders and, in a folder, of their names;
    /// shorter names first. A folder that does not exist has none.
    ///
    /// # Errors
    /// If a folder cannot be read; its path is part of the error.
    pub fn files(&self, game: &str) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in &self.folders {
            files.extend(files_in(&folder.join(game))?);
        }
        Ok(files)
    }

    /// The tables of a game that there are, by the names of their files.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn tables(&self, game: &dyn Catalogue) -> io::Result<Vec<TableId>> {
        let mut tables = Vec::new();
        for name in self.files(game.name())?.iter().filter_map(|path| TableName::of(path)) {
            let id = game.table_id(&name.material, name.contents.unwrap_or(game.contents()[0]));
            if !tables.contains(&id) {
                tables.push(id);
            }
        }
        Ok(tables)
    }

    /// The materials of a game that have a table file, by its name.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn materials(&self, game: &dyn Catalogue) -> io::Result<Vec<Material>> {
        let mut materials = Vec::new();
        for TableId { material, .. } in self.tables(game)? {
            if !materials.contains(&material) {
                materials.push(material);
            }
        }
        Ok(materials)
    }

    /// The first of some tables that is there; if none is, the one that holds what is usual, or just
    /// the first.
    ///
    /// # Panics
    /// If there are no tables to choose from.
    pub fn first<'i>(&self, ids: &'i [TableId]) -> &'i TableId {
        let there = ids.iter().find(|id| self.find(id).is_some());
        there.or_else(|| ids.iter().find(|id| id.is_usual)).unwrap_or(&ids[0])
    }

    /// Opens the table of a material: one that holds so much, if that is said and it is there, or
    /// else the one that holds most.
    ///
    /// # Errors
    /// As [`open`](TableDirectories::open).
    pub(super) fn open_preferring(
        &self,
        game: &dyn Catalogue,
        material: &Material,
        contents: Option<Contents>,
    ) -> Result<(TableId, Table), OpenTableError> {
        // Those that hold more come first.
        let ids = game.table_ids(material, Contents::Result);
        let preferred = ids.iter().find(|id| Some(id.contents) == contents);
        let there = ids.iter().any(|id| self.find(id).is_some());
        let id = match preferred {
            Some(id) if !there || self.find(id).is_some() => id,
            _ => self.first(&ids),
        };
        Ok((id.clone(), self.open(id)?))
    }

    /// Opens a table.
    ///
    /// # Errors
    /// A [`OpenTableError`] if it is missing, damaged, or of another game, material or options.
    pub fn open(&self, id: &TableId) -> Result<Table, OpenTableError> {
        let Some(path) = self.find(id) else {
            let folder = self.folders.last().expect("there is a first directory").join(id.game);
            return Err(OpenTableError::Missing { id: Box::new(id.clone()), folder });
        };
        let table = Table::open_with(&path, &self.cache)?;
        let header = table.header();
        let material = id.material.to_string();
        let another = header.game != id.game || header.material != material;
        if !another && header.schema != id.schema {
            let (found, id) = (header.schema, Box::new(id.clone()));
            return Err(OpenTableError::Schema { path, found, id });
        }
        let another = another || header.contents != id.contents.name();
        if !another && header.options == id.options {
            return Ok(table);
        }
        let wanted = &id.description();
        let describe = |of: &Description, other: &Description| {
            with_details(format!("{} {}", of.game, of.material), of, other)
        };
        let found = header.description();
        Err(OpenTableError::Other {
            another,
            found: describe(&found, wanted),
            expected: describe(wanted, &found),
            id: Box::new(id.clone()),
            path,
        })
    }
}

fn place(folder: &Path, id: &TableId) -> PathBuf {
    folder.join(id.file())
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries,
    };
    let paths = entries.and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut files: Vec<PathBuf> = paths.map_err(|error| {
        io::Error::new(error.kind(), format!("cannot read {}: {error}", folder.display()))
    })?;
    files.retain(|path| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|extension| extension == "ftb")
    });
    files.sort_by_key(|path| (path.file_name().map(|name| name.len()), path.clone()));
    Ok(files)
}

/// What a table is, with its rule options, and with its schema and contents where another has not
/// the same: `high KBNvK (distance, vitality 50)`.
pub fn with_details(what: String, of: &Description, other: &Description) -> String {
    let schema = (of.schema != other.schema).then(|| format!("schema {}", of.schema));
    let contents = (of.contents != other.contents).then(|| of.contents.clone());
    let mut details: Vec<String> = schema.into_iter().chain(contents).collect();
    details.extend(options_in_words(&of.options, &other.options));
    if details.is_empty() { what } else { format!("{what} ({})", details.join(", ")) }
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

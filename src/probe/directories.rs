//! The folders of tables: where a table lies, and whether it is the one meant.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{
    catalogue::Catalogue,
    remote_folder::{self, RemoteFolder},
};
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
    folders: Vec<Folder>,
    cache: BlockCache,
}

/// A folder of tables.
#[derive(Clone, Debug)]
enum Folder {
    /// On this machine.
    Here(PathBuf),
    /// Somewhere else.
    Remote(RemoteFolder),
}

impl Folder {
    fn path(&self) -> &Path {
        match self {
            Folder::Here(path) => path,
            Folder::Remote(folder) => folder.address(),
        }
    }
}

/// A file of a folder, as far as it can be told what is in it.
#[derive(Debug)]
pub struct TableFile {
    /// Its path, or its address.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// What it holds and by which rule options, or why it cannot be used.
    pub told: Result<(String, Map<String, Value>), TableError>,
}

impl TableDirectories {
    /// The tables in `folder`, which need not exist, read through `cache`.
    pub fn new(folder: impl Into<PathBuf>, cache: BlockCache) -> TableDirectories {
        TableDirectories { folders: vec![Folder::Here(folder.into())], cache }
    }

    /// The tables in a folder that is somewhere else.
    pub fn remote(folder: RemoteFolder, cache: BlockCache) -> TableDirectories {
        TableDirectories { folders: vec![Folder::Remote(folder)], cache }
    }

    /// The same with another folder to look into where the ones before lack a table.
    #[must_use]
    pub fn and(mut self, folder: impl Into<PathBuf>) -> TableDirectories {
        self.folders.push(Folder::Here(folder.into()));
        self
    }

    /// The same with a folder that is somewhere else.
    #[must_use]
    pub fn and_remote(mut self, folder: RemoteFolder) -> TableDirectories {
        self.folders.push(Folder::Remote(folder));
        self
    }

    /// Where unpacked blocks of its tables are kept.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// The folder that new tables go to.
    pub fn folder(&self) -> &Path {
        self.folders[0].path()
    }

    /// All folders, in the order they are looked into.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(Folder::path)
    }

    /// Where a table lies once it is built.
    pub fn path(&self, id: &TableId) -> PathBuf {
        place(self.folder(), id)
    }

    /// The first folder that has a table.
    fn find(&self, id: &TableId) -> Option<&Folder> {
        self.folders.iter().find(|folder| match folder {
            // What cannot be looked at is opened, to say why.
            Folder::Here(folder) => place(folder, id).try_exists().unwrap_or(true),
            Folder::Remote(folder) => folder.table(&remote_folder::slashed(&id.file())).is_some(),
        })
    }

    /// The length of the file of a table in bytes, if it is there.
    pub fn length(&self, id: &TableId) -> Option<u64> {
        match self.find(id)? {
            Folder::Here(folder) => fs::metadata(place(folder, id)).ok().map(|file| file.len()),
            Folder::Remote(folder) => {
                folder.table(&remote_folder::slashed(&id.file())).map(|table| table.bytes)
            }
        }
    }

    /// Brings bytes that questions to folders elsewhere have wanted; whether there is somebody who
    /// does, so that asking again makes sense.
    pub(super) fn bring(&self) -> io::Result<bool> {
        let mut any = false;
        for folder in &self.folders {
            if let Folder::Remote(folder) = folder {
                any |= folder.bring()?;
            }
        }
        Ok(any)
    }

    /// The table files of a game, in the order of the folders and, in a folder, of their names;
    /// shorter names first. A folder that does not exist has none.
    ///
    /// # Errors
    /// If a folder cannot be read; its path is part of the error.
    pub fn files(&self, game: &str) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in &self.folders {
            match folder {
                Folder::Here(folder) => files.extend(files_in(&folder.join(game))?),
                Folder::Remote(folder) => {
                    let path = |(name, _)| folder.address().join(game).join(name);
                    files.extend(folder.tables(game).map(path));
                }
            }
        }
        Ok(files)
    }

    /// The same with what each file holds.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn told(&self, game: &str) -> io::Result<Vec<TableFile>> {
        let mut files = Vec::new();
        for folder in &self.folders {
            match folder {
                Folder::Here(folder) => {
                    files.extend(files_in(&folder.join(game))?.into_iter().map(TableFile::open));
                }
                Folder::Remote(folder) => files.extend(folder.tables(game).map(|(name, table)| {
                    let told = Ok((table.contents.clone(), table.options.clone()));
                    let path = folder.address().join(game).join(name);
                    TableFile { path, bytes: table.bytes, told }
                })),
            }
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
        let table = self.find(id).and_then(|folder| match folder {
            Folder::Here(folder) => Some(Table::open_with(place(folder, id), &self.cache)),
            Folder::Remote(folder) => folder.open(&id.file(), &self.cache),
        });
        let Some(table) = table else {
            let last = self.folders.last().expect("there is a first directory");
            let folder = last.path().join(id.game);
            return Err(OpenTableError::Missing { id: Box::new(id.clone()), folder });
        };
        let table = table?;
        let path = table.path().to_owned();
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

impl TableFile {
    fn open(path: PathBuf) -> TableFile {
        let told = Table::open(&path).map(|table| {
            let header = table.header();
            (header.contents.clone(), header.options.clone())
        });
        let bytes = fs::metadata(&path).map_or(0, |file| file.len());
        TableFile { path, bytes, told }
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

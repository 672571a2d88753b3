//! A folder of tables that is somewhere else.

use std::{
    collections::BTreeMap,
    fmt, io,
    path::{MAIN_SEPARATOR, Path, PathBuf},
    sync::{Arc, Mutex},
};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    lock::lock,
    table::{BlockCache, RemoteFiles, Table, TableError, WantedBytes},
};

/// Brings bytes of the files of a folder; see [`RemoteFolder::fetched_by`].
pub trait Fetch: fmt::Debug + Send + Sync {
    /// Brings bytes, all at once if it can, and hands over those of each file as they come.
    ///
    /// # Errors
    /// If some cannot be had, which the error says in words.
    fn fetch(
        &self,
        wanted: &[WantedBytes],
        take: &mut dyn FnMut(&WantedBytes, &[u8]) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// A folder of tables that is somewhere else, known by its index: what `finale list --json` prints
/// of it. Clones share what has been brought.
#[derive(Clone, Debug)]
pub struct RemoteFolder {
    /// Its address, which stands where a path would.
    address: PathBuf,
    tables: Arc<BTreeMap<String, ListedTable>>,
    files: RemoteFiles,
    fetch: Option<Arc<Fetcher>>,
}

/// Bytes as they were brought that are kept, about.
const KEPT: u64 = 64 << 20;

/// Who brings bytes; one thread at a time sends for what all of them want.
#[derive(Debug)]
struct Fetcher {
    fetch: Box<dyn Fetch>,
    turn: Mutex<()>,
}

/// What an index tells of a table.
#[derive(Clone, Debug)]
pub struct ListedTable {
    /// The length of the file in bytes.
    pub bytes: u64,
    /// What it holds.
    pub contents: String,
    /// The rule options it was made by.
    pub options: Map<String, Value>,
    /// Tells it from other tables of its name, if the index has that.
    pub checksum: Option<String>,
}

/// An entry of an index.
#[derive(Deserialize)]
struct Entry {
    file: String,
    game: String,
    bytes: u64,
    contents: Option<String>,
    options: Option<Map<String, Value>>,
    checksum: Option<String>,
}

impl RemoteFolder {
    /// The folder at an address by the text of its index. Files that the index says cannot be used
    /// are passed over.
    ///
    /// # Errors
    /// If the text is no index.
    pub fn new(address: impl Into<PathBuf>, index: &str) -> Result<RemoteFolder, IndexError> {
        // From bytes, as headers are read: a page has one reader of JSON then, not two.
        let entries: Vec<Entry> = serde_json::from_slice(index.as_bytes())?;
        let table = |Entry { file, game, bytes, contents, options, checksum }: Entry| {
            let name = file.rsplit(['/', '\\']).next()?;
            let table = ListedTable { bytes, contents: contents?, options: options?, checksum };
            Some((format!("{game}/{name}"), table))
        };
        let tables: BTreeMap<_, _> = entries.into_iter().filter_map(table).collect();
        let files = tables.iter().map(|(name, table)| (name.clone(), table.bytes));
        Ok(RemoteFolder {
            address: address.into(),
            files: RemoteFiles::new(files),
            tables: Arc::new(tables),
            fetch: None,
        })
    }

    /// The same with somebody who brings what is wanted. Without, questions fail while bytes are
    /// not here, and say so: see [`ProbeError::is_awaited`](super::ProbeError::is_awaited).
    #[must_use]
    pub fn fetched_by(self, fetch: impl Fetch + 'static) -> RemoteFolder {
        let fetcher = Fetcher { fetch: Box::new(fetch), turn: Mutex::new(()) };
        RemoteFolder { fetch: Some(Arc::new(fetcher)), ..self }
    }

    /// Its address.
    pub fn address(&self) -> &Path {
        &self.address
    }

    /// The files, by the name of the game and theirs: `high/KRvK.ftb`.
    pub fn files(&self) -> &RemoteFiles {
        &self.files
    }

    /// What the index tells of a file, `high/KRvK.ftb`.
    pub fn table(&self, file: &str) -> Option<&ListedTable> {
        self.tables.get(file)
    }

    /// What the index tells of the tables of a game, by the names of their files, which lie in the
    /// folder of the game; shorter names first.
    pub fn tables<'g>(
        &self,
        game: &'g str,
    ) -> impl Iterator<Item = (&str, &ListedTable)> + use<'_, 'g> {
        let mut tables: Vec<_> = self
            .tables
            .iter()
            .filter_map(|(name, table)| Some((name.strip_prefix(game)?.strip_prefix('/')?, table)))
            .collect();
        tables.sort_by_key(|(name, _)| name.len());
        tables.into_iter()
    }

    /// Opens a file by its path behind the address, `high/KRvK.ftb`, if it is in the index.
    pub(super) fn open(
        &self,
        file: &Path,
        cache: &BlockCache,
    ) -> Option<Result<Table, TableError>> {
        let bytes = self.files.open(&slashed(file))?;
        Some(Table::read_from(self.address.join(file), bytes, cache))
    }

    /// Brings all that is wanted; whether there is somebody who does.
    pub(super) fn bring(&self) -> io::Result<bool> {
        let Some(Fetcher { fetch, turn }) = self.fetch.as_deref() else { return Ok(false) };
        // What another thread is bringing may be what this one waits for.
        let _turn = lock(turn);
        let wanted = self.files.take_wanted();
        // Blocks that have been read are kept unpacked. What is asked again may lack some of this.
        if self.files.bytes() > KEPT {
            self.files.forget();
        }
        if !wanted.is_empty() {
            fetch.fetch(&wanted, &mut |wanted, bytes| self.files.bring(wanted, bytes))?;
        }
        Ok(true)
    }
}

/// The address that stands where a folder could.
pub fn address(folder: &Path) -> Option<&str> {
    let text = folder.to_str()?;
    (text.starts_with("http://") || text.starts_with("https://")).then_some(text)
}

/// A path as addresses have it, and JSON: with slashes, which Windows understands, too.
pub(crate) fn slashed(file: &Path) -> String {
    file.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// A text that is no index of tables.
#[derive(Debug, thiserror::Error)]
#[error("it is no index of tables; write one with `finale list --json --tables . > index.json`")]
pub struct IndexError(#[from] serde_json::Error);

//! The finished parts of a table that is being built, in a folder beside its later place.
//!
//! The parts of `KRPvKP.ftb` lie in `KRPvKP.parts`, as `0.0.ftb` and so on: each a table file with
//! some of the positions, written like all tables, so that it has its name only when it is
//! complete. Who solves a part holds the lock of `0.0.lock`, which the system drops when the
//! process ends in whatever way. When all are there, they are copied into the table one behind the
//! other.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use serde_json::json;

use crate::solve::{
    error::BuildError,
    parts::{Layout, Part, PartId},
};
use crate::{
    answer::{Contents, TableId},
    probe::{TableDirectories, with_details},
    table::{BlockCache, Description, Table, TableError, TableWriter, WriterOptions},
};

/// How long to wait before looking again whether whoever has a piece of work is done: a fraction of
/// what even a small part takes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// The folder of a table's parts.
#[derive(Clone, Debug)]
pub(crate) struct PartFolder {
    id: TableId,
    table: PathBuf,
    folder: PathBuf,
    writer: WriterOptions,
    /// When the table that is to be replaced was written, if there is one.
    replaced: Option<SystemTime>,
}

/// A file whose lock is held as long as this lives.
#[derive(Debug)]
pub(crate) struct Claim(#[allow(dead_code, reason = "the system holds the lock for it")] File);

/// What is to be done of a table in several parts.
pub(crate) enum Work<'l> {
    /// A part is to be solved; those it needs are there.
    Part(&'l Part),
    /// All parts are there and are to be put together.
    Join,
}

impl PartFolder {
    /// The folder of the parts of a table that is built into table directories.
    pub(crate) fn new(
        id: TableId,
        directories: &TableDirectories,
        writer: WriterOptions,
    ) -> PartFolder {
        let table = directories.path(&id);
        let folder = part_folder(&table);
        PartFolder { id, table, folder, writer, replaced: None }
    }

    /// How much the table holds.
    pub(crate) fn contents(&self) -> Contents {
        self.id.contents
    }

    /// The same where the table that is there is to be replaced, if it is damaged or older. Any
    /// other was not there when the build was planned: somebody else has built it since, and may be
    /// about to remove the parts.
    pub(crate) fn replacing_damaged(self) -> PartFolder {
        let is_good = || {
            let table = Table::open(&self.table)?;
            table.check()?;
            Ok::<bool, TableError>(table.header().schema >= self.id.schema)
        };
        let replaced = written(&self.table).filter(|_| !is_good().unwrap_or(false));
        PartFolder { replaced, ..self }
    }

    /// Whether the table is there, and not just the one that is to be replaced.
    pub(crate) fn is_joined(&self) -> bool {
        let now = written(&self.table);
        now.is_some() && now != self.replaced
    }

    fn path(&self, part: &Part) -> PathBuf {
        part_path(&self.table, part.id)
    }

    /// Whether a part is there.
    pub(crate) fn has(&self, part: &Part) -> bool {
        self.path(part).exists()
    }

    /// What the header of a part says beside what it says of the table.
    fn description(&self, part: Option<&Part>) -> Description {
        let mut description = self.id.description();
        if let Some(Part { id, structures }) = part {
            let range = json!([structures.start, structures.end]);
            description.meta.insert("part".to_owned(), json!(id.to_string()));
            description.meta.insert("structures".to_owned(), range);
        }
        description
    }

    /// Begins the file of a part, or of the table.
    pub(crate) fn writer(&self, part: Option<&Part>) -> Result<TableWriter, TableError> {
        let path = part.map_or_else(|| self.table.clone(), |part| self.path(part));
        TableWriter::create(path, self.description(part), self.writer)
    }

    /// Opens a part.
    ///
    /// # Errors
    /// If it is missing, damaged, or not this part of this table as this program makes it.
    pub(crate) fn open(&self, part: &Part, cache: &BlockCache) -> Result<Table, BuildError> {
        let path = self.path(part);
        if !path.try_exists().unwrap_or(true) {
            let (part, id) = (part.id, Box::new(self.id.clone()));
            return Err(BuildError::MissingPart { part, id, folder: self.folder.clone() });
        }
        let table = Table::open_with(&path, cache)?;
        let header = table.header();
        let wanted = self.description(Some(part));
        let found = header.description();
        if found == wanted && header.producer == TableWriter::PRODUCER {
            return Ok(table);
        }
        Err(BuildError::OtherPart {
            found: describe(&found, &header.producer, &wanted),
            expected: describe(&wanted, TableWriter::PRODUCER, &found),
            path,
        })
    }

    /// Takes a part, or another piece of work, for this process, if no other has it and the table
    /// is not there yet.
    ///
    /// # Errors
    /// If the lock file cannot be made.
    pub(crate) fn claim(&self, work: &str) -> Result<Option<Claim>, TableError> {
        let io = |operation, path: &Path| {
            let path = path.to_owned();
            move |source| TableError::Io { operation, path, source }
        };
        fs::create_dir_all(&self.folder).map_err(io("create directory", &self.folder))?;
        let path = self.folder.join(format!("{work}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = match file {
            // Whoever has joined the parts has just removed the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(io("create", &path))?,
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // Whoever has joined the parts may have removed the folder before it was made again
            // here.
            _ if self.is_joined() => {
                // Windows removes no folder of which a file is open.
                drop(file);
                self.remove();
                Ok(None)
            }
            // Where a file system knows no locks, two processes may do the same work.
            _ => Ok(Some(Claim(file))),
        }
    }

    /// Takes a piece of work as soon as no other process has it; `None` once the table is there.
    ///
    /// # Errors
    /// If the lock file cannot be made.
    pub(crate) fn claim_in_turn(&self, work: &str) -> Result<Option<Claim>, TableError> {
        self.wait_for(|| self.claim(work))
    }

    /// Takes what is to be done next of a table, as soon as there is something that no other
    /// process does; `None` once the table is there.
    ///
    /// # Errors
    /// If a lock file cannot be made.
    pub(crate) fn claim_next<'l>(
        &self,
        layout: &'l Layout,
    ) -> Result<Option<(Work<'l>, Claim)>, TableError> {
        self.wait_for(|| {
            let mut missing = layout.parts().iter().filter(|part| !self.has(part)).peekable();
            let Some(first) = missing.peek().map(|part| part.id) else {
                return Ok(self.claim("join")?.map(|claim| (Work::Join, claim)));
            };
            // Those of a group need nothing of each other; what comes later needs them all.
            for part in missing.take_while(|part| part.id.group == first.group) {
                let Some(claim) = self.claim(&part.id.to_string())? else { continue };
                // Somebody may have finished it before it was claimed, and parts go once the table
                // has come.
                if !self.has(part) && !self.is_joined() {
                    return Ok(Some((Work::Part(part), claim)));
                }
            }
            Ok(None)
        })
    }

    /// Asks for a claim again and again while other processes have what there is to do; `None` once
    /// the table is there, and parts are about to go.
    fn wait_for<T>(
        &self,
        mut claim: impl FnMut() -> Result<Option<T>, TableError>,
    ) -> Result<Option<T>, TableError> {
        loop {
            if self.is_joined() {
                return Ok(None);
            }
            if let Some(claimed) = claim()? {
                return Ok(Some(claimed));
            }
            if !self.is_joined() {
                thread::sleep(BETWEEN_LOOKS);
            }
        }
    }

    /// Puts the parts together, without packing anything again.
    pub(crate) fn join(&self, layout: &Layout) -> Result<(), BuildError> {
        // Everything is looked at before anything is written.
        let cache = BlockCache::new(0);
        let open = |part: &Part| self.open(part, &cache);
        let parts = layout.parts().iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut writer = self.writer(None)?;
        for part in &parts {
            writer.append(part)?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Removes the folder, which the table makes superfluous. What cannot be removed stays: it does
    /// no harm.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the parts of a table that lies, or is to lie, at `table`.
fn part_folder(table: &Path) -> PathBuf {
    table.with_extension("parts")
}

/// Where a part of a table lies that is to lie at `table`, once the part is finished.
pub fn part_path(table: &Path, part: PartId) -> PathBuf {
    part_folder(table).join(format!("{part}.ftb"))
}

/// Removes the folder of the parts of a table that is there: a build was killed between joining
/// them and removing them. If anybody works in it, it stays.
pub(in crate::solve) fn remove_superfluous(table: &Path) {
    let folder = part_folder(table);
    let Ok(files) = fs::read_dir(&folder) else { return };
    let locks = files.flatten().map(|file| file.path());
    let locks = locks.filter(|path| path.extension().is_some_and(|extension| extension == "lock"));
    let locks: Vec<File> = locks.filter_map(|path| File::open(path).ok()).collect();
    if locks.iter().all(|lock| lock.try_lock().is_ok()) {
        let _ = fs::remove_dir_all(&folder);
    }
}

/// When a file was written, if there is one.
fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// `part 3.1 (structures 40 to 52) of orthodox KRPvKP by finale 0.1.0`, and options, if there are
/// any.
fn describe(part: &Description, producer: &str, other: &Description) -> String {
    let Description { game, material, meta, .. } = part;
    let name = meta.get("part").and_then(|part| part.as_str()).unwrap_or("?");
    let structure = |at: usize| meta.get("structures")?.get(at)?.as_u64();
    let structures = match (structure(0), structure(1)) {
        (Some(first), Some(end)) => format!(" (structures {first} to {})", end.saturating_sub(1)),
        _ => String::new(),
    };
    let text = format!("part {name}{structures} of {game} {material} by {producer}");
    with_details(text, part, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{answer::Tabled, probe::Tablebase, rules::Variant, solve::build::BuildOptions};

    #[test]
    fn only_a_damaged_table_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let material = "KQvK".parse().unwrap();
        let directories = TableDirectories::new(folder.path(), BlockCache::new(0));
        let id = Variant::orthodox().table_id(&material, Contents::Distance);
        let begin = || PartFolder::new(id.clone(), &directories, WriterOptions::default());
        let missing = begin().replacing_damaged();
        assert!(!missing.is_joined());
        let options = BuildOptions::default().level(1);
        Tablebase::new(Variant::orthodox(), folder.path()).build(&[material], &options).unwrap();
        // Whenever somebody else builds it, there is nothing left to do.
        assert!(missing.is_joined() && begin().replacing_damaged().is_joined());
        assert!(begin().claim_in_turn("0.0").unwrap().is_none());
        // Not even if it was there when somebody looked, and the folder has been made again.
        assert!(begin().claim("0.0").unwrap().is_none());
        assert!(!part_folder(&directories.path(&id)).exists());
        let path = directories.path(&id);
        let whole = fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        fs::write(&path, damaged).unwrap();
        let replacing = begin().replacing_damaged();
        assert!(!replacing.is_joined());
        // Clocks of file systems may be slow.
        thread::sleep(Duration::from_millis(20));
        fs::write(&path, whole).unwrap();
        assert!(replacing.is_joined() && begin().replacing_damaged().is_joined());
    }
}

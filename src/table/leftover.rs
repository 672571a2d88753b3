//! Temporary files of builds: how they are named, and how those of killed builds go away.
//!
//! While `KBNvK.ftb` is written it is called `.KBNvK.ftb.<random>.tmp`, beside its later place, and
//! its writer holds the file lock. The system drops the lock when the process ends in whatever way,
//! so an unlocked file of such a name belongs to nobody, and the next build of the same table
//! removes it; one that goes through a whole plan removes those of all tables. On shared folders
//! other machines may not see a lock: there, builds of single parts and tables do each other no
//! harm, since each removes its own leftovers alone. Where a file system knows no locks, they stay;
//! they are never read.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Mutex,
};

use tempfile::{Builder, NamedTempFile};

use crate::lock::lock;

const SUFFIX: &str = ".tmp";

/// Letters and digits between prefix and suffix.
const RANDOM_LEN: usize = 8;

/// The temporary files of this process.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary file's place among those of this process.
#[derive(Debug)]
pub(super) struct Living(PathBuf);

impl Drop for Living {
    fn drop(&mut self) {
        lock(&LIVING).remove(&self.0);
    }
}

/// For a process that is about to end without unwinding, such as on a signal: removes the
/// temporary files of all tables it is writing and calls `end`, during which no new one can begin.
pub fn abandon<T>(end: impl FnOnce() -> T) -> T {
    let living = lock(&LIVING);
    for path in &*living {
        // Finished meanwhile, or already gone.
        let _ = fs::remove_file(path);
    }
    end()
}

/// A new locked temporary file for the table `name` in `dir`.
pub(super) fn create(dir: &Path, name: &OsStr) -> io::Result<(NamedTempFile, Living)> {
    let mut living = lock(&LIVING);
    loop {
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
        #[cfg(unix)]
        {
            // A table is for everyone, as far as the umask of the user allows.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(dir)?;
        // Another build may take the file for a leftover before it is locked. Then either the
        // lock is taken or the file is gone, and a new one is made.
        let locked = file.as_file().try_lock();
        if !matches!(locked, Err(TryLockError::WouldBlock)) && file.path().exists() {
            let path = file.path().to_owned();
            living.insert(path.clone());
            return Ok((file, Living(path)));
        }
    }
}

/// Removes what killed builds left in a folder of tables. Whatever cannot be removed stays: it
/// does no harm.
pub fn remove_leftovers(dir: &Path) {
    remove(dir, |_| true);
}

/// Removes what killed builds of the table `name` left in a folder.
pub(super) fn remove_leftovers_of(dir: &Path, name: &OsStr) {
    remove(dir, |table| table == name.as_encoded_bytes());
}

/// Removes the temporary files that nobody writes, of the tables whose name is `wanted`.
fn remove(dir: &Path, wanted: impl Fn(&[u8]) -> bool) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for file in files.flatten() {
        // Opening a pipe to write could wait for ever.
        let is_file = file.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !table_of(&file.file_name()).is_some_and(&wanted) {
            continue;
        }
        let path = file.path();
        let Ok(open) = File::options().write(true).open(&path) else {
            continue;
        };
        if open.try_lock().is_ok() {
            // An error means that somebody else was quicker, or that it has to stay.
            let _ = fs::remove_file(&path);
        }
    }
}

/// The file name of the table that a file is called like the temporary file of, if it is:
/// `KBNvK.ftb` for `.KBNvK.ftb.<random>.tmp`.
fn table_of(name: &OsStr) -> Option<&[u8]> {
    let rest = name.as_encoded_bytes().strip_prefix(b".")?.strip_suffix(SUFFIX.as_bytes())?;
    let (table, random) = rest.split_at_checked(rest.len().checked_sub(RANDOM_LEN)?)?;
    let table = table.strip_suffix(b".")?;
    let is_table = table.ends_with(b".ftb") && random.iter().all(u8::is_ascii_alphanumeric);
    is_table.then_some(table)
}

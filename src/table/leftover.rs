//! Temporary files of builds: how they are named, and how those of killed builds go away.
//!
//! While `KBNvK.ftb` is written it is called `.KBNvK.ftb.<random>.tmp`, beside its later place,
//! and its writer holds the file lock. The system drops the lock when the process ends in
//! whatever way, so an unlocked file of such a name belongs to nobody, and the next build in the
//! folder removes it, whatever table that build makes. Where a file system knows no locks, leftovers
//! stay; they are never read.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{Builder, NamedTempFile};

const SUFFIX: &str = ".tmp";

/// Letters and digits between prefix and suffix.
const RANDOM_LEN: usize = 8;

/// The temporary files of this process.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn living() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file's place among those of this process.
#[derive(Debug)]
pub(super) struct Living(PathBuf);

impl Drop for Living {
    fn drop(&mut self) {
        living().remove(&self.0);
    }
}

/// For a process that is about to end without unwinding, such as on a signal: removes the
/// temporary files of all tables it is writing and calls `end`, during which no new one can begin.
pub fn abandon<T>(end: impl FnOnce() -> T) -> T {
    let living = living();
    for path in &*living {
        // Finished meanwhile, or already gone.
        let _ = fs::remove_file(path);
    }
    end()
}

/// A new locked temporary file for the table `name` in `dir`.
pub(super) fn create(dir: &Path, name: &OsStr) -> io::Result<(NamedTempFile, Living)> {
    let mut living = living();
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
    let Ok(files) = fs::read_dir(dir) else { return };
    for file in files.flatten() {
        // Opening a pipe to write could wait for ever.
        let is_file = file.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !is_temporary(&file.file_name()) {
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

/// Whether a file is called like the temporary file of a table: `.KBNvK.ftb.<random>.tmp`.
fn is_temporary(name: &OsStr) -> bool {
    let table_and_random = name
        .as_encoded_bytes()
        .strip_prefix(b".")
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
        .and_then(|rest| rest.split_at_checked(rest.len().checked_sub(RANDOM_LEN)?));
    table_and_random.is_some_and(|(table, random)| {
        table.ends_with(b".ftb.") && random.iter().all(u8::is_ascii_alphanumeric)
    })
}

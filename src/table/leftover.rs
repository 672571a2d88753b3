//! Temporary files of builds: how they are named, and how those of killed builds go away.
//!
//! While `KBNvK.ftb` is written it is called `.KBNvK.ftb.<random>.tmp`, beside its later place,
//! and its writer holds the file lock. The system drops the lock when the process ends in
//! whatever way, so an unlocked file of such a name belongs to nobody, and the next build in the
//! folder removes it, whatever table that build makes. Where a file system knows no locks, leftovers
//! stay; they are never read.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

use tempfile::{Builder, NamedTempFile};

const SUFFIX: &str = ".tmp";

/// Letters and digits between prefix and suffix.
const RANDOM_LEN: usize = 8;

/// A new locked temporary file for the table `name` in `dir`.
pub(super) fn create(dir: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
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
        match file.as_file().try_lock() {
            Err(TryLockError::WouldBlock) => continue,
            Ok(()) | Err(TryLockError::Error(_)) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::Error(_)) => continue,
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

//! Why there is no room for what is spilled.

use std::{io, path::PathBuf};

/// Why there is no place for an array, or for what is written behind others.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoRoom {
    /// The system gives no memory, though the budget would allow it.
    #[error("the system has no {bytes} bytes of memory for an array")]
    Memory { bytes: u64 },
    /// The scratch file cannot be made, or written any further.
    #[error("cannot write {bytes} bytes to a scratch file in {}", folder.display())]
    Disk { bytes: u64, folder: PathBuf, source: io::Error },
}

impl From<NoRoom> for io::Error {
    fn from(lack: NoRoom) -> io::Error {
        let kind = match &lack {
            NoRoom::Memory { .. } => io::ErrorKind::OutOfMemory,
            NoRoom::Disk { source, .. } => source.kind(),
        };
        io::Error::new(kind, lack)
    }
}

//! Counts over tables that last longer than the server: a file for each in a folder.
//!
//! Their names tell the table by its checksum, so what is kept of one that has been built anew under
//! other rules is not taken for it. What cannot be read or written is counted again.

use std::{fs, io::Write, path::PathBuf};

use axum::body::Bytes;
use serde::de::IgnoredAny;

/// Raised when counts hold something that they did not: those kept before are made again. Since 2
/// statistics have a story.
pub const FORM: u32 = 2;

/// A folder of counts, if there is one.
#[derive(Clone, Debug, Default)]
pub struct KeptCounts(Option<PathBuf>);

impl KeptCounts {
    /// Those in a folder, which need not exist.
    pub fn new(folder: Option<PathBuf>) -> KeptCounts {
        KeptCounts(folder)
    }

    /// A count by its name, if it is there and whole.
    pub fn read(&self, name: &str) -> Option<Bytes> {
        let bytes = fs::read(self.0.as_ref()?.join(name)).ok()?;
        serde_json::from_slice::<IgnoredAny>(&bytes).ok()?;
        Some(bytes.into())
    }

    /// Keeps a count under a name.
    pub fn write(&self, name: &str, count: &Bytes) {
        let Some(folder) = &self.0 else { return };
        let write = || {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(count)?;
            file.persist(folder.join(name))?;
            Ok::<_, std::io::Error>(())
        };
        // Without it the next server counts again.
        let _ = write();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_whole_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = KeptCounts::new(Some(folder.path().join("counts")));
        assert_eq!(kept.read("a"), None);
        kept.write("a", &Bytes::from_static(b"{\"white\":[1,2]}"));
        assert_eq!(kept.read("a"), Some(Bytes::from_static(b"{\"white\":[1,2]}")));
        fs::write(folder.path().join("counts/a"), "{\"white\":[1,").expect("it is written");
        assert_eq!(kept.read("a"), None);
        KeptCounts::default().write("a", &Bytes::new());
        assert_eq!(KeptCounts::default().read("a"), None);
    }
}

//! Why a section cannot be built.

/// Why a section cannot be built: for one of its keys, on one of its lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Refusal {
    /// The line of the key, or of the section, from 1; of an inherited key that of the section.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// A text as messages show it.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

//! Sections as they are written.

use indexmap::IndexMap;

use super::refusal::{Refusal, shortened};

/// A section as it is written.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub name: String,
    pub parent: Option<String>,
    pub line: usize,
    /// By their keys, in the order they are written.
    pub entries: IndexMap<String, Entry>,
    /// What is wrong with its lines.
    pub refusals: Vec<Refusal>,
}

/// What a key is given.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub value: String,
    pub line: usize,
}

impl Section {
    /// A section with this head: `name`, or `name:parent`.
    pub fn begin(head: &str, line: usize) -> Section {
        let (name, parent) = match head.split_once(':') {
            Some((name, parent)) => (name.trim(), Some(parent.trim().to_owned())),
            None => (head.trim(), None),
        };
        let mut refusals = Vec::new();
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            let name = shortened(name);
            let reason = format!(
                "`{name}` is not a name: it has letters, digits, - and _, at most 64 of them"
            );
            refusals.push(Refusal { line, reason });
        }
        Section { name: name.to_owned(), parent, line, entries: IndexMap::new(), refusals }
    }

    /// Takes in a line that is no comment and no head.
    pub fn meet(&mut self, text: &str, line: usize) {
        let mut refuse = |reason| self.refusals.push(Refusal { line, reason });
        let Some((key, value)) = text.split_once('=') else {
            let text = shortened(text);
            return refuse(format!("`{text}` is neither a section nor a key; write key = value"));
        };
        let (key, value) = (key.trim(), value.trim());
        let entry = Entry { value: value.to_owned(), line };
        let first = self.entries.entry(key.to_owned()).or_insert(entry);
        if first.value != value {
            refuse(format!("`{key}` has another value on line {}", first.line));
        }
    }
}

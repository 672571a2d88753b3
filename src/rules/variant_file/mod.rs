//! Files of variants: games as sections of keys, in the notation of Fairy-Stockfish's
//! `variants.ini`.
//!
//! A section `[name]` defines a game from the men up, `[name:parent]` departs from a game that
//! stands above it or is built in. What a key means is in `draft`, which of them are understood in
//! `keys`; a key that is not, at a value other than its default, refuses the section.

mod draft;
mod keys;
mod values;

use std::{collections::BTreeMap, sync::LazyLock};

use draft::Draft;

use super::definition::Definition;

/// The most bytes a file of variants can have.
pub const MAX_FILE: usize = 4 << 20;

/// A file of variants, of which nothing is resolved.
#[derive(Clone, Debug)]
pub struct VariantFile {
    sections: Vec<Section>,
}

/// A section as it is written.
#[derive(Clone, Debug)]
struct Section {
    name: String,
    parent: Option<String>,
    line: usize,
    entries: Vec<Entry>,
    /// What is wrong with its lines.
    refusals: Vec<Refusal>,
}

/// A key and its value.
#[derive(Clone, Debug)]
struct Entry {
    key: String,
    value: String,
    line: usize,
}

/// Why a text is no file of variants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantFileError {
    /// Far more than anybody writes.
    #[error("it has {0} bytes; files of variants have at most {MAX_FILE}")]
    TooLarge(usize),
    /// Something before the first section.
    #[error("line {line}: `{text}` stands before the first section; begin with [name]")]
    NoSection {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// No section at all.
    #[error("it has no section; a game begins with [name], or [name:parent]")]
    Empty,
}

/// Why a section cannot be built: for one of its keys, on one of its lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Refusal {
    /// The line of the key, or of the section, from 1; of an inherited key that of the section.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// A section, and the game it defines or why it cannot be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The name.
    pub name: String,
    /// The line the section begins on, from 1.
    pub line: usize,
    /// The game; or all that stands in the way, in the order of the lines.
    pub definition: Result<Definition, Vec<Refusal>>,
}

impl Resolved {
    /// Refuses the section for a reason that its keys know nothing of.
    pub fn refuse(&mut self, reason: &str) {
        let refusal = Refusal { line: self.line, reason: reason.to_owned() };
        match &mut self.definition {
            Ok(_) => self.definition = Err(vec![refusal]),
            Err(refusals) => refusals.insert(0, refusal),
        }
    }
}

/// The sections that are built in, by name, as parents.
static BUILT_IN: LazyLock<BTreeMap<String, Draft>> = LazyLock::new(|| {
    let drafts = built_in().drafts(&BTreeMap::new());
    drafts.into_iter().map(|(section, draft)| (section.name.clone(), draft)).collect()
});

/// The file of the games that are built in.
pub(super) fn built_in() -> &'static VariantFile {
    static FILE: LazyLock<VariantFile> = LazyLock::new(|| {
        VariantFile::read(include_str!("../variants.ini")).expect("the file that is built in")
    });
    &FILE
}

/// The games that are built in, in the order of their file.
pub(super) fn built_in_definitions() -> Vec<Definition> {
    let finished = built_in().sections.iter().map(|section| BUILT_IN[&section.name].finish());
    finished.map(|game| game.expect("the games that are built in can be built")).collect()
}

/// Other names of games that are built in.
const ALIASES: [(&str, &str); 3] =
    [("chess", "orthodox"), ("kingofthehill", "koth"), ("giveaway", "antichess")];

impl VariantFile {
    /// Reads the sections of a file.
    ///
    /// # Errors
    /// If it is too large, or does not begin with a section. What is wrong inside a section refuses
    /// that section alone.
    pub fn read(text: &str) -> Result<VariantFile, VariantFileError> {
        if text.len() > MAX_FILE {
            return Err(VariantFileError::TooLarge(text.len()));
        }
        let mut sections: Vec<Section> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with(['#', ';']) {
                continue;
            }
            if let Some(head) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                sections.push(Section::begin(head, line));
                continue;
            }
            let Some(section) = sections.last_mut() else {
                return Err(VariantFileError::NoSection { line, text: shortened(text) });
            };
            section.meet(text, line);
        }
        if sections.is_empty() {
            Err(VariantFileError::Empty)
        } else {
            Ok(VariantFile { sections })
        }
    }

    /// What becomes of each section, in the order of the file.
    pub fn resolve(&self) -> Vec<Resolved> {
        let drafts = self.drafts(&BUILT_IN).into_iter();
        let resolved = drafts.map(|(section, draft)| Resolved {
            name: section.name.clone(),
            line: section.line,
            definition: draft.finish(),
        });
        resolved.collect()
    }

    /// Every section with all it inherits.
    fn drafts(&self, built_in: &BTreeMap<String, Draft>) -> Vec<(&Section, Draft)> {
        let mut known: BTreeMap<&str, Draft> = BTreeMap::new();
        let mut all = Vec::new();
        for section in &self.sections {
            let draft = section.draft(|name| {
                let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
                let built_in = || built_in.get(alias.map_or(name, |&(_, own)| own));
                known.get(name).or_else(built_in)
            });
            known.insert(&section.name, draft.clone());
            all.push((section, draft));
        }
        all
    }
}

impl Section {
    /// A section with this head: `name`, or `name:parent`.
    fn begin(head: &str, line: usize) -> Section {
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
        Section { name: name.to_owned(), parent, line, entries: Vec::new(), refusals }
    }

    /// Takes in a line that is no comment and no head.
    fn meet(&mut self, text: &str, line: usize) {
        let mut refuse = |reason| self.refusals.push(Refusal { line, reason });
        let Some((key, value)) = text.split_once('=') else {
            let text = shortened(text);
            return refuse(format!("`{text}` is neither a section nor a key; write key = value"));
        };
        let (key, value) = (key.trim(), value.trim());
        let twice = self.entries.iter().find(|entry| entry.key == key && entry.value != value);
        if let Some(Entry { line, .. }) = twice {
            return refuse(format!("`{key}` has another value on line {line}"));
        }
        self.entries.push(Entry { key: key.to_owned(), value: value.to_owned(), line });
    }

    /// What the section says, and what it inherits.
    fn draft<'d>(&self, parent: impl Fn(&str) -> Option<&'d Draft>) -> Draft {
        let mut draft = match &self.parent {
            None => Draft::empty(),
            Some(name) => match parent(name) {
                Some(parent) => parent.inherited(self.line),
                None => {
                    let mut draft = Draft::empty();
                    let name = shortened(name);
                    draft.refuse(
                        self.line,
                        format!("its parent `{name}` is neither built in nor a section above"),
                    );
                    draft
                }
            },
        };
        draft.begin(&self.name, self.line);
        for Refusal { line, reason } in &self.refusals {
            draft.refuse(*line, reason.clone());
        }
        draft.meet_all(&self.entries);
        draft
    }
}

/// A text as messages show it.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests;

//! Files of variants: games as sections of keys, in the notation of Fairy-Stockfish's
//! `variants.ini`.
//!
//! A section `[name]` defines a game from the men up, `[name:parent]` departs from a game that
//! stands above it, is built in or belongs to the collection. What a key means is in `draft`, which
//! of them are understood in `keys`; a key that is not, at a value other than its default, refuses
//! the section.

mod draft;
mod keys;
mod kinds;
mod promotions;
mod refusal;
mod section;
mod values;

use std::{collections::BTreeMap, sync::LazyLock};

pub use refusal::Refusal;

use draft::Draft;
use refusal::shortened;
use section::Section;

use super::definition::Definition;

/// The most bytes a file of variants can have.
pub const MAX_FILE: usize = 4 << 20;

/// The most sections a file of variants can have.
const MAX_SECTIONS: usize = 4096;

/// A file of variants, of which nothing is resolved.
#[derive(Clone, Debug)]
pub struct VariantFile {
    sections: Vec<Section>,
}

/// Why a text is no file of variants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantFileError {
    /// Far more than anybody writes.
    #[error("it has {0} bytes; files of variants have at most {MAX_FILE}")]
    TooLarge(usize),
    /// Far more games than anybody has.
    #[error("it has more than {MAX_SECTIONS} sections")]
    TooManySections,
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

/// The games that are built in, in the order of their file.
static BUILT_IN: LazyLock<Vec<Draft>> = LazyLock::new(|| {
    let file = VariantFile::read(include_str!("../variants.ini"));
    file.expect("the file that is built in").drafts(&[])
});

/// The games that are built in, in the order of their file.
pub(super) fn built_in_definitions() -> Vec<Definition> {
    finished(&BUILT_IN)
}

fn finished(drafts: &[Draft]) -> Vec<Definition> {
    drafts.iter().map(|draft| draft.finish().expect("our own games can be built")).collect()
}

/// The games of the collection, in the order of their file.
static COLLECTION: LazyLock<Vec<Draft>> = LazyLock::new(|| {
    let file = VariantFile::read(include_str!("../collection.ini"));
    file.expect("the file that is built in").drafts(&[&BUILT_IN])
});

/// The games of the collection, in the order of their file.
pub(super) fn collected_definitions() -> Vec<Definition> {
    finished(&COLLECTION)
}

/// Other names of games that are built in, which other programs have for them.
const ALIASES: [(&str, &str); 5] = [
    ("chess", "orthodox"),
    ("normal", "orthodox"),
    ("kingofthehill", "koth"),
    ("giveaway", "antichess"),
    ("threecheck", "3check"),
];

/// The other names that games which are built in have.
pub(crate) fn aliases() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().map(|(alias, _)| *alias)
}

/// The name that a game which is built in has here, if this is another of its names.
pub(crate) fn own_name(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |&(_, own)| own)
}

impl VariantFile {
    /// Reads the sections of a file.
    ///
    /// # Errors
    /// If it is too large or has too many sections, or does not begin with one. What is wrong
    /// inside a section refuses that section alone.
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
                if sections.len() == MAX_SECTIONS {
                    return Err(VariantFileError::TooManySections);
                }
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
        let drafts = self.sections.iter().zip(self.drafts(&[&BUILT_IN, &COLLECTION]));
        let resolved = drafts.map(|(section, draft)| Resolved {
            name: section.name.clone(),
            line: section.line,
            definition: draft.finish(),
        });
        resolved.collect()
    }

    /// Every section with all it inherits from those above and from other games that are known.
    fn drafts(&self, others: &[&[Draft]]) -> Vec<Draft> {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let mut all: Vec<Draft> = Vec::new();
        for section in &self.sections {
            let draft = draft_of(section, |name| {
                let own = own_name(name);
                let other = || others.iter().copied().flatten().find(|draft| draft.name() == own);
                known.get(name).map(|&above| &all[above]).or_else(other)
            });
            known.insert(&section.name, all.len());
            all.push(draft);
        }
        all
    }
}

/// What a section says, and what it inherits.
fn draft_of<'d>(section: &Section, parent: impl Fn(&str) -> Option<&'d Draft>) -> Draft {
    let mut draft = match &section.parent {
        None => Draft::empty(),
        Some(name) => {
            match parent(name) {
                Some(parent) => parent.inherited(section.line),
                None => {
                    let mut draft = Draft::empty();
                    let name = shortened(name);
                    draft.refuse(
                    section.line,
                    format!("its parent `{name}` is neither a game that is known nor a section above"),
                );
                    draft
                }
            }
        }
    };
    draft.begin(&section.name, section.line);
    for Refusal { line, reason } in &section.refusals {
        draft.refuse(*line, reason.clone());
    }
    draft.meet_all(&section.entries);
    draft
}

#[cfg(test)]
mod tests;

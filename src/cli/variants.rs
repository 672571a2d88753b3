//! `--variants`: games from a file.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use anyhow::{Context, Result};

use super::args::quoted;
use crate::{
    registry::GameName,
    rules::{Refusal, Resolved, VariantFile},
};

/// The option that names a file, and what is asked if it is not given.
const OPTION: &str = "--variants";
const VARIABLE: &str = "FINALE_VARIANTS";

/// The file whose games are known.
static LOADED: OnceLock<Loaded> = OnceLock::new();

struct Loaded {
    path: PathBuf,
    /// Whether the option named it.
    by_option: bool,
    sections: Vec<Resolved>,
}

/// Makes the games of a file known that the arguments or the environment name.
///
/// # Errors
/// If it cannot be read.
pub fn load(arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let named = named(arguments);
    let by_option = named.is_some();
    let from_environment = || std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let Some(path) = named.or_else(from_environment).map(PathBuf::from) else {
        return Ok(());
    };
    let sections = GameName::add_all(&read(&path)?);
    LOADED.get_or_init(|| Loaded { path, by_option, sections });
    Ok(())
}

/// The file that the last such option among some arguments names.
fn named(arguments: impl Iterator<Item = OsString>) -> Option<OsString> {
    let mut arguments = arguments.take_while(|argument| argument != "--");
    let mut found = None;
    while let Some(argument) = arguments.next() {
        if argument == OPTION {
            found = arguments.next();
        } else if let Some(path) = after_equals(&argument) {
            found = Some(path.to_owned());
        }
    }
    found
}

/// What stands behind `--variants=`.
fn after_equals(argument: &OsStr) -> Option<&OsStr> {
    let rest = argument.to_str()?.strip_prefix(OPTION)?.strip_prefix('=')?;
    Some(OsStr::new(rest))
}

/// A file of variants.
///
/// # Errors
/// If it cannot be read, or is no file of variants.
pub fn read(path: &Path) -> Result<VariantFile> {
    let cannot = || format!("cannot read the games of {}", path.display());
    let bytes = fs::read(path).with_context(cannot)?;
    // Comments are in whatever encoding; what matters is ASCII.
    VariantFile::read(&String::from_utf8_lossy(&bytes)).with_context(cannot)
}

/// The file whose games are known besides the built-in ones, if there is one.
#[cfg(feature = "serve")]
pub fn file() -> Option<&'static Path> {
    LOADED.get().map(|loaded| loaded.path.as_path())
}

/// Why the game of this name in the file cannot be played, if it is there and cannot.
pub fn refused(name: &str) -> Option<String> {
    let Loaded { path, sections, .. } = LOADED.get()?;
    let section = sections.iter().find(|section| section.name == name)?;
    let refusals = section.definition.as_ref().err()?;
    let first = refusals.first().map_or_else(String::new, Refusal::to_string);
    let file = quoted(&path.display().to_string());
    Some(format!(
        "{name} cannot be built: {first}; `finale check {file}` tells all that stands in its way"
    ))
}

/// The option as it has to be typed for a game to be known; empty if it need not be.
pub fn option(game: &str) -> String {
    let needed = |loaded: &&Loaded| {
        let own = |section: &Resolved| section.name == game && section.definition.is_ok();
        loaded.by_option && loaded.sections.iter().any(own)
    };
    LOADED.get().filter(needed).map_or_else(String::new, |loaded| {
        format!(" {OPTION} {}", quoted(&loaded.path.display().to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_option_counts() {
        let named = |text: &str| named(text.split(' ').map(OsString::from));
        assert_eq!(named("finale build game KQvK"), None);
        assert_eq!(named("finale build --variants a.ini game"), Some("a.ini".into()));
        assert_eq!(named("finale --variants=a.ini --variants b.ini"), Some("b.ini".into()));
        assert_eq!(named("finale -- --variants a.ini"), None);
        assert_eq!(named("finale --variants"), None);
    }
}

//! What to type after an error: the library names facts, the program knows its commands.

use std::{error::Error, io, path::Path};

use serde_json::Value;

use crate::{
    answer::TableId,
    probe::{ProbeError, ShelfError},
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    solve::BuildError,
};

/// An error with its causes, and what would help.
pub fn sentence(error: &(dyn Error + 'static)) -> String {
    let mut sentence = error.to_string();
    for cause in causes(error).skip(1) {
        sentence += &format!(": {cause}");
    }
    match causes(error).find_map(hint) {
        Some(hint) => format!("{sentence}; {hint}"),
        None => sentence,
    }
}

/// An error, what caused it, and so on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// What would help after an error.
fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(ProbeError::Shelf(error)) = error.downcast_ref() {
        return shelf_hint(error);
    }
    match error.downcast_ref()? {
        BuildError::Shelf(error) => shelf_hint(error),
        BuildError::NoDistances { material } => Some(format!(
            "allow --no-distance, or move the table of {material} away so that it is built anew"
        )),
        BuildError::TooVarious { .. } => Some("leave them out with --no-distance".to_owned()),
        BuildError::Scratch(error) => match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Some("free some disk space, or allow more --memory".to_owned())
            }
            io::ErrorKind::OutOfMemory => {
                Some("free some memory, or allow less --memory so that it goes to disk".to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

fn shelf_hint(error: &ShelfError) -> Option<String> {
    match error {
        ShelfError::Missing { id, folder } => {
            Some(format!("build it with `{}`", build_command(id, folder.parent()?)))
        }
        ShelfError::Other { id, path, .. } => {
            let folder = path.parent()?.parent()?;
            Some(format!("move it away and run `{}`", build_command(id, folder)))
        }
        _ => None,
    }
}

/// The command that builds a table into a folder of tables.
fn build_command(id: &TableId, folder: &Path) -> String {
    let material = id.material.to_string();
    // Shells read brackets as patterns.
    let quote = if material.contains('[') { "'" } else { "" };
    let folder = match folder {
        folder if folder == Path::new("tables") => String::new(),
        folder => format!(" --tables {}", folder.display()),
    };
    let options = typed_options(id);
    format!("finale build {} {quote}{material}{quote}{options}{folder}", id.game)
}

/// The options of a table that are not its game's defaults, as they are typed.
fn typed_options(id: &TableId) -> String {
    struct Defaults;
    impl Task for Defaults {
        type Output = serde_json::Map<String, Value>;
        fn run<G: Complete>(self, game: G) -> Self::Output {
            game.options()
        }
    }
    let game = GameName::ALL.iter().find(|game| game.name() == id.game);
    let usual = game.and_then(|game| game.play(RuleOptions::none(), Defaults).ok());
    id.options
        .iter()
        .filter(|(name, value)| usual.as_ref().and_then(|u| u.get(*name)) != Some(value))
        .map(|(name, value)| match value {
            // Options that are more than a word, such as a score sheet, come from a file.
            Value::Object(_) => format!(" --{name} FILE"),
            Value::String(word) => format!(" --{name} {word}"),
            _ => format!(" --{name} {value}"),
        })
        .collect()
}

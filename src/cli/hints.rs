//! What to type after an error: the library names facts, the program knows its commands.

use std::{error::Error, io, path::Path};

use serde_json::Value;

use super::{args::quoted, rule_args::declared, variants};
use crate::{
    answer::{Contents, TableId, TableName},
    index::Material,
    pack::PackError,
    probe::{OpenTableError, ProbeError, TableDirectories, address},
    registry::GameName,
    rules::StatedError,
    solve::BuildError,
    study::{ColumnsError, MatchGameError, with_causes},
    table::{BlockCache, TableError},
};

/// An error with its causes, and what would help; `typed` are the rule options of the command as
/// they were typed.
pub fn sentence(error: &(dyn Error + 'static), typed: &str) -> String {
    let sentence = with_causes(error);
    match causes(error).find_map(|cause| hint(cause, typed)) {
        Some(hint) => format!("{sentence}; {hint}"),
        None => sentence,
    }
}

/// An error, what caused it, and so on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// What would help after an error.
fn hint(error: &(dyn Error + 'static), typed: &str) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        return match error {
            ProbeError::Open(error) => open_hint(error, typed),
            ProbeError::Table(error) => damage_hint(error, typed),
            ProbeError::Unanswerable(_) | ProbeError::Stopped | ProbeError::Fetch(_) => None,
        };
    }
    if let Some(ColumnsError::Probe(error)) = error.downcast_ref() {
        return hint(error, typed);
    }
    if let Some(error) = error.downcast_ref() {
        return match error {
            PackError::Probe(error) => hint(error, typed),
            PackError::Table(error) => damage_hint(error, typed),
            PackError::Slices(error) => hint(error, typed),
            PackError::NeedsSolving { id, path, .. } => {
                let command = build_table(id, typed, path.parent()?.parent()?);
                Some(format!("move it away and run `{command}`"))
            }
            PackError::HoldsLess { .. } => None,
        };
    }
    if let Some(MatchGameError::Stated(error)) = error.downcast_ref() {
        return hint(error, typed);
    }
    if let Some(StatedError::NoDraws) = error.downcast_ref() {
        return Some("write 1-0 or 0-1 if a player resigned, or * if nobody did".to_owned());
    }
    match error.downcast_ref()? {
        BuildError::Open(error) => open_hint(error, typed),
        BuildError::Table(error) => damage_hint(error, typed),
        BuildError::OneSide { path, id } => {
            let folder = path.parent()?.parent()?;
            Some(format!(
                "bring the other back with `finale pack {} {} {}{typed} --sides both{}`",
                id.game,
                quoted(&folder.display().to_string()),
                quoted(&id.material.to_string()),
                tables_option(folder),
            ))
        }
        BuildError::TooVarious { .. } => {
            Some("build it with --contents result, which leaves them out".to_owned())
        }
        BuildError::OtherPart { path, .. } => {
            Some(format!("remove {} to begin again", path.parent()?.display()))
        }
        BuildError::MissingPart { part, .. } => Some(format!("build it with --part {part}")),
        BuildError::Scratch(error) => match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(
                "free some disk space, or name a folder on another disk with --scratch".to_owned(),
            ),
            io::ErrorKind::OutOfMemory => {
                Some("free some memory, or allow less --memory so that it goes to disk".to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

fn open_hint(error: &OpenTableError, typed: &str) -> Option<String> {
    match error {
        OpenTableError::Missing { id, folder } if address(folder).is_some() => {
            let command = build_table(id, typed, Path::new("tables"));
            Some(format!("it can be built on this machine with `{command}`"))
        }
        OpenTableError::Missing { id, folder } => {
            Some(format!("build it with `{}`", build_table(id, typed, folder.parent()?)))
        }
        OpenTableError::Other { id, path, another, .. } => {
            let command = build_table(id, typed, path.parent()?.parent()?);
            Some(match another {
                true => format!("move that file away and run `{command}`"),
                false => format!(
                    "tables by other rules need a folder of their own: choose one with --tables, or \
                     move this table away and run `{command}`"
                ),
            })
        }
        OpenTableError::Schema { path, .. } if error.is_mended_by_building() => {
            rebuild_hint(path, typed)
        }
        OpenTableError::Schema { .. } => Some(NEWER.to_owned()),
        OpenTableError::Table(error) => damage_hint(error, typed),
    }
}

/// What to do about a table that this program is too old for.
const NEWER: &str = "get that finale, or move the file away";

/// How to build a damaged table again.
fn damage_hint(error: &TableError, typed: &str) -> Option<String> {
    match error.damaged() {
        Some(path) => rebuild_hint(path, typed),
        None => matches!(error, TableError::Version { .. }).then(|| NEWER.to_owned()),
    }
}

/// How to build the table of a file again, if the file is where such a table should be.
fn rebuild_hint(path: &Path, typed: &str) -> Option<String> {
    if address(path).is_some() {
        return Some("tell whoever serves it; `finale build` makes such tables here".to_owned());
    }
    let TableName { material, contents } = TableName::of(path)?;
    let folder = path.parent()?;
    let name = folder.file_name()?.to_str()?;
    let game = GameName::find(name)?;
    let contents = contents.map_or_else(String::new, |contents| format!(" --contents {contents}"));
    let options = format!(" --repair{contents}{typed}");
    let command = build_command(game.name(), &material, &options, folder.parent()?);
    Some(format!("build it again with `{command}`"))
}

/// The command that builds a table, by its own options, into a folder of tables; one that holds as
/// much as the tables of its game there do.
pub fn build_table(id: &TableId, typed: &str, folder: &Path) -> String {
    let contents = if id.is_usual { contents_of_all(id.game, folder) } else { None };
    let contents = contents.map_or_else(String::new, |all| format!(" --contents {all}"));
    build_command(id.game, &id.material, &(contents + &options(id, typed)), folder)
}

/// How much all tables of a game in a folder hold, if there are some, they hold the same, and that is
/// not what is usual.
fn contents_of_all(game: &str, folder: &Path) -> Option<Contents> {
    let files = TableDirectories::new(folder, BlockCache::new(0)).files(game).ok()?;
    let mut contents = files.iter().filter_map(|path| Some(TableName::of(path)?.contents));
    let first = contents.next()??;
    contents.all(|other| other == Some(first)).then_some(first)
}

/// The command that builds a table of a material into a folder of tables.
fn build_command(game: &str, material: &Material, options: &str, folder: &Path) -> String {
    // Shells read the brackets of some materials as patterns.
    let material = quoted(&material.to_string());
    let variants = variants::option(game);
    format!("finale build {game} {material}{options}{variants}{}", tables_option(folder))
}

/// The option that names a folder of tables, if it is not the usual one.
pub fn tables_option(folder: &Path) -> String {
    match folder {
        folder if folder == Path::new("tables") => String::new(),
        folder => format!(" --tables {}", quoted(&folder.display().to_string())),
    }
}

/// The options of a table that are not its game's defaults, as they are typed. Those that are
/// more than a word, such as a score sheet, come from a file, which only the command names.
fn options(id: &TableId, typed: &str) -> String {
    let usual = GameName::find(id.game).map(GameName::usual_options).unwrap_or_default();
    let contents = match id.is_usual {
        true => String::new(),
        false => format!(" --contents {}", id.contents),
    };
    if id.options.values().any(Value::is_object) && !typed.is_empty() {
        return contents + typed;
    }
    let options = id
        .options
        .iter()
        .filter(|(name, value)| usual.get(*name) != Some(value))
        .filter(|(name, _)| declared().iter().any(|option| option.name == name.as_str()))
        .map(|(name, value)| match value {
            Value::Object(_) => format!(" --{name} FILE"),
            Value::String(word) => format!(" --{name} {word}"),
            _ => format!(" --{name} {value}"),
        })
        .collect::<String>();
    contents + &options
}

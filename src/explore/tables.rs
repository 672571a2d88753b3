//! Which tables of a game there are, and which are missing.

use serde_json::{Value, json};

use super::{advice::Advice, object::Object, refusal::Refusal};
use crate::{
    answer::{Contents, TableName},
    probe::{Catalogue, ProbeError, TableDirectories, TableFile},
    study::object,
};

/// The tables of a game in some folders, and those with up to `most` men that are missing.
///
/// # Errors
/// If a folder cannot be read.
pub fn tables(
    game: &dyn Catalogue,
    title: &'static str,
    directories: &TableDirectories,
    most: usize,
    advice: Advice,
) -> Result<Object, Refusal> {
    let files =
        directories.told(game.name()).map_err(|error| Refusal::Broken(error.to_string()))?;
    let mut there = Vec::new();
    for TableFile { path, bytes, told } in files {
        let name = TableName::of(&path);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let material = name.map(|name| name.material.to_string()).or(stem);
        let mut object = object([
            ("material", json!(material)),
            ("game", game.name().into()),
            ("men", json!(name.map(|name| name.material.all_men()))),
        ]);
        match told {
            Ok((contents, options)) => {
                object.insert("contents".to_owned(), json!(contents));
                object.insert("bytes".to_owned(), json!(bytes));
                if options != game.options() {
                    object.insert("other_options".to_owned(), json!(options));
                }
            }
            Err(error) => {
                let words = (advice.sentence)(&ProbeError::Table(error));
                object.insert("error".to_owned(), json!(words));
            }
        }
        there.push(Value::Object(object));
    }
    let mut missing = Vec::new();
    for material in game.materials(most, false) {
        let ids = game.table_ids(&material, Contents::Result);
        let id = directories.first(&ids);
        let mut object = object([
            ("material", json!(material.to_string())),
            ("game", id.game.into()),
            ("men", json!(material.all_men())),
        ]);
        match directories.length(id) {
            // Listed above, unless it serves another game too.
            Some(_) if id.game == game.name() => {}
            Some(bytes) => {
                object.insert("contents".to_owned(), json!(id.contents.name()));
                object.insert("bytes".to_owned(), json!(bytes));
                there.push(Value::Object(object));
            }
            None => {
                if let Some(build) = advice.build {
                    object.insert("build".to_owned(), json!(build(id, directories.folder())));
                }
                missing.push(Value::Object(object));
            }
        }
    }
    Ok(object([
        ("game", game.name().into()),
        ("title", title.into()),
        ("options", json!(game.options())),
        ("tables", Value::Array(there)),
        ("men", json!(most)),
        ("missing", Value::Array(missing)),
    ]))
}

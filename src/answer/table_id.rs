//! What tells one table from all others.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::contents::Contents;
use crate::{index::Material, table::Description};

/// What tells one table from all others.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TableId {
    /// The game's name.
    pub game: &'static str,
    /// Which of the ways the game has had to store its tables this program knows.
    pub schema: u16,
    /// The rule options.
    pub options: Map<String, Value>,
    /// The men, as the table is named.
    pub material: Material,
    /// How much it says.
    pub contents: Contents,
    /// Whether that is what the tables of the game usually say: the names of their files do not
    /// mention it.
    pub is_usual: bool,
}

impl TableId {
    /// Its file, from a folder of tables on: `high/KBNvK.ftb`, or `high/KBNvK.result.ftb` where the
    /// game's tables usually hold something else.
    pub fn file(&self) -> PathBuf {
        Path::new(self.game).join(format!("{}.ftb", self.title()))
    }

    /// What it is called in lists of a game's tables: `KBNvK`, `KBNvK.result`.
    pub fn title(&self) -> String {
        TableName::titled(&self.material.to_string(), self.contents.name(), self.is_usual)
    }

    /// What the header of its file says of it.
    pub(crate) fn description(&self) -> Description {
        Description {
            game: self.game.to_owned(),
            schema: self.schema,
            options: self.options.clone(),
            material: self.material.to_string(),
            contents: self.contents.name().to_owned(),
            ..Description::default()
        }
    }
}

/// What the name of a table file says of it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TableName {
    /// The men.
    pub material: Material,
    /// How much it holds, unless that is what the game's tables usually do.
    pub contents: Option<Contents>,
}

impl TableName {
    /// What a table of a material is called; what it holds is not said where it is usual.
    pub fn titled(material: &str, contents: &str, is_usual: bool) -> String {
        if is_usual { material.to_owned() } else { format!("{material}.{contents}") }
    }

    /// Reads the name of a file, which may be anything.
    pub fn of(path: &Path) -> Option<TableName> {
        let stem = path.file_stem()?.to_str()?;
        let (material, contents) = match stem.split_once('.') {
            Some((material, contents)) => (material, Some(contents.parse().ok()?)),
            None => (stem, None),
        };
        Some(TableName { material: material.parse().ok()?, contents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{answer::Tabled, rules::High};

    #[test]
    fn names_of_files_are_read_as_they_are_written() {
        let material: Material = "KBNvK".parse().unwrap();
        for (contents, name) in
            [(Contents::Distance, "high/KBNvK.ftb"), (Contents::Result, "high/KBNvK.result.ftb")]
        {
            let id = High::default().table_id(&material, contents);
            assert_eq!(id.file(), Path::new(name));
            let read = TableName::of(&id.file()).unwrap();
            assert_eq!((read.material, read.contents.is_none()), (material, id.is_usual));
            assert_eq!(read.contents.unwrap_or(Contents::Distance), contents);
        }
        for other in ["KBNvK.nonsense.ftb", "KBNvK.result.more.ftb", "nonsense.ftb", ".ftb", ".."] {
            assert_eq!(TableName::of(Path::new(other)), None, "{other}");
        }
    }
}

//! `finale list`.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{
    args::ListArgs,
    games::material,
    hints::sentence,
    list_plan,
    say::say,
    units::{bytes, count},
};
use crate::{
    answer::{Contents, TableName},
    index::Material,
    probe::{ProbeError, TableDirectories, options_in_words, slashed},
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    table::{BlockCache, Table},
};

/// Lists tables, and what is wrong with them as far as opening them shows it.
pub fn run(args: ListArgs) -> Result<()> {
    let folder = args.tables.folder("list")?;
    if !folder.is_dir() {
        bail!("the folder {} does not exist", folder.display());
    }
    if let Some(plan) = &args.plan {
        return list_plan::run(plan, folder, args.json);
    }
    let games = match args.game {
        Some(game) => vec![game],
        None => GameName::known(),
    };
    let wanted = match args.game {
        Some(game) => named(game, &args.materials)?,
        None => Vec::new(),
    };
    let directories = TableDirectories::new(folder, BlockCache::default());
    let mut listed = Vec::new();
    for game in games {
        let files = directories.files(game.name())?.into_iter();
        let is_wanted = |path: &PathBuf| wanted.is_empty() || wanted.contains(&material_in(path));
        listed.extend(files.filter(is_wanted).map(|path| ListedFile::new(game, path)));
    }
    let missing = wanted.iter().find(|name| !listed.iter().any(|file| file.material() == **name));
    if let (Some(material), Some(game)) = (missing, args.game) {
        bail!("there is no table for {material} in {}", folder.join(game.name()).display());
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", Value::Array(listed.iter().map(ListedFile::json).collect()))?;
    } else {
        for file in &listed {
            writeln!(out, "{}", file.words())?;
        }
        if listed.is_empty() {
            say(format_args!("there are no tables in {}", folder.display()));
        } else {
            let size = listed.iter().map(|file| file.bytes).sum();
            writeln!(out, "{}, {}", count(listed.len(), "table"), bytes(size))?;
        }
    }
    let bad = listed.iter().filter(|file| file.problem.is_some()).count();
    if bad > 0 {
        bail!("{bad} of {} cannot be used", count(listed.len(), "table"));
    }
    Ok(())
}

/// Materials as their tables are named.
fn named(game: GameName, materials: &[String]) -> Result<Vec<String>> {
    struct Named<'a>(&'a [String]);
    impl Task for Named<'_> {
        type Output = Result<Vec<String>>;
        fn run<G: Complete>(self, game: G) -> Self::Output {
            let name = |text: &String| -> Result<String> {
                let named: Material = game.named(&material(text)?)?;
                Ok(named.to_string())
            };
            self.0.iter().map(name).collect()
        }
    }
    game.play(RuleOptions::none(), Named(materials))?
}

/// The material that the name of a file says, or the whole name if it says none.
fn material_in(path: &Path) -> String {
    TableName::of(path).map_or_else(|| stem(path), |name| name.material.to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file of the list.
pub struct ListedFile {
    game: GameName,
    path: PathBuf,
    table: Option<Table>,
    /// The length of the file.
    bytes: u64,
    /// Why it cannot be used.
    problem: Option<String>,
}

impl ListedFile {
    /// Opens a file that lies in the folder of a game.
    pub fn new(game: GameName, path: PathBuf) -> ListedFile {
        let bytes = path.metadata().map_or(0, |file| file.len());
        let (table, problem) = match Table::open(&path) {
            Ok(table) => {
                let header = table.header();
                let is_usual = header.contents == game.contents()[0].name();
                let named = TableName::titled(&header.material, &header.contents, is_usual);
                let found = (header.game.as_str(), named.as_str());
                let problem = (found != (game.name(), &stem(&path)))
                    .then(|| format!("{} is a table of {} {named}", path.display(), header.game));
                (Some(table), problem)
            }
            Err(error) => (None, Some(sentence(&ProbeError::from(error), ""))),
        };
        ListedFile { game, path, table, bytes, problem }
    }

    /// Where it lies.
    #[cfg(feature = "serve")]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The material that its name says.
    pub fn material(&self) -> String {
        material_in(&self.path)
    }

    /// Why it cannot be used, if it cannot.
    #[cfg(feature = "serve")]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn words(&self) -> String {
        let material = stem(&self.path);
        let said = match (&self.problem, &self.table) {
            (Some(problem), _) => problem.clone(),
            (None, Some(table)) => {
                let usual = self.game.usual_options();
                let header = table.header();
                let side = header.side.iter().map(|side| format!("{side} to move alone"));
                side.chain(options_in_words(&header.options, &usual)).collect::<Vec<_>>().join(", ")
            }
            (None, None) => String::new(),
        };
        let size = bytes(self.bytes);
        let text = format!("{:<12} {material:<10} {size:>10}  {said}", self.game.name());
        text.trim_end().to_owned()
    }

    /// What it is, for programs.
    pub fn json(&self) -> Value {
        let header = self.table.as_ref().map(Table::header);
        json!({
            "file": slashed(&self.path),
            "game": self.game.name(),
            "material": self.material(),
            "contents": header.map(|header| &header.contents),
            "options": header.map(|header| &header.options),
            "side": header.and_then(|header| header.side.as_ref()),
            "distances": header.map(|header| header.contents == Contents::Distance.name()),
            "bytes": self.bytes,
            "checksum": self.table.as_ref().map(|table| format!("{:08x}", table.checksum())),
            "error": self.problem,
        })
    }
}

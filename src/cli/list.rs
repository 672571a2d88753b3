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
    answer::Contents,
    index::Material,
    probe::{ProbeError, TableDirectories, options_in_words},
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    table::{BlockCache, Table},
};

/// Lists tables, and what is wrong with them as far as opening them shows it.
pub fn run(args: ListArgs) -> Result<()> {
    let folder = &args.tables.tables;
    if !folder.is_dir() {
        bail!("the folder {} does not exist", folder.display());
    }
    if let Some(plan) = &args.plan {
        return list_plan::run(plan, folder, args.json);
    }
    let games = match args.game {
        Some(game) => vec![game],
        None => GameName::ALL.to_vec(),
    };
    let wanted = match args.game {
        Some(game) => named(game, &args.materials)?,
        None => Vec::new(),
    };
    let directories = TableDirectories::new(folder, BlockCache::default());
    let mut listed = Vec::new();
    for game in games {
        let files = directories.files(game.name())?.into_iter();
        let is_wanted = |path: &PathBuf| {
            let name = stem(path);
            wanted.is_empty() || wanted.contains(&name)
        };
        listed.extend(files.filter(is_wanted).map(|path| ListedFile::new(game, path)));
    }
    let missing = wanted.iter().find(|name| !listed.iter().any(|file| stem(&file.path) == **name));
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

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file of the list.
struct ListedFile {
    game: GameName,
    path: PathBuf,
    table: Option<Table>,
    /// The length of the file.
    bytes: u64,
    /// Why it cannot be used.
    problem: Option<String>,
}

impl ListedFile {
    fn new(game: GameName, path: PathBuf) -> ListedFile {
        let bytes = path.metadata().map_or(0, |file| file.len());
        let (table, problem) = match Table::open(&path) {
            Ok(table) => {
                let header = table.header();
                let found = (header.game.as_str(), &header.material);
                let problem = (found != (game.name(), &stem(&path))).then(|| {
                    format!("{} is a table of {} {}", path.display(), header.game, header.material)
                });
                (Some(table), problem)
            }
            Err(error) => (None, Some(sentence(&ProbeError::from(error), ""))),
        };
        ListedFile { game, path, table, bytes, problem }
    }

    fn words(&self) -> String {
        let material = stem(&self.path);
        let said = match (&self.problem, &self.table) {
            (Some(problem), _) => problem.clone(),
            (None, Some(table)) => {
                let usual = self.game.usual_options();
                let mut said = options_in_words(&table.header().options, &usual);
                if self.distances() == Some(false) {
                    said.push("no distances".to_owned());
                }
                said.join(", ")
            }
            (None, None) => String::new(),
        };
        let size = bytes(self.bytes);
        let text = format!("{:<12} {material:<10} {size:>10}  {said}", self.game.name());
        text.trim_end().to_owned()
    }

    /// Whether the table has distances, if those of its game can do without.
    fn distances(&self) -> Option<bool> {
        struct Held<'a>(&'a Table);
        impl Task for Held<'_> {
            type Output = Contents;
            fn run<G: Complete>(self, game: G) -> Contents {
                game.contents(self.0)
            }
        }
        let table = self.table.as_ref().filter(|_| self.game.contents().len() > 1)?;
        let held = self.game.play(RuleOptions::none(), Held(table)).ok()?;
        Some(held == Contents::Distance)
    }

    fn json(&self) -> Value {
        let header = self.table.as_ref().map(Table::header);
        json!({
            "file": self.path,
            "game": self.game.name(),
            "material": stem(&self.path),
            "options": header.map(|header| &header.options),
            "distances": self.distances(),
            "bytes": self.bytes,
            "error": self.problem,
        })
    }
}

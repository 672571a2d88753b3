//! `finale site`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{
    args::SiteArgs,
    games::material,
    list::ListedFile,
    progress::Bar,
    say::say,
    units::{bytes, count},
    variants,
};
use crate::{
    answer::TableName,
    explore::{Advice, Count, Explorer, Refusal, counters, explorer_of, games_object},
    index::Material,
    probe::TableDirectories,
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    serve::files_alone,
    table::BlockCache,
};

/// The file that a page runs; the page tells from its bytes whether it is compressed.
const PROGRAM: &str = "finale.wasm";

/// Writes a page with its tables that any web server can hand out.
pub fn run(args: SiteArgs) -> Result<()> {
    let program = program(args.program)?;
    if fs::read_dir(&args.out).is_ok_and(|mut entries| entries.next().is_some()) {
        let out = args.out.display();
        bail!("{out} is not empty; name a new folder, or remove what is in it");
    }
    let games = match args.game {
        Some(game) => vec![game],
        None => GameName::known(),
    };
    let tables = args.tables.folder("site")?;
    let from = TableDirectories::new(tables, BlockCache::new(0));
    let mut chosen = Vec::new();
    for game in games {
        chosen.extend(choose(game, &args.materials, &from)?);
    }
    if chosen.is_empty() {
        bail!("there are no tables in {}; build some first", tables.display());
    }
    // Under another name until it is whole.
    let parent = args.out.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let cannot = || format!("cannot write {}", args.out.display());
    fs::create_dir_all(parent).with_context(cannot)?;
    let unfinished =
        tempfile::Builder::new().prefix(".finale-site-").tempdir_in(parent).with_context(cannot)?;
    let written = write(unfinished.path(), &program, &chosen).with_context(cannot)?;
    count_tables(unfinished.path(), &chosen)?;
    fs::rename(unfinished.path(), &args.out).with_context(cannot)?;
    // What the system lets nobody but its owner enter no web server can hand out.
    open_to_all(&args.out).with_context(cannot)?;
    say(format_args!(
        "{} ({}) and a page in {out}; any web server will do: python3 -m http.server --directory {out}",
        count(chosen.len(), "table"),
        bytes(written),
        out = args.out.display(),
    ));
    Ok(())
}

#[cfg(unix)]
fn open_to_all(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The program of a page: what is named, or what lies beside this program.
fn program(named: Option<PathBuf>) -> Result<Vec<u8>> {
    let beside = || Some(env::current_exe().ok()?.parent()?.join(PROGRAM));
    let Some(path) = named.clone().or_else(beside) else {
        bail!("name the program of the page with --program; tools/site/build makes it");
    };
    fs::read(&path).with_context(|| match named {
        Some(path) => format!("cannot read {}", path.display()),
        None => format!(
            "the program of the page is not at {}; name it with --program, or make it with \
             tools/site/build",
            path.display()
        ),
    })
}

/// A table of the page.
struct Chosen {
    game: GameName,
    file: ListedFile,
}

/// The tables of a game that there are: all, or those of some materials and all that their turns
/// lead to. Files that cannot be used are named and passed over.
fn choose(game: GameName, materials: &[String], from: &TableDirectories) -> Result<Vec<Chosen>> {
    let wanted = match materials.is_empty() {
        true => None,
        false => Some(game.play(RuleOptions::none(), Needed(materials))??),
    };
    let mut chosen = Vec::new();
    let mut there = BTreeSet::new();
    for path in from.files(game.name())? {
        let name = TableName::of(&path).map(|name| name.material.to_string());
        if wanted
            .as_ref()
            .is_some_and(|(_, all)| name.as_ref().is_none_or(|name| !all.contains(name)))
        {
            continue;
        }
        let file = ListedFile::new(game, path);
        match file.problem() {
            Some(problem) => say(format_args!("left out: {problem}")),
            None => {
                there.extend(name);
                chosen.push(Chosen { game, file });
            }
        }
    }
    let named = wanted.map(|(named, _)| named).unwrap_or_default();
    if let Some(missing) = named.iter().find(|material| !there.contains(*material)) {
        bail!("there is no table for {missing} of {}; build it first", game.name());
    }
    Ok(chosen)
}

/// Materials as their tables are named, and all that their turns lead to.
struct Needed<'a>(&'a [String]);

impl Task for Needed<'_> {
    type Output = Result<(Vec<String>, BTreeSet<String>)>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let named = self.0.iter().map(|text| Ok(game.named(&material(text)?)?));
        let named = named.collect::<Result<Vec<Material>>>()?;
        let (mut all, mut ahead) = (BTreeSet::new(), named.clone());
        while let Some(material) = ahead.pop() {
            if all.insert(material.to_string()) {
                ahead.extend(game.needs(&material));
            }
        }
        Ok((named.iter().map(Material::to_string).collect(), all))
    }
}

/// Writes the page, its program and its tables; the bytes of the tables.
fn write(out: &Path, program: &[u8], chosen: &[Chosen]) -> Result<u64> {
    for (path, content) in files_alone() {
        let path = out.join(path);
        fs::create_dir_all(path.parent().unwrap_or(out))?;
        fs::write(path, content)?;
    }
    fs::write(out.join(PROGRAM), program)?;
    let tables = out.join("tables");
    let (mut index, mut written) = (Vec::new(), 0);
    let bar = Bar::new();
    for (at, Chosen { game, file }) in chosen.iter().enumerate() {
        bar.table(at + 1, chosen.len());
        let folder = tables.join(game.name());
        fs::create_dir_all(&folder)?;
        let name = file.path().file_name().unwrap_or_default();
        written += fs::copy(file.path(), folder.join(name))?;
        let mut entry = file.json();
        entry["file"] = Path::new(game.name()).join(name).to_string_lossy().into();
        index.push(entry);
    }
    bar.clear();
    fs::write(tables.join("index.json"), format!("{}\n", Value::Array(index)))?;
    if let Some(variants) = variants::file() {
        fs::copy(variants, tables.join("variants.ini"))?;
    }
    Ok(written)
}

/// Writes which games there are, and what a page asks of whole tables, beside these.
fn count_tables(out: &Path, chosen: &[Chosen]) -> Result<()> {
    let tables = out.join("tables");
    let directories = TableDirectories::new(&tables, BlockCache::default());
    let counters = counters(&directories, &RuleOptions::none(), Advice::PUBLIC)?;
    let games = games_object(counters.iter().map(|counter| -> &dyn Explorer { &**counter }));
    let cannot = || format!("cannot write into {}", tables.display());
    fs::write(tables.join("games.json"), games.to_string()).with_context(cannot)?;
    let mut materials: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for Chosen { game, file } in chosen {
        materials.entry(game.name()).or_default().insert(file.material());
    }
    let bar = Bar::new();
    let all = materials.values().map(BTreeSet::len).sum();
    let each = materials.iter().flat_map(|(game, all)| all.iter().map(move |one| (*game, one)));
    for (at, (game, material)) in each.enumerate() {
        bar.table(at + 1, all);
        let Ok(counter) = explorer_of(&counters, game) else { continue };
        for (folder, what) in [("stats", Count::Stats), ("histogram", Count::Histogram)] {
            let object = match what.make(&**counter, material, &bar) {
                Ok(object) => object,
                // The game has no histograms, or what a turn leads to is not there.
                Err(Refusal::Unknown(_) | Refusal::Missing(_)) => continue,
                Err(refusal) => bail!("{game} {material}: {}", words(refusal)),
            };
            let folder = tables.join(folder).join(game);
            let cannot = || format!("cannot write into {}", folder.display());
            fs::create_dir_all(&folder).with_context(cannot)?;
            let text = Value::Object(object).to_string();
            fs::write(folder.join(format!("{material}.json")), text).with_context(cannot)?;
        }
    }
    bar.clear();
    Ok(())
}

fn words(refusal: Refusal) -> String {
    let error = refusal.object().remove("error");
    error.as_ref().and_then(Value::as_str).unwrap_or("it cannot be counted").to_owned()
}

//! `finale site`.

use std::{
    collections::{BTreeSet, HashSet},
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
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
    answer::{Contents, materials_with},
    explore::{Advice, Count, Explorer, Refusal, counters, games_object},
    index::Material,
    probe::{TableDirectories, slashed},
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
        for one in choose(game, &args.materials, &from)? {
            if !chosen.iter().any(|other: &Chosen| other.file.path() == one.file.path()) {
                chosen.push(one);
            }
        }
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
    count_tables(unfinished.path())?;
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

/// Up to so many men, the tables of other games come along that a game uses: Orphic Chess is orthodox
/// once the reserve is empty.
const LENT: usize = 5;

/// The tables of a game that there are: all, or those of some materials and all that their turns
/// lead to. Files that cannot be used are named and passed over.
fn choose(game: GameName, materials: &[String], from: &TableDirectories) -> Result<Vec<Chosen>> {
    let paths = game.play(RuleOptions::none(), Wanted { materials, from })??;
    let mut chosen = Vec::new();
    for path in paths {
        let folder = path.parent().and_then(Path::file_name);
        let game = folder.and_then(|name| GameName::find(name.to_str()?)).unwrap_or(game);
        let file = ListedFile::new(game, path);
        match file.problem() {
            Some(problem) => say(format_args!("left out: {problem}")),
            None => chosen.push(Chosen { game, file }),
        }
    }
    Ok(chosen)
}

/// The files that a page of a game wants.
struct Wanted<'a> {
    materials: &'a [String],
    from: &'a TableDirectories,
}

impl Task for Wanted<'_> {
    type Output = Result<Vec<PathBuf>>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let Wanted { materials, from } = self;
        let named = materials.iter().map(|text| Ok(game.named(&material(text)?)?));
        let named = named.collect::<Result<Vec<Material>>>()?;
        let there = |material: &Material| -> Vec<PathBuf> {
            let ids = game.table_ids(material, Contents::Result);
            ids.iter().map(|id| from.path(id)).filter(|path| path.exists()).collect()
        };
        if named.is_empty() {
            let mut paths = from.files(game.name())?;
            // Nothing is lent to games that have no tables of their own here.
            if !paths.is_empty() {
                let lent =
                    materials_with(&game, LENT, true).into_iter().flat_map(|one| there(&one));
                paths
                    .extend(lent.filter(|path| !path.starts_with(from.folder().join(game.name()))));
            }
            return Ok(paths);
        }
        let (mut met, mut ahead, mut paths) = (HashSet::new(), named.clone(), Vec::new());
        while let Some(material) = ahead.pop() {
            if met.insert(material) {
                ahead.extend(game.needs(&material));
                paths.extend(there(&material));
            }
        }
        if let Some(missing) = named.iter().find(|material| there(material).is_empty()) {
            bail!("there is no table for {missing} of {}; build it first", game.name());
        }
        Ok(paths)
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
        entry["file"] = slashed(&Path::new(game.name()).join(name)).into();
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
fn count_tables(out: &Path) -> Result<()> {
    let tables = out.join("tables");
    let directories = TableDirectories::new(&tables, BlockCache::default());
    let counters = counters(&directories, &RuleOptions::none(), Advice::PUBLIC)?;
    let games = games_object(counters.iter().map(|counter| -> &dyn Explorer { &**counter }));
    let cannot = || format!("cannot write into {}", tables.display());
    fs::write(tables.join("games.json"), games.to_string()).with_context(cannot)?;
    let mut all = Vec::new();
    for counter in &counters {
        let listed = counter.tables(LENT).map_err(|refusal| anyhow!(words(refusal)))?;
        let materials = listed["tables"].as_array().into_iter().flatten();
        let materials = materials.filter_map(|table| Some(table["material"].as_str()?.to_owned()));
        all.extend(materials.collect::<BTreeSet<_>>().into_iter().map(|one| (counter, one)));
    }
    let bar = Bar::new();
    for (at, (counter, material)) in all.iter().enumerate() {
        bar.table(at + 1, all.len());
        let game = counter.name();
        for (folder, what) in [("stats", Count::Stats), ("histogram", Count::Histogram)] {
            let object = match what.make(&***counter, material, &bar) {
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

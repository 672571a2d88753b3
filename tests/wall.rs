//! Data flows one way through the rooms, and so do the sources: this test sees to it.
//!
//! It reads the files under `src/` and draws an arrow from each file to every file that it takes
//! something from. Three things fail: an arrow back, from a room to one that comes after it; a room
//! that has no place in the order; and a circle of files. The order is [`ROOMS`] and, within the
//! solver, [`ENGINE`]: to change it, or to give a new room its place, change a line there.
//!
//! An arrow is a `use`, or a path in code and in macros that hold expressions. It goes to the file
//! where the name is defined. A module that passes on (`pub use`) what lies below it is looked
//! through, and passing on is no arrow; what it passes on from elsewhere is its own, and is one. A
//! glob goes to the file of its module. Not seen: methods, attributes, what other macros hold. Not
//! looked at: modules and imports of `#[cfg(test)]`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use syn::{
    Attribute, Expr, Item, ItemUse, Macro, Token, UseTree, Visibility, punctuated::Punctuated,
    visit, visit::Visit,
};

/// The house: each room may use itself and those before it.
const ROOMS: &[&str] = &[
    "src/lock",
    "src/board",
    "src/parallel",
    "src/progress",
    "src/rules",
    "src/index",
    "src/table",
    "src/answer",
    "src/probe",
    "src/fetch",
    "src/verify",
    "src/solve",
    "src/pack",
    "src/study",
    "src/find",
    "src/games",
    "src/registry",
    "src/story",
    "src/explore",
    "src/serve",
    "src/cli",
    "src/lib.rs",
    "src/main.rs",
];

/// The solver, in the same way. Its last room is what no other line names.
const ENGINE: &[&str] = &[
    "src/solve/parts",
    "src/solve/error",
    "src/solve/goal",
    "src/solve/engine/lanes",
    "src/solve/engine/slice",
    "src/solve/engine/spill",
    "src/solve/engine/pages",
    "src/solve/engine/ladder",
    "src/solve/engine/clock",
    "src/solve/engine/builder",
    "src/solve/engine/mod.rs",
    "src/solve/game",
    "src/solve/games",
    "src/solve",
];

#[test]
fn rooms_use_only_those_before_them() {
    none(&offences(&read("src"), "src/", ROOMS));
}

#[test]
fn the_engines_rooms_use_only_those_before_them() {
    none(&offences(&read("src"), "src/solve/engine/", ENGINE));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    none(&circles(&Modules::arrows(&read("src"))));
}

fn none(lines: &[String]) {
    let advice = "Move the item to a room before, or to a file of its own, or pass it in. A new \
                  room must be given its place in the order: see tests/wall.rs.";
    assert!(lines.is_empty(), "\n{}\n{advice}\n", lines.join("\n"));
}

/// Texts by path: `src/board/mod.rs`.
type Sources = BTreeMap<String, String>;

fn read(folder: &str) -> Sources {
    let mut sources = Sources::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = format!("{folder}/{}", entry.expect("an entry").file_name().display());
        if Path::new(&path).is_dir() {
            sources.extend(read(&path));
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a text");
            sources.insert(path, text);
        }
    }
    sources
}

/// What files take from which files: the names.
type Arrows = BTreeMap<(String, String), String>;

/// The arrows back, and the files in a folder that are in no room of it.
fn offences(sources: &Sources, folder: &str, order: &[&str]) -> Vec<String> {
    let stem = |path: &str| format!("{}/", path.trim_end_matches(".rs"));
    // Of the rooms that a file is under, the longest path is its own.
    let place = |file: &str| {
        let rooms = (0..order.len()).filter(|&at| stem(file).starts_with(&stem(order[at])));
        let own = rooms.max_by_key(|&at| order[at].len())?;
        (order[own].starts_with(folder) || !file.starts_with(folder)).then_some(own)
    };
    let lost = sources.keys().filter(|file| file.starts_with(folder) && place(file).is_none());
    let lost = lost.map(|file| format!("{file} is in no room of the order"));
    let arrows = Modules::arrows(sources);
    let back = arrows.iter().filter_map(|((from, to), names)| {
        let (before, after) = (place(from)?, place(to)?);
        let name = |at: usize| order[at].trim_end_matches("/mod.rs").rsplit('/').next();
        let (room, later) = (name(before)?, name(after)?);
        let line = || format!("{from} uses {to} ({names}), but {later} comes after {room}");
        (after > before).then(line)
    });
    lost.chain(back).collect()
}

/// All that can be reached from a file.
fn reach<'a>(arrows: &'a Arrows, file: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut ahead) = (BTreeSet::new(), vec![file]);
    while let Some(file) = ahead.pop() {
        let next = arrows.range((file.to_owned(), String::new())..).map(|(arrow, _)| arrow);
        let next = next.take_while(|(from, _)| from == file).map(|(_, to)| to.as_str());
        ahead.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

/// The arrows among files that reach each other.
fn circles(arrows: &Arrows) -> Vec<String> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|(from, _)| (&from[..], reach(arrows, from))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let mut circles = BTreeMap::new();
    for ((from, to), names) in arrows.iter().filter(|((from, to), _)| leads(to, from)) {
        let first = reached[&from[..]].iter().find(|file| leads(file, from));
        let circle = circles.entry(first).or_insert_with(|| vec!["A circle of files:".to_owned()]);
        circle.push(format!("    {from} → {to}: {names}"));
    }
    circles.into_values().flatten().collect()
}

/// A name that a module imports, or all of another: `*`.
struct Import {
    path: Vec<String>,
    name: String,
    passed_on: bool,
}

/// What a module, of a file, speaks of.
#[derive(Default)]
struct Module {
    file: String,
    imports: Vec<Import>,
    paths: Vec<Vec<String>>,
}

impl Module {
    fn import(&mut self, tree: &UseTree, mut path: Vec<String>, passed_on: bool) {
        let (last, renamed) = match tree {
            UseTree::Group(group) => {
                return group.items.iter().for_each(|t| self.import(t, path.clone(), passed_on));
            }
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                return self.import(&tree.tree, path, passed_on);
            }
            UseTree::Glob(_) => ("*".to_owned(), None),
            UseTree::Name(tree) => (tree.ident.to_string(), None),
            UseTree::Rename(tree) => (tree.ident.to_string(), Some(tree.rename.to_string())),
        };
        path.extend(Some(last).filter(|last| last != "self"));
        let name = renamed.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
        self.imports.push(Import { path, name, passed_on });
    }
}

impl Visit<'_> for Module {
    fn visit_item_use(&mut self, item: &ItemUse) {
        if !of_tests(&item.attrs) && item.leading_colon.is_none() {
            self.import(&item.tree, Vec::new(), !matches!(item.vis, Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() {
            self.paths.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &Macro) {
        let parsed = called.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        parsed.iter().flatten().for_each(|expression| self.visit_expr(expression));
        visit::visit_macro(self, called);
    }

    // `pub(in crate::solve)` takes nothing.
    fn visit_visibility(&mut self, _: &Visibility) {}
}

fn of_tests(attributes: &[Attribute]) -> bool {
    let mut lists = attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok());
    lists.any(|list| list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}

/// The modules by their paths: `crate::solve::games`.
#[derive(Default)]
struct Modules(BTreeMap<String, Module>);

impl Modules {
    fn add_file(&mut self, sources: &Sources, key: &str) {
        let path = key.replacen("crate", "src", 1).replace("::", "/");
        let files = [".rs", "/mod.rs", "/lib.rs"].map(|end| format!("{path}{end}"));
        let file = files.iter().find(|file| sources.contains_key(*file)).expect(&path);
        let parsed = syn::parse_file(&sources[file]).expect(file);
        self.add(sources, key, file, &parsed.items);
    }

    fn add(&mut self, sources: &Sources, key: &str, file: &str, items: &[Item]) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            match item {
                Item::Mod(inner) if of_tests(&inner.attrs) => {}
                Item::Mod(inner) => {
                    let key = format!("{key}::{}", inner.ident);
                    match &inner.content {
                        Some((_, items)) => self.add(sources, &key, file, items),
                        None => self.add_file(sources, &key),
                    }
                }
                item => module.visit_item(item),
            }
        }
        self.0.insert(key.to_owned(), module);
    }

    /// The module that a path in a module leads to, and the name it takes there.
    fn resolve(&self, from: &str, path: &[String]) -> Option<(String, String)> {
        let mut at = from.to_owned();
        for (step, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => "crate".clone_into(&mut at),
                "self" => {}
                "super" => at.truncate(at.rfind("::").unwrap_or(at.len())),
                _ if self.0.contains_key(&format!("{at}::{name}")) => at = format!("{at}::{name}"),
                _ => {
                    let imported = self.follow(&at, name, &path[step + 1..], at == from);
                    // What begins with an unknown name is of another crate, or local.
                    return imported.or_else(|| (step > 0).then(|| (at, name.clone())));
                }
            }
        }
        Some((at, path.last()?.clone()))
    }

    /// Where an imported name is from: any for the module itself, for others what it passes on.
    fn follow(&self, at: &str, name: &str, rest: &[String], own: bool) -> Option<(String, String)> {
        // An import that begins with its own name is of another crate: `anyhow::anyhow`.
        let named = |it: &&Import| it.name == name && name != "*" && it.path[0] != name;
        let import = self.0[at].imports.iter().find(named)?;
        let found = self.resolve(at, &[&import.path, rest].concat())?;
        (own || import.passed_on && is_below(&found.0, at)).then_some(found)
    }

    fn arrows(sources: &Sources) -> Arrows {
        let mut modules = Self::default();
        modules.add_file(sources, "crate");
        let mut arrows = BTreeMap::<_, BTreeSet<_>>::new();
        for (key, module) in &modules.0 {
            let imported = module.imports.iter().filter_map(|import| {
                let to = modules.resolve(key, &import.path)?;
                let passed_on = import.passed_on && import.name != "*" && is_below(&to.0, key);
                (!passed_on).then_some(to)
            });
            let spoken = module.paths.iter().filter_map(|path| match &path[..] {
                // Perhaps imported, and never a module.
                [name] => modules.follow(key, name, &[], true),
                _ => modules.resolve(key, path),
            });
            for (to, name) in imported.chain(spoken) {
                let arrow = (module.file.clone(), modules.0[&to].file.clone());
                arrows.entry(arrow).or_default().insert(name);
            }
        }
        arrows.retain(|(from, to), _| from != to);
        arrows.into_iter().map(|(arrow, names)| (arrow, Vec::from_iter(names).join(", "))).collect()
    }
}

fn is_below(module: &str, above: &str) -> bool {
    format!("{module}::").starts_with(&format!("{above}::"))
}

/// The offences and the circles in a house with a cellar, and an attic after it.
fn small(cellar: &str, attic: &str, more: &[(&str, &str)]) -> [String; 2] {
    let files = [("lib", "mod cellar; mod attic;"), ("cellar/mod", cellar), ("attic", attic)];
    let path = |&(name, text): &(&str, &str)| (format!("src/{name}.rs"), text.to_owned());
    let sources = files.iter().chain(more).map(path).collect();
    let order = ["src/cellar", "src/attic", "src/lib.rs"];
    [offences(&sources, "src/", &order), circles(&Modules::arrows(&sources))]
        .map(|lines| lines.join("\n"))
}

#[test]
fn a_room_may_use_those_before_it() {
    let cellar = "mod a; mod b; pub use a::A; #[cfg(test)] mod tests { use crate::attic::Roof; }";
    let more = [("cellar/a", "use super::b::B;"), ("cellar/b", "use std::fmt; fn f(g: fmt::A) {}")];
    assert_eq!(small(cellar, "use crate::cellar::A;", &more), ["", ""]);
}

#[test]
fn an_arrow_back_fails() {
    for cellar in [
        "use crate::attic::Roof;",
        "use super::attic; fn f() -> attic::Roof {}",
        "fn f() { assert_eq!(1, super::attic::Roof::new()) }",
    ] {
        let [offences, _] = small(cellar, "", &[]);
        assert!(offences.starts_with("src/cellar/mod.rs uses src/attic.rs (Roof"), "{offences}");
        assert!(offences.ends_with("), but attic comes after cellar"), "{offences}");
    }
}

#[test]
fn an_unknown_room_fails() {
    let [offences, _] = small("", "", &[("shed/mod", "")]);
    assert_eq!(offences, "src/shed/mod.rs is in no room of the order");
}

#[test]
fn a_circle_of_files_fails() {
    let cellar = "mod a; mod b; pub use a::A; pub(crate) use b::B;";
    for through in ["use super::b::B;", "use super::B;"] {
        let more = [("cellar/a", through), ("cellar/b", "use crate::cellar::a::A as C;")];
        let lines = "A circle of files:
    src/cellar/a.rs → src/cellar/b.rs: B
    src/cellar/b.rs → src/cellar/a.rs: A";
        assert_eq!(small(cellar, "", &more), ["", lines]);
    }
}

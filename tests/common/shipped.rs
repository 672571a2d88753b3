//! The tables that come with the repository.

// Each test program uses some of it.
#![allow(dead_code)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where they are.
pub const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

/// Their files, as `<game>/<material>.ftb`. Others may lie beside them that somebody has built.
pub fn files() -> BTreeSet<PathBuf> {
    let listed =
        Command::new("git").args(["ls-files", "-z", "*.ftb"]).current_dir(SHIPPED).output();
    let listed = listed.expect("git is installed");
    assert!(listed.status.success(), "this is a checkout");
    let names = String::from_utf8(listed.stdout).expect("plain names");
    names.split_terminator('\0').map(PathBuf::from).collect()
}

/// Copies those of some games into a folder.
pub fn copy(games: &[&str], folder: &Path) {
    let of_games = |name: &PathBuf| games.iter().any(|game| name.starts_with(game));
    for name in files().into_iter().filter(of_games) {
        let copy = folder.join(&name);
        fs::create_dir_all(copy.parent().expect("a game")).expect("a folder for the game");
        fs::copy(Path::new(SHIPPED).join(&name), copy).expect("room for a copy");
    }
}

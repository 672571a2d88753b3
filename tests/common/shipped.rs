//! Copies of the tables that come with the repository.

use std::{fs, path::Path};

/// Where they are.
#[allow(dead_code, reason = "some tests only copy them")]
pub const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

/// Copies those of some games into a folder.
pub fn copy(games: &[&str], folder: &Path) {
    for game in games {
        let (from, to) = (Path::new(SHIPPED).join(game), folder.join(game));
        fs::create_dir_all(&to).expect("a folder for the game");
        for file in fs::read_dir(from).expect("the shipped tables") {
            let file = file.expect("a table");
            fs::copy(file.path(), to.join(file.file_name())).expect("room for a copy");
        }
    }
}

//! What an engine links with the library is few crates: this test has the list.
//!
//! It asks cargo what `default-features = false` links, macros and build scripts left out.

use std::{collections::BTreeSet, process::Command};

/// The crates of the library that only plays and probes.
const PROBING: &[&str] = &[
    "cfg-if",
    "crc32fast",
    "equivalent",
    "finale",
    "hashbrown",
    "indexmap",
    "itoa",
    "memchr",
    "quick_cache",
    "rustc-hash",
    "serde",
    "serde_core",
    "serde_json",
    "thiserror",
    "zmij",
    "zstd",
    "zstd-safe",
    "zstd-sys",
];

/// What tells the crates, but for how deep they lie.
const TREE: &str = "tree --locked --offline --no-default-features --edges normal,no-proc-macro";

#[test]
fn probing_links_these_crates_and_no_others() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(TREE.split(' '));
    let told = cargo.args(["--prefix", "none"]).output().expect("cargo runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let lines = String::from_utf8(told.stdout).expect("a text");
    let linked: BTreeSet<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    let listed = BTreeSet::from_iter(PROBING.iter().copied());
    let (more, less): (Vec<_>, Vec<_>) =
        (linked.difference(&listed).collect(), listed.difference(&linked).collect());
    assert!(
        more.is_empty() && less.is_empty(),
        "\nWithout features the library links {more:?} besides, and no longer {less:?}.\n\
         What only building needs belongs to the feature `build`: make it optional in Cargo.toml.\n\
         If probing cannot do without, or with less, change the list in tests/crates.rs.\n\
         `cargo {TREE}` shows what brings them along.\n"
    );
}

//! What a release has besides the program: `finale-release DIR` writes `completions/`, a file per shell,
//! and `man/`, a page per command.

use std::{env, fs, path::Path};

use anyhow::{Context, Result};
use clap::ValueEnum;
use clap_complete::Shell;

fn main() -> Result<()> {
    let folder = env::args_os().nth(1).context("finale-release DIR")?;
    let [completions, man] = ["completions", "man"].map(|name| Path::new(&folder).join(name));
    for folder in [&completions, &man] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    for &shell in Shell::value_variants() {
        clap_complete::generate_to(shell, &mut finale::cli::command(), "finale", &completions)?;
    }
    clap_mangen::generate_to(finale::cli::command(), &man)?;
    Ok(())
}

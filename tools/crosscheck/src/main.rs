//! Compares win, draw and loss of every position in the tables of up to four men of orthodox
//! chess, Atomic chess, Antichess or Shatranj with the Syzygy tables.

mod compare;
mod game;
mod memory;
mod shatranj;

use std::{
    fs,
    num::NonZeroU64,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::{Comparison, Played, Published, compare};
use finale::{index::Material, probe::Tablebase};
use game::Game;
use memory::InMemory;
use shakmaty::{
    Chess,
    variant::{Antichess, Atomic},
};
use shatranj::Shatranj;

/// Compares the tables of up to four men with Syzygy tables.
///
/// Goes through every legal position of every table in TABLES, en passant included, and looks it
/// up in both. A win or a loss that the 50-move rule would make a draw counts as one. Exit code: 0
/// if all agree, 1 if not or if a table is missing or damaged.
#[derive(Parser)]
struct Args {
    /// The folder that `finale build` writes to, with a folder named like the game in it
    tables: PathBuf,
    /// The folder with the files `*.rtbw`, or those of another game:
    /// `*.atbw` of Atomic chess, `*.gtbw` of Antichess, `*.jtbw` of Shatranj
    syzygy: PathBuf,
    /// The game
    #[arg(long, value_enum, default_value_t = Game::Orthodox)]
    game: Game,
    /// Compare one of so many positions of each table
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroU64,
    /// Compare no tables of more men
    #[arg(long, value_name = "N", default_value_t = 4)]
    men: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let different = match args.game {
        Game::Orthodox => run::<Chess>(&args),
        Game::Atomic => run::<Atomic>(&args),
        Game::Antichess => run::<Antichess>(&args),
        Game::Shatranj => run::<Shatranj>(&args),
    };
    match different {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Compares all tables and prints what it finds; returns how many look-ups differ.
fn run<P: Played>(args: &Args) -> Result<u64> {
    let materials = materials(args)?;
    let ours = Tablebase::new(args.game.variant()?, &args.tables);
    let mut theirs = Published::<P>::with_filesystem(Arc::new(InMemory));
    theirs
        .add_directory(&args.syzygy)
        .with_context(|| format!("cannot read {}", args.syzygy.display()))?;
    println!(
        "{:<9}{:>13}{:>13}{:>12}{:>12}{:>11}",
        "table", "positions", "compared", "passing", "compared", "different"
    );
    let start = Instant::now();
    let mut total = Comparison::default();
    for material in &materials {
        let found = compare(&ours, &theirs, material, args.every.get())
            .with_context(|| format!("comparing {material}"))?;
        print_row(&material.to_string(), &found);
        if let Some(example) = &found.example {
            println!("         such as {example}");
        }
        total.merge(found);
    }
    print_row("total", &total);
    let compared = total.plain.compared + total.passing.compared;
    println!(
        "{} tables, {compared} positions compared in {:.0} seconds, {} different",
        materials.len(),
        start.elapsed().as_secs_f64(),
        total.different
    );
    Ok(total.different)
}

fn print_row(name: &str, found: &Comparison) {
    println!(
        "{name:<9}{:>13}{:>13}{:>12}{:>12}{:>11}",
        found.plain.positions,
        found.plain.compared,
        found.passing.positions,
        found.passing.compared,
        found.different
    );
}

/// The materials to compare that have a table, fewest men first.
fn materials(args: &Args) -> Result<Vec<Material>> {
    let folder: &Path = &args.tables.join(args.game.name());
    let men = args.game.fewest_men()..=args.men;
    let cannot = || format!("cannot read {}", folder.display());
    let mut materials = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "ftb") {
            let material = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            materials.extend(material.filter(|material: &Material| men.contains(&material.len())));
        }
    }
    ensure!(
        !materials.is_empty(),
        "{} has no tables of {} to {} men",
        folder.display(),
        men.start(),
        men.end()
    );
    materials.sort_by_key(|material| (material.len(), material.to_string()));
    Ok(materials)
}

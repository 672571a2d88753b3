//! Compares win, draw and loss of every position in the orthodox tables of three and four men
//! with the Syzygy tables.

mod compare;
mod memory;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::{Comparison, Syzygy, compare};
use finale::{
    index::Material,
    probe::Tablebase,
    rules::Variant,
};
use memory::InMemory;

/// Compares the orthodox tables of three and four men with Syzygy tables.
///
/// Goes through every legal position of every table in TABLES, en passant included, and looks it
/// up in both. A win or a loss that the 50-move rule would make a draw counts as one. Exit code: 0
/// if all agree, 1 if not or if a table is missing or damaged.
#[derive(Parser)]
struct Args {
    /// The folder that `finale build` writes to, with `orthodox` in it
    tables: PathBuf,
    /// The folder with the files `*.rtbw`
    syzygy: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Compares all tables and prints what it finds; returns how many look-ups differ.
fn run(args: &Args) -> Result<u64> {
    let materials = materials(&args.tables.join("orthodox"))?;
    let ours = Tablebase::new(Variant::orthodox(), &args.tables);
    let mut theirs = Syzygy::with_filesystem(Arc::new(InMemory));
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
        let found =
            compare(&ours, &theirs, material).with_context(|| format!("comparing {material}"))?;
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

/// The materials of three and four men that have a table in `folder`, fewest men first.
fn materials(folder: &Path) -> Result<Vec<Material>> {
    let cannot = || format!("cannot read {}", folder.display());
    let mut materials = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "ftb") {
            let material = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            materials
                .extend(material.filter(|material: &Material| (3..=4).contains(&material.len())));
        }
    }
    ensure!(!materials.is_empty(), "{} has no tables of three or four men", folder.display());
    materials.sort_by_key(|material| (material.len(), material.to_string()));
    Ok(materials)
}

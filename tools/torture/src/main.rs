//! Does to finale what users, other programs and the system may do to it, many times over, each
//! time a little differently. It prints the seed and what came of the rounds, and exits with 1 at
//! the first round in which finale did harm; a round can be repeated alone by its seed.

mod builds;
mod damage;
mod disk;
mod forgery;
mod hostile;

#[path = "../../../tests/common/forge.rs"]
mod forge;
#[path = "../../../tests/common/seal.rs"]
mod seal;
#[path = "../../../tests/common/sound.rs"]
mod sound;

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
    time::Instant,
};

use clap::{Parser, ValueEnum};
use fastrand::Rng;
use rayon::prelude::*;

#[derive(Debug, Parser)]
struct Args {
    /// What to do
    campaign: Campaign,

    /// How many times
    rounds: u64,

    /// The seed of the first round; each round has the next one [default: of the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// The program
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/finale"))]
    finale: PathBuf,

    /// The tables that come with the repository
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables"))]
    tables: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Campaign {
    /// Flips, cuts, swaps and overwrites bytes of a table: what is read must be right
    Damage,
    /// Changes a table and sets its checksums right, then asks it everything
    Forge,
    /// Kills or stops a build at some moment: what is there must be complete
    Kill,
    /// Starts builds side by side in a folder: all must be done, and the tables as ever
    SideBySide,
    /// Gives texts that are not quite positions, records, materials or options
    Hostile,
    /// Builds on a disk that is full after some bytes
    Disk,
}

/// What a round needs besides its dice.
struct Round<'a> {
    args: &'a Args,
    /// The bytes of the tables that come with the repository, and of those that tests keep, some of
    /// which hold results alone; by their path below the folder.
    shipped: &'a BTreeMap<PathBuf, Vec<u8>>,
}

/// Tables that tests keep.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/format5");

/// The same packed: of one side to move, some with entries in another order.
const PACKED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/format5-packed");

fn main() -> ExitCode {
    let args = Args::parse();
    let seed = args.seed.unwrap_or_else(|| Rng::new().u64(..1 << 32));
    println!("seed {seed}");
    let mut shipped = damage::shipped(Path::new(KEPT));
    shipped.extend(damage::shipped(&args.tables));
    shipped.extend(damage::shipped(Path::new(PACKED)));
    let round = Round { args: &args, shipped: &shipped };
    let play = match args.campaign {
        Campaign::Damage => damage::round,
        Campaign::Forge => forgery::round,
        Campaign::Kill => builds::kill,
        Campaign::SideBySide => builds::side_by_side,
        Campaign::Hostile => hostile::round,
        Campaign::Disk => disk::round,
    };
    let start = Instant::now();
    let outcomes: Mutex<BTreeMap<&str, u64>> = Mutex::default();
    let failed = (seed..seed + args.rounds).into_par_iter().find_any(|&seed| {
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            play(&round, &mut Rng::with_seed(seed)).expect("the round can be played")
        }));
        match outcome {
            Ok(counts) => {
                let mut outcomes = outcomes.lock().expect("no holder panics");
                for (outcome, count) in counts {
                    *outcomes.entry(outcome).or_default() += count;
                }
                false
            }
            Err(_) => true,
        }
    });
    for (outcome, count) in &*outcomes.lock().expect("no holder panics") {
        println!("{count:>10} {outcome}");
    }
    match failed {
        Some(seed) => {
            println!("failed: --seed {seed} with 1 round does it again");
            ExitCode::FAILURE
        }
        None => {
            println!("{} rounds in {:.0} s, no harm", args.rounds, start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
    }
}

/// What came of a round: outcomes with how often they came.
type Outcomes = anyhow::Result<Vec<(&'static str, u64)>>;

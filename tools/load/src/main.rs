//! Asks `finale serve` as much as it can bear, and 10,000 things that it should not be asked, and
//! prints how many answers came, how soon, and what memory the server took. It exits with 1 if an
//! answer fails or the server is harmed; how fast is fast enough is for its reader to say.
//!
//! Client and server share the machine, so what the server could do alone is more.

mod client;
mod hostile;
mod load;
mod positions;
mod server;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, ensure};
use clap::Parser;
use fastrand::Rng;

use self::{
    load::load,
    positions::{GAMES, questions},
    server::Server,
};

#[derive(Debug, Parser)]
struct Args {
    /// Connections at the same time
    #[arg(long, default_value_t = 64)]
    connections: usize,

    /// Requests of each measurement
    #[arg(long, default_value_t = 100_000)]
    requests: usize,

    /// Requests while memory is watched
    #[arg(long, default_value_t = 1_000_000)]
    many: usize,

    /// Hostile requests
    #[arg(long, default_value_t = 10_000)]
    hostile: usize,

    /// The seed of all chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The program
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/finale"))]
    finale: PathBuf,

    /// The tables that come with the repository
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables"))]
    tables: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    println!("{} connections", args.connections);
    let mut rng = Rng::with_seed(args.seed);
    for game in GAMES {
        let server = Server::start(&args.finale, &args.tables)?;
        // Blocks of tables are unpacked once, before the clock runs.
        load(&server, &questions(game, 10_000, &mut rng), args.connections)?;
        let fresh = load(&server, &questions(game, args.requests, &mut rng), args.connections)?;
        println!("{game}, each position asked once: {fresh}");
        let few = questions(game, 1000, &mut rng);
        let again: Vec<String> = few.iter().cycle().take(args.requests).cloned().collect();
        let known = load(&server, &again, args.connections)?;
        println!("{game}, the same thousand again and again: {known}");
    }
    let server = Server::start(&args.finale, &args.tables)?;
    if args.many > 0 {
        const PARTS: usize = 10;
        for part in 1..=PARTS {
            let game = GAMES[part % GAMES.len()];
            load(&server, &questions(game, args.many / PARTS, &mut rng), args.connections)?;
            let megabytes = server.memory()? as f64 / 1e6;
            println!("memory after {} requests: {megabytes:.1} MB", args.many / PARTS * part);
        }
    }
    let before = server.memory()?;
    let counts = hostile::attack(&server, args.hostile, args.connections, &mut rng)?;
    println!("{} hostile requests: {counts}", args.hostile);
    load(&server, &questions(GAMES[0], 1000, &mut rng), args.connections)?;
    let after = server.memory()?;
    println!("memory before {:.1} MB, after {:.1} MB", before as f64 / 1e6, after as f64 / 1e6);
    ensure!(after < before + (64 << 20), "the hostile requests left too much in memory");
    server.stop()
}

//! The command line, one file per command.
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 if the command did what it
//! was asked, 1 if it failed, 2 if it was written wrongly.

mod args;
mod build;
mod games;
mod hints;
mod info;
mod inspect;
mod list;
mod perft;
mod probe;
mod progress;
mod replay;

use std::{io, process::ExitCode};

use clap::Parser;

use args::{Cli, Command};

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Build(args) => build::run(args),
        Command::Probe(args) => probe::run(args),
        Command::Line(args) => inspect::line(args),
        Command::Stats(args) => inspect::stats(args),
        Command::Verify(args) => inspect::verify(args),
        Command::List(args) => list::run(args),
        Command::Info(args) => info::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Perft(args) => perft::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", hints::sentence(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

/// A command that is written wrongly in a way the argument parser cannot know.
#[derive(Debug, thiserror::Error)]
#[error("{0}; see `finale --help`")]
struct Usage(String);

/// Whether whoever reads our output has heard enough: `finale … | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

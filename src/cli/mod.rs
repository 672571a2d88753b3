//! The command line, one file or folder per command.
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 if the command did what it
//! was asked, 1 if it failed, 2 for a usage error, and 130 or 143 if it was told to stop by SIGINT
//! or SIGTERM.

// Both panic where nothing can be written; see [`say::say`].
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod batch;
mod build;
mod check;
mod csv;
mod diagram;
mod engine;
mod export;
mod find;
mod games;
mod hints;
mod info;
mod limits;
mod line;
mod list;
mod list_plan;
mod matches;
mod note;
mod pack;
#[cfg(not(feature = "export"))]
#[path = "no_parquet.rs"]
mod parquet;
#[cfg(feature = "export")]
mod parquet;
mod perft;
mod probe;
mod progress;
mod record;
mod replay;
mod rule_args;
mod rules;
mod say;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod site;
mod stats;
mod stop;
mod tables;
mod uci;
mod units;
mod usage;
mod variants;
mod verify;
mod xboard;

use std::{io, process::ExitCode};

use clap::{CommandFactory, Parser, error::ErrorKind};

use args::{Cli, Command};
use say::say;
use usage::Usage;

use crate::find::QueryError;

/// All that can be typed, for who writes completions of it, or manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // What games there are says which arguments are right.
    if let Err(error) = variants::load(std::env::args_os()) {
        say(format_args!("error: {error:#}"));
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        let _ = error.print();
        if error.kind() == ErrorKind::InvalidValue {
            std::env::args().filter_map(|name| variants::refused(&name)).for_each(say);
        }
        if error.kind() == ErrorKind::UnknownArgument && std::env::args().any(is_bare_placement) {
            say("hint: put a FEN into quotes, or write `_` for each of its spaces");
        }
        std::process::exit(error.exit_code());
    });
    let typed = cli.command.typed_options();
    if !stops_itself(&cli.command) {
        stop::watch();
    }
    let result = limits::prepare().and_then(|()| run(cli.command));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("error: {}", hints::sentence(error.as_ref(), &typed)));
            ExitCode::from(if error.is::<Usage>() || error.is::<QueryError>() { 2 } else { 1 })
        }
    }
}

/// Whether an argument is the first field of a FEN, which a shell has cut off from the others.
fn is_bare_placement(argument: String) -> bool {
    argument.matches('/').count() == 7 && !argument.contains([' ', '_'])
}

/// Whether a command ends in its own way when it is told to stop.
fn stops_itself(command: &Command) -> bool {
    match command {
        #[cfg(feature = "serve")]
        Command::Serve(_) => true,
        _ => false,
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Build(args) => build::run(args),
        Command::Probe(args) => probe::run(args),
        Command::Line(args) => line::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Export(args) => export::run(args),
        Command::Find(args) => find::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Pack(args) => pack::run(args),
        Command::List(args) => list::run(args),
        Command::Info(args) => info::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Check(args) => check::run(args),
        Command::Uci(args) => uci::run(args),
        Command::Xboard(args) => xboard::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "serve")]
        Command::Site(args) => site::run(args),
    }
}

/// Whether whoever reads our output has heard enough: `finale … | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

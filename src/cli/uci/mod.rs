//! `finale uci`: an engine that plays from tables, for programs that speak the Universal Chess
//! Interface.
//!
//! An answer takes milliseconds, so a line is heard when the one before has been answered, and
//! `stop` comes to an engine that has thought already. What is not understood is said to people, as
//! an `info string`, and never ends the engine.

mod command;
mod player;
mod score;
mod session;
mod variant;

use std::{
    io::{self, BufRead, Read, Write},
    ops::ControlFlow,
};

use anyhow::{Context, Result};

use self::session::Session;
use super::{args::UciArgs, usage::Usage};

/// The most bytes of a line that is read: a game of more turns than any game has.
const LONGEST_LINE: u64 = 1 << 20;

/// Plays until it is told to end, or nobody speaks any more.
pub fn run(args: UciArgs) -> Result<()> {
    let session = Session::new(args.game, args.rules, args.tables);
    let mut session = session.map_err(|error| Usage(error.to_string()))?;
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    while let Some(line) = next_line(&mut input).context("cannot read stdin")? {
        let ControlFlow::Continue(said) = session.hear(&line) else { break };
        for line in said {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// The next line, if there is one; of one that is too long only the beginning.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

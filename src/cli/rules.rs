//! `finale rules`.

use std::io::{self, Write};

use anyhow::Result;

use super::args::RulesArgs;

/// Prints the rules of a game in short, its FEN and its notation.
pub fn run(args: RulesArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{}", args.game.primer())?;
    Ok(())
}

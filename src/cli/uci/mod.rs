//! `finale uci`: an engine that plays from tables, for programs that speak the Universal Chess
//! Interface.
//!
//! An answer takes milliseconds, so a line is heard when the one before has been answered, and
//! `stop` comes to an engine that has thought already. What is not understood is said to people, as
//! an `info string`, and never ends the engine.

mod command;
mod session;

use anyhow::Result;

use self::session::Session;
use super::{args::EngineArgs, engine::converse};

/// Plays until it is told to end, or nobody speaks any more.
pub fn run(args: EngineArgs) -> Result<()> {
    let mut session = Session::new(args)?;
    converse(|line| session.hear(line))
}

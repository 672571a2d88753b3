//! `finale xboard`: an engine that plays from tables, for programs that speak the Chess Engine
//! Communication Protocol of XBoard, version 2.
//!
//! Here the engine keeps the game: it hears each turn, and knows when it is its own. What is not
//! understood is answered by an `Error`, and never ends the engine.

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

//! What engines have in common, whatever protocol they speak: who plays a game, what a position is
//! worth, what can be set, and how lines are read.

mod desk;
mod player;
mod score;
pub mod variant;

use std::{
    fmt,
    io::{self, BufRead, Read, Write},
    ops::ControlFlow,
};

use anyhow::{Context, Result};

pub use self::{
    desk::{Desk, MOST_LINES},
    player::{RankedLine, Thought},
    score::Score,
};

/// The most bytes of a line that is read: a game of more turns than any game has.
const LONGEST_LINE: u64 = 1 << 20;

/// So much of what is no command is repeated.
const LONGEST_QUOTE: usize = 200;

/// Reads lines from standard input, and writes what is said to each, until that is the end, or
/// nobody speaks any more.
///
/// # Errors
/// If standard input cannot be read, or standard output not be written.
pub fn converse(mut hear: impl FnMut(&str) -> ControlFlow<(), Vec<String>>) -> Result<()> {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    while let Some(line) = next_line(&mut input).context("cannot read stdin")? {
        let ControlFlow::Continue(said) = hear(&line) else { break };
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

/// What is said, line by line.
#[derive(Default)]
pub struct Said(pub Vec<String>);

impl Said {
    /// Says a line. What is quoted in it may have anything in it, which makes no other line.
    pub fn line(&mut self, line: impl fmt::Display) {
        self.0.push(line.to_string().replace(char::is_control, " "));
    }
}

/// The beginning of what somebody said.
pub fn quoted(said: &str) -> String {
    said.trim().chars().take(LONGEST_QUOTE).collect()
}

/// What tests of conversations have in common.
#[cfg(test)]
pub mod testing {
    use std::{fs, ops::ControlFlow, path::Path};

    use proptest::{prelude::*, test_runner::TestRunner};

    use crate::{cli::args::EngineArgs, registry::GameName, rules::RuleOptions};

    /// The folder of the tables that ship.
    pub const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

    /// An engine that plays orthodox chess from them.
    pub fn args() -> EngineArgs {
        args_from(Path::new(SHIPPED))
    }

    /// An engine that plays orthodox chess from the tables in a folder.
    pub fn args_from(folder: &Path) -> EngineArgs {
        let game = GameName::find("orthodox").expect("a game that is built in");
        EngineArgs { game, rules: RuleOptions::none(), tables: vec![folder.to_owned()] }
    }

    /// Copies some of those that ship into a folder, for tests of what is not there: beside those
    /// that ship may lie others that somebody has built.
    pub fn copy(materials: &[&str], folder: &Path) {
        fs::create_dir_all(folder.join("orthodox")).expect("a folder");
        for material in materials {
            let name = format!("orthodox/{material}.ftb");
            let from = Path::new(SHIPPED).join(&name);
            fs::copy(from, folder.join(name)).expect("room for a copy");
        }
    }

    /// What is said to a line, which ends nothing.
    pub fn said(line: &str, heard: ControlFlow<(), Vec<String>>) -> Vec<String> {
        match heard {
            ControlFlow::Continue(said) => said,
            ControlFlow::Break(()) => panic!("{line:?} ends it"),
        }
    }

    /// Says lines of such words to conversations: none ends, and each is answered in lines.
    pub fn say_anything<S>(
        words: &'static str,
        begin: impl Fn() -> S,
        hear: impl Fn(&mut S, &str) -> ControlFlow<(), Vec<String>>,
    ) {
        let line = prop::collection::vec(words, 0..8).prop_map(|words| words.join(" "));
        let lines = prop::collection::vec(line, 0..24);
        let mut runner = TestRunner::new(ProptestConfig::with_cases(64));
        let outcome = runner.run(&lines, |lines| {
            let mut session = begin();
            for line in lines {
                let told = said(&line, hear(&mut session, &line));
                let broken = told.iter().any(|line| line.contains(char::is_control));
                prop_assert!(!broken, "{line:?}: {told:?}");
            }
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{error}"));
    }
}

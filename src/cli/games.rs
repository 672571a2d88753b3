//! The games of the registry as arguments.

use anyhow::Result;
use clap::{ValueEnum, builder::PossibleValue};

use super::{Usage, args::GameArgs};
use crate::registry::{GameName, Task};

impl ValueEnum for GameName {
    fn value_variants<'a>() -> &'a [GameName] {
        GameName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.title()))
    }
}

/// Does a task in the game that was named, with the options that were given.
pub fn play(args: &GameArgs, task: impl Task<Output = Result<()>>) -> Result<()> {
    let done = args.game.play(args.rules.options(), task);
    done.map_err(|error| Usage(error.to_string()))?
}

//! The games of the registry as arguments, and their materials.

use anyhow::Result;
use clap::{ValueEnum, builder::PossibleValue};

use super::{args::GameArgs, usage::Usage};
use crate::{
    index::Material,
    registry::{GameName, Task},
};

impl ValueEnum for GameName {
    fn value_variants<'a>() -> &'a [GameName] {
        GameName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.title()))
    }
}

/// Reads a material as people type it: `krvk` is understood as `KRvK`.
///
/// # Errors
/// If it is not a material either way.
pub fn material(text: &str) -> Result<Material> {
    text.parse().or_else(|error| {
        let tidy: String = text
            .chars()
            .map(|c| if c.eq_ignore_ascii_case(&'v') { 'v' } else { c.to_ascii_uppercase() })
            .collect();
        Ok(tidy.parse().map_err(|_| error)?)
    })
}

/// Does a task in the game that was named, with the options that were given.
pub fn play(args: &GameArgs, task: impl Task<Output = Result<()>>) -> Result<()> {
    let done = args.game.play(args.rules.clone(), task);
    done.map_err(|error| Usage(error.to_string()))?
}

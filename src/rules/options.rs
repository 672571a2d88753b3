//! Rule options: what games declare, and what was chosen.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

/// A rule option as its game declares it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleOption {
    /// Its name on the command line, in the headers of tables and in records of games.
    pub name: &'static str,
    /// What stands for its value where the option is shown: `POINTS`.
    pub value_name: &'static str,
    /// What it decides, and what its value can be.
    pub help: &'static str,
    /// What its value is where none is chosen, in words.
    pub default: &'static str,
    /// Whether its value is a word that records of games name. Others are read from a file.
    pub recorded: bool,
}

/// Option names and their values in text, from which a game takes those it knows.
#[derive(Clone, Debug, Default)]
pub struct RuleOptions(BTreeMap<&'static str, String>);

/// A rule option that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The game has no such option.
    #[error("{game} has no option --{name}")]
    Unknown {
        /// The game's name.
        game: &'static str,
        /// The option.
        name: &'static str,
    },
    /// The value is wrong.
    #[error("--{name} {text}: {problem}")]
    Value {
        /// The option.
        name: &'static str,
        /// What it was given.
        text: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

impl RuleOptions {
    /// No options: every game with its defaults.
    pub fn none() -> RuleOptions {
        RuleOptions::default()
    }

    /// Sets an option, if there is a value for it.
    pub fn set(&mut self, name: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.0.insert(name, value);
        }
    }

    /// Whether an option is set.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The options that are set, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(&name, value)| (name, value.as_str()))
    }

    /// Takes an option out, read as a `T`; the default of `T` if it is not set.
    ///
    /// # Errors
    /// If the value is none.
    pub fn take<T>(&mut self, option: &RuleOption) -> Result<T, OptionError>
    where
        T: FromStr<Err: Display> + Default,
    {
        let name = option.name;
        let Some(text) = self.0.remove(name) else { return Ok(T::default()) };
        text.parse().map_err(|error: T::Err| OptionError::Value {
            name,
            problem: error.to_string(),
            text,
        })
    }

    /// Makes sure that no option is left.
    ///
    /// # Errors
    /// If one is that `game` did not take.
    pub fn finish(&self, game: &'static str) -> Result<(), OptionError> {
        match self.0.keys().next() {
            Some(name) => Err(OptionError::Unknown { game, name }),
            None => Ok(()),
        }
    }
}

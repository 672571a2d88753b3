//! Which game is meant, by which rules.

use std::collections::BTreeMap;

use finale::{
    registry::{GameName, Task},
    rules::{OptionError, RuleOptions, VariantFile},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

/// Rule options as they were given by keyword, their values as text.
pub type Keywords = BTreeMap<String, String>;

/// A game with the rule options that were given.
#[derive(Clone)]
pub struct Chosen {
    /// The game.
    pub game: GameName,
    /// The options as they were given.
    pub keywords: Keywords,
}

impl Chosen {
    /// The game of this name by these rules.
    ///
    /// # Errors
    /// A `ValueError` if there is no such game, and a `TypeError` if the game has no such option.
    pub fn new(name: &str, keywords: Keywords) -> PyResult<Chosen> {
        let game = GameName::find(name).ok_or_else(|| no_game(name))?;
        let unknown = |name: &&String| game.options().iter().all(|option| option.name != **name);
        match keywords.keys().find(unknown) {
            Some(keyword) => Err(no_option(game, keyword)),
            None => Ok(Chosen { game, keywords }),
        }
    }

    /// Does a task in the game.
    ///
    /// # Errors
    /// A `ValueError` if an option has a value it cannot have.
    pub fn play<T: Task>(&self, task: T) -> PyResult<T::Output> {
        let mut options = RuleOptions::none();
        for option in self.game.options() {
            options.set(option.name, self.keywords.get(option.name).cloned());
        }
        self.game.play(options, task).map_err(|error| wrong_value(&error))
    }

    /// The options as they are written in a call: `, vitality='20'`.
    pub fn written(&self) -> String {
        self.keywords.iter().map(|(name, value)| format!(", {name}={}", quoted(value))).collect()
    }
}

/// A text as Python writes it.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Makes the games of a file of variants known, given as text. Tells of each section what stands in
/// its way.
///
/// # Errors
/// A `ValueError` if the text is no file of variants.
#[pyfunction]
pub fn load_variants(text: &str) -> PyResult<Vec<(String, Vec<String>)>> {
    let file = VariantFile::read(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let sections = GameName::add_all(&file).into_iter().map(|section| {
        let refusals = section.definition.err().unwrap_or_default();
        (section.name, refusals.iter().map(|refusal| refusal.to_string()).collect())
    });
    Ok(sections.collect())
}

fn no_game(name: &str) -> PyErr {
    let names: Vec<_> = GameName::known().into_iter().map(GameName::name).collect();
    PyValueError::new_err(format!("`{name}` is no game; there are {}", names.join(", ")))
}

fn no_option(game: GameName, keyword: &str) -> PyErr {
    let names: Vec<_> = game.options().iter().map(|option| option.name).collect();
    let there = match &names[..] {
        [] => "it has none".to_owned(),
        names => format!("it has {}", names.join(", ")),
    };
    PyTypeError::new_err(format!("{} has no rule option `{keyword}`; {there}", game.name()))
}

fn wrong_value(error: &OptionError) -> PyErr {
    PyValueError::new_err(match error {
        OptionError::Value { name, text, problem } => format!("{name}={}: {problem}", quoted(text)),
        OptionError::Unknown { .. } => error.to_string(),
    })
}

//! The games of the registry as arguments, and their materials.

use std::{ffi::OsStr, path::Path};

use anyhow::{Error, Result, anyhow};
use clap::{
    Arg, Command,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParserFactory},
    error::ContextKind,
};

use super::{args::GameArgs, hints::tables_option, usage::Usage, variants};
use crate::{
    answer::{Contents, Tabled},
    index::Material,
    probe::{TableDirectories, Tablebase},
    registry::{GameName, Task},
};

impl ValueParserFactory for GameName {
    type Parser = GameNameParser;

    fn value_parser() -> GameNameParser {
        GameNameParser
    }
}

/// Reads the name of a game. The collection is known, too, but not listed: it would fill a page of
/// each command's help. A name that is nearly one of it is told so all the same.
#[derive(Clone, Debug)]
pub struct GameNameParser;

impl GameNameParser {
    fn listed() -> impl Iterator<Item = PossibleValue> {
        let games = GameName::listed().into_iter();
        games.map(|game| PossibleValue::new(game.name()).help(game.title()))
    }
}

impl TypedValueParser for GameNameParser {
    type Value = GameName;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<GameName, clap::Error> {
        if let Some(game) = value.to_str().and_then(GameName::find) {
            return Ok(game);
        }
        let refused = |names: Vec<PossibleValue>| {
            let refused = PossibleValuesParser::new(names).parse_ref(command, argument, value);
            refused.expect_err("no game has this name")
        };
        // A name that is none is told which there are.
        let mut error = refused(Self::listed().collect());
        if error.get(ContextKind::SuggestedValue).is_none() {
            let collection = GameName::collection().into_iter();
            let collected = refused(collection.map(|game| game.name().into()).collect());
            if let Some(near) = collected.get(ContextKind::SuggestedValue) {
                error.insert(ContextKind::SuggestedValue, near.clone());
            }
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::listed()))
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

/// The tables of a game, once for each kind of contents, so that those looked into stay open.
pub struct ByContents<G: Tabled>(Vec<Tablebase<G>>);

impl<G: Tabled + Clone> ByContents<G> {
    /// Those in some directories.
    pub fn new(game: &G, directories: &TableDirectories) -> ByContents<G> {
        let preferring = |&kind| Tablebase::on(game.clone(), directories.clone()).preferring(kind);
        ByContents(G::CONTENTS.iter().map(preferring).collect())
    }

    /// Those that are asked for tables of these contents first.
    pub fn preferring(&self, contents: Contents) -> &Tablebase<G> {
        let kind = G::CONTENTS.iter().position(|&kind| kind == contents);
        &self.0[kind.unwrap_or(0)]
    }
}

/// Says that a folder has no tables of a game, and what builds some.
pub fn no_tables(args: &GameArgs, folder: &Path) -> Error {
    let game = args.game.name();
    anyhow!(
        "there are no tables of {game} in {}; build some with `finale build {game} --men 3{}{}`",
        folder.display(),
        args.typed() + &variants::option(game),
        tables_option(folder),
    )
}

/// Does a task in the game that was named, with the options that were given.
pub fn play(args: &GameArgs, task: impl Task<Output = Result<()>>) -> Result<()> {
    let done = args.game.play(args.rules.clone(), task);
    done.map_err(|error| Usage(error.to_string()))?
}

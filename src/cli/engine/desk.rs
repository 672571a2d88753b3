//! Where an engine sits: the game that is played, where its tables are looked for, and what can be set.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{
    player::{Player, Seat},
    variant,
};
use crate::{
    cli::{args::EngineArgs, tables::directories, units::count, usage::Usage},
    probe::{TableDirectories, address},
    registry::GameName,
    rules::RuleOptions,
    table::BlockCache,
};

/// The most turns that are ranked aloud. No position of chess has as many.
pub const MOST_LINES: usize = 500;

/// A game, who plays it, and what was set.
pub struct Desk {
    /// The rule options; each game takes those it knows.
    rules: RuleOptions,
    /// Where tables are looked for unless a program says something else.
    usual_folders: Vec<PathBuf>,
    directories: TableDirectories,
    game: GameName,
    /// Who plays it.
    pub player: Box<dyn Player>,
    /// How many turns are ranked aloud.
    pub lines: usize,
}

impl Desk {
    /// A desk as the command line sets it.
    ///
    /// # Errors
    /// If a rule option has a value it cannot have, or tables are at an address that cannot be
    /// reached.
    pub fn new(args: EngineArgs) -> Result<Desk> {
        let EngineArgs { game, rules, tables } = args;
        let directories = directories(&tables, BlockCache::default())?;
        let seat = |game: GameName| {
            let player = game.play_by(&rules, Seat(directories.clone()));
            player.map_err(|error| Usage(error.to_string()))
        };
        // A program may ask for each game; whoever starts the engine hears what is wrong.
        GameName::known().into_iter().try_for_each(|game| seat(game).map(drop))?;
        Ok(Desk { player: seat(game)?, rules, usual_folders: tables, directories, game, lines: 1 })
    }

    /// The game that is played.
    pub fn game(&self) -> GameName {
        self.game
    }

    /// Where its tables are looked for, as options have it.
    pub fn folders(&self) -> String {
        joined(self.directories.folders())
    }

    /// Takes a seat at the game of a name, where it begins. Says which tables of it there are;
    /// `option` is what programs call the choice of a game.
    ///
    /// # Errors
    /// Why not, as a sentence.
    pub fn choose(&mut self, name: &str, option: &str) -> Result<String, String> {
        let game = GameName::find(name).ok_or_else(|| {
            let names: Vec<&str> = variant::names().collect();
            format!("there is no game `{name}`; {option} is one of {}", names.join(", "))
        })?;
        self.sit(game)
    }

    /// Looks for tables in folders that are parted as in `PATH`, the last of which may be an address,
    /// or, if there are none, where the command line says. Says which there are.
    ///
    /// # Errors
    /// Why it cannot look there, as a sentence.
    pub fn look_in(&mut self, folders: &str) -> Result<String, String> {
        let folders = match folders {
            "" | "<empty>" => self.usual_folders.clone(),
            _ => parted(folders),
        };
        let found = directories(&folders, self.directories.cache().clone());
        self.directories = found.map_err(|error| format!("{error:#}"))?;
        self.sit(self.game)
    }

    /// Ranks so many turns aloud.
    ///
    /// # Errors
    /// If that is no such number, as a sentence.
    pub fn rank(&mut self, lines: &str) -> Result<(), String> {
        let wanted = lines.parse().ok().filter(|lines| (1..=MOST_LINES).contains(lines));
        self.lines = wanted.ok_or_else(|| format!("MultiPV is a number from 1 to {MOST_LINES}"))?;
        Ok(())
    }

    fn sit(&mut self, game: GameName) -> Result<String, String> {
        let player = game.play_by(&self.rules, Seat(self.directories.clone()));
        (self.game, self.player) = (game, player.map_err(|error| error.to_string())?);
        let there = self.player.tables().map_err(|error| error.to_string())?;
        Ok(format!("{} of {} in {}", count(there, "table"), game.title(), self.folders()))
    }
}

/// Folders that are parted as in `PATH`. Addresses have colons, too, so from where one begins all
/// is that address.
fn parted(folders: &str) -> Vec<PathBuf> {
    let mut parts = folders.char_indices().map(|(at, _)| folders.split_at(at));
    let Some((here, address)) = parts.find(|(_, rest)| address(Path::new(rest)).is_some()) else {
        return env::split_paths(folders).collect();
    };
    // What parts the address from the folders leaves nothing behind it.
    let here = env::split_paths(here).filter(|folder| !folder.as_os_str().is_empty());
    here.chain([PathBuf::from(address)]).collect()
}

/// Folders as they stand in an option.
fn joined<'f>(folders: impl Iterator<Item = &'f Path>) -> String {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let names: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
    names.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_folder_may_be_an_address() {
        let parted = |folders: &str| -> Vec<String> {
            parted(folders).iter().map(|folder| folder.display().to_string()).collect()
        };
        let separator = if cfg!(windows) { ";" } else { ":" };
        let address = "https://example.org:8443/tables";
        assert_eq!(parted(&["a b", "c"].join(separator)), ["a b", "c"]);
        assert_eq!(parted(address), [address]);
        assert_eq!(parted(&["a b", "c", address].join(separator)), ["a b", "c", address]);
    }
}

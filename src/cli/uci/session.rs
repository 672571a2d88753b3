//! A conversation with an engine: each line that is said to it, and what it says to that.

use std::{
    env, fmt,
    ops::ControlFlow::{self, Break, Continue},
    path::PathBuf,
    time::{Duration, Instant},
};

use super::{
    command::{Command, Go, Wait},
    player::{Player, RankedLine, Seat, Thought},
    variant,
};
use crate::{
    probe::TableDirectories,
    registry::GameName,
    rules::{OptionError, RuleOptions},
    table::BlockCache,
};

/// The most turns that are ranked aloud. No position of chess has as many.
const MOST_LINES: usize = 500;

/// A conversation.
pub struct Session {
    /// The rule options; each game takes those it knows.
    rules: RuleOptions,
    /// Where tables are looked for unless a program says something else.
    usual_folders: Vec<PathBuf>,
    directories: TableDirectories,
    game: GameName,
    player: Box<dyn Player>,
    /// How many turns are ranked aloud.
    lines: usize,
    /// Whether chances stand beside scores.
    shows_wdl: bool,
    /// The answer that is known and waits.
    held: Option<(Wait, String)>,
}

impl Session {
    /// A conversation about a game whose tables lie in some folders, of which there is one at least.
    ///
    /// # Errors
    /// If a rule option has a value it cannot have.
    pub fn new(
        game: GameName,
        rules: RuleOptions,
        folders: Vec<PathBuf>,
    ) -> Result<Session, OptionError> {
        let directories = in_folders(&folders, BlockCache::default());
        let seat = |game: GameName| game.play_by(&rules, Seat(directories.clone()));
        // A program may ask for each game; whoever starts the engine hears what is wrong.
        GameName::ALL.iter().try_for_each(|&game| seat(game).map(drop))?;
        Ok(Session {
            player: seat(game)?,
            rules,
            usual_folders: folders,
            directories,
            game,
            lines: 1,
            shows_wdl: false,
            held: None,
        })
    }

    /// Hears a line, and says something to it, unless it is told to end.
    pub fn hear(&mut self, line: &str) -> ControlFlow<(), Vec<String>> {
        let mut said = Said::default();
        match Command::read(line) {
            Command::Uci => self.introduce(&mut said),
            Command::IsReady => said.line("readyok"),
            Command::SetOption { name, value } => self.set(&name, &value, &mut said),
            Command::Position { fen, turns } => {
                said.unless(self.player.place(fen.as_deref(), &turns));
            }
            Command::Go(go) => self.go(&go, &mut said),
            Command::Stop => self.release(Wait::Stop, &mut said),
            Command::PonderHit => self.release(Wait::PonderHit, &mut said),
            Command::Display => match self.player.fen() {
                Ok(fen) => said.line(format_args!("Fen: {fen}")),
                Err(sentence) => said.sentence(sentence),
            },
            Command::Quit => return Break(()),
            Command::Nothing => {}
            Command::Unknown => {
                said.sentence(format_args!("this is no command of UCI: {}", line.trim()));
            }
        }
        Continue(said.0)
    }

    fn introduce(&self, said: &mut Said) {
        said.line(concat!("id name finale ", env!("CARGO_PKG_VERSION")));
        said.line("id author the finale authors");
        let names: String = variant::names().map(|name| format!(" var {name}")).collect();
        let game = variant::common_name(self.game);
        said.line(format_args!("option name UCI_Variant type combo default {game}{names}"));
        let folders = joined(self.directories.folders());
        said.line(format_args!("option name TablePath type string default {folders}"));
        said.line(format_args!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"));
        said.line("option name UCI_ShowWDL type check default false");
        said.line("uciok");
    }

    /// Sets an option. Names are the same in capitals.
    fn set(&mut self, name: &str, value: &str, said: &mut Said) {
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => match variant::find(value) {
                Some(game) => self.sit(game, said),
                None => {
                    let names: Vec<&str> = variant::names().collect();
                    said.sentence(format_args!(
                        "there is no game `{value}`; UCI_Variant is one of {}",
                        names.join(", ")
                    ));
                }
            },
            "tablepath" => {
                let folders = match value {
                    "" | "<empty>" => self.usual_folders.clone(),
                    _ => env::split_paths(value).collect(),
                };
                self.directories = in_folders(&folders, self.directories.cache().clone());
                self.sit(self.game, said);
            }
            "multipv" => match value.parse() {
                Ok(lines) if (1..=MOST_LINES).contains(&lines) => self.lines = lines,
                _ => said.sentence(format_args!("MultiPV is a number from 1 to {MOST_LINES}")),
            },
            "uci_showwdl" => match value {
                "true" => self.shows_wdl = true,
                "false" => self.shows_wdl = false,
                _ => said.sentence("UCI_ShowWDL is true or false"),
            },
            _ => said.sentence(format_args!(
                "there is no option `{name}`, only UCI_Variant, TablePath, MultiPV and UCI_ShowWDL"
            )),
        }
    }

    /// Takes a seat at a game, where it begins, and says which tables there are.
    fn sit(&mut self, game: GameName, said: &mut Said) {
        match game.play_by(&self.rules, Seat(self.directories.clone())) {
            Ok(player) => (self.game, self.player) = (game, player),
            Err(error) => return said.sentence(error),
        }
        let folders = joined(self.directories.folders());
        match self.player.tables() {
            Ok(1) => said.sentence(format_args!("1 table of {} in {folders}", game.title())),
            Ok(count) => {
                said.sentence(format_args!("{count} tables of {} in {folders}", game.title()));
            }
            Err(error) => said.sentence(error),
        }
    }

    fn go(&mut self, go: &Go, said: &mut Said) {
        // Programs expect an answer to each `go`, in their order.
        self.release(Wait::Stop, said);
        if !go.unknown.is_empty() {
            said.sentence(format_args!("not understood of go: {}", go.unknown.join(" ")));
        }
        let start = Instant::now();
        let thought = self.player.think(&go.among, self.lines);
        self.tell(&thought, start.elapsed(), said);
        let best = match &thought.best {
            Some((turn, Some(expected))) => format!("bestmove {turn} ponder {expected}"),
            Some((turn, None)) => format!("bestmove {turn}"),
            // `0000` would be a pass, which is a turn in some games.
            None => "bestmove (none)".to_owned(),
        };
        match go.wait {
            Wait::Nothing => said.line(best),
            wait => self.held = Some((wait, best)),
        }
    }

    fn tell(&self, thought: &Thought, time: Duration, said: &mut Said) {
        for sentence in &thought.sentences {
            said.sentence(sentence);
        }
        let (nodes, time) = (thought.looked_up, time.as_millis());
        for (number, RankedLine { worth, turns }) in (1..).zip(&thought.lines) {
            let wdl = if self.shows_wdl { format!(" wdl {}", worth.wdl()) } else { String::new() };
            let score = worth.score;
            if turns.is_empty() {
                said.line(format_args!("info depth 0 score {score}{wdl}"));
                continue;
            }
            let plies = worth.plies.map_or(turns.len(), |plies| plies.0.into());
            let turns = turns.join(" ");
            said.line(format_args!(
                "info depth 1 seldepth {plies} multipv {number} score {score}{wdl} \
                 nodes {nodes} time {time} pv {turns}"
            ));
        }
    }

    /// Gives the answer that waits for this, or for less.
    fn release(&mut self, event: Wait, said: &mut Said) {
        if let Some((_, best)) = self.held.take_if(|(wait, _)| *wait <= event) {
            said.line(best);
        }
    }
}

/// What is said, line by line.
#[derive(Default)]
struct Said(Vec<String>);

impl Said {
    fn line(&mut self, line: impl fmt::Display) {
        self.0.push(line.to_string());
    }

    /// Says something to people.
    fn sentence(&mut self, sentence: impl fmt::Display) {
        // What is quoted may have anything in it.
        let words = sentence.to_string().replace(char::is_control, " ");
        self.line(format_args!("info string {words}"));
    }

    /// Says what is wrong, if something is.
    fn unless(&mut self, result: Result<(), String>) {
        if let Err(sentence) = result {
            self.sentence(sentence);
        }
    }
}

/// Tables in some folders, or in the current one if there are none.
fn in_folders(folders: &[PathBuf], cache: BlockCache) -> TableDirectories {
    let mut folders = folders.iter();
    let first = folders.next().cloned().unwrap_or_default();
    folders.fold(TableDirectories::new(first, cache), |all, folder| all.and(folder))
}

/// Folders as they stand in an option.
fn joined(folders: &[PathBuf]) -> String {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(separator)
}

//! Arguments that only some games know, made from what the games declare: rule options first.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::{
    answer::Contents,
    registry::GameName,
    rules::{RuleOption, RuleOptions},
};

/// The heading of rule options. It stands at each of them, for a heading for all to come would
/// be one for what a command adds too.
const HEADING: &str = "Rule options";

/// Every rule option there is, once, in the order of the games.
pub fn declared() -> Vec<&'static RuleOption> {
    let mut all: Vec<&RuleOption> = Vec::new();
    for option in GameName::all().iter().flat_map(|game| game.options()) {
        if all.iter().all(|other| other.name != option.name) {
            all.push(option);
        }
    }
    all
}

/// The names of the games of which something holds: `orphic, orphic-elks`.
fn games_with(holds: impl Fn(GameName) -> bool) -> String {
    let games = GameName::all().iter().filter(|&&game| holds(game));
    games.map(|game| game.name()).collect::<Vec<_>>().join(", ")
}

/// The help of `--from`.
pub fn from_help() -> String {
    let help = |game: &GameName| {
        let from = game.statistics_from()?;
        Some(format!("{}: {} [default: {}]", game.name(), from.help, from.default))
    };
    GameName::all().iter().filter_map(help).collect::<Vec<_>>().join("; ")
}

/// The help of `--contents` where tables are built.
pub fn contents_help() -> String {
    let games =
        |some| games_with(|game| game.contents().len() > 1 && game.contents().contains(&some));
    format!(
        "How much tables hold: `distance`, or `result` for tables that tell who wins, but not in \
         how many plies, and are much smaller ({}); `result`, or `points` for tables that also tell \
         by how many points, and are larger ({})",
        games(Contents::Distance),
        games(Contents::Points),
    )
}

/// The help of `--contents` where tables are packed.
pub fn packed_contents_help() -> String {
    format!("{} [default: as much as those they are made from]", contents_help())
}

fn argument(option: &'static RuleOption) -> Arg {
    let games = games_with(|game| game.options().iter().any(|own| own.name == option.name));
    Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .help(format!("{games}: {} [default: {}]", option.help, option.default))
        .help_heading(HEADING)
}

impl Args for RuleOptions {
    fn augment_args(command: Command) -> Command {
        command.args(declared().into_iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        RuleOptions::augment_args(command)
    }
}

impl FromArgMatches for RuleOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RuleOptions, clap::Error> {
        let mut options = RuleOptions::none();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in declared() {
            self.set(option.name, matches.get_one(option.name).cloned());
        }
        Ok(())
    }
}

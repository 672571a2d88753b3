//! The games there are: a line each.

use anyhow::Result;
use clap::ValueEnum;

use super::{Usage, args::GameArgs};
use crate::{
    rules::{Elks, Game, High, Noro, Orphic, Orthodox, Rooks, RuleOptions, Stylish, Tiebraker},
    study::Study,
};

/// Something to do in whatever game.
pub trait Task {
    /// Does it.
    fn run<G: Study>(self, game: G) -> Result<()>;
}

macro_rules! games {
    ($($name:ident => $game:ty),* $(,)?) => {
        /// The name of a game.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub enum GameName {
            $(
                #[doc = stringify!($game)]
                $name,
            )*
        }

        impl ValueEnum for GameName {
            fn value_variants<'a>() -> &'a [GameName] {
                &[$(GameName::$name),*]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(match self {
                    $(GameName::$name => {
                        let title = <$game as Study>::TITLE;
                        clap::builder::PossibleValue::new(<$game as Game>::NAME).help(title)
                    })*
                })
            }
        }

        fn with(name: GameName, mut options: RuleOptions, task: impl Task) -> Result<()> {
            match name {
                $(GameName::$name => {
                    let game = <$game>::from_options(&mut options);
                    let game = game.and_then(|game| {
                        options.finish(<$game as Game>::NAME)?;
                        Ok(game)
                    });
                    task.run(game.map_err(|error| Usage(error.to_string()))?)
                })*
            }
        }
    };
}

games! {
    Orthodox => Orthodox,
    High => High,
    Noro => Noro,
    Orphic => Orphic<Rooks>,
    OrphicElks => Orphic<Elks>,
    Stylish => Stylish,
    Tiebraker => Tiebraker,
}

/// Does a task in the game that was named, with the options that were given.
pub fn play(args: &GameArgs, task: impl Task) -> Result<()> {
    with(args.game, args.rules.options(), task)
}

//! The games there are: a line each.

use serde_json::{Map, Value};

use crate::{
    answer::{Contents, Tabled},
    pack::Pack,
    rules::{
        Elks, Game, High, KingOfTheHill, Noro, OptionError, Orphic, Orthodox, Rooks, RuleOption,
        RuleOptions, Stylish, Tiebraker, usual_options,
    },
    solve::Solve,
    study::{StatisticsFrom, Study},
    verify::Judged,
};

/// A game that can be played, built, probed, verified and studied.
pub trait Complete: Solve + Judged + Pack + Study {}

impl<G: Solve + Judged + Pack + Study> Complete for G {}

/// Something to do in whatever game.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Complete>(self, game: G) -> Self::Output;
}

macro_rules! games {
    ($($name:ident => $game:ty),* $(,)?) => {
        /// The name of a game.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum GameName {
            $(
                #[doc = concat!("`", stringify!($game), "`.")]
                $name,
            )*
        }

        impl GameName {
            /// Every game there is.
            pub const ALL: &'static [GameName] = &[$(GameName::$name),*];

            /// The name used in commands, folders and table headers: `high`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(GameName::$name => <$game as Game>::NAME,)*
                }
            }

            /// The name as its players write it: `High Chess`.
            pub const fn title(self) -> &'static str {
                match self {
                    $(GameName::$name => <$game as Study>::TITLE,)*
                }
            }

            /// The rule options it has.
            pub const fn options(self) -> &'static [RuleOption] {
                match self {
                    $(GameName::$name => <$game as Game>::OPTIONS,)*
                }
            }

            /// The rule options in force where none is chosen, as its tables have them.
            pub fn usual_options(self) -> Map<String, Value> {
                match self {
                    $(GameName::$name => usual_options::<$game>(),)*
                }
            }

            /// What its tables can hold; the first is what they hold unless something else is
            /// asked for.
            pub const fn contents(self) -> &'static [Contents] {
                match self {
                    $(GameName::$name => <$game as Tabled>::CONTENTS,)*
                }
            }

            /// From which other counters its statistics can be counted, if from any.
            pub const fn statistics_from(self) -> Option<StatisticsFrom> {
                match self {
                    $(GameName::$name => <$game as Study>::STATISTICS_FROM,)*
                }
            }

            /// Its rules in short, its FEN with an example, and its notation.
            pub fn primer(self) -> String {
                match self {
                    $(GameName::$name => <$game as Study>::primer(),)*
                }
            }

            /// Does a task in this game, played by the rules that `options` say.
            ///
            /// # Errors
            /// If an option is none of this game, or has a value it cannot have.
            pub fn play<T: Task>(
                self,
                mut options: RuleOptions,
                task: T,
            ) -> Result<T::Output, OptionError> {
                match self {
                    $(GameName::$name => {
                        let game = <$game>::from_options(&mut options)?;
                        options.finish(self.name())?;
                        Ok(task.run(game))
                    })*
                }
            }

            /// Does a task in this game, played by those of some options that it knows.
            ///
            /// # Errors
            /// If one of them has a value it cannot have.
            pub fn play_by<T: Task>(
                self,
                options: &RuleOptions,
                task: T,
            ) -> Result<T::Output, OptionError> {
                let mut options = options.clone();
                match self {
                    $(GameName::$name => Ok(task.run(<$game>::from_options(&mut options)?)),)*
                }
            }
        }
    };
}

impl GameName {
    /// The game of this [name](GameName::name).
    pub fn find(name: &str) -> Option<GameName> {
        GameName::ALL.iter().copied().find(|game| game.name() == name)
    }
}

games! {
    Orthodox => Orthodox,
    KingOfTheHill => KingOfTheHill,
    High => High,
    Noro => Noro,
    Orphic => Orphic<Rooks>,
    OrphicElks => Orphic<Elks>,
    Stylish => Stylish,
    Tiebraker => Tiebraker,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The options that a game has, by the name of each.
    struct Options;

    impl Task for Options {
        type Output = Map<String, Value>;

        fn run<G: Complete>(self, game: G) -> Self::Output {
            game.options()
        }
    }

    #[test]
    fn games_have_the_options_they_declare() {
        for &game in GameName::ALL {
            let usual = game.usual_options();
            let named: BTreeSet<&str> = usual.keys().map(String::as_str).collect();
            let declared: BTreeSet<&str> =
                game.options().iter().map(|option| option.name).collect();
            assert!(named.is_subset(&declared), "{game:?}");
            // This one came later than the first tables of its game.
            let left_out = declared.difference(&named).copied();
            assert!(left_out.eq((game.name() == "orphic").then_some("king")), "{game:?}");
            let mut options = RuleOptions::none();
            for option in game.options().iter().filter(|option| option.recorded) {
                options.set(option.name, Some(option.default.to_owned()));
            }
            assert_eq!(game.play(options, Options), Ok(usual), "{game:?}");
        }
    }

    #[test]
    fn options_of_one_name_are_one_option() {
        let all = || GameName::ALL.iter().flat_map(|game| game.options());
        for option in all() {
            assert!(all().all(|other| other.name != option.name || other == option), "{option:?}");
        }
    }
}

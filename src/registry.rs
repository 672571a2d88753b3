//! The games there are: a line each.

use crate::{
    rules::{
        Elks, Game, High, KingOfTheHill, Noro, OptionError, Orphic, Orthodox, Rooks, RuleOptions,
        Stylish, Tiebraker,
    },
    solve::Solve,
    study::Study,
    verify::Judged,
};

/// A game that can be played, built, probed, verified and studied.
pub trait Complete: Solve + Judged + Study {}

impl<G: Solve + Judged + Study> Complete for G {}

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

//! The games there are: those that are programs, a line each, and those that are values.

use std::sync::{LazyLock, RwLock};

use serde_json::{Map, Value};

use crate::{
    answer::{Contents, Tabled},
    lock,
    rules::{
        Elks, Game, High, Noro, OptionError, Orphic, Resolved, Rooks, RuleOption, RuleOptions,
        Stylish, Tiebraker, Variant, VariantFile, aliases, own_name, usual_options,
    },
};
#[cfg(feature = "build")]
use crate::{
    solve::Solve,
    study::{StatisticsFrom, Study},
    verify::Judged,
};

/// A game that can be played, probed, built, verified, packed and studied; without the feature
/// `build`, played and probed.
#[cfg(feature = "build")]
pub trait Complete: Solve + Judged + Study {}

#[cfg(feature = "build")]
impl<G: Solve + Judged + Study> Complete for G {}

/// A game that can be played and probed.
#[cfg(not(feature = "build"))]
pub trait Complete: Tabled {}

#[cfg(not(feature = "build"))]
impl<G: Tabled> Complete for G {}

/// Something to do in whatever game.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Complete>(self, game: G) -> Self::Output;
}

macro_rules! games {
    ($($name:ident => $game:ty),* $(,)?) => {
        /// A game by its name.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum GameName {
            $(
                #[doc = concat!("`", stringify!($name), "`, a program.")]
                $name,
            )*
            /// An ordinary variant of chess, which is a value.
            Ordinary(Variant),
        }

        /// The games that are programs.
        const PROGRAMS: &[GameName] = &[$(GameName::$name),*];

        impl GameName {
            /// The rule options it has.
            pub const fn options(self) -> &'static [RuleOption] {
                match self {
                    $(GameName::$name => <$game as Game>::OPTIONS,)*
                    GameName::Ordinary(_) => <Variant as Game>::OPTIONS,
                }
            }

            /// What its tables can hold; the first is what they hold unless something else is
            /// asked for.
            pub const fn contents(self) -> &'static [Contents] {
                match self {
                    $(GameName::$name => <$game as Tabled>::CONTENTS,)*
                    GameName::Ordinary(_) => <Variant as Tabled>::CONTENTS,
                }
            }

            /// From which other counters its statistics can be counted, if from any.
            #[cfg(feature = "build")]
            pub const fn statistics_from(self) -> Option<StatisticsFrom> {
                match self {
                    $(GameName::$name => <$game as Study>::STATISTICS_FROM,)*
                    GameName::Ordinary(_) => <Variant as Study>::STATISTICS_FROM,
                }
            }

            /// Does a task in this game by its usual rules.
            pub fn usually<T: Task>(self, task: T) -> T::Output {
                match self {
                    $(GameName::$name => task.run(<$game>::default()),)*
                    GameName::Ordinary(game) => task.run(game),
                }
            }

            /// Does a task in this game, played by the rules that `options` say.
            ///
            /// # Errors
            /// If an option is none of this game, or has a value it cannot have.
            pub fn play<T: Task>(
                self,
                options: RuleOptions,
                task: T,
            ) -> Result<T::Output, OptionError> {
                self.usually(Play { options, all: true, task })
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
                self.usually(Play { options: options.clone(), all: false, task })
            }
        }
    };
}

games! {
    High => High,
    Noro => Noro,
    Orphic => Orphic<Rooks>,
    OrphicElks => Orphic<Elks>,
    Stylish => Stylish,
    Tiebraker => Tiebraker,
}

/// The games that are known besides those that are built in.
static ADDED: RwLock<Vec<GameName>> = RwLock::new(Vec::new());

/// Another game has the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is a game called {0} already; give this one another name")]
pub struct NameTaken(pub &'static str);

impl GameName {
    /// Every game that is built in: ordinary variants first.
    pub fn all() -> &'static [GameName] {
        static ALL: LazyLock<Vec<GameName>> = LazyLock::new(|| {
            let ordinary = Variant::built_in().iter().map(|&game| GameName::Ordinary(game));
            ordinary.chain(PROGRAMS.iter().copied()).collect()
        });
        &ALL
    }

    /// Every game that is known: those that are built in, those that were [added](GameName::add),
    /// and those of the [collection](GameName::collection).
    pub fn known() -> Vec<GameName> {
        let mut known = GameName::listed();
        known.extend(GameName::collection());
        known
    }

    /// The same but for those of the collection.
    pub fn listed() -> Vec<GameName> {
        GameName::all().iter().copied().chain(lock::read(&ADDED).iter().copied()).collect()
    }

    /// The games of the collection but for those whose names others have that were added: they are
    /// known by name, and no tables of theirs ship.
    pub fn collection() -> Vec<GameName> {
        let added = lock::read(&ADDED);
        let is_free = |game: &GameName| added.iter().all(|other| other.name() != game.name());
        Variant::collection().iter().map(|&game| GameName::Ordinary(game)).filter(is_free).collect()
    }

    /// Makes a game known under its name for as long as the program runs.
    ///
    /// # Errors
    /// If another game has that name.
    pub fn add(game: Variant) -> Result<GameName, NameTaken> {
        let name = Game::name(&game);
        let mut added = lock::write(&ADDED);
        let known = GameName::all().iter().chain(added.iter()).find(|known| known.name() == name);
        match known {
            Some(&known) if known == GameName::Ordinary(game) => Ok(known),
            Some(_) => Err(NameTaken(name)),
            None => {
                added.push(GameName::Ordinary(game));
                Ok(GameName::Ordinary(game))
            }
        }
    }

    /// What becomes of the sections of a file: one that has the name of a built-in game is refused
    /// for that.
    pub fn resolve(file: &VariantFile) -> Vec<Resolved> {
        let mut sections = file.resolve();
        for section in &mut sections {
            if GameName::all().iter().any(|game| game.name() == section.name) {
                section.refuse("there is a built-in game of this name; choose another");
            }
        }
        sections
    }

    /// Makes the games of a file known, and tells what became of each section.
    pub fn add_all(file: &VariantFile) -> Vec<Resolved> {
        let mut sections = GameName::resolve(file);
        for section in &mut sections {
            let Ok(definition) = &section.definition else { continue };
            if let Err(error) = GameName::add(Variant::new(definition.clone())) {
                section.refuse(&error.to_string());
            }
        }
        sections
    }

    /// Other names that games which are built in have, in the order of those games: `chess`.
    pub fn aliases() -> impl Iterator<Item = &'static str> {
        aliases()
    }

    /// The game of this [name](GameName::name) among those that are known. Some that are built in
    /// have other names, too, such as `chess`.
    pub fn find(name: &str) -> Option<GameName> {
        let is_it = |game: &GameName| game.name() == name;
        let loaded = || lock::read(&ADDED).iter().copied().find(is_it);
        let renamed = || {
            let own = own_name(name);
            GameName::all().iter().copied().find(|game| game.name() == own)
        };
        // Most programs never need the collection, which takes two milliseconds to make.
        let collected = || GameName::collection().into_iter().find(is_it);
        let built_in = GameName::all().iter().copied().find(is_it);
        built_in.or_else(loaded).or_else(renamed).or_else(collected)
    }

    /// The name used in commands, folders and table headers: `high`.
    pub fn name(self) -> &'static str {
        self.usually(Name)
    }

    /// The rule options in force where none is chosen, as its tables have them.
    pub fn usual_options(self) -> Map<String, Value> {
        self.usually(UsualOptions)
    }
}

macro_rules! questions {
    ($($(#[$doc:meta])* $task:ident -> $output:ty = |$game:ident| $answer:expr;)*) => {$(
        $(#[$doc])*
        struct $task;

        impl Task for $task {
            type Output = $output;

            fn run<G: Complete>(self, $game: G) -> $output {
                $answer
            }
        }
    )*};
}

questions! {
    Name -> &'static str = |game| Game::name(&game);
    UsualOptions -> Map<String, Value> = |game| usual_options(&game);
}

/// What their study knows of games.
#[cfg(feature = "build")]
mod studied {
    use super::{Complete, GameName, Task};

    impl GameName {
        /// The name as its players write it: `High Chess`.
        pub fn title(self) -> &'static str {
            self.usually(Title)
        }

        /// Its rules in short, its FEN with an example, and its notation.
        pub fn primer(self) -> String {
            self.usually(Primer)
        }
    }

    questions! {
        Title -> &'static str = |game| game.title();
        Primer -> String = |game| game.primer();
    }
}

/// Does a task in a game played by the rules that options say.
struct Play<T> {
    options: RuleOptions,
    /// Whether every option must be one of the game.
    all: bool,
    task: T,
}

impl<T: Task> Task for Play<T> {
    type Output = Result<T::Output, OptionError>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let Play { mut options, all, task } = self;
        let chosen = game.with_options(&mut options)?;
        if all {
            options.finish(Game::name(&chosen))?;
        }
        Ok(task.run(chosen))
    }
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
    fn a_game_of_a_file_may_have_a_name_of_the_collection() {
        let collected = GameName::find("kinglet").expect("one of the collection");
        let file = VariantFile::read("[kinglet:extinction]\nextinctionPieceTypes = q\n");
        let added = GameName::add_all(&file.expect("a file")).remove(0);
        assert!(added.definition.is_ok());
        assert_ne!(GameName::find("kinglet"), Some(collected));
        assert_eq!(GameName::known().iter().filter(|game| game.name() == "kinglet").count(), 1);
        assert!(GameName::find("shatranj").is_some() && GameName::find("chequers").is_none());
        assert_eq!(GameName::find("chess"), GameName::find("orthodox"));
    }

    #[test]
    fn games_have_the_options_they_declare() {
        for &game in GameName::all() {
            let usual = game.usual_options();
            // The rules of an ordinary variant are no option.
            let named = usual.keys().map(String::as_str).filter(|name| *name != "variant");
            let named: BTreeSet<&str> = named.collect();
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
        let all = || GameName::all().iter().flat_map(|game| game.options());
        for option in all() {
            assert!(all().all(|other| other.name != option.name || other == option), "{option:?}");
        }
    }
}

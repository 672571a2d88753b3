//! What can be asked about a game, whichever it is.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Value, json};

use super::{
    advice::Advice,
    finding::{Wanted, found, names_object},
    object::Object,
    refusal::Refusal,
    shown::Shown,
    tables::tables,
    what_if,
};
use crate::{
    board::Color,
    index::Material,
    probe::{ProbeError, Ranked, TableDirectories, Tablebase},
    progress::Progress,
    registry::{Complete, GameName, Task},
    rules::{OptionError, RuleOptions, read_records, result_text},
    story::{story, story_value},
    study::{
        Bin, Contest, Listing, Report, Study, line_object, object, position_object, report_object,
        turn_object, with_causes,
    },
};

/// The most turns that a question follows a line for.
pub const LONGEST_LINE: usize = 1000;

/// How much is wanted to be known of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// Its turns, ranked.
    pub turns: bool,
    /// What a page shows: the answer in words, how the game ended, what a chart draws, and the
    /// position after each turn.
    pub words: bool,
}

/// A game with its tables.
pub trait Explorer: Send + Sync {
    /// The name in addresses: `high`.
    fn name(&self) -> &'static str;

    /// The name as its players write it: `High Chess`.
    fn title(&self) -> &'static str;

    /// The letters of its men, as in material names: `KQRBNP`.
    fn men(&self) -> String;

    /// The rule options in force.
    fn options(&self) -> Object;

    /// The FEN of the position every game starts from.
    fn initial(&self) -> String;

    /// What best play makes of a position; see [`position_object`].
    ///
    /// # Errors
    /// If the FEN is wrong, or a table is missing or damaged.
    fn probe(&self, fen: &str, detail: Detail) -> Result<Object, Refusal>;

    /// A position as previews show it.
    ///
    /// # Errors
    /// If the FEN is wrong.
    fn shown(&self, fen: &str) -> Result<Shown, Refusal>;

    /// Best play from a position; see [`line_object`].
    ///
    /// # Errors
    /// As [`probe`](Explorer::probe).
    fn line(&self, fen: &str, limit: usize) -> Result<Object, Refusal>;

    /// What the position would be with a man elsewhere.
    ///
    /// # Errors
    /// As [`probe`](Explorer::probe), or if there is no man on the square.
    fn what_if(&self, fen: &str, square: &str) -> Result<Object, Refusal>;

    /// A game record, or several as a match, judged by the full rules and by the tables there are;
    /// see [`Contest::object`]. A game with a mistake says so in its place.
    ///
    /// # Errors
    /// If a table is damaged, or of other options.
    fn replay(&self, text: &str) -> Result<Object, Refusal>;

    /// The tables there are, and those with up to `most` men that are missing.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn tables(&self, most: usize) -> Result<Object, Refusal>;

    /// The names that a search for positions of a table can use, with what they tell.
    ///
    /// # Errors
    /// If it is no material of the game.
    fn names(&self, material: &str) -> Result<Object, Refusal>;
}

/// A table that is there.
#[derive(Clone, Debug)]
pub struct Countable {
    /// The name of its material.
    pub material: String,
    /// How many cells it has.
    pub cells: u64,
    /// What tells it from others of its name; see [`Table::checksum`](crate::table::Table::checksum).
    pub checksum: u32,
}

/// The same with what takes a look at every position of a table. A page that answers for itself
/// does without, and need not load it.
pub trait Counter: Explorer {
    /// The name of a material's table and how many cells it has, if it is there.
    ///
    /// # Errors
    /// If it is no material of the game, or its table is missing or damaged.
    fn countable(&self, material: &str) -> Result<Countable, Refusal>;

    /// What [`countable`](Counter::countable) tells of a table in which something is looked for.
    ///
    /// # Errors
    /// As that, and if there is something wrong with what is looked for.
    fn findable(&self, material: &str, wanted: &Wanted) -> Result<Countable, Refusal>;

    /// The positions of a table that are wanted, and how many there are.
    ///
    /// # Errors
    /// As [`findable`](Counter::findable).
    fn find(
        &self,
        material: &str,
        wanted: &Wanted,
        progress: &dyn Progress,
    ) -> Result<Object, Refusal>;

    /// What the game's students ask of a table.
    ///
    /// # Errors
    /// If it is no material of the game, or its table is missing or damaged.
    fn stats(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal>;

    /// How many placements of a table have which answer.
    ///
    /// # Errors
    /// As [`stats`](Counter::stats); also if the game has no histograms.
    fn histogram(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal>;
}

/// Every game that is shown, over the tables of some folders, as one kind of trait object.
macro_rules! open_all {
    ($answers:ident, $directories:ident, $rules:ident, $advice:ident) => {{
        struct Open(TableDirectories, Advice);
        impl Task for Open {
            type Output = Arc<dyn $answers>;
            fn run<G: Complete>(self, game: G) -> Arc<dyn $answers> {
                let Open(directories, advice) = self;
                Arc::new(Tables { tables: Tablebase::on(game, directories), advice })
            }
        }
        let open = |game: GameName| game.play_by($rules, Open($directories.clone(), $advice));
        shown($directories).map(open).collect()
    }};
}

/// Every game over the tables of some folders, by rules and with advice for who lacks a table: what
/// can be asked of positions.
///
/// # Errors
/// If a rule option has a value it cannot have.
pub fn explorers(
    directories: &TableDirectories,
    rules: &RuleOptions,
    advice: Advice,
) -> Result<Vec<Arc<dyn Explorer>>, OptionError> {
    open_all!(Explorer, directories, rules, advice)
}

/// The same with what can be asked of whole tables.
///
/// # Errors
/// As [`explorers`].
pub fn counters(
    directories: &TableDirectories,
    rules: &RuleOptions,
    advice: Advice,
) -> Result<Vec<Arc<dyn Counter>>, OptionError> {
    open_all!(Counter, directories, rules, advice)
}

/// The games that are known; of the collection those that somebody has built tables of.
fn shown(directories: &TableDirectories) -> impl Iterator<Item = GameName> {
    let collection = GameName::collection();
    GameName::known().into_iter().filter(move |game| {
        let has_tables = || directories.files(game.name()).is_ok_and(|files| !files.is_empty());
        !collection.contains(game) || has_tables()
    })
}

/// The one of some explorers that answers for a game.
///
/// # Errors
/// If there is no such game.
pub fn explorer_of<'e, E: Explorer + ?Sized>(
    explorers: &'e [Arc<E>],
    game: &str,
) -> Result<&'e Arc<E>, Refusal> {
    explorers.iter().find(|explorer| explorer.name() == game).ok_or_else(|| {
        let names: Vec<_> = explorers.iter().map(|explorer| explorer.name()).collect();
        let shown: String = game.chars().take(32).collect();
        Refusal::Unknown(format!("`{shown}` is no game; there are {}", names.join(", ")))
    })
}

/// The tables of a game, asked by name.
struct Tables<G: Study> {
    tables: Tablebase<G>,
    advice: Advice,
}

impl<G: Study> Tables<G> {
    fn material(&self, text: &str) -> Result<Material, Refusal> {
        let material: Material =
            text.parse().map_err(|error| Refusal::Wrong(format!("`{text}`: {error}")))?;
        Ok(self.tables.game().named(&material)?)
    }

    /// Turns the reasons of the tables into ours.
    fn refuse(&self) -> impl Fn(ProbeError) -> Refusal + use<G> {
        let advice = self.advice;
        move |error| Refusal::of(error, advice)
    }

    /// How a game that ends in a position is over, in words and as records have it.
    fn ending(&self, position: &G::Position) -> Object {
        let ending = self.tables.game().ending(position);
        let words = ending.as_ref().map(ToString::to_string);
        object([("ending", words.into()), ("pgn_result", result_text(ending.as_ref()).into())])
    }

    /// The turns of a position whose own answer is not to be had, as far as theirs are.
    fn turns_without_table(&self, position: &G::Position) -> Value {
        let game = self.tables.game();
        let mut turns = Vec::new();
        for turn in game.turns(position) {
            let after = game.play(position, turn);
            let mut object = object([
                ("uci", game.uci(position, turn).into()),
                ("san", game.san(position, turn).into()),
                ("fen", game.fen(&after).into()),
            ]);
            object.extend(self.ending(&after));
            if let Ok(answer) = self.tables.answer(&after) {
                object.extend(game.fields(&after, &answer));
                let words = game.turn_words(position, turn, &after, &answer);
                object.insert("words".to_owned(), words.into());
            }
            turns.push(Value::Object(object));
        }
        Value::Array(turns)
    }

    /// What a page shows beside what programs read.
    fn add_words(&self, position: &G::Position, members: &mut Object) -> Result<(), Refusal> {
        let (tables, game) = (&self.tables, self.tables.game());
        let answer = tables.answer(position).map_err(self.refuse())?;
        members.extend(game.chart_fields(position, &answer));
        let words = match game.explanation(tables, position, &answer) {
            Ok(words) => words,
            // Best play leads to a table that is not there; the answer holds all the same.
            Err(error) if error.missing().is_some() => game.words(position, &answer),
            Err(error) => return Err(self.refuse()(error)),
        };
        let mut turns = Vec::new();
        for ranked in tables.ranked(position).map_err(self.refuse())? {
            let told = turn_object(game, position, &ranked);
            let Ranked { turn, after, answer, .. } = ranked;
            let words = game.turn_words(position, turn, &after, &answer);
            let comment = game.comment(position, turn, &after);
            turns.push(turn_shown(told, game.fen(&after), words, comment, self.ending(&after)));
        }
        add_shown(members, words, game.standing(position), self.ending(position), turns);
        Ok(())
    }

    /// What best play makes of a position, with a page's words if they are wanted.
    fn answer(&self, position: &G::Position, detail: Detail) -> Result<Object, Refusal> {
        let turns = detail.turns && !detail.words;
        let mut object = position_object(&self.tables, position, turns).map_err(self.refuse())?;
        if detail.words {
            self.add_words(position, &mut object)?;
        }
        Ok(object)
    }
}

impl<G: Study> Explorer for Tables<G> {
    fn name(&self) -> &'static str {
        self.tables.game().name()
    }

    fn title(&self) -> &'static str {
        self.tables.game().title()
    }

    fn men(&self) -> String {
        self.tables.game().men().letters().to_ascii_uppercase()
    }

    fn options(&self) -> Object {
        self.tables.game().options()
    }

    fn initial(&self) -> String {
        self.tables.game().fen(&self.tables.game().initial())
    }

    fn probe(&self, fen: &str, detail: Detail) -> Result<Object, Refusal> {
        let position = self.tables.game().parse_fen(fen)?;
        self.answer(&position, detail).map_err(|mut refusal| {
            if matches!(refusal, Refusal::Awaited) && (detail.turns || detail.words) {
                // It has not come to the turns; what they want, too, is wanted now.
                let _ = self.tables.ranked(&position);
            }
            if let Refusal::Missing(missing) = &mut refusal
                && detail.words
            {
                missing.known.extend(object([
                    ("fen", self.tables.game().fen(&position).into()),
                    ("turns", self.turns_without_table(&position)),
                ]));
            }
            refusal
        })
    }

    fn shown(&self, fen: &str) -> Result<Shown, Refusal> {
        let game = self.tables.game();
        let position = game.parse_fen(fen)?;
        let answer = self.tables.answer(&position).ok();
        Ok(Shown {
            fen: game.fen(&position),
            board: *game.board(&position),
            to_move: game.to_move(&position),
            brief: answer.map(|answer| game.brief(&position, &answer)),
        })
    }

    fn line(&self, fen: &str, limit: usize) -> Result<Object, Refusal> {
        let position = self.tables.game().parse_fen(fen)?;
        line_object(&self.tables, &position, limit).map_err(self.refuse())
    }

    fn what_if(&self, fen: &str, square: &str) -> Result<Object, Refusal> {
        let game = self.tables.game();
        let fen = game.fen(&game.parse_fen(fen)?);
        what_if::answers(game.name(), &fen, square, &|fen| {
            let position = match game.parse_fen(fen) {
                Ok(position) => position,
                Err(error) => return Ok(object([("error", error.to_string().into())])),
            };
            let answer = self.tables.answer(&position).map_err(self.refuse())?;
            let mut members = game.fields(&position, &answer);
            members.insert("words".to_owned(), game.brief(&position, &answer).into());
            Ok(members)
        })
    }

    fn replay(&self, text: &str) -> Result<Object, Refusal> {
        let records = read_records(self.tables.game(), text);
        let contest = Contest::judge(&self.tables, records, true).map_err(self.refuse())?;
        Ok(contest.object(&with_causes))
    }

    fn tables(&self, most: usize) -> Result<Object, Refusal> {
        let (game, directories) = (self.tables.game(), self.tables.directories());
        tables(game, game.title(), directories, most, self.advice)
    }

    fn names(&self, material: &str) -> Result<Object, Refusal> {
        Ok(names_object(self.tables.game(), &self.material(material)?))
    }
}

impl<G: Complete> Counter for Tables<G> {
    fn countable(&self, material: &str) -> Result<Countable, Refusal> {
        let material = self.material(material)?;
        let reader = self.tables.reader(&material).map_err(self.refuse())?;
        Ok(Countable {
            material: material.to_string(),
            cells: self.tables.game().cells(&reader),
            checksum: self.tables.checksum(&material).map_err(self.refuse())?,
        })
    }

    fn findable(&self, material: &str, wanted: &Wanted) -> Result<Countable, Refusal> {
        wanted.search(self.tables.game(), &self.material(material)?)?;
        self.countable(material)
    }

    fn find(
        &self,
        material: &str,
        wanted: &Wanted,
        progress: &dyn Progress,
    ) -> Result<Object, Refusal> {
        let material = self.material(material)?;
        let search = wanted.search(self.tables.game(), &material)?;
        found(&self.tables, &material, &search, progress).map_err(self.refuse())
    }

    fn stats(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal> {
        let material = self.material(material)?;
        let report = self
            .tables
            .game()
            .statistics(&self.tables, &material, progress)
            .map_err(self.refuse())?;
        let story = story(&self.tables, &material, &report, progress).map_err(self.refuse())?;
        let mut members = report_object(self.tables.game(), &material, &report);
        members.insert("story".to_owned(), story_value(&story));
        Ok(report_page(members, &report))
    }

    fn histogram(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal> {
        let material = self.material(material)?;
        let game = self.tables.game();
        let bins = self.tables.tally(
            &material,
            progress,
            Bins::default,
            |bins, position, answer, weight| {
                if let Some(bin) = game.bin(position, answer) {
                    *bins.entry((game.to_move(position), bin)).or_default() += weight;
                }
                Ok(())
            },
            |bins, more| {
                more.into_iter().for_each(|(key, count)| *bins.entry(key).or_default() += count);
            },
        );
        let bins = bins.map_err(self.refuse())?;
        if bins.is_empty() {
            return Err(Refusal::Unknown(format!("there are no histograms of {}", game.title())));
        }
        Ok(histogram_object(game.name(), &material, bins))
    }
}

/// A turn as a page shows it, whichever game it is of.
fn turn_shown(
    mut turn: Object,
    fen: String,
    words: String,
    comment: Option<String>,
    ending: Object,
) -> Value {
    turn.extend(object([
        ("fen", fen.into()),
        ("words", words.into()),
        ("comment", comment.into()),
    ]));
    turn.extend(ending);
    Value::Object(turn)
}

/// Adds to a position what a page shows of it.
fn add_shown(
    position: &mut Object,
    words: Vec<String>,
    standing: Option<String>,
    ending: Object,
    turns: Vec<Value>,
) {
    position.extend(ending);
    position.extend(object([
        ("words", words.into()),
        ("standing", standing.into()),
        ("turns", Value::Array(turns)),
    ]));
}

/// How many placements there are of each side to move and bin.
type Bins = HashMap<(Color, Bin), u64, rustc_hash::FxBuildHasher>;

fn histogram_object(game: &'static str, material: &Material, bins: Bins) -> Object {
    let mut bins: Vec<((Color, Bin), u64)> = bins.into_iter().collect();
    bins.sort_unstable();
    let side = |side: Color| -> Value {
        let of_side = bins.iter().filter(|((to_move, _), _)| *to_move == side);
        of_side.map(|((_, bin), count)| json!([bin.group, bin.number, count])).collect()
    };
    object([
        ("game", game.into()),
        ("material", material.to_string().into()),
        ("white", side(Color::White)),
        ("black", side(Color::Black)),
    ])
}

/// The report of a table with its listings as a page shows them.
fn report_page(mut members: Object, report: &Report) -> Object {
    let sections = report.sections.iter().map(Listing::page).collect::<Vec<_>>();
    members.insert("page".to_owned(), json!({ "title": report.title, "sections": sections }));
    members
}

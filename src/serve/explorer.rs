//! What the server can be asked about a game, whichever it is.

use std::{collections::HashMap, fs, sync::Arc};

use serde_json::{Map, Value, json};

use super::{
    error::Refusal,
    options::{Advice, ServeOptions},
    what_if,
};
use crate::{
    answer::{Contents, TableName, materials_with},
    board::Color,
    index::Material,
    probe::{ProbeError, TableDirectories, Tablebase},
    progress::Progress,
    registry::{Complete, GameName, Task},
    rules::{OptionError, read_records},
    study::{
        Bin, Contest, Listing, Losses, Study, line_object, position_object, report_object,
        turn_object, with_causes,
    },
    table::{BlockCache, Table},
};

/// A JSON object.
pub type Object = Map<String, Value>;

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

    /// The rule options in force.
    fn options(&self) -> Object;

    /// The FEN of the position every game starts from.
    fn initial(&self) -> String;

    /// What best play makes of a position; see [`position_object`].
    ///
    /// # Errors
    /// If the FEN is wrong, or a table is missing or damaged.
    fn probe(&self, fen: &str, detail: Detail) -> Result<Object, Refusal>;

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

    /// What the game's students ask of a table.
    ///
    /// # Errors
    /// If it is no material of the game, or its table is missing or damaged.
    fn stats(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal>;

    /// How many placements of a table have which answer.
    ///
    /// # Errors
    /// As [`stats`](Explorer::stats); also if the game has no histograms.
    fn histogram(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal>;
}

/// Every game over the tables of a folder, by the rules that the options say.
///
/// # Errors
/// If a rule option has a value it cannot have.
pub fn explorers(
    options: &ServeOptions,
    blocks: &BlockCache,
) -> Result<Vec<Arc<dyn Explorer>>, OptionError> {
    struct Open<'a>(&'a ServeOptions, &'a BlockCache);
    impl Task for Open<'_> {
        type Output = Arc<dyn Explorer>;
        fn run<G: Complete>(self, game: G) -> Arc<dyn Explorer> {
            let Open(options, blocks) = self;
            let tables =
                Tablebase::on(game, TableDirectories::new(&options.tables, blocks.clone()));
            Arc::new(Tables { tables, advice: options.advice })
        }
    }
    GameName::ALL.iter().map(|game| game.play_by(&options.rules, Open(options, blocks))).collect()
}

/// How many men a material has, those in reserve counted.
fn men(material: &Material) -> usize {
    material.len() + Color::ALL.iter().map(|&color| material.reserve_of(color)).sum::<usize>()
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

    fn ending(&self, position: &G::Position) -> Option<String> {
        self.tables.game().ending(position).map(|ending| ending.to_string())
    }

    /// The turns of a position whose own answer is not to be had, as far as theirs are.
    fn turns_without_table(&self, position: &G::Position) -> Vec<Value> {
        let game = self.tables.game();
        let turns = game.turns(position).into_iter().map(|turn| {
            let after = game.play(position, turn);
            let mut object = Map::new();
            object.insert("uci".to_owned(), json!(game.uci(position, turn)));
            object.insert("san".to_owned(), json!(game.san(position, turn)));
            object.insert("fen".to_owned(), json!(game.fen(&after)));
            object.insert("ending".to_owned(), json!(self.ending(&after)));
            if let Ok(answer) = self.tables.answer(&after) {
                object.extend(game.fields(&after, &answer));
                let words = game.turn_words(position, turn, &after, &answer);
                object.insert("words".to_owned(), json!(words));
            }
            Value::Object(object)
        });
        turns.collect()
    }

    /// What a page shows beside what programs read.
    fn add_words(&self, position: &G::Position, object: &mut Object) -> Result<(), Refusal> {
        let (tables, game) = (&self.tables, self.tables.game());
        let answer = tables.answer(position).map_err(self.refuse())?;
        object.extend(game.chart_fields(position, &answer));
        let words = match game.explanation(tables, position, &answer) {
            Ok(words) => words,
            // Best play leads to a table that is not there; the answer holds all the same.
            Err(error) if error.missing().is_some() => game.words(position, &answer),
            Err(error) => return Err(self.refuse()(error)),
        };
        object.insert("words".to_owned(), json!(words));
        object.insert("ending".to_owned(), json!(self.ending(position)));
        object.insert("standing".to_owned(), json!(game.standing(position)));
        let ranked = tables.ranked(position).map_err(self.refuse())?;
        let turns = ranked.iter().map(|ranked| {
            let mut object = turn_object(game, position, ranked);
            object.insert("fen".to_owned(), json!(game.fen(&ranked.after)));
            object.insert("ending".to_owned(), json!(self.ending(&ranked.after)));
            let words = game.turn_words(position, ranked.turn, &ranked.after, &ranked.answer);
            object.insert("words".to_owned(), json!(words));
            let comment = game.comment(position, ranked.turn, &ranked.after);
            object.insert("comment".to_owned(), json!(comment));
            Value::Object(object)
        });
        object.insert("turns".to_owned(), Value::Array(turns.collect()));
        Ok(())
    }
}

impl<G: Study> Explorer for Tables<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn options(&self) -> Object {
        self.tables.game().options()
    }

    fn initial(&self) -> String {
        self.tables.game().fen(&self.tables.game().initial())
    }

    fn probe(&self, fen: &str, detail: Detail) -> Result<Object, Refusal> {
        let position = self.tables.game().parse_fen(fen)?;
        let answer = || -> Result<Object, Refusal> {
            let turns = detail.turns && !detail.words;
            let mut object =
                position_object(&self.tables, &position, turns).map_err(self.refuse())?;
            if detail.words {
                self.add_words(&position, &mut object)?;
            }
            Ok(object)
        };
        answer().map_err(|mut refusal| {
            if let Refusal::Missing(missing) = &mut refusal
                && detail.words
            {
                missing.known.insert("fen".to_owned(), json!(self.tables.game().fen(&position)));
                let turns = self.turns_without_table(&position);
                missing.known.insert("turns".to_owned(), Value::Array(turns));
            }
            refusal
        })
    }

    fn line(&self, fen: &str, limit: usize) -> Result<Object, Refusal> {
        let position = self.tables.game().parse_fen(fen)?;
        line_object(&self.tables, &position, limit).map_err(self.refuse())
    }

    fn what_if(&self, fen: &str, square: &str) -> Result<Object, Refusal> {
        what_if::answers(&self.tables, fen, square, self.advice)
    }

    fn replay(&self, text: &str) -> Result<Object, Refusal> {
        let game = self.tables.game();
        let contest = Contest::judge(game, read_records(game, text));
        let losses = contest.games.iter().map(|one| Losses::find(&self.tables, &one.replay));
        let losses: Vec<Losses> = losses.collect::<Result<_, _>>().map_err(self.refuse())?;
        Ok(contest.object(game, Some(&losses), with_causes))
    }

    fn tables(&self, most: usize) -> Result<Object, Refusal> {
        let (game, directories) = (self.tables.game(), self.tables.directories());
        let files =
            directories.files(G::NAME).map_err(|error| Refusal::Broken(error.to_string()))?;
        let mut there = Vec::new();
        for path in files {
            let name = TableName::of(&path);
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let material = name.map(|name| name.material.to_string()).or(stem);
            let mut object = Map::new();
            object.insert("material".to_owned(), json!(material));
            object.insert("game".to_owned(), json!(G::NAME));
            object.insert("men".to_owned(), json!(name.map(|name| men(&name.material))));
            match Table::open(&path) {
                Ok(table) => {
                    object.insert("contents".to_owned(), json!(table.header().contents));
                    object.insert("bytes".to_owned(), json!(table.file_len()));
                    let options = &table.header().options;
                    if *options != game.options() {
                        object.insert("other_options".to_owned(), json!(options));
                    }
                }
                Err(error) => {
                    object.insert("error".to_owned(), json!(error.to_string()));
                }
            }
            there.push(Value::Object(object));
        }
        let mut missing = Vec::new();
        for material in materials_with(game, most, false) {
            let ids = game.table_ids(&material, Contents::Result);
            let id = directories.first(&ids);
            match fs::metadata(directories.path(id)) {
                // Listed above, unless it serves another game too.
                Ok(_) if id.game == G::NAME => {}
                Ok(file) => there.push(json!({
                    "material": material.to_string(), "game": id.game, "men": men(&material),
                    "contents": id.contents.name(), "bytes": file.len(),
                })),
                Err(_) => missing.push(json!({
                    "material": material.to_string(), "game": id.game, "men": men(&material),
                    "build": (self.advice.build)(id, directories.folder()),
                })),
            }
        }
        let object = [
            ("game".to_owned(), json!(G::NAME)),
            ("title".to_owned(), json!(G::TITLE)),
            ("options".to_owned(), json!(game.options())),
            ("tables".to_owned(), Value::Array(there)),
            ("men".to_owned(), json!(most)),
            ("missing".to_owned(), Value::Array(missing)),
        ];
        Ok(object.into_iter().collect())
    }

    fn stats(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal> {
        let material = self.material(material)?;
        let report = self
            .tables
            .game()
            .statistics(&self.tables, &material, progress)
            .map_err(self.refuse())?;
        let mut object = report_object(self.tables.game(), &material, &report);
        let sections = report.sections.iter().map(Listing::page).collect::<Vec<_>>();
        object.insert("page".to_owned(), json!({ "title": report.title, "sections": sections }));
        Ok(object)
    }

    fn histogram(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal> {
        type Bins = HashMap<(Color, Bin), u64, rustc_hash::FxBuildHasher>;
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
            return Err(Refusal::Unknown(format!("there are no histograms of {}", G::TITLE)));
        }
        let mut bins: Vec<((Color, Bin), u64)> = bins.into_iter().collect();
        bins.sort_unstable();
        let side = |side: Color| -> Vec<Value> {
            let of_side = bins.iter().filter(|((to_move, _), _)| *to_move == side);
            of_side.map(|((_, bin), count)| json!([bin.group, bin.number, count])).collect()
        };
        let object = [
            ("game".to_owned(), json!(G::NAME)),
            ("material".to_owned(), json!(material.to_string())),
            ("white".to_owned(), Value::Array(side(Color::White))),
            ("black".to_owned(), Value::Array(side(Color::Black))),
        ];
        Ok(object.into_iter().collect())
    }
}

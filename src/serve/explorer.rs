//! What the server can be asked about a game, whichever it is.

use std::{fs, sync::Arc};

use serde_json::{Map, Value, json};

use super::{ServeOptions, error::Refusal, what_if};
use crate::{
    board::Color,
    index::Material,
    probe::Tablebase,
    rules::{Elks, High, Noro, OptionError, Orphic, Orthodox, Rooks, Stylish, Tiebraker},
    solve::Progress,
    study::{
        Bin, Study, line_object, materials_with, men, position_object, table_files, turn_object,
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

/// Every game over the tables of a folder, and orthodox chess once more by its type.
///
/// # Errors
/// If a rule option is wrong, or no game knows it.
pub fn explorers(
    options: &ServeOptions,
    blocks: &BlockCache,
) -> Result<(Vec<Arc<dyn Explorer>>, Arc<Tablebase<Orthodox>>), OptionError> {
    let mut rules = options.rules.clone();
    let mut list: Vec<Arc<dyn Explorer>> = Vec::new();
    macro_rules! game {
        ($game:ty) => {{
            let game = <$game as crate::rules::Game>::from_options(&mut rules)?;
            let tables = Arc::new(Tablebase::with_cache(game, &options.tables, blocks.clone()));
            list.push(Arc::new(Tables(tables.clone())));
            tables
        }};
    }
    let orthodox = game!(Orthodox);
    game!(High);
    game!(Noro);
    game!(Orphic<Rooks>);
    game!(Orphic<Elks>);
    game!(Stylish);
    game!(Tiebraker);
    rules.finish("serve")?;
    Ok((list, orthodox))
}

/// The tables of a game, asked by name.
struct Tables<G: Study>(Arc<Tablebase<G>>);

impl<G: Study> Tables<G> {
    fn material(&self, text: &str) -> Result<Material, Refusal> {
        let material: Material =
            text.parse().map_err(|error| Refusal::Wrong(format!("`{text}`: {error}")))?;
        Ok(self.0.game().table_id(&material)?.material)
    }

    /// The turns of a position whose own answer is not to be had, as far as theirs are.
    fn turns_without_table(&self, position: &G::Position) -> Vec<Value> {
        let game = self.0.game();
        let turns = game.turns(position).into_iter().map(|turn| {
            let after = game.play(position, turn);
            let mut object = Map::new();
            object.insert("uci".to_owned(), json!(game.uci(position, turn)));
            object.insert("san".to_owned(), json!(game.san(position, turn)));
            object.insert("fen".to_owned(), json!(game.fen(&after)));
            if let Ok(answer) = self.0.answer(&after) {
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
        let (tables, game) = (&self.0, self.0.game());
        let answer = tables.answer(position)?;
        object.extend(game.chart_fields(position, &answer));
        let words = match game.explanation(tables, position, &answer) {
            Ok(words) => words,
            // Best play leads to a table that is not there; the answer holds all the same.
            Err(error) if error.missing().is_some() => game.words(position, &answer),
            Err(error) => return Err(error.into()),
        };
        object.insert("words".to_owned(), json!(words));
        let ending = game.ending(position).map(|ending| ending.to_string());
        object.insert("ending".to_owned(), json!(ending));
        object.insert("standing".to_owned(), json!(game.standing(position)));
        let ranked = tables.ranked(position)?;
        let turns = ranked.iter().map(|ranked| {
            let mut object = turn_object(game, position, ranked);
            object.insert("fen".to_owned(), json!(game.fen(&ranked.after)));
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
        self.0.game().options()
    }

    fn initial(&self) -> String {
        self.0.game().fen(&self.0.game().initial())
    }

    fn probe(&self, fen: &str, detail: Detail) -> Result<Object, Refusal> {
        let position = self.0.game().parse_fen(fen)?;
        let answer = || -> Result<Object, Refusal> {
            let turns = detail.turns && !detail.words;
            let mut object = position_object(&self.0, &position, turns)?;
            if detail.words {
                self.add_words(&position, &mut object)?;
            }
            Ok(object)
        };
        answer().map_err(|mut refusal| {
            if let Refusal::Missing { known, .. } = &mut refusal
                && detail.words
            {
                known.insert("fen".to_owned(), json!(self.0.game().fen(&position)));
                let turns = self.turns_without_table(&position);
                known.insert("turns".to_owned(), Value::Array(turns));
            }
            refusal
        })
    }

    fn line(&self, fen: &str, limit: usize) -> Result<Object, Refusal> {
        let position = self.0.game().parse_fen(fen)?;
        Ok(line_object(&self.0, &position, limit)?)
    }

    fn what_if(&self, fen: &str, square: &str) -> Result<Object, Refusal> {
        what_if::answers(&self.0, fen, square)
    }

    fn tables(&self, most: usize) -> Result<Object, Refusal> {
        let (game, shelf) = (self.0.game(), self.0.shelf());
        let files = table_files(shelf.folder(), G::NAME)
            .map_err(|error| Refusal::Broken(error.to_string()))?;
        let mut there = Vec::new();
        for path in files {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let material: Option<Material> = stem.as_ref().and_then(|stem| stem.parse().ok());
            let mut object = Map::new();
            object.insert("material".to_owned(), json!(stem));
            object.insert("game".to_owned(), json!(G::NAME));
            object.insert("men".to_owned(), json!(material.map(|m| men(&m))));
            match Table::open(&path) {
                Ok(table) => {
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
        for material in materials_with(game, most) {
            let id = game.table_id(&material)?;
            match fs::metadata(shelf.path(&id)) {
                // Listed above, unless it serves another game too.
                Ok(_) if id.game == G::NAME => {}
                Ok(file) => there.push(json!({
                    "material": material.to_string(), "game": id.game, "men": men(&material),
                    "bytes": file.len(),
                })),
                Err(_) => missing.push(json!({
                    "material": material.to_string(), "game": id.game, "men": men(&material),
                    "build": id.build_command(shelf.folder()),
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
        let report = self.0.game().statistics(&self.0, &material, progress)?;
        let sections: Vec<Value> = report
            .sections
            .iter()
            .map(|section| {
                let rows: Vec<Vec<Value>> = section
                    .rows
                    .iter()
                    .map(|row| row.iter().map(|cell| json!(cell)).collect())
                    .collect();
                json!({ "title": section.title, "columns": section.columns, "rows": rows })
            })
            .collect();
        let object = [
            ("game".to_owned(), json!(G::NAME)),
            ("material".to_owned(), json!(material.to_string())),
            ("sections".to_owned(), Value::Array(sections)),
        ];
        Ok(object.into_iter().collect())
    }

    fn histogram(&self, material: &str, progress: &dyn Progress) -> Result<Object, Refusal> {
        use std::collections::HashMap;
        type Bins = HashMap<(Color, Bin), u64, rustc_hash::FxBuildHasher>;
        let material = self.material(material)?;
        let game = self.0.game();
        let bins = self.0.tally(
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
        )?;
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

//! What an address asks of a game.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use super::{
    explorer::{Countable, Counter, Detail, Explorer, LONGEST_LINE},
    finding::Wanted,
    object::Object,
    query::Query,
    refusal::Refusal,
};
use crate::progress::Progress;

/// The men up to which missing tables are listed unless it is said.
const MEN: usize = 3;

/// The most positions that are found at once, and how many unless it is said.
const FOUND: usize = 200;
const FOUND_AT_FIRST: usize = 24;

/// What an example of a FEN looks like in an address.
pub const EXAMPLE_FEN: &str = "8/8/8/3k4/8/8/8/K6R_w_-_-_0_1";

/// What an address asks of a game.
#[derive(Clone, Debug)]
pub enum Asked {
    /// What is answered at once.
    Question(Question),
    /// What takes a look at every position of a table.
    Count {
        /// The table.
        material: String,
        /// What is counted.
        count: Count,
    },
}

/// A question about a game that is answered at once.
#[derive(Clone, Debug)]
pub enum Question {
    /// `?fen=…`: what best play makes of a position.
    Position {
        /// The position.
        fen: String,
        /// How much is wanted.
        detail: Detail,
    },
    /// `line?fen=…`: best play from a position.
    Line {
        /// The position.
        fen: String,
        /// The most turns.
        most: usize,
    },
    /// `what-if?fen=…&square=…`: the position with a man elsewhere.
    WhatIf {
        /// The position.
        fen: String,
        /// Where the man stands.
        square: String,
    },
    /// `tables`: those there are, and those up to so many men that are missing.
    Tables {
        /// How many men.
        men: usize,
    },
    /// `find/{material}` without a query: what a query can name.
    Names {
        /// The table.
        material: String,
    },
}

/// What is counted over a whole table.
#[derive(Clone, Debug)]
pub enum Count {
    /// `stats/{material}`: what the game's students ask.
    Stats,
    /// `histogram/{material}`: how many placements have which answer.
    Histogram,
    /// `find/{material}?query=…`: the positions that fit.
    Find(Wanted),
}

impl Asked {
    /// Reads the path of an address, percent-encoded, from the name of the game on; the name, and
    /// what is asked about it.
    ///
    /// # Errors
    /// If nothing is asked so, or something is missing in it.
    pub fn read(path: &str, query: &Query) -> Result<(String, Asked), Refusal> {
        let parts = path.split('/').map(|part| percent_decode_str(part).decode_utf8_lossy());
        let parts: Vec<_> = parts.collect();
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        let (&game, rest) = parts.split_first().ok_or_else(Refusal::nothing_here)?;
        let fen = || Ok::<_, Refusal>(query.need("fen", EXAMPLE_FEN)?.to_owned());
        let count = |material: &str, count| {
            let asked = Asked::Count { material: material.to_owned(), count };
            Ok((game.to_owned(), asked))
        };
        let question = match *rest {
            [] => {
                let turns = query.get("turns").is_none() || query.switch("turns")?;
                let detail = Detail { turns, words: query.switch("words")? };
                Question::Position { fen: fen()?, detail }
            }
            ["line"] => {
                let most = query.number("max", 1..=LONGEST_LINE, LONGEST_LINE)?;
                Question::Line { fen: fen()?, most }
            }
            ["what-if"] => {
                Question::WhatIf { fen: fen()?, square: query.need("square", "h1")?.to_owned() }
            }
            ["tables"] => Question::Tables { men: query.number("men", 2..=4, MEN)? },
            ["find", material] => {
                let Some(text) = query.get("query") else {
                    let names = Question::Names { material: material.to_owned() };
                    return Ok((game.to_owned(), Asked::Question(names)));
                };
                let wanted = Wanted {
                    query: text.to_owned(),
                    sort: query.get("sort").filter(|sort| !sort.is_empty()).map(str::to_owned),
                    limit: query.number("limit", 0..=FOUND, FOUND_AT_FIRST)?,
                };
                return count(material, Count::Find(wanted));
            }
            ["stats", material] => return count(material, Count::Stats),
            ["histogram", material] => return count(material, Count::Histogram),
            _ => return Err(Refusal::nothing_here()),
        };
        Ok((game.to_owned(), Asked::Question(question)))
    }
}

impl Question {
    /// The answer.
    ///
    /// # Errors
    /// As the functions of [`Explorer`].
    pub fn answer(&self, explorer: &dyn Explorer) -> Result<Object, Refusal> {
        match self {
            Question::Position { fen, detail } => explorer.probe(fen, *detail),
            Question::Line { fen, most } => explorer.line(fen, *most),
            Question::WhatIf { fen, square } => explorer.what_if(fen, square),
            Question::Tables { men } => explorer.tables(*men),
            Question::Names { material } => explorer.names(material),
        }
    }
}

impl Count {
    /// The table, if it can be counted.
    ///
    /// # Errors
    /// If it cannot be counted; see [`Counter::countable`] and [`Counter::findable`].
    pub fn size(&self, counter: &dyn Counter, material: &str) -> Result<Countable, Refusal> {
        match self {
            Count::Stats | Count::Histogram => counter.countable(material),
            Count::Find(wanted) => counter.findable(material, wanted),
        }
    }

    /// Whether others may ask the same some day.
    pub fn is_common(&self) -> bool {
        !matches!(self, Count::Find(_))
    }

    /// Counts.
    ///
    /// # Errors
    /// As [`Counter::stats`], [`Counter::histogram`] and [`Counter::find`].
    pub fn make(
        &self,
        counter: &dyn Counter,
        material: &str,
        progress: &dyn Progress,
    ) -> Result<Object, Refusal> {
        match self {
            Count::Stats => counter.stats(material, progress),
            Count::Histogram => counter.histogram(material, progress),
            Count::Find(wanted) => counter.find(material, wanted, progress),
        }
    }
}

/// Every game there is.
pub fn games_object<'e>(explorers: impl Iterator<Item = &'e dyn Explorer>) -> Value {
    let games = explorers.map(|explorer| {
        json!({
            "game": explorer.name(),
            "title": explorer.title(),
            "men": explorer.men(),
            "options": explorer.options(),
            "initial": explorer.initial(),
        })
    });
    json!({ "version": env!("CARGO_PKG_VERSION"), "games": games.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> Result<(String, Asked), String> {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        Asked::read(path, &Query::parse(query))
            .map_err(|refusal| refusal.object()["error"].to_string())
    }

    #[test]
    fn addresses_are_questions() {
        let (game, question) = read("high/find/K%51vK?query=only&limit=7").expect("a search");
        assert_eq!(game, "high");
        let Asked::Count { material, count: Count::Find(wanted) } = question else {
            panic!("{question:?}");
        };
        assert_eq!((&material[..], &wanted.query[..], wanted.limit), ("KQvK", "only", 7));
        let position = read("noro?fen=8_w&words=1").expect("a position").1;
        assert!(matches!(
            position,
            Asked::Question(Question::Position { fen, detail: Detail { turns: true, words: true } })
                if fen == "8_w"
        ));
        let names = read("noro/find/KvK").expect("names").1;
        assert!(matches!(names, Asked::Question(Question::Names { .. })));
        for wrong in ["high/foo", "high/stats", "high/line", "high/line?fen=8&max=0", "a/b/c/d"] {
            read(wrong).expect_err(wrong);
        }
    }
}

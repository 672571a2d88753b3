//! Positions of a table that answer a question of a visitor.

use serde_json::{Value, json};

use super::{object::Object, refusal::Refusal};
use crate::{
    find::{Found, Query, QueryError, Search, find, found_object, names},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    study::{Study, object},
};

/// The most bytes of a question.
const LONGEST: usize = 1000;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// A condition in the language of `finale find`.
    pub query: String,
    /// What the positions are sorted by, if by anything.
    pub sort: Option<String>,
    /// How many are wanted; with 0 they are only counted.
    pub limit: usize,
}

impl Wanted {
    /// What a search goes by.
    ///
    /// # Errors
    /// What is wrong with the question, and where.
    pub fn search<G: Study>(&self, game: &G, named: &Material) -> Result<Search, Refusal> {
        let Wanted { query, sort, limit } = self;
        if query.len() + sort.as_ref().map_or(0, String::len) > LONGEST {
            return Err(Refusal::Wrong(format!("a question has at most {LONGEST} bytes")));
        }
        let sort = sort.as_ref().map(|sort| Query::number(game, named, sort)).transpose()?;
        let query = Query::condition(game, named, query)?;
        Ok(Search { sort, limit: Some(*limit), ..Search::new(query) })
    }
}

impl From<QueryError> for Refusal {
    fn from(error: QueryError) -> Refusal {
        Refusal::Wrong(error.to_string())
    }
}

/// The names that a question about a table can use, with what they tell.
pub fn names_object<G: Study>(game: &G, named: &Material) -> Object {
    told(game.name(), named, names(game, named))
}

fn told(game: &str, named: &Material, names: Vec<(String, &str)>) -> Object {
    let names = names.iter().map(|(name, tells)| json!({ "name": name, "tells": tells }));
    object([
        ("game", game.into()),
        ("material", named.to_string().into()),
        ("names", names.collect()),
    ])
}

/// The positions of a table that are wanted, and how many there are.
///
/// # Errors
/// If a table is missing or damaged, or the work is stopped.
pub fn found<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    search: &Search,
    progress: &dyn Progress,
) -> Result<Object, ProbeError> {
    let game = tables.game();
    let mut positions: Vec<Value> = Vec::new();
    let total = find(tables, named, search, progress, &mut |found: Found<G>| {
        let mut one = found_object(game, &found);
        one.insert("brief".to_owned(), game.brief(&found.position, &found.answer).into());
        positions.push(one.into());
        Ok::<_, ProbeError>(())
    })?;
    Ok(object([
        ("game", game.name().into()),
        ("material", named.to_string().into()),
        ("positions", total.positions.into()),
        ("placements", total.placements.into()),
        ("complete", total.complete.into()),
        ("found", positions.into()),
    ]))
}

//! A question about the positions of a table.

use super::{
    error::QueryError,
    expr::Expr,
    facts::{Cost, Fact},
    parser::{self, Names},
};
use crate::{
    index::Material,
    progress::Progress,
    study::{Field, Study, Survey, table_fields},
};

/// A condition, or a number, about the positions of a table.
///
/// ```
/// use finale::{find::Query, rules::Variant};
///
/// let material = "KRvKN".parse()?;
/// let query = Query::condition(&Variant::orthodox(), &material, "wins and keeping_turns = 1 and n on edge")?;
/// let error = Query::condition(&Variant::orthodox(), &material, "wins and dtm > many").unwrap_err();
/// assert_eq!(&error.query[error.at], "many");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) expr: Expr,
    /// The columns of its table, and how many of them are known of the men alone.
    pub(super) fields: Vec<Field>,
    pub(super) standing: usize,
}

impl Query {
    /// A condition about the positions of a material, as it is
    /// [named](crate::answer::Tabled::named).
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn condition<G: Study>(
        game: &G,
        named: &Material,
        text: &str,
    ) -> Result<Query, QueryError> {
        Query::read(game, named, text, parser::condition)
    }

    /// A number that each position of a material has, for sorting.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn number<G: Study>(game: &G, named: &Material, text: &str) -> Result<Query, QueryError> {
        Query::read(game, named, text, parser::number)
    }

    fn read<G: Study>(
        game: &G,
        named: &Material,
        text: &str,
        parse: fn(&str, &Names<'_>) -> Result<Expr, QueryError>,
    ) -> Result<Query, QueryError> {
        let fields = table_fields(game, named);
        let standing = fields.len() - game.columns().len();
        let size = game.board(&game.initial()).size();
        let names = Names { fields: &fields, standing, material: named, size };
        Ok(Query { expr: parse(text, &names)?, standing, fields })
    }

    /// Makes a table ready for some queries that all its positions are asked.
    pub(super) fn prepare<'a, 't, G: Study>(
        mut queries: impl Iterator<Item = &'a Query> + Clone,
        survey: Survey<'t, G>,
        progress: &dyn Progress,
    ) -> Survey<'t, G> {
        let survey = match queries.clone().any(|query| query.expr.counts_turns()) {
            true => survey.counting_turns(),
            false => survey,
        };
        match survey.counts_turns || queries.any(Query::asks_answers) {
            true => survey.for_turns(progress),
            false => survey,
        }
    }

    /// Whether it asks for answers after turns, or for that of another position.
    fn asks_answers(&self) -> bool {
        self.expr.cost(self.standing) == Cost::Answers
    }

    /// Those of its conditions that are known of the men alone, and all others; all of either must
    /// be true.
    pub(super) fn split(&self) -> [Vec<&Expr>; 2] {
        let all = match &self.expr {
            Expr::All(all) => all.iter().collect(),
            one => vec![one],
        };
        let (standing, others) =
            all.into_iter().partition(|expr| expr.cost(self.standing) == Cost::Standing);
        [standing, others]
    }
}

/// The names that a query about a material can use, each with what it tells; those of columns say
/// it themselves, and stand for any other meaning.
pub fn names<G: Study>(game: &G, named: &Material) -> Vec<(String, &'static str)> {
    with_facts(table_fields(game, named))
}

fn with_facts(columns: Vec<Field>) -> Vec<(String, &'static str)> {
    let facts = Fact::beside(&columns).map(|(name, tells)| (name.to_owned(), tells));
    let facts: Vec<_> = facts.collect();
    columns.into_iter().map(|field| (field.name, "")).chain(facts).collect()
}

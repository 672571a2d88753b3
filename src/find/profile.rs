//! Which of several conditions the positions of a table fulfil, all counted in one pass.

use std::collections::BTreeMap;

use super::{
    context::Context,
    expr::Expr,
    query::Query,
    subject::{Asked, Told, each_of},
};
use crate::{
    board::Symmetry,
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    study::{Columns, Met, Place, Rows, Study, Survey},
};

/// Positions that are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    /// How many placements they stand for.
    pub placements: u64,
    /// The FEN of the first.
    pub example: String,
}

/// The positions in the [scope](Study::scope) of a table, as it is
/// [named](crate::answer::Tabled::named), that fulfil `among`, by which of at most 64 conditions they
/// fulfil: bit `i` stands for the condition `i`.
///
/// No condition may tell squares apart that symmetries of the table make equal: each position is
/// looked at once and counted as often as it has placements.
///
/// # Errors
/// If a table is missing or damaged, or the work is stopped.
pub(crate) fn profile<'t, G: Study>(
    tables: &'t Tablebase<G>,
    named: &Material,
    among: Option<&Query>,
    conditions: &[Query],
    progress: &dyn Progress,
) -> Result<BTreeMap<u64, Kind>, ProbeError> {
    let [standing, others] = among.map(Query::split).unwrap_or_default();
    let Some(any) = conditions.iter().chain(among).next() else { return Ok(BTreeMap::new()) };
    let asked = || among.into_iter().chain(conditions);
    let columns = asked().flat_map(|query| query.expr.columns());
    let names: Vec<String> = columns.map(|at| any.fields[at].name.clone()).collect();
    let conditions: Vec<&Expr> = conditions.iter().map(|query| &query.expr).collect();
    let asks_columns =
        others.iter().chain(&conditions).any(|condition| !condition.columns().is_empty());
    let survey = Survey::open(tables, named, progress)?.for_all(progress);
    let survey = Query::prepare(asked(), survey, progress);
    let counting = Counting {
        survey: &survey,
        rows: Rows::new(tables.game(), named),
        among: [standing, others],
        conditions,
        asks_columns,
    };
    let empty = || Part {
        kinds: BTreeMap::new(),
        standing: Columns::new(&any.fields[..any.standing], Some(&names)),
        columns: Columns::new(&any.fields, Some(&names)),
    };
    let what = format!("looking through {named}");
    let stretches = tables.game().scope_cells(&survey.table.reader);
    let meet = |part: &mut Part, met: Met<'_, 't, G>| counting.meet(part, &met);
    let merge = |all: &mut Part, part: Part| {
        for (bits, kind) in part.kinds {
            let more = kind.placements;
            all.kinds.entry(bits).and_modify(|known| known.placements += more).or_insert(kind);
        }
    };
    Ok(survey.tally(stretches, (&what, progress), &empty, &meet, &merge)?.kinds)
}

/// What was counted in some cells.
struct Part {
    kinds: BTreeMap<u64, Kind>,
    standing: Columns,
    columns: Columns,
}

/// What does the counting.
struct Counting<'a, 't, G: Study> {
    survey: &'a Survey<'t, G>,
    rows: Rows<'a, G>,
    /// What all positions fulfil that are counted: what is known of the men alone, and the rest.
    among: [Vec<&'a Expr>; 2],
    conditions: Vec<&'a Expr>,
    /// Whether any of them asks for a column: to fill one takes as long as to look the answer up.
    asks_columns: bool,
}

impl<'t, G: Study> Counting<'_, 't, G> {
    /// Meets a position of the table, and those in which a pawn of it can be taken in passing.
    fn meet(&self, part: &mut Part, met: &Met<'_, 't, G>) -> Told<()> {
        each_of(self.survey, met, |en_passant, asked| {
            let cell = en_passant.is_none().then_some(met.cell);
            self.count(part, Place { cell, weight: met.weight, en_passant }, &asked)
        })
    }

    fn count(&self, part: &mut Part, place: Place, asked: &Asked<'_, 't, G>) -> Told<()> {
        let [standing, others] = &self.among;
        let (position, view) = (asked.position(), Symmetry::IDENTITY);
        if !standing.is_empty() {
            part.standing.truncate(0);
            part.standing.add(|row| self.rows.standing(row, place, position));
            let context = Context { subject: asked, columns: &part.standing, view };
            if !context.fulfils(standing)? {
                return Ok(());
            }
        }
        if self.asks_columns {
            asked.filled(&mut part.columns, &self.rows, place)?;
        }
        let context = Context { subject: asked, columns: &part.columns, view };
        if !context.fulfils(others)? {
            return Ok(());
        }
        let mut bits = 0;
        for (bit, &condition) in self.conditions.iter().enumerate() {
            if context.fulfils(&[condition])? {
                bits |= 1 << bit;
            }
        }
        let example = || self.survey.tables.game().fen(position);
        let kind =
            part.kinds.entry(bits).or_insert_with(|| Kind { placements: 0, example: example() });
        kind.placements += place.weight;
        Ok(())
    }
}

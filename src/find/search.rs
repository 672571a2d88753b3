//! Going through a table for the positions that fulfil a query.

use std::{cmp::Ordering, ops::ControlFlow};

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::{
    context::Context,
    expr::Expr,
    likeness,
    query::Query,
    subject::{Asked, Subject, each_in_passing, each_of},
};
use crate::{
    answer::Outcome,
    board::{Board, Color, Group, Square, Symmetry},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    solve::Counted,
    study::{Columns, Field, Kind, Met, Place, Rows, Study, Survey, object, table_fields},
};

/// What is looked for, and how much of it is wanted.
#[derive(Clone, Debug)]
pub struct Search {
    /// What the positions fulfil.
    pub query: Query,
    /// At most so many of them; without it all, and with 0 they are only counted.
    pub limit: Option<usize>,
    /// In this order, the lowest first, those without the number last; else in that of the table.
    pub sort: Option<Query>,
    /// Only so many, drawn by chance from this seed: the same from the same table.
    pub sample: Option<(usize, u64)>,
}

impl Search {
    /// All positions that fulfil a query.
    pub fn new(query: Query) -> Search {
        Search { query, limit: None, sort: None, sample: None }
    }

    /// Whether positions can be handed over only when all are known.
    fn must_see_all(&self) -> bool {
        self.sort.is_some() || self.sample.is_some()
    }

    /// The table of a material, opened for it.
    fn open<'t, G: Study>(
        &self,
        tables: &'t Tablebase<G>,
        named: &Material,
        progress: &dyn Progress,
    ) -> Result<Survey<'t, G>, ProbeError> {
        let survey = Survey::open(tables, named, progress)?;
        let wants_few = self.limit.is_some_and(|limit| limit > 0) && !self.must_see_all();
        let survey = match wants_few {
            true => survey.for_a_few(),
            false => survey.for_all(progress),
        };
        Ok(Query::prepare(self.sort.iter().chain([&self.query]), survey, progress))
    }
}

/// A position that was found.
#[derive(Clone, Debug)]
pub struct Found<G: Study> {
    /// The position.
    pub position: G::Position,
    /// What the tables say of it.
    pub answer: G::Answer,
    seen: Seen,
}

impl<G: Study> Found<G> {
    /// The same, with the men where the query saw them.
    fn turned(self, game: &G) -> Found<G> {
        if self.seen.view.is_identity() {
            return self;
        }
        let position = likeness::image(game, &self.position, self.seen.view);
        Found { position: position.expect("the game keeps the symmetry"), ..self }
    }

    /// Its number; `None` if a pawn can be taken in passing.
    pub fn number(&self) -> Option<u64> {
        self.seen.place().cell
    }

    /// How many placements it stands for, of those that fulfil the query.
    pub fn weight(&self) -> u64 {
        self.seen.weight
    }
}

/// The columns of positions that were found: `fen`, and those of the table.
pub fn found_fields<G: Study>(game: &G, named: &Material) -> Vec<Field> {
    let fen = Field::new("fen", Kind::Text);
    std::iter::once(fen).chain(table_fields(game, named)).collect()
}

/// Positions that were found in a table as [columns](found_fields).
pub fn found_columns<G: Study>(game: &G, named: &Material, found: &[Found<G>]) -> Columns {
    let rows = Rows::new(game, named);
    let mut columns = Columns::new(&found_fields(game, named), None);
    for Found { position, answer, seen } in found {
        columns.add(|row| {
            row.text(Some(game.fen(position)));
            rows.all(row, seen.place(), position, answer);
        });
    }
    columns
}

/// A position that was found as programs read it: its FEN, number and weight, and the fields of its
/// answer.
pub fn found_object<G: Study>(game: &G, found: &Found<G>) -> Map<String, Value> {
    let own = object([
        ("fen", game.fen(&found.position).into()),
        ("number", found.number().into()),
        ("weight", found.weight().into()),
    ]);
    own.into_iter().chain(game.fields(&found.position, &found.answer)).collect()
}

/// Where a position was seen.
#[derive(Copy, Clone, Debug)]
struct Seen {
    /// Its cell, or that of the same men where no pawn can be taken in passing.
    cell: u64,
    /// How many placements it stands for that fulfil the query.
    weight: u64,
    en_passant: Option<Square>,
    /// Through which symmetry the board is seen.
    view: Symmetry,
}

impl Seen {
    fn place(self) -> Place {
        let Seen { cell, weight, en_passant, view } = self;
        let en_passant = en_passant.map(|square| view.image(square));
        Place { cell: en_passant.is_none().then_some(cell), weight, en_passant }
    }

    /// A number from 0 to 1 that nothing but the seed and the position decide: SplitMix64's last
    /// step (Steele, Lea, Flood, 2014) over both.
    fn chance(self, seed: u64) -> f64 {
        let square = self.en_passant.map_or(0, |square| square.number() as u64 + 1);
        let mut bits = seed ^ self.cell.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ square << 57;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ bits >> 31) as f64 / u64::MAX as f64
    }
}

/// How many positions fulfil a query.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Total {
    /// How many there are, those counted once that symmetries make equal.
    pub positions: u64,
    /// How many placements they stand for, as statistics count.
    pub placements: u64,
    /// Whether all positions of the table were looked at: not where as many were found as were
    /// wanted.
    pub complete: bool,
}

impl Total {
    /// Adds those of other positions.
    fn add(&mut self, other: Total) {
        self.positions += other.positions;
        self.placements += other.placements;
    }
}

/// What was found in some cells.
struct Part<G: Study> {
    total: Total,
    /// Whether positions with a side to move and an outcome fulfil what follows from those; and
    /// those of the last position, which many are like.
    by_outcome: FxHashMap<(Color, Outcome), bool>,
    last: Option<((Color, Outcome), bool)>,
    /// The positions with what they are ordered by.
    found: Vec<(f64, Found<G>)>,
    /// For the columns that the query asks for: of the men alone, and all.
    standing: Columns,
    columns: Columns,
}

/// Hands each position of the table of a material, as it is
/// [named](crate::answer::Tabled::named), that fulfils a query to `take`.
///
/// # Errors
/// If a table is missing or damaged, the work is stopped, or what `take` fails with.
pub fn find<G: Study, E: From<ProbeError>>(
    tables: &Tablebase<G>,
    named: &Material,
    search: &Search,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Found<G>) -> Result<(), E>,
) -> Result<Total, E> {
    let survey = search.open(tables, named, progress)?;
    let looking = Looking::new(&survey, named, search);
    if let Some(total) = looking.total_by_outcome(progress)? {
        return Ok(total);
    }
    let mut total = Total::default();
    let mut kept: Vec<(f64, Found<G>)> = Vec::new();
    let mut left = search.limit.unwrap_or(usize::MAX);
    let mut is_complete = true;
    looking.look(progress, &mut |parts| {
        for part in parts {
            total.add(part.total);
            kept.extend(part.found);
        }
        if search.must_see_all() {
            search.keep_best(&mut kept);
            return Ok(ControlFlow::Continue(()));
        }
        for (_, found) in kept.drain(..).take(left) {
            left -= 1;
            take(found.turned(tables.game()))?;
        }
        is_complete = left > 0 || search.limit == Some(0);
        Ok::<_, E>(if is_complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    if !is_complete {
        return Ok(total);
    }
    if search.sample.is_some() {
        looking.order(&mut kept)?;
    }
    for (_, found) in kept.into_iter().take(left) {
        take(found.turned(tables.game()))?;
    }
    Ok(Total { complete: true, ..total })
}

impl Search {
    /// Keeps what can still be among those wanted.
    fn keep_best<G: Study>(&self, kept: &mut Vec<(f64, Found<G>)>) {
        kept.sort_by(|(a, _), (b, _)| compare(*a, *b));
        let most = match self.sample {
            Some((size, _)) => size,
            None => self.limit.unwrap_or(usize::MAX),
        };
        kept.truncate(most);
    }
}

/// Numbers in their order, those that are none last.
fn compare(a: f64, b: f64) -> Ordering {
    a.is_nan().cmp(&b.is_nan()).then(a.partial_cmp(&b).unwrap_or(Ordering::Equal))
}

/// What does the looking.
struct Looking<'a, 't, G: Study> {
    survey: &'a Survey<'t, G>,
    search: &'a Search,
    rows: Rows<'a, G>,
    /// The conditions known of the men alone, and the others.
    conditions: [Vec<&'a Expr>; 2],
    /// Those that follow from the side to move and an outcome.
    of_outcomes: Vec<&'a Expr>,
    /// The names of the columns asked for.
    names: Vec<String>,
    /// The symmetries through which each position is looked at: those of the table, if the query
    /// tells some of them apart.
    views: Vec<Symmetry>,
}

impl<'a, 't, G: Study> Looking<'a, 't, G> {
    fn new(
        survey: &'a Survey<'t, G>,
        named: &'a Material,
        search: &'a Search,
    ) -> Looking<'a, 't, G> {
        let (query, game) = (&search.query, survey.tables.game());
        let mut columns = query.expr.columns();
        columns.extend(search.sort.iter().flat_map(|sort| sort.expr.columns()));
        let names = columns.into_iter().map(|at| query.fields[at].name.clone()).collect();
        let (rows, conditions) = (Rows::new(game, named), query.split());
        let follows = |expr: &&Expr| expr.follows_from_answer(&query.fields, query.standing);
        let of_outcomes = conditions.iter().flatten().copied().filter(follows).collect();
        let group = match game.group(&survey.table.reader) {
            group if query.expr.is_oriented(group) => group,
            _ => Group::TRIVIAL,
        };
        let views = group.symmetries().collect();
        Looking { survey, search, rows, conditions, of_outcomes, names, views }
    }

    /// Looks through the table; `take` gets what was found, and says whether to go on.
    fn look<E: From<ProbeError>>(
        &self,
        progress: &dyn Progress,
        take: &mut dyn FnMut(Vec<Part<G>>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let (what, cells) = (self.what(), 0..self.survey.cells());
        let meet = |part: &mut Part<G>, met: Met<'_, 't, G>| self.meet(part, &met);
        self.survey.each(cells, (&what, progress), &|| self.empty(), &meet, take)
    }

    /// What is done, in words.
    fn what(&self) -> String {
        format!("looking through {}", self.survey.table.id.material)
    }

    /// Nothing found yet.
    fn empty(&self) -> Part<G> {
        let Query { fields, standing, .. } = &self.search.query;
        Part {
            total: Total::default(),
            by_outcome: FxHashMap::default(),
            last: None,
            found: Vec::new(),
            standing: Columns::new(&fields[..*standing], Some(&self.names)),
            columns: Columns::new(fields, Some(&self.names)),
        }
    }

    /// Meets a position of the table, and those in which a pawn of it can be taken in passing.
    fn meet(&self, part: &mut Part<G>, met: &Met<'_, 't, G>) -> Result<(), ProbeError> {
        let (cell, weight, view) = (met.cell, met.weight, Symmetry::IDENTITY);
        if let Some(outcome) = met.outcome
            && !met.has_passing
            && !self.fulfils_by_outcome(part, met, outcome)?
        {
            return Ok(());
        }
        each_of(self.survey, met, |en_passant, asked| {
            self.judge(part, Seen { cell, weight, en_passant, view }, &asked)
        })
    }

    /// How many positions fulfil the query, if they are only counted and it follows from their
    /// outcomes alone.
    fn total_by_outcome(&self, progress: &dyn Progress) -> Result<Option<Total>, ProbeError> {
        let conditions = self.conditions.iter().map(Vec::len).sum::<usize>();
        let follows = self.of_outcomes.len() == conditions;
        if self.search.limit != Some(0) || self.views.len() > 1 || !follows {
            return Ok(None);
        }
        let judge_passing = |part: &mut Part<G>, met: Met<'_, 't, G>| {
            let (cell, weight, view) = (met.cell, met.weight, Symmetry::IDENTITY);
            each_in_passing(self.survey, &met, |square, asked| {
                self.judge(part, Seen { cell, weight, en_passant: Some(square), view }, &asked)
            })
        };
        let merge = |all: &mut Part<G>, part: Part<G>| all.total.add(part.total);
        let (what, empty) = (self.what(), || self.empty());
        let work = (what.as_str(), progress);
        let counted = self.survey.count_outcomes(work, &empty, &judge_passing, &merge)?;
        let Some((kinds, mut all)) = counted else { return Ok(None) };
        for (met, counted) in kinds {
            let outcome = met.outcome.expect("slices tell");
            if self.fulfils_by_outcome(&mut all, &met, outcome)? {
                let Counted { positions, placements, .. } = counted;
                all.total.add(Total { positions, placements, complete: false });
            }
        }
        Ok(Some(Total { complete: true, ..all.total }))
    }

    /// Whether a position fulfils what follows from its outcome, which is found out once for all
    /// with the same.
    fn fulfils_by_outcome(
        &self,
        part: &mut Part<G>,
        met: &Met<'_, 't, G>,
        outcome: Outcome,
    ) -> Result<bool, ProbeError> {
        if self.of_outcomes.is_empty() {
            return Ok(true);
        }
        let key = (met.side(), outcome);
        let known = part.last.filter(|(last, _)| *last == key).map(|(_, fulfils)| fulfils);
        if let Some(fulfils) = known.or_else(|| part.by_outcome.get(&key).copied()) {
            part.last = Some((key, fulfils));
            return Ok(fulfils);
        }
        let (ask, view) = (|| met.answer(), Symmetry::IDENTITY);
        let asked = Asked::new(self.survey, met.cell, met.position(), &ask);
        let place = Place { cell: Some(met.cell), weight: met.weight, en_passant: None };
        let columns = asked.filled(&mut part.columns, &self.rows, place)?;
        let fulfils = Context { subject: &asked, columns, view }.fulfils(&self.of_outcomes)?;
        part.by_outcome.insert(key, fulfils);
        Ok(fulfils)
    }

    /// Keeps a position if it fulfils the query, seen through one symmetry or several.
    fn judge(
        &self,
        part: &mut Part<G>,
        seen: Seen,
        asked: &Asked<'_, 't, G>,
    ) -> Result<(), ProbeError> {
        let ([standing, others], position) = (&self.conditions, asked.position());
        let mut views = self.views_of(position);
        if !standing.is_empty() {
            part.standing.truncate(0);
            part.standing.add(|row| self.rows.standing(row, seen.place(), position));
            fulfilling(&mut views, standing, asked, &part.standing)?;
        }
        if views.is_empty() {
            return Ok(());
        }
        let columns = asked.filled(&mut part.columns, &self.rows, seen.place())?;
        fulfilling(&mut views, others, asked, columns)?;
        let Some(&view) = views.first() else { return Ok(()) };
        let weight = if self.views.len() > 1 { views.len() as u64 } else { seen.weight };
        part.total.positions += 1;
        part.total.placements += weight;
        if self.search.limit != Some(0) {
            let seen = Seen { weight, view, ..seen };
            let order = self.order_of(Context { subject: asked, columns, view }, seen)?;
            let (position, answer) = (position.clone(), asked.answer()?.clone());
            part.found.push((order, Found { seen, position, answer }));
        }
        Ok(())
    }

    /// The symmetries through which a position looks different each time.
    fn views_of(&self, position: &G::Position) -> Vec<Symmetry> {
        let board = self.survey.tables.game().board(position);
        // They are a group: two of them show the same only where one of them changes nothing.
        if self.views.iter().filter(|view| board.looks_alike(**view)).count() == 1 {
            return self.views.clone();
        }
        let mut boards: Vec<Board> = Vec::with_capacity(self.views.len());
        let is_new = |view: &Symmetry| {
            let image = board.image(*view);
            let is_new = !boards.contains(&image);
            boards.push(image);
            is_new
        };
        self.views.iter().copied().filter(is_new).collect()
    }

    /// What decides which positions are kept, and their order.
    fn order_of(&self, context: Context<'_>, seen: Seen) -> Result<f64, ProbeError> {
        Ok(match (self.search.sample, &self.search.sort) {
            (Some((_, seed)), _) => seen.chance(seed),
            (None, Some(sort)) => context.number(&sort.expr)?.unwrap_or(f64::NAN),
            (None, None) => 0.0,
        })
    }

    /// Brings a sample into the order that is wanted.
    fn order(&self, kept: &mut [(f64, Found<G>)]) -> Result<(), ProbeError> {
        let mut columns = Columns::new(&self.search.query.fields, Some(&self.names));
        for (order, found) in kept.iter_mut() {
            *order = match &self.search.sort {
                None => found.seen.cell as f64,
                Some(sort) => {
                    let Seen { cell, view, .. } = found.seen;
                    let answer = || Ok(found.answer.clone());
                    let asked = Asked::new(self.survey, cell, &found.position, &answer);
                    let place = found.seen.place();
                    let columns = asked.filled(&mut columns, &self.rows, place)?;
                    let context = Context { subject: &asked, columns, view };
                    context.number(&sort.expr)?.unwrap_or(f64::NAN)
                }
            };
        }
        kept.sort_by(|(a, _), (b, _)| compare(*a, *b));
        Ok(())
    }
}

/// Keeps those symmetries through which all conditions are true of a position, the only row of some
/// columns.
fn fulfilling(
    views: &mut Vec<Symmetry>,
    conditions: &[&Expr],
    subject: &dyn Subject,
    columns: &Columns,
) -> Result<(), ProbeError> {
    let mut failed = None;
    views.retain(|&view| match (Context { subject, columns, view }).fulfils(conditions) {
        Ok(fulfils) => fulfils,
        Err(error) => {
            failed = Some(error);
            false
        }
    });
    failed.map_or(Ok(()), Err)
}

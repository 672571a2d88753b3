//! Going through every position of a table.

mod told;

use std::{
    cell::OnceCell,
    env, iter,
    ops::{ControlFlow, Range},
};

use rustc_hash::FxHashMap;

use self::told::{Told, TurnCounter, all_scores, scores, slices_of};
use super::Study;
use crate::{
    answer::Outcome,
    board::Color,
    index::Material,
    parallel,
    probe::{OpenTable, ProbeError, Tablebase, go_on},
    progress::Progress,
    solve::{Budget, Counted, FinishedScores, FinishedTable, Goal, TurnCounts},
};

/// Cells that a thread goes through at a time.
const CHUNK: u64 = 1 << 14;

/// Cells that are gone through before what was found is handed over: enough for all cores, and few
/// enough to see the first positions soon.
const TOGETHER: u64 = 1 << 20;

/// Cells of a table that is small enough to make its slices even for a few positions.
const SMALL: u64 = 8 * TOGETHER;

/// How many positions there are with a side to move and an outcome.
type Kinds = FxHashMap<(Color, Outcome), Counted>;

/// The first position of each kind, and how many there are of it.
type KindsMet<'m, 't, G> = Vec<(Met<'m, 't, G>, Counted)>;

/// What is done with some cells, of which slices may tell.
type Look<'a, T> = dyn Fn(Option<Told<'_>>, Range<u64>) -> Result<T, ProbeError> + Sync + 'a;

/// What is done with each position.
type Add<'a, 't, T, G> = dyn Fn(&mut T, Met<'_, 't, G>) -> Result<(), ProbeError> + Sync + 'a;

/// A table that is gone through.
///
/// What comes of its positions is looked up for one after the other; or, where the game has
/// [slices](crate::pack::Pack::finished), made for a slice at once, which takes a fraction of
/// the time.
pub(crate) struct Survey<'t, G: Study> {
    /// The tables.
    pub tables: &'t Tablebase<G>,
    /// The table.
    pub table: OpenTable<G>,
    /// Who is to move in the positions that are met, if not either.
    side: Option<Color>,
    slices: Option<FinishedTable<'t>>,
    /// All slices, in the order of the cells, if they are kept.
    all: Option<Vec<FinishedScores>>,
    /// Whether turns are counted, if all slices are kept.
    pub counts_turns: bool,
}

impl<'t, G: Study> Survey<'t, G> {
    /// The table of a material, as it is [named](crate::answer::Tabled::named).
    ///
    /// # Errors
    /// If it is missing or damaged.
    pub fn open(
        tables: &'t Tablebase<G>,
        named: &Material,
        progress: &dyn Progress,
    ) -> Result<Survey<'t, G>, ProbeError> {
        let table = tables.open_held(named)?;
        let slices = slices(tables, &table, progress);
        Ok(Survey { tables, table, side: None, slices, all: None, counts_turns: false })
    }

    /// The same for who wants positions with this side to move alone, if any is named.
    #[must_use]
    pub fn of_side(self, side: Option<Color>) -> Survey<'t, G> {
        Survey { side, ..self }
    }

    /// The same for who wants a few positions soon, and not to wait for slices that are large.
    #[must_use]
    pub fn for_a_few(self) -> Survey<'t, G> {
        let is_small = self.cells() <= SMALL;
        Survey { slices: self.slices.filter(|_| is_small), ..self }
    }

    /// The same for who goes through all of the table.
    ///
    /// Where either side has pawns, slices in the order of the cells would read the same pages, which
    /// are large, again and again: after the promotions of one side they are made from those after
    /// the promotions of the other.
    #[must_use]
    pub fn for_all(self, progress: &dyn Progress) -> Survey<'t, G> {
        match self.table.id.material.has_pawns_on_both_sides() {
            true => self.keeping_slices(progress),
            false => self,
        }
    }

    /// The same for who asks for the positions after turns, too: what is found once is kept.
    #[must_use]
    pub fn for_turns(self, progress: &dyn Progress) -> Survey<'t, G> {
        let survey = Survey { table: self.table.keeping_derived(), ..self };
        let bytes = survey.cells().saturating_mul(size_of::<i16>() as u64);
        match bytes <= survey.tables.memory() {
            true => survey.keeping_slices(progress),
            false => survey,
        }
    }

    /// The same with all slices at once, if there are some.
    fn keeping_slices(self, progress: &dyn Progress) -> Survey<'t, G> {
        let Some(slices) = self.slices().filter(|_| self.all.is_none()) else { return self };
        progress.begin(&format!("reading {}", self.table.id.material), self.cells());
        let all = all_scores(slices, &|cells| progress.advance(cells));
        Survey { all, ..self }
    }

    /// The same for who asks how many turns of each position lead to what, if slices can tell once
    /// [all are kept](Survey::for_turns).
    #[must_use]
    pub fn counting_turns(self) -> Survey<'t, G> {
        let counts_turns = self.slices().is_some_and(FinishedTable::counts_turns);
        Survey { counts_turns, ..self }
    }

    /// The slices, where there are some.
    ///
    /// A page without a server looks positions up: the solver, which makes slices, would be most of
    /// the bytes that it has to load.
    fn slices(&self) -> Option<&FinishedTable<'t>> {
        if cfg!(target_family = "wasm") { None } else { self.slices.as_ref() }
    }

    /// How many cells the table has.
    pub fn cells(&self) -> u64 {
        self.tables.game().cells(&self.table.reader)
    }

    /// What the tables say of a position that turns of others may lead to.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn answer(&self, position: &G::Position) -> Result<G::Answer, ProbeError> {
        if let Some(told) = self.told_of_all()
            && let Some(cell) = self.tables.cell_of(&self.table, position)
            && let Some(outcome) = told.outcome(cell)
        {
            return Ok(self.answer_of(cell, outcome));
        }
        self.tables.answer_near(position, Some(&self.table))
    }

    /// The position with the men of a cell and the other side to move, if it is one, with its
    /// answer; `None` if it takes a look-up to know.
    pub fn passed(&self, cell: u64) -> Option<Option<(G::Position, G::Answer)>> {
        let told = self.told_of_all()?;
        let slice = self.slices()?.with_other_side(cell / told.numbers)?;
        let cell = slice * told.numbers + cell % told.numbers;
        Some(told.outcome(cell).map(|outcome| {
            let position = self.tables.game().cell(&self.table.reader, cell);
            (position.expect("slices tell of legal positions"), self.answer_of(cell, outcome))
        }))
    }

    /// What a cell's outcome says.
    fn answer_of(&self, cell: u64, outcome: Outcome) -> G::Answer {
        let game = self.tables.game();
        game.answer_of(game.cell_side(&self.table.reader, cell), outcome)
    }

    /// Goes through some cells on all cores. `add` meets each legal position, and `take` gets what
    /// was found in some of them, in their order, and says whether to go on.
    ///
    /// Positions that stand for others with the same cell are met once; those counted with another
    /// cell not at all. Positions that are looked ahead, such as those in which a pawn can be taken
    /// in passing, have no cell and are not met.
    ///
    /// # Errors
    /// If the table is damaged, or what `add` or `take` fails with.
    pub fn each<T: Send, E: From<ProbeError>>(
        &self,
        cells: Range<u64>,
        work: (&str, &dyn Progress),
        empty: &(dyn Fn() -> T + Sync),
        add: &Add<'_, 't, T, G>,
        take: &mut dyn FnMut(Vec<T>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let look = |told: Option<Told<'_>>, cells: Range<u64>| {
            let mut part = empty();
            self.each_cell(told, cells, &mut |met| add(&mut part, met))?;
            Ok(part)
        };
        self.each_chunk(cells, work, &look, take)
    }

    /// How many of the positions that [`each`](Survey::each) meets have the same side to move and
    /// come to the same, each kind with the first of them, in the order of those; `None` if slices
    /// do not tell. `add` meets the positions whose pawns stand so that one may be taken in passing,
    /// with other positions of the same men, and `merge` joins what it found.
    ///
    /// # Errors
    /// If the work is stopped, or what `add` fails with.
    pub fn count_outcomes<T: Send>(
        &self,
        work: (&str, &dyn Progress),
        empty: &(dyn Fn() -> T + Sync),
        add: &Add<'_, 't, T, G>,
        merge: &dyn Fn(&mut T, T),
    ) -> Result<Option<(KindsMet<'_, 't, G>, T)>, ProbeError> {
        let mut is_told = self.slices().is_some();
        let (mut kinds, mut all_parts) = (Kinds::default(), empty());
        let look = |told: Option<Told<'_>>, cells| {
            let count = |told| {
                let mut part = empty();
                Ok((self.count(told, cells, &mut |met| add(&mut part, met))?, part))
            };
            told.map(count).transpose()
        };
        let cells = if is_told { 0..self.cells() } else { 0..0 };
        self.each_chunk(cells, work, &look, &mut |parts| {
            for part in parts {
                let Some((more, part)) = part else {
                    is_told = false;
                    return Ok(ControlFlow::Break(()));
                };
                add_kinds(&mut kinds, more);
                merge(&mut all_parts, part);
            }
            Ok::<_, ProbeError>(ControlFlow::Continue(()))
        })?;
        let met = |((_, outcome), counted): ((Color, Outcome), Counted)| {
            let weight = self.tables.game().weight(&self.table.reader, counted.first);
            (self.met(counted.first, weight, Some(outcome)), counted)
        };
        let mut kinds: Vec<_> = kinds.into_iter().map(met).collect();
        kinds.sort_unstable_by_key(|(met, _)| met.cell);
        Ok(is_told.then_some((kinds, all_parts)))
    }

    /// Goes through some cells on all cores. `look` gets some that follow each other, with what
    /// slices tell, and `take` what was found in them, as in [`each`](Survey::each).
    fn each_chunk<T: Send, E: From<ProbeError>>(
        &self,
        cells: Range<u64>,
        (what, progress): (&str, &dyn Progress),
        look: &Look<'_, T>,
        take: &mut dyn FnMut(Vec<T>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        progress.begin(what, cells.end.saturating_sub(cells.start));
        let mut start = cells.start;
        let mut counter = self.turn_counter();
        while start < cells.end {
            let (end, made) = self.slices_from(start);
            let told = match &made {
                Some((first, scores)) => self.told(*first, scores),
                None => self.told_of_all(),
            };
            let end = end.min(cells.end);
            while start < end {
                let together = start..end.min(start + TOGETHER);
                start = together.end;
                let turns = counter.as_mut().and_then(|counter| counter.count(&together));
                let turns = turns.as_ref().map(|turns| (together.start, &turns[..]));
                let told = told.map(|told| Told { turns, ..told });
                let parts = parallel::try_map(
                    0..(together.end - together.start).div_ceil(CHUNK),
                    1,
                    |_, chunk| {
                        let first = together.start + chunk * CHUNK;
                        let cells = first..together.end.min(first + CHUNK);
                        let length = cells.end - cells.start;
                        let part = look(told, cells)?;
                        progress.advance(length);
                        go_on(progress)?;
                        Ok::<T, ProbeError>(part)
                    },
                )?;
                if take(parts)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Goes through stretches of cells in the same way; `merge` joins what was found, in its order.
    ///
    /// # Errors
    /// If the table is damaged, or what `add` fails with.
    pub fn tally<T: Send>(
        &self,
        stretches: impl IntoIterator<Item = Range<u64>>,
        (what, progress): (&str, &dyn Progress),
        empty: &(dyn Fn() -> T + Sync),
        add: &Add<'_, 't, T, G>,
        merge: &dyn Fn(&mut T, T),
    ) -> Result<T, ProbeError> {
        let mut all_parts = empty();
        for cells in stretches {
            self.each(cells, (what, progress), empty, add, &mut |parts| {
                parts.into_iter().for_each(|part| merge(&mut all_parts, part));
                Ok::<_, ProbeError>(ControlFlow::Continue(()))
            })?;
        }
        Ok(all_parts)
    }

    /// Where slices end that begin with the one of a cell; and these with the first one's number,
    /// unless all are kept or there are none.
    fn slices_from(&self, cell: u64) -> (u64, Option<(u64, Vec<FinishedScores>)>) {
        let Some(slices) = self.slices().filter(|_| self.all.is_none()) else {
            return (u64::MAX, None);
        };
        let (numbers, first) = (slices.slice_numbers(), cell / slices.slice_numbers());
        let last = (first + (TOGETHER / numbers).max(1)).min(slices.slices());
        let is_met = self.meets_side_of(cell) || self.meets_side_of(last * numbers - 1);
        let made = is_met.then(|| scores(slices, first..last)).flatten();
        (last * numbers, made.map(|made| (first, made)))
    }

    /// Whether positions of the side to move of a cell are met.
    fn meets_side_of(&self, cell: u64) -> bool {
        let (game, reader) = (self.tables.game(), &self.table.reader);
        self.side.is_none_or(|side| side == game.cell_side(reader, cell))
    }

    fn told<'a>(&self, first: u64, scores: &'a [FinishedScores]) -> Option<Told<'a>> {
        Some(Told { numbers: self.slices()?.slice_numbers(), first, scores, turns: None })
    }

    fn told_of_all(&self) -> Option<Told<'_>> {
        self.all.as_ref().and_then(|all| self.told(0, all))
    }

    /// Calls `meet` with each legal position of some cells.
    fn each_cell(
        &self,
        told: Option<Told<'_>>,
        cells: Range<u64>,
        meet: &mut dyn FnMut(Met<'_, 't, G>) -> Result<(), ProbeError>,
    ) -> Result<(), ProbeError> {
        if let Some(told) = told {
            for (start, scores, numbers) in self.slices_met(told, cells) {
                let has_passing = scores.has_passing();
                scores.each(numbers, |number, weight, outcome| {
                    let cell = start + number;
                    let turns = told.turns(cell);
                    meet(Met { turns, has_passing, ..self.met(cell, weight, Some(outcome)) })
                })?;
            }
            return Ok(());
        }
        let (game, reader) = (self.tables.game(), &self.table.reader);
        for cell in cells.filter(|&cell| self.meets_side_of(cell)) {
            let Some(position) = game.cell(reader, cell) else { continue };
            let weight = game.weight(reader, cell);
            if weight > 0 {
                let position = OnceCell::from(position);
                meet(Met { position, ..self.met(cell, weight, None) })?;
            }
        }
        Ok(())
    }

    /// How many positions of some cells are of each kind, the first by its cell; `meet` gets those
    /// of slices in which a pawn may be taken in passing.
    fn count(
        &self,
        told: Told<'_>,
        cells: Range<u64>,
        meet: &mut dyn FnMut(Met<'_, 't, G>) -> Result<(), ProbeError>,
    ) -> Result<Kinds, ProbeError> {
        let mut kinds = Kinds::default();
        for (start, scores, numbers) in self.slices_met(told, cells) {
            let side = self.tables.game().cell_side(&self.table.reader, start);
            let counts = scores.count(numbers.clone()).into_iter();
            add_kinds(
                &mut kinds,
                counts.map(|(outcome, counted)| {
                    ((side, outcome), Counted { first: start + counted.first, ..counted })
                }),
            );
            if scores.has_passing() {
                scores.each(numbers, |number, weight, outcome| {
                    meet(self.met(start + number, weight, Some(outcome)))
                })?;
            }
        }
        Ok(kinds)
    }

    /// The slices of some cells whose side to move is met, each with its first cell and those of
    /// its numbers that are among them.
    fn slices_met<'a>(
        &self,
        told: Told<'a>,
        cells: Range<u64>,
    ) -> impl Iterator<Item = (u64, &'a FinishedScores, Range<u64>)> {
        let slices = slices_of(told.numbers, cells);
        let starts = slices.map(move |(slice, numbers)| (slice * told.numbers, numbers));
        starts.filter(|&(start, _)| self.meets_side_of(start)).map(move |(start, numbers)| {
            let (_, scores) = told.slice(start);
            (start, scores, numbers)
        })
    }

    /// What counts turns, if they are.
    fn turn_counter(&self) -> Option<TurnCounter<'_, 't>> {
        let slices = self.slices().filter(|_| self.counts_turns)?;
        Some(TurnCounter::new(slices, self.all.as_ref()?))
    }

    /// A position of which nothing else is known yet.
    fn met(&self, cell: u64, weight: u64, outcome: Option<Outcome>) -> Met<'_, 't, G> {
        let position = OnceCell::new();
        Met { cell, weight, outcome, turns: None, has_passing: true, survey: self, position }
    }
}

/// The slices of an open table, if the game has some and nothing is wrong with what they are made
/// of: what that is, the positions tell that are looked up instead.
fn slices<'t, G: Study>(
    tables: &'t Tablebase<G>,
    table: &OpenTable<G>,
    progress: &dyn Progress,
) -> Option<FinishedTable<'t>> {
    let stop = progress.stop().cloned().unwrap_or_default();
    let budget = Budget::new(tables.memory(), env::temp_dir()).stopped_by(stop);
    let goal = Goal::new(tables.game(), table.id.material, table.id.contents);
    tables.game().finished(&goal, tables.directories(), budget).ok()?
}

/// Adds to how many positions there are of each kind.
fn add_kinds(kinds: &mut Kinds, more: impl IntoIterator<Item = ((Color, Outcome), Counted)>) {
    for (kind, counted) in more {
        kinds.entry(kind).and_modify(|known| known.merge(counted)).or_insert(counted);
    }
}

/// A legal position of a table.
pub(crate) struct Met<'m, 't, G: Study> {
    /// The number of its cell.
    pub cell: u64,
    /// How many placements it stands for.
    pub weight: u64,
    /// What comes of it, if a slice tells.
    pub outcome: Option<Outcome>,
    /// What its turns lead to, if they are counted.
    pub turns: Option<TurnCounts>,
    /// Whether a pawn may be taken in passing where the men stand like this, as far as is known.
    pub has_passing: bool,
    survey: &'m Survey<'t, G>,
    position: OnceCell<G::Position>,
}

impl<G: Study> Met<'_, '_, G> {
    /// Who is to move.
    pub fn side(&self) -> Color {
        let Survey { tables, table, .. } = self.survey;
        tables.game().cell_side(&table.reader, self.cell)
    }

    /// The position.
    pub fn position(&self) -> &G::Position {
        self.position.get_or_init(|| {
            let Survey { tables, table, .. } = self.survey;
            tables.game().cell(&table.reader, self.cell).expect("slices tell of legal positions")
        })
    }

    /// What the tables say of it, which takes most of the time of meeting it if its outcome is not
    /// told.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn answer(&self) -> Result<G::Answer, ProbeError> {
        let Survey { tables, table, .. } = self.survey;
        match self.outcome {
            Some(outcome) => Ok(self.survey.answer_of(self.cell, outcome)),
            None => tables.answer_of_cell(table, self.cell, self.position()),
        }
    }
}

impl<G: Study> Tablebase<G> {
    /// Goes through all legal positions of a table on all cores. `add` gets each position with
    /// its answer and the number of placements it stands for; `merge` joins what two threads
    /// found, the one with the lower positions first.
    ///
    /// Positions that stand for others with the same cell are met once; those counted with
    /// another cell not at all. Positions that are looked ahead, such as those in which a pawn can
    /// be taken in passing, have no cell and are not met.
    ///
    /// # Errors
    /// If the table is missing or damaged, or what `add` fails with.
    pub fn tally<T: Send>(
        &self,
        material: &Material,
        progress: &dyn Progress,
        empty: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &G::Position, &G::Answer, u64) -> Result<(), ProbeError> + Sync,
        merge: impl Fn(&mut T, T),
    ) -> Result<T, ProbeError> {
        let all = |reader: &G::Reader| iter::once(0..self.game().cells(reader)).collect();
        self.tally_some(material, all, progress, empty, add, merge)
    }

    /// Goes through the positions of some stretches of cells in the same way.
    ///
    /// # Errors
    /// As [`tally`](Tablebase::tally).
    pub(crate) fn tally_some<T: Send>(
        &self,
        material: &Material,
        stretches: impl FnOnce(&G::Reader) -> Vec<Range<u64>>,
        progress: &dyn Progress,
        empty: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &G::Position, &G::Answer, u64) -> Result<(), ProbeError> + Sync,
        merge: impl Fn(&mut T, T),
    ) -> Result<T, ProbeError> {
        let survey = Survey::open(self, material, progress)?;
        let add = |part: &mut T, met: Met<'_, '_, G>| {
            add(part, met.position(), &met.answer()?, met.weight)
        };
        let (stretches, what) = (stretches(&survey.table.reader), format!("counting {material}"));
        survey.tally(stretches, (&what, progress), &empty, &add, &merge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::{Tabled, VariantReader, WinDrawLoss},
        board::ByColor,
        progress::Silent,
        rules::{Game, Setup, Variant},
        solve::BuildOptions,
    };

    /// What is met in some cells: the cells, and what is said of each.
    type All = Vec<(u64, u64, WinDrawLoss)>;

    fn all(survey: &Survey<'_, Variant>, cells: Range<u64>) -> All {
        let mut all = Vec::new();
        let add = |part: &mut All, met: Met<'_, '_, Variant>| {
            part.push((met.cell, met.weight, met.answer()?));
            Ok(())
        };
        let look = survey.each(cells, ("looking", &Silent), &Vec::new, &add, &mut |parts| {
            all.extend(parts.into_iter().flatten());
            Ok::<_, ProbeError>(ControlFlow::Continue(()))
        });
        look.expect("tables that are whole");
        all
    }

    /// How many positions there are of each answer, and how many in which a pawn can be taken in
    /// passing.
    fn counts_of(survey: &Survey<'_, Variant>) -> Option<(Vec<(WinDrawLoss, Counted)>, u64)> {
        let add = |count: &mut u64, met: Met<'_, '_, Variant>| {
            *count += survey.tables.game().in_passing(met.position()).len() as u64;
            Ok(())
        };
        let work = ("counting", &Silent as &dyn Progress);
        let counts = survey.count_outcomes(work, &|| 0, &add, &|all, part| *all += part).unwrap();
        counts.map(|(kinds, passing)| {
            let kinds = kinds.into_iter().map(|(met, counted)| (met.answer().unwrap(), counted));
            (kinds.collect(), passing)
        })
    }

    /// What is met by side to move and answer.
    fn kinds(game: &Variant, reader: &VariantReader, met: &All) -> Vec<(WinDrawLoss, Counted)> {
        let mut kinds: Vec<(Color, WinDrawLoss, Counted)> = Vec::new();
        for &(cell, weight, answer) in met {
            let side = game.cell_side(reader, cell);
            let own = Counted { first: cell, positions: 1, placements: weight };
            let mut same = kinds.iter_mut().filter(|kind| (kind.0, kind.1) == (side, answer));
            match same.next() {
                Some((.., counted)) => counted.merge(own),
                None => kinds.push((side, answer, own)),
            }
        }
        kinds.into_iter().map(|(_, answer, counted)| (answer, counted)).collect()
    }

    /// Holds the turns that are counted against those of the rules, each of them looked up.
    fn counts_turns(survey: &Survey<'_, Variant>) -> bool {
        let (game, tables) = (survey.tables.game(), survey.tables);
        let is_told = survey.turn_counter().is_some();
        let add = |counted: &mut u64, met: Met<'_, '_, Variant>| {
            assert_eq!(met.turns.is_some(), is_told);
            let Some(counts) = met.turns.filter(|_| met.cell.is_multiple_of(31)) else {
                return Ok(());
            };
            let turns = game.turns(met.position()).into_iter();
            let value = |turn| {
                let after = game.play(met.position(), turn);
                game.value(&after, &tables.answer(&after).unwrap())
            };
            let values: Vec<i64> = turns.map(value).collect();
            for value in -1..=1 {
                let expected = values.iter().filter(|&&other| other == value).count();
                let fen = game.fen(met.position());
                assert_eq!(counts.count(|other| other == value), expected, "{fen}: {value}");
            }
            *counted += 1;
            Ok(())
        };
        let cells = iter::once(0..survey.cells());
        let work = ("counting", &Silent as &dyn Progress);
        let counted = survey.tally(cells, work, &|| 0, &add, &|all, part| *all += part);
        counted.unwrap() > 10
    }

    #[test]
    fn slices_tell_what_is_looked_up() {
        for (game, name) in [
            ("orthodox", "KvK"),
            ("orthodox", "KRvK"),
            ("gardner", "KBvKN"),
            ("gardner", "KRvKR"),
            ("gardner", "KPvKP"),
            ("gardner", "KPvKN"),
            ("losalamos", "KPvK"),
            ("antichess", "PvP"),
            ("3check", "KNvK"),
        ] {
            let game = Variant::named(game).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let tables = Tablebase::new(game, folder.path());
            let material = game.named(&name.parse().unwrap()).unwrap();
            tables.build(&[material], &BuildOptions::default().level(1)).unwrap();
            let open = || Survey::open(&tables, &material, &Silent).unwrap();
            let open_without = || Survey { slices: None, ..open() };
            let told = open();
            assert!(told.slices().is_some(), "{name}");
            let cells = told.cells();
            let expected = all(&open_without(), 0..cells);
            assert!(all(&told, 0..cells) == expected, "{name}");
            let some =
                |&(cell, ..): &(u64, u64, WinDrawLoss)| (cells / 7..cells / 3).contains(&cell);
            let expected: All = expected.into_iter().filter(some).collect();
            for memory in [64 << 20, 1 << 14] {
                let tables = Tablebase::new(game, folder.path()).with_memory(memory);
                let of_all = Survey::open(&tables, &material, &Silent).unwrap().for_all(&Silent);
                assert_eq!(of_all.all.is_some(), material.has_pawns_on_both_sides(), "{name}");
                assert!(all(&of_all, cells / 7..cells / 3) == expected, "{name}");
            }
            let kept = open().for_turns(&Silent);
            assert!(all(&kept, cells / 7..cells / 3) == expected, "{name}");
            let side = game.cell_side(&told.table.reader, cells - 1);
            let of_side = |survey: Survey<'_, Variant>| all(&survey.of_side(Some(side)), 0..cells);
            assert!(of_side(open()) == of_side(open_without()), "{name}");
            for survey in [open(), open().for_turns(&Silent), open().of_side(Some(side))] {
                let (counts, in_passing) = counts_of(&survey).expect("slices tell");
                let met = all(&open_without().of_side(survey.side), 0..cells);
                assert_eq!(counts, kinds(&game, &told.table.reader, &met), "{name}");
                let setup = |cell: u64| game.cell(&told.table.reader, cell).unwrap();
                let passing = |cell: u64| game.in_passing(&setup(cell)).len() as u64;
                let expected = met.iter().map(|&(cell, ..)| passing(cell)).sum::<u64>();
                assert_eq!(in_passing, expected, "{name}");
                assert_eq!(in_passing > 0, name == "PvP", "{name}");
            }
            assert!(counts_of(&open_without()).is_none());
            let counting = open().for_turns(&Silent).counting_turns();
            assert_eq!(counts_turns(&counting), game.winning_checks == 0, "{name}");
            let mut passed = 0;
            for &(cell, ..) in expected.iter().step_by(97) {
                let position = game.cell(&told.table.reader, cell).unwrap();
                let answer = tables.answer(&position).unwrap();
                assert_eq!(kept.answer(&position).unwrap(), answer, "{name} {cell}");
                let other = Setup { to_move: !position.to_move, ..position.clone() };
                match kept.passed(cell) {
                    None => assert_eq!(material, material.swap_colors()),
                    Some(None) => {
                        assert!(game.parse_fen(&game.fen(&other)).is_err(), "{name} {cell}")
                    }
                    Some(Some((there, answer))) => {
                        assert_eq!(there, other, "{name} {cell}");
                        assert_eq!(tables.answer(&there).unwrap(), answer, "{name} {cell}");
                        passed += 1;
                    }
                }
            }
            assert!(passed > 0 || material == material.swap_colors(), "{name}");
            // Who has given the last check has won, which no cell tells.
            let setup = game.cell(&told.table.reader, expected[0].0).unwrap();
            if let Some(left) = setup.checks_left {
                let setup = Setup { checks_left: Some(ByColor { black: 0, ..left }), ..setup };
                assert_eq!(tables.cell_of(&kept.table, &setup), None);
                assert_eq!(kept.answer(&setup).unwrap(), tables.answer(&setup).unwrap());
            }
        }
    }
}

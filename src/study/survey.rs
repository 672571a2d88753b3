//! Going through every position of a table.

use std::{
    cell::OnceCell,
    env, iter,
    ops::{ControlFlow, Range},
};

use super::Study;
use crate::{
    answer::Outcome,
    board::{Color, Role},
    index::Material,
    parallel,
    probe::{OpenTable, ProbeError, Tablebase, go_on},
    progress::Progress,
    solve::{Budget, FinishedScores, FinishedTable, Goal},
};

/// Cells that a thread goes through at a time.
const CHUNK: u64 = 1 << 14;

/// Cells that are gone through before what was found is handed over: enough for all cores, and few
/// enough to see the first positions soon.
const TOGETHER: u64 = 1 << 20;

/// What slices and what they are made from may take in memory, in bytes; beyond that they are
/// temporary files.
const MEMORY: u64 = 256 << 20;

/// Cells of a table that is small enough to make its slices even for a few positions.
const SMALL: u64 = 8 * TOGETHER;

/// What all slices of a table may take to be kept at once, in bytes.
const ALL: u64 = 256 << 20;

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
    /// Whether a pawn can be taken in passing in a position of the table: both sides have some.
    pub has_passing: bool,
    /// Who is to move in the positions that are met, if not either.
    side: Option<Color>,
    slices: Option<FinishedTable<'t>>,
    /// All slices, in the order of the cells, if they are kept.
    all: Option<Vec<FinishedScores>>,
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
        let has_passing = Color::ALL.iter().all(|&side| named.count(side, Role::Pawn) > 0);
        Ok(Survey { tables, table, has_passing, side: None, slices, all: None })
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

    /// The same for who asks for the positions after turns, too: what is found once is kept.
    #[must_use]
    pub fn for_turns(self, progress: &dyn Progress) -> Survey<'t, G> {
        let fits = self.cells().saturating_mul(size_of::<i16>() as u64) <= ALL;
        let all = self.slices().filter(|_| fits).and_then(|slices| {
            let material = self.table.id.material;
            progress.begin(&format!("reading {material}"), self.cells());
            scores(slices, 0..slices.slices(), &|cells| progress.advance(cells))
        });
        Survey { table: self.table.keeping_derived(), all, ..self }
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
        (what, progress): (&str, &dyn Progress),
        empty: &(dyn Fn() -> T + Sync),
        add: &Add<'_, 't, T, G>,
        take: &mut dyn FnMut(Vec<T>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        progress.begin(what, cells.end.saturating_sub(cells.start));
        let mut start = cells.start;
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
                let parts = parallel::try_map(
                    0..(together.end - together.start).div_ceil(CHUNK),
                    1,
                    |_, chunk| {
                        let first = together.start + chunk * CHUNK;
                        let cells = first..together.end.min(first + CHUNK);
                        let (length, mut part) = (cells.end - cells.start, empty());
                        self.each_cell(told, cells, &mut |met| add(&mut part, met))?;
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
        let made = is_met.then(|| scores(slices, first..last, &|_| ())).flatten();
        (last * numbers, made.map(|made| (first, made)))
    }

    /// Whether positions of the side to move of a cell are met.
    fn meets_side_of(&self, cell: u64) -> bool {
        let (game, reader) = (self.tables.game(), &self.table.reader);
        self.side.is_none_or(|side| side == game.cell_side(reader, cell))
    }

    fn told<'a>(&self, first: u64, scores: &'a [FinishedScores]) -> Option<Told<'a>> {
        Some(Told { numbers: self.slices()?.slice_numbers(), first, scores })
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
        let (game, reader) = (self.tables.game(), &self.table.reader);
        let mut next = cells.start;
        while next < cells.end {
            let slice = told.map(|told| told.slice(next));
            let end = slice.as_ref().map_or(cells.end, |(cells, _)| cells.end).min(cells.end);
            for cell in next..end {
                if !self.meets_side_of(cell) {
                    continue;
                }
                let (outcome, position) = match &slice {
                    Some((cells, scores)) => match scores.outcome(cell - cells.start) {
                        Some(outcome) => (Some(outcome), OnceCell::new()),
                        None => continue,
                    },
                    None => match game.cell(reader, cell) {
                        Some(position) => (None, OnceCell::from(position)),
                        None => continue,
                    },
                };
                let weight = game.weight(reader, cell);
                if weight > 0 {
                    meet(Met { cell, weight, outcome, survey: self, position })?;
                }
            }
            next = end;
        }
        Ok(())
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
    let budget = Budget::new(MEMORY, env::temp_dir()).stopped_by(stop);
    let goal = Goal::new(tables.game(), table.id.material, table.id.contents);
    tables.game().finished(&goal, tables.directories(), budget).ok()?
}

/// Makes some slices; `None` if one of them cannot be made. `done` hears how many cells are.
fn scores(
    slices: &FinishedTable<'_>,
    range: Range<u64>,
    done: &(dyn Fn(u64) + Sync),
) -> Option<Vec<FinishedScores>> {
    let made = parallel::try_map(range, 1, |_, slice| {
        let scores = slices.scores(slice);
        done(slices.slice_numbers());
        scores
    });
    made.ok()
}

/// What some slices tell that follow each other.
#[derive(Copy, Clone)]
struct Told<'a> {
    /// How many cells each has.
    numbers: u64,
    /// The first.
    first: u64,
    scores: &'a [FinishedScores],
}

impl<'a> Told<'a> {
    /// The slice of a cell, and which cells it has.
    fn slice(&self, cell: u64) -> (Range<u64>, &'a FinishedScores) {
        let slice = cell / self.numbers;
        let start = slice * self.numbers;
        (start..start + self.numbers, &self.scores[(slice - self.first) as usize])
    }

    /// What comes of the position of a cell, if it is legal.
    fn outcome(&self, cell: u64) -> Option<Outcome> {
        let (cells, scores) = self.slice(cell);
        scores.outcome(cell - cells.start)
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
        answer::{Tabled, WinDrawLoss},
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

    #[test]
    fn slices_tell_what_is_looked_up() {
        for (game, name) in [
            ("orthodox", "KvK"),
            ("orthodox", "KRvK"),
            ("gardner", "KBvKN"),
            ("gardner", "KRvKR"),
            ("gardner", "KPvKP"),
            ("3check", "KNvK"),
        ] {
            let game = *Variant::built_in().iter().find(|known| known.name() == game).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let tables = Tablebase::new(game, folder.path());
            let material: Material = name.parse().unwrap();
            tables.build(&[material], &BuildOptions::default().level(1)).unwrap();
            let open = || Survey::open(&tables, &material, &Silent).unwrap();
            let (told, looked_up) = (open(), Survey { slices: None, ..open() });
            assert!(told.slices().is_some(), "{name}");
            let cells = told.cells();
            let expected = all(&looked_up, 0..cells);
            assert!(all(&told, 0..cells) == expected, "{name}");
            let some =
                |&(cell, ..): &(u64, u64, WinDrawLoss)| (cells / 7..cells / 3).contains(&cell);
            let expected: All = expected.into_iter().filter(some).collect();
            let kept = open().for_turns(&Silent);
            assert!(all(&kept, cells / 7..cells / 3) == expected, "{name}");
            let side = game.cell_side(&told.table.reader, cells - 1);
            let of_side = |survey: Survey<'_, Variant>| all(&survey.of_side(Some(side)), 0..cells);
            assert!(of_side(open()) == of_side(looked_up), "{name}");
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

//! A whole table as columns, and the answers to many positions.
//!
//! Each legal position of a table is a row: its number, how many placements it stands for, who is
//! to move, the squares of the men, what else tells it from others, and what the answer says. Sums
//! of weights are what statistics count.

use std::{
    error::Error,
    fmt,
    ops::{ControlFlow, Range},
};

use super::{
    Study,
    survey::{Met, Survey},
    values::{Columns, Field, Kind, Row, SIDES},
};
use crate::{
    board::{Board, Color, Man, Role, Square},
    index::Material,
    parallel,
    probe::{ProbeError, Tablebase, go_on},
    progress::Progress,
    rules::FenError,
};

/// Which part of a table is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Who is to move, if not either.
    pub side: Option<Color>,
    /// The numbers of positions; what lies beyond those of the table is ignored.
    pub numbers: Range<u64>,
    /// The columns, in whatever order; all if none are named.
    pub names: Option<Vec<String>>,
}

impl Default for Selection {
    /// All of it.
    fn default() -> Selection {
        Selection { side: None, numbers: 0..u64::MAX, names: None }
    }
}

/// Why there are no columns of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// The table, or one it leads to, is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// There is no column of this name.
    #[error("there is no column `{name}`; there are {there}")]
    Unknown {
        /// The name.
        name: String,
        /// Those there are.
        there: String,
    },
    /// Colours were exchanged so that this side is never to move.
    #[error(
        "{material} has no positions with {side} to move: both sides have the same men, so such \
         positions are counted with the colours exchanged"
    )]
    NeverToMove {
        /// The table.
        material: Material,
        /// The side.
        side: Color,
    },
}

/// A FEN out of many that cannot be answered.
#[derive(Debug, thiserror::Error)]
#[error("position {place}, `{fen}`")]
pub struct UnansweredError {
    /// Which, from 0.
    pub place: usize,
    /// The text.
    pub fen: String,
    /// Why.
    pub source: Box<AnswerError>,
}

/// Why a FEN cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// It is no position of the game.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No table answers it.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The columns of the table of a material, in their order.
pub fn table_fields<G: Study>(game: &G, named: &Material) -> Vec<Field> {
    with_own(named, game.mode_columns(), game.columns())
}

/// The columns that any game has, and those of its own.
fn with_own(named: &Material, modes: Vec<Field>, own: Vec<Field>) -> Vec<Field> {
    let mut fields = vec![
        Field::optional("number", Kind::I64),
        Field::new("weight", Kind::U8),
        Field::new("to_move", SIDES),
    ];
    fields.extend(man_fields(named));
    fields.push(Field::optional("en_passant", Kind::Square));
    fields.extend(modes);
    fields.extend(own);
    fields
}

/// A column for each man on the board: `white_rook`, or `white_rook_1` and so on of several.
fn man_fields(material: &Material) -> Vec<Field> {
    let mut fields = Vec::new();
    for man in kinds(material) {
        let name = format!("{}_{}", man.color.name(), man.role.name());
        match material.count(man.color, man.role) {
            1 => fields.push(Field::new(name, Kind::Square)),
            count => fields.extend(
                (1..=count).map(|place| Field::new(format!("{name}_{place}"), Kind::Square)),
            ),
        }
    }
    fields
}

/// Each kind of man on the board once.
fn kinds(material: &Material) -> Vec<Man> {
    let mut kinds = material.men();
    kinds.dedup();
    kinds
}

/// The squares of the men of some kinds; a disk stands for a King.
fn fill_men(row: &mut Row<'_>, kinds: &[Man], board: &Board) {
    for &Man { color, role } in kinds {
        let mut men = board.men(color, role);
        if role == Role::King {
            men |= board.men(color, Role::Disk);
        }
        men.for_each(|square| row.square(Some(square)));
    }
}

/// What fills rows of the [columns of a table](table_fields).
pub(crate) struct Rows<'g, G: Study> {
    game: &'g G,
    /// The kinds of men on the board.
    kinds: Vec<Man>,
}

impl<'g, G: Study> Rows<'g, G> {
    /// For a table, as it is [named](crate::answer::Tabled::named).
    pub fn new(game: &'g G, named: &Material) -> Rows<'g, G> {
        Rows { game, kinds: kinds(named) }
    }

    /// Fills the columns before those of the answer.
    pub fn standing(&self, row: &mut Row<'_>, place: Place, position: &G::Position) {
        row.perhaps(place.cell.map(|cell| cell as i64));
        row.integer(place.weight as u8);
        row.side(Some(self.game.to_move(position)));
        fill_men(row, &self.kinds, self.game.board(position));
        row.square(place.en_passant);
        self.game.fill_mode(position, row);
    }

    /// Fills all columns.
    pub fn all(&self, row: &mut Row<'_>, place: Place, position: &G::Position, answer: &G::Answer) {
        self.standing(row, place, position);
        self.game.fill(position, answer, row);
    }
}

/// A table, as it is [named](crate::answer::Tabled::named), as columns; the positions in the order
/// of their numbers, and those in which a pawn can be taken in passing, which have none, behind the
/// same men without that.
///
/// # Errors
/// If the table, or one it leads to, is missing or damaged, or something is selected that it does
/// not have.
pub fn table_columns<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    selection: &Selection,
    progress: &dyn Progress,
) -> Result<Columns, ColumnsError> {
    let reader = ColumnReader::open(tables, named, selection, progress)?;
    Ok(reader.columns(selection.numbers.clone(), progress)?)
}

/// A table that is read as columns, some of it at a time.
pub struct ColumnReader<'t, G: Study> {
    survey: Survey<'t, G>,
    fields: Vec<Field>,
    /// The columns that are wanted; all if none are named.
    names: Option<Vec<String>>,
}

impl<G: Study> fmt::Debug for ColumnReader<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnReader").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<'t, G: Study> ColumnReader<'t, G> {
    /// For the columns and the side to move of a selection, whose numbers do not matter.
    ///
    /// # Errors
    /// If the table is missing or damaged, or lacks what is selected.
    pub fn open(
        tables: &'t Tablebase<G>,
        named: &Material,
        Selection { side, names, .. }: &Selection,
        progress: &dyn Progress,
    ) -> Result<ColumnReader<'t, G>, ColumnsError> {
        let fields = table_fields(tables.game(), named);
        check_names(&fields, names.as_deref())?;
        let survey = Survey::open(tables, named, progress)?.of_side(*side);
        if let Some(side @ Color::Black) = *side
            && tables.game().cell_side(&survey.table.reader, survey.cells() - 1) != side
        {
            return Err(ColumnsError::NeverToMove { material: *named, side });
        }
        Ok(ColumnReader { survey, fields, names: names.clone() })
    }

    /// The same for who reads all of it: it may pay to read some of its tables first.
    #[must_use]
    pub fn for_all(self, progress: &dyn Progress) -> ColumnReader<'t, G> {
        ColumnReader { survey: self.survey.for_all(progress), ..self }
    }

    /// How many numbers the table has.
    pub fn numbers(&self) -> u64 {
        self.survey.cells()
    }

    /// The rows of some numbers; what lies beyond those of the table is ignored.
    ///
    /// # Errors
    /// If the table, or one it leads to, is missing or damaged.
    pub fn columns(
        &self,
        Range { start, end }: Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Columns, ProbeError> {
        let ColumnReader { survey, fields, names } = self;
        let (tables, named) = (survey.tables, survey.table.id.material);
        let game = tables.game();
        let rows = Rows::new(game, &named);
        let empty = || Columns::new(fields, names.as_deref());
        let add = |columns: &mut Columns, met: Met<'_, '_, G>| {
            let (cell, weight, position) = (met.cell, met.weight, met.position());
            if !game.occurs(position) {
                return Ok(());
            }
            let place = Place { cell: Some(cell), weight, en_passant: None };
            let answer = met.answer()?;
            columns.add(|row| rows.all(row, place, position, &answer));
            for (square, position) in game.in_passing(position) {
                let answer = tables.answer(&position)?;
                let place = Place { cell: None, weight, en_passant: Some(square) };
                columns.add(|row| rows.all(row, place, &position, &answer));
            }
            Ok(())
        };
        let (what, cells) = (format!("reading {named}"), start..end.min(survey.cells()));
        let mut all_parts = Vec::new();
        survey.each(cells, (&what, progress), &empty, &add, &mut |parts| {
            all_parts.extend(parts);
            Ok::<_, ProbeError>(ControlFlow::Continue(()))
        })?;
        Ok(Columns::joined(all_parts).unwrap_or_else(empty))
    }
}

/// Where a row stands.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    /// Its cell, if it has one.
    pub cell: Option<u64>,
    /// How many placements it stands for.
    pub weight: u64,
    /// Where a pawn can be taken in passing.
    pub en_passant: Option<Square>,
}

fn check_names(fields: &[Field], names: Option<&[String]>) -> Result<(), ColumnsError> {
    let unknown = |name: &&String| fields.iter().all(|field| field.name != **name);
    let Some(name) = names.unwrap_or_default().iter().find(unknown) else { return Ok(()) };
    let there: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    Err(ColumnsError::Unknown { name: name.clone(), there: there.join(", ") })
}

/// How an error is told in the column `error`.
pub type Sentence<'s> = dyn Fn(&(dyn Error + 'static)) -> String + Sync + 's;

/// The columns of [`answer_columns`]: optional, and with a last one, if rows without answer are
/// kept.
pub fn answer_fields<G: Study>(game: &G, keeps_errors: bool) -> Vec<Field> {
    let mut fields = game.columns();
    if keeps_errors {
        fields.iter_mut().for_each(|field| field.optional = true);
        fields.push(Field::optional("error", Kind::Text));
    }
    fields
}

/// The answers to many FENs, a row each, looked up on all cores. With `sentence`, what cannot be
/// answered is a row without values, and a last column `error` says why.
///
/// # Errors
/// At a FEN that cannot be answered, unless such rows are kept, or if it was
/// [stopped](crate::progress::Stop).
pub fn answer_columns<G: Study>(
    tables: &Tablebase<G>,
    fens: &[&str],
    sentence: Option<&Sentence<'_>>,
    progress: &dyn Progress,
) -> Result<Columns, UnansweredError> {
    const CHUNK: usize = 1 << 11;
    let fields = answer_fields(tables.game(), sentence.is_some());
    let empty = || Columns::new(&fields, None);
    progress.begin("answering", fens.len() as u64);
    let parts = parallel::try_map(parallel::chunks(fens, CHUNK), 1, |number, chunk| {
        let mut columns = empty();
        Answering { tables, sentence }.chunk(chunk, &mut columns, progress).map_err(
            |(place, source)| {
                let place = number * CHUNK + place;
                UnansweredError { place, fen: fens[place].to_owned(), source: Box::new(source) }
            },
        )?;
        progress.advance(chunk.len() as u64);
        Ok(columns)
    })?;
    Ok(Columns::joined(parts).unwrap_or_else(empty))
}

/// What answers some FENs, one after the other.
struct Answering<'a, G: Study> {
    tables: &'a Tablebase<G>,
    sentence: Option<&'a Sentence<'a>>,
}

impl<G: Study> Answering<'_, G> {
    /// Adds the rows of some FENs; or tells which of them cannot be answered, and why.
    fn chunk(
        &self,
        fens: &[&str],
        columns: &mut Columns,
        progress: &dyn Progress,
    ) -> Result<(), (usize, AnswerError)> {
        go_on(progress).map_err(|stopped| (0, stopped.into()))?;
        let game = self.tables.game();
        for (place, fen) in fens.iter().enumerate() {
            let answered = game.parse_fen(fen).map_err(AnswerError::from).and_then(|position| {
                let answer = self.tables.answer(&position)?;
                Ok((position, answer))
            });
            match (answered, self.sentence) {
                (Ok((position, answer)), keeps) => columns.add(|row| {
                    game.fill(&position, &answer, row);
                    if keeps.is_some() {
                        row.text(None);
                    }
                }),
                (Err(error), Some(sentence)) => columns.add(|row| {
                    row.nothing(1);
                    row.text(Some(sentence(error.cause())));
                }),
                (Err(error), None) => return Err((place, error)),
            }
        }
        Ok(())
    }
}

impl AnswerError {
    /// What is behind it.
    fn cause(&self) -> &(dyn Error + 'static) {
        match self {
            AnswerError::Fen(error) => error,
            AnswerError::Probe(error) => error,
        }
    }
}

/// The numbers of many positions in a table, as it is [named](crate::answer::Tabled::named): each
/// that of a position which symmetries make equal. `None` for positions that have none there: of
/// other men, with a pawn that can be taken in passing, or at the end of a game.
///
/// # Errors
/// If the table is missing or damaged, or a text is no FEN of the game.
pub fn numbers<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    fens: &[&str],
) -> Result<Vec<Option<u64>>, UnansweredError> {
    let unanswered = |place: usize, source| {
        let fen = fens.get(place).copied().unwrap_or_default().to_owned();
        UnansweredError { place, fen, source: Box::new(source) }
    };
    let table = tables.open(named).map_err(|error| unanswered(0, error.into()))?;
    parallel::try_map(fens, 64, |place, fen| {
        let position = tables.game().parse_fen(fen);
        let position = position.map_err(|error| unanswered(place, error.into()))?;
        Ok(tables.cell_of(table, &position))
    })
}

/// The FENs of the positions with these numbers in a table, as it is
/// [named](crate::answer::Tabled::named); `None` for numbers that are no position's, or not of the
/// table.
///
/// # Errors
/// If the table is missing or damaged.
pub fn fens<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    numbers: &[u64],
) -> Result<Vec<Option<String>>, ProbeError> {
    let (game, table) = (tables.game(), tables.open(named)?);
    let all = game.cells(&table.reader);
    Ok(parallel::map(numbers, 64, |_, &number| {
        let position = (number < all).then(|| game.cell(&table.reader, number)).flatten();
        position.filter(|position| game.occurs(position)).map(|position| game.fen(&position))
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::{
        progress::{Silent, Stop},
        registry::{Complete, GameName, Task},
        rules::{RuleOptions, Variant},
        study::values::Values,
    };

    /// Every so many rows are looked at.
    const STEP: usize = 499;

    /// A row as JSON, an absent value as null.
    fn row_object(columns: &Columns, row: usize) -> Map<String, Value> {
        let value = |field: &Field, values: &Values| match (values, field.kind) {
            _ if field.optional && !values.has(row) => Value::Null,
            (Values::I8(all), Kind::Words(words)) => json!(words[all[row] as usize]),
            (Values::I8(all), _) => json!(all[row]),
            (Values::U8(all), _) => json!(all[row]),
            (Values::I32(all), _) => json!(all[row]),
            (Values::I64(all), _) => json!(all[row]),
            (Values::F32(all), _) if all[row].is_infinite() => json!(all[row].to_string()),
            (Values::F32(all), _) => json!(all[row] as i64),
            (Values::Text(all), _) => json!(all[row]),
            (Values::Lists(length, all), _) => json!(all[row * length..(row + 1) * length]),
        };
        let members = columns.iter().map(|(field, all)| (field.name.clone(), value(field, all)));
        members.collect()
    }

    /// Members of JSON as columns have them: those of objects by themselves.
    fn flat(fields: Map<String, Value>, columns: &Map<String, Value>) -> Map<String, Value> {
        let of_object = |name: &str, value: &Value| match value {
            Value::Object(_) | Value::Null if !columns.contains_key(name) => {
                ["by", "plies"].map(|part| (format!("{name}_{part}"), value[part].clone())).to_vec()
            }
            value => vec![(name.to_owned(), value.clone())],
        };
        fields.iter().flat_map(|(name, value)| of_object(name, value)).collect()
    }

    fn shipped<G: Study>(game: G) -> Tablebase<G> {
        Tablebase::new(game, concat!(env!("CARGO_MANIFEST_DIR"), "/tables"))
    }

    /// That the columns of a game's shipped tables say what the tables do.
    struct Agree;

    impl Task for Agree {
        type Output = ();

        fn run<G: Complete>(self, game: G) {
            let tables = shipped(game);
            let materials = tables.materials().expect("a folder");
            for material in materials.iter().step_by(5) {
                agree(&tables, material);
            }
        }
    }

    fn agree<G: Complete>(tables: &Tablebase<G>, material: &Material) {
        let game = tables.game();
        let columns = table_columns(tables, material, &Selection::default(), &Silent);
        let columns = columns.expect("a table that ships");
        let count = tables.tally(
            material,
            &Silent,
            || 0,
            |sum, position, _, weight| {
                let rows =
                    u64::from(game.occurs(position)) + game.in_passing(position).len() as u64;
                *sum += weight * rows;
                Ok(())
            },
            |sum, more| *sum += more,
        );
        let column = |name: &str| columns.iter().find(|(field, _)| field.name == name).unwrap().1;
        let (Values::U8(weights), Values::I64(numbers_there)) =
            (column("weight"), column("number"))
        else {
            panic!("weights are small and numbers are not")
        };
        let sum: u64 = weights.iter().copied().map(u64::from).sum();
        assert_eq!(sum, count.expect("a table that ships"), "{} {material}", game.name());
        for row in (0..columns.rows()).step_by(STEP).filter(|&row| numbers_there[row] >= 0) {
            let number = numbers_there[row] as u64;
            let texts = fens(tables, material, &[number]).expect("a table that ships");
            let fen = texts[0].as_deref().expect("a number of a row");
            assert_eq!(numbers(tables, material, &[fen]).unwrap(), [Some(number)], "{fen}");
            let position = game.parse_fen(fen).expect("a FEN that was written");
            let object = row_object(&columns, row);
            let answer = tables.answer(&position).expect("a table that ships");
            for (name, value) in flat(game.fields(&position, &answer), &object) {
                assert_eq!(object[&name], value, "{} {fen} {name}", game.name());
            }
            let side = game.to_move(&position).name();
            assert_eq!(object["to_move"], side, "{fen}");
            let single = answer_columns(tables, &[fen], None, &Silent).unwrap();
            for (name, value) in row_object(&single, 0) {
                assert_eq!(object[&name], value, "{} {fen} {name}", game.name());
            }
        }
    }

    #[test]
    fn columns_say_what_tables_do() {
        for game in GameName::all() {
            game.play(RuleOptions::none(), Agree).expect("the usual rules");
        }
    }

    #[test]
    fn parts_of_a_table_are_its_parts() {
        let tables = shipped(Variant::orthodox());
        let material = "KPvK".parse().unwrap();
        let select = |side, numbers, names: Option<&[&str]>| {
            let names = names.map(|names| names.iter().map(|&name| name.to_owned()).collect());
            table_columns(&tables, &material, &Selection { side, numbers, names }, &Silent)
        };
        let rows = |side, numbers| select(side, numbers, Some(&["dtm"])).unwrap().rows();
        let all = rows(None, 0..u64::MAX);
        assert_eq!(
            all,
            rows(Some(Color::White), 0..u64::MAX) + rows(Some(Color::Black), 0..u64::MAX)
        );
        assert_eq!(all, rows(None, 0..70_000) + rows(None, 70_000..u64::MAX));
        assert_eq!(rows(None, 1 << 40..1 << 50), 0);
        let wrong = select(None, 0..1, Some(&["dtm", "plies"])).unwrap_err().to_string();
        assert_eq!(
            wrong,
            "there is no column `plies`; there are number, weight, to_move, white_king, white_pawn, \
             black_king, en_passant, wdl, dtm"
        );
        let side = Some(Color::Black);
        let equal = table_columns(
            &tables,
            &"KvK".parse().unwrap(),
            &Selection { side, ..Selection::default() },
            &Silent,
        );
        assert!(equal.unwrap_err().to_string().starts_with("KvK has no positions with Black to"));
    }

    #[test]
    fn what_cannot_be_answered_is_told_or_kept() {
        let tables = shipped(Variant::orthodox());
        let fens = ["8/8/8/3k4/8/8/8/K6R w", "8/8/8/8/8/8/8/K7 w", "8/8/8/3k4/8/8/8/KRRR4 b"];
        let error = answer_columns(&tables, &fens, None, &Silent).unwrap_err();
        assert_eq!((error.place, &*error.fen), (1, fens[1]));
        let sentence = |error: &(dyn Error + 'static)| error.to_string();
        let kept = answer_columns(&tables, &fens, Some(&sentence), &Silent).unwrap();
        let rows: Vec<_> = (0..3).map(|row| row_object(&kept, row)).collect();
        assert_eq!(rows[0]["wdl"], "win");
        assert_eq!(rows[0]["error"], Value::Null);
        assert_eq!((&rows[1]["wdl"], &rows[1]["dtm"]), (&Value::Null, &Value::Null));
        assert_eq!(rows[1]["error"], "Black has 0 kings; each side has exactly one");
        assert!(rows[2]["error"].as_str().unwrap().contains("KRRRvK"), "{:?}", rows[2]);
    }

    /// Work that has been stopped before it began.
    struct Stopped(Stop);

    impl Progress for Stopped {
        fn begin(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {}
        fn stop(&self) -> Option<&Stop> {
            Some(&self.0)
        }
    }

    #[test]
    fn columns_are_not_made_once_stopped() {
        let stopped = Stopped(Stop::default());
        stopped.0.ask();
        let tables = shipped(Variant::orthodox());
        let material = "KRvK".parse().unwrap();
        let columns = table_columns(&tables, &material, &Selection::default(), &stopped);
        assert!(matches!(columns, Err(ColumnsError::Probe(ProbeError::Stopped))));
        let answers = answer_columns(&tables, &["8/8/8/3k4/8/8/8/K6R w"], None, &stopped);
        assert_eq!(answers.unwrap_err().source.to_string(), "stopped");
    }
}

//! The tables of a game, asked by FEN and by the names of materials.

use std::{error::Error, path::PathBuf};

use finale::{
    Tablebase,
    answer::Contents,
    board::Color,
    fetch::{self, DiskCache},
    index::Material,
    probe::{ProbeError, TableDirectories, address},
    progress::Progress,
    registry::{Complete, Task},
    study::{
        Columns, Selection, answer_columns, fens, line_object, numbers, position_object,
        report_object, table_columns, with_causes,
    },
    table::BlockCache,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::{prelude::*, types::PyDict};
use serde_json::{Map, Value};

use crate::{
    attended::{attended, unlocked},
    columns::RawColumns,
    failure::{Adviser, Failure},
    games::{Chosen, Keywords},
    json::object,
};

/// A JSON object.
type Object = Map<String, Value>;

/// The tables of a game, whichever it is.
trait Asked: Send + Sync {
    fn probe(&self, fen: &str, turns: bool) -> Result<Object, Failure>;
    fn line(&self, fen: &str, limit: usize) -> Result<Object, Failure>;
    fn stats(
        &self,
        material: &str,
        from: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Object, Failure>;
    fn materials(&self) -> Result<Vec<String>, Failure>;
    fn named(&self, material: &str) -> Result<String, Failure>;
    fn size(&self, material: &str) -> Result<u64, Failure>;
    fn numbers(&self, material: &str, fens: &[&str]) -> Result<Vec<Option<u64>>, Failure>;
    fn fens(&self, material: &str, numbers: &[u64]) -> Result<Vec<Option<String>>, Failure>;
    fn columns(
        &self,
        material: &str,
        selection: &Selection,
        progress: &dyn Progress,
    ) -> Result<Columns, Failure>;
    fn answers(
        &self,
        fens: &[&str],
        keep_errors: bool,
        progress: &dyn Progress,
    ) -> Result<Columns, Failure>;
}

/// The tables of one game.
struct Opened<G: Complete> {
    tables: Tablebase<G>,
    chosen: Chosen,
}

impl<G: Complete> Opened<G> {
    fn adviser(&self) -> Adviser<'_> {
        Adviser { chosen: &self.chosen }
    }

    fn position(&self, fen: &str) -> Result<G::Position, Failure> {
        self.tables.game().parse_fen(fen).map_err(|error| Failure::wrong(&error))
    }

    fn material(&self, text: &str) -> Result<Material, Failure> {
        let material: Material =
            text.parse().map_err(|error| Failure::Wrong(format!("`{text}`: {error}")))?;
        self.tables.game().named(&material).map_err(|error| Failure::wrong(&error))
    }

    fn probed<T>(&self, probed: Result<T, ProbeError>) -> Result<T, Failure> {
        probed.map_err(|error| self.adviser().probe(&error))
    }

    /// An error behind a row as its column has it.
    fn sentence(&self, error: &(dyn Error + 'static)) -> String {
        match error.downcast_ref::<ProbeError>() {
            Some(error) => self.adviser().probe(error).words().to_owned(),
            None => error.to_string(),
        }
    }
}

impl<G: Complete> Asked for Opened<G> {
    fn probe(&self, fen: &str, turns: bool) -> Result<Object, Failure> {
        self.probed(position_object(&self.tables, &self.position(fen)?, turns))
    }

    fn line(&self, fen: &str, limit: usize) -> Result<Object, Failure> {
        self.probed(line_object(&self.tables, &self.position(fen)?, limit))
    }

    fn stats(
        &self,
        material: &str,
        from: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Object, Failure> {
        let (tables, game, named) = (&self.tables, self.tables.game(), self.material(material)?);
        let report = match from {
            Some(from) => game.statistics_from(tables, &named, from, progress),
            None => game.statistics(tables, &named, progress).map(Some),
        };
        let report = self.probed(report)?.ok_or_else(|| no_statistics(&self.chosen, from))?;
        Ok(report_object(game, &named, &report))
    }

    fn materials(&self) -> Result<Vec<String>, Failure> {
        let materials = self.tables.materials();
        let materials = materials.map_err(|error| Failure::System(error.to_string()))?;
        Ok(materials.iter().map(Material::to_string).collect())
    }

    fn named(&self, material: &str) -> Result<String, Failure> {
        Ok(self.material(material)?.to_string())
    }

    fn size(&self, material: &str) -> Result<u64, Failure> {
        let reader = self.probed(self.tables.reader(&self.material(material)?))?;
        Ok(self.tables.game().cells(&reader))
    }

    fn numbers(&self, material: &str, fens: &[&str]) -> Result<Vec<Option<u64>>, Failure> {
        let found = numbers(&self.tables, &self.material(material)?, fens);
        found.map_err(|error| self.adviser().unanswered(&error))
    }

    fn fens(&self, material: &str, numbers: &[u64]) -> Result<Vec<Option<String>>, Failure> {
        self.probed(fens(&self.tables, &self.material(material)?, numbers))
    }

    fn columns(
        &self,
        material: &str,
        selection: &Selection,
        progress: &dyn Progress,
    ) -> Result<Columns, Failure> {
        let columns = table_columns(&self.tables, &self.material(material)?, selection, progress);
        columns.map_err(|error| self.adviser().columns(&error))
    }

    fn answers(
        &self,
        fens: &[&str],
        keep_errors: bool,
        progress: &dyn Progress,
    ) -> Result<Columns, Failure> {
        let sentence = |error: &(dyn Error + 'static)| self.sentence(error);
        let kept = keep_errors.then_some(&sentence as &finale::study::Sentence<'_>);
        let answers = answer_columns(&self.tables, fens, kept, progress);
        answers.map_err(|error| self.adviser().unanswered(&error))
    }
}

/// That a game has no statistics from some counters on.
fn no_statistics(chosen: &Chosen, from: Option<&str>) -> Failure {
    let (title, from) = (chosen.game.title(), from.unwrap_or_default());
    Failure::Wrong(match chosen.game.statistics_from() {
        Some(has) => format!("{title} has no statistics from `{from}`, but {}", has.range),
        None => format!("{title} has no statistics from other counters"),
    })
}

/// Opens the tables of a game.
struct Open {
    directories: TableDirectories,
    contents: Option<Contents>,
    chosen: Chosen,
}

impl Task for Open {
    type Output = Box<dyn Asked>;

    fn run<G: Complete>(self, game: G) -> Box<dyn Asked> {
        let Open { directories, contents, chosen } = self;
        let tables = Tablebase::on(game, directories);
        let tables = match contents {
            Some(contents) => tables.preferring(contents),
            None => tables,
        };
        Box::new(Opened { tables, chosen })
    }
}

/// The tables of a game in some folders.
#[pyclass(frozen, module = "finale._finale")]
pub struct Tables(Box<dyn Asked>);

fn raised<T>(done: Result<T, Failure>) -> PyResult<T> {
    done.map_err(Failure::exception)
}

/// FENs out of a text with one a line.
///
/// # Errors
/// If there are not so many, for one of them has line breaks of its own.
fn lines(text: &str, count: usize) -> Result<Vec<&str>, Failure> {
    let lines: Vec<&str> = if count == 0 { Vec::new() } else { text.split('\n').collect() };
    match lines.len() == count {
        true => Ok(lines),
        false => Err(Failure::Wrong("a FEN has no line breaks".to_owned())),
    }
}

/// The tables in some folders, of which some may be addresses.
///
/// # Errors
/// If an address cannot be reached, or has no index.
fn in_folders(folders: &[PathBuf], cache: u64) -> Result<TableDirectories, Failure> {
    let far = |address: &str| {
        let opened = fetch::open(address, DiskCache::usual());
        opened.map_err(|error| Failure::System(with_causes(&error)))
    };
    let usual = PathBuf::from("tables");
    let (first, rest) = folders.split_first().unwrap_or((&usual, &[]));
    let cache = BlockCache::new(cache);
    let mut directories = match address(first) {
        Some(address) => TableDirectories::remote(far(address)?, cache),
        None => TableDirectories::new(first, cache),
    };
    for folder in rest {
        directories = match address(folder) {
            Some(address) => directories.and_remote(far(address)?),
            None => directories.and(folder),
        };
    }
    Ok(directories)
}

/// Reads the contents of tables by their name.
///
/// # Errors
/// A `ValueError` if there are none of that name.
pub fn read_contents(name: Option<&str>) -> PyResult<Option<Contents>> {
    let contents = name.map(str::parse::<Contents>).transpose();
    contents.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Tables {
    #[new]
    fn new(
        py: Python<'_>,
        game: &str,
        options: Keywords,
        folders: Vec<PathBuf>,
        contents: Option<&str>,
        cache: u64,
    ) -> PyResult<Tables> {
        let (chosen, contents) = (Chosen::new(game, options)?, read_contents(contents)?);
        let directories = raised(unlocked(py, || in_folders(&folders, cache))?)?;
        Ok(Tables(chosen.play(Open { directories, contents, chosen: chosen.clone() })?))
    }

    fn probe<'py>(&self, py: Python<'py>, fen: &str, turns: bool) -> PyResult<Bound<'py, PyDict>> {
        object(py, &raised(unlocked(py, || self.0.probe(fen, turns))?)?)
    }

    fn line<'py>(&self, py: Python<'py>, fen: &str, limit: usize) -> PyResult<Bound<'py, PyDict>> {
        object(py, &raised(attended(py, None, |_| self.0.line(fen, limit))?)?)
    }

    fn stats<'py>(
        &self,
        py: Python<'py>,
        material: &str,
        counted_from: Option<&str>,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let count = |progress: &dyn Progress| self.0.stats(material, counted_from, progress);
        object(py, &raised(attended(py, watch.as_ref(), count)?)?)
    }

    fn materials(&self) -> PyResult<Vec<String>> {
        raised(self.0.materials())
    }

    fn named(&self, material: &str) -> PyResult<String> {
        raised(self.0.named(material))
    }

    fn size(&self, py: Python<'_>, material: &str) -> PyResult<u64> {
        raised(unlocked(py, || self.0.size(material))?)
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        material: &str,
        text: &str,
        count: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let found = attended(py, None, |_| self.0.numbers(material, &lines(text, count)?))?;
        let found = raised(found)?.into_iter();
        let numbers = found.map(|number| number.map_or(-1, |number| number as i64));
        Ok(numbers.collect::<Vec<i64>>().into_pyarray(py))
    }

    fn fens(
        &self,
        py: Python<'_>,
        material: &str,
        numbers: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Vec<Option<String>>> {
        // A negative number becomes one that no table has.
        let numbers: Vec<u64> = numbers.as_array().iter().map(|&number| number as u64).collect();
        raised(attended(py, None, |_| self.0.fens(material, &numbers))?)
    }

    #[expect(clippy::too_many_arguments, reason = "the keywords of a method of Python")]
    fn columns(
        &self,
        py: Python<'_>,
        material: &str,
        white_to_move: Option<bool>,
        start: u64,
        stop: u64,
        names: Option<Vec<String>>,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<RawColumns> {
        let side = white_to_move.map(|white| if white { Color::White } else { Color::Black });
        let selection = Selection { side, numbers: start..stop, names };
        let read = |progress: &dyn Progress| self.0.columns(material, &selection, progress);
        Ok(RawColumns::new(raised(attended(py, watch.as_ref(), read)?)?))
    }

    fn answers(
        &self,
        py: Python<'_>,
        text: &str,
        count: usize,
        keep_errors: bool,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<RawColumns> {
        let answer =
            |progress: &dyn Progress| self.0.answers(&lines(text, count)?, keep_errors, progress);
        Ok(RawColumns::new(raised(attended(py, watch.as_ref(), answer)?)?))
    }
}

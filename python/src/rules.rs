//! The rules of a game, asked by FEN.

use finale::{
    registry::{Complete, Task},
    rules::perft,
};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    attended::attended,
    games::{Chosen, Keywords},
};

/// A turn in UCI and in short notation.
type Turn = (String, String);

/// The rules of a game, whichever it is. A refusal is the library's sentence.
trait Judge: Send + Sync {
    fn initial(&self) -> String;
    fn canonical(&self, fen: &str) -> Result<String, String>;
    fn white_to_move(&self, fen: &str) -> Result<bool, String>;
    fn turns(&self, fen: &str) -> Result<Vec<Turn>, String>;
    fn play(&self, fen: &str, turn: &str) -> Result<String, String>;
    fn ending(&self, fen: &str) -> Result<Option<String>, String>;
    fn perft(&self, fen: &str, depth: u32) -> Result<u64, String>;
}

impl<G: Complete> Judge for G {
    fn initial(&self) -> String {
        self.fen(&G::initial(self))
    }

    fn canonical(&self, fen: &str) -> Result<String, String> {
        Ok(self.fen(&read(self, fen)?))
    }

    fn white_to_move(&self, fen: &str) -> Result<bool, String> {
        Ok(self.to_move(&read(self, fen)?).index() == 0)
    }

    fn turns(&self, fen: &str) -> Result<Vec<Turn>, String> {
        let position = read(self, fen)?;
        let turns = G::turns(self, &position).into_iter();
        Ok(turns.map(|turn| (self.uci(&position, turn), self.san(&position, turn))).collect())
    }

    fn play(&self, fen: &str, turn: &str) -> Result<String, String> {
        let position = read(self, fen)?;
        let turn = self.parse_turn(&position, turn).map_err(|error| error.to_string())?;
        Ok(self.fen(&G::play(self, &position, turn)))
    }

    fn ending(&self, fen: &str) -> Result<Option<String>, String> {
        Ok(G::ending(self, &read(self, fen)?).map(|ending| ending.to_string()))
    }

    fn perft(&self, fen: &str, depth: u32) -> Result<u64, String> {
        Ok(perft(self, &read(self, fen)?, depth))
    }
}

fn read<G: Complete>(game: &G, fen: &str) -> Result<G::Position, String> {
    game.parse_fen(fen).map_err(|error| error.to_string())
}

/// Makes a judge of a game.
struct Judged;

impl Task for Judged {
    type Output = Box<dyn Judge>;

    fn run<G: Complete>(self, game: G) -> Box<dyn Judge> {
        Box::new(game)
    }
}

/// The rules of a game.
#[pyclass(frozen, module = "finale._finale")]
pub struct Rules(Box<dyn Judge>);

/// A refusal as a `ValueError`.
fn refused<T>(judged: Result<T, String>) -> PyResult<T> {
    judged.map_err(PyValueError::new_err)
}

#[pymethods]
impl Rules {
    #[new]
    fn new(game: &str, options: Keywords) -> PyResult<Rules> {
        Ok(Rules(Chosen::new(game, options)?.play(Judged)?))
    }

    fn initial(&self) -> String {
        self.0.initial()
    }

    fn canonical(&self, fen: &str) -> PyResult<String> {
        refused(self.0.canonical(fen))
    }

    fn white_to_move(&self, fen: &str) -> PyResult<bool> {
        refused(self.0.white_to_move(fen))
    }

    fn turns(&self, fen: &str) -> PyResult<Vec<Turn>> {
        refused(self.0.turns(fen))
    }

    fn play(&self, fen: &str, turn: &str) -> PyResult<String> {
        refused(self.0.play(fen, turn))
    }

    fn ending(&self, fen: &str) -> PyResult<Option<String>> {
        refused(self.0.ending(fen))
    }

    fn perft(&self, py: Python<'_>, fen: &str, depth: u32) -> PyResult<u64> {
        refused(attended(py, None, |_| self.0.perft(fen, depth))?)
    }
}

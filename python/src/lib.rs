//! `import finale`: the library behind the Python package of that name.
//!
//! The package itself, `package/finale`, is what people see; this is what it asks. Nothing here
//! knows chess: each function reads what Python gives, hands a task to the registry of games, and
//! turns what comes back into what Python has.

mod arrow;
mod attended;
mod building;
mod columns;
mod failure;
mod games;
mod json;
mod rules;
mod tables;

use finale::{
    board::{Board, BoardSize, Color, RoleSet},
    registry::GameName,
    study::board_svg,
};
use pyo3::{exceptions::PyValueError, prelude::*};

/// The names of all games that are built in: `orthodox`, `high`.
#[pyfunction]
fn game_names() -> Vec<&'static str> {
    GameName::all().iter().map(|game| game.name()).collect()
}

/// The men of a FEN as a picture; of its fields only the first is read.
#[pyfunction]
fn board_picture(fen: &str, black_below: bool) -> PyResult<String> {
    let placement = fen.split([' ', '_', '[']).next().unwrap_or_default();
    let size = BoardSize::of_placement(placement).unwrap_or_default();
    let board = Board::from_placement(placement, RoleSet::OF_LETTERS, size);
    let board = board.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(board_svg(&board, if black_below { Color::Black } else { Color::White }))
}

/// What the Python package is made from; people use `finale`.
#[pymodule]
fn _finale(module: &Bound<'_, PyModule>) -> PyResult<()> {
    attended::note_process();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<tables::Tables>()?;
    module.add_class::<columns::RawColumns>()?;
    module.add_function(wrap_pyfunction!(building::build, module)?)?;
    module.add_function(wrap_pyfunction!(board_picture, module)?)?;
    module.add_function(wrap_pyfunction!(games::load_variants, module)?)?;
    module.add_function(wrap_pyfunction!(game_names, module)?)
}

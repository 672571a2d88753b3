//! Which men the tables of chess-like games can have.

use super::{Unanswerable, UnfitMaterial};
use crate::{
    board::{Color, Role},
    index::{Material, most_men},
    rules::{Castling, CountMen, Game, Setup},
};

/// Checks that each side has exactly one King, nothing is in reserve, and the men fit a table.
pub(crate) fn check_kings(game: &impl Game, material: &Material) -> Result<(), UnfitMaterial> {
    check_men(game, material, |color| match material.count(color, Role::King) {
        1 => None,
        0 => Some(format!("{color} has no King")),
        n => Some(format!("{color} has {n} Kings")),
    })
}

/// Checks that the men are of the game, nothing is in reserve, and the men fit a table; `problem`
/// tells what else is wrong with a side.
pub(crate) fn check_men(
    game: &impl Game,
    material: &Material,
    problem: impl Fn(Color) -> Option<String>,
) -> Result<(), UnfitMaterial> {
    let unfit =
        |reason: String| Err(UnfitMaterial { game: game.name(), material: *material, reason });
    let men = game.men();
    let unknown = |color| material.roles(color).find(|&role| !men.contains(role));
    if let Some(role) = unknown(Color::White).or_else(|| unknown(Color::Black)) {
        // In another game the letter may be another man's.
        let (letter, men) = (role.letter(), men.letters().to_ascii_uppercase());
        return unfit(format!("there is no {letter} in this game, whose men are {men}"));
    }
    for color in Color::ALL {
        if let Some(reason) = problem(color) {
            return unfit(reason);
        }
        if material.reserve_of(color) > 0 {
            return unfit("there are no men in reserve in this game".to_owned());
        }
    }
    let size = game.board_size();
    match most_men(size) {
        most if material.len() <= most => Ok(()),
        most if most == size.len() => unfit(format!("so many men do not fit on {size} squares")),
        most => unfit(format!("tables have at most {most} men here")),
    }
}

/// The material of a position of chess without castling rights.
#[inline]
pub(crate) fn chess_material(setup: &Setup) -> Result<Material, Unanswerable> {
    if setup.castling != Castling::NONE {
        return Err(Unanswerable::Castling);
    }
    Ok(Material::of(&setup.board))
}

impl CountMen for Material {
    fn count_men(&self, color: Color, role: Role) -> usize {
        self.count(color, role).into()
    }

    fn count_all(&self, color: Color) -> usize {
        self.men_of(color)
    }
}

//! The games by the names that other programs have for them.

use crate::registry::GameName;

/// What most programs call games that have another name here.
const COMMON: [&str; 2] = ["chess", "kingofthehill"];

/// The name of a game that most programs understand.
pub fn common_name(game: GameName) -> &'static str {
    let is_it = |name: &&str| GameName::find(name) == Some(game);
    COMMON.into_iter().find(is_it).unwrap_or(game.name())
}

/// Every name of every game.
pub fn names() -> impl Iterator<Item = &'static str> {
    let others = GameName::aliases().filter(|name| !COMMON.contains(name));
    COMMON.into_iter().chain(others).chain(GameName::known().into_iter().map(GameName::name))
}

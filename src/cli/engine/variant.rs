//! The games by the names that other programs have for them.

use crate::registry::GameName;

/// What other programs call games that have another name here.
const OTHERS: [(&str, &str); 2] = [("chess", "orthodox"), ("kingofthehill", "koth")];

/// The name of a game that most programs understand.
pub fn common_name(game: GameName) -> &'static str {
    let other = OTHERS.iter().find(|(_, own)| *own == game.name());
    other.map_or(game.name(), |(name, _)| name)
}

/// Every name of every game.
pub fn names() -> impl Iterator<Item = &'static str> {
    let others = OTHERS.iter().map(|(name, _)| *name);
    others.chain(GameName::known().into_iter().map(GameName::name))
}

/// The game of a name.
pub fn find(name: &str) -> Option<GameName> {
    let other = OTHERS.iter().find(|(other, _)| *other == name);
    GameName::find(other.map_or(name, |(_, own)| own))
}

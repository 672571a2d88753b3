//! The games by the names that `UCI_Variant` takes.

use crate::registry::GameName;

/// What other programs call games that have another name here.
const OTHERS: [(&str, GameName); 2] =
    [("chess", GameName::Orthodox), ("kingofthehill", GameName::KingOfTheHill)];

/// The name of a game that most programs understand.
pub fn common_name(game: GameName) -> &'static str {
    OTHERS.iter().find(|(_, other)| *other == game).map_or(game.name(), |(name, _)| name)
}

/// Every name of every game.
pub fn names() -> impl Iterator<Item = &'static str> {
    let others = OTHERS.iter().map(|(name, _)| *name);
    others.chain(GameName::ALL.iter().map(|game| game.name()))
}

/// The game of a name.
pub fn find(name: &str) -> Option<GameName> {
    let other = OTHERS.iter().find(|(other, _)| *other == name);
    other.map(|(_, game)| *game).or_else(|| GameName::find(name))
}

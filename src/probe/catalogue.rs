//! The tables that a game has, whichever game it is.

use serde_json::{Map, Value};

use crate::{
    answer::{Contents, TableId, Tabled, UnfitContents, UnfitMaterial, materials_with},
    index::{Material, most_men},
};

/// What a game says of its tables as a whole: every [`Tabled`] game, as one type whatever its
/// positions are. So what only names, lists and opens tables is compiled once, and not for each
/// game.
pub trait Catalogue {
    /// The name of the game: `high`.
    fn name(&self) -> &'static str;

    /// The rule options in force.
    fn options(&self) -> Map<String, Value>;

    /// What the tables can hold, first what they hold usually; see [`Tabled::CONTENTS`].
    fn contents(&self) -> &'static [Contents];

    /// How much a table is to hold, where that can be left open: then it is what tables hold
    /// usually.
    ///
    /// # Errors
    /// If the tables cannot hold just so much.
    fn fitting_contents(&self, wanted: Option<Contents>) -> Result<Contents, UnfitContents> {
        let (game, there) = (self.name(), self.contents());
        match wanted {
            Some(contents) if !there.contains(&contents) => {
                Err(UnfitContents { contents, game, there })
            }
            contents => Ok(contents.unwrap_or(there[0])),
        }
    }

    /// How many men a table can have at most; see [`most_men`].
    fn most_men(&self) -> usize;

    /// The materials that have tables; see [`materials_with`].
    fn materials(&self, men: usize, all: bool) -> Vec<Material>;

    /// A material as its table is named; see [`Tabled::named`].
    ///
    /// # Errors
    /// If the game has no tables of such men.
    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial>;

    /// What identifies a table; see [`Tabled::table_id`].
    fn table_id(&self, named: &Material, contents: Contents) -> TableId;

    /// The tables of a material that hold at least so much; see [`Tabled::table_ids`].
    fn table_ids(&self, named: &Material, least: Contents) -> Vec<TableId>;
}

impl<G: Tabled> Catalogue for G {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn options(&self) -> Map<String, Value> {
        self.options()
    }

    fn contents(&self) -> &'static [Contents] {
        G::CONTENTS
    }

    fn most_men(&self) -> usize {
        most_men(self.board_size())
    }

    fn materials(&self, men: usize, all: bool) -> Vec<Material> {
        materials_with(self, men, all)
    }

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        self.named(material)
    }

    fn table_id(&self, named: &Material, contents: Contents) -> TableId {
        self.table_id(named, contents)
    }

    fn table_ids(&self, named: &Material, least: Contents) -> Vec<TableId> {
        self.table_ids(named, least)
    }
}

//! The tables of Norochess, page by page, and what their numbers stand for.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, RwLock},
};

use rustc_hash::FxHashMap;

use super::{dictionary::Dictionary, scale::Scale};
use crate::{
    answer::{
        Contents,
        noro::{Differences, Layers, histories, index, without_margins},
    },
    board::Color,
    index::{Index, Material},
    lock::{lock, write},
    probe::Catalogue,
    rules::{Laws, Noro},
    solve::engine::{
        pages::{Paged, PartCells},
        slice::Chesslike,
    },
    table::TableError,
};

/// The histories that the numbers of a table stand for, by side to move.
pub type Dictionaries = [RwLock<Dictionary>; 2];

/// A stretch: the path of its file, the side to move, and which of the stretches it is.
type StretchKey = (PathBuf, Color, usize);

/// Norochess with the dictionaries of the tables that were opened, and of the one in the making.
///
/// Pages hold numbers into the dictionary of their table. In the files each stretch has a
/// dictionary of its own; they are put behind each other as they are opened.
pub struct NoroTables {
    pub noro: Noro,
    /// What is being solved.
    contents: Contents,
    dictionaries: Mutex<FxHashMap<Material, Arc<Dictionaries>>>,
    /// The numbers that the dictionary of its table has for each stretch that was opened.
    opened: Mutex<FxHashMap<StretchKey, Arc<[u32]>>>,
}

impl NoroTables {
    /// No dictionaries yet.
    pub fn new(noro: Noro, contents: Contents) -> NoroTables {
        NoroTables { noro, contents, dictionaries: Mutex::default(), opened: Mutex::default() }
    }

    /// The score differences that are told apart for some men, if margins are solved.
    pub fn differences(&self, material: &Material) -> Option<Differences> {
        (self.contents == Contents::Points).then(|| Differences::of(material))
    }

    /// What the codes of a history tell, one after the other, each for all layers.
    pub fn scales(&self, material: &Material) -> Vec<Scale> {
        match self.differences(material) {
            Some(differences) => differences.iter().map(Scale::Margins).collect(),
            None => vec![Scale::Thresholds],
        }
    }

    /// How many codes a history has.
    pub fn codes(&self, material: &Material, side: Color) -> usize {
        Differences::codes(self.differences(material), self.layers(), side)
    }

    /// What the numbers of a table stand for; nothing yet if it has not been opened.
    pub fn dictionaries(&self, material: &Material) -> Arc<Dictionaries> {
        let mut all = lock(&self.dictionaries);
        let scales = self.scales(material).len();
        let dictionary = |side| RwLock::new(Dictionary::new(scales, self.layers().of_side(side)));
        all.entry(*material).or_insert_with(|| Arc::new(Color::ALL.map(dictionary))).clone()
    }

    /// How the plies of its games are sorted.
    pub fn layers(&self) -> Layers {
        Layers::of(&self.noro)
    }
}

impl Chesslike for NoroTables {
    fn laws(&self) -> Laws {
        Noro::LAWS
    }

    fn swaps_colors(&self) -> bool {
        false
    }

    fn index(&self, material: &Material) -> Index {
        index(material)
    }

    fn numbers(&self, material: &Material) -> u64 {
        Index::count_with_common_kings(material, self.group(material))
    }
}

impl Paged for NoroTables {
    type Cell = u32;

    fn game(&self) -> &dyn Catalogue {
        &self.noro
    }

    fn writes_slice(&self) -> bool {
        false
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[u32]>, TableError> {
        let PartCells { table, material, side, number, cells, .. } = *stretch;
        // Not under a lock, for many threads read; another one may be first to have them.
        let told = Differences::told(table, material);
        let length = Differences::codes(told, self.layers(), side);
        let mut codes = histories(table, (side, length), number, cells.entries())?.read_all()?;
        if let (Some(told), None) = (told, self.differences(material)) {
            codes = without_margins(told, self.layers().of_side(side), &codes);
        }
        let mut opened = lock(&self.opened);
        let numbers = opened.entry((table.path().to_owned(), side, number)).or_insert_with(|| {
            let dictionaries = self.dictionaries(material);
            let mut dictionary = write(&dictionaries[side.index()]);
            dictionary.append(&codes).collect()
        });
        Ok(numbers.clone())
    }

    fn has_ended(&self, material: &Material) -> bool {
        Color::ALL.into_iter().any(|color| material.men_of(color) == 0)
    }
}

//! The histories a solver looks up: those of finished tables and of the one in the making.

use std::{
    hash::BuildHasher,
    io,
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::tables::NoroTables;
use crate::{
    answer::{
        noro::{
            Layers,
            codes::{self, NONE, key},
            eliminated,
        },
        place::{Entry, board_entry},
    },
    board::{Bitboard, Color, Square},
    index::Material,
    rules::{Noro, Setup},
    solve::engine::{chronicle::Chronicle, library::Library, paged::Cell, values::Values},
};

/// Different histories of a table with one side to move, each a code per layer.
#[derive(Debug, Default)]
pub struct HistoryDictionary {
    /// End to end.
    codes: Vec<u8>,
    /// By hash, or the next free number above it.
    numbers: FxHashMap<u64, u32>,
}

impl HistoryDictionary {
    /// Adds histories of so many layers, laid end to end, whether or not they are new, and tells their
    /// numbers.
    pub fn append(&mut self, codes: &[u8], length: usize) -> Range<u32> {
        let first = self.count(length);
        self.codes.extend_from_slice(codes);
        first..self.count(length)
    }

    /// The number of a history, which is added if it is new.
    pub fn number(&mut self, history: &[u8]) -> u32 {
        let length = history.len();
        let mut hash = FxBuildHasher.hash_one(history);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.get(number, length) == history {
                return number;
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.count(length);
        self.codes.extend_from_slice(history);
        self.numbers.insert(hash, number);
        number
    }

    /// Copies a history.
    pub fn copy(&self, number: u32, history: &mut [u8]) {
        history.copy_from_slice(self.get(number, history.len()));
    }

    /// How many there are of so many layers.
    fn count(&self, length: usize) -> u32 {
        u32::try_from(self.codes.len() / length).expect("fewer histories than positions")
    }

    /// The history with this number.
    pub fn get(&self, number: u32, length: usize) -> &[u8] {
        &self.codes[number as usize * length..][..length]
    }
}

/// What the numbers of a table stand for, by side to move.
pub type Dictionaries = [RwLock<HistoryDictionary>; 2];

/// A table, of which some pages are there: a number per position.
struct Known {
    values: Arc<Values<u32>>,
    /// What the numbers stand for.
    dictionaries: Arc<Dictionaries>,
}

impl Known {
    /// The number of a position.
    #[inline]
    fn number(&self, side: Color, squares: &[Square]) -> u32 {
        self.values.at(side, squares).expect("men can stand anywhere")
    }

    /// Copies the history a number stands for.
    fn history(&self, side: Color, number: u32, codes: &mut [u8]) {
        // A dictionary is whole even if a thread panicked that was adding to it.
        let dictionary = self.dictionaries[side.index()].read();
        dictionary.unwrap_or_else(PoisonError::into_inner).copy(number, codes);
    }
}

/// The numbers that a dictionary has for the histories of a stretch of words with `side` to move.
///
/// # Errors
/// If what a chronicle has noted cannot be looked up.
pub fn number_histories(
    dictionary: &RwLock<HistoryDictionary>,
    chronicle: &Chronicle,
    stretch: usize,
    (side, layers): (Color, Layers),
) -> io::Result<Vec<u32>> {
    let (mut numbers, histories) = chronicle.stretch(stretch)?;
    let length = layers.of_side(side) as u16;
    let mut places = vec![u32::GAP; histories.len()];
    for number in &mut numbers {
        let place = &mut places[*number as usize];
        // History 0 is that of men who share a square.
        if *place == u32::GAP && *number > 0 {
            let mut codes = histories.values(*number, 0..length);
            codes.iter_mut().for_each(|code| *code = key(!side, *code));
            let mut dictionary = dictionary.write().unwrap_or_else(PoisonError::into_inner);
            *place = dictionary.number(&codes);
        }
        *number = *place;
    }
    Ok(numbers)
}

/// The tables a solver looks into, numbered.
pub struct HistoryLibrary {
    noro: Noro,
    tables: Vec<Known>,
    numbers: FxHashMap<Material, u16>,
}

impl HistoryLibrary {
    /// The pages of a library.
    pub fn new(game: &NoroTables<'_>, library: &Library<u32>) -> HistoryLibrary {
        let mut histories =
            HistoryLibrary { noro: *game.noro, tables: Vec::new(), numbers: FxHashMap::default() };
        for (material, values) in library.iter() {
            histories.numbers.insert(*material, histories.tables.len() as u16);
            let dictionaries = game.dictionaries(material);
            histories.tables.push(Known { values: values[0].clone(), dictionaries });
        }
        histories
    }

    /// The number of a material's table.
    pub fn number(&self, material: &Material) -> Option<u16> {
        self.numbers.get(material).copied()
    }

    /// Calls `meet` with the numbers that the table with this number has for positions that differ in
    /// where the man `varies` stands, the square of each of the `lanes`; for one position, the same in
    /// all of them, if there is no such man.
    #[inline]
    pub fn positions(
        &self,
        table: u16,
        entry: &Entry,
        varies: Option<usize>,
        lanes: Bitboard,
        mut meet: impl FnMut(Square, u32),
    ) {
        let Known { values, .. } = &self.tables[usize::from(table)];
        let number =
            |squares: &[Square]| values.at(entry.side, squares).expect("men can stand anywhere");
        let Some(man) = varies else {
            let number = number(&entry.squares);
            return lanes.for_each(|lane| meet(lane, number));
        };
        match values.index.line(&entry.squares, man) {
            Some(line) => lanes.for_each(|lane| meet(lane, values.get(entry.side, line.at(lane)))),
            None => {
                let mut squares = entry.squares;
                for lane in lanes {
                    squares[man] = lane;
                    meet(lane, number(&squares));
                }
            }
        }
    }

    /// Copies the history that a number of a table stands for.
    pub fn copy(&self, table: u16, side: Color, number: u32, codes: &mut [u8]) {
        self.tables[usize::from(table)].history(side, number, codes);
    }

    /// The game.
    pub fn noro(&self) -> &Noro {
        &self.noro
    }

    /// The history of a position in which a pawn can be taken in passing, by looking one turn
    /// ahead with the rules.
    ///
    /// # Panics
    /// If the table of a successor is not there.
    pub fn looked_ahead(&self, setup: &Setup) -> Vec<u8> {
        let layers = Layers::of(&self.noro);
        let side = setup.to_move;
        let mut keys = vec![NONE; layers.of_side(side)];
        for mv in setup.moves(&Noro::LAWS) {
            let gain = Noro::gain(setup, mv);
            codes::join(side, &mut keys, &self.history(&setup.play(mv)), gain);
        }
        let close = |(layer, &best): (usize, &u8)| {
            let closing = codes::Closing::new(layers, side, layer);
            key(side, closing.close(best))
        };
        keys.iter().enumerate().map(close).collect()
    }

    fn history(&self, setup: &Setup) -> Vec<u8> {
        let Setup { board, to_move, .. } = setup;
        let mut codes = vec![NONE; Layers::of(&self.noro).of_side(*to_move)];
        if board.of(*to_move).is_empty() {
            codes.fill(eliminated(&self.noro, *to_move));
        } else if setup.en_passant.is_some() {
            return self.looked_ahead(setup);
        } else {
            let table = &self.tables[usize::from(self.numbers[&Material::of(board)])];
            let entry = board_entry(board, *to_move, false);
            table.history(*to_move, table.number(*to_move, &entry.squares), &mut codes);
        }
        codes
    }
}

//! The histories a solver looks up: those of finished tables and of the one in the making.

use std::{
    io,
    sync::{Arc, RwLock},
};

use rustc_hash::FxHashMap;

use super::{
    dictionary::Dictionary,
    scale::{Closing, NONE, Scale},
    tables::{Dictionaries, NoroTables},
};
use crate::{
    answer::{
        noro::{Differences, Layers, codes::key},
        place::{Entry, board_entry},
    },
    board::{Bitboard, Color, Square},
    index::Material,
    lock::{read, write},
    rules::{Noro, Setup},
    solve::engine::{
        clock::LayerLog,
        pages::{PageCell, ResidentPages, TablePages},
    },
};

/// A table, of which some pages are there: a number per position.
struct KnownTable {
    values: Arc<TablePages<u32>>,
    /// What the numbers stand for.
    dictionaries: Arc<Dictionaries>,
    /// The score differences that are told apart there, if it has margins.
    differences: Option<Differences>,
}

impl KnownTable {
    /// The number of a position.
    #[inline]
    fn number(&self, side: Color, squares: &[Square]) -> u32 {
        self.values.at(side, squares).expect("men can stand anywhere")
    }

    /// Copies the codes in all layers that a number stands for.
    fn history(&self, scale: Scale, side: Color, number: u32, codes: &mut [u8]) {
        let place = match (scale, self.differences) {
            (Scale::Margins(difference), Some(told)) => told.place(difference.into()),
            _ => 0,
        };
        let dictionary = read(&self.dictionaries[side.index()]);
        codes.copy_from_slice(dictionary.row(number, place));
    }
}

/// The numbers that a dictionary has for the histories of a stretch of words with `side` to move.
pub fn number_histories(
    dictionary: &RwLock<Dictionary>,
    log: &LayerLog,
    stretch: usize,
    (side, length): (Color, usize),
) -> io::Result<Vec<u32>> {
    let (mut numbers, histories) = log.stretch(stretch)?;
    let mut places = vec![u32::GAP; histories.len()];
    for number in &mut numbers {
        let place = &mut places[*number as usize];
        // History 0 is that of men who share a square.
        if *place == u32::GAP && *number > 0 {
            let mut codes = histories.values(*number, 0..length as u16);
            codes.iter_mut().for_each(|code| *code = key(!side, *code));
            *place = write(dictionary).number(&codes);
        }
        *number = *place;
    }
    Ok(numbers)
}

/// The tables a solver looks into, numbered.
pub struct HistoryTables {
    noro: Noro,
    tables: Vec<KnownTable>,
    numbers: FxHashMap<Material, u16>,
}

impl HistoryTables {
    /// These pages of tables.
    pub fn new(game: &NoroTables, pages: &ResidentPages<u32>) -> HistoryTables {
        let mut histories =
            HistoryTables { noro: game.noro, tables: Vec::new(), numbers: FxHashMap::default() };
        for (material, values) in pages.iter() {
            histories.numbers.insert(*material, histories.tables.len() as u16);
            let dictionaries = game.dictionaries(material);
            let (values, differences) = (values[0].clone(), game.differences(material));
            histories.tables.push(KnownTable { values, dictionaries, differences });
        }
        histories
    }

    /// The number of a material's table.
    pub fn number(&self, material: &Material) -> Option<u16> {
        self.numbers.get(material).copied()
    }

    /// Calls `meet` with the numbers that the table with this number has for positions that differ
    /// in where the man `varies` stands, the square of each of the `lanes`; for one position, the
    /// same in all of them, if there is no such man.
    #[inline]
    pub fn positions(
        &self,
        table: u16,
        entry: &Entry,
        varies: Option<usize>,
        lanes: Bitboard,
        mut meet: impl FnMut(Square, u32),
    ) {
        let table = &self.tables[usize::from(table)];
        let values = &table.values;
        let Some(man) = varies else {
            let number = table.number(entry.side, &entry.squares);
            return lanes.for_each(|lane| meet(lane, number));
        };
        match values.index.line(&entry.squares, man) {
            Some(line) => lanes.for_each(|lane| meet(lane, values.get(entry.side, line.at(lane)))),
            None => {
                let mut squares = entry.squares;
                for lane in lanes {
                    squares[man] = lane;
                    meet(lane, table.number(entry.side, &squares));
                }
            }
        }
    }

    /// Copies the codes in all layers that a number of a table stands for.
    pub fn copy(&self, (table, side, number): (u16, Color, u32), scale: Scale, codes: &mut [u8]) {
        self.tables[usize::from(table)].history(scale, side, number, codes);
    }

    pub fn noro(&self) -> &Noro {
        &self.noro
    }

    /// The codes in all layers of a position in which a pawn can be taken in passing, by looking one
    /// turn ahead with the rules: with each of some scales, one behind the other.
    ///
    /// # Panics
    /// If the table of a successor is not there.
    pub fn looked_ahead(&self, setup: &Setup, scales: &[Scale]) -> Vec<u8> {
        let layers = Layers::of(&self.noro);
        let side = setup.to_move;
        let (own, others) = (layers.of_side(side), layers.of_side(!side));
        let mut codes = vec![NONE; own * scales.len()];
        for mv in setup.moves(&Noro::LAWS) {
            let gain = Noro::gain(setup, mv);
            let after: Vec<Scale> = scales.iter().map(|scale| scale.after(side, gain)).collect();
            let after = self.histories(&setup.play(mv), &after);
            let each = codes.chunks_exact_mut(own).zip(after.chunks_exact(others));
            each.zip(scales).for_each(|((keys, after), scale)| scale.join(side, keys, after, gain));
        }
        for (keys, &scale) in codes.chunks_exact_mut(own).zip(scales) {
            for (layer, best) in keys.iter_mut().enumerate() {
                *best = key(side, Closing::new(layers, scale, side, layer).close(*best));
            }
        }
        codes
    }

    fn histories(&self, setup: &Setup, scales: &[Scale]) -> Vec<u8> {
        let Setup { board, to_move, .. } = setup;
        let length = Layers::of(&self.noro).of_side(*to_move);
        let mut codes = vec![NONE; length * scales.len()];
        let each = codes.chunks_exact_mut(length).zip(scales);
        if board.of(*to_move).is_empty() {
            each.for_each(|(codes, scale)| scale.set_eliminated(&self.noro, *to_move, codes));
        } else if setup.en_passant.is_some() {
            return self.looked_ahead(setup, scales);
        } else {
            let table = &self.tables[usize::from(self.numbers[&Material::of(board)])];
            let entry = board_entry(board, *to_move, false);
            let number = table.number(*to_move, &entry.squares);
            each.for_each(|(codes, &scale)| table.history(scale, *to_move, number, codes));
        }
        codes
    }
}

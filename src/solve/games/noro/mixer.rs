//! Puts together what several turns offer, with every scale at once.

use rustc_hash::FxHashMap;

use super::{
    history_tables::HistoryTables,
    scale::{NONE, Scale},
};
use crate::{answer::noro::Layers, board::Color, rules::Setup, solve::engine::clock::Interner};

/// A table, the number of a history there, and the points taken on the way.
pub type OptionSource = (u16, u32, u32);

/// The options that positions near each other have, each met once: all that does not depend on the
/// scale is done once for all of them.
///
/// An option is the numbers of its rows, one for each scale; a row is the keys in all layers.
pub struct Mixer<'a> {
    side: Color,
    scales: &'a [Scale],
    tables: &'a HistoryTables,
    /// Row 0 is that of no option.
    rows: Interner<u8>,
    /// Option 0 is none.
    options: Interner<u32>,
    successors: FxHashMap<OptionSource, u32>,
    joined: FxHashMap<(u32, u32), u32>,
    /// The options that positions are left with, none first, and by option its place among them,
    /// 0 if it is none of them.
    kept: Vec<u32>,
    places: Vec<u16>,
    /// Room for the codes of a successor, and for a row and an option that may be new.
    codes: Vec<u8>,
    row: Vec<u8>,
    option: Vec<u32>,
}

impl<'a> Mixer<'a> {
    /// No options of `side` yet.
    pub fn new((side, scales): (Color, &'a [Scale]), tables: &'a HistoryTables) -> Mixer<'a> {
        let layers = Layers::of(tables.noro());
        let row = vec![NONE; layers.of_side(side)];
        let option = vec![0; scales.len()];
        let (mut rows, mut options) = (Interner::new(row.len()), Interner::new(option.len()));
        rows.number(&row);
        options.number(&option);
        Mixer {
            side,
            scales,
            tables,
            rows,
            options,
            successors: FxHashMap::default(),
            joined: FxHashMap::default(),
            kept: vec![0],
            places: Vec::new(),
            codes: vec![NONE; layers.of_side(!side)],
            row,
            option,
        }
    }

    /// The option of a turn worth `gain` points, after which `codes` sets the codes with a scale,
    /// of the other side to move.
    fn add(&mut self, gain: u32, mut codes: impl FnMut(usize, Scale, &mut [u8])) -> u32 {
        let scales = self.scales.iter().zip(&mut self.option);
        for (place, (scale, number)) in scales.enumerate() {
            codes(place, scale.after(self.side, gain), &mut self.codes);
            self.row.fill(NONE);
            scale.join(self.side, &mut self.row, &self.codes, gain);
            *number = self.rows.number(&self.row);
        }
        self.options.number(&self.option)
    }

    /// The option of a turn to positions with this history.
    #[inline]
    pub fn successor(&mut self, source: OptionSource) -> u32 {
        match self.successors.get(&source) {
            Some(&option) => option,
            None => self.new_successor(source),
        }
    }

    fn new_successor(&mut self, source: OptionSource) -> u32 {
        let ((table, number, gain), tables, side) = (source, self.tables, !self.side);
        let option = self.add(gain, |_, scale, codes| {
            tables.copy((table, side, number), scale, codes);
        });
        self.successors.insert(source, option);
        option
    }

    /// The option of taking the last man.
    pub fn elimination(&mut self, gain: u32) -> u32 {
        let source = (u16::MAX, 0, gain);
        if let Some(&option) = self.successors.get(&source) {
            return option;
        }
        let (noro, side) = (self.tables.noro(), !self.side);
        let option = self.add(gain, |_, scale, codes| scale.set_eliminated(noro, side, codes));
        self.successors.insert(source, option);
        option
    }

    /// The option of a turn after which a pawn can be taken in passing.
    pub fn passing(&mut self, setup: &Setup, gain: u32) -> u32 {
        let after: Vec<Scale> =
            self.scales.iter().map(|scale| scale.after(self.side, gain)).collect();
        let all = self.tables.looked_ahead(setup, &after);
        let length = self.codes.len();
        self.add(gain, |place, _, codes| {
            codes.copy_from_slice(&all[place * length..][..length]);
        })
    }

    /// The better of two options in each layer.
    #[inline]
    pub fn better(&mut self, a: u32, b: u32) -> u32 {
        if a == 0 || a == b {
            return b;
        }
        let pair = (a.min(b), a.max(b));
        match self.joined.get(&pair) {
            Some(&option) => option,
            None => self.new_better(pair),
        }
    }

    fn new_better(&mut self, pair: (u32, u32)) -> u32 {
        let [a, b] = [pair.0, pair.1].map(|option| self.options.get(option));
        // Many scales that follow each other have the same rows.
        let (mut before, mut better) = ((0, 0), 0);
        for (number, (&a, &b)) in self.option.iter_mut().zip(a.iter().zip(b)) {
            if (a, b) != before {
                before = (a, b);
                let [a, b] = [a, b].map(|row| self.rows.get(row));
                for (best, (&a, &b)) in self.row.iter_mut().zip(a.iter().zip(b)) {
                    *best = a.max(b);
                }
                better = self.rows.number(&self.row);
            }
            *number = better;
        }
        let option = self.options.number(&self.option);
        self.joined.insert(pair, option);
        option
    }

    /// The number among [`MixedOptions`] of an option that a position is left with.
    #[inline]
    pub fn keep(&mut self, option: u32) -> u16 {
        if option == 0 {
            return 0;
        }
        let at = option as usize;
        if at >= self.places.len() {
            self.places.resize(self.options.len(), 0);
        }
        let place = &mut self.places[at];
        if *place == 0 {
            *place = u16::try_from(self.kept.len()).expect("an option per position at most");
            self.kept.push(option);
        }
        *place
    }

    /// The options that were kept.
    pub fn finish(self) -> MixedOptions {
        let Mixer { rows, options, kept, scales, .. } = self;
        let mut mixed =
            MixedOptions { length: rows.get(0).len(), rows: Vec::new(), numbers: Vec::new() };
        // Rows that only others have are left out.
        let mut places = vec![None; rows.len()];
        let mut next = 0;
        for scale in 0..scales.len() {
            mixed.numbers.push(
                kept.iter()
                    .map(|&option| {
                        let row = options.get(option)[scale];
                        *places[row as usize].get_or_insert_with(|| {
                            mixed.rows.extend_from_slice(rows.get(row));
                            next += 1;
                            next - 1
                        })
                    })
                    .collect(),
            );
        }
        mixed
    }
}

/// Options by number, with every scale. Number 0 is none.
#[derive(Default)]
pub struct MixedOptions {
    /// How many layers a row has.
    length: usize,
    /// The keys of each row, layer by layer; row 0 is that of no option.
    rows: Vec<u8>,
    /// By scale and option the number of its row.
    numbers: Vec<Vec<u32>>,
}

impl MixedOptions {
    /// The rows with the scale at a place, each once and that of no option first, and by option the
    /// place of its row among them.
    pub fn of_scale(&self, scale: usize) -> (Vec<&[u8]>, Vec<u16>) {
        let mut rows = vec![self.row(0)];
        let mut places = vec![0; self.rows.len() / self.length];
        let place = |&row: &u32| {
            let place = &mut places[row as usize];
            if *place == 0 && row > 0 {
                *place = rows.len() as u16;
                rows.push(self.row(row));
            }
            *place
        };
        let of_options = self.numbers[scale].iter().map(place).collect();
        (rows, of_options)
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.rows[row as usize * self.length..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_one_scale_options_that_differ_with_others_are_one() {
        let rows = [[0, 0], [5, 5], [5, 7], [9, 9]];
        let numbers = vec![vec![0, 3, 1, 3, 1], vec![0, 1, 1, 2, 0]];
        let mixed = MixedOptions { length: 2, rows: rows.concat(), numbers };
        let of_scale = |scale| mixed.of_scale(scale);
        assert_eq!(of_scale(0), (vec![&[0, 0][..], &[9, 9], &[5, 5]], vec![0, 1, 2, 1, 2]));
        assert_eq!(of_scale(1), (vec![&[0, 0][..], &[5, 5], &[5, 7]], vec![0, 1, 1, 2, 0]));
    }
}

//! What a position is worth in all layers.

use std::borrow::Cow;

use super::{
    codes::{DRAWN, LOST, SURE},
    margins::Differences,
};

/// Codes of a position in all layers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct History {
    /// The score differences that are told apart, where there are margins.
    pub(super) differences: Option<Differences>,
    /// Thresholds; or margins, all layers of the least difference first.
    pub(super) codes: Vec<u8>,
}

impl History {
    /// How many layers there are.
    pub(super) fn layers(&self) -> usize {
        self.codes.len() / self.differences.map_or(1, Differences::count)
    }

    /// The code of the thresholds in a layer.
    pub(super) fn thresholds(&self, layer: usize) -> u8 {
        let Some(differences) = self.differences else { return self.codes[layer] };
        let codes = self.codes.iter().skip(layer).step_by(self.layers());
        thresholds_of(differences, codes.copied())
    }

    /// The code of the margin in a layer at a score difference.
    pub(super) fn margin(&self, layer: usize, difference: i64) -> Option<u8> {
        let place = self.differences?.place(difference);
        Some(self.codes[place * self.layers() + layer])
    }

    /// The codes of the thresholds in all layers.
    pub(super) fn all_thresholds(&self) -> Cow<'_, [u8]> {
        match self.differences {
            None => Cow::Borrowed(&self.codes),
            Some(_) => (0..self.layers()).map(|layer| self.thresholds(layer)).collect(),
        }
    }

    /// The codes of the margins in all layers, those after a turn that gains so much in White's
    /// view, for each of the `differences` before it; nothing where there are no margins.
    pub(super) fn all_margins(&self, differences: Differences, gain: i32) -> Cow<'_, [u8]> {
        let layers = self.layers();
        match self.differences {
            Some(own) if (own, 0) != (differences, gain) => {
                let place = |difference: i32| own.place(i64::from(difference + gain)) * layers;
                let rows = differences.iter().map(place).map(|first| &self.codes[first..]);
                Cow::Owned(rows.flat_map(|row| &row[..layers]).copied().collect())
            }
            Some(_) => Cow::Borrowed(&self.codes),
            None => Cow::Borrowed(&[]),
        }
    }
}

/// The code of the thresholds that follow from the codes of the margins at all differences told
/// apart: the first at which White wins, and the first at which it does not lose.
fn thresholds_of(differences: Differences, codes: impl Iterator<Item = u8> + Clone) -> u8 {
    let first = |most: u8| {
        let place = codes.clone().position(|code| code <= most);
        place.and_then(|place| Some((place, differences.iter().nth(place)?)))
    };
    // White likes low codes.
    match (first(DRAWN - 1), first(DRAWN)) {
        // With less White is no nearer to losing.
        (Some((0, _)), _) => LOST,
        (Some((_, win_at)), Some((_, draw_at))) => (win_at + draw_at + 128) as u8,
        _ => SURE,
    }
}

#[cfg(feature = "build")]
/// The codes of the thresholds that follow from some histories of margins, each of so many layers.
pub(crate) fn without_margins(differences: Differences, layers: usize, codes: &[u8]) -> Vec<u8> {
    let histories = codes.chunks_exact(differences.count() * layers).flat_map(|codes| {
        let history = History { differences: Some(differences), codes: codes.to_vec() };
        history.all_thresholds().into_owned()
    });
    histories.collect()
}

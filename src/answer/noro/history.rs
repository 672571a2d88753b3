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
            Some(differences) => Cow::Owned(self.thresholds_of_all(differences)),
        }
    }

    /// The codes of the thresholds that follow from the margins in all layers, at all differences told
    /// apart.
    fn thresholds_of_all(&self, differences: Differences) -> Vec<u8> {
        let layers = self.layers();
        let (mut wins, mut draws) = (vec![None; layers], vec![None; layers]);
        // The layers of a difference lie side by side. The first place is the one met last.
        for (place, row) in self.codes.chunks_exact(layers).enumerate().rev() {
            for ((&code, win), draw) in row.iter().zip(&mut wins).zip(&mut draws) {
                if code < DRAWN {
                    *win = Some(place);
                }
                if code <= DRAWN {
                    *draw = Some(place);
                }
            }
        }
        wins.into_iter().zip(draws).map(|(win, draw)| threshold(differences, win, draw)).collect()
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
/// apart.
fn thresholds_of(differences: Differences, codes: impl Iterator<Item = u8> + Clone) -> u8 {
    let first = |most: u8| codes.clone().position(|code| code <= most);
    // White likes low codes.
    threshold(differences, first(DRAWN - 1), first(DRAWN))
}

/// The code of the thresholds where White wins and does not lose from these differences on, by their
/// places.
fn threshold(differences: Differences, win: Option<usize>, draw: Option<usize>) -> u8 {
    let at = |place: usize| differences.at(place);
    match (win, draw) {
        // With less White is no nearer to losing.
        (Some(0), _) => LOST,
        (Some(win), Some(draw)) => (at(win) + at(draw) + 128) as u8,
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

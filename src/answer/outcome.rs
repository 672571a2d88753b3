//! A value on the ladder with its distance, as palettes of tables hold it.

use super::Plies;

/// A value on the ladder with its distance.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// White's view.
    pub value: i32,
    /// Plies, or none.
    pub distance: Option<Plies>,
}

impl Outcome {
    /// The same with the sides exchanged, where that negates the value.
    #[inline]
    pub fn swap_colors(self) -> Outcome {
        Outcome { value: -self.value, distance: self.distance }
    }

    pub(crate) fn packed(self) -> u32 {
        (self.value as u16 as u32) << 16 | self.distance.map_or(0, |d| u32::from(d.0) + 1)
    }

    #[inline]
    pub(crate) fn unpack(packed: u32) -> Outcome {
        let distance = (packed as u16).checked_sub(1).map(Plies);
        Outcome { value: i32::from((packed >> 16) as i16), distance }
    }
}

//! The rows of a slice in all layers with the same vitality of White: as they are if there is
//! memory for that, else packed but for the two layers that are worked on.

use std::{borrow::Cow, io, ops::Range};

use super::keys::Keys;
use crate::{
    parallel::{self, chunks},
    solve::engine::{
        slice::Slice,
        spill::{Budget, Loan, ScratchArray, pack, unpack},
    },
};

/// What is new in a row, next to the layer with a point less of White's.
#[derive(Copy, Clone, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Change {
    /// The lanes that changed.
    pub lanes: u64,
    /// Those of them that are or were losses: wins for who turns to them.
    pub losses: u64,
}

impl Change {
    /// Nothing is.
    const NONE: Change = Change { lanes: 0, losses: 0 };
}

/// A layer: for each side to move a row for each word, and what changed when it was computed last.
pub(super) struct LayerRows<R> {
    pub rows: [ScratchArray<R>; 2],
    pub changes: [ScratchArray<Change>; 2],
}

impl<R: Keys + bytemuck::Pod> LayerRows<R> {
    /// A layer of so many words whose rows with Black to move are these; White's have no options.
    fn new(black: &[R], budget: &Budget) -> io::Result<LayerRows<R>> {
        let words = black.len();
        let unchanged = || budget.array(words, Change::NONE);
        let mut rows = [budget.array(words, R::NONE)?, budget.array(words, R::NONE)?];
        rows[1].copy_from_slice(black);
        Ok(LayerRows { rows, changes: [unchanged()?, unchanged()?] })
    }

    /// How many bytes a layer of so many words takes.
    fn bytes(words: usize) -> u64 {
        (2 * words * (size_of::<R>() + size_of::<Change>())) as u64
    }
}

/// What a layer reads of the one with a point less of Black's: its rows with White to move, and what
/// changed there.
pub(super) type Below<'a, R> = (&'a [R], &'a [Change]);

/// For each vB from 1 on, the layer (vW, vB).
pub(super) enum RowStore<R> {
    /// As they are.
    Kept(Vec<LayerRows<R>>),
    /// Packed.
    Packed(PackedLayers<R>),
}

/// Layers that are packed but for one, and what that reads of another.
pub(super) struct PackedLayers<R> {
    layers: Vec<PackedLayer>,
    /// Words that are packed together, but for the last.
    together: usize,
    /// The layer that is worked on.
    here: LayerRows<R>,
    /// What it reads of the one with a point less of Black's.
    below: (ScratchArray<R>, ScratchArray<Change>),
}

/// A layer, packed a stretch of words at a time.
struct PackedLayer {
    rows: [Vec<Box<[u8]>>; 2],
    /// Nothing where nothing has changed.
    changes: [Vec<Option<Box<[u8]>>>; 2],
    #[allow(dead_code, reason = "gives back the memory that the rest takes")]
    loan: Loan,
}

impl PackedLayer {
    /// How many bytes it takes.
    fn bytes(&self) -> u64 {
        let rows = self.rows.iter().flatten().map(|packed| packed.len());
        let changes = self.changes.iter().flatten().flatten().map(|packed| packed.len());
        (rows.sum::<usize>() + changes.sum::<usize>()) as u64
    }

    /// Packs the stretches of a layer in which something has changed; all of them if so many rows
    /// are not there yet.
    fn update<R: Keys + bytemuck::Pod>(
        &mut self,
        layer: &LayerRows<R>,
        together: usize,
        budget: &Budget,
    ) -> io::Result<()> {
        for side in [0, 1] {
            let all = &layer.changes[side][..];
            let before = std::mem::take(&mut self.rows[side]);
            let before = before.into_iter().map(Some);
            let stretches = all.len().div_ceil(together);
            let before: Vec<_> = before.chain(std::iter::repeat_with(|| None)).take(stretches).collect();
            let parts = (before, (chunks(&layer.rows[side][..], together), chunks(all, together)));
            let packed = parallel::try_map(parts, 1, |_, (before, (rows, changes))| {
                let is_new = changes.iter().any(|&change| change != Change::NONE);
                let packed = |bytes: &[u8]| pack(bytes).map(Vec::into_boxed_slice);
                let rows = match before {
                    Some(rows) if !is_new => rows,
                    _ => packed(bytemuck::cast_slice(rows))?,
                };
                let changes =
                    if is_new { Some(packed(bytemuck::cast_slice(changes))?) } else { None };
                io::Result::Ok((rows, changes))
            })?;
            (self.rows[side], self.changes[side]) = packed.into_iter().unzip();
        }
        // What it took before comes back first.
        self.loan = budget.take(0);
        self.loan = budget.take(self.bytes());
        Ok(())
    }

    fn unpack<R: Keys + bytemuck::Pod>(&self, layer: &mut LayerRows<R>, together: usize) {
        for side in [0, 1] {
            let LayerRows { rows, changes } = layer;
            let to = (chunks(&mut rows[side][..], together), chunks(&mut changes[side][..], together));
            let from = (&self.rows[side][..], &self.changes[side][..]);
            parallel::each((to, from), 1, |_, ((rows, changes), (packed, packed_changes))| {
                unpack(packed, bytemuck::cast_slice_mut(rows));
                match packed_changes {
                    Some(packed) => unpack(packed, bytemuck::cast_slice_mut(changes)),
                    None => changes.fill(Change::NONE),
                }
            });
        }
    }
}

impl<R: Keys + bytemuck::Pod> RowStore<R> {
    /// For so many vitalities of Black a layer of a slice whose rows with Black to move are these;
    /// White's have no options. What is not needed for them is left of the budget.
    pub fn new(
        slice: &Slice,
        full: usize,
        black: &[R],
        budget: &Budget,
    ) -> io::Result<RowStore<R>> {
        let words = slice.words();
        let layer = || LayerRows::new(black, budget);
        if LayerRows::<R>::bytes(words) * full as u64 <= budget.left() {
            return Ok(RowStore::Kept((0..full).map(|_| layer()).collect::<io::Result<_>>()?));
        }
        let here = layer()?;
        let below = (budget.array(words, R::NONE)?, budget.array(words, Change::NONE)?);
        let together = slice.words_a_stretch();
        let mut layers = Vec::with_capacity(full);
        for _ in 0..full {
            let loan = budget.take(0);
            let mut packed = PackedLayer { rows: Default::default(), changes: Default::default(), loan };
            packed.update(&here, together, budget)?;
            layers.push(packed);
        }
        Ok(RowStore::Packed(PackedLayers { layers, together, here, below }))
    }

    /// Begins with the layer of a vitality of Black, less one: that layer, and what it reads of the
    /// one with a point less of Black's if there is one. Layers are taken in turn, and each is [put
    /// back](RowStore::put_back).
    pub fn take(&mut self, black: usize) -> (&mut LayerRows<R>, Option<Below<'_, R>>) {
        match self {
            RowStore::Kept(layers) => {
                let (done, rest) = layers.split_at_mut(black);
                let below = done.last().map(|below| (&below.rows[0][..], &below.changes[0][..]));
                (&mut rest[0], below)
            }
            RowStore::Packed(PackedLayers { layers, together, here, below }) => {
                std::mem::swap(&mut here.rows[0], &mut below.0);
                std::mem::swap(&mut here.changes[0], &mut below.1);
                layers[black].unpack(here, *together);
                (here, (black > 0).then_some((&below.0[..], &below.1[..])))
            }
        }
    }

    /// Keeps the layer that was taken last.
    pub fn put_back(&mut self, black: usize, budget: &Budget) -> io::Result<()> {
        match self {
            RowStore::Kept(_) => Ok(()),
            RowStore::Packed(PackedLayers { layers, together, here, .. }) => {
                layers[black].update(here, *together, budget)
            }
        }
    }

    /// The rows of a stretch of words with a side to move, for each vitality of Black.
    pub fn rows(&self, side: usize, words: Range<usize>) -> Vec<Cow<'_, [R]>> {
        match self {
            RowStore::Kept(layers) => {
                layers.iter().map(|layer| Cow::Borrowed(&layer.rows[side][words.clone()])).collect()
            }
            RowStore::Packed(PackedLayers { layers, together, .. }) => {
                let of_layer = |layer: &PackedLayer| {
                    let mut rows = vec![R::NONE; words.len()];
                    let packed = &layer.rows[side][words.start / together];
                    unpack(packed, bytemuck::cast_slice_mut(&mut rows));
                    Cow::Owned(rows)
                };
                layers.iter().map(of_layer).collect()
            }
        }
    }

    /// The lanes of a stretch of words with a side to move that changed with any vitality of Black.
    pub fn changed(&self, side: usize, words: Range<usize>) -> Vec<u64> {
        let mut lanes = vec![0; words.len()];
        let mut add = |changes: &[Change]| {
            lanes.iter_mut().zip(changes).for_each(|(lanes, change)| *lanes |= change.lanes);
        };
        match self {
            RowStore::Kept(layers) => {
                layers.iter().for_each(|layer| add(&layer.changes[side][words.clone()]));
            }
            RowStore::Packed(PackedLayers { layers, together, .. }) => {
                let mut changes = vec![Change::NONE; words.len()];
                let stretch = words.start / together;
                for packed in layers.iter().filter_map(|layer| layer.changes[side][stretch].as_ref()) {
                    unpack(packed, bytemuck::cast_slice_mut(&mut changes));
                    add(&changes);
                }
            }
        }
        lanes
    }
}

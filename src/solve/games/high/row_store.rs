//! The rows of a slice in all layers with the same vitality of White: in memory if there is room for
//! that, else in a file but for the layer that is worked on.

use std::{borrow::Cow, io, ops::Range};

use super::keys::Keys;
use crate::{
    parallel,
    solve::engine::{
        slice::Slice,
        spill::{Budget, PlacedFile, ScratchArray},
    },
};

/// Layers that take less together are no reason for a file, however little memory is left.
const SMALL: u64 = 1 << 20;

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
    /// In memory.
    Kept(Vec<LayerRows<R>>),
    /// In files.
    Filed(Box<FiledLayers<R>>),
}

/// Layers in files, and in memory one of them and what that reads of another.
pub(super) struct FiledLayers<R> {
    /// For each side to move, the rows of a layer and what changed in it, layer by layer.
    sides: [FiledSide; 2],
    /// The layer that is worked on.
    here: LayerRows<R>,
    /// What it reads of the one with a point less of Black's.
    below: (ScratchArray<R>, ScratchArray<Change>),
}

/// What a file has of all layers with a side to move.
struct FiledSide {
    file: PlacedFile,
    words: usize,
    /// Words that are written together, but for the last: a stretch.
    together: usize,
    /// For each layer, the stretches in which something changed; what the file has of the changes in
    /// others means nothing.
    changed: Vec<Vec<bool>>,
}

impl FiledSide {
    /// Where the rows and the changes of a layer from some word on are.
    fn places<R>(&self, layer: usize, word: usize) -> [u64; 2] {
        let (row, change) = (size_of::<R>(), size_of::<Change>());
        let layer = layer * self.words * (row + change);
        [layer + word * row, layer + self.words * row + word * change].map(|place| place as u64)
    }

    /// The words of each stretch.
    fn stretches(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (words, together) = (self.words, self.together);
        (0..words).step_by(together).map(move |first| first..words.min(first + together))
    }

    /// Writes the stretches of a layer in which something has changed, or all of them.
    fn write<R: bytemuck::Pod>(
        &mut self,
        layer: usize,
        (rows, changes): (&[R], &[Change]),
        all: bool,
    ) -> io::Result<()> {
        for (stretch, words) in self.stretches().enumerate() {
            let of_stretch = &changes[words.clone()];
            let is_new = of_stretch.iter().any(|&change| change != Change::NONE);
            let [rows_place, changes_place] = self.places::<R>(layer, words.start);
            if is_new || all {
                self.file.write(rows_place, bytemuck::cast_slice(&rows[words]))?;
            }
            if is_new {
                self.file.write(changes_place, bytemuck::cast_slice(of_stretch))?;
            }
            self.changed[layer][stretch] = is_new;
        }
        Ok(())
    }

    fn read<R: bytemuck::Pod>(
        &self,
        layer: usize,
        rows: &mut [R],
        changes: &mut [Change],
    ) -> io::Result<()> {
        self.file.read(self.places::<R>(layer, 0)[0], bytemuck::cast_slice_mut(rows))?;
        for (stretch, words) in self.stretches().enumerate() {
            self.read_changes::<R>((layer, stretch), &mut changes[words])?;
        }
        Ok(())
    }

    /// Reads what changed in a stretch of a layer.
    fn read_changes<R>(
        &self,
        (layer, stretch): (usize, usize),
        changes: &mut [Change],
    ) -> io::Result<()> {
        if !self.changed[layer][stretch] {
            changes.fill(Change::NONE);
            return Ok(());
        }
        let [_, place] = self.places::<R>(layer, stretch * self.together);
        self.file.read(place, bytemuck::cast_slice_mut(changes))
    }
}

impl<R: Keys + bytemuck::Pod> RowStore<R> {
    /// For so many vitalities of Black a layer of a slice whose rows with Black to move are these;
    /// White's have no options.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn new(
        slice: &Slice,
        full: usize,
        black: &[R],
        budget: &Budget,
    ) -> io::Result<RowStore<R>> {
        let words = slice.words();
        let layer = || LayerRows::new(black, budget);
        if LayerRows::<R>::bytes(words) * full as u64 <= budget.left().max(SMALL) {
            return Ok(RowStore::Kept((0..full).map(|_| layer()).collect::<io::Result<_>>()?));
        }
        let here = layer()?;
        let below = (budget.array(words, R::NONE)?, budget.array(words, Change::NONE)?);
        let side = || -> io::Result<FiledSide> {
            let changed = vec![vec![false; slice.stretches()]; full];
            let together = slice.words_a_stretch();
            Ok(FiledSide { file: budget.placed_file()?, words, together, changed })
        };
        let mut layers = FiledLayers { sides: [side()?, side()?], here, below };
        (0..full).try_for_each(|layer| layers.write(layer, true))?;
        Ok(RowStore::Filed(Box::new(layers)))
    }

    /// Begins with the layer of a vitality of Black, less one: that layer, and what it reads of the
    /// one with a point less of Black's if there is one. Layers are taken in turn, and each is [put
    /// back](RowStore::put_back).
    ///
    /// # Errors
    /// If scratch space cannot be read.
    pub fn take(&mut self, black: usize) -> io::Result<(&mut LayerRows<R>, Option<Below<'_, R>>)> {
        match self {
            RowStore::Kept(layers) => {
                let (done, rest) = layers.split_at_mut(black);
                let below = done.last().map(|below| (&below.rows[0][..], &below.changes[0][..]));
                Ok((&mut rest[0], below))
            }
            RowStore::Filed(layers) => {
                layers.read(black)?;
                let FiledLayers { here, below: (rows, changes), .. } = &mut **layers;
                Ok((here, (black > 0).then_some((&rows[..], &changes[..]))))
            }
        }
    }

    /// Keeps the layer that was taken last.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn put_back(&mut self, black: usize) -> io::Result<()> {
        match self {
            RowStore::Kept(_) => Ok(()),
            RowStore::Filed(layers) => layers.write(black, false),
        }
    }

    /// The rows of a stretch of words with a side to move, for each vitality of Black.
    ///
    /// # Errors
    /// If scratch space cannot be read.
    pub fn rows(&self, side: usize, words: Range<usize>) -> io::Result<Vec<Cow<'_, [R]>>> {
        match self {
            RowStore::Kept(layers) => {
                let of_layer = layers.iter().map(|layer| &layer.rows[side][words.clone()]);
                Ok(of_layer.map(Cow::Borrowed).collect())
            }
            RowStore::Filed(layers) => {
                let side = &layers.sides[side];
                let of_layer = |layer: usize| {
                    let mut rows = vec![R::NONE; words.len()];
                    let [place, _] = side.places::<R>(layer, words.start);
                    side.file.read(place, bytemuck::cast_slice_mut(&mut rows))?;
                    Ok(Cow::Owned(rows))
                };
                (0..side.changed.len()).map(of_layer).collect()
            }
        }
    }

    /// The lanes of a stretch of words with a side to move that changed with any vitality of Black.
    ///
    /// # Errors
    /// If scratch space cannot be read.
    pub fn changed(&self, side: usize, words: Range<usize>) -> io::Result<Vec<u64>> {
        let mut lanes = vec![0; words.len()];
        let mut add = |changes: &[Change]| {
            lanes.iter_mut().zip(changes).for_each(|(lanes, change)| *lanes |= change.lanes);
        };
        match self {
            RowStore::Kept(layers) => {
                layers.iter().for_each(|layer| add(&layer.changes[side][words.clone()]));
            }
            RowStore::Filed(layers) => {
                let side = &layers.sides[side];
                let stretch = words.start / side.together;
                let mut changes = vec![Change::NONE; words.len()];
                for layer in (0..side.changed.len()).filter(|&layer| side.changed[layer][stretch]) {
                    side.read_changes::<R>((layer, stretch), &mut changes)?;
                    add(&changes);
                }
            }
        }
        Ok(lanes)
    }
}

impl<R: Keys + bytemuck::Pod> FiledLayers<R> {
    /// Writes the layer that was worked on, or those of its stretches in which something changed.
    fn write(&mut self, layer: usize, all: bool) -> io::Result<()> {
        let FiledLayers { sides, here: LayerRows { rows, changes }, .. } = self;
        let both = (&mut sides[..], (&rows[..], &changes[..]));
        parallel::try_each(both, 1, |_, (side, (rows, changes))| {
            side.write(layer, (rows, changes), all)
        })
    }

    /// Reads a layer; what was worked on is the one below it.
    fn read(&mut self, layer: usize) -> io::Result<()> {
        let FiledLayers { sides, here: LayerRows { rows, changes }, below } = self;
        std::mem::swap(&mut rows[0], &mut below.0);
        std::mem::swap(&mut changes[0], &mut below.1);
        let both = (&sides[..], (&mut rows[..], &mut changes[..]));
        parallel::try_each(both, 1, |_, (side, (rows, changes))| side.read(layer, rows, changes))
    }
}

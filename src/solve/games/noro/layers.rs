//! The solver: one layer after the other, each from the one before.
//!
//! White is to move where an even number of plies remains, Black where an odd one does, so the
//! layers of the two sides take turns and each is computed from the other side's last one. One
//! row of bytes per word and side is all there is in memory: a layer overwrites the last one of
//! its own side. A word is computed again only if a row it reads has changed, or an option of its
//! own has, or the clock begins to count differently.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{
    options::{CHUNK, ChunkOptions, Options},
    scale::{Closing, Scale},
};
use crate::{
    answer::noro::{Layers, codes::key},
    board::{Bitboard, Color},
    parallel::{self, chunks},
    solve::engine::{
        clock::LayerLog,
        lanes::{NumberLanes, RowWork, with_widest_rows},
        slice::{Slice, Stand, Walks},
        spill::Budget,
    },
};

/// Solves all layers of a slice for both sides; `options` are those of each side. What comes out
/// are the codes, as keys of the other side, layer by layer; they go to the logs behind those of
/// `before` other scales. `walks` are those of both sides, if they are there.
pub fn solve(
    layers: Layers,
    (before, scale): (usize, Scale),
    (slice, walks): (&Slice, Option<&[Walks; 2]>),
    options: [Options; 2],
    logs: &mut [LayerLog; 2],
    budget: &Budget,
) -> io::Result<()> {
    with_widest_rows(NoroLayers { layers, before, scale, slice, walks, options, logs, budget })
}

/// What [`solve`] is asked for.
struct NoroLayers<'a> {
    layers: Layers,
    before: usize,
    scale: Scale,
    slice: &'a Slice,
    walks: Option<&'a [Walks; 2]>,
    options: [Options; 2],
    logs: &'a mut [LayerLog; 2],
    budget: &'a Budget,
}

impl RowWork for NoroLayers<'_> {
    type Done = io::Result<()>;

    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done {
        solve_in::<B>(self)
    }
}

/// Solves them with such rows.
fn solve_in<R: NumberLanes<Value = u8>>(work: NoroLayers<'_>) -> io::Result<()> {
    let NoroLayers { layers, before, scale, slice, walks, mut options, logs, budget } = work;
    // A side's rows are kept as the other side, which reads them, counts.
    let mut rows =
        [budget.written_zeros::<R>(slice.words())?, budget.written_zeros(slice.words())?];
    let flags = || (0..slice.words()).map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
    let touched = [flags(), flags()];
    let mut changed = vec![Bitboard::EMPTY; slice.words()];
    for ply in 0..=layers.plies() {
        let [white, black] = &mut rows;
        let (side, own, other) = match ply % 2 {
            0 => (Color::White, white, &*black),
            _ => (Color::Black, black, &*white),
        };
        let layer = Layers::at(ply);
        let walks = walks.map(|walks| &walks[side.index()]);
        let pass = LayerPass { layers, scale, slice, walks, side, layer, other, touched: &touched };
        let rows = (chunks(&mut own[..], CHUNK), chunks(&mut changed[..], CHUNK));
        let options = options[side.index()].chunks_mut();
        parallel::each((rows, options), 1, |chunk, ((rows, changes), options)| {
            pass.run(chunk * CHUNK, rows, changes, options);
        });
        let log = &mut logs[side.index()];
        let layer = before * layers.of_side(side) + layer;
        log.advance(layer as u16, &changed, |word| &own[word].values()[..])?;
    }
    Ok(())
}

/// One layer in the making.
struct LayerPass<'a, R> {
    layers: Layers,
    scale: Scale,
    slice: &'a Slice,
    walks: Option<&'a Walks>,
    side: Color,
    layer: usize,
    other: &'a [R],
    /// Words that read a row which has changed, by side to move.
    touched: &'a [Vec<AtomicBool>; 2],
}

impl<R: NumberLanes<Value = u8>> LayerPass<'_, R> {
    /// Computes the rows of a run of words, from number `first` on, and tells which lanes change.
    fn run(
        &self,
        first: usize,
        rows: &mut [R],
        changes: &mut [Bitboard],
        mut options: ChunkOptions<'_>,
    ) {
        let closing = |layer| Closing::new(self.layers, self.scale, self.side, layer);
        let same_closing = self.layer > 0 && closing(self.layer) == closing(self.layer - 1);
        let closing = closing(self.layer);
        for (at, (row, change)) in rows.iter_mut().zip(changes).enumerate() {
            *change = Bitboard::EMPTY;
            let word = first + at;
            let touched = &self.touched[self.side.index()][word];
            let may_change = options.may_change(at, self.layer);
            if same_closing && !may_change && !touched.load(Relaxed) {
                continue;
            }
            touched.store(false, Relaxed);
            let Some(stand) = self.slice.stand(word) else { continue };
            *change = R::with_registers(
                #[inline(always)]
                || {
                    let options = R::from_values(options.row(at, self.layer));
                    row.replace(self.best(&stand, closing, options))
                },
            );
            if *change == Bitboard::EMPTY {
                continue;
            }
            self.slice.readers(&stand, !self.side, |word| {
                self.touched[(!self.side).index()][word].store(true, Relaxed);
            });
        }
    }

    /// What the positions of a word are worth to White, by the turns within the slice and
    /// `options`.
    #[inline(always)]
    fn best(&self, stand: &Stand, closing: Closing, options: R) -> R {
        let quiet = match self.walks {
            Some(walks) => walks.quiet(stand.word, self.other),
            None => self.slice.quiet(stand, self.side, self.other),
        };
        let worth = quiet.join(options).map(
            #[inline(always)]
            |best| key(Color::White, closing.close(best)),
        );
        worth.only(self.slice.placed(stand))
    }
}

//! The twenty plies after option 1: look one turn ahead, twenty times.
//!
//! Nothing goes in circles here, so a whole row of 64 values is found at once from the rows that
//! the quiet moves lead to. A row holds, for each lane, the value as the mover counts it.

use rayon::prelude::*;

use super::{Cell, Room};
use crate::{
    answer::{
        score::{Score, Store},
        tiebraker::stage::Stage,
    },
    board::{Bitboard, Color},
    rules::{Finish, Mode},
    solve::{
        BuildError,
        engine::{
            ladder::MIN_WORDS,
            lanes::{Bytes, Lanes},
        },
    },
};

impl Room<'_> {
    /// Option 1 from its last stage to its first, with the disk of `owner`; returns the first, as
    /// its mover counts (see [`counted`]).
    pub(super) fn countdown(&self, owner: Color) -> Result<Vec<Bytes>, BuildError> {
        let last = Stage::with_disk(Mode::Option1(0), owner);
        let turns = self.compulsory_turns(last);
        let (cells, _) = self.exit_cells(last, &turns)?;
        let cells = self.ladder(last, &turns, cells)?;
        // The first stage to look ahead has the owner to move, to positions of the other player.
        let mut rows: Vec<Bytes> = cells[(!owner).index()]
            .par_chunks(64)
            .with_min_len(MIN_WORDS)
            .map(|row| {
                Bytes(std::array::from_fn(|lane| match row[lane] {
                    Cell::NONE => 0,
                    cell => counted(last_ply(cell.score()), owner),
                }))
            })
            .collect();
        let mut array = self.array()?;
        for left in 1..=Mode::COUNTDOWN {
            let stage = Stage::with_disk(Mode::Option1(left), owner);
            let side = stage.mover().expect("one side moves in the countdown");
            rows = self.look_ahead(stage, side, &rows);
            array.par_chunks_mut(64).with_min_len(MIN_WORDS).zip(&rows).for_each(|(row, best)| {
                for (cell, &best) in row.iter_mut().zip(&best.0) {
                    *cell = match best {
                        0 => Cell::NONE,
                        best => Cell::keep(stage.score(uncounted(best, side), None)),
                    };
                }
            });
            self.put(stage, [&array, &array])?;
            if left < Mode::COUNTDOWN {
                // Now as the other player counts, whose turn leads here.
                let turned = |best| if best == 0 { 0 } else { 12 - best };
                rows.par_iter_mut().with_min_len(MIN_WORDS).for_each(|row| *row = row.map(turned));
            }
        }
        Ok(rows)
    }

    /// One stage of the countdown, as its mover counts, from the next one, as counted likewise.
    fn look_ahead(&self, stage: Stage, side: Color, next: &[Bytes]) -> Vec<Bytes> {
        let Mode::Option1(left) = stage.mode else { unreachable!("only option 1 counts") };
        let after = Stage { mode: Mode::Option1(left - 1), ..stage };
        let (slice, exits) = (self.slice(stage), self.exits(stage, side));
        let mate = counted(stage.value(Finish::Checkmate(!side)), side);
        let stalemate = counted(stage.value(Finish::Stalemate(!side)), side);
        (0..slice.words())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .map(|word| {
                let lanes = self.legal[side.index()][word];
                if lanes == 0 {
                    return Bytes::NONE;
                }
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                let mut best = slice.quiet(&stand, side, |word| next[word]);
                for exit in &exits.words[word] {
                    let score = self.after(after, exit);
                    let value = if left == 1 { last_ply(score) } else { score.value::<Cell>() };
                    let value = counted(value, side);
                    Bitboard(exit.lanes).for_each(|lane| {
                        let best = &mut best.0[lane.number()];
                        *best = value.max(*best);
                    });
                }
                let checked = Bitboard(self.checked[side.index()][word]);
                for lane in Bitboard(lanes) {
                    let best = &mut best.0[lane.number()];
                    if *best == 0 {
                        *best = if checked.contains(lane) { mate } else { stalemate };
                    }
                }
                best.only(Bitboard(lanes))
            })
            .collect()
    }
}

/// The value of a position after the last ply of the countdown, in the last stage: a game it ends
/// by mate pays all.
fn last_ply(score: Score) -> i32 {
    let value = score.value::<Cell>();
    let over = score.distance::<Cell>() == Some(0);
    if over && value.abs() == 4 { value.signum() * 5 } else { value }
}

/// A value as `side` counts in the countdown: 1 to 11, more is better.
fn counted(value: i32, side: Color) -> u8 {
    let seen = if side == Color::White { value } else { -value };
    (seen + 6) as u8
}

/// The inverse of [`counted`].
pub(super) fn uncounted(byte: u8, side: Color) -> i32 {
    let seen = i32::from(byte) - 6;
    if side == Color::White { seen } else { -seen }
}

//! The twenty plies after option 1: look one turn ahead, twenty times.
//!
//! Nothing goes in circles here, so a whole row of 64 values is found at once from the rows that
//! the quiet moves lead to. A row holds, for each lane, the value as the mover counts it.

use super::{
    super::stage_tables::StageTables,
    Ground, StageSlice,
    counted::{counted, is_by_mate, last_ply, uncounted},
};
use crate::{
    answer::{
        score::Store,
        tiebraker::stage::{Cell, Stage},
    },
    board::{Bitboard, Color, Square},
    parallel,
    rules::{Finish, Mode},
    solve::{
        engine::{
            lanes::{Bytes, NumberLanes, RowWork, with_widest_rows},
            slice::MIN_WORDS,
        },
        error::BuildError,
    },
};

impl Ground {
    /// Keeps the best exits of a stage of the countdown.
    pub(super) fn count_down(&self, stage: Stage, tables: &StageTables<'_>, rows: &mut [Bytes]) {
        let Mode::Option1(left) = stage.mode else { unreachable!("only option 1 counts") };
        let side = stage.mover().expect("one side moves in the countdown");
        let after = Stage { mode: Mode::Option1(left - 1), ..stage };
        parallel::each(rows, MIN_WORDS, |word, row| {
            for exit in self.exits(stage, side, word) {
                let score = tables.after(after, &self.exits[side.index()], word, exit);
                let Some(score) = score else { continue };
                let value = score.value::<Cell>();
                let last = left == 1 && is_by_mate(value);
                let over = last && tables.ends(after, exit, score);
                let value = counted(last_ply(value, over), side);
                Bitboard(exit.lanes).for_each(|lane| {
                    let best = &mut row.0[lane.number()];
                    *best = value.max(*best);
                });
            }
        });
    }

    /// A stage of the countdown, as its mover counts, from its exits and the `next` stage.
    fn look_ahead(&self, stage: Stage, exits: Vec<Bytes>, next: &[Bytes]) -> Vec<Bytes> {
        let mut rows = exits;
        with_widest_rows(LookAhead { ground: self, stage, rows: &mut rows, next });
        rows
    }
}

/// What [`Ground::look_ahead`] is asked for; `rows` are the exits, and then the stage.
struct LookAhead<'a> {
    ground: &'a Ground,
    stage: Stage,
    rows: &'a mut [Bytes],
    next: &'a [Bytes],
}

impl RowWork for LookAhead<'_> {
    type Done = ();

    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) {
        let LookAhead { ground, stage, rows, next } = self;
        let (rows, next) =
            (bytemuck::cast_slice_mut::<_, B>(rows), bytemuck::cast_slice::<_, B>(next));
        let side = stage.mover().expect("one side moves in the countdown");
        let slice = ground.slice(stage);
        let mate = counted(stage.value(Finish::Checkmate(!side)), side);
        let stalemate = counted(stage.value(Finish::Stalemate(!side)), side);
        parallel::each(rows, MIN_WORDS, |word, row| {
            let lanes = Bitboard(ground.legal[side.index()][word]);
            if lanes.is_empty() {
                return;
            }
            let stand = slice.stand(word).expect("legal lanes stand somewhere");
            let checked = Bitboard(ground.checked[side.index()][word]);
            *row = B::with_registers(
                #[inline(always)]
                || {
                    let best = slice.quiet(&stand, side, next).join(*row);
                    // Where there is no turn, the game is over.
                    let over = B::all(mate).or_else(checked, B::all(stalemate));
                    best.or_else(best.at_least(1), over).only(lanes)
                },
            );
        });
    }
}

impl StageSlice<'_, '_> {
    /// Solves a stage of the countdown from its exits and the stage that is kept, and keeps it
    /// instead.
    pub(super) fn finish_countdown(
        &mut self,
        stage: Stage,
        owner: Color,
        exits: Vec<Bytes>,
    ) -> Result<(), BuildError> {
        let side = stage.mover().expect("one side moves in the countdown");
        let next = std::mem::take(&mut self.kept.countdown[owner.index()]);
        let mut rows = self.ground.look_ahead(stage, exits, &next);
        self.put(stage, |_, place| {
            match rows[place / 64].value(Square::new((place % 64) as u8)) {
                0 => Cell::NONE,
                best => Cell::keep(stage.score(uncounted(best, side), None)),
            }
        })?;
        if stage.mode != Mode::Option1(Mode::COUNTDOWN) {
            // Now as the other player counts, whose turn leads here.
            let turned = |best| if best == 0 { 0 } else { 12 - best };
            parallel::each(&mut rows[..], MIN_WORDS, |_, row| *row = row.map(turned));
        }
        self.kept.countdown[owner.index()] = rows;
        Ok(())
    }
}

//! What vital turns are worth, in tables without distances: they restore vitality, so little of the
//! staircase they lead to matters.

use std::{collections::HashMap, sync::Arc};

use crate::{
    answer::place::{board_entry, board_of, entry_number, plain_setup},
    board::{Color, Square},
    index::Material,
    rules::{Game, High, HighPosition, Revitalise, Setup},
    solve::engine::{
        links::Links,
        slice::{Conversion, Slice},
        values::Values,
    },
};

/// What of a staircase matters to a vital turn that leads to it: T(V), and the least vW with
/// T(vW) = V, or V + 1 if there is none.
pub(super) type Landing = [u8; 2];

/// What of this staircase matters.
pub(super) fn landing(staircase: &[u8]) -> Landing {
    let full = staircase.len() as u8;
    let full_from = (1..).zip(staircase).find(|&(_, &step)| step == full);
    let top = *staircase.last().expect("at least one step");
    [top, full_from.map_or(full + 1, |(white, _)| white)]
}

/// Everything the slices of a material look into.
pub(super) struct Context<'a> {
    pub(super) game: &'a High,
    pub(super) tables: &'a HashMap<Material, Arc<Values<Landing>>>,
    pub(super) links: Links<Arc<Values<Landing>>>,
}

impl Context<'_> {
    /// What a vital turn of `side` that lands there is worth, as [`SliceLayers::vital`] keeps it.
    pub(super) fn worth(&self, side: Color, [top, full_from]: Landing) -> u8 {
        let full = self.game.vitality.points();
        match (self.game.revitalise, side) {
            (Revitalise::Mover, Color::White) => top,
            (Revitalise::Mover, Color::Black) => full_from,
            // With both restored, White wins everywhere or nowhere.
            (Revitalise::Both, Color::White) => {
                if top == full {
                    full
                } else {
                    0
                }
            }
            (Revitalise::Both, Color::Black) => {
                if top == full {
                    1
                } else {
                    full + 1
                }
            }
        }
    }

    pub(super) fn landing(
        &self,
        slice: &Slice,
        turn: &Conversion,
        side: Color,
        squares: &[Square],
    ) -> Landing {
        if turn.en_passant {
            let behind = turn.to.offset(0, -side.forward()).expect("a pawn has walked two squares");
            let board = board_of(slice.men(), squares, None);
            return self.look_up(&plain_setup(board, !side, Some(behind)));
        }
        let (link, values) = self.links.get(turn).expect("a table of every successor");
        let entry = link.entry(!side, squares);
        values.at(entry.side, &entry.squares).expect("Kings apart")
    }

    /// The landing of any position. Where a pawn can be taken in passing every turn is vital, so
    /// the landings after it are all it takes.
    fn look_up(&self, setup: &Setup) -> Landing {
        if setup.en_passant.is_none() {
            let values = &self.tables[&Material::of(&setup.board)];
            let entry = board_entry(&setup.board, setup.to_move, false);
            return values.get(entry.side, entry_number(&values.index, &entry));
        }
        let full = self.game.vitality.points();
        let position = HighPosition { setup: setup.clone(), vitality: [full; 2] };
        let worth = self
            .game
            .turns(&position)
            .into_iter()
            .map(|turn| self.look_up(&self.game.play(&position, turn).setup))
            .map(|landing| self.worth(setup.to_move, landing))
            .max();
        match (setup.to_move, worth) {
            (Color::White, worth) => match worth.unwrap_or(0) {
                top if top == full => [full, 1],
                top => [top, full + 1],
            },
            (Color::Black, Some(from)) if from > full => [0, from],
            (Color::Black, from) => [full, from.unwrap_or(1)],
        }
    }
}

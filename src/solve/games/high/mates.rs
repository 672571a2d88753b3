//! Who can force mate, vitality aside: a ladder table whose quiet turns include passing.

use std::sync::Arc;

use crate::{
    answer::{
        Contents,
        high::{MATE, has_distances, read_mates},
        score::Score,
        sections::{section_name, sized_stretches},
    },
    board::{Bitboard, Board, ByColor, Color},
    index::Material,
    probe::Catalogue,
    rules::{Game, High, HighPosition, Setup},
    solve::engine::{
        builder::{LadderSolver, LadderTables},
        ladder::LadderGame,
        pages::{PageCell, Paged, PartCells, palette_scores},
        slice::{Chesslike, QuietTurns, Slice, Stand, Word},
    },
    table::{Stretches, Table, TableError},
};

/// Board moves and passes: a pass leads to the same word with the other side to move, and is legal
/// just where that is a legal position.
pub(super) struct MovesAndPass;

impl QuietTurns for MovesAndPass {
    fn reach(&self, word: &Word<'_>, set: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        let &Word { slice, stand, side, lanes: Bitboard(lanes) } = word;
        let passing = lanes & set(stand.word);
        let moving = lanes & !passing;
        if moving == 0 { passing } else { passing | slice.reach(stand, side, moving, set) }
    }

    fn unmove(&self, word: &Word<'_>, mut tell: impl FnMut(usize, u64)) {
        let &Word { slice, stand, side, lanes: Bitboard(lanes) } = word;
        tell(stand.word, lanes);
        slice.unmove(stand, !side, lanes, tell);
    }
}

impl MovesAndPass {
    /// Tells every word from which `side` has a turn to this one.
    pub(super) fn readers(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        mut tell: impl FnMut(usize),
    ) {
        tell(stand.word);
        slice.readers(stand, side, tell);
    }
}

/// The ladder of mates: White mates, nobody, Black mates.
#[derive(Copy, Clone)]
pub(super) struct Mates(pub High);

/// Solves mates, with all else that the parts of their table share.
pub(super) type MatesSolver<'a> = LadderSolver<'a, i16, MovesAndPass>;

impl Chesslike for Mates {
    fn swaps_colors(&self) -> bool {
        false
    }
}

impl Paged for Mates {
    type Cell = i16;

    fn game(&self) -> &dyn Catalogue {
        &self.0
    }

    fn writes_slice(&self) -> bool {
        false
    }

    fn suffix(&self, _: &Material, _mode: usize) -> String {
        MATE.to_owned()
    }

    /// All tables tell mates with their plies.
    fn has_distances(&self, _: Contents) -> bool {
        true
    }

    /// In tables with distances functions tell the mates.
    fn stretches(
        &self,
        table: &Table,
        _: &Material,
        (_, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        let suffix = if has_distances(table) { "" } else { MATE };
        sized_stretches(table, &section_name(side, suffix), entries)
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i16]>, TableError> {
        let infinite = self.infinite(stretch.material);
        if !has_distances(stretch.table) {
            return Ok(palette_scores(stretch, infinite));
        }
        let (cells, mates) = read_mates(stretch.table, stretch.number, stretch.cells.entries())?;
        let scores = palette_scores(&PartCells { cells: &cells, ..*stretch }, infinite);
        let of_function = |place: usize| scores.get(place).copied().unwrap_or(i16::GAP);
        Ok(mates.into_iter().map(of_function).collect())
    }
}

impl LadderTables for Mates {
    fn ladder(&self, _: &Material, _mode: usize) -> Box<dyn LadderGame<Store = i16> + '_> {
        Box::new(*self)
    }
}

impl LadderGame for Mates {
    type Store = i16;

    fn terminal(&self, _: &Board, to_move: Color, _: bool) -> Score {
        // Who is not in check can pass, so only mate leaves no turn.
        Score::new::<i16>(if to_move == Color::White { -1 } else { 1 }, Some(0), 0)
    }

    fn look_ahead(
        &self,
        setup: &Setup,
        _: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        let position = HighPosition { setup: setup.clone(), vitality: ByColor::both(1) };
        let turns = self.0.turns(&position);
        let scores = turns.into_iter().map(|turn| {
            let next = self.0.play(&position, turn).setup;
            known(&next, &Material::of(&next.board)).later::<i16>()
        });
        Score::best(setup.to_move, scores)
            .unwrap_or_else(|| self.terminal(&setup.board, setup.to_move, true))
    }
}

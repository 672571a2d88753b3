//! Who can force mate, vitality aside: a ladder table whose quiet turns include passing.

use std::sync::Arc;

use crate::{
    answer::{Contents, high::MATE, score::Score},
    board::{Bitboard, Board, ByColor, Color},
    index::Material,
    probe::Catalogue,
    rules::{Game, High, HighPosition, Setup},
    solve::{
        engine::{
            builder::{LadderSolver, LadderTables, PartJob, TableSolver},
            ladder::LadderGame,
            pages::{Paged, PartCells, palette_scores},
            slice::{Chesslike, QuietTurns, Slice, Stand, Word},
        },
        error::BuildError,
    },
    table::{TableError, TableWriter},
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
pub(super) struct Mates {
    pub game: High,
    /// Whether the table they belong to is solved in parts.
    pub in_parts: bool,
}

/// Solves mates, with all else that the parts of their table share.
pub(super) type MatesSolver<'a> = LadderSolver<'a, i16, MovesAndPass>;

/// Solves the mates of a part, and begins its file, into which what comes before them is written
/// next.
///
/// # Errors
/// If a table or part it needs is missing or damaged, room is lacking, or the file cannot be made.
pub(super) fn solve(
    mates: &MatesSolver<'_>,
    job: &PartJob<i16>,
) -> Result<TableWriter, BuildError> {
    mates.solve_pages(job, None)?;
    Ok(mates.work.writer(job, 2)?)
}

/// Writes the mates of a part, and finishes its file.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn finish(
    work: &TableSolver<'_, i16>,
    job: &PartJob<i16>,
    mut writer: TableWriter,
) -> Result<(), BuildError> {
    work.write_sections(job, &mut writer, &|_, _, _| false)?;
    writer.finish()?;
    Ok(())
}

impl Chesslike for Mates {
    fn swaps_colors(&self) -> bool {
        false
    }
}

impl Paged for Mates {
    type Cell = i16;

    fn game(&self) -> &dyn Catalogue {
        &self.game
    }

    fn writes_slice(&self) -> bool {
        false
    }

    fn in_parts(&self) -> bool {
        self.in_parts
    }

    fn suffix(&self, _: &Material, _mode: usize) -> String {
        MATE.to_owned()
    }

    /// All tables tell mates with their plies.
    fn has_distances(&self, _: Contents) -> bool {
        true
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i16]>, TableError> {
        Ok(palette_scores(stretch, self.infinite(stretch.material)))
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
        let turns = self.game.turns(&position);
        let scores = turns.into_iter().map(|turn| {
            let next = self.game.play(&position, turn).setup;
            known(&next, &Material::of(&next.board)).later::<i16>()
        });
        Score::best(setup.to_move, scores)
            .unwrap_or_else(|| self.terminal(&setup.board, setup.to_move, true))
    }
}

//! The judge: every stored answer against the answers after each turn.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::{
    answer::{
        Contents, Tabled,
        variant::{VariantReader, swaps_colors},
    },
    board::{ByColor, Symmetry},
    index::Material,
    parallel,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Setup, Variant},
};

mod perpetual;

/// A game whose tables can be judged.
///
/// Looking one turn ahead with [`Tabled::backup`] finds every wrong distance. Where infinite play
/// is worth different things, depending on how it goes on, there is more to look at.
pub trait Judged: Tabled {
    /// The positions of a table whose answers follow from those after each turn, but would need
    /// infinite play to be worth something else than it is; each with the answer it should have.
    ///
    /// Where infinite play is worth the same however it goes on, there can be none.
    ///
    /// # Errors
    /// If a table that the answers need is missing or damaged.
    fn endless_mismatches(
        _tables: &Tablebase<Self>,
        _reader: &Self::Reader,
    ) -> Result<Corrections<Self>, ProbeError> {
        Ok(Vec::new())
    }

    /// A position that the table takes for the same as that of a cell: by the number of the cell
    /// one of its images, so that a symmetry that the game does not have is noticed. By default the
    /// position itself.
    fn image(
        &self,
        _reader: &Self::Reader,
        position: Self::Position,
        _cell: u64,
    ) -> Self::Position {
        position
    }
}

/// Positions with the answers they should have.
pub type Corrections<G> = Vec<(<G as Game>::Position, <G as Tabled>::Answer)>;

impl Judged for Variant {
    /// Which symmetries there are, and whether the sides can be exchanged, follows from the rules
    /// of each game.
    fn image(&self, reader: &VariantReader, setup: Setup, cell: u64) -> Setup {
        let mut symmetries = self.group(reader).symmetries();
        let count = symmetries.clone().count() as u64;
        let symmetry = symmetries.nth((cell % count) as usize).expect("one of all");
        if (cell / count).is_multiple_of(2) || !swaps_colors(*self) {
            return Setup { board: setup.board.image(symmetry), ..setup };
        }
        // With the sides exchanged tables turn the board by half: upside down, and in a mirror.
        let mirror = Symmetry::MIRROR.on(setup.board.size());
        Setup {
            board: setup.board.swap_colors().image(mirror.then(symmetry)),
            to_move: !setup.to_move,
            checks_left: setup.checks_left.map(|ByColor { white, black }| [black, white].into()),
            ..setup
        }
    }
}
impl Judged for crate::rules::High {}
impl Judged for crate::rules::Noro {}
impl<S: crate::rules::PieceSet> Judged for crate::rules::Orphic<S> {}
impl Judged for crate::rules::Stylish {}

/// A position whose stored answer does not follow from its successors.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch<G: Tabled> {
    /// The position.
    pub position: G::Position,
    /// What the table says.
    pub stored: G::Answer,
    /// What the positions after each turn make of it.
    pub derived: G::Answer,
}

/// What a verification found.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified<G: Tabled> {
    /// How many legal positions were checked.
    pub positions: u64,
    /// How many of them contradict their successors.
    pub wrong: u64,
    /// One of those.
    pub example: Option<Mismatch<G>>,
}

impl<G: Judged> Tablebase<G> {
    /// Derives every answer of a table anew from its successors, with the rules alone.
    ///
    /// The tables of all successors must be there, and are trusted: verify them too.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn verify(
        &self,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Verified<G>, ProbeError> {
        const CHUNK: u64 = 4096;
        // Most turns change no material.
        let table = self.open_held(material)?.keeping_derived();
        let (reader, contents, at_hand) = (&*table.reader, table.id.contents, Some(&table));
        let cells = self.game().cells(reader);
        progress.begin(&format!("verifying {material}"), cells);
        let positions = AtomicU64::new(0);
        let wrong = AtomicU64::new(0);
        // The first one, with its chunk.
        let example: Mutex<Option<(u64, Mismatch<G>)>> = Mutex::new(None);
        let poisoned = "who holds the example only puts it there";
        parallel::try_each(0..cells.div_ceil(CHUNK), 1, |_, chunk| {
            let range = chunk * CHUNK..cells.min((chunk + 1) * CHUNK);
            let length = range.end - range.start;
            let game = self.game();
            let position = |cell| Some(game.image(reader, game.cell(reader, cell)?, cell));
            let mut met = 0;
            for position in range.filter_map(position) {
                met += 1;
                let mut stored = self.answer_near(&position, at_hand)?;
                let mut derived = self.look_ahead_near(&position, at_hand)?;
                if contents == Contents::Result {
                    // Other tables and the rules may tell more.
                    [stored, derived] =
                        [stored, derived].map(|answer| self.game().without_distance(answer));
                }
                if stored != derived {
                    wrong.fetch_add(1, Relaxed);
                    let mut example = example.lock().expect(poisoned);
                    if example.as_ref().is_none_or(|(of, _)| chunk < *of) {
                        *example = Some((chunk, Mismatch { position, stored, derived }));
                    }
                }
            }
            positions.fetch_add(met, Relaxed);
            progress.advance(length);
            Ok::<(), ProbeError>(())
        })?;
        let mut example = example.into_inner().expect(poisoned).map(|(_, example)| example);
        let endless = G::endless_mismatches(self, reader)?;
        let wrong = wrong.into_inner() + endless.len() as u64;
        if let (None, Some((position, derived))) = (&example, endless.into_iter().next()) {
            let stored = self.answer(&position)?;
            example = Some(Mismatch { position, stored, derived });
        }
        Ok(Verified { positions: positions.into_inner(), wrong, example })
    }
}

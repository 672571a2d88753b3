//! Stylish victory or stylish fail: the margin still to be gained, and the conversion distance.

use std::cmp::Ordering;

use super::{
    Contents, LadderReader, Outcome, Plies, Tabled, Unanswerable, UnfitMaterial,
    chess::{check_kings, chess_material},
    place::{board_entry, chess_group},
    prefer_distance,
    sections::table_material,
};
use crate::{
    board::{ByColor, Color, Group, Role},
    index::{Index, Material},
    rules::{Laws, Move, Setup, Stylish, StylishPosition, is_dead},
    table::{Table, TableError},
};

/// What best play makes of a position of Stylish.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StylishAnswer {
    /// White's points minus Black's at the end of the game, those gained so far included.
    pub margin: i64,
    /// Plies to the next capture or promotion or the end of the game, while both sides keep the
    /// margin; none if that is what the game is worth as a draw with these men, nor where the
    /// tables leave them out.
    pub distance: Option<Plies>,
}

impl StylishAnswer {
    /// The same without the plies.
    fn without_distance(self) -> StylishAnswer {
        StylishAnswer { distance: None, ..self }
    }

    /// Whether the answer would have a distance if the tables told it.
    #[cfg(feature = "build")]
    pub(crate) fn lacks_distance(&self, game: &Stylish, position: &StylishPosition) -> bool {
        self.distance.is_none() && self.margin != Judge::of(game, position).draw
    }
}

/// The last capturers, in the order of a table's modes.
pub(crate) const CAPTURERS: [Option<Color>; 3] = [Some(Color::White), Some(Color::Black), None];

/// The suffixes of a table's sections: one per last capturer where that matters, that is where
/// neither side can mate or a pawn may still become the man with which neither can.
pub(crate) fn modes(material: &Material) -> &'static [&'static str] {
    let pawns = material.men().iter().filter(|man| man.role == Role::Pawn).count();
    if is_dead(material) || material.len() == 3 && pawns == 1 { &[" w", " b", " -"] } else { &[""] }
}

/// Which of the [`modes`] of a material goes with a last capturer.
pub(crate) fn mode(material: &Material, last_capture: Option<Color>, swapped: bool) -> usize {
    let seen = last_capture.map(|color| if swapped { !color } else { color });
    let matters = modes(material).len() > 1;
    if matters { CAPTURERS.iter().position(|&c| c == seen).expect("one of three") } else { 0 }
}

/// Readers of a table, one per mode.
#[derive(Debug)]
pub struct StylishReader {
    material: Material,
    modes: Vec<LadderReader>,
}

/// What decides between answers in one position.
struct Judge {
    mover: Color,
    /// The margin of infinite play, or any other draw with the men on the board.
    draw: i64,
}

impl Judge {
    fn of(game: &Stylish, position: &StylishPosition) -> Judge {
        let setup = &position.setup;
        let draw = game.sheet.draw_margin(&setup.board, position.last_capture);
        let draw = Stylish::margin_so_far(position) + i64::from(draw);
        Judge { mover: setup.to_move, draw }
    }

    /// What a turn makes of the position, given the answer after it.
    fn worth(&self, setup: &Setup, mv: Move, after: &StylishAnswer) -> StylishAnswer {
        let distance = match after.distance {
            _ if after.margin == self.draw => None,
            _ if setup.is_capture(mv) || mv.promotion.is_some() => Some(Plies(1)),
            // A quiet turn to a position without a distance is worth a draw, or it is not known.
            plies => plies.map(Plies::later),
        };
        StylishAnswer { margin: after.margin, distance }
    }

    fn prefer(&self, a: &StylishAnswer, b: &StylishAnswer) -> Ordering {
        // White is in no hurry below a draw, Black in none above it.
        let hurries = (a.margin > self.draw) == (self.mover == Color::White);
        let margins = a.margin.cmp(&b.margin);
        let margins = if self.mover == Color::White { margins } else { margins.reverse() };
        margins.then_with(|| prefer_distance(hurries, a.distance, b.distance))
    }

    /// The better of two; where the plies of one that is as good are not known, those of the better
    /// are not.
    fn better(&self, a: StylishAnswer, b: StylishAnswer) -> StylishAnswer {
        let unknown = a.margin == b.margin && (a.distance.is_none() || b.distance.is_none());
        let best = if self.prefer(&b, &a).is_gt() { b } else { a };
        if unknown { best.without_distance() } else { best }
    }

    /// The answer where the game is over.
    fn over(&self, position: &StylishPosition) -> StylishAnswer {
        let setup = &position.setup;
        if is_dead(&setup.board) || !setup.in_check(setup.to_move) {
            return StylishAnswer { margin: self.draw, distance: None };
        }
        let margin = Stylish::margin_so_far(position);
        StylishAnswer { margin, distance: (margin != self.draw).then_some(Plies::ZERO) }
    }
}

impl Tabled for Stylish {
    type Answer = StylishAnswer;
    type Reader = StylishReader;

    const CONTENTS: &'static [Contents] = &[Contents::Distance, Contents::Result];

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_kings(self, material)?;
        Ok(material.stronger_first())
    }

    fn open(&self, table: &Table) -> Result<StylishReader, TableError> {
        let material = table_material(table)?;
        let index = Index::new(&material, chess_group(&material));
        let modes = modes(&material)
            .iter()
            .map(|suffix| LadderReader::open(table, index.clone(), &material, true, suffix))
            .collect::<Result<_, _>>()?;
        Ok(StylishReader { material, modes })
    }

    fn men_of(&self, position: &StylishPosition) -> Result<Material, Unanswerable> {
        chess_material(&position.setup)
    }

    fn read(
        &self,
        reader: &StylishReader,
        position: &StylishPosition,
    ) -> Result<Option<StylishAnswer>, TableError> {
        let Setup { board, to_move, .. } = &position.setup;
        let swapped = board_entry(board, *to_move, true).swapped;
        let mode = mode(&reader.material, position.last_capture, swapped);
        let outcome = reader.modes[mode].read(board, *to_move)?;
        Ok(outcome.map(|Outcome { value, distance }| {
            let margin = Stylish::margin_so_far(position) + i64::from(value);
            StylishAnswer { margin, distance }
        }))
    }

    fn keeps_men(&self, position: &StylishPosition, mv: Move) -> bool {
        position.setup.keeps_men(mv)
    }

    fn is_looked_ahead(&self, position: &StylishPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn without_table(&self, position: &StylishPosition) -> Option<StylishAnswer> {
        let dead = is_dead(&position.setup.board);
        dead.then(|| Judge::of(self, position).over(position))
    }

    fn backup(
        &self,
        position: &StylishPosition,
        options: &[(Move, StylishAnswer)],
    ) -> StylishAnswer {
        let judge = Judge::of(self, position);
        let worth = options.iter().map(|(mv, after)| judge.worth(&position.setup, *mv, after));
        worth.reduce(|a, b| judge.better(a, b)).unwrap_or_else(|| judge.over(position))
    }

    fn without_distance(&self, answer: StylishAnswer) -> StylishAnswer {
        answer.without_distance()
    }

    fn prefer(&self, position: &StylishPosition, a: &StylishAnswer, b: &StylishAnswer) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        Judge::of(self, position).prefer(a, b)
    }

    fn cells(&self, reader: &StylishReader) -> u64 {
        reader.modes.iter().map(LadderReader::cells).sum()
    }

    fn weight(&self, reader: &StylishReader, cell: u64) -> u64 {
        reader.modes[0].weight(cell % reader.modes[0].cells())
    }

    fn group(&self, reader: &StylishReader) -> Group {
        reader.modes[0].group()
    }

    fn identity(&self, position: &StylishPosition) -> StylishPosition {
        let setup = Setup { halfmove: 0, fullmove: 1, ..position.setup.clone() };
        StylishPosition { setup, ..*position }
    }

    fn cell(&self, reader: &StylishReader, cell: u64) -> Option<StylishPosition> {
        let each = reader.modes[0].cells();
        let last_capture =
            if reader.modes.len() > 1 { CAPTURERS[(cell / each) as usize] } else { None };
        let setup = reader.modes[0].cell(cell % each, &Laws::ORTHODOX)?;
        Some(StylishPosition { setup, points: ByColor::default(), last_capture })
    }

    fn cell_side(&self, reader: &StylishReader, cell: u64) -> Color {
        reader.modes[0].cell_side(cell % reader.modes[0].cells())
    }

    fn cell_of(&self, reader: &StylishReader, position: &StylishPosition) -> Option<u64> {
        let Setup { board, to_move, .. } = &position.setup;
        let swapped = board_entry(board, *to_move, true).swapped;
        let mode = mode(&reader.material, position.last_capture, swapped) as u64;
        Some(mode * reader.modes[0].cells() + reader.modes[0].cell_of(board, *to_move))
    }
}

//! Stylish victory or stylish fail: the margin still to be gained, and the conversion distance.
//!
//! Points are given to moves, so a cell holds what is gained from its position on, and the scores
//! of captures, promotions and mating moves are added as the solver crosses them. A mated
//! position is worth nothing itself; the quiet moves that mate count among the turns that leave
//! their slice.
//!
//! Where the last capture of the game can matter, a table has a section per side to move and last
//! capturer: ` w`, ` b` and ` -` for nobody, as the table sees the sides.

use std::{cmp::Ordering, sync::Arc, time::Duration};

use super::{
    BuildError, Solve, TableId, TableSize, Unanswerable, UnfitMaterial, Workbench,
    ladder::{Moves, Score},
    ladder_file::{self, LadderReader, nothing_left_out},
    ladder_table::{
        self, LadderGame, Library, Played, board_entry, board_of, chess_group, plain_setup,
        table_sides,
    },
    links,
    orthodox::{check_kings, chess_material},
    sections::table_material,
};
use crate::{
    board::{Board, Color, Role},
    index::{Index, Material},
    rules::{Game, Laws, Men, Move, Setup, Stylish, StylishPosition, is_dead_in_stylish},
    table::{Table, TableError},
};

/// What best play makes of a position of Stylish.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StylishAnswer {
    /// White's points minus Black's at the end of the game, those gained so far included.
    pub margin: i64,
    /// Plies to the next capture or promotion or the end of the game, while both sides keep the
    /// margin; none if that is what the game is worth as a draw with these men.
    pub distance: Option<u16>,
}

/// The last capturers, in the order of a table's modes.
const CAPTURERS: [Option<Color>; 3] = [Some(Color::White), Some(Color::Black), None];

impl Men for Material {
    fn count_men(&self, color: Color, role: Role) -> usize {
        self.count(color, role).into()
    }
}

/// The suffixes of a table's sections: one per last capturer where that matters, that is where
/// neither side can mate or a pawn may still become the man with which neither can.
fn modes(material: &Material) -> &'static [&'static str] {
    let pawns = material.men().iter().filter(|man| man.role == Role::Pawn).count();
    if is_dead_in_stylish(material) || material.len() == 3 && pawns == 1 {
        &[" w", " b", " -"]
    } else {
        &[""]
    }
}

/// Which of the [`modes`] of a material goes with a last capturer.
fn mode(material: &Material, last_capture: Option<Color>, swapped: bool) -> usize {
    let seen = last_capture.map(|color| if swapped { !color } else { color });
    let matters = modes(material).len() > 1;
    if matters { CAPTURERS.iter().position(|&c| c == seen).expect("one of three") } else { 0 }
}

/// A material while it is being solved.
struct Slices<'a> {
    game: &'a Stylish,
    last_capture: Option<Color>,
    /// The value of infinite play.
    infinite: i32,
}

impl Slices<'_> {
    /// The score, seen before it, of a turn of `side` that gains `points` and leaves the slice,
    /// when `value` is still to be gained after it.
    fn leaving(&self, side: Color, points: i32, value: i32) -> Score {
        let gained = if side == Color::White { points } else { -points };
        Score::new::<i32>(value + gained, Some(1), self.infinite)
    }

    /// What a move gains, by the rules.
    fn points(&self, setup: &Setup, mv: Move) -> i32 {
        self.game.sheet.awards(setup, mv).iter().map(|award| award.points).sum()
    }
}

impl LadderGame for Slices<'_> {
    type Store = i32;
    type Quiet = Moves;
    const SCORES_MATES: bool = true;

    fn quiet(&self) -> Moves {
        Moves
    }

    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        true
    }

    fn infinite(&self, _: &Material) -> i32 {
        self.infinite
    }

    fn is_over(&self, material: &Material) -> bool {
        is_dead_in_stylish(material)
    }

    fn mode(&self, table: &Material, capturer: Option<Color>, swapped: bool) -> usize {
        mode(table, capturer.or(self.last_capture), swapped)
    }

    fn mating_turn(&self, setup: &Setup) -> Option<Score> {
        let mating = setup.moves(&Laws::ORTHODOX).into_iter().filter(|&mv| {
            !setup.is_capture(mv)
                && !setup.is_pawn_move(mv)
                && setup.play(mv).is_checkmate(&Laws::ORTHODOX)
        });
        let side = setup.to_move;
        Score::best(side, mating.map(|mv| self.leaving(side, self.points(setup, mv), 0)))
    }

    fn terminal(&self, _: &Board, _: Color, in_check: bool) -> Score {
        let (value, distance) = if in_check { (0, Some(0)) } else { (self.infinite, None) };
        Score::new::<i32>(value, distance, self.infinite)
    }

    fn convert(&self, played: &Played<'_>, after: Score) -> Score {
        let Played { men, turn, side, before } = *played;
        let from = before[turn.mover];
        let value = after.value::<i32>();
        // Only a mated position is worth nothing and scores for more than meets the eye.
        if value == 0 {
            let setup = plain_setup(board_of(men, &before, None), side, None);
            let mv = Move { from, to: turn.to, promotion: turn.promotion };
            return self.turn_score(&setup, mv, after);
        }
        let sheet = &self.game.sheet;
        let promotion = turn.promotion.map_or(0, |role| sheet.promotion_points(role));
        let diagonal = from.file() != turn.to.file() && from.rank() != turn.to.rank();
        match turn.captured {
            Some(victim) => {
                let by = men[turn.mover].role;
                let capture = sheet.capture_points(by, diagonal, men[victim].role);
                self.leaving(side, capture + promotion, value)
            }
            None if turn.promotion.is_some() => self.leaving(side, promotion, value),
            None => after.later::<i32>(),
        }
    }

    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score {
        let turns = setup.moves(&Laws::ORTHODOX).into_iter();
        let scores = turns.map(|mv| self.turn_score(setup, mv, known(&setup.play(mv))));
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            self.terminal(&setup.board, setup.to_move, setup.in_check(setup.to_move))
        })
    }
}

impl Slices<'_> {
    /// The score, seen before it, of any move; `after` is the score of the position after it.
    fn turn_score(&self, setup: &Setup, mv: Move, after: Score) -> Score {
        let leaves = setup.is_capture(mv)
            || mv.promotion.is_some()
            || setup.play(mv).is_checkmate(&Laws::ORTHODOX);
        if leaves {
            self.leaving(setup.to_move, self.points(setup, mv), after.value::<i32>())
        } else {
            after.later::<i32>()
        }
    }
}

/// Readers of a table, one per mode.
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
            // A quiet turn to a position without a distance is worth a draw, unless it ends the
            // game by mate.
            None | Some(0) => Some(1),
            Some(_) if setup.is_capture(mv) || mv.promotion.is_some() => Some(1),
            Some(plies) => Some(plies + 1),
        };
        StylishAnswer { margin: after.margin, distance }
    }

    fn prefer(&self, a: &StylishAnswer, b: &StylishAnswer) -> Ordering {
        // White is in no hurry below a draw, Black in none above it.
        let white = a.margin.cmp(&b.margin).then_with(|| match a.margin.cmp(&self.draw) {
            Ordering::Greater => b.distance.cmp(&a.distance),
            _ => a.distance.cmp(&b.distance),
        });
        if self.mover == Color::White { white } else { white.reverse() }
    }

    /// The answer where the game is over.
    fn over(&self, position: &StylishPosition) -> StylishAnswer {
        let setup = &position.setup;
        if is_dead_in_stylish(&setup.board) || !setup.in_check(setup.to_move) {
            return StylishAnswer { margin: self.draw, distance: None };
        }
        let margin = Stylish::margin_so_far(position);
        StylishAnswer { margin, distance: (margin != self.draw).then_some(0) }
    }
}

impl Solve for Stylish {
    type Answer = StylishAnswer;
    type Reader = StylishReader;

    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial> {
        check_kings(Stylish::NAME, material)?;
        Ok(TableId::new(self, material.stronger_first()))
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        if is_dead_in_stylish(material) {
            return Vec::new();
        }
        links::successors(material, &Laws::ORTHODOX, true)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, chess_group(material)).len();
        let modes = modes(material).len() as u64;
        let positions = numbers * (table_sides(material, true) as u64) * modes;
        // Four bytes a cell in the order of words and, per mode, in the order of the index, and
        // a dozen sets.
        TableSize {
            positions,
            memory: numbers * 2 * (4 + 4 * modes + 2),
            loaded: positions * 4,
            time: Duration::from_nanos(numbers * 2 * modes * 250),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material).expect("planned tables are fit");
        let mut library = Library::new(true);
        for needed in self.needs(material).iter().filter_map(|m| self.table_id(m).ok()) {
            let group = chess_group(&needed.material);
            let infinite = self.sheet.draw_margin(&needed.material, None);
            for suffix in modes(&needed.material) {
                let left_out = nothing_left_out;
                let values =
                    ladder_file::load(&needed, group, true, suffix, infinite, left_out, bench)?;
                library.add(needed.material, Arc::new(values));
            }
        }
        let mut solved = Vec::new();
        for (&suffix, last_capture) in modes(material).iter().zip(CAPTURERS) {
            let infinite = self.sheet.draw_margin(material, last_capture);
            let slices = Slices { game: self, last_capture, infinite };
            solved.push((suffix, ladder_table::solve(&slices, material, &mut library, bench)?));
        }
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), self.size(material).positions);
        for (suffix, values) in &solved {
            ladder_file::write_sections(&mut writer, suffix, values, nothing_left_out, bench)?;
        }
        writer.finish()?;
        Ok(())
    }

    fn open(&self, table: &Table) -> Result<StylishReader, TableError> {
        let material = table_material(table)?;
        let modes = modes(&material)
            .iter()
            .map(|suffix| LadderReader::open(table, &material, true, suffix))
            .collect::<Result<_, _>>()?;
        Ok(StylishReader { material, modes })
    }

    fn material_of(&self, position: &StylishPosition) -> Result<Material, Unanswerable> {
        let material = chess_material(&position.setup)?;
        check_kings(Stylish::NAME, &material)?;
        Ok(material.stronger_first())
    }

    fn read(
        &self,
        reader: &StylishReader,
        position: &StylishPosition,
    ) -> Result<StylishAnswer, TableError> {
        let Setup { board, to_move, .. } = &position.setup;
        let swapped = board_entry(board, *to_move, true).swapped;
        let mode = mode(&reader.material, position.last_capture, swapped);
        let outcome = reader.modes[mode].read(board, *to_move)?;
        let margin = Stylish::margin_so_far(position) + i64::from(outcome.value);
        Ok(StylishAnswer { margin, distance: outcome.distance })
    }

    fn is_looked_ahead(&self, position: &StylishPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn without_table(&self, position: &StylishPosition) -> Option<StylishAnswer> {
        let dead = is_dead_in_stylish(&position.setup.board);
        dead.then(|| Judge::of(self, position).over(position))
    }

    fn backup(
        &self,
        position: &StylishPosition,
        options: &[(Move, StylishAnswer)],
    ) -> StylishAnswer {
        let judge = Judge::of(self, position);
        let worth = options.iter().map(|(mv, after)| judge.worth(&position.setup, *mv, after));
        worth.max_by(|a, b| judge.prefer(a, b)).unwrap_or_else(|| judge.over(position))
    }

    fn prefer(&self, position: &StylishPosition, a: &StylishAnswer, b: &StylishAnswer) -> Ordering {
        Judge::of(self, position).prefer(a, b)
    }

    fn cells(&self, reader: &StylishReader) -> u64 {
        reader.modes.iter().map(LadderReader::cells).sum()
    }

    fn weight(&self, reader: &StylishReader, cell: u64) -> u64 {
        reader.modes[0].weight(cell % reader.modes[0].cells())
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
        Some(StylishPosition { setup, points: [0; 2], last_capture })
    }
}

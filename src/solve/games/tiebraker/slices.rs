//! Solves one slice, stage by stage.
//!
//! The stages of a slice share its words and lanes, a disk standing where a King would. Option 2,
//! the compulsory stages and the normal one are ladders, the middle rungs of which are decided by
//! perpetual check; a declaration just made and the countdown of option 1 look one turn ahead.

mod countdown;

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    exits::{Exit, Exits, Target},
    stage_table::StageTable,
};
use crate::{
    answer::{
        TiebrakerAnswer,
        place::{board_entry, chess_group},
        score::{Score, Store, offer},
        tiebraker::{
            answer_from, backup,
            stage::{Cell, Stage, crowned},
            stage_sides,
        },
    },
    board::{Bitboard, Color},
    index::Material,
    rules::{Finish, Game, Laws, Mode, Tiebraker, TiebrakerPosition},
    solve::{
        BuildError, Workbench,
        engine::{
            ladder::{self, MIN_WORDS, QuietTurns, Sets},
            lanes::Bytes,
            links::Links,
            perpetual::{self, Arena, Question},
            scratch::Scratch,
            settle,
            slice::{Slice, Stand},
            values::structure_squares,
        },
    },
};

use countdown::uncounted;

/// The tables a slice is solved with: those of all successors, and the one in the making.
pub struct Tables {
    /// All of them.
    pub layers: Vec<Arc<StageTable>>,
    /// The material of each.
    pub materials: Vec<Material>,
    /// From conversions to places among them.
    pub links: Links<u16>,
    /// The place of the table in the making.
    pub own: usize,
}

/// The scores of a stage in the order of words and lanes, per side to move.
type Cells = [Scratch<Cell>; 2];

/// What the stages of a slice share.
struct Room<'a> {
    tables: &'a Tables,
    material: &'a Material,
    structure: usize,
    bench: &'a Workbench<'a>,
    /// Where nobody has a disk, White has, Black has.
    slices: [Slice; 3],
    exits: [[Exits; 2]; 3],
    legal: Sets,
    checked: Sets,
    /// For every number of the structure, the word and lane its position has.
    places: Vec<u32>,
}

/// Marks a number that is no position.
const NOWHERE: u32 = u32::MAX;

/// Solves every stage of a structure's slice into the table in the making.
///
/// # Errors
/// If scratch space is lacking.
pub fn solve(
    tables: &Tables,
    material: &Material,
    structure: usize,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let room = Room::new(tables, material, structure, bench);
    let refused = [room.refused(Color::White)?, room.refused(Color::Black)?];
    let mut declared = Vec::new();
    let mut accepted = Vec::new();
    let mut turned = Vec::new();
    for owner in Color::ALL {
        turned.push(room.countdown(owner)?);
        accepted.push(room.accepted(owner)?);
    }
    for declarer in Color::ALL {
        declared.push(room.declared(
            declarer,
            &accepted[declarer.index()],
            &turned[(!declarer).index()],
            &refused[declarer.index()],
        )?);
    }
    room.normal(&declared, &accepted)?;
    Ok(())
}

/// Pieces move as in chess; where captures are compulsory, a player whom one binds only moves to
/// give check.
struct Turns<'a> {
    bound: Option<[&'a [u64]; 2]>,
    checked: &'a Sets,
}

impl QuietTurns for Turns<'_> {
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        let bound = wanted & self.bound.map_or(0, |bound| bound[side.index()][stand.word]);
        let free = wanted & !bound;
        let mut reached = if free == 0 { 0 } else { slice.reach(stand, side, free, set) };
        if bound != 0 {
            let checks = |word: usize| set(word) & self.checked[(!side).index()][word];
            reached |= slice.reach(stand, side, bound, checks);
        }
        reached
    }

    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        mut tell: impl FnMut(usize, u64),
    ) {
        let Some(bound) = self.bound else {
            return slice.unmove(stand, side, lanes, tell);
        };
        let checks = lanes & self.checked[(!side).index()][stand.word];
        let others = lanes & !checks;
        if checks != 0 {
            slice.unmove(stand, side, checks, &mut tell);
        }
        if others != 0 {
            let bound = bound[side.index()];
            slice.unmove(stand, side, others, |word, lanes| tell(word, lanes & !bound[word]));
        }
    }
}

/// The quiet turns of a slice as the solver of perpetual checks wants them.
struct Walks<'a> {
    slice: &'a Slice,
    turns: &'a Turns<'a>,
}

impl Arena for Walks<'_> {
    fn words(&self) -> usize {
        self.slice.words()
    }

    fn reach(
        &self,
        word: usize,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        let stand = self.slice.stand(word);
        stand.map_or(0, |stand| self.turns.reach(self.slice, &stand, side, wanted, set))
    }
}

fn arrangement(disk: Option<Color>) -> usize {
    disk.map_or(0, |owner| 1 + owner.index())
}

impl<'a> Room<'a> {
    fn new(
        tables: &'a Tables,
        material: &'a Material,
        structure: usize,
        bench: &'a Workbench<'a>,
    ) -> Room<'a> {
        let own = &tables.layers[tables.own];
        let squares = structure_squares(own.index(), structure);
        let disks = [None, Some(Color::White), Some(Color::Black)];
        let slices = disks.map(|disk| {
            let men = Stage { mode: Mode::Normal, disk }.men(material);
            Slice::new(men, squares, chess_group(material), Laws::ORTHODOX)
        });
        // A disk gives check as a King does: it never does.
        let slice = &slices[0];
        let legal = ladder::legal_positions(slice);
        let checked = Color::ALL.map(|side| {
            let lanes = |word| slice.stand(word).map_or(0, |stand| slice.checked(&stand, side).0);
            (0..slice.words()).into_par_iter().with_min_len(MIN_WORDS).map(lanes).collect()
        });
        let exits = [0, 1, 2].map(|disk| {
            Color::ALL.map(|side| {
                let (links, tables) = (&tables.links, &tables.layers);
                Exits::find(&slices[disk], side, &legal, &checked, links, tables)
            })
        });
        let range = own.index().structure_range(structure);
        let numbers = 0..(range.end - range.start) as usize;
        let place = |offset: usize| {
            let squares = own.index().decode(range.start + offset as u64);
            let place = squares.and_then(|squares| slices[0].locate(&squares));
            place.map_or(NOWHERE, |(word, lane)| (word * 64 + lane.number()) as u32)
        };
        let places = numbers.into_par_iter().with_min_len(1 << 12).map(place).collect();
        Room { tables, material, structure, bench, slices, exits, legal, checked, places }
    }

    fn slice(&self, stage: Stage) -> &Slice {
        &self.slices[arrangement(stage.disk)]
    }

    fn exits(&self, stage: Stage, side: Color) -> &Exits {
        &self.exits[arrangement(stage.disk)][side.index()]
    }

    fn array(&self) -> Result<Scratch<Cell>, BuildError> {
        Ok(self.bench.budget.array(self.slices[0].words() * 64, Cell::NONE)?)
    }

    /// Puts the scores of a stage into the table; for a side to move that does not occur in the
    /// stage, its cells are not looked at.
    fn put(&self, stage: Stage, cells: [&[Cell]; 2]) -> Result<(), BuildError> {
        let Some(values) = self.tables.layers[self.tables.own].stage(stage) else {
            return Ok(());
        };
        let mut part = Vec::with_capacity(2);
        for &side in stage_sides(self.material, stage) {
            let cells = cells[side.index()];
            let mut array = self.bench.budget.array(self.places.len(), Cell::NONE)?;
            array.par_iter_mut().with_min_len(1 << 14).zip(&self.places).for_each(
                |(cell, &place)| {
                    if place != NOWHERE {
                        *cell = cells[place as usize];
                    }
                },
            );
            part.push(array);
        }
        values.put(self.structure, part);
        Ok(())
    }

    /// The score of what an exit leads to, in `stage`.
    fn after(&self, stage: Stage, exit: &Exit) -> Score {
        match &exit.target {
            Target::Cell { table, side, swapped, number } => {
                self.tables.layers[usize::from(*table)].at(stage, *side, *swapped, *number)
            }
            Target::Passing(setup) => {
                let mut setup = (**setup).clone();
                setup.drop_idle_en_passant(&Laws::ORTHODOX);
                let position = TiebrakerPosition { setup, mode: stage.mode };
                self.tables.known(&position).score(stage)
            }
        }
    }

    /// What the score after an exit is before it, in a stage with distances.
    fn before(&self, stage: Stage, side: Color, exit: &Exit, after: Score) -> Score {
        let value = after.value::<Cell>();
        if stage.has_perpetual() && value.abs() == 1 {
            turn_level(after, side, exit.checks)
        } else if exit.converts {
            stage.score(value, Some(1))
        } else {
            after.later::<Cell>()
        }
    }

    /// The best exits of a ladder stage and the ends of games, and the lanes with a turn.
    fn exit_cells(&self, stage: Stage, turns: &Turns<'_>) -> Result<(Cells, Sets), BuildError> {
        let slice = self.slice(stage);
        let fill = |side: Color| -> Result<(Scratch<Cell>, Vec<u64>), BuildError> {
            let mut cells = self.array()?;
            let exits = self.exits(stage, side);
            let other = self.legal[(!side).index()].as_slice();
            let alive = cells
                .par_chunks_mut(64)
                .with_min_len(MIN_WORDS)
                .enumerate()
                .map(|(word, row)| {
                    let lanes = self.legal[side.index()][word];
                    if lanes == 0 {
                        return 0;
                    }
                    let bound = turns.bound.map_or(0, |bound| bound[side.index()][word]);
                    let mut alive = 0;
                    for exit in &exits.words[word] {
                        let quiet = !exit.captures && !exit.checks;
                        let lanes = if quiet { exit.lanes & !bound } else { exit.lanes };
                        if lanes == 0 {
                            continue;
                        }
                        let score = self.before(stage, side, exit, self.after(stage, exit));
                        improve(row, side, lanes, score);
                        alive |= lanes;
                    }
                    let stand = slice.stand(word).expect("legal lanes stand somewhere");
                    let stuck = lanes & !alive;
                    alive |= turns.reach(slice, &stand, side, stuck, &|word| other[word]);
                    let checked = self.checked[side.index()][word];
                    for lane in Bitboard(lanes & !alive) {
                        let value = stage.value(end(side, Bitboard(checked).contains(lane)));
                        row[lane.number()] = Cell::keep(stage.score(value, Some(0)));
                    }
                    alive
                })
                .collect();
            Ok((cells, alive))
        };
        let ((white, white_alive), (black, black_alive)) =
            (fill(Color::White)?, fill(Color::Black)?);
        Ok(([white, black], [white_alive, black_alive]))
    }

    /// Settles a ladder stage and puts it into the table.
    fn ladder(
        &self,
        stage: Stage,
        turns: &Turns<'_>,
        mut cells: Cells,
    ) -> Result<Cells, BuildError> {
        let (slice, legal) = (self.slice(stage), &self.legal);
        let endless = stage.score(stage.infinite(), None);
        let floors = match stage.has_perpetual() {
            true => [stage.score(1, Some(0)), stage.score(-1, Some(0))],
            false => [endless; 2],
        };
        let mut open = legal.clone();
        settle::settle_beyond(slice, turns, &mut open, &mut cells, floors);
        let walks = Walks { slice, turns };
        let mut found = Vec::new();
        for hero in Color::ALL.into_iter().filter(|&hero| stage.rewards_perpetual(hero)) {
            let question = self.question(hero, &open, &cells);
            perpetual::solve(&walks, question, |level, won| found.push((hero, level, won.clone())));
        }
        for (hero, level, won) in found {
            let value = stage.value(Finish::PerpetualCheck(hero));
            let score = Cell::keep(stage.score(value, Some(level)));
            for side in 0..2 {
                for (word, &lanes) in won[side].iter().enumerate() {
                    open[side][word] &= !lanes;
                    Bitboard(lanes).for_each(|lane| cells[side][word * 64 + lane.number()] = score);
                }
            }
        }
        settle::fill(&open, &mut cells, Cell::keep(endless));
        self.put(stage, [&cells[0], &cells[1]])?;
        Ok(cells)
    }

    /// The exits of undecided positions as they matter for a perpetual check of `hero`.
    fn question<'q>(&'q self, hero: Color, open: &'q Sets, cells: &Cells) -> Question<'q> {
        let mut question = Question {
            hero,
            open,
            checked: &self.checked,
            wins: perpetual::ExitsByLevel::new(),
            blocked: vec![0; open[0].len()],
            delays: perpetual::ExitsByLevel::new(),
        };
        for side in Color::ALL {
            for (word, &lanes) in open[side.index()].iter().enumerate() {
                for lane in Bitboard(lanes) {
                    let cell = cells[side.index()][word * 64 + lane.number()];
                    if cell == Cell::NONE {
                        continue;
                    }
                    let value = cell.score().value::<Cell>();
                    let value = if hero == Color::White { value } else { -value };
                    let level = cell.score().distance::<Cell>().unwrap_or(0);
                    let exit = (word, lane.bit().0);
                    if value == 1 && side == hero {
                        question.wins.entry(level).or_default().push(exit);
                    } else if value == 1 {
                        question.delays.entry(level).or_default().push(exit);
                    } else if value < 1 && side != hero {
                        question.blocked[word] |= lane.bit().0;
                    }
                }
            }
        }
        question
    }

    fn free_turns(&self) -> Turns<'_> {
        Turns { bound: None, checked: &self.checked }
    }

    fn compulsory_turns(&self, stage: Stage) -> Turns<'_> {
        let bound = Color::ALL.map(|side| self.exits(stage, side).bound.as_slice());
        Turns { bound: Some(bound), checked: &self.checked }
    }

    /// Option 2.
    fn refused(&self, declarer: Color) -> Result<Cells, BuildError> {
        let (stage, turns) = (Stage::refused(declarer), self.free_turns());
        let (cells, _) = self.exit_cells(stage, &turns)?;
        self.ladder(stage, &turns, cells)
    }

    /// An accepted declaration.
    fn accepted(&self, declarer: Color) -> Result<Cells, BuildError> {
        let stage = Stage::with_disk(Mode::Accepted, declarer);
        let turns = self.compulsory_turns(stage);
        let (cells, _) = self.exit_cells(stage, &turns)?;
        self.ladder(stage, &turns, cells)
    }

    /// A declaration just made, for the other player to answer.
    fn declared(
        &self,
        declarer: Color,
        accepted: &Cells,
        turned: &[Bytes],
        refused: &Cells,
    ) -> Result<Scratch<Cell>, BuildError> {
        let stage = Stage::with_disk(Mode::Declared, declarer);
        let side = !declarer;
        let mut cells = self.array()?;
        cells.par_chunks_mut(64).with_min_len(MIN_WORDS).enumerate().for_each(|(word, row)| {
            let checked = Bitboard(self.checked[side.index()][word]);
            for lane in Bitboard(self.legal[side.index()][word]) {
                let at = word * 64 + lane.number();
                let accept = accepted[side.index()][at].score();
                let value = if checked.contains(lane) {
                    accept.value::<Cell>()
                } else {
                    let option1 = uncounted(turned[word].get(lane), declarer);
                    let option2 = refused[declarer.index()][at].score().value::<Cell>();
                    let can_move = accept.distance::<Cell>() != Some(0);
                    let accept = can_move.then(|| accept.value::<Cell>());
                    let answers = [option1, option2].into_iter().chain(accept);
                    match side {
                        Color::White => answers.max(),
                        Color::Black => answers.min(),
                    }
                    .expect("two options")
                };
                row[lane.number()] = Cell::keep(stage.score(value, None));
            }
        });
        self.put(stage, [&cells, &cells])?;
        Ok(cells)
    }

    /// Where nobody has declared.
    fn normal(&self, declared: &[Scratch<Cell>], accepted: &[Cells]) -> Result<(), BuildError> {
        let (stage, turns) = (Stage::NORMAL, self.free_turns());
        let (mut cells, alive) = self.exit_cells(stage, &turns)?;
        for side in Color::ALL {
            let declared = &declared[side.index()];
            let accepted = &accepted[side.index()][(!side).index()];
            cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS).enumerate().for_each(
                |(word, row)| {
                    let free = alive[side.index()][word] & !self.checked[side.index()][word];
                    for lane in Bitboard(free) {
                        let at = word * 64 + lane.number();
                        let value = declared[at].score().value::<Cell>();
                        // Only by accepting does a declaration lead to perpetual check.
                        let score = match value.abs() {
                            1 => turn_level(accepted[at].score(), side, false),
                            _ => stage.score(value, Some(1)),
                        };
                        improve(row, side, lane.bit().0, score);
                    }
                },
            );
        }
        self.ladder(stage, &turns, cells)?;
        Ok(())
    }
}

impl Tables {
    /// What the tables say of a position, looked ahead where a pawn can be taken in passing.
    fn known(&self, position: &TiebrakerPosition) -> TiebrakerAnswer {
        let turns = Tiebraker.turns(position);
        if !turns.is_empty() && position.setup.en_passant.is_none() {
            let setup = &position.setup;
            let board = crowned(&setup.board);
            let entry = board_entry(&board, setup.to_move, true);
            let material = Material::of(&board).stronger_first();
            let place = self.materials.iter().position(|m| *m == material);
            let layers = &self.layers[place.expect("a table of every successor")];
            return answer_from(Stage::of(position), |stage| layers.score(stage, &entry));
        }
        let options: Vec<_> = turns
            .into_iter()
            .map(|turn| (turn, self.known(&Tiebraker.play(position, turn))))
            .collect();
        backup(position, &options)
    }
}

/// How a game ends for a mover without a turn.
fn end(mover: Color, in_check: bool) -> Finish {
    if in_check { Finish::Checkmate(!mover) } else { Finish::Stalemate(!mover) }
}

/// Keeps the better score for `side` in each lane.
fn improve(row: &mut [Cell], side: Color, lanes: u64, score: Score) {
    for lane in Bitboard(lanes) {
        offer(&mut row[lane.number()], side, Cell::keep(score));
    }
}

/// The level of a perpetual check before a turn of `side` from the score after it: one more, if
/// the player who gives perpetual check makes a quiet move.
fn turn_level(after: Score, side: Color, checks: bool) -> Score {
    let value = after.value::<Cell>();
    let hero = if value > 0 { Color::White } else { Color::Black };
    let quiet = u16::from(side == hero && !checks);
    let level = after.distance::<Cell>().unwrap_or(0) + quiet;
    Stage::NORMAL.score(value, Some(level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Square, index::MAX_MEN};

    #[test]
    fn slices_share_words_and_lanes_whoever_has_a_disk() {
        for material in ["KvK", "KQvK", "KRvKN", "KNNvKB"] {
            let material: Material = material.parse().unwrap();
            let squares = [Square::new(0); MAX_MEN];
            let slice = |disk| {
                let men = Stage { mode: Mode::Normal, disk }.men(&material);
                Slice::new(men, squares, chess_group(&material), Laws::ORTHODOX)
            };
            let plain = slice(None);
            for owner in Color::ALL {
                let slice = slice(Some(owner));
                assert_eq!((slice.words(), slice.runner()), (plain.words(), plain.runner()));
                for word in 0..plain.words() {
                    let squares = |slice: &Slice| slice.stand(word).map(|stand| stand.squares);
                    assert_eq!(squares(&slice), squares(&plain), "{material} {owner} {word}");
                }
            }
        }
    }
}

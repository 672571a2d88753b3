//! Solves one slice, stage by stage.
//!
//! The stages of a slice share its words and lanes, a disk standing where a King would. Option 2,
//! the compulsory stages and the normal one are ladders, the middle rungs of which are decided by
//! perpetual check; a declaration just made and the countdown of option 1 look one turn ahead.

mod countdown;
mod counted;

use std::{io, sync::Arc};

use super::{
    around::Around,
    exits::{Exit, Exits},
    stage_tables::StageTables,
    turns::{QuietArena, Turns},
};
use crate::{
    answer::{
        place::chess_group,
        score::{Score, Store, offer},
        tiebraker::stage::{Cell, Stage},
    },
    board::{Bitboard, Color},
    index::Material,
    parallel::{self, chunks},
    rules::{Finish, Laws, Mode},
    solve::{
        engine::{
            builder::{PartJob, TableSolver},
            ladder::{
                ResidentScores, fill,
                perpetual::{self, Question},
                settle_beyond,
            },
            lanes::{Bytes, NumberLanes},
            slice::{IndexOrder, MIN_WORDS, QuietTurns, Sets, Slice, Word, legal_positions},
            spill::ScratchArray,
        },
        error::BuildError,
    },
};

use counted::{first, uncounted};

/// How many bytes a slice takes for each of its numbers while it is solved, about: pawns have many
/// turns that leave it.
pub fn bytes_a_number(material: &Material) -> u64 {
    if material.has_pawns() { 160 } else { 120 }
}

/// The scores of a stage in the order of words and lanes, per side to move.
type StageCells = [ScratchArray<Cell>; 2];

/// A slice that is being solved.
pub struct StageSlice<'w, 'a> {
    work: &'w TableSolver<'a, Cell>,
    job: &'w PartJob<Cell>,
    structure: usize,
    ground: Ground,
    met: MetExits,
    kept: LaterStages,
}

/// What the stages of a slice share.
struct Ground {
    /// Where nobody has a disk, White has, Black has.
    slices: [Slice; 3],
    /// Per side to move, if nobody has a disk.
    exits: [Exits; 2],
    legal: Sets,
    checked: Sets,
}

/// The exits of a stage that have been met so far.
enum MetExits {
    Nothing,
    /// The best of a ladder stage, and the lanes that have any.
    Ladder(StageCells, Sets),
    /// The best in the countdown, as the mover counts.
    Countdown(Vec<Bytes>),
}

/// What later stages need of those before, by owner of the disk or by who declared.
#[derive(Default)]
struct LaterStages {
    /// Option 2 with the declarer to move.
    refused: [Option<ScratchArray<Cell>>; 2],
    /// The last stage of the countdown, as the player counts whose turn leads there.
    countdown: [Vec<Bytes>; 2],
    /// Accepted declarations with the other player to move.
    accepted: [Option<ScratchArray<Cell>>; 2],
    /// Declarations just made.
    declared: [Option<ScratchArray<Cell>>; 2],
}

fn arrangement(disk: Option<Color>) -> usize {
    disk.map_or(0, |owner| 1 + owner.index())
}

/// What is kept of a color.
fn solved(cells: &[Option<ScratchArray<Cell>>; 2], color: Color) -> &ScratchArray<Cell> {
    cells[color.index()].as_ref().expect("solved before it is needed")
}

impl<'w, 'a> StageSlice<'w, 'a> {
    /// The slice of a structure, with nothing solved.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn new(
        work: &'w TableSolver<'a, Cell>,
        job: &'w PartJob<Cell>,
        around: &Around,
        structure: usize,
    ) -> io::Result<Self> {
        let ground = Ground::new(work, around, structure)?;
        Ok(StageSlice {
            work,
            job,
            structure,
            ground,
            met: MetExits::Nothing,
            kept: LaterStages::default(),
        })
    }

    /// Begins a stage, of which no exit has been met.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn begin(&mut self, stage: Stage) -> Result<(), BuildError> {
        let words = self.ground.words();
        self.met = match stage.mode {
            Mode::Declared => MetExits::Nothing,
            Mode::Option1(left) if left > 0 => MetExits::Countdown(vec![Bytes::all(0); words]),
            _ => {
                let alive = [vec![0; words], vec![0; words]];
                MetExits::Ladder([self.array()?, self.array()?], alive)
            }
        };
        Ok(())
    }

    /// Meets the exits of a stage, as far as `tables` tell what they lead to.
    pub fn leave(&mut self, stage: Stage, tables: &StageTables<'_>) {
        let StageSlice { ground, met, .. } = self;
        match met {
            MetExits::Nothing => {}
            MetExits::Ladder(cells, alive) => {
                for (side, (cells, alive)) in
                    Color::ALL.into_iter().zip(cells.iter_mut().zip(alive))
                {
                    ground.leave(stage, side, tables, cells, alive);
                }
            }
            MetExits::Countdown(rows) => ground.count_down(stage, tables, rows),
        }
    }

    /// Solves a stage all exits of which have been met, and puts it into the table.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn settle(&mut self, stage: Stage) -> Result<(), BuildError> {
        match (std::mem::replace(&mut self.met, MetExits::Nothing), stage.disk) {
            (MetExits::Ladder(mut cells, mut alive), disk) => {
                let turns = self.ground.turns(stage);
                self.ground.end(stage, &turns, &mut cells, &mut alive);
                if stage == Stage::NORMAL {
                    self.declare(&mut cells, &alive);
                    self.kept = LaterStages::default();
                }
                self.ground.ladder(stage, &turns, &mut cells);
                self.put(stage, |side, place| cells[side.index()][place])?;
                let [white, black] = cells;
                let of = |side: Color| if side == Color::White { white } else { black };
                match (stage.mode, disk) {
                    (Mode::Option2(declarer), _) => {
                        self.kept.refused[declarer.index()] = Some(of(declarer));
                    }
                    (Mode::Accepted, Some(owner)) => {
                        self.kept.accepted[owner.index()] = Some(of(!owner));
                    }
                    (Mode::Option1(_), Some(owner)) => {
                        self.kept.countdown[owner.index()] = first(&of(!owner), owner);
                    }
                    _ => {}
                }
            }
            (MetExits::Countdown(rows), Some(owner)) => {
                self.finish_countdown(stage, owner, rows)?
            }
            (MetExits::Nothing, Some(declarer)) => {
                let cells = self.declared(stage, declarer)?;
                self.put(stage, |_, place| cells[place])?;
                self.kept.declared[declarer.index()] = Some(cells);
                self.kept.refused[declarer.index()] = None;
                self.kept.countdown[(!declarer).index()] = Vec::new();
            }
            (MetExits::Countdown(_) | MetExits::Nothing, None) => {
                unreachable!("these stages have disks")
            }
        }
        Ok(())
    }

    fn array(&self) -> Result<ScratchArray<Cell>, BuildError> {
        Ok(self.work.budget.array(self.ground.words() * 64, Cell::NONE)?)
    }

    /// Puts the scores of a stage into the table; `cell` gives that of a side to move and a word
    /// and lane.
    fn put(
        &self,
        stage: Stage,
        cell: impl Fn(Color, usize) -> Cell + Sync,
    ) -> Result<(), BuildError> {
        let StageSlice { work, job, structure, ground, .. } = self;
        let range = work.index.structure_range(*structure);
        // A disk stands where a King would: the words are those of all stages.
        let order = IndexOrder::new(&work.index, &ground.slices[0]);
        for &side in work.game.sides(&work.material, stage.number()) {
            let mut page = work.cache.room((range.end - range.start) as usize)?;
            order.sort(|place| cell(side, place), &mut page);
            if !work.cache.has_distances() {
                page.iter_mut().for_each(|cell| *cell = stage.without_distance(*cell, side));
            }
            work.put(job, (stage.number(), side), *structure, &Arc::new(page))?;
        }
        Ok(())
    }

    /// A declaration just made, for the other player to answer.
    fn declared(&self, stage: Stage, declarer: Color) -> Result<ScratchArray<Cell>, BuildError> {
        let LaterStages { refused, countdown, accepted, .. } = &self.kept;
        let side = !declarer;
        let (accepted, refused) = (solved(accepted, declarer), solved(refused, declarer));
        let turned = &countdown[side.index()];
        let mut cells = self.array()?;
        parallel::each(chunks(&mut cells[..], 64), MIN_WORDS, |word, row| {
            let checked = Bitboard(self.ground.checked[side.index()][word]);
            for lane in Bitboard(self.ground.legal[side.index()][word]) {
                let at = word * 64 + lane.number();
                let accept = accepted[at].score();
                let value = if checked.contains(lane) {
                    accept.value::<Cell>()
                } else {
                    let option1 = uncounted(turned[word].value(lane), declarer);
                    let option2 = refused[at].score().value::<Cell>();
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
        Ok(cells)
    }

    /// Offers the declarations that can be made in the normal stage.
    fn declare(&self, cells: &mut StageCells, alive: &Sets) {
        let stage = Stage::NORMAL;
        for side in Color::ALL {
            let LaterStages { declared, accepted, .. } = &self.kept;
            let (declared, accepted) = (solved(declared, side), solved(accepted, side));
            let rows = chunks(&mut cells[side.index()][..], 64);
            parallel::each(rows, MIN_WORDS, |word, row| {
                let free = alive[side.index()][word] & !self.ground.checked[side.index()][word];
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
            });
        }
    }
}

impl Ground {
    fn new(work: &TableSolver<'_, Cell>, around: &Around, structure: usize) -> io::Result<Ground> {
        let TableSolver { material, index, .. } = work;
        let squares = index.structure_squares(structure);
        let disks = [None, Some(Color::White), Some(Color::Black)];
        let slices = disks.map(|disk| {
            let men = Stage { mode: Mode::Normal, disk }.men(material);
            Slice::new(men, squares, chess_group(material), Laws::ORTHODOX)
        });
        // A disk gives check as a King does: it never does.
        let slice = &slices[0];
        let legal = legal_positions(slice);
        let checked = Color::ALL.map(|side| {
            parallel::map(0..slice.words(), MIN_WORDS, |_, word| {
                slice.stand(word).map_or(0, |stand| slice.checked(&stand, side).0)
            })
        });
        let find = |side| Exits::find(slice, side, &legal, &checked, around, &work.budget);
        let exits = [find(Color::White)?, find(Color::Black)?];
        Ok(Ground { slices, exits, legal, checked })
    }

    fn words(&self) -> usize {
        self.slices[0].words()
    }

    fn slice(&self, stage: Stage) -> &Slice {
        &self.slices[arrangement(stage.disk)]
    }

    /// The exits of a word in a stage: a disk makes none.
    fn exits(&self, stage: Stage, side: Color, word: usize) -> impl Iterator<Item = Exit> {
        let has_king = stage.disk != Some(side);
        let exits = self.exits[side.index()].of(word).iter().copied();
        exits.filter(move |exit| has_king || !exit.by_king())
    }

    /// The turns of a stage that stay in the slice.
    fn turns(&self, stage: Stage) -> Turns<'_> {
        let bound = stage.mode.is_compulsory().then(|| {
            Color::ALL.map(|side| self.exits[side.index()].bound(stage.disk != Some(side)))
        });
        Turns { bound, checked: &self.checked }
    }

    /// Keeps the best exits of a ladder stage, and notes the lanes that have one.
    fn leave(
        &self,
        stage: Stage,
        side: Color,
        tables: &StageTables<'_>,
        cells: &mut [Cell],
        alive: &mut [u64],
    ) {
        let turns = self.turns(stage);
        parallel::each((chunks(cells, 64), alive), MIN_WORDS, |word, (row, alive)| {
            let bound = turns.bound.map_or(0, |bound| bound[side.index()][word]);
            for exit in self.exits(stage, side, word) {
                let quiet = !exit.captures() && !exit.checks();
                let lanes = if quiet { exit.lanes & !bound } else { exit.lanes };
                if lanes == 0 {
                    continue;
                }
                let after = tables.after(stage, &self.exits[side.index()], word, exit);
                if let Some(after) = after {
                    improve(row, side, lanes, before(stage, side, exit, after));
                }
                *alive |= lanes;
            }
        });
    }

    /// Gives the positions of a ladder stage without any turn the score of the game's end; `alive`
    /// has those with an exit, and then those with any turn.
    fn end(&self, stage: Stage, turns: &Turns<'_>, cells: &mut StageCells, alive: &mut Sets) {
        let slice = self.slice(stage);
        for side in Color::ALL {
            let other = self.legal[(!side).index()].as_slice();
            let rows = chunks(&mut cells[side.index()][..], 64);
            let rows = (rows, &mut alive[side.index()][..]);
            parallel::each(rows, MIN_WORDS, |word, (row, alive)| {
                let lanes = self.legal[side.index()][word];
                if lanes == 0 {
                    return;
                }
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                let stuck = Bitboard(lanes & !*alive);
                let stuck = Word { slice, stand: &stand, side, lanes: stuck };
                *alive |= turns.reach(&stuck, &|word| other[word]);
                let checked = self.checked[side.index()][word];
                for lane in Bitboard(lanes & !*alive) {
                    let value = stage.value(end(side, Bitboard(checked).contains(lane)));
                    row[lane.number()] = Cell::keep(stage.score(value, Some(0)));
                }
            });
        }
    }

    /// Settles a ladder stage, of which `cells` have the best turns out of the slice and the ends
    /// of games.
    fn ladder(&self, stage: Stage, turns: &Turns<'_>, cells: &mut StageCells) {
        let (slice, legal) = (self.slice(stage), &self.legal);
        let endless = stage.score(stage.infinite(), None);
        let floors = match stage.has_perpetual() {
            true => [stage.score(1, Some(0)), stage.score(-1, Some(0))],
            false => [endless; 2],
        };
        let mut open = legal.clone();
        let mut scores = ResidentScores::of(slice, cells);
        let Ok(()) = settle_beyond(slice, turns, &mut open, &mut scores, floors, None);
        let arena = QuietArena { slice, turns };
        let mut found = Vec::new();
        for hero in Color::ALL.into_iter().filter(|&hero| stage.rewards_perpetual(hero)) {
            let question = self.question(hero, &open, cells);
            perpetual::solve(&arena, question, |level, won| found.push((hero, level, won.clone())));
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
        fill(&open, cells, endless);
    }

    /// The exits of undecided positions as they matter for a perpetual check of `hero`.
    fn question<'q>(&'q self, hero: Color, open: &'q Sets, cells: &StageCells) -> Question<'q> {
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
}

/// What the score after an exit is before it, in a stage with distances.
fn before(stage: Stage, side: Color, exit: Exit, after: Score) -> Score {
    let value = after.value::<Cell>();
    if stage.has_perpetual() && value.abs() == 1 {
        turn_level(after, side, exit.checks())
    } else if exit.converts() {
        stage.score(value, Some(1))
    } else {
        after.later::<Cell>()
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

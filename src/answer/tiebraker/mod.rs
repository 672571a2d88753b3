//! Tiebraker Chess: points, and how far the next conversion is.

mod sections;
pub(crate) mod stage;

use std::cmp::Ordering;
#[cfg(feature = "build")]
use std::ops::Range;

use super::{
    Contents, Outcome, Plies, Tabled, Unanswerable, UnfitMaterial,
    chess::{check_kings, chess_material},
    place::{board_entry, board_of, chess_group, entry_number, plain_setup},
    prefer_distance,
    score::Score,
    sections::{only_side, stores, table_material},
};
use crate::{
    board::{Color, Group, Man},
    index::{Index, Material},
    rules::{Game, Mode, Points, Tiebraker, TiebrakerPosition, TiebrakerTurn},
    table::{Stretches, Table, TableError},
};
#[cfg(feature = "build")]
pub(crate) use sections::stage_name;
pub(crate) use sections::{stage_cells, stage_sides};
use stage::{Cell, Stage, crowned, points_of, value_of};

/// What a table of Tiebraker Chess says of a position.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TiebrakerAnswer {
    /// The points under best play.
    pub points: Points,
    /// Plies to the next conversion, or none where infinite play gives these points, and where the
    /// tables leave them out. After a declaration, and in the countdown of option 1, 1, or 0 when
    /// the game is over.
    pub distance: Option<Plies>,
    /// Where perpetual check decides: how many quiet moves its giver needs at most before every
    /// move gives check; none if the tables leave that out.
    pub quiet: Option<u16>,
}

impl TiebrakerAnswer {
    /// The same without how far away it is.
    fn without_distance(self) -> TiebrakerAnswer {
        TiebrakerAnswer { distance: None, quiet: None, ..self }
    }

    /// How far away it is by whatever counts.
    fn level(&self) -> Option<u16> {
        self.quiet.or(self.distance.map(|plies| plies.0))
    }
}

/// What is asked of answers of whole tables.
#[cfg(feature = "build")]
impl TiebrakerAnswer {
    /// The score that stands for this answer in a stage.
    pub(crate) fn score(self, stage: Stage) -> Score {
        stage.score(value_of(self.points), self.level())
    }

    /// Whether perpetual check decides.
    pub(crate) fn rests_on_checks(&self, position: &TiebrakerPosition) -> bool {
        let mode = position.mode;
        let checks_count = mode == Mode::Declared || Stage::of(position).has_perpetual();
        checks_count && value_of(self.points).abs() == 1
    }

    /// Whether the answer would say how far away it is if the tables told it.
    pub(crate) fn lacks_distance(&self, position: &TiebrakerPosition) -> bool {
        let stage = Stage::of(position);
        if self.rests_on_checks(position) {
            return self.quiet.is_none();
        }
        let counts = !stage.is_passing() && !stage.is_endless(value_of(self.points));
        counts && self.distance.is_none()
    }
}

/// The answer for a position of `stage` in which the game goes on, or has ended with a distance;
/// `score` looks it up as one of any stage.
pub(crate) fn answer_from(stage: Stage, score: impl Fn(Stage) -> Score) -> TiebrakerAnswer {
    let found = score(stage);
    let value = found.value::<Cell>();
    let points = points_of(value).expect("values are places on the ladder");
    let level_in = match stage.mode {
        // A perpetual check to come begins with accepting.
        Mode::Declared => Stage { mode: Mode::Accepted, ..stage },
        _ => stage,
    };
    let quiet = (level_in.has_perpetual() && value.abs() == 1)
        .then(|| if level_in == stage { found } else { score(level_in) })
        .map(|score| score.distance::<Cell>().unwrap_or(0));
    let distance = match () {
        () if stage.is_passing() => Some(Plies(1)),
        () if stage.is_endless(value) => None,
        () => found.distance::<Cell>().map(Plies),
    };
    TiebrakerAnswer { points, distance, quiet }
}

/// The answer of a position from those after each turn: the judge.
pub(crate) fn backup(
    position: &TiebrakerPosition,
    options: &[(TiebrakerTurn, TiebrakerAnswer)],
) -> TiebrakerAnswer {
    let mover = position.setup.to_move;
    let stage = Stage::of(position);
    let Some(best) = options.iter().map(|(_, after)| after.points.of(mover)).max() else {
        let points = Tiebraker.ending(position).map_or(Points::EVEN, |ending| ending.points);
        let over = stage.is_passing() || !stage.is_endless(value_of(points));
        return TiebrakerAnswer { points, distance: over.then_some(Plies::ZERO), quiet: None };
    };
    let keeping = || options.iter().filter(|(_, after)| after.points.of(mover) == best);
    let points = keeping().next().map_or(Points::EVEN, |(_, after)| after.points);
    let value = value_of(points);
    let after = |turn| Tiebraker.play(position, turn);
    let hero = if value > 0 { Color::White } else { Color::Black };
    let quiet = (stage.mode == Mode::Declared || stage.has_perpetual()) && value.abs() == 1;
    let quiet = quiet.then(|| {
        let levels = keeping().map(|&(turn, answer)| {
            let next = after(turn).setup;
            let own_quiet = mover == hero && !next.in_check(next.to_move);
            answer.quiet.map(|quiet| quiet + u16::from(own_quiet))
        });
        extreme(levels, mover == hero)
    });

    let distance = match () {
        () if stage.is_passing() => Some(Plies(1)),
        () if stage.is_endless(value) => None,
        () => {
            let plies = keeping().map(|&(turn, answer)| {
                let converts = converts(position, turn);
                if converts { Some(Plies(1)) } else { answer.distance.map(Plies::later) }
            });
            let hurrier = if value > stage.infinite() { Color::White } else { Color::Black };
            extreme(plies, mover == hurrier)
        }
    };
    TiebrakerAnswer { points, distance, quiet: quiet.flatten() }
}

/// The least of some distances, or the greatest; none if one of them is not known.
fn extreme<D: Ord>(mut distances: impl Iterator<Item = Option<D>>, least: bool) -> Option<D> {
    let further = |best: Option<D>, next: Option<D>| {
        let next = next?;
        Some(Some(match best {
            None => next,
            Some(best) if least => best.min(next),
            Some(best) => best.max(next),
        }))
    };
    distances.try_fold(None, further).flatten()
}

/// Whether a turn changes the material or the mode.
pub(crate) fn converts(position: &TiebrakerPosition, turn: TiebrakerTurn) -> bool {
    match turn {
        TiebrakerTurn::Move(mv) => {
            position.setup.is_capture(mv)
                || mv.promotion.is_some()
                || Stage::of(position).is_passing()
        }
        _ => true,
    }
}

/// An open table of Tiebraker Chess.
#[derive(Debug)]
pub struct TiebrakerReader {
    index: Index,
    /// Whether it tells how far away answers are.
    distances: bool,
    /// The sections there are: stage and side to move.
    shown: Vec<(Stage, Color)>,
    /// Per stage and side to move, its section, if there is one.
    cells: Vec<Option<Stretches>>,
}

impl TiebrakerReader {
    /// How its positions are numbered.
    #[cfg(feature = "build")]
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The cells of the stages for which this holds, in as few stretches as they lie in.
    #[cfg(feature = "build")]
    pub(crate) fn cells_of(&self, is_such: impl Fn(Stage) -> bool) -> Vec<Range<u64>> {
        let (mut stretches, mut first) = (Vec::new(), 0);
        for alike in self.shown.chunk_by(|(a, _), (b, _)| is_such(*a) == is_such(*b)) {
            let cells = first..first + alike.len() as u64 * self.index.len();
            first = cells.end;
            stretches.extend(Some(cells).filter(|_| is_such(alike[0].0)));
        }
        stretches
    }

    fn section(&self, stage: Stage, side: Color) -> Option<&Stretches> {
        self.cells[2 * stage.number() + side.index()].as_ref()
    }
}

impl Tabled for Tiebraker {
    type Answer = TiebrakerAnswer;
    type Reader = TiebrakerReader;

    const CONTENTS: &'static [Contents] = &[Contents::Distance, Contents::Result];

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_kings(self, material)?;
        Ok(material.stronger_first())
    }

    fn open(&self, table: &Table) -> Result<TiebrakerReader, TableError> {
        let material = table_material(table)?;
        let index = Index::new(&material, chess_group(&material));
        let shown: Vec<(Stage, Color)> = Stage::all()
            .flat_map(|stage| stage_sides(&material, stage).iter().map(move |&side| (stage, side)))
            .collect();
        let mut cells = Vec::new();
        cells.resize_with(2 * Stage::COUNT, || None);
        let only = only_side(table)?;
        // A stage that is shown with one side to move alone is stored, whichever that is.
        let is_stored = |&&(stage, side): &&(Stage, Color)| {
            stores(only, side) || stage_sides(&material, stage).len() == 1
        };
        for &(stage, side) in shown.iter().filter(is_stored) {
            let section = stage_cells(table, stage, side, index.len())?;
            cells[2 * stage.number() + side.index()] = Some(section);
        }
        let distances = table.header().contents == Contents::Distance.name();
        Ok(TiebrakerReader { index, distances, shown, cells })
    }

    fn men_of(&self, position: &TiebrakerPosition) -> Result<Material, Unanswerable> {
        chess_material(&position.setup)
    }

    fn read(
        &self,
        reader: &TiebrakerReader,
        position: &TiebrakerPosition,
    ) -> Result<Option<TiebrakerAnswer>, TableError> {
        let stage = Stage::of(position);
        // These cells have no distance, which tells an end of the game elsewhere.
        if stage.is_passing() && self.ending(position).is_some() {
            return Ok(Some(backup(position, &[])));
        }
        let entry = board_entry(&crowned(&position.setup.board), position.setup.to_move, true);
        let number = entry_number(&reader.index, &entry);
        let look_up = |stage: Stage| -> Result<Option<Score>, TableError> {
            let shown = if entry.swapped { stage.swap_colors() } else { stage };
            let Some(cells) = reader.section(shown, entry.side) else { return Ok(None) };
            let outcome = Outcome::unpack(cells.get(number)?);
            let score = shown.score(outcome.value, outcome.distance.map(|plies| plies.0));
            Ok(Some(if entry.swapped { score.swap_colors() } else { score }))
        };
        let first = look_up(stage)?;
        let level = match stage.mode {
            Mode::Declared => look_up(Stage { mode: Mode::Accepted, ..stage })?,
            _ => first,
        };
        let Some((first, level)) = first.zip(level) else { return Ok(None) };
        let answer = answer_from(stage, |asked| if asked == stage { first } else { level });
        Ok(Some(if reader.distances { answer } else { answer.without_distance() }))
    }

    fn keeps_men(&self, position: &TiebrakerPosition, turn: TiebrakerTurn) -> bool {
        match turn {
            TiebrakerTurn::Move(mv) => position.setup.keeps_men(mv),
            // A disk stands for a King.
            TiebrakerTurn::Declare | TiebrakerTurn::Option1 | TiebrakerTurn::Option2 => true,
        }
    }

    fn is_looked_ahead(&self, position: &TiebrakerPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(
        &self,
        position: &TiebrakerPosition,
        options: &[(TiebrakerTurn, TiebrakerAnswer)],
    ) -> TiebrakerAnswer {
        backup(position, options)
    }

    fn without_distance(&self, answer: TiebrakerAnswer) -> TiebrakerAnswer {
        answer.without_distance()
    }

    fn prefer(
        &self,
        position: &TiebrakerPosition,
        a: &TiebrakerAnswer,
        b: &TiebrakerAnswer,
    ) -> Ordering {
        let mover = position.setup.to_move;
        let stage = Stage::of(position);
        let value = value_of(a.points);
        let above = if stage.has_perpetual() && value.abs() == 1 {
            value > 0
        } else {
            value > stage.infinite()
        };
        let hurries = above == (mover == Color::White);
        let distance = prefer_distance(hurries, a.level(), b.level());
        a.points.of(mover).cmp(&b.points.of(mover)).then(distance)
    }

    fn cells(&self, reader: &TiebrakerReader) -> u64 {
        reader.index.len() * reader.shown.len() as u64
    }

    fn weight(&self, reader: &TiebrakerReader, cell: u64) -> u64 {
        reader.index.weight(cell % reader.index.len())
    }

    fn group(&self, reader: &TiebrakerReader) -> Group {
        reader.index.group()
    }

    fn identity(&self, position: &TiebrakerPosition) -> TiebrakerPosition {
        position.identity()
    }

    fn cell(&self, reader: &TiebrakerReader, cell: u64) -> Option<TiebrakerPosition> {
        let (stage, side) = reader.shown[(cell / reader.index.len()) as usize];
        position_of(&reader.index, stage, side, cell % reader.index.len())
    }

    fn cell_side(&self, reader: &TiebrakerReader, cell: u64) -> Color {
        reader.shown[(cell / reader.index.len()) as usize].1
    }

    fn cell_of(&self, reader: &TiebrakerReader, position: &TiebrakerPosition) -> Option<u64> {
        let entry = board_entry(&crowned(&position.setup.board), position.setup.to_move, true);
        let stage = Stage::of(position);
        let shown = (if entry.swapped { stage.swap_colors() } else { stage }, entry.side);
        let place = reader.shown.iter().position(|&there| there == shown)?;
        Some(place as u64 * reader.index.len() + entry_number(&reader.index, &entry))
    }
}

/// The position of a number, if it is legal.
pub(crate) fn position_of(
    index: &Index,
    stage: Stage,
    side: Color,
    number: u64,
) -> Option<TiebrakerPosition> {
    let squares = index.decode(number)?;
    let men: Vec<Man> = index.men().iter().map(|&man| stage.man(man)).collect();
    let setup = plain_setup(board_of(index.size(), &men, &squares), side, None);
    (!setup.in_check(!side)).then_some(TiebrakerPosition { setup, mode: stage.mode })
}

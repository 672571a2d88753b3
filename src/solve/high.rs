//! High Chess: who wins at which vitalities, and who can force mate.
//!
//! A table has two parts. The *staircases* tell who wins: for each vitality vW of White, T(vW) is
//! the largest vitality of Black against which White still wins. They are solved layer by layer,
//! vW = 1, 2, …, V; within a layer the moves that cost White nothing make a short fixpoint. A turn
//! that costs White a point looks at the layer before, and one that costs Black a point adds one
//! to T. Captures and pawn moves are vital, so another slice is met only through one byte a
//! position. The *mates* are a ladder table of the same moves without vitalities.

use std::{
    cmp::Ordering,
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use rayon::prelude::*;

use super::{
    BuildError, Solve, TableId, TableSize, Unanswerable, UnfitMaterial, Wdl, WinDrawLoss,
    Workbench,
    clock::Histories,
    ladder::{self, MIN_WORDS, QuietTurns, Score},
    ladder_table::{
        self, LadderGame, LadderReader, Library, Played, board_entry, board_of, chess_group,
        entry_number, indexed_setup, plain_setup, sized,
    },
    lanes::{Bytes, Lanes},
    links::{self, Links},
    orthodox::{check_kings, chess_material, table_material},
    scratch::Scratch,
    section_name,
    slice::{Conversion, Slice, Stand},
    values::{Values, structure_groups, structure_squares},
};
use crate::{
    board::{Bitboard, Board, Color, Role, Square},
    index::{Index, Material},
    rules::{Game, High, HighPosition, HighTurn, Laws, Revitalise, Setup},
    table::{CellSpec, Cells, Table, TableError, Width},
};

/// What a section of mates is called after the side to move.
const MATE: &str = " mate";
/// The blob of staircases: V bytes each, in the order of their numbers.
const STAIRCASES: &str = "staircases";

/// For each vitality of White, 1 to V, the largest vitality of Black against which White wins: 0
/// if there is none, V if White wins against every one. Never falls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Staircase(Arc<[u8]>);

impl Staircase {
    /// T(1) to T(V).
    pub fn steps(&self) -> &[u8] {
        &self.0
    }

    /// T(`white`), for a vitality of White from 1 to V.
    pub fn at(&self, white: u8) -> u8 {
        self.0[usize::from(white) - 1]
    }

    /// Who wins at these vitalities, White's first, both 1 to V.
    pub fn winner(&self, [white, black]: [u8; 2]) -> Color {
        if black <= self.at(white) { Color::White } else { Color::Black }
    }

    /// The least vitality with which the winner at these vitalities would still win.
    pub fn least(&self, vitality: [u8; 2]) -> u8 {
        match self.winner(vitality) {
            Color::White => {
                let enough = (1..).zip(self.steps()).find(|&(_, &step)| step >= vitality[1]);
                enough.map_or(vitality[0], |(white, _)| white)
            }
            Color::Black => self.at(vitality[0]) + 1,
        }
    }
}

/// What a table of High Chess says of a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HighAnswer {
    /// Who wins at which vitalities.
    pub staircase: Staircase,
    /// Whether the side to move can force mate (win) or be forced (loss), if nobody could be
    /// exhausted and endless play were a draw, and in how many plies.
    pub mate: WinDrawLoss,
}

impl HighAnswer {
    /// The side that can force mate, given who is to move.
    pub fn mating_side(&self, to_move: Color) -> Option<Color> {
        match self.mate.wdl {
            Wdl::Win => Some(to_move),
            Wdl::Draw => None,
            Wdl::Loss => Some(!to_move),
        }
    }
}

/// Board moves and passes: a pass leads to the same word with the other side to move, and is legal
/// just where that is a legal position.
struct MovesAndPass;

impl QuietTurns for MovesAndPass {
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        slice.quiet(stand, side, set) | set(stand.word)
    }

    fn readers(&self, slice: &Slice, stand: &Stand, side: Color, mut tell: impl FnMut(usize)) {
        tell(stand.word);
        slice.readers(stand, side, tell);
    }
}

/// The ladder of mates: White mates, nobody, Black mates.
struct Mates<'a>(&'a High);

impl LadderGame for Mates<'_> {
    type Store = i16;
    type Quiet = MovesAndPass;

    fn quiet(&self) -> MovesAndPass {
        MovesAndPass
    }

    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        false
    }

    fn infinite(&self, _: &Material) -> i32 {
        0
    }

    fn terminal(&self, _: &Board, to_move: Color, _: bool) -> Score {
        // Who is not in check can pass, so only mate leaves no turn.
        Score::new::<i16>(if to_move == Color::White { -1 } else { 1 }, Some(0), 0)
    }

    fn convert(&self, _: &Played<'_>, after: Score) -> Score {
        after.later::<i16>()
    }

    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score {
        let position = HighPosition { setup: setup.clone(), vitality: [1; 2] };
        let turns = self.0.turns(&position);
        let scores =
            turns.into_iter().map(|t| known(&self.0.play(&position, t).setup).later::<i16>());
        match setup.to_move {
            Color::White => scores.max(),
            Color::Black => scores.min(),
        }
        .unwrap_or_else(|| self.terminal(&setup.board, setup.to_move, true))
    }
}

/// What of a staircase matters to a vital turn that leads to it: T(V), and the least vW with
/// T(vW) = V, or V + 1 if there is none.
type Landing = [u8; 2];

fn landing(staircase: &[u8]) -> Landing {
    let full = staircase.len() as u8;
    let full_from = (1..).zip(staircase).find(|&(_, &step)| step == full);
    let top = *staircase.last().expect("at least one step");
    [top, full_from.map_or(full + 1, |(white, _)| white)]
}

/// Everything the slices of a material look into.
struct Context<'a> {
    game: &'a High,
    tables: &'a HashMap<Material, Arc<Values<Landing>>>,
    links: Links<Arc<Values<Landing>>>,
}

impl Context<'_> {
    /// What a vital turn of `side` that lands there is worth, as [`Layers::vital`] keeps it.
    fn worth(&self, side: Color, [top, full_from]: Landing) -> u8 {
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

    fn landing(
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

/// The staircase of a position from those after each turn, by the recurrence of the rules and in
/// plain code: it judges what the layers below compute.
fn backup<'a>(
    game: &High,
    position: &HighPosition,
    options: impl Iterator<Item = (HighTurn, &'a [u8])>,
) -> Vec<u8> {
    let full = game.vitality.points();
    let mover = position.setup.to_move;
    let all_or_none = |all: bool| if all { full } else { 0 };
    let mut best: Option<Vec<u8>> = None;
    for (turn, after) in options {
        let next = game.play(position, turn).setup;
        let t = |white: u8| after[usize::from(white) - 1];
        let mates = next.is_checkmate(&Laws::ORTHODOX);
        let vital = High::is_vital(position, turn);
        let low = High::high(&next.board) != mover;
        let step = |white: u8| match (game.revitalise, mover) {
            _ if mates => all_or_none(mover == Color::White),
            (Revitalise::Mover, Color::White) if vital => t(full),
            (Revitalise::Mover, Color::Black) if vital => all_or_none(t(white) == full),
            (Revitalise::Both, _) if vital => all_or_none(t(full) == full),
            (_, Color::White) if low && white == 1 => 0,
            (_, Color::White) if low => t(white - 1),
            (_, Color::Black) if low => full.min(t(white) + 1),
            _ => t(white),
        };
        let steps = (1..=full).map(step);
        best = Some(match best {
            None => steps.collect(),
            Some(best) if mover == Color::White => {
                best.into_iter().zip(steps).map(|(a, b)| a.max(b)).collect()
            }
            Some(best) => best.into_iter().zip(steps).map(|(a, b)| a.min(b)).collect(),
        });
    }
    // Without a turn the mover is mated.
    best.unwrap_or_else(|| vec![all_or_none(mover == Color::Black); usize::from(full)])
}

/// Staircases by number, shared by all slices of a table while they are solved.
#[derive(Default)]
struct Dictionary {
    numbers: HashMap<Vec<u8>, u32>,
    staircases: Vec<Vec<u8>>,
}

impl Dictionary {
    fn number(&mut self, staircase: Vec<u8>) -> u32 {
        let next = self.staircases.len() as u32;
        *self.numbers.entry(staircase).or_insert_with_key(|staircase| {
            self.staircases.push(staircase.clone());
            next
        })
    }
}

/// The staircases of a table: a number per position, and what the numbers mean.
struct Stairs {
    numbers: Values<u32>,
    staircases: Vec<Vec<u8>>,
}

/// One slice while its layers are solved.
struct Layers<'a> {
    game: &'a High,
    slice: &'a Slice,
    legal: ladder::Sets,
    /// Words whose lanes must be computed again, per side to move.
    dirty: [Vec<AtomicBool>; 2],
    /// Rows that changed in this layer.
    changed: [Vec<AtomicBool>; 2],
    /// T in this layer.
    steps: [Vec<Bytes>; 2],
    /// The rows of the positions each side moves to, as that side counts: White's options are T,
    /// Black's 255 − T, so that both take the greater one and 0 is none.
    views: [Vec<Bytes>; 2],
    /// The best vital turn: T of White's; of Black's, the least vW at which White wins after all
    /// of them, or 0 if there is none.
    vital: [Vec<Bytes>; 2],
}

impl<'a> Layers<'a> {
    fn new(context: &Context<'a>, slice: &'a Slice) -> Layers<'a> {
        let words = slice.words();
        let legal = ladder::legal_positions(slice);
        let flags = || (0..words).map(|_| AtomicBool::new(true)).collect();
        let vital = Color::ALL.map(|side| {
            (0..words)
                .into_par_iter()
                .with_min_len(MIN_WORDS)
                .map(|word| {
                    let lanes = Bitboard(legal[side.index()][word]);
                    vital_row(context, slice, side, word, lanes)
                })
                .collect()
        });
        // Before the first layer White wins nothing.
        let black_view = (0..words)
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .map(|word| {
                slice.stand(word).map_or(Bytes::NONE, |stand| {
                    black_view(context.game, slice, &stand, &legal, Bytes::NONE)
                })
            })
            .collect();
        Layers {
            game: context.game,
            slice,
            legal,
            dirty: [flags(), flags()],
            changed: [flags(), flags()],
            steps: [vec![Bytes::NONE; words], vec![Bytes::NONE; words]],
            views: [vec![Bytes::NONE; words], black_view],
            vital,
        }
    }

    /// Solves all layers; returns the number of the history of every position and the histories.
    fn run(mut self) -> ([Vec<u32>; 2], ladder::Sets, Histories<u8>) {
        let full = self.game.vitality.points();
        let mut histories = Histories::new(0);
        let cells = self.slice.words() * 64;
        let mut numbers = [vec![0; cells], vec![0; cells]];
        for white in 1..=full {
            self.begin(white);
            while self.dirty.iter().flatten().any(|word| word.load(Relaxed)) {
                self.sweep(Color::White, white);
                self.sweep(Color::Black, white);
            }
            let mut rows = Vec::new();
            for ((numbers, steps), changed) in
                numbers.iter_mut().zip(&self.steps).zip(&self.changed)
            {
                let all = numbers.chunks_exact_mut(64).zip(steps).zip(changed);
                rows.extend(all.filter_map(|((numbers, row), changed)| {
                    changed.swap(false, Relaxed).then_some((numbers, &row.0[..]))
                }));
            }
            histories.advance(u16::from(white), rows);
        }
        (numbers, self.legal, histories)
    }

    /// Turns to the next layer: positions that cost White a point to reach now show what they were
    /// worth in the layer before, and some vital turns of Black begin to lose.
    fn begin(&mut self, white: u8) {
        let (slice, game, dirty) = (self.slice, self.game, &self.dirty);
        let legal = &self.legal[Color::Black.index()];
        let steps = &self.steps[Color::Black.index()];
        let vital = &self.vital[Color::Black.index()];
        self.views[Color::White.index()]
            .par_iter_mut()
            .with_min_len(MIN_WORDS)
            .enumerate()
            .for_each(|(word, view)| {
                let lanes = Bitboard(legal[word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return };
                let low = low_lanes(slice, &stand, Color::White);
                // A mated Black has lost whatever White's vitality, even with White's last point.
                let before = if white == 1 {
                    let full = game.vitality.points();
                    Bytes::all(full).only(mated(slice, &stand, Color::Black, &self.legal))
                } else {
                    steps[word]
                };
                let seen = before.or_else(low, *view).only(lanes);
                if seen != *view {
                    *view = seen;
                    MovesAndPass.readers(slice, &stand, Color::White, |reader| {
                        dirty[Color::White.index()][reader].store(true, Relaxed);
                    });
                }
                if vital[word].0.contains(&white) {
                    dirty[Color::Black.index()][word].store(true, Relaxed);
                }
            });
    }

    /// Computes the dirty rows of a side anew, and tells who reads those that change.
    fn sweep(&mut self, side: Color, white: u8) {
        let (me, other) = (side.index(), (!side).index());
        let full = self.game.vitality.points();
        let (slice, game, legal) = (self.slice, self.game, &self.legal);
        let (dirty, changed, vital) = (&self.dirty, &self.changed[me], &self.vital[me]);
        let [seen, shown] = two(&mut self.views, me);
        let seen = &*seen;
        (self.steps[me].par_iter_mut(), shown.par_iter_mut())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .enumerate()
            .for_each(|(word, (steps, shown))| {
                if !dirty[me][word].load(Relaxed) {
                    return;
                }
                dirty[me][word].store(false, Relaxed);
                let lanes = Bitboard(legal[me][word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return };
                let best = slice.quiet(&stand, side, |w| seen[w]).join(seen[word]);
                let new = match side {
                    Color::White => best.join(vital[word]),
                    Color::Black => {
                        best.join(vital[word].map(|from| black_vital(game, from, white))).map(
                            // No option at all: mated.
                            |option| if option == 0 { full } else { 255 - option },
                        )
                    }
                }
                .only(lanes);
                if new == *steps {
                    return;
                }
                *steps = new;
                changed[word].store(true, Relaxed);
                let view = match side {
                    Color::White => black_view(game, slice, &stand, legal, new),
                    // What White sees, but for turns that cost a point: they see the layer before.
                    Color::Black => shown.or_else(low_lanes(slice, &stand, Color::White), new),
                };
                if view != *shown {
                    *shown = view;
                    MovesAndPass.readers(slice, &stand, !side, |reader| {
                        dirty[other][reader].store(true, Relaxed);
                    });
                }
            });
    }
}

/// What Black sees of positions with White to move: a point more for White where the turn that
/// leads there costs Black one, but mated White has lost whatever it costs.
fn black_view(
    game: &High,
    slice: &Slice,
    stand: &Stand,
    legal: &ladder::Sets,
    steps: Bytes,
) -> Bytes {
    let full = game.vitality.points();
    let low = low_lanes(slice, stand, Color::Black) & !mated(slice, stand, Color::White, legal);
    let paid = steps.map(|step| full.min(step + 1)).or_else(low, steps);
    paid.map(|step| 255 - step).only(Bitboard(legal[Color::White.index()][stand.word]))
}

/// A vital turn of Black in layer vW, as Black counts; `from` is 0 if there is none.
fn black_vital(game: &High, from: u8, white: u8) -> u8 {
    let full = game.vitality.points();
    match from {
        0 => 0,
        from if white >= from => 255 - full,
        _ => 255,
    }
}

/// The best vital turn of `side` in each lane, as [`Layers::vital`] keeps it.
fn vital_row(
    context: &Context<'_>,
    slice: &Slice,
    side: Color,
    word: usize,
    lanes: Bitboard,
) -> Bytes {
    let mut row = Bytes::NONE;
    let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return row };
    slice.conversions(&stand, side, lanes, |turn, lanes, squares| {
        let worth = context.worth(side, context.landing(slice, turn, side, squares));
        for lane in lanes {
            let best = &mut row.0[lane.number()];
            *best = worth.max(*best);
        }
    });
    row
}

/// The lanes in which `side` is Low.
fn low_lanes(slice: &Slice, stand: &Stand, side: Color) -> Bitboard {
    let king = |color| {
        let found = slice.men().iter().position(|m| m.color == color && m.role == Role::King);
        found.expect("each side has a King")
    };
    let kings = Color::ALL.map(king);
    let is_low = |squares: [Square; 2]| {
        let [white, black] = squares.map(High::distance);
        (white < black) == (side == Color::Black)
    };
    let at = kings.map(|king| stand.squares[king]);
    match kings.iter().position(|&king| Some(king) == slice.runner()) {
        None if is_low(at) => Bitboard::ALL,
        None => Bitboard::EMPTY,
        Some(runs) => Square::all()
            .filter(|&lane| {
                let mut squares = at;
                squares[runs] = lane;
                is_low(squares)
            })
            .collect(),
    }
}

/// The lanes in which `side`, to move, is mated.
fn mated(slice: &Slice, stand: &Stand, side: Color, legal: &ladder::Sets) -> Bitboard {
    let lanes = Bitboard(legal[side.index()][stand.word]) & slice.checked(stand, side);
    if lanes.is_empty() {
        return lanes;
    }
    let open = &legal[(!side).index()];
    let mut stuck = lanes & !Bitboard(slice.quiet(stand, side, |word| open[word]));
    slice.conversions(stand, side, stuck, |_, lanes, _| stuck &= !lanes);
    stuck
}

/// The entry of a side, and the other one.
fn two<T>(pair: &mut [T; 2], first: usize) -> [&mut T; 2] {
    let [white, black] = pair;
    if first == 0 { [white, black] } else { [black, white] }
}

impl High {
    fn solve_stairs(
        &self,
        material: &Material,
        mut tables: HashMap<Material, Arc<Values<Landing>>>,
        bench: &Workbench<'_>,
    ) -> Result<Stairs, BuildError> {
        let index = || Index::new(material, chess_group(material));
        let numbers = Values::empty(index(), 2);
        let landings = Arc::new(Values::empty(index(), 2));
        tables.insert(*material, landings.clone());
        let links = Links::new(&material.men(), &Laws::ORTHODOX, false, |m| tables.get(m).cloned());
        let context = Context { game: self, tables: &tables, links };
        let groups = structure_groups(&numbers.index);
        let steps = groups.iter().map(|g| g.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}, vitalities"), steps);
        let dictionary = Mutex::new(Dictionary::default());
        for group in groups {
            group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
                let squares = structure_squares(&numbers.index, structure);
                let slice =
                    Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
                let layers = Layers::new(&context, &slice);
                let (of_numbers, of_landings) = self.number_staircases(layers, &dictionary);
                numbers.fill(structure, &slice, &of_numbers, 0, bench.budget)?;
                landings.fill(structure, &slice, &of_landings, [0; 2], bench.budget)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        let dictionary = dictionary.into_inner().expect("no holder panics");
        Ok(Stairs { numbers, staircases: dictionary.staircases })
    }

    /// Solves the layers of a slice and finds its staircases in the dictionary.
    fn number_staircases(
        &self,
        layers: Layers<'_>,
        dictionary: &Mutex<Dictionary>,
    ) -> ([Scratch<u32>; 2], [Scratch<Landing>; 2]) {
        let full = u16::from(self.vitality.points());
        let (mut numbers, legal, histories) = layers.run();
        let mut dictionary = dictionary.lock().expect("no holder panics");
        let mut met: Vec<Option<(u32, Landing)>> = vec![None; histories.len()];
        let landings = [0, 1].map(|side| {
            let mut landings = vec![[0; 2]; numbers[side].len()];
            for (cell, (number, to)) in numbers[side].iter_mut().zip(&mut landings).enumerate() {
                if legal[side][cell / 64] >> (cell % 64) & 1 == 0 {
                    continue;
                }
                (*number, *to) = *met[*number as usize].get_or_insert_with(|| {
                    let staircase = histories.values(*number, 1..full + 1);
                    let landing = landing(&staircase);
                    (dictionary.number(staircase), landing)
                });
            }
            Scratch::Memory(landings)
        });
        (numbers.map(Scratch::Memory), landings)
    }
}

impl Solve for High {
    type Answer = HighAnswer;
    type Reader = HighReader;

    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial> {
        check_kings(High::NAME, material)?;
        Ok(TableId { game: High::NAME, options: self.options(), material: *material })
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &Laws::ORTHODOX, false)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, chess_group(material)).len();
        // Six bytes of rows, a number of four bytes in the order of words and in that of the
        // index, and the mates of two bytes, for each side to move.
        TableSize {
            positions: 2 * numbers,
            memory: 2 * numbers * (6 + 8 + 2),
            time: Duration::from_nanos(2 * numbers * 700),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material).expect("planned tables are fit");
        let ids: Vec<TableId> =
            self.needs(material).iter().filter_map(|m| self.table_id(m).ok()).collect();
        let mut tables = HashMap::new();
        for id in &ids {
            tables.insert(id.material, Arc::new(load_landings(id, bench)?));
        }
        let stairs = self.solve_stairs(material, tables, bench)?;
        let mut library = Library::load(&ids, false, MATE, |_| 0, bench)?;
        let mates = ladder_table::solve(&Mates(self), material, &mut library, bench)?;
        drop(library);
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), 2 * self.size(material).positions);
        write_stairs(&mut writer, &stairs, &mates, bench)?;
        ladder_table::write_sections(&mut writer, MATE, &mates, bench)?;
        writer.finish()?;
        Ok(())
    }

    fn open(&self, table: &Table) -> Result<HighReader, TableError> {
        let material = table_material(table)?;
        let index = Index::new(&material, chess_group(&material));
        let mates = LadderReader::open(table, &material, false, MATE)?;
        let side = |side| sized(table, &section_name(side, ""), index.len());
        let numbers = [side(Color::White)?, side(Color::Black)?];
        let staircases = read_staircases(table)?.into_iter().map(|s| Staircase(s.into())).collect();
        Ok(HighReader { path: table.path().to_owned(), index, numbers, staircases, mates })
    }

    fn material_of(&self, position: &HighPosition) -> Result<Material, Unanswerable> {
        Ok(self.table_id(&chess_material(&position.setup)?)?.material)
    }

    fn read(&self, reader: &HighReader, position: &HighPosition) -> Result<HighAnswer, TableError> {
        let HighPosition { setup: Setup { board, to_move, .. }, .. } = position;
        let entry = board_entry(board, *to_move, false);
        let number = entry_number(&reader.index, &entry);
        let staircase = reader.numbers[to_move.index()].get(number)? as usize;
        let staircase = reader.staircases.get(staircase).ok_or_else(|| TableError::Damaged {
            path: reader.path.clone(),
            place: format!("section `{}`", section_name(*to_move, "")),
            problem: format!("there is no staircase {staircase}"),
        })?;
        let mate = WinDrawLoss::new(reader.mates.read_number(*to_move, number)?, *to_move);
        Ok(HighAnswer { staircase: staircase.clone(), mate })
    }

    fn is_looked_ahead(&self, position: &HighPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(&self, position: &HighPosition, options: &[(HighTurn, HighAnswer)]) -> HighAnswer {
        let steps = options.iter().map(|(turn, after)| (*turn, after.staircase.steps()));
        let mate = WinDrawLoss::best(options.iter().map(|(_, after)| after.mate));
        HighAnswer {
            staircase: Staircase(backup(self, position, steps).into()),
            mate: mate.unwrap_or(WinDrawLoss { wdl: Wdl::Loss, dtm: Some(0) }),
        }
    }

    fn prefer(&self, position: &HighPosition, a: &HighAnswer, b: &HighAnswer) -> Ordering {
        let mover = position.setup.to_move;
        let wins = |answer: &HighAnswer| answer.staircase.winner(position.vitality) == mover;
        // A winner keeps as much vitality to spare as it can, and of equal turns mates soonest; a
        // loser makes the winner need as much as it can.
        let margin = |answer: &HighAnswer| {
            let least = answer.staircase.least(position.vitality);
            if wins(answer) { -i16::from(least) } else { i16::from(least) }
        };
        (wins(a).cmp(&wins(b)))
            .then_with(|| margin(a).cmp(&margin(b)))
            .then_with(|| a.mate.prefer(&b.mate))
    }

    fn cells(&self, reader: &HighReader) -> u64 {
        2 * reader.index.len()
    }

    fn weight(&self, reader: &HighReader, cell: u64) -> u64 {
        reader.index.weight(cell % reader.index.len())
    }

    fn identity(&self, position: &HighPosition) -> HighPosition {
        let setup = Setup { halfmove: 0, fullmove: 1, ..position.setup.clone() };
        HighPosition { setup, vitality: position.vitality }
    }

    fn cell(&self, reader: &HighReader, cell: u64) -> Option<HighPosition> {
        let setup = indexed_setup(&reader.index, cell, &Laws::ORTHODOX)?;
        Some(HighPosition { setup, vitality: [self.vitality.points(); 2] })
    }
}

/// An open table of High Chess.
pub struct HighReader {
    path: std::path::PathBuf,
    index: Index,
    numbers: [Cells; 2],
    staircases: Vec<Staircase>,
    mates: LadderReader,
}

/// Writes the staircases and a number of one for every position.
fn write_stairs(
    writer: &mut crate::table::TableWriter,
    stairs: &Stairs,
    mates: &Values<i16>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    let staircases = &stairs.staircases;
    // Sorted, so that every build writes the same file whatever its threads did first.
    let mut order: Vec<u32> = (0..staircases.len() as u32).collect();
    order.sort_by_key(|&number| &staircases[number as usize]);
    let mut places = vec![0_u32; order.len()];
    order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
    let bytes: Vec<u8> =
        order.iter().flat_map(|&n| staircases[n as usize].iter().copied()).collect();
    writer.blob(STAIRCASES, &bytes)?;
    let width = Width::holding(order.len().saturating_sub(1) as u32);
    for side in Color::ALL {
        let spec = CellSpec::new(section_name(side, ""), stairs.numbers.index.len(), width);
        writer.cells(spec, |range, bytes| {
            bench.progress.advance(range.end - range.start);
            // Numbers that are no positions, which have no mate either, repeat their neighbour.
            let legal = |number: u64| mates.get(side, number) != <i16 as ladder::Store>::NONE;
            let place = |number: u64| places[stairs.numbers.get(side, number) as usize];
            let mut last = range.clone().find(|&n| legal(n)).map_or(0, place);
            for (number, entry) in range.zip(bytes.chunks_exact_mut(width.bytes())) {
                if legal(number) {
                    last = place(number);
                }
                entry.copy_from_slice(&last.to_le_bytes()[..width.bytes()]);
            }
        })?;
    }
    Ok(())
}

/// The staircases of a table, checked.
fn read_staircases(table: &Table) -> Result<Vec<Vec<u8>>, TableError> {
    let damaged = |problem: &str| TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{STAIRCASES}`"),
        problem: problem.to_owned(),
    };
    let full = table.header().options.get("vitality").and_then(|v| v.as_u64());
    let full = full.filter(|full| (1..=50).contains(full)).ok_or_else(|| damaged("no vitality"))?;
    let blob = table.blob(STAIRCASES)?;
    let staircases: Vec<Vec<u8>> = blob.chunks(full as usize).map(<[u8]>::to_vec).collect();
    let fine = |s: &Vec<u8>| {
        s.len() == full as usize && s.is_sorted() && s.iter().all(|&step| u64::from(step) <= full)
    };
    if staircases.is_empty() || !staircases.iter().all(fine) {
        return Err(damaged("not all are staircases"));
    }
    Ok(staircases)
}

/// Reads what solving other tables takes of a whole table.
fn load_landings(id: &TableId, bench: &Workbench<'_>) -> Result<Values<Landing>, BuildError> {
    let table = bench.shelf.open(id)?;
    let index = Index::new(&id.material, chess_group(&id.material));
    let values = Values::empty(index, 2);
    let landings: Vec<Landing> = read_staircases(&table)?.iter().map(|s| landing(s)).collect();
    let mut sides = Vec::new();
    for side in Color::ALL {
        let cells = sized(&table, &section_name(side, ""), values.index.len())?;
        let width = cells.section().width.bytes();
        let bytes = cells.read_all()?;
        let found: Option<Vec<Landing>> = bytes
            .par_chunks_exact(width)
            .with_min_len(1 << 14)
            .map(|entry| entry.iter().rfold(0, |n, &byte| n << 8 | usize::from(byte)))
            .map(|number| landings.get(number).copied())
            .collect();
        sides.push(found.ok_or_else(|| TableError::Damaged {
            path: table.path().to_owned(),
            place: format!("section `{}`", section_name(side, "")),
            problem: "it names a staircase that is not there".to_owned(),
        })?);
    }
    values.load(&sides, bench.budget)?;
    Ok(values)
}

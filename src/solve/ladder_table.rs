//! Tables of games with a ladder: solved slice by slice, written, and read again.
//!
//! A table has a section of cells per side to move, `white` and `black`; where colours swap and
//! both sides have the same men, only `white`. The palette says what a cell stands for: the value
//! (White's view) in the upper 16 bits, two's complement, and the distance plus one in the lower
//! 16, or 0 for none.

use std::{collections::HashMap, sync::Arc};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    BuildError, Shelf, TableId, Workbench,
    ladder::{self, QuietTurns, Score, Sets, Store},
    links::{Entry, Links},
    scratch::Scratch,
    section_name,
    slice::{Conversion, Slice, Stand},
    values::{Values, structure_groups, structure_squares},
};
use crate::{
    board::{Bitboard, Board, Color, Group, Man, Square, Symmetry},
    index::{Index, MAX_MEN, Material},
    rules::{Castling, Laws, Setup},
    table::{CellSpec, Cells, Table, TableError, TableWriter, Width},
};

/// A value on the ladder with its distance.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// White's view.
    pub value: i32,
    /// Plies, or none.
    pub distance: Option<u16>,
}

impl Outcome {
    /// The same with the sides exchanged, where that negates the value.
    pub fn swap_colors(self) -> Outcome {
        Outcome { value: -self.value, distance: self.distance }
    }

    pub(super) fn of<S: Store>(score: Score) -> Outcome {
        Outcome { value: score.value::<S>(), distance: score.distance::<S>() }
    }

    fn packed(self) -> u32 {
        (self.value as u16 as u32) << 16 | self.distance.map_or(0, |d| u32::from(d) + 1)
    }

    pub(super) fn unpack(packed: u32) -> Outcome {
        let distance = (packed as u16).checked_sub(1);
        Outcome { value: i32::from((packed >> 16) as i16), distance }
    }
}

/// What a game whose pieces move as in chess adds to have ladder tables.
pub trait LadderGame: Sync {
    /// How scores are kept while solving.
    type Store: Store;

    /// The turns that stay in a slice.
    type Quiet: QuietTurns;

    /// The turns that stay in a slice.
    fn quiet(&self) -> Self::Quiet;

    /// What departs from orthodox moves.
    fn laws(&self) -> Laws;

    /// Whether one table serves a material and its colour swap.
    fn swaps_colors(&self) -> bool;

    /// What infinite play is worth in a material, White's view.
    fn infinite(&self, material: &Material) -> i32;

    /// Whether the game is over in every position of a material.
    fn is_over(&self, _: &Material) -> bool {
        false
    }

    /// The answers that a table holds for each position, where what came before the position
    /// counts: the suffixes of their sections.
    fn modes(&self, _: &Material) -> &'static [&'static str] {
        &[""]
    }

    /// Which of the [`modes`](LadderGame::modes) of `table` holds after a turn. `capturer` is the
    /// side that captured by it, and `swapped` says whether the table has the sides exchanged.
    fn mode(&self, _table: &Material, _capturer: Option<Color>, _swapped: bool) -> usize {
        0
    }

    /// Whether a turn that mates scores by itself. The mated position is then nothing to play
    /// towards, but has its score all the same.
    const SCORES_MATES: bool = false;

    /// The best score, seen before it, of a quiet turn that mates, if there is one. Asked for only
    /// where such turns [score](LadderGame::SCORES_MATES).
    fn mating_turn(&self, _: &Setup) -> Option<Score> {
        None
    }

    /// The score of a position in which the side to move has no turn.
    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score;

    /// The score, seen before it, of a turn that leaves the slice. `after` is the score of the
    /// position it leads to; by default one ply farther.
    fn convert(&self, _: &Played<'_>, after: Score) -> Score {
        after.later::<Self::Store>()
    }

    /// The score of a position in which a pawn may be taken in passing, by looking one turn ahead
    /// with the rules; `known` gives the score of any position without such a chance.
    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score;

    /// The same where men are in reserve; a material names those too.
    fn look_ahead_with_reserve(
        &self,
        setup: &Setup,
        _material: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        self.look_ahead(setup, &|next| known(next, &Material::of(&next.board)))
    }

    /// The symmetries that keep the value of the positions of a material.
    fn group(&self, material: &Material) -> Group {
        chess_group(material)
    }

    /// Whether `side` may make no board moves but captures.
    fn only_captures(&self, _material: &Material, _side: Color) -> bool {
        false
    }

    /// Offers every drop of `side` in the given lanes, with its score seen before it.
    fn drops(
        &self,
        _slice: &Slice,
        _stand: &Stand,
        _side: Color,
        _lanes: Bitboard,
        _links: &Exits<Self::Store>,
        _offer: &mut dyn FnMut(Bitboard, Score),
    ) {
    }
}

/// A turn that leaves its slice, with what it was played in.
pub struct Played<'a> {
    /// The men of the slice.
    pub men: &'a [Man],
    /// The turn.
    pub turn: &'a Conversion,
    /// Who moves.
    pub side: Color,
    /// The squares of all men before it.
    pub before: [Square; MAX_MEN],
}

/// The group of symmetries a chess-like game keeps.
pub fn chess_group(material: &Material) -> Group {
    if material.has_pawns() { Group::Mirror } else { Group::Full }
}

/// The tables a solver looks into, by material.
pub struct Library<S> {
    /// Each with as many as it has modes.
    tables: HashMap<Material, Vec<Arc<Values<S>>>>,
    swaps: bool,
}

impl<S: Store> Library<S> {
    /// Reads whole tables; `swaps` and `modes` as in [`LadderGame`].
    ///
    /// # Errors
    /// If one is missing or damaged, or memory is lacking.
    pub fn load(
        ids: &[TableId],
        swaps: bool,
        modes: impl Fn(&Material) -> &'static [&'static str],
        infinite: impl Fn(&Material) -> i32,
        bench: &Workbench<'_>,
    ) -> Result<Library<S>, BuildError> {
        let mut tables = HashMap::new();
        for id in ids {
            let (group, infinite) = (chess_group(&id.material), infinite(&id.material));
            let load =
                |suffix: &&str| load::<S>(id, group, swaps, suffix, infinite, bench).map(Arc::new);
            let loaded = modes(&id.material).iter().map(load).collect::<Result<_, _>>()?;
            tables.insert(id.material, loaded);
        }
        Ok(Library { tables, swaps })
    }

    /// Reads whole tables, without modes, of a game that chooses symmetries of its own.
    ///
    /// # Errors
    /// If one is missing or damaged, or memory is lacking.
    pub fn load_folded<G: LadderGame<Store = S>>(
        game: &G,
        ids: &[TableId],
        bench: &Workbench<'_>,
    ) -> Result<Library<S>, BuildError> {
        let swaps = game.swaps_colors();
        let mut tables = HashMap::new();
        for id in ids {
            let (group, infinite) = (game.group(&id.material), game.infinite(&id.material));
            let values = load::<S>(id, group, swaps, "", infinite, bench)?;
            tables.insert(id.material, vec![Arc::new(values)]);
        }
        Ok(Library { tables, swaps })
    }

    /// Adds the next mode of a table, which may still be in the making.
    pub fn add(&mut self, material: Material, values: Arc<Values<S>>) {
        self.tables.entry(material).or_default().push(values);
    }

    /// The table of a material, mode by mode.
    pub fn get(&self, material: &Material) -> Option<&[Arc<Values<S>>]> {
        self.tables.get(material).map(Vec::as_slice)
    }
}

/// The score of an entry.
///
/// # Panics
/// If Kings stand side by side.
pub fn read<S: Store>(values: &Values<S>, entry: &Entry) -> Score {
    let score = values.at(entry.side, &entry.squares).expect("Kings apart").score();
    if entry.swapped { score.swap_colors() } else { score }
}

/// A position as its table knows it, from the men on the board.
pub fn board_entry(board: &Board, to_move: Color, swaps: bool) -> Entry {
    entry_with_reserve(board, &Material::of(board), to_move, swaps)
}

/// The same where men are in reserve; `material` names those too.
pub fn entry_with_reserve(
    board: &Board,
    material: &Material,
    to_move: Color,
    swaps: bool,
) -> Entry {
    let named = if swaps { material.stronger_first() } else { *material };
    let equal = swaps && *material == material.swap_colors();
    let swapped = named != *material || equal && to_move == Color::Black;
    let mut squares = [Square::new(0); MAX_MEN];
    let mut next = 0;
    for color in Color::ALL {
        let shown = if swapped { !color } else { color };
        for role in crate::board::Role::ALL {
            for square in board.men(shown, role) {
                squares[next] = if swapped { Symmetry::HALF_TURN.image(square) } else { square };
                next += 1;
            }
        }
    }
    Entry { side: if swapped { !to_move } else { to_move }, squares, swapped }
}

/// The sides to move that a table of this material knows.
pub fn table_sides(material: &Material, swaps: bool) -> usize {
    if swaps && *material == material.swap_colors() { 1 } else { 2 }
}

/// Solves all slices of a material.
///
/// # Errors
/// If scratch space is lacking.
pub fn solve<G: LadderGame>(
    game: &G,
    material: &Material,
    library: &mut Library<G::Store>,
    bench: &Workbench<'_>,
) -> Result<Arc<Values<G::Store>>, BuildError> {
    let symmetries = game.group(material);
    let only_capture = Color::ALL.map(|side| game.only_captures(material, side));
    let index = Index::new(material, symmetries);
    let sides = table_sides(material, game.swaps_colors());
    let values = Arc::new(Values::empty(index, sides));
    library.add(*material, values.clone());
    let library = &*library;
    let (hand, swaps) = (material.in_hand(), game.swaps_colors());
    let links = Links::with_reserve(&material.men(), &hand, &game.laws(), swaps, |material| {
        library.get(material).map(<[_]>::to_vec)
    });
    let groups = structure_groups(&values.index);
    bench
        .progress
        .begin(&format!("solving {material}"), groups.iter().map(|g| g.len() as u64).sum());
    for group in groups {
        group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
            let squares = structure_squares(&values.index, structure);
            let slice = Slice::new(material.men(), squares, symmetries, game.laws())
                .where_only_capture(only_capture);
            let mut legal = ladder::legal_positions(&slice);
            let (mut cells, mated) =
                options(game, material, &slice, &legal, &links, library, bench)?;
            if G::SCORES_MATES {
                offer_mates(game, &slice, &legal, &mated, &mut cells);
                without(&mut legal, &mated);
            }
            ladder::settle(&slice, &game.quiet(), &legal, &mut cells, game.infinite(material));
            if G::SCORES_MATES {
                end_mated(game, &slice, &mated, &mut cells);
            }
            let none = Store::NONE;
            values.fill(structure, &slice, &cells, none, bench.budget)?;
            cells.into_iter().for_each(|array| bench.budget.release(array));
            bench.progress.advance(1);
            Ok(())
        })?;
    }
    Ok(values)
}

/// The tables that conversions lead to, each with its modes.
pub type Exits<S> = Links<Vec<Arc<Values<S>>>>;

/// The best score of a turn that leaves the slice, or of the end of the game, for every position;
/// and the positions that are checkmate.
#[allow(clippy::type_complexity)]
fn options<G: LadderGame>(
    game: &G,
    material: &Material,
    slice: &Slice,
    legal: &Sets,
    links: &Exits<G::Store>,
    library: &Library<G::Store>,
    bench: &Workbench<'_>,
) -> Result<([Scratch<G::Store>; 2], Sets), BuildError> {
    let over = game.is_over(material);
    let fill = |side: Color| -> Result<(Scratch<G::Store>, Vec<u64>), BuildError> {
        let mut cells = bench.budget.array(slice.words() * 64, G::Store::NONE)?;
        let mut mated = vec![0; slice.words()];
        let rows = (cells.par_chunks_mut(64), mated.par_iter_mut()).into_par_iter();
        rows.with_min_len(ladder::MIN_WORDS).enumerate().for_each(|(word, (row, mated))| {
            let lanes = Bitboard(legal[side.index()][word]);
            if !lanes.is_empty() && !over {
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                row_options(game, slice, &stand, side, lanes, row, links, library);
                let open = legal[(!side).index()].as_slice();
                *mated = finish(game, slice, &stand, side, lanes, row, open).0;
            }
        });
        Ok((cells, mated))
    };
    let ((white, white_mated), (black, black_mated)) = (fill(Color::White)?, fill(Color::Black)?);
    Ok(([white, black], [white_mated, black_mated]))
}

/// Offers every position its quiet turns to one of the `mated` positions.
fn offer_mates<G: LadderGame>(
    game: &G,
    slice: &Slice,
    legal: &Sets,
    mated: &Sets,
    cells: &mut [Scratch<G::Store>; 2],
) {
    for side in Color::ALL {
        let targets = &mated[(!side).index()];
        let rows = cells[side.index()].par_chunks_mut(64).with_min_len(ladder::MIN_WORDS);
        rows.enumerate().for_each(|(word, row)| {
            let lanes = legal[side.index()][word];
            let Some(stand) = slice.stand(word).filter(|_| lanes != 0) else { return };
            let mating = lanes & game.quiet().reach(slice, &stand, side, &|word| targets[word]);
            for lane in Bitboard(mating) {
                let board = board_of(slice.men(), &lane_squares(slice, &stand, lane), None);
                if let Some(score) = game.mating_turn(&plain_setup(board, side, None)) {
                    offer(&mut row[lane.number()], side, score);
                }
            }
        });
    }
}

/// Takes some positions out of a set.
fn without(set: &mut Sets, out: &Sets) {
    for (words, out) in set.iter_mut().zip(out) {
        words.iter_mut().zip(out).for_each(|(word, out)| *word &= !out);
    }
}

/// Gives the mated positions the score of the game's end.
fn end_mated<G: LadderGame>(
    game: &G,
    slice: &Slice,
    mated: &Sets,
    cells: &mut [Scratch<G::Store>; 2],
) {
    for side in Color::ALL {
        for (word, &lanes) in mated[side.index()].iter().enumerate().filter(|&(_, &l)| l != 0) {
            let stand = slice.stand(word).expect("mated positions stand somewhere");
            for lane in Bitboard(lanes) {
                let board = board_of(slice.men(), &lane_squares(slice, &stand, lane), None);
                cells[side.index()][word * 64 + lane.number()] =
                    G::Store::keep(game.terminal(&board, side, true));
            }
        }
    }
}

/// Where everybody stands in a lane.
fn lane_squares(slice: &Slice, stand: &Stand, lane: Square) -> [Square; MAX_MEN] {
    let mut squares = stand.squares;
    if let Some(runner) = slice.runner() {
        squares[runner] = lane;
    }
    squares
}

/// Keeps the better of what a cell has and another option of `side`.
fn offer<S: Store>(cell: &mut S, side: Color, score: Score) {
    let score = S::keep(score);
    let better = match side {
        Color::White => score > *cell,
        Color::Black => score < *cell,
    };
    if better || *cell == S::NONE {
        *cell = score;
    }
}

#[allow(clippy::too_many_arguments)]
fn row_options<G: LadderGame>(
    game: &G,
    slice: &Slice,
    stand: &Stand,
    side: Color,
    lanes: Bitboard,
    row: &mut [G::Store],
    links: &Exits<G::Store>,
    library: &Library<G::Store>,
) {
    slice.conversions(stand, side, lanes, |turn, lanes, squares| {
        let after = if turn.en_passant {
            let setup = passing_setup(slice, turn, side, squares);
            let material = links.hand().with_board(&setup.board);
            known(game, &setup, &material, None, library)
        } else {
            let (link, modes) = links.get(turn).expect("a table of every successor");
            let entry = link.entry(!side, squares);
            let capturer = turn.captured.map(|_| side);
            read(&modes[game.mode(&link.material, capturer, entry.swapped)], &entry)
        };
        for lane in lanes {
            let before = lane_squares(slice, stand, lane);
            let played = Played { men: slice.men(), turn, side, before };
            offer(&mut row[lane.number()], side, game.convert(&played, after));
        }
    });
    game.drops(slice, stand, side, lanes, links, &mut |lanes, score| {
        lanes.for_each(|lane| offer(&mut row[lane.number()], side, score));
    });
}

/// Gives the lanes without any turn the score of the game's end, and returns those in which the
/// side to move is mated.
fn finish<G: LadderGame>(
    game: &G,
    slice: &Slice,
    stand: &Stand,
    side: Color,
    lanes: Bitboard,
    row: &mut [G::Store],
    open: &[u64],
) -> Bitboard {
    let quiet = Bitboard(game.quiet().reach(slice, stand, side, &|word| open[word]));
    let ended = (lanes & !quiet).filter(|lane| row[lane.number()] == G::Store::NONE);
    let ended: Bitboard = ended.collect();
    if ended.is_empty() {
        return ended;
    }
    let checked = slice.checked(stand, side);
    for lane in ended {
        let board = board_of(slice.men(), &lane_squares(slice, stand, lane), None);
        row[lane.number()] = G::Store::keep(game.terminal(&board, side, checked.contains(lane)));
    }
    ended & checked
}

/// The board on which men stand on these squares, but for one.
pub fn board_of(men: &[Man], squares: &[Square], without: Option<usize>) -> Board {
    let mut board = Board::EMPTY;
    for (i, (&man, &square)) in men.iter().zip(squares).enumerate() {
        if Some(i) != without {
            board.put(square, man);
        }
    }
    board
}

/// The position after a double step.
pub fn passing_setup(slice: &Slice, turn: &Conversion, side: Color, squares: &[Square]) -> Setup {
    let board = board_of(slice.men(), squares, None);
    let behind = turn.to.offset(0, -side.forward()).expect("a pawn has walked two squares");
    plain_setup(board, !side, Some(behind))
}

/// A set-up as tables know it: no castling, counters at their start.
pub fn plain_setup(board: Board, to_move: Color, en_passant: Option<Square>) -> Setup {
    Setup { board, to_move, castling: Castling::NONE, en_passant, halfmove: 0, fullmove: 1 }
}

/// The score of a position, looked ahead where a pawn can be taken in passing; `material` names
/// also the men in reserve, and `capturer` is the side that captured by the turn that led to it.
///
/// # Panics
/// If its table is not in the library, or Kings stand side by side.
fn known<G: LadderGame>(
    game: &G,
    setup: &Setup,
    material: &Material,
    capturer: Option<Color>,
    library: &Library<G::Store>,
) -> Score {
    let Setup { board, to_move, .. } = setup;
    if setup.en_passant.is_some() {
        return game.look_ahead_with_reserve(setup, material, &|next, material| {
            let captured = next.board.occupied().len() < board.occupied().len();
            known(game, next, material, captured.then_some(*to_move), library)
        });
    }
    let entry = entry_with_reserve(board, material, *to_move, library.swaps);
    let named = if library.swaps { material.stronger_first() } else { *material };
    read(&library.tables[&named][game.mode(&named, capturer, entry.swapped)], &entry)
}

/// Writes the cells of a solved table: a section per side to move, named after the side and with
/// `suffix` behind it.
///
/// # Errors
/// If the file cannot be written.
pub fn write_sections<S: Store>(
    writer: &mut TableWriter,
    suffix: &str,
    values: &Values<S>,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    values.sides().iter().try_for_each(|&side| {
        write_section(writer, section_name(side, suffix), values, side, bench)
    })
}

/// Writes the cells of `values` for one side to move.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_section<S: Store>(
    writer: &mut TableWriter,
    name: String,
    values: &Values<S>,
    side: Color,
    bench: &Workbench<'_>,
) -> Result<(), TableError> {
    let present = values.distinct(side);
    let mut scores: Vec<S> = present.into_iter().filter(|&cell| cell != S::NONE).collect();
    scores.sort_unstable();
    let places: FxHashMap<S, u32> = scores.iter().copied().zip(0..).collect();
    let palette = scores.iter().map(|cell| Outcome::of::<S>(cell.score()).packed()).collect();
    let width = Width::holding(scores.len().saturating_sub(1) as u32);
    let spec = CellSpec::new(name, values.index.len(), width).with_palette(palette);
    writer.cells(spec, |range, bytes| {
        bench.progress.advance(range.end - range.start);
        // Numbers that are no positions repeat their neighbour, which packs best.
        let first = range.clone().map(|n| values.get(side, n)).find(|&cell| cell != S::NONE);
        let mut last: u32 = first.map_or(0, |cell| places[&cell]);
        for (number, entry) in range.zip(bytes.chunks_exact_mut(width.bytes())) {
            let cell = values.get(side, number);
            if cell != S::NONE {
                last = places[&cell];
            }
            entry.copy_from_slice(&last.to_le_bytes()[..width.bytes()]);
        }
    })
}

/// Reads a whole table for solving.
fn load<S: Store>(
    id: &TableId,
    group: Group,
    swaps: bool,
    suffix: &str,
    infinite: i32,
    bench: &Workbench<'_>,
) -> Result<Values<S>, BuildError> {
    let table = Shelf::open(bench.shelf, id)?;
    let index = Index::new(&id.material, group);
    let values = Values::empty(index, table_sides(&id.material, swaps));
    let sides = values
        .sides()
        .iter()
        .map(|&side| {
            let cells = sized(&table, &section_name(side, suffix), values.index.len())?;
            read_section(&cells, infinite)
        })
        .collect::<Result<Vec<_>, TableError>>()?;
    values.load(&sides, bench.budget)?;
    Ok(values)
}

/// Reads a whole section that [`write_section`] has written.
///
/// # Errors
/// If it is damaged.
pub(super) fn read_section<S: Store>(cells: &Cells, infinite: i32) -> Result<Vec<S>, TableError> {
    let palette: Vec<S> = cells
        .palette()
        .unwrap_or_default()
        .iter()
        .map(|&packed| {
            let outcome = Outcome::unpack(packed);
            S::keep(Score::new::<S>(outcome.value, outcome.distance, infinite))
        })
        .collect();
    let bytes = cells.read_all()?;
    let width = cells.section().width.bytes();
    bytes
        .par_chunks_exact(width)
        .with_min_len(1 << 14)
        .map(|entry| {
            let place = entry.iter().rfold(0, |n, &byte| n << 8 | usize::from(byte));
            palette.get(place).copied().ok_or_else(|| cells.not_in_palette(place as u32))
        })
        .collect()
}

/// A section that must have so many entries.
pub(super) fn sized(table: &Table, name: &str, entries: u64) -> Result<Cells, TableError> {
    let cells = table.cells(name)?;
    if cells.entries() == entries {
        return Ok(cells);
    }
    Err(TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{name}`"),
        problem: format!("{} entries instead of {entries}", cells.entries()),
    })
}

/// An open table of a ladder game.
pub struct LadderReader {
    material: Material,
    index: Index,
    sides: Vec<Cells>,
    swaps: bool,
}

impl LadderReader {
    /// Makes a table ready to answer.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub fn open(
        table: &Table,
        material: &Material,
        swaps: bool,
        suffix: &str,
    ) -> Result<LadderReader, TableError> {
        LadderReader::open_folded(table, material, chess_group(material), swaps, suffix)
    }

    /// The same for a table whose positions are folded by a group of their own.
    ///
    /// # Errors
    /// As [`open`](LadderReader::open).
    pub fn open_folded(
        table: &Table,
        material: &Material,
        group: Group,
        swaps: bool,
        suffix: &str,
    ) -> Result<LadderReader, TableError> {
        let index = Index::new(material, group);
        let sides = Color::ALL[..table_sides(material, swaps)]
            .iter()
            .map(|&side| sized(table, &section_name(side, suffix), index.len()))
            .collect::<Result<_, _>>()?;
        Ok(LadderReader { material: *material, index, sides, swaps })
    }

    /// The men of its positions, those in reserve too.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// What it says of the position with these men. They must be those of the table, in a legal
    /// position.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn read(&self, board: &Board, to_move: Color) -> Result<Outcome, TableError> {
        self.read_with_reserve(board, &Material::of(board), to_move)
    }

    /// The same where men are in reserve; `material` names those too.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn read_with_reserve(
        &self,
        board: &Board,
        material: &Material,
        to_move: Color,
    ) -> Result<Outcome, TableError> {
        let entry = entry_with_reserve(board, material, to_move, self.swaps);
        let outcome = self.read_number(entry.side, entry_number(&self.index, &entry))?;
        Ok(if entry.swapped { outcome.swap_colors() } else { outcome })
    }

    /// What it says of the position with this number.
    ///
    /// # Errors
    /// If the file turns out damaged, or there is no such number.
    pub fn read_number(&self, side: Color, number: u64) -> Result<Outcome, TableError> {
        self.sides[side.index()].get(number).map(Outcome::unpack)
    }

    /// How many cells it has.
    pub fn cells(&self) -> u64 {
        self.index.len() * self.sides.len() as u64
    }

    /// How many placements a cell stands for.
    pub fn weight(&self, cell: u64) -> u64 {
        self.index.weight(cell % self.index.len())
    }

    /// The position of a cell, if it is legal under `laws`.
    pub fn cell(&self, cell: u64, laws: &Laws) -> Option<Setup> {
        indexed_setup(&self.index, cell, laws)
    }
}

/// The number of an entry in its table; 0 for Kings side by side, which no legal position has.
pub fn entry_number(index: &Index, entry: &Entry) -> u64 {
    index.encode(&entry.squares[..index.men().len()]).unwrap_or(0)
}

/// The position of a cell, counting all with White to move first; `None` if it is not legal.
///
/// # Panics
/// If there are not so many cells.
pub fn indexed_setup(index: &Index, cell: u64, laws: &Laws) -> Option<Setup> {
    let side = Color::ALL[(cell / index.len()) as usize];
    let squares = index.decode(cell % index.len())?;
    let setup = plain_setup(board_of(index.men(), &squares, None), side, None);
    (!(laws.royal && setup.in_check(!side))).then_some(setup)
}

//! Tables of games with a ladder, solved slice by slice.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    ladder::{self, QuietTurns, Sets},
    ladder_file::LeftOut,
    links::Links,
    scratch::Scratch,
    slice::{Conversion, Slice, Stand},
    values::{Values, structure_groups, structure_squares},
};
use crate::{
    answer::{
        place::{Entry, board_of, chess_group, entry_with_reserve, plain_setup, table_sides},
        score::{Score, Store, offer},
    },
    board::{Bitboard, Board, Color, Group, Man, Square},
    index::{Index, MAX_MEN, Material},
    rules::{Laws, Setup},
    solve::{BuildError, Workbench},
};

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

    /// Which of its answers `table` gives after a turn, where a table holds several for a position
    /// since what came before it counts. `capturer` is the side that captured by the turn, and
    /// `swapped` says whether the table has the sides exchanged.
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
        _links: &LadderLinks<Self::Store>,
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

/// The tables a solver looks into, by material.
pub struct Library<S> {
    /// Each with as many as it has answers for a position.
    tables: FxHashMap<Material, Vec<Arc<Values<S>>>>,
    swaps: bool,
}

impl<S: Store> Library<S> {
    /// No tables yet; `swaps` as in [`LadderGame::swaps_colors`].
    pub fn new(swaps: bool) -> Library<S> {
        Library { tables: FxHashMap::default(), swaps }
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
    let index = Index::new(material, game.group(material));
    let sides = table_sides(material, game.swaps_colors());
    let values = Arc::new(Values::empty(index, sides));
    library.add(*material, values.clone());
    let conversions = Conversions::new(game, material, library);
    let groups = structure_groups(&values.index);
    bench
        .progress
        .begin(&format!("solving {material}"), groups.iter().map(|g| g.len() as u64).sum());
    for group in groups {
        group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
            let slice = conversions.slice(&values.index, structure);
            let mut legal = ladder::legal_positions(&slice);
            let (mut cells, mated) = conversions.options(&slice, &legal, bench)?;
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
            bench.progress.advance(1);
            Ok(())
        })?;
    }
    Ok(values)
}

/// The tables that turns lead to, each with its modes.
pub type LadderLinks<S> = Links<Vec<Arc<Values<S>>>>;

/// The turns that leave the slices of a material.
pub struct Conversions<'a, G: LadderGame> {
    game: &'a G,
    material: Material,
    library: &'a Library<G::Store>,
    exits: LadderLinks<G::Store>,
}

impl<'a, G: LadderGame> Conversions<'a, G> {
    /// Those of `material` to the tables in `library`.
    pub fn new(
        game: &'a G,
        material: &Material,
        library: &'a Library<G::Store>,
    ) -> Conversions<'a, G> {
        let (reserve, swaps) = (material.in_reserve(), game.swaps_colors());
        let exits =
            Links::with_reserve(&material.men(), &reserve, &game.laws(), swaps, |material| {
                library.get(material).map(<[_]>::to_vec)
            });
        Conversions { game, material: *material, library, exits }
    }

    /// The slice of a pawn structure.
    fn slice(&self, index: &Index, structure: usize) -> Slice {
        let Conversions { game, material, .. } = self;
        let squares = structure_squares(index, structure);
        Slice::new(material.men(), squares, game.group(material), game.laws())
            .where_only_capture(Color::ALL.map(|side| game.only_captures(material, side)))
    }

    /// The best score of a capture or promotion in each position of the material's table. All
    /// tables that those lead to must be there.
    pub fn left_out(&self) -> impl LeftOut<G::Store> {
        let index = Index::new(&self.material, self.game.group(&self.material));
        let structures = index.structures().map_or(1, |structures| structures.len());
        let slices: Vec<Slice> = (0..structures).map(|n| self.slice(&index, n)).collect();
        move |index: &Index, side, number| {
            let mut best = G::Store::NONE;
            let slice = &slices[(number / index.structure_range(0).end) as usize];
            let at = index.decode(number).and_then(|squares| slice.locate(&squares));
            let Some((word, lane)) = at else { return best };
            let Some(stand) = slice.stand(word) else { return best };
            let changes_men =
                |turn: &Conversion| turn.captured.is_some() || turn.promotion.is_some();
            self.each(slice, &stand, side, lane.bit(), changes_men, |_, score| {
                offer(&mut best, side, G::Store::keep(score));
            });
            best
        }
    }

    /// The best score of a turn that leaves the slice, or of the end of the game, for every
    /// position; and the positions that are checkmate.
    #[allow(clippy::type_complexity)]
    fn options(
        &self,
        slice: &Slice,
        legal: &Sets,
        bench: &Workbench<'_>,
    ) -> Result<([Scratch<G::Store>; 2], Sets), BuildError> {
        let over = self.game.is_over(&self.material);
        let fill = |side: Color| -> Result<(Scratch<G::Store>, Vec<u64>), BuildError> {
            let mut cells = bench.budget.array(slice.words() * 64, G::Store::NONE)?;
            let mut mated = vec![0; slice.words()];
            let rows = (cells.par_chunks_mut(64), mated.par_iter_mut()).into_par_iter();
            rows.with_min_len(ladder::MIN_WORDS).enumerate().for_each(|(word, (row, mated))| {
                let lanes = Bitboard(legal[side.index()][word]);
                if !lanes.is_empty() && !over {
                    let stand = slice.stand(word).expect("legal lanes stand somewhere");
                    self.row_options(slice, &stand, side, lanes, row);
                    let open = legal[(!side).index()].as_slice();
                    *mated = finish(self.game, slice, &stand, side, lanes, row, open).0;
                }
            });
            Ok((cells, mated))
        };
        let ((white, white_mated), (black, black_mated)) =
            (fill(Color::White)?, fill(Color::Black)?);
        Ok(([white, black], [white_mated, black_mated]))
    }

    /// Calls `meet` for every turn of `side` that is `wanted`, in each of the `lanes` that has it,
    /// with its score seen before it.
    fn each(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        wanted: impl Fn(&Conversion) -> bool,
        mut meet: impl FnMut(Square, Score),
    ) {
        let &Conversions { game, library, ref exits, .. } = self;
        slice.conversions(stand, side, lanes, |turn, lanes, squares| {
            if !wanted(turn) {
                return;
            }
            let after = if turn.en_passant {
                let setup = passing_setup(slice, turn, side, squares);
                let material = exits.reserve().with_board(&setup.board);
                known(game, &setup, &material, None, library)
            } else {
                let (link, modes) = exits.get(turn).expect("a table of every successor");
                let entry = link.entry(!side, squares);
                let capturer = turn.captured.map(|_| side);
                read(&modes[game.mode(&link.material, capturer, entry.swapped)], &entry)
            };
            for lane in lanes {
                let before = lane_squares(slice, stand, lane);
                let played = Played { men: slice.men(), turn, side, before };
                meet(lane, game.convert(&played, after));
            }
        });
    }

    /// Offers a row of cells the turns of `side` in the given lanes.
    fn row_options(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        row: &mut [G::Store],
    ) {
        self.each(
            slice,
            stand,
            side,
            lanes,
            |_| true,
            |lane, score| {
                offer(&mut row[lane.number()], side, G::Store::keep(score));
            },
        );
        self.game.drops(slice, stand, side, lanes, &self.exits, &mut |lanes, score| {
            lanes.for_each(|lane| offer(&mut row[lane.number()], side, G::Store::keep(score)));
        });
    }
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
                    offer(&mut row[lane.number()], side, G::Store::keep(score));
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

/// The position after a double step.
pub fn passing_setup(slice: &Slice, turn: &Conversion, side: Color, squares: &[Square]) -> Setup {
    let board = board_of(slice.men(), squares, None);
    let behind = turn.to.offset(0, -side.forward()).expect("a pawn has walked two squares");
    plain_setup(board, !side, Some(behind))
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

//! Ordinary variants of chess: win, draw or loss, and the plies to the end, whichever comes.
//!
//! Tables leave out what captures and promotions decide. Positions in which the game is over
//! although there may be turns are answered by the rules; their cells are no positions.

use std::cmp::Ordering;

use super::{
    Contents, LadderReader, Plies, TableId, Tabled, Unanswerable, UnfitMaterial, Wdl, WinDrawLoss,
    chess::{check_men, chess_material},
    own_table_id,
    place::chess_group,
    sections::table_material,
};
use crate::{
    board::{Bitboard, ByColor, Color, Group, Man, Movement, Role, Symmetry},
    index::{Index, Material},
    rules::{ChessEnding, Ending, Game, Laws, Move, Setup, UnfitRoyalMen, Variant},
    table::{Table, TableError},
};

/// What the names of sections have behind the side to move, since captures and promotions are left
/// out; behind that, where checks are counted, those that the sides have left.
pub(crate) const QUIET: &str = " quiet";

/// How many modes tables have: one for each number of checks that the sides may have left, where
/// these are counted.
pub(crate) fn modes(game: Variant) -> usize {
    usize::from(game.winning_checks.max(1)).pow(2)
}

/// The checks that the sides have left in a mode, where they are counted. Who gives one goes to a
/// mode before.
pub(crate) fn checks_left(game: Variant, mode: usize) -> Option<ByColor<u8>> {
    let most = usize::from(game.winning_checks);
    let left = |place: usize| place as u8 + 1;
    (most > 0).then(|| ByColor { white: left(mode / most), black: left(mode % most) })
}

/// The mode in which the sides have so many checks left, as a table sees it.
pub(crate) fn mode_of(game: Variant, left: ByColor<u8>, swapped: bool) -> usize {
    let ByColor { white, black } = left;
    let (white, black) = if swapped { (black, white) } else { (white, black) };
    usize::from(game.winning_checks) * (usize::from(white) - 1) + usize::from(black) - 1
}

/// What the names of a mode's sections have behind the side to move.
pub(crate) fn suffix(game: Variant, mode: usize) -> String {
    checks_left(game, mode).map_or_else(|| QUIET.to_owned(), |left| format!("{QUIET} {left}"))
}

/// Whether one table serves a material and its colour swap: unless the rules are others for Black
/// than for White.
pub(crate) fn swaps_colors(game: Variant) -> bool {
    // Every probe asks.
    let turn = Symmetry::HALF_TURN.on(game.laws.size);
    let half_turn = |squares: Bitboard| turn.image_of_set(squares);
    let Laws { double_steps, triple_steps, promotion_squares, en_passant, .. } = game.laws;
    let Laws { promotions, passing, .. } = game.laws;
    let there = game.laws.size.squares();
    let is_equal =
        |squares: &ByColor<Bitboard>| half_turn(squares.white & there) == squares.black & there;
    let ByColor { white, black } = game.laws.promoting;
    let promoting = game.laws.promoting_pieces(Color::White).with(Role::Pawn, true);
    let promotes = !game.men.and(promoting).is_empty();
    let as_many = |role| {
        let count = |color| game.start.board.men(color, role).len();
        count(Color::White) == count(Color::Black)
    };
    let kept = |color| game.kept_men(color).map(|(role, region)| (role, half_turn(region)));
    !game.goal.last_turn
        && game.laws.perhaps_royal().iter().all(as_many)
        && is_equal(&game.goal.squares)
        && (!promotes
            || [double_steps, triple_steps, promotion_squares, en_passant].iter().all(is_equal))
        && (game.laws.movements.are_usual() || kept(Color::White).eq(game.kept_men(Color::Black)))
        && (is_equal(&double_steps) || !game.has_initial_moves())
        && white == black
        && promotions.white == promotions.black
        && passing.white == passing.black
}

/// The symmetries that keep the value of the positions of a material.
pub(crate) fn group(game: Variant, material: &Material) -> Group {
    let mut squares = vec![game.goal.squares.white, game.goal.squares.black];
    let Laws { double_steps, triple_steps, promotion_squares, en_passant, .. } = game.laws;
    let both = |of: ByColor<Bitboard>| [of.white, of.black];
    if material.has_pawns() {
        squares.extend([double_steps, triple_steps, en_passant].into_iter().flat_map(both));
    }
    let men = material.men();
    if men.iter().any(|&man| game.laws.promotes(man)) {
        squares.extend(both(promotion_squares));
    }
    // What men may become counts as well: it is worth other than its image.
    let promoted = men
        .iter()
        .flat_map(|&man| game.laws.ever_becomes(man).iter().map(move |role| Man { role, ..man }));
    let movements: Vec<Movement> =
        men.iter().copied().chain(promoted).map(|man| game.laws.movements.of(man)).collect();
    let keeps = |group: &Group| {
        let mut symmetries = group.symmetries();
        symmetries.all(|symmetry| {
            movements.iter().all(|movement| movement.keeps(symmetry))
                && squares.iter().all(|&set| image(set, symmetry) == set)
        })
    };
    let groups = [chess_group(material), Group::SQUARE_COLORS, Group::MIRROR, Group::TRIVIAL];
    groups
        .map(|group| group.on(game.laws.size).with_pawns_on_ends(game.laws.pawns_on_ends()))
        .into_iter()
        .find(keeps)
        .expect("the trivial group keeps everything")
}

/// The men that a name means in a game, where the letter of pawns may be another man's.
fn meant(game: Variant, material: &Material) -> Material {
    if game.men.contains(Role::P) { material.without_pawns() } else { *material }
}

/// Where a symmetry takes squares.
fn image(squares: Bitboard, symmetry: Symmetry) -> Bitboard {
    squares.map(|square| symmetry.image(square)).collect()
}

/// How the positions of a material are numbered.
pub(crate) fn index(game: Variant, material: &Material) -> Index {
    if game.laws.keeps_kings_apart() {
        Index::new(material, group(game, material))
    } else {
        Index::with_common_kings(material, group(game, material))
    }
}

/// How many numbers [`index`] gives.
#[cfg(feature = "build")]
pub(crate) fn numbers(game: Variant, material: &Material) -> u64 {
    if game.laws.keeps_kings_apart() {
        Index::count(material, group(game, material))
    } else {
        Index::count_with_common_kings(material, group(game, material))
    }
}

/// The answer where a game has ended, for the side to move.
fn ended(setup: &Setup, ending: ChessEnding) -> WinDrawLoss {
    match ending.winner() {
        Some(winner) if winner == setup.to_move => {
            WinDrawLoss { wdl: Wdl::Win, dtm: Some(Plies::ZERO) }
        }
        Some(_) => WinDrawLoss { wdl: Wdl::Loss, dtm: Some(Plies::ZERO) },
        None => WinDrawLoss { wdl: Wdl::Draw, dtm: None },
    }
}

/// An open table of an ordinary variant.
#[derive(Debug)]
pub struct VariantReader {
    /// One for each number of checks that the sides may have left, all with as many cells.
    modes: Vec<LadderReader>,
}

impl VariantReader {
    /// The number of the mode of a position's men and checks, with a side to move.
    #[inline]
    fn mode_number(&self, game: Variant, setup: &Setup, to_move: Color) -> usize {
        let of = |left| mode_of(game, left, self.modes[0].swaps(&setup.board, to_move));
        setup.checks_left.map_or(0, of)
    }

    /// The mode itself.
    #[inline]
    fn mode(&self, game: Variant, setup: &Setup, to_move: Color) -> &LadderReader {
        &self.modes[self.mode_number(game, setup, to_move)]
    }

    /// The mode of a cell, and its place there.
    fn part(&self, cell: u64) -> (usize, u64) {
        let cells = self.modes[0].cells();
        ((cell / cells) as usize, cell % cells)
    }
}

impl Tabled for Variant {
    type Answer = WinDrawLoss;
    type Reader = VariantReader;

    const CONTENTS: &'static [Contents] = &[Contents::Distance, Contents::Result];
    const CELLS_TELL_ALL: bool = true;

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        let material = &meant(*self, material);
        let stray = self.laws.stray_pawn(material);
        check_men(self, material, |color| {
            if stray == Some(color) {
                return Some(format!("{color} has no pawns in this game"));
            }
            if !self.laws.has_royal() {
                return (material.men_of(color) == 0).then(|| format!("{color} has no men"));
            }
            let unfit = self.unfit_royal_men(material, color)?;
            let UnfitRoyalMen { color, role, found, .. } = unfit;
            let title = self.title_of(role);
            Some(match found {
                0 => format!("{color} has no {title}"),
                1 => format!("{color} has one {title}"),
                n => format!("{color} has {n} {title}s"),
            })
        })?;
        let unfit = |reason: &str| {
            Err(UnfitMaterial { game: self.name(), material: *material, reason: reason.to_owned() })
        };
        if !self.laws.have_room(material.pawns()) {
            return unfit("so many pawns do not fit on the squares where they can stand");
        }
        if self.is_over_with(material) {
            return unfit("the game is over with these men");
        }
        Ok(if swaps_colors(*self) { material.stronger_first() } else { *material })
    }

    fn table_id(&self, named: &Material, contents: Contents) -> TableId {
        own_table_id(self, &meant(*self, named), contents)
    }

    fn open(&self, table: &Table) -> Result<VariantReader, TableError> {
        let material = meant(*self, &table_material(table)?);
        let (index, swaps) = (index(*self, &material), swaps_colors(*self));
        let open =
            |mode| LadderReader::open(table, index.clone(), &material, swaps, &suffix(*self, mode));
        Ok(VariantReader { modes: (0..modes(*self)).map(open).collect::<Result<_, _>>()? })
    }

    fn men_of(&self, setup: &Setup) -> Result<Material, Unanswerable> {
        chess_material(setup)
    }

    fn read(
        &self,
        reader: &VariantReader,
        setup: &Setup,
    ) -> Result<Option<WinDrawLoss>, TableError> {
        let outcome = reader.mode(*self, setup, setup.to_move).read(&setup.board, setup.to_move)?;
        Ok(outcome.map(|outcome| WinDrawLoss::new(outcome, setup.to_move)))
    }

    fn read_cell(
        &self,
        reader: &VariantReader,
        cell: u64,
        setup: &Setup,
    ) -> Result<Option<WinDrawLoss>, TableError> {
        let (mode, cell) = reader.part(cell);
        let outcome = reader.modes[mode].read_cell(cell)?;
        Ok(outcome.map(|outcome| WinDrawLoss::new(outcome, setup.to_move)))
    }

    fn without_table(&self, setup: &Setup) -> Option<WinDrawLoss> {
        self.ended_early(setup).map(|ending| ended(setup, ending))
    }

    fn left_out(&self, setup: &Setup) -> Vec<Move> {
        setup.conversions(&self.laws)
    }

    fn keeps_men(&self, setup: &Setup, mv: Move) -> bool {
        setup.keeps_men(mv)
    }

    fn is_looked_ahead(&self, setup: &Setup) -> bool {
        setup.en_passant.is_some()
    }

    fn backup(&self, setup: &Setup, options: &[(Move, WinDrawLoss)]) -> WinDrawLoss {
        WinDrawLoss::best(options.iter().map(|&(_, after)| after)).unwrap_or_else(|| {
            let ending = self.ending(setup).expect("a position without turns is an end");
            ended(setup, ending)
        })
    }

    /// Most turns are quiet, and their cells are at hand. What such a cell leaves out only helps
    /// whoever is to move then, so what it says bounds what the turn is worth; and most turns are
    /// seen not to be the best by that.
    fn look_ahead<E: From<TableError>>(
        &self,
        setup: &Setup,
        turns: Vec<Move>,
        own: Option<&VariantReader>,
        mut answer: impl FnMut(Move) -> Result<WinDrawLoss, E>,
    ) -> Result<WinDrawLoss, E> {
        let next = !setup.to_move;
        let own = own.map(|reader| reader.mode(*self, setup, next));
        let standing = own.and_then(|reader| reader.standing(&setup.board, next));
        // A check that is counted leads to another mode.
        let counts = |turn| self.winning_checks > 0 && self.is_check(&self.play(setup, turn));
        let goal = self.goal.squares[setup.to_move];
        // After a last turn the game is over, whatever the cell says, and it may be where who is at
        // a goal is no longer attacked.
        let is_last = self.goal.last_turn && self.reached(&setup.board, next).is_some()
            || self.goal.safe && Color::any(|c| !self.men_at_goal(&setup.board, c).is_empty())
            || self.may_wait() && self.winner_by_lost_men(&setup.board, next).is_some();
        let mut bounds = Vec::with_capacity(turns.len());
        let mut known = Vec::with_capacity(turns.len());
        for turn in turns {
            match &standing {
                // Who reaches the goal has won, whatever the cell says; and a side that can only take
                // in passing is stalemated there.
                Some(standing)
                    if setup.keeps_men(turn)
                        && setup.en_passant_after(&self.laws, turn).is_none()
                        && !goal.contains(turn.to)
                        && !is_last
                        && !counts(turn) =>
                {
                    let outcome = standing.moved(turn.from, turn.to)?;
                    bounds.push((WinDrawLoss::new(outcome, next).before(), turn));
                }
                _ => known.push(answer(turn)?),
            }
        }
        bounds.sort_by(|(a, _), (b, _)| b.prefer(a));
        let best_of = |known: &[WinDrawLoss]| WinDrawLoss::best(known.iter().copied());
        let mut best = best_of(&known);
        for (bound, turn) in bounds {
            if best.is_none_or(|best| bound.may_change(&best)) {
                known.push(answer(turn)?);
                best = best_of(&known);
            }
        }
        Ok(best.unwrap_or_else(|| self.backup(setup, &[])))
    }

    fn is_best(&self, contents: Contents, stored: &WinDrawLoss) -> bool {
        contents == Contents::Result && stored.wdl == Wdl::Win
    }

    fn without_distance(&self, answer: WinDrawLoss) -> WinDrawLoss {
        answer.without_distance()
    }

    fn prefer(&self, _: &Setup, a: &WinDrawLoss, b: &WinDrawLoss) -> Ordering {
        a.prefer(b)
    }

    fn cells(&self, reader: &VariantReader) -> u64 {
        reader.modes.iter().map(LadderReader::cells).sum()
    }

    fn weight(&self, reader: &VariantReader, cell: u64) -> u64 {
        let (mode, cell) = reader.part(cell);
        reader.modes[mode].weight(cell)
    }

    fn group(&self, reader: &VariantReader) -> Group {
        reader.modes[0].group()
    }

    fn identity(&self, setup: &Setup) -> Setup {
        Setup { halfmove: 0, fullmove: 1, ..setup.clone() }
    }

    fn cell(&self, reader: &VariantReader, cell: u64) -> Option<Setup> {
        let (mode, cell) = reader.part(cell);
        let mut setup = reader.modes[mode].cell(cell, &self.laws)?;
        setup.checks_left = checks_left(*self, mode);
        self.ended_early(&setup).is_none().then_some(setup)
    }

    fn cell_side(&self, reader: &VariantReader, cell: u64) -> Color {
        let (mode, cell) = reader.part(cell);
        reader.modes[mode].cell_side(cell)
    }

    fn cell_of(&self, reader: &VariantReader, setup: &Setup) -> Option<u64> {
        // Who has given the last check has won, and no mode is for that.
        if setup.checks_left.is_some_and(|left| Color::any(|side| left[side] == 0)) {
            return None;
        }
        let mode = reader.mode_number(*self, setup, setup.to_move);
        let cell = reader.modes[mode].cell_of(&setup.board, setup.to_move);
        Some(mode as u64 * reader.modes[mode].cells() + cell)
    }
}

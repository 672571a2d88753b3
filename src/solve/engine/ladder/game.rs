//! What a game adds to have its tables solved as a ladder, and the turns that leave its slices.

use std::{cell::RefCell, ops::Range, sync::Arc};

use super::checks::after_check;
use crate::{
    answer::{
        place::{Entry, entry_with_reserve},
        score::{Score, Store, offer},
    },
    board::{Bitboard, Board, ByColor, Color, Square},
    index::{Index, MAX_MEN, Material},
    parallel::{self, chunks},
    rules::Setup,
    solve::engine::{
        pages::{DropLink, LadderDrop, LadderLinks, Link, Links, ResidentPages, TablePages, read},
        slice::{After, Chesslike, Conversion, MIN_WORDS, Sets, Slice, Stand, Word, passing_setup},
    },
};

/// What of the turns that led to a position decides where it is looked up.
#[derive(Copy, Clone, Debug, Default)]
pub struct Turned {
    /// The side that captured by the last turn, if it did.
    pub capturer: Option<Color>,
    /// The checks that the sides have left, where they are counted.
    pub checks_left: Option<ByColor<u8>>,
}

/// A game whose pieces move as in chess, solved as a ladder.
///
/// Two hooks serve games that are more than their moves: [`leaving`](LadderGame::leaving), the
/// turns out of a slice and what they are worth, and [`over`](LadderGame::over), positions in
/// which the game has ended although there may be turns.
pub trait LadderGame: Chesslike {
    /// How scores are kept while solving.
    type Store: Store;

    /// The slice of a material whose pawns stand on `squares`.
    fn slice(&self, material: &Material, squares: [Square; MAX_MEN]) -> Slice {
        Slice::new(material.men(), squares, self.group(material), self.laws())
    }

    /// What infinite play is worth in a material, White's view.
    fn infinite(&self, _: &Material) -> i32 {
        0
    }

    /// The score of a position in which the side to move has no turn.
    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score;

    /// The score of a position in which a pawn may be taken in passing, by looking one turn ahead
    /// with the rules. A material names also the men in reserve; `known` gives the score of any
    /// position without such a chance.
    fn look_ahead(
        &self,
        setup: &Setup,
        material: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score;

    /// The checks that the sides have left in the positions that are solved, where they are
    /// counted. Who gives the last one has won.
    fn checks_left(&self) -> Option<ByColor<u8>> {
        None
    }

    /// Which of its answers `table` gives after a turn, where a table holds several for a position
    /// since what came before it counts. `swapped` says whether the table has the sides exchanged.
    fn mode(&self, _table: &Material, _: Turned, _swapped: bool) -> usize {
        0
    }

    /// Calls `meet` for the turns out of the slice: with the lanes that have one, and its score
    /// seen before it. By default those are the conversions, each one ply farther than what it
    /// leads to.
    fn leaving(
        &self,
        ways: &ExitScores<'_, Self::Store>,
        word: &Word<'_>,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        ways.conversions(word, &mut |lanes, _, after| meet(lanes, after.later::<Self::Store>()));
    }

    /// Whether positions can be [`over`](LadderGame::over).
    fn ends_early(&self) -> bool {
        false
    }

    /// The score of a position in which the men that are left end the game: their material has no
    /// table. Asked for where turns lead to a material without one.
    fn over_by_men(&self, _: &Board, _to_move: Color) -> Option<Score> {
        None
    }

    /// Calls `meet` with lanes in which the game has ended although there may be turns, and the
    /// score. `legal` are all legal positions of the slice.
    fn over(&self, _: &Word<'_>, _legal: &Sets, _meet: &mut dyn FnMut(Bitboard, Score)) {}

    /// Calls `meet` with the score, seen before it, of quiet turns in the lanes of a word, all of
    /// which have one to a position that is [`over`](LadderGame::over) with this score; `ended`
    /// gives those positions, as lanes of a word for the other side to move. By default turns are
    /// worth what they lead to, one ply farther; a game in which such turns themselves score says
    /// otherwise.
    fn ending_turns(
        &self,
        word: &Word<'_>,
        over: Score,
        _ended: &dyn Fn(usize) -> u64,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        meet(word.lanes, over.later::<Self::Store>());
    }
}

/// The turns that leave the slices of a material.
pub struct Conversions<'a, S: Store> {
    game: &'a dyn LadderGame<Store = S>,
    material: Material,
    pages: &'a ResidentPages<S>,
    links: LadderLinks<S>,
    /// As the game says it.
    checks_left: Option<ByColor<u8>>,
}

impl<'a, S: Store> Conversions<'a, S> {
    /// Those of `material` to the tables of which some `pages` are there.
    pub fn new(
        game: &'a dyn LadderGame<Store = S>,
        material: &Material,
        pages: &'a ResidentPages<S>,
    ) -> Conversions<'a, S> {
        let (reserve, swaps) = (material.in_reserve(), game.swaps_colors());
        let links =
            Links::with_reserve(&material.men(), &reserve, &game.laws(), swaps, |material| {
                pages.get(material).map(<[_]>::to_vec)
            });
        let checks_left = game.checks_left();
        Conversions { game, material: *material, pages, links, checks_left }
    }

    /// The slice of a pawn structure.
    pub fn slice(&self, index: &Index, structure: usize) -> Slice {
        self.game.slice(&self.material, index.structure_squares(structure))
    }

    /// The best score of a capture or promotion in the legal positions of some words of a slice, in
    /// the order of words and lanes; `wanted` are the lanes of a word that matter.
    pub fn all_left_out(
        &self,
        slice: &Slice,
        side: Color,
        words: Range<usize>,
        wanted: impl Fn(&Stand) -> Bitboard + Sync,
    ) -> Vec<S> {
        let mut all = vec![S::NONE; words.len() * 64];
        parallel::each(chunks(&mut all[..], 64), MIN_WORDS, |number, row| {
            let Some(stand) = slice.stand(words.start + number) else { return };
            let wanted = wanted(&stand);
            if wanted.is_empty() {
                return;
            }
            let lanes = slice.legal(&stand, side) & wanted;
            self.left_out(Word { slice, stand: &stand, side, lanes }, row);
        });
        all
    }

    /// The same for the positions of a word, lane by lane, if they are better than what is there.
    pub fn left_out(&self, word: Word<'_>, best: &mut [S]) {
        let side = word.side;
        self.changes(word, |lanes, score| {
            lanes.for_each(|lane| offer(&mut best[lane.number()], side, score));
        });
    }

    /// Calls `meet` for every capture and promotion, with the lanes that have it and its score
    /// seen before it.
    fn changes(&self, mut word: Word<'_>, mut meet: impl FnMut(Bitboard, S)) {
        if self.game.ends_early() {
            // Where the game is over no turn decides anything.
            let mut over = Bitboard::EMPTY;
            self.game.over(&word, &Default::default(), &mut |lanes, _| over |= lanes);
            word.lanes &= !over;
        }
        self.each(&word, Conversion::changes_men, |lanes, _, after| {
            meet(lanes, S::keep(after.later::<S>()));
        });
    }

    /// Calls `meet` for every conversion that is `wanted`, with the lanes that have it and the
    /// score of the position it leads to.
    pub fn each(
        &self,
        word: &Word<'_>,
        wanted: impl Fn(&Conversion) -> bool,
        mut meet: impl FnMut(Bitboard, &Conversion, Score),
    ) {
        let &Word { slice, stand, side, lanes } = word;
        let bound = word.bound();
        slice.conversion_rows(stand, side, lanes, |turn, mut lanes, after| {
            if turn.captured.is_none() {
                lanes &= !bound;
            }
            if !lanes.is_empty() && wanted(turn) {
                self.meet_row(slice, side, (turn, lanes, after), |lanes, score| {
                    if after.varies == Some(turn.mover) {
                        let turn_of = |lane| after.turn(turn, lane);
                        lanes.for_each(|lane| meet(lane.bit(), &turn_of(lane), score));
                    } else {
                        meet(lanes, turn, score);
                    }
                });
            }
        });
    }

    /// Calls `meet` with the lanes of a conversion and the score of the position after it; with
    /// none if the turn is met another time.
    #[inline]
    fn meet_row(
        &self,
        slice: &Slice,
        side: Color,
        (turn, lanes, after): (&Conversion, Bitboard, &After),
        mut meet: impl FnMut(Bitboard, Score),
    ) {
        let &Conversions { game, pages, ref links, checks_left, .. } = self;
        if turn.en_passant.is_some() {
            if pages.passing {
                let checked =
                    checks_left.map(|left| (left, slice.checked_after(side, turn, after)));
                for lane in lanes {
                    let mut setup = passing_setup(slice, turn, side, &after.squares(lane));
                    setup.checks_left =
                        checked.map(|(left, checked)| match checked.contains(lane) {
                            true => after_check(left, side),
                            false => left,
                        });
                    let material = links.reserve().with_board(&setup.board);
                    meet(lane.bit(), known(game, &setup, &material, None, pages));
                }
            }
            return;
        }
        if !pages.plain {
            return;
        }
        let Some((link, modes)) = links.get(turn) else {
            let over = |lane| {
                let board = slice.board_after(turn, &after.squares(lane));
                let over = game.over_by_men(&board, !side);
                over.expect("a table of every successor in which the game goes on")
            };
            // Only where squares end games, too, does it matter who stands where.
            if game.ends_early() {
                lanes.for_each(|lane| meet(lane.bit(), over(lane)));
            } else if let Some(lane) = lanes.first() {
                meet(lanes, over(lane));
            }
            return;
        };
        let entry = link.entry(!side, &after.squares);
        let found = Found { link, modes, turn, after, entry, side };
        let Some(left) = checks_left else { return self.find(&found, lanes, None, meet) };
        let checked = slice.checked_after(side, turn, after);
        let (quiet, checks) = (lanes & !checked, lanes & checked);
        if !quiet.is_empty() {
            self.find(&found, quiet, Some(left), &mut meet);
        }
        let left = after_check(left, side);
        if !checks.is_empty() && left[side] > 0 {
            self.find(&found, checks, Some(left), meet);
        } else if !checks.is_empty() {
            meet(checks, Score::over::<S>(Some(side)));
        }
    }

    /// Calls `meet` with lanes of a conversion and the score of the position after it, where the
    /// sides have so many checks left if they are counted.
    #[inline(always)]
    fn find(
        &self,
        found: &Found<'_, S>,
        lanes: Bitboard,
        checks_left: Option<ByColor<u8>>,
        mut meet: impl FnMut(Bitboard, Score),
    ) {
        let &Found { link, modes, turn, after, ref entry, side } = found;
        let capturer = turn.captured.map(|_| side);
        let turned = Turned { capturer, checks_left };
        let mode = self.game.mode(&link.material, turned, entry.swapped);
        let (table, values) = ((&link.material, mode), &modes[mode]);
        match after.varies {
            None => self.pages.find(table, values, entry).into_iter().for_each(|s| meet(lanes, s)),
            Some(man) => {
                let man = link.man(!side, man);
                self.pages.find_row(table, values, (entry, man), lanes, meet);
            }
        }
    }
}

/// The table that a conversion leads to, and where the positions after it are there.
struct Found<'a, S> {
    link: &'a Link,
    modes: &'a [Arc<TablePages<S>>],
    turn: &'a Conversion,
    after: &'a After,
    entry: Entry,
    /// Who has turned.
    side: Color,
}

/// The exits of a slice, and what they are worth.
pub struct ExitScores<'a, S: Store> {
    conversions: &'a Conversions<'a, S>,
    /// The best of the captures and promotions met so far, in each lane of the word that is looked
    /// at, if somebody wants to know.
    pub changes: Option<RefCell<[S; 64]>>,
}

impl<'a, S: Store> ExitScores<'a, S> {
    /// Those of a slice of the conversions' material; with `note_changes` it is noted what captures
    /// and promotions are worth.
    pub fn new(conversions: &'a Conversions<'a, S>, note_changes: bool) -> ExitScores<'a, S> {
        let changes = note_changes.then(|| RefCell::new([S::NONE; 64]));
        ExitScores { conversions, changes }
    }

    /// Calls `meet` for every conversion of a word's positions, with the lanes that have it and
    /// the score of the position it leads to.
    pub fn conversions(&self, word: &Word<'_>, meet: &mut dyn FnMut(Bitboard, &Conversion, Score)) {
        let Some(changes) = &self.changes else {
            return self.conversions.each(word, |_| true, meet);
        };
        let mut changes = changes.borrow_mut();
        self.conversions.each(
            word,
            |_| true,
            |lanes, turn, after| {
                if turn.changes_men() {
                    let score = S::keep(after.later::<S>());
                    lanes.for_each(|lane| offer(&mut changes[lane.number()], word.side, score));
                }
                meet(lanes, turn, after);
            },
        );
    }

    /// The tables that turns lead to.
    pub fn links(&self) -> &LadderLinks<S> {
        &self.conversions.links
    }

    /// The score of the position after a drop of `side` that leaves men on `squares`: one of the
    /// drops among the links. `None` if the turn is met another time.
    pub fn dropped(
        &self,
        drop: &LadderDrop<S>,
        side: Color,
        squares: &[Square; MAX_MEN],
    ) -> Option<Score> {
        let Conversions { game, pages, .. } = self.conversions;
        if !pages.plain {
            return None;
        }
        let DropLink { link, table: modes, .. } = drop;
        let entry = link.entry(!side, squares);
        let mode = game.mode(&link.material, Turned::default(), entry.swapped);
        pages.find((&link.material, mode), &modes[mode], &entry)
    }
}

/// The score of a position, looked ahead where a pawn can be taken in passing; `material` names
/// also the men in reserve, and `capturer` is the side that captured by the turn that led to it.
///
/// # Panics
/// If its page is not there, or leading Kings stand side by side.
fn known<S: Store>(
    game: &dyn LadderGame<Store = S>,
    setup: &Setup,
    material: &Material,
    capturer: Option<Color>,
    pages: &ResidentPages<S>,
) -> Score {
    let Setup { board, to_move, .. } = setup;
    if setup.en_passant.is_some() {
        return game.look_ahead(setup, material, &|next, material| {
            let captured = next.board.occupied().len() < board.occupied().len();
            known(game, next, material, captured.then_some(*to_move), pages)
        });
    }
    if let Some(over) = game.over_by_men(board, *to_move) {
        return over;
    }
    if let Some(winner) = setup.winner_by_checks() {
        return Score::over::<S>(Some(winner));
    }
    let swaps = game.swaps_colors();
    let entry = entry_with_reserve(board, material, *to_move, swaps);
    let named = if swaps { material.stronger_first() } else { *material };
    let modes = pages.get(&named).expect("a table of every successor");
    let turned = Turned { capturer, checks_left: setup.checks_left };
    read(&modes[game.mode(&named, turned, entry.swapped)], &entry)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::{
        Tablebase,
        answer::{Outcome, Wdl, WinDrawLoss},
        ordinary::Variant,
        rules::Laws,
        solve::{
            BuildOptions,
            engine::{builder::LadderTables, pages::PageCache},
        },
    };

    /// The score of a position with `to_move` to move that has this answer.
    fn score(to_move: Color, answer: &WinDrawLoss) -> Score {
        let value = match (answer.wdl, to_move) {
            (Wdl::Draw, _) => 0,
            (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => 1,
            _ => -1,
        };
        Outcome { value, distance: answer.dtm }.score::<i16>(0)
    }

    /// Compares what the conversions of sampled words are worth with what the tables answer after
    /// each.
    fn compare(tables: &Tablebase<Variant>, material: &str) {
        let material: Material = material.parse().unwrap();
        let cache = PageCache::orthodox(tables.directories(), 64 << 20);
        let index = cache.index(&material).unwrap();
        let structures = index.structures().map_or(1, |structures| structures.len());
        let mut met = 0;
        for structure in (0..structures).step_by(structures.div_ceil(3)) {
            let reached = cache.reached(&material, structure..structure + 1).unwrap();
            let rounds = cache.rounds(0, &reached).unwrap();
            let pages = cache.resident(&material, &rounds, 0).unwrap();
            let orthodox = Variant::orthodox();
            let ladder = orthodox.ladder(&material, 0);
            let conversions = Conversions::new(&*ladder, &material, &pages);
            let slice = conversions.slice(&index, structure);
            for number in (0..slice.words()).step_by(slice.words() / 19) {
                let Some(stand) = slice.stand(number) else { continue };
                for side in Color::ALL {
                    let lanes = slice.legal(&stand, side);
                    let word = Word { slice: &slice, stand: &stand, side, lanes };
                    let mut best = [i16::NONE; 64];
                    conversions.each(
                        &word,
                        |_| true,
                        |lanes, _, after| {
                            let option = i16::keep(after.later::<i16>());
                            lanes.for_each(|lane| offer(&mut best[lane.number()], side, option));
                        },
                    );
                    for lane in lanes {
                        let before = word.setup(lane);
                        let mut expected = i16::NONE;
                        let moves = before.moves(&Laws::ORTHODOX).into_iter();
                        let exits =
                            moves.filter(|&mv| before.is_capture(mv) || before.is_pawn_move(mv));
                        for mv in exits {
                            let next = before.play(mv);
                            let answer = tables.answer(&next).unwrap();
                            let option = score(!side, &answer).later::<i16>();
                            offer(&mut expected, side, i16::keep(option));
                            met += 1;
                        }
                        assert_eq!(best[lane.number()], expected, "{material}: {before:?}");
                    }
                }
            }
        }
        assert!(met > 50, "{material}: {met}");
    }

    #[test]
    fn conversions_are_worth_what_the_tables_say() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tablebase::new(Variant::orthodox(), folder.path());
        let materials = ["KQvKR", "KPvKP", "KBBvK"];
        let all = materials.map(|material| material.parse().unwrap());
        tables.build(&all, &BuildOptions::default().level(1)).unwrap();
        materials.iter().for_each(|material| compare(&tables, material));
    }
}

//! What a game adds to have its tables solved as a ladder.

use crate::{
    answer::score::{Score, Store},
    board::{Bitboard, Board, Color, Square},
    index::{MAX_MEN, Material},
    rules::Setup,
    solve::engine::{
        pages::{LadderDrop, LadderLinks},
        slice::{Chesslike, Conversion, Sets, Slice, Word},
    },
};

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

    /// Which of its answers `table` gives after a turn, where a table holds several for a position
    /// since what came before it counts. `capturer` is the side that captured by the turn, and
    /// `swapped` says whether the table has the sides exchanged.
    fn mode(&self, _table: &Material, _capturer: Option<Color>, _swapped: bool) -> usize {
        0
    }

    /// Calls `meet` for the turns out of the slice: with the lanes that have one, and its score
    /// seen before it. By default those are the conversions, each one ply farther than what it
    /// leads to.
    fn leaving(
        &self,
        ways: &dyn ExitScores<Self::Store>,
        word: &Word<'_>,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        ways.conversions(word, &mut |lanes, _, after| meet(lanes, after.later::<Self::Store>()));
    }

    /// Whether positions can be [`over`](LadderGame::over).
    fn ends_early(&self) -> bool {
        false
    }

    /// The score of every position of a material with which the game is over; such a material has
    /// no table. Asked for where turns lead to a material without one.
    fn over_by_men(&self, _: &Material) -> Option<Score> {
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

/// The exits of a slice, and what they are worth, as the engine finds them.
pub trait ExitScores<S: Store> {
    /// Calls `meet` for every conversion of a word's positions, with the lanes that have it and
    /// the score of the position it leads to.
    fn conversions(&self, word: &Word<'_>, meet: &mut dyn FnMut(Bitboard, &Conversion, Score));

    /// The tables that turns lead to.
    fn links(&self) -> &LadderLinks<S>;

    /// The score of the position after a drop of `side` that leaves men on `squares`: one of the
    /// drops among the links. `None` if the turn is met another time.
    fn dropped(
        &self,
        drop: &LadderDrop<S>,
        side: Color,
        squares: &[Square; MAX_MEN],
    ) -> Option<Score>;
}

//! Ordinary variants of chess: orthodox moves under other laws, won, drawn or lost.
//!
//! What departs from orthodox chess is a [`Definition`], a value: those of `variants.ini` and
//! `collection.ini` beside this file are known, others are read from files of users. Turns,
//! endings, FEN and notation come from here, and from the other rooms tables, words and statistics.
//! Draws by repetition, by counting moves or by agreement are not modelled: endless play is a draw.
//!
//! FEN has a field of its own only where checks are counted: those that White and Black have left,
//! `3+3`, before the counters; without it they have all. The en passant square is kept and written only if a capture there
//! is legal, since otherwise it makes no difference.

use std::{fmt, ops::Deref, sync::LazyLock};

use serde_json::{Map, Value};

use super::{
    Ending, Game, OptionError, RuleOptions, TurnError,
    chess::{Move, Setup},
    definition::Definition,
    fen::FenError,
    laws::OwnPromotions,
    notation::{self, Written},
    variant_file::{built_in_definitions, collected_definitions},
};
use crate::board::{Board, BoardSize, Color, Man, Movements, Role, RoleSet, Square};

/// The games whose tables do not say what they depart in.
const NAMED_ALONE: [&str; 2] = ["orthodox", "koth"];

/// An ordinary variant of chess, orthodox chess among them: a [`Definition`] that is played.
///
/// Definitions are few and live as long as the program, so a game is as small as a reference.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Variant(&'static Definition);

impl Variant {
    /// The game of a definition, which is kept for as long as the program runs.
    pub fn new(definition: Definition) -> Variant {
        Variant(Box::leak(Box::new(definition)))
    }

    /// Orthodox chess.
    pub fn orthodox() -> Variant {
        BUILT_IN[0]
    }

    /// King of the Hill: orthodox chess, but a King on d4, e4, d5 or e5 wins at once.
    pub fn koth() -> Variant {
        BUILT_IN[1]
    }

    /// The games that are built in, orthodox chess first.
    pub fn built_in() -> &'static [Variant] {
        &BUILT_IN
    }

    /// The games of the collection, which are known by name but have no tables that ship.
    pub fn collection() -> &'static [Variant] {
        &COLLECTION
    }

    /// The game of a name, one that is built in or of the collection.
    pub fn named(name: &str) -> Option<Variant> {
        BUILT_IN.iter().chain(COLLECTION.iter()).copied().find(|game| game.name() == name)
    }

    /// What the game is.
    pub fn definition(self) -> &'static Definition {
        self.0
    }

    /// Whether a man becomes the kind that is its own to become.
    fn becomes_its_own_kind(self, setup: &Setup, mv: Move) -> bool {
        let own = setup.board.get(mv.from).and_then(|man| self.laws.own_promotions.of(man.role));
        own.is_some() && own == mv.promotion
    }

    /// How the game has ended although the side to move may have turns.
    pub fn ended_early(self, setup: &Setup) -> Option<ChessEnding> {
        let Setup { board, to_move, .. } = setup;
        if let Some(winner) = self.winner_by_lost_men(board, *to_move) {
            return Some(ChessEnding::Men { winner: Some(winner) });
        }
        if let Some(winner) = setup.winner_by_checks() {
            return Some(ChessEnding::Checks { winner });
        }
        self.ended_by_goal(setup).or_else(|| {
            let winner = || self.winner_without_men(setup);
            self.has_bare_side(board).then(|| ChessEnding::Men { winner: winner() })
        })
    }

    /// Who wins where a side has no men: as soon as it is to move it is stalemated, and before that
    /// the other may have a turn, which reaches a goal perhaps, or be stalemated itself.
    fn winner_without_men(self, setup: &Setup) -> Option<Color> {
        let mover = setup.to_move;
        let winners = setup
            .moves(&self.laws)
            .into_iter()
            .map(|turn| self.ended_early(&setup.play(turn)).and_then(|ending| ending.winner()));
        let worth =
            |winner: &Option<Color>| winner.map_or(1, |winner| 2 * u8::from(winner == mover));
        winners.max_by_key(worth).unwrap_or_else(|| self.stalemate_winner(&setup.board, mover))
    }

    fn ended_by_goal(self, setup: &Setup) -> Option<ChessEnding> {
        if self.goal.is_none() {
            return None;
        }
        if self.goal.last_turn {
            return self.ended_by_race(setup);
        }
        // The side that has just moved comes first, though only with a goal that must be safe can
        // both be there in a game.
        let reached = |winner| self.goal_of(setup, winner);
        match [!setup.to_move, setup.to_move].map(reached) {
            [Some(_), Some(_)] if self.goal.safe => Some(ChessEnding::BothGoals),
            [moved, to_move] => moved.or(to_move),
        }
    }

    /// How a side has won that has reached its goal.
    fn goal_of(self, setup: &Setup, winner: Color) -> Option<ChessEnding> {
        let (role, square) = self.reached(&setup.board, winner)?;
        Some(ChessEnding::Goal { winner, role, square })
    }

    /// The same where Black has one more turn when White is at its goal first.
    fn ended_by_race(self, setup: &Setup) -> Option<ChessEnding> {
        match (self.goal_of(setup, Color::White), self.goal_of(setup, Color::Black)) {
            (Some(_), Some(_)) if setup.to_move == Color::White => Some(ChessEnding::BothGoals),
            (_, Some(black)) => Some(black),
            (Some(_), None) if setup.to_move == Color::Black && self.can_follow(setup) => None,
            (white, None) => white,
        }
    }

    /// Whether the King of the side to move can go to its goal, not being in check: as in
    /// Fairy-Stockfish, whoever is checked has no time for that.
    fn can_follow(self, setup: &Setup) -> bool {
        let (board, mover) = (&setup.board, setup.to_move);
        if self.laws.in_check(board, mover) {
            return false;
        }
        let goal = self.goal.squares[mover];
        let Some(king) = board.king(mover) else { return false };
        let movement = self.laws.movements.of(Man::new(mover, Role::King));
        let near = movement.steps(king, board.occupied()) & board.size().squares()
            | movement.attacks(king, board.occupied()) & board.of(!mover);
        near.intersects(goal)
            && setup.moves(&self.laws).iter().any(|mv| mv.from == king && goal.contains(mv.to))
    }
}

impl Deref for Variant {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        self.0
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Variant").field(&self.0.name).finish()
    }
}

static BUILT_IN: LazyLock<Vec<Variant>> =
    LazyLock::new(|| built_in_definitions().into_iter().map(Variant::new).collect());

static COLLECTION: LazyLock<Vec<Variant>> =
    LazyLock::new(|| collected_definitions().into_iter().map(Variant::new).collect());

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChessEnding {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// A King is mated where that wins.
    Mated {
        /// The side that is mated.
        winner: Color,
    },
    /// The side to move has no turn and is not in check.
    Stalemate {
        /// The winner, where somebody wins by it.
        winner: Option<Color>,
    },
    /// A man has reached its goal.
    Goal {
        /// Whose man.
        winner: Color,
        /// Which man.
        role: Role,
        /// Where it stands.
        square: Square,
    },
    /// Both sides have reached their goals, where that is a draw.
    BothGoals,
    /// A side has given as many checks as win.
    Checks {
        /// Which side.
        winner: Color,
    },
    /// The men that are left decide.
    Men {
        /// The winner; nobody in a draw.
        winner: Option<Color>,
    },
}

impl Ending for ChessEnding {
    fn winner(&self) -> Option<Color> {
        match *self {
            ChessEnding::Checkmate { winner }
            | ChessEnding::Mated { winner }
            | ChessEnding::Goal { winner, .. }
            | ChessEnding::Checks { winner } => Some(winner),
            ChessEnding::Stalemate { winner } | ChessEnding::Men { winner } => winner,
            ChessEnding::BothGoals => None,
        }
    }
}

impl fmt::Display for ChessEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChessEnding::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            ChessEnding::Stalemate { winner: None } => f.write_str("drawn by stalemate"),
            ChessEnding::Stalemate { winner: Some(winner) } => {
                write!(f, "{winner} wins by stalemate")
            }
            ChessEnding::Mated { winner } => write!(f, "{winner} wins by being checkmated"),
            ChessEnding::Goal { winner, role: Role::King, square } => {
                write!(f, "{winner} wins: the King has reached {square}")
            }
            ChessEnding::Goal { winner, role, square } => {
                write!(f, "{winner} wins: a {} has reached {square}", role.name())
            }
            ChessEnding::Checks { winner } => write!(f, "{winner} wins by its last check"),
            ChessEnding::BothGoals => f.write_str("drawn: both sides have reached their goals"),
            ChessEnding::Men { winner: Some(winner) } => {
                write!(f, "{winner} wins by the men that are left")
            }
            ChessEnding::Men { winner: None } => f.write_str("drawn by the men that are left"),
        }
    }
}

impl Game for Variant {
    type Position = Setup;
    type Turn = Move;
    type Ending = ChessEnding;

    fn name(&self) -> &'static str {
        &self.0.name
    }

    fn with_options(&self, _: &mut RuleOptions) -> Result<Variant, OptionError> {
        Ok(*self)
    }

    /// What departs from orthodox chess, as one entry, `variant`. The tables of the first two games
    /// were made before tables kept that, and are known by their names.
    fn options(&self) -> Map<String, Value> {
        match NAMED_ALONE.contains(&self.name()) {
            true => Map::new(),
            false => Map::from_iter([("variant".to_owned(), self.departures().into())]),
        }
    }

    fn initial(&self) -> Setup {
        self.start.clone()
    }

    fn parse_fen(&self, fen: &str) -> Result<Setup, FenError> {
        self.read_fen(fen)
    }

    fn fen(&self, setup: &Setup) -> String {
        self.write_fen(setup)
    }

    fn men(&self) -> RoleSet {
        self.0.men
    }

    fn board_size(&self) -> BoardSize {
        self.laws.size
    }

    fn movements(&self) -> Movements {
        self.laws.movements
    }

    fn board<'p>(&self, setup: &'p Setup) -> &'p Board {
        &setup.board
    }

    fn to_move(&self, setup: &Setup) -> Color {
        setup.to_move
    }

    fn is_check(&self, setup: &Setup) -> bool {
        self.laws.in_check(&setup.board, setup.to_move)
    }

    fn turns(&self, setup: &Setup) -> Vec<Move> {
        match self.ended_early(setup) {
            Some(_) => Vec::new(),
            None => setup.moves(&self.laws),
        }
    }

    fn play(&self, setup: &Setup, mv: Move) -> Setup {
        let mut next = setup.play_under(&self.laws, mv);
        next.drop_idle_en_passant(&self.laws);
        if let Some(left) = &mut next.checks_left
            && self.laws.in_check(&next.board, next.to_move)
        {
            left[setup.to_move] = left[setup.to_move].saturating_sub(1);
        }
        next
    }

    fn ending(&self, setup: &Setup) -> Option<ChessEnding> {
        if let Some(ending) = self.ended_early(setup) {
            return Some(ending);
        }
        let mover = setup.to_move;
        if setup.has_move(&self.laws) {
            None
        } else if self.laws.in_check(&setup.board, mover) {
            Some(match self.mated_wins {
                true => ChessEnding::Mated { winner: mover },
                false => ChessEnding::Checkmate { winner: !mover },
            })
        } else {
            Some(ChessEnding::Stalemate { winner: self.stalemate_winner(&setup.board, mover) })
        }
    }

    fn uci(&self, setup: &Setup, mv: Move) -> String {
        match self.becomes_its_own_kind(setup, mv) {
            true => format!("{}{}+", mv.from, mv.to),
            false => mv.to_string(),
        }
    }

    fn san(&self, setup: &Setup, mv: Move) -> String {
        let next = self.play(setup, mv);
        let check = self.laws.in_check(&next.board, next.to_move);
        let mate = matches!(
            self.ending(&next),
            Some(ChessEnding::Checkmate { .. } | ChessEnding::Mated { .. })
        );
        notation::san(setup, &self.turns(setup), mv) + notation::check_sign(check, mate)
    }

    fn parse_turn(&self, setup: &Setup, text: &str) -> Result<Move, TurnError> {
        // Behind two squares a plus is such a promotion, and only elsewhere a sign of check.
        if text.ends_with('+')
            && self.laws.own_promotions != OwnPromotions::NONE
            && let Some(mv) = self.turns(setup).into_iter().find(|&mv| self.uci(setup, mv) == text)
        {
            return Ok(mv);
        }
        let written = Written::read(text);
        notation::choose(self, setup, text, |mv| {
            written.is_some_and(|written| written.fits(setup, mv))
        })
    }

    fn comment(&self, _: &Setup, _: Move, _: &Setup) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests;

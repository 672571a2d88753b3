//! What every game is, and a game that was played.

use std::{fmt::Debug, hash::Hash};

use serde_json::{Map, Value};

use super::{
    fen::FenError,
    options::{OptionError, RuleOption, RuleOptions},
};
use crate::board::{Board, BoardSize, ByColor, Color, Movements, RoleSet};

/// The full rules of a game, from its initial position to its last.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Whether a game can be drawn, be it by agreement.
    const HAS_DRAWS: bool = true;

    /// What decides a match of several games.
    const MATCH: MatchRule = MatchRule::Wins;

    /// Everything the future depends on, and the FEN counters.
    type Position: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// One turn of one player.
    type Turn: Copy + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// How a finished game ended.
    type Ending: Ending;

    /// The rule options it has, which [`with_options`](Game::with_options) knows and
    /// [`options`](Game::options) gives.
    const OPTIONS: &'static [RuleOption] = &[];

    /// The name used in commands, folders and table headers: `high`.
    fn name(&self) -> &'static str;

    /// The game with the options it takes out of `options`, and the usual ones where it finds none;
    /// those left are not its own.
    ///
    /// # Errors
    /// If an option it knows has a value it does not.
    fn with_options(&self, options: &mut RuleOptions) -> Result<Self, OptionError>;

    /// The rule options in force, by the names of the command line; empty if the game has none. An
    /// option that came to a game later may be left out where it is as usual, so that tables made
    /// before are still those of the game.
    fn options(&self) -> Map<String, Value>;

    /// The position every game starts from.
    fn initial(&self) -> Self::Position;

    /// Reads a FEN; the module of the game says what it accepts. Underscores pass for spaces.
    ///
    /// # Errors
    /// A [`FenError`] that says what is wrong, where, and what would be right. Whatever is
    /// accepted is a position in which every other function is total.
    fn parse_fen(&self, fen: &str) -> Result<Self::Position, FenError>;

    /// The one canonical FEN of a position.
    fn fen(&self, position: &Self::Position) -> String;

    /// The men it is played with.
    fn men(&self) -> RoleSet {
        RoleSet::ORTHODOX
    }

    /// Those that can be in reserve.
    fn in_reserve(&self) -> RoleSet {
        RoleSet::default()
    }

    /// How many files and ranks the board has.
    fn board_size(&self) -> BoardSize {
        BoardSize::CHESS
    }

    /// How they move on the board.
    fn movements(&self) -> Movements {
        Movements::USUAL
    }

    /// The men on the board.
    fn board<'p>(&self, position: &'p Self::Position) -> &'p Board;

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Color;

    /// Whether the side to move is in check.
    fn is_check(&self, position: &Self::Position) -> bool;

    /// Every legal turn; none exactly if the game is over.
    fn turns(&self, position: &Self::Position) -> Vec<Self::Turn>;

    /// The position after a turn out of [`turns`](Game::turns).
    fn play(&self, position: &Self::Position, turn: Self::Turn) -> Self::Position;

    /// How the game ended, or `None` while it goes on.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// How a recorded game ended: as its last position says, unless repetition counts, or what the
    /// players agree on, claim and resign.
    fn result(&self, replay: &Replay<Self>) -> Option<Self::Ending> {
        self.ending(replay.last())
    }

    /// The points of both players at the end of a record, if they count in a match.
    fn points(&self, _replay: &Replay<Self>) -> Option<ByColor<i64>> {
        None
    }

    /// Whether a recorded game can stand in a match as one of orthodox chess, in which nobody has
    /// done what only this game has; by default none can.
    fn is_normal(&self, _replay: &Replay<Self>) -> bool {
        false
    }

    /// A turn in UCI notation: `e2e4`, `e7e8q`, `0000` for a pass.
    fn uci(&self, position: &Self::Position, turn: Self::Turn) -> String;

    /// A turn in standard algebraic notation: `Nf3`, `exd6`, `e8=Q#`, `--` for a pass.
    fn san(&self, position: &Self::Position, turn: Self::Turn) -> String;

    /// Reads a turn in UCI, short or long algebraic notation.
    ///
    /// # Errors
    /// A [`TurnError`] if the text fits no legal turn or several.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, TurnError>;

    /// What a replay tells beside a turn just played, such as the score it changed.
    fn comment(
        &self,
        before: &Self::Position,
        turn: Self::Turn,
        after: &Self::Position,
    ) -> Option<String>;
}

/// How a game ended, in words: `White wins by checkmate`.
pub trait Ending: Clone + Debug + PartialEq + std::fmt::Display {
    /// Who comes out ahead; nobody in a draw.
    fn winner(&self) -> Option<Color>;

    /// Whether a record may say `1/2-1/2`: also where a draw is scored, and who has more comes out
    /// ahead.
    fn is_draw(&self) -> bool {
        self.winner().is_none()
    }

    /// Who has resigned, if that ended the game.
    fn resigned(&self) -> Option<Color> {
        None
    }
}

/// What decides a match of several games.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MatchRule {
    /// Games won; a draw is half a win.
    Wins,
    /// The same, and where it is equal the points scored less those of the opponents.
    WinsThenPoints,
    /// The sum of points.
    Points,
    /// The sum of points; but who resigns a game ends the match and loses it.
    PointsUnlessResigned,
}

/// How many sequences of `depth` turns there are; a game that ends sooner counts for none.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = game.turns(position);
    if depth == 1 {
        return turns.len() as u64;
    }
    turns.into_iter().map(|turn| perft(game, &game.play(position, turn), depth - 1)).sum()
}

/// Why a text is not a turn here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// No legal turn is written like this.
    #[error("`{text}` is not a legal turn in {fen}; legal are {legal}")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The legal turns in short notation, parted by spaces.
        legal: String,
    },
    /// The game has ended.
    #[error("`{text}` cannot be played: the game is over in {fen}")]
    Over {
        /// The text.
        text: String,
        /// The last position.
        fen: String,
    },
    /// Several legal turns are written like this.
    #[error("`{text}` could be any of {candidates} in {fen}; say which")]
    Ambiguous {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The turns it could be, in UCI notation.
        candidates: String,
    },
}

/// One turn of a replayed game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply<G: Game> {
    /// The position before the turn.
    pub before: G::Position,
    /// The turn.
    pub turn: G::Turn,
    /// The position after the turn.
    pub after: G::Position,
}

/// A game read from its record, every turn of it legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay<G: Game> {
    /// The tag pairs, in their order.
    pub tags: Vec<(String, String)>,
    /// The first position.
    pub start: G::Position,
    /// The turns.
    pub plies: Vec<Ply<G>>,
    /// The result behind the last move, if the record gives one: `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub stated: Option<&'static str>,
}

/// The value of the first tag pair of this name.
pub fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

/// What a record says of the result, in its tags and behind the last turn. `*` says nothing.
pub(super) fn results<'r>(
    tags: &'r [(String, String)],
    stated: Option<&'r str>,
) -> impl Iterator<Item = &'r str> + Clone {
    let said = [tag(tags, "Result"), stated].into_iter().flatten();
    said.filter(|&result| result != "*")
}

/// What a record says a finished game came to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stated {
    /// This side won.
    Won(Color),
    /// A draw.
    Drawn,
}

impl Stated {
    /// The first of some results, if it is one.
    fn first<'r>(mut results: impl Iterator<Item = &'r str>) -> Option<Stated> {
        match results.next()? {
            "1-0" => Some(Stated::Won(Color::White)),
            "0-1" => Some(Stated::Won(Color::Black)),
            "1/2-1/2" => Some(Stated::Drawn),
            _ => None,
        }
    }
}

impl<G: Game> Replay<G> {
    /// The position after the last turn.
    pub fn last(&self) -> &G::Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// What the record says of the result, in its tags and behind the last turn. `*` says nothing.
    pub fn results(&self) -> impl Iterator<Item = &str> {
        results(&self.tags, self.stated)
    }

    /// The first of its [`results`](Replay::results), if it is one.
    pub fn said(&self) -> Option<Stated> {
        Stated::first(self.results())
    }
}

/// The options in force in a game for which none is chosen, as its tables have them.
pub fn usual_options<G: Game>(game: &G) -> Map<String, Value> {
    let game = game.with_options(&mut RuleOptions::none());
    game.map(|game| game.options()).unwrap_or_default()
}

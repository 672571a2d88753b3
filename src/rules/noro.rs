//! Norochess: chess without royalty, played for points against a clock of moves.
//!
//! Men move as in orthodox chess, but a King is an ordinary man: there is no check, no mate and no
//! castling. Whoever captures scores the worth of the captured man. Each side makes a number of
//! moves (48); after Black's last, or after any Black move of the overtime (12) that follows, the
//! higher score wins. A side without men has lost, and a side to move without a move ends the game.
//!
//! The FEN has one field of its own, `<white points>+<black points>`, after the en passant field;
//! it may be left out and then nobody has scored. The move number tells the clock. Refused are
//! castling rights, a side without men, an en passant square before the first turn, and positions
//! in which the game is over. Points and men need not fit together, and neither side needs a King.

use std::{fmt, str::FromStr};

use super::{
    Ending, Game, MatchRule, OptionError, Replay, RuleOption, RuleOptions, TurnError,
    chess::{Castling, Move, Setup},
    fen::{self, FenError, Frame},
    laws::Laws,
    notation::{self, Written},
};
use crate::board::{Board, ByColor, Color, Role, RoleSet};

/// The text is not an option of Norochess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoroOptionError {
    /// Not a way to judge elimination.
    #[error("`{0}` is not a way to judge elimination; write loses, score or early")]
    Elimination(String),
    /// Not a number of moves and of overtime moves.
    #[error(
        "`{0}` is not a number of moves; write <moves>+<overtime>, like 48+12, with 1 to {max} moves and at most {max} in overtime",
        max = MoveLimits::MAX
    )]
    Moves(String),
}

/// What becomes of a side that has lost its last man.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Elimination {
    /// It loses, whatever the score.
    #[default]
    Loses,
    /// The higher score wins; equal scores are a draw.
    Score,
    /// It loses if it has not made all its regular moves; after them the score decides.
    Early,
}

impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Elimination::Loses => "loses",
            Elimination::Score => "score",
            Elimination::Early => "early",
        })
    }
}

impl FromStr for Elimination {
    type Err = NoroOptionError;

    fn from_str(text: &str) -> Result<Elimination, NoroOptionError> {
        match text {
            "loses" => Ok(Elimination::Loses),
            "score" => Ok(Elimination::Score),
            "early" => Ok(Elimination::Early),
            _ => Err(NoroOptionError::Elimination(text.to_owned())),
        }
    }
}

/// How many moves a game has, written `48+12`.
///
/// The clock counts down: `r` plies remain, from [`MoveLimits::plies`] at the start to 0; White is
/// to move where `r` is even.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveLimits {
    regular: u8,
    overtime: u8,
}

impl MoveLimits {
    /// The most moves each part of the game can have.
    pub const MAX: u8 = 100;

    /// `regular` moves for each side, 1 to 100, and then at most `overtime` more, 0 to 100.
    pub const fn new(regular: u8, overtime: u8) -> Option<MoveLimits> {
        if 1 <= regular && regular <= MoveLimits::MAX && overtime <= MoveLimits::MAX {
            Some(MoveLimits { regular, overtime })
        } else {
            None
        }
    }

    /// How many moves each side makes before the score can decide: N, 1 to 100.
    pub const fn regular(self) -> u8 {
        self.regular
    }

    /// How many moves each side can make after them: M, 0 to 100.
    pub const fn overtime(self) -> u8 {
        self.overtime
    }

    /// The number of the last move there can be, 1 to 200.
    pub const fn last(self) -> u32 {
        self.regular as u32 + self.overtime as u32
    }

    /// The plies of the longest game, 2 to 400: what remains of it before the first turn.
    pub const fn plies(self) -> u32 {
        2 * self.last()
    }

    /// Whether the game is over with `remaining` plies to go if the scores differ: after a Black
    /// move, when both sides have made the regular moves.
    pub const fn decides(self, remaining: u32) -> bool {
        remaining.is_multiple_of(2) && remaining <= 2 * self.overtime as u32
    }

    /// Whether `side` has made all its regular moves with `remaining` plies to go.
    pub const fn made(self, side: Color, remaining: u32) -> bool {
        // White is a move ahead while it is Black's turn.
        let to_go = match side {
            Color::White => remaining / 2,
            Color::Black => remaining.div_ceil(2),
        };
        to_go <= self.overtime as u32
    }
}

impl Default for MoveLimits {
    /// The inventor's numbers: 48+12.
    fn default() -> MoveLimits {
        MoveLimits { regular: 48, overtime: 12 }
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.regular, self.overtime)
    }
}

impl FromStr for MoveLimits {
    type Err = NoroOptionError;

    fn from_str(text: &str) -> Result<MoveLimits, NoroOptionError> {
        fen::read_pair(text)
            .and_then(|[regular, overtime]| {
                MoveLimits::new(u8::try_from(regular).ok()?, u8::try_from(overtime).ok()?)
            })
            .ok_or_else(|| NoroOptionError::Moves(text.to_owned()))
    }
}

/// The game with its options.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Noro {
    /// What becomes of a side without men.
    pub elimination: Elimination,
    /// How long a game lasts.
    pub moves: MoveLimits,
}

impl Noro {
    const ELIMINATION: RuleOption = RuleOption {
        name: "elimination",
        value_name: "HOW",
        help: "whether a side without men loses, or the score decides: loses, score, or early, \
               which is loses until that side has made its regular moves and score from then on",
        default: "loses",
        recorded: true,
    };

    const MOVES: RuleOption = RuleOption {
        name: "moves",
        value_name: "N+M",
        help: "how many moves each side makes, and how many more at most in overtime",
        default: "48+12",
        recorded: true,
    };
}

/// A position of Norochess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NoroPosition {
    /// The men and the standard fields; there are no castling rights.
    pub setup: Setup,
    /// What White has scored and what Black has.
    pub points: ByColor<u32>,
}

impl NoroPosition {
    /// White's points less Black's.
    pub fn difference(&self) -> i64 {
        i64::from(self.points.white) - i64::from(self.points.black)
    }
}

/// Why a game of Norochess is over.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NoroCause {
    /// One side has no men left.
    Elimination,
    /// The moves have been made and the score decides.
    Points,
    /// This side is to move and has men, but no move; the score decides.
    Blocked(Color),
}

/// How a game of Norochess ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NoroEnding {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// White's points and Black's.
    pub points: ByColor<u32>,
    /// Why the game is over.
    pub cause: NoroCause,
}

impl Ending for NoroEnding {
    fn winner(&self) -> Option<Color> {
        self.winner
    }
}

impl fmt::Display for NoroEnding {
    /// `White wins 38-33 on points`, White's points first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins ")?,
            None => f.write_str("drawn ")?,
        }
        write!(f, "{} ", score(self.points))?;
        match self.cause {
            NoroCause::Elimination => f.write_str("by elimination"),
            NoroCause::Points => f.write_str("on points"),
            NoroCause::Blocked(side) => write!(f, "as {side} has no move"),
        }
    }
}

fn score(points: ByColor<u32>) -> String {
    let ByColor { white, black } = points;
    format!("{white}-{black}")
}

impl Noro {
    /// The board moves: Kings are ordinary men.
    pub const LAWS: Laws = Laws { royal: RoleSet::of(&[]), ..Laws::ORTHODOX };

    /// The points for capturing a man; a promoted man is worth what it has become.
    pub const fn worth(role: Role) -> u32 {
        match role {
            Role::Queen => 9,
            Role::Rook => 5,
            Role::Bishop | Role::Knight => 3,
            Role::King => 2,
            Role::Pawn => 1,
            // No men of this game.
            _ => 0,
        }
    }

    /// The points its mover scores by a move out of [`Setup::moves`].
    pub fn gain(setup: &Setup, mv: Move) -> u32 {
        match setup.board.get(mv.to) {
            Some(man) => Noro::worth(man.role),
            None if setup.is_capture(mv) => Noro::worth(Role::Pawn),
            None => 0,
        }
    }

    /// How many plies remain until the game must be over: r, 0 to [`MoveLimits::plies`].
    pub fn remaining(&self, setup: &Setup) -> u32 {
        let moves_made = setup.fullmove.saturating_sub(1);
        let played = moves_made.saturating_mul(2).saturating_add(setup.to_move.index() as u32);
        self.moves.plies().saturating_sub(played)
    }

    /// Whether `side`, if it has lost its last man, loses with `remaining` plies to go whatever the
    /// score; otherwise the score decides.
    pub fn elimination_loses(&self, side: Color, remaining: u32) -> bool {
        match self.elimination {
            Elimination::Loses => true,
            Elimination::Score => false,
            Elimination::Early => !self.moves.made(side, remaining),
        }
    }

    /// How the game has ended in `position`, where `moves` are the board moves.
    fn ending_with(&self, position: &NoroPosition, moves: &[Move]) -> Option<NoroEnding> {
        let NoroPosition { setup, points } = position;
        let leader = match position.difference() {
            1.. => Some(Color::White),
            0 => None,
            _ => Some(Color::Black),
        };
        let end = |winner, cause| Some(NoroEnding { winner, points: *points, cause });
        let remaining = self.remaining(setup);
        let eliminated = Color::ALL.into_iter().find(|&side| setup.board.of(side).is_empty());
        if let Some(side) = eliminated {
            let loses = self.elimination_loses(side, remaining);
            end(if loses { Some(!side) } else { leader }, NoroCause::Elimination)
        } else if remaining == 0 || (leader.is_some() && self.moves.decides(remaining)) {
            end(leader, NoroCause::Points)
        } else if moves.is_empty() {
            end(leader, NoroCause::Blocked(setup.to_move))
        } else {
            None
        }
    }
}

/// What Norochess has against a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NoroFenError {
    /// A move number past the last move of the game.
    #[error("move number {fullmove} is too high; this game ends with move {last}")]
    Late {
        /// What it says.
        fullmove: u32,
        /// The number of the last move there can be.
        last: u32,
    },
    /// An en passant square where no turn has been played.
    #[error("nothing can be taken en passant before the first turn; write - instead of `{0}`")]
    EnPassantFirst(String),
    /// A position in which the game has ended, in words, where a game to play on is asked for.
    #[error("the game is over in this position: {0}")]
    Over(String),
}

impl From<NoroFenError> for FenError {
    fn from(problem: NoroFenError) -> FenError {
        FenError::game(problem)
    }
}

impl Noro {
    /// The name used in commands, folders and table headers.
    pub const NAME: &'static str = "noro";
}

impl Game for Noro {
    type Position = NoroPosition;
    type Turn = Move;
    type Ending = NoroEnding;

    const MATCH: MatchRule = MatchRule::WinsThenPoints;

    const OPTIONS: &'static [RuleOption] = &[Noro::ELIMINATION, Noro::MOVES];

    fn name(&self) -> &'static str {
        Noro::NAME
    }

    fn with_options(&self, options: &mut RuleOptions) -> Result<Noro, OptionError> {
        let elimination = options.take(&Noro::ELIMINATION)?;
        Ok(Noro { elimination, moves: options.take(&Noro::MOVES)? })
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        [
            (Noro::ELIMINATION.name.to_owned(), self.elimination.to_string().into()),
            (Noro::MOVES.name.to_owned(), self.moves.to_string().into()),
        ]
        .into_iter()
        .collect()
    }

    fn initial(&self) -> NoroPosition {
        NoroPosition {
            setup: Setup { castling: Castling::NONE, ..Setup::initial() },
            points: ByColor::default(),
        }
    }

    fn parse_fen(&self, fen: &str) -> Result<NoroPosition, FenError> {
        let mut frame = Frame::read(fen)?;
        let board = frame.board(RoleSet::ORTHODOX)?;
        if let Some(side) = Color::ALL.into_iter().find(|&side| board.of(side).is_empty()) {
            return Err(FenError::NoMen(side));
        }
        frame.no_castling()?;
        let points = frame.take(fen::read_points).map(|(_, points)| points).unwrap_or_default();
        let en_passant = frame.en_passant;
        let expected = "only the points as <white>+<black>, each at most 1000000, and the two counters may follow";
        let setup = frame.setup(board, &Noro::LAWS, expected)?;
        if setup.fullmove > self.moves.last() {
            let (fullmove, last) = (setup.fullmove, self.moves.last());
            return Err(NoroFenError::Late { fullmove, last }.into());
        }
        if en_passant != "-" && self.remaining(&setup) == self.moves.plies() {
            return Err(NoroFenError::EnPassantFirst(en_passant.to_owned()).into());
        }
        let position = NoroPosition { setup, points };
        match self.ending(&position) {
            Some(ending) => Err(NoroFenError::Over(ending.to_string()).into()),
            None => Ok(position),
        }
    }

    /// The canonical FEN. That of a finished game is written for the reader and not read back.
    fn fen(&self, position: &NoroPosition) -> String {
        fen::write(&position.setup, &Noro::LAWS, "", &[position.points.to_string()])
    }

    fn board<'p>(&self, position: &'p NoroPosition) -> &'p Board {
        &position.setup.board
    }

    fn to_move(&self, position: &NoroPosition) -> Color {
        position.setup.to_move
    }

    /// Kings are ordinary men.
    fn is_check(&self, _: &NoroPosition) -> bool {
        false
    }

    fn turns(&self, position: &NoroPosition) -> Vec<Move> {
        let moves = position.setup.moves(&Noro::LAWS);
        if self.ending_with(position, &moves).is_some() { Vec::new() } else { moves }
    }

    fn play(&self, position: &NoroPosition, mv: Move) -> NoroPosition {
        let NoroPosition { setup, mut points } = position.clone();
        let scored = &mut points[setup.to_move];
        *scored = scored.saturating_add(Noro::gain(&setup, mv));
        NoroPosition { setup: setup.play(mv), points }
    }

    fn ending(&self, position: &NoroPosition) -> Option<NoroEnding> {
        self.ending_with(position, &position.setup.moves(&Noro::LAWS))
    }

    /// The score as it stands, also where a player has given the game up.
    fn points(&self, replay: &Replay<Noro>) -> Option<ByColor<i64>> {
        Some(replay.last().points.map(i64::from))
    }

    fn uci(&self, _: &NoroPosition, mv: Move) -> String {
        mv.to_string()
    }

    fn san(&self, position: &NoroPosition, mv: Move) -> String {
        notation::san(&position.setup, &position.setup.moves(&Noro::LAWS), mv)
    }

    fn parse_turn(&self, position: &NoroPosition, text: &str) -> Result<Move, TurnError> {
        let written = Written::read(text);
        notation::choose(self, position, text, |mv| {
            written.is_some_and(|written| written.fits(&position.setup, mv))
        })
    }

    /// The score, White's first, after each pair of moves and at the end.
    fn comment(&self, _: &NoroPosition, _: Move, after: &NoroPosition) -> Option<String> {
        let told = after.setup.to_move == Color::White || self.ending(after).is_some();
        told.then(|| score(after.points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ply, perft, read_record};

    const STANDARD: Noro =
        Noro { elimination: Elimination::Loses, moves: MoveLimits { regular: 48, overtime: 12 } };
    const BY_SCORE: Noro = Noro { elimination: Elimination::Score, ..STANDARD };
    const EARLY: Noro = Noro { elimination: Elimination::Early, ..STANDARD };

    fn position(fen: &str) -> NoroPosition {
        STANDARD.parse_fen(fen).unwrap()
    }

    fn after(game: Noro, fen: &str, text: &str) -> NoroPosition {
        let position = game.parse_fen(fen).unwrap();
        let next = game.play(&position, game.parse_turn(&position, text).unwrap());
        assert_eq!(game.turns(&next).is_empty(), game.ending(&next).is_some());
        next
    }

    fn ending_after(game: Noro, fen: &str, text: &str) -> Option<String> {
        game.ending(&after(game, fen, text)).map(|ending| ending.to_string())
    }

    #[test]
    fn the_sample_game_replays() {
        let text = include_str!("../../tests/games/noro-sample.txt");
        let replay = read_record(&STANDARD, text).unwrap();
        assert_eq!(replay.plies.len(), 96);
        let comments = |move_number: usize| {
            let comment = |ply: &Ply<Noro>| STANDARD.comment(&ply.before, ply.turn, &ply.after);
            replay.plies[2 * move_number - 2..2 * move_number]
                .iter()
                .map(comment)
                .collect::<Vec<_>>()
        };
        for (move_number, score) in
            [(1, "0-0"), (8, "0-1"), (21, "19-15"), (24, "19-15"), (33, "26-25"), (48, "38-33")]
        {
            assert_eq!(comments(move_number), [None, Some(score.to_owned())], "{move_number}");
        }
        let ending = STANDARD.ending(replay.last()).unwrap();
        assert_eq!(ending.to_string(), "White wins 38-33 on points");
        assert_eq!(STANDARD.fen(replay.last()), "8/8/8/8/6R1/2n3P1/5P1P/8 w - - 38+33 1 49");
        // Where the game lasts longer, it is not over yet.
        let longer = Noro { moves: "49+12".parse().unwrap(), ..STANDARD };
        let replay = read_record(&longer, text).unwrap();
        assert_eq!(longer.ending(replay.last()), None);
    }

    #[test]
    fn kings_are_ordinary_men() {
        // Kings side by side, attacked by a Rook, and nobody has to care.
        let fen = "8/8/8/8/8/8/r7/K1k5 w - - 0+0 0 7";
        assert_eq!(after(STANDARD, fen, "Kb1").points, [0, 0].into());
        assert_eq!(after(STANDARD, fen, "Kxa2").points, [5, 0].into());
        assert_eq!(
            after(STANDARD, "8/8/8/8/8/8/r7/K1k5 b - - 0+0 0 7", "Rxa1").points,
            [0, 2].into()
        );
        let sans = |fen| {
            let position = position(fen);
            STANDARD
                .turns(&position)
                .iter()
                .map(|&mv| STANDARD.san(&position, mv))
                .collect::<Vec<_>>()
        };
        assert_eq!(sans("8/8/8/8/8/8/1k6/K7 w"), ["Kb1", "Ka2", "Kxb2"]);
        // A pawn never becomes a King, and castling is gone from the start.
        assert_eq!(sans("7k/P7/8/8/8/8/8/8 w"), ["a8=Q", "a8=R", "a8=B", "a8=N"]);
        let castling = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0+0 0 1";
        assert_eq!(STANDARD.fen(&STANDARD.initial()), castling);
        assert!(STANDARD.parse_turn(&position("4k3/8/8/8/8/8/8/4K2R w"), "O-O").is_err());
    }

    #[test]
    fn every_capture_scores_what_the_man_is_now() {
        for (man, points) in [('q', 9), ('r', 5), ('b', 3), ('n', 3), ('k', 2), ('p', 1)] {
            let fen = format!("7k/8/8/8/8/{man}7/8/R7 w - - 10+20 0 9");
            assert_eq!(after(STANDARD, &fen, "Rxa3").points, [10 + points, 20].into(), "{man}");
        }
        assert_eq!(
            after(STANDARD, "7k/8/8/3pP3/8/8/8/8 w - d6 0+0 0 9", "exd6").points,
            [1, 0].into()
        );
        assert_eq!(
            after(STANDARD, "1r5k/P7/8/8/8/8/8/8 w - - 0+0 0 9", "axb8=N").points,
            [5, 0].into()
        );
        let promoted = after(STANDARD, "k7/8/8/8/8/8/p7/7R b - - 0+0 0 9", "a1=Q");
        let capture = STANDARD.parse_turn(&promoted, "Rxa1").unwrap();
        assert_eq!(STANDARD.play(&promoted, capture).points, [9, 0].into());
    }

    #[test]
    fn the_last_man_taken_loses_whatever_the_score() {
        let fen = "8/8/8/8/8/r7/8/R7 w - - 3+20 0 7";
        assert_eq!(ending_after(STANDARD, fen, "Rxa3").unwrap(), "White wins 8-20 by elimination");
        assert_eq!(ending_after(BY_SCORE, fen, "Rxa3").unwrap(), "Black wins 8-20 by elimination");
        let fen = fen.replace("20", "8");
        assert_eq!(ending_after(BY_SCORE, &fen, "Rxa3").unwrap(), "drawn 8-8 by elimination");
        // With the last move there is, and against the score.
        let fen = "8/8/8/8/8/r7/8/R7 b - - 19+14 0 60";
        assert_eq!(ending_after(STANDARD, fen, "Rxa1").unwrap(), "Black wins 19-19 by elimination");
        assert_eq!(ending_after(BY_SCORE, fen, "Rxa1").unwrap(), "drawn 19-19 by elimination");
    }

    /// "If one side loses all pieces before s/he plays N plies, then s/he loses": White has played
    /// 48 when Black's 48th move takes the last man, Black has played 47 when White's does.
    #[test]
    fn the_last_man_taken_early_loses_and_later_the_score_decides() {
        let black = |number| format!("8/8/8/8/8/r7/8/R7 b - - 19+10 0 {number}");
        let white = |number| format!("8/8/8/8/8/r7/8/R7 w - - 3+20 0 {number}");
        let early = |fen: &str, text| ending_after(EARLY, fen, text).unwrap();
        assert_eq!(early(&black(47), "Rxa1"), "Black wins 19-15 by elimination");
        assert_eq!(early(&black(48), "Rxa1"), "White wins 19-15 by elimination");
        assert_eq!(early(&black(60), "Rxa1"), "White wins 19-15 by elimination");
        assert_eq!(
            early(&black(60).replace("19+10", "15+10"), "Rxa1"),
            "drawn 15-15 by elimination"
        );
        assert_eq!(early(&white(48), "Rxa3"), "White wins 8-20 by elimination");
        // In overtime the scores are equal before White's turn, so a capture wins in any case.
        assert_eq!(
            early("8/8/8/8/8/r7/8/R7 w - - 20+20 0 49", "Rxa3"),
            "White wins 25-20 by elimination"
        );
        let made = |side| {
            let made = |&plies: &u32| STANDARD.moves.made(side, plies);
            (0..=120).rev().find(made).unwrap()
        };
        // White's 48th move leaves 25 plies, Black's 24.
        assert_eq!([Color::White, Color::Black].map(made), [25, 24]);
    }

    #[test]
    fn the_clock_decides_after_black_moves_only() {
        let fen = |points: &str, side: char, number: u32| {
            format!("7k/8/8/8/8/8/8/K7 {side} - - {points} 0 {number}")
        };
        let on_points = |winner: &str| Some(format!("{winner} on points"));
        let black = |points, number| ending_after(STANDARD, &fen(points, 'b', number), "Kg8");
        assert_eq!(black("2+1", 47), None);
        assert_eq!(black("2+1", 48), on_points("White wins 2-1"));
        assert_eq!(black("1+2", 48), on_points("Black wins 1-2"));
        assert_eq!(black("2+2", 48), None);
        assert_eq!(black("2+2", 59), None);
        assert_eq!(black("1+2", 59), on_points("Black wins 1-2"));
        assert_eq!(black("2+2", 60), on_points("drawn 2-2"));
        // White's lead in overtime must outlast Black's answer.
        let overtime = "7k/8/8/8/8/8/r7/K7 w - - 2+2 0 55";
        let mut position = after(STANDARD, overtime, "Kxa2");
        assert_eq!((STANDARD.ending(&position), position.difference()), (None, 5));
        position.points.black += 5;
        assert_eq!(STANDARD.ending(&position), None);
    }

    #[test]
    fn only_the_side_to_move_can_be_blocked() {
        let blocked = "8/8/8/8/k7/P7/8/8 b - - 4+3 0 9";
        assert_eq!(ending_after(STANDARD, blocked, "Kb5"), None);
        let locked = "8/8/8/k7/p7/P7/8/8 b - - 4+3 0 9";
        assert_eq!(
            ending_after(STANDARD, locked, "Kb6").unwrap(),
            "White wins 4-3 as White has no move"
        );
        // White, blocked as well, does not matter while it is Black's turn.
        assert_eq!(STANDARD.ending(&position(locked)), None);
        let capture = "8/8/8/p1r5/P7/2P5/8/8 b - - 1+1 0 9";
        assert_eq!(
            ending_after(STANDARD, capture, "Rxc3"),
            Some("Black wins 1-2 as White has no move".into())
        );
        let even = "8/8/8/p1r5/P7/2P5/8/8 b - - 2+1 0 9";
        assert_eq!(
            ending_after(STANDARD, even, "Rxc3"),
            Some("drawn 2-2 as White has no move".into())
        );
    }

    #[test]
    fn the_clock_counts_plies_down() {
        let remaining = |fen| STANDARD.remaining(&position(fen).setup);
        assert_eq!(STANDARD.remaining(&STANDARD.initial().setup), 120);
        assert_eq!(remaining("8/4R1k1/8/8/8/1n6/3K4/8 w - - 0+0 0 2"), 118);
        assert_eq!(remaining("8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25"), 72);
        assert_eq!(remaining("8/8/3q4/8/8/2R5/8/8 b - - 19+15 0 60"), 1);
        let decisive: Vec<u32> =
            (0..=STANDARD.moves.plies()).filter(|&plies| STANDARD.moves.decides(plies)).collect();
        assert_eq!(decisive, (0..=24).step_by(2).collect::<Vec<u32>>());
    }

    #[test]
    fn options_are_read_and_bound_the_clock() {
        let game = Noro { elimination: "score".parse().unwrap(), moves: "10+3".parse().unwrap() };
        assert_eq!(
            serde_json::Value::Object(game.options()).to_string(),
            r#"{"elimination":"score","moves":"10+3"}"#
        );
        assert_eq!(game.remaining(&game.initial().setup), 26);
        assert!(game.parse_fen("8/8/3q4/8/8/2R5/8/8 b - - 19+15 0 13").is_ok());
        assert!(game.parse_fen("8/8/3q4/8/8/2R5/8/8 b - - 19+15 0 14").is_err());
        for text in ["", "48", "0+12", "101+0", "48+101", "48-12", "a+b", "48+12+1", "300+1"] {
            assert!(text.parse::<MoveLimits>().is_err(), "{text}");
        }
        assert_eq!(
            "0+12".parse::<MoveLimits>().unwrap_err().to_string(),
            "`0+12` is not a number of moves; write <moves>+<overtime>, like 48+12, with 1 to 100 moves and at most 100 in overtime"
        );
        assert_eq!(
            "draws".parse::<Elimination>().unwrap_err().to_string(),
            "`draws` is not a way to judge elimination; write loses, score or early"
        );
        let standard: (Elimination, MoveLimits) =
            ("loses".parse().unwrap(), "48+12".parse().unwrap());
        assert_eq!(standard, (STANDARD.elimination, STANDARD.moves));
    }

    #[test]
    fn what_cannot_be_played_on_from_is_refused() {
        for (fen, error) in [
            (
                "7k/8/8/8/8/8/8/K7 w - - 0+0 0 61",
                "move number 61 is too high; this game ends with move 60",
            ),
            (
                "7k/8/8/8/8/8/8/K7 w - - 3+2 0 49",
                "the game is over in this position: White wins 3-2 on points",
            ),
            (
                "8/8/8/8/8/k7/P7/8 w - - 3+2 0 9",
                "the game is over in this position: White wins 3-2 as White has no move",
            ),
            ("8/8/8/8/8/8/8/K7 w - - 3+2 0 9", "Black has no men; each side has at least one"),
            ("8/8/8/8/8/8/8/8 w", "White has no men; each side has at least one"),
            (
                "7k/8/8/8/8/8/8/K7 w - - 3+x 0 9",
                "`3+x` is not a field of this game; only the points as <white>+<black>, each at most 1000000, and the two counters may follow",
            ),
            (
                "7k/8/8/8/8/8/8/K7 w - - -3+2 0 9",
                "`-3+2` is not a field of this game; only the points as <white>+<black>, each at most 1000000, and the two counters may follow",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w K - 0+0 0 9",
                "this game has no castling; write - instead of `K`",
            ),
            (
                "8/8/8/3pP3/8/8/8/8 w - d6 0+0 0 1",
                "nothing can be taken en passant before the first turn; write - instead of `d6`",
            ),
        ] {
            assert_eq!(STANDARD.parse_fen(fen).unwrap_err().to_string(), error, "{fen}");
        }
        for fen in [
            "7k/8/8/8/8/8/8/K7 w - - 3+3 0 60",
            "7k/8/8/8/8/8/8/K7 b - - 3+2 0 60",
            "7k/8/8/8/8/8/8/K7 w - - 3+2 0 48",
            "8/8/8/3pP3/8/8/8/8 w - d6 0+0 0 2",
            "8/8/8/8/3pP3/8/8/8 b - e3 0+0 0 1",
            "8/8/8/8/8/1q6/8/R7 w - - 1000000+0",
        ] {
            assert!(STANDARD.parse_fen(fen).is_ok(), "{fen}");
        }
    }

    /// The expected counts come from another generator, which knows no pins and no check. Whoever
    /// wins by elimination, it ends the game, so that the counts are the same for all options.
    #[test]
    fn perft_minds_clock_and_score() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", &[20, 400, 8902, 197_742][..]),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0+0 0 1",
                &[46, 1871, 87_310],
            ),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w - - 3+4 0 20",
                &[38, 1771, 70_012],
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 5+5 0 48", &[16, 278, 4140, 76_546]),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 5+5 0 60", &[16, 278, 0]),
            ("8/8/8/1pP5/4pP2/8/8/8 b - f3 0+0 0 59", &[3, 4, 8, 0]),
            ("8/8/8/8/8/1q6/8/R2n4 w - - 0+0 0 50", &[10, 257, 2846, 73_176]),
        ] {
            for (depth, &count) in (1..).zip(expected) {
                for game in [STANDARD, BY_SCORE, EARLY] {
                    assert_eq!(perft(&game, &position(fen), depth), count, "{fen} {depth}");
                }
            }
        }
    }
}

//! High Chess, by Grant Sinclair: no draws; who keeps away from the centre runs out of vitality.
//!
//! The moves are orthodox, and a player not in check may pass. The player whose King is nearer to
//! the centre is High, the other Low; Black is High if both are equally near. A turn that can
//! never be taken back is vital and restores its mover's vitality; any other costs the mover a
//! point if it leaves them Low. Mate wins at once, and a player without vitality has lost.
//!
//! The FEN has one field of its own, `<white vitality>+<black vitality>`, after the en passant
//! field; it may be left out and then both are full. The en passant square is kept and written
//! whenever a pawn attacks it, pinned or not, since that makes the next turn vital.

use std::{fmt, str::FromStr};

use super::{
    Ending, Game, OptionError, Replay, RuleOption, RuleOptions, Stated, TurnError,
    chess::{Castling, Move, Setup},
    fen::{self, FenError, Frame},
    laws::Laws,
    notation::{self, SAN_PASS, UCI_PASS, Written},
};
use crate::board::{Board, ByColor, Color, RoleSet, Square};

/// How much vitality a player can have: 1 to 50 points.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vitality(u8);

impl Vitality {
    /// The most there can be: 50, the inventor's number.
    pub const MAX: Vitality = Vitality(50);

    /// A number of points, if it is 1 to 50.
    pub const fn new(points: u8) -> Option<Vitality> {
        if 1 <= points && points <= Vitality::MAX.0 { Some(Vitality(points)) } else { None }
    }

    /// The number of points, 1 to 50.
    pub const fn points(self) -> u8 {
        self.0
    }
}

impl Default for Vitality {
    fn default() -> Vitality {
        Vitality::MAX
    }
}

impl fmt::Display for Vitality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The text is not an option of High Chess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HighOptionError {
    /// Not a vitality.
    #[error("`{0}` is not a vitality; write a number from 1 to 50")]
    Vitality(String),
    /// Not a way to revitalise.
    #[error("`{0}` is not a way to revitalise; write mover or both")]
    Revitalise(String),
}

impl FromStr for Vitality {
    type Err = HighOptionError;

    fn from_str(text: &str) -> Result<Vitality, HighOptionError> {
        text.parse()
            .ok()
            .and_then(Vitality::new)
            .ok_or_else(|| HighOptionError::Vitality(text.to_owned()))
    }
}

/// Whose vitality a vital turn restores.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Revitalise {
    /// That of the player who made the turn.
    #[default]
    Mover,
    /// That of both players.
    Both,
}

impl fmt::Display for Revitalise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Revitalise::Mover => "mover",
            Revitalise::Both => "both",
        })
    }
}

impl FromStr for Revitalise {
    type Err = HighOptionError;

    fn from_str(text: &str) -> Result<Revitalise, HighOptionError> {
        match text {
            "mover" => Ok(Revitalise::Mover),
            "both" => Ok(Revitalise::Both),
            _ => Err(HighOptionError::Revitalise(text.to_owned())),
        }
    }
}

/// The game with its options.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct High {
    /// The vitality each player begins with and never exceeds.
    pub vitality: Vitality,
    /// Whose vitality a vital turn restores.
    pub revitalise: Revitalise,
}

impl High {
    const VITALITY: RuleOption = RuleOption {
        name: "vitality",
        value_name: "POINTS",
        help: "the vitality each player begins with, 1 to 50",
        default: "50",
        recorded: true,
    };

    const REVITALISE: RuleOption = RuleOption {
        name: "revitalise",
        value_name: "WHOSE",
        help: "whose vitality a vital turn restores, mover or both",
        default: "mover",
        recorded: true,
    };
}

/// A position of High Chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HighPosition {
    /// The men and the standard fields.
    pub setup: Setup,
    /// White's vitality and Black's, 0 to 50; 0 only where the game is over by exhaustion.
    pub vitality: ByColor<u8>,
}

/// A turn of High Chess.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum HighTurn {
    /// The board stays as it is.
    Pass,
    /// A board move.
    Move(Move),
}

/// How a game of High Chess ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum HighEnding {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// The other side has no vitality left.
    Exhaustion {
        /// The side that has.
        winner: Color,
    },
    /// The other side resigns.
    Resignation {
        /// The side that does not.
        winner: Color,
    },
}

impl Ending for HighEnding {
    fn winner(&self) -> Option<Color> {
        let (HighEnding::Checkmate { winner }
        | HighEnding::Exhaustion { winner }
        | HighEnding::Resignation { winner }) = *self;
        Some(winner)
    }

    fn resigned(&self) -> Option<Color> {
        match *self {
            HighEnding::Resignation { winner } => Some(!winner),
            _ => None,
        }
    }
}

impl fmt::Display for HighEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HighEnding::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            HighEnding::Exhaustion { winner } => write!(f, "{winner} wins by exhaustion"),
            HighEnding::Resignation { winner } => {
                write!(f, "{winner} wins, as {} resigns", !*winner)
            }
        }
    }
}

impl High {
    /// How far a King on `square` is from the centre: its steps to the nearest of d4, e4, d5 and
    /// e5 on an empty board, 0 to 3.
    pub const fn distance(square: Square) -> u8 {
        const fn outside(line: u8) -> u8 {
            if line < 4 { 3 - line } else { line - 4 }
        }
        let (files, ranks) = (outside(square.file()), outside(square.rank()));
        if files > ranks { files } else { ranks }
    }

    /// Who is High: the side whose King is nearer to the centre, or Black. (On a board without
    /// one of the Kings, which no position has, a missing King counts as farthest.)
    pub fn high(board: &Board) -> Color {
        let distance = |color| board.king(color).map_or(u8::MAX, High::distance);
        if distance(Color::White) < distance(Color::Black) { Color::White } else { Color::Black }
    }

    /// Whether a turn is vital: it captures or moves a pawn, gives up a castling right of its
    /// mover, or is any turn of a player one of whose pawns attacks the en passant square.
    pub fn is_vital(position: &HighPosition, turn: HighTurn) -> bool {
        let setup = &position.setup;
        // The set-up keeps an en passant square only where a pawn attacks it.
        setup.en_passant.is_some()
            || match turn {
                HighTurn::Pass => false,
                HighTurn::Move(mv) => {
                    let mover = setup.to_move;
                    let rights = setup.castling.of(mover);
                    setup.is_capture(mv)
                        || setup.is_pawn_move(mv)
                        // Without rights there is no need to play the move.
                        || rights != Castling::NONE && setup.play(mv).castling.of(mover) != rights
                }
            }
    }

    fn is_exhausted(position: &HighPosition) -> bool {
        Color::any(|color| position.vitality[color] == 0)
    }

    fn read_vitality(&self, text: &str, [white, black]: [u32; 2]) -> Result<ByColor<u8>, FenError> {
        let full = self.vitality.points();
        let wrong = || FenError::Field {
            text: text.to_owned(),
            expected: format!("each vitality is a number from 1 to {full}"),
        };
        let points = |number: u32| {
            u8::try_from(number).ok().filter(|points| (1..=full).contains(points)).ok_or_else(wrong)
        };
        Ok(ByColor { white: points(white)?, black: points(black)? })
    }
}

impl High {
    /// The name used in commands, folders and table headers.
    pub const NAME: &'static str = "high";
}

impl Game for High {
    type Position = HighPosition;
    type Turn = HighTurn;
    type Ending = HighEnding;

    const HAS_DRAWS: bool = false;

    const OPTIONS: &'static [RuleOption] = &[High::VITALITY, High::REVITALISE];

    fn name(&self) -> &'static str {
        High::NAME
    }

    fn with_options(&self, options: &mut RuleOptions) -> Result<High, OptionError> {
        let vitality = options.take(&High::VITALITY)?;
        Ok(High { vitality, revitalise: options.take(&High::REVITALISE)? })
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        [
            (High::VITALITY.name.to_owned(), self.vitality.points().into()),
            (High::REVITALISE.name.to_owned(), self.revitalise.to_string().into()),
        ]
        .into_iter()
        .collect()
    }

    fn initial(&self) -> HighPosition {
        HighPosition { setup: Setup::initial(), vitality: ByColor::both(self.vitality.points()) }
    }

    fn parse_fen(&self, fen: &str) -> Result<HighPosition, FenError> {
        let mut frame = Frame::read(fen)?;
        let board = frame.board(RoleSet::ORTHODOX)?;
        fen::one_king_each(&board)?;
        let vitality = match frame.take(fen::read_pair) {
            Some((text, pair)) => self.read_vitality(text, pair)?,
            None => ByColor::both(self.vitality.points()),
        };
        let expected = "only the vitalities as <white>+<black> and the two counters may follow";
        Ok(HighPosition { setup: frame.setup(board, &Laws::ORTHODOX, expected)?, vitality })
    }

    /// The canonical FEN. After exhaustion it shows a vitality of 0, which is not read back.
    fn fen(&self, position: &HighPosition) -> String {
        fen::write(&position.setup, &Laws::ORTHODOX, "", &[position.vitality.to_string()])
    }

    fn board<'p>(&self, position: &'p HighPosition) -> &'p Board {
        &position.setup.board
    }

    fn to_move(&self, position: &HighPosition) -> Color {
        position.setup.to_move
    }

    fn is_check(&self, position: &HighPosition) -> bool {
        position.setup.in_check(position.setup.to_move)
    }

    fn turns(&self, position: &HighPosition) -> Vec<HighTurn> {
        if High::is_exhausted(position) {
            return Vec::new();
        }
        let setup = &position.setup;
        let pass = (!setup.in_check(setup.to_move)).then_some(HighTurn::Pass);
        setup.moves(&Laws::ORTHODOX).into_iter().map(HighTurn::Move).chain(pass).collect()
    }

    fn play(&self, position: &HighPosition, turn: HighTurn) -> HighPosition {
        let mover = position.setup.to_move;
        let setup = match turn {
            HighTurn::Pass => position.setup.pass(),
            HighTurn::Move(mv) => position.setup.play(mv),
        };
        let mut next = HighPosition { setup, vitality: position.vitality };
        if next.setup.is_checkmate(&Laws::ORTHODOX) {
            // Checkmate comes before any change of vitality.
        } else if High::is_vital(position, turn) {
            let full = self.vitality.points();
            match self.revitalise {
                Revitalise::Mover => next.vitality[mover] = full,
                Revitalise::Both => next.vitality = ByColor::both(full),
            }
        } else if High::high(&next.setup.board) != mover {
            next.vitality[mover] = position.vitality[mover].saturating_sub(1);
        }
        next
    }

    fn ending(&self, position: &HighPosition) -> Option<HighEnding> {
        if High::is_exhausted(position) {
            let winner = if position.vitality.white == 0 { Color::Black } else { Color::White };
            Some(HighEnding::Exhaustion { winner })
        } else if position.setup.is_checkmate(&Laws::ORTHODOX) {
            Some(HighEnding::Checkmate { winner: !position.setup.to_move })
        } else {
            None
        }
    }

    /// As the last position says; else a side has resigned if the record gives the game away.
    fn result(&self, replay: &Replay<High>) -> Option<HighEnding> {
        self.ending(replay.last()).or_else(|| match replay.said()? {
            Stated::Won(winner) => Some(HighEnding::Resignation { winner }),
            Stated::Drawn => None,
        })
    }

    fn uci(&self, _: &HighPosition, turn: HighTurn) -> String {
        match turn {
            HighTurn::Pass => UCI_PASS.to_owned(),
            HighTurn::Move(mv) => mv.to_string(),
        }
    }

    fn san(&self, position: &HighPosition, turn: HighTurn) -> String {
        let HighTurn::Move(mv) = turn else {
            return SAN_PASS.to_owned();
        };
        let next = self.play(position, turn);
        let check = next.setup.in_check(next.setup.to_move);
        let mate = matches!(self.ending(&next), Some(HighEnding::Checkmate { .. }));
        notation::san(&position.setup, &position.setup.moves(&Laws::ORTHODOX), mv)
            + notation::check_sign(check, mate)
    }

    fn parse_turn(&self, position: &HighPosition, text: &str) -> Result<HighTurn, TurnError> {
        let written = Written::read(text);
        notation::choose(self, position, text, |turn| {
            written.is_some_and(|written| match turn {
                HighTurn::Pass => written == Written::Pass,
                HighTurn::Move(mv) => written.fits(&position.setup, mv),
            })
        })
    }

    /// The vitalities after the turn.
    fn comment(&self, _: &HighPosition, _: HighTurn, after: &HighPosition) -> Option<String> {
        Some(after.vitality.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::perft;

    const STANDARD: High = High { vitality: Vitality::MAX, revitalise: Revitalise::Mover };
    const BOTH: High = High { revitalise: Revitalise::Both, ..STANDARD };

    /// Whether the turn is vital, and the vitalities after it.
    fn play(game: High, fen: &str, turn: &str) -> (bool, ByColor<u8>) {
        let position = game.parse_fen(fen).unwrap();
        let turn = game.parse_turn(&position, turn).unwrap();
        (High::is_vital(&position, turn), game.play(&position, turn).vitality)
    }

    fn ending_after(fen: &str, turn: &str) -> Option<String> {
        let position = STANDARD.parse_fen(fen).unwrap();
        let turn = STANDARD.parse_turn(&position, turn).unwrap();
        let next = STANDARD.play(&position, turn);
        assert_eq!(STANDARD.turns(&next).is_empty(), STANDARD.ending(&next).is_some());
        STANDARD.ending(&next).map(|ending| ending.to_string())
    }

    #[test]
    fn distances_form_rings_around_the_centre() {
        let count = |steps| Square::all().filter(|&s| High::distance(s) == steps).count();
        assert_eq!([0, 1, 2, 3].map(count), [4, 12, 20, 28]);
        let centre = ["d4", "e4", "d5", "e5"].map(|name| name.parse::<Square>().unwrap());
        for square in Square::all() {
            let nearest = centre.iter().map(|centre| centre.king_steps(square)).min();
            assert_eq!(Some(High::distance(square)), nearest);
        }
    }

    #[test]
    fn black_is_high_when_both_are_equally_near() {
        let high = |fen| High::high(&STANDARD.parse_fen(fen).unwrap().setup.board);
        assert_eq!(high("7k/8/8/8/8/8/8/K7 w"), Color::Black);
        assert_eq!(high("7k/8/8/8/8/8/1K6/8 w"), Color::White);
        assert_eq!(high("8/8/8/3k4/8/8/1K6/8 w"), Color::Black);
    }

    #[test]
    fn captures_and_pawn_moves_are_vital() {
        let fen = "3r3k/6p1/8/8/8/8/P7/K2R4 w - - 7+8";
        assert_eq!(play(STANDARD, fen, "Rxd8+"), (true, [50, 8].into()));
        assert_eq!(play(STANDARD, fen, "a4"), (true, [50, 8].into()));
        assert_eq!(play(BOTH, fen, "a4"), (true, [50, 50].into()));
        assert_eq!(play(STANDARD, fen, "Rc1"), (false, [6, 8].into()));
        assert_eq!(play(BOTH, fen, "Rc1"), (false, [6, 8].into()));
        assert_eq!(play(STANDARD, "7k/P7/8/8/8/8/8/K7 w - - 7+8", "a8=N"), (true, [50, 8].into()));
    }

    #[test]
    fn giving_up_a_castling_right_is_vital() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 7+8";
        assert_eq!(play(STANDARD, fen, "O-O"), (true, [50, 8].into()));
        assert_eq!(play(STANDARD, fen, "Kd2"), (true, [50, 8].into()));
        assert_eq!(play(STANDARD, fen, "Ra7"), (true, [50, 8].into()));
        assert_eq!(play(STANDARD, fen, "--"), (false, [6, 8].into()));
        // The Rook on h1 has no right left to lose, nor has the King.
        let fen = "4k3/8/8/8/8/8/8/R3K2R w Q - 7+8";
        assert_eq!(play(STANDARD, fen, "Rh7"), (false, [6, 8].into()));
        assert_eq!(
            play(STANDARD, "4k3/8/8/8/8/8/8/R3K2R w - - 7+8", "Kd1"),
            (false, [6, 8].into())
        );
    }

    #[test]
    fn every_turn_beside_an_en_passant_square_is_vital() {
        let free = "7k/8/8/3pP3/8/8/8/4K3 w - d6 7+8";
        let pinned = "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 7+8";
        assert_eq!(play(STANDARD, free, "exd6"), (true, [50, 8].into()));
        for fen in [free, pinned] {
            assert_eq!(play(STANDARD, fen, "--"), (true, [50, 8].into()));
            assert_eq!(play(STANDARD, fen, "Kd1"), (true, [50, 8].into()));
            assert_eq!(play(STANDARD, &fen.replace("d6", "-"), "Kd1"), (false, [6, 8].into()));
        }
        let position = STANDARD.parse_fen(pinned).unwrap();
        assert!(STANDARD.parse_turn(&position, "exd6").is_err());
        // No pawn attacks d6 here.
        assert_eq!(play(STANDARD, "7k/8/8/3p4/8/8/8/4K3 w - d6 7+8", "--"), (false, [6, 8].into()));
    }

    #[test]
    fn only_the_mover_pays_and_only_if_low_after_the_move() {
        // White comes level and stays Low; comes closer and is High; Black is High and moves away.
        assert_eq!(play(STANDARD, "8/8/8/5k2/8/8/8/1K6 w - - 7+8", "Kb2"), (false, [6, 8].into()));
        assert_eq!(play(STANDARD, "8/5k2/8/8/8/2K5/8/8 w - - 7+8", "Kc4"), (false, [7, 8].into()));
        assert_eq!(play(STANDARD, "8/8/5k2/8/8/2K5/8/8 b - - 7+8", "Kg7"), (false, [7, 7].into()));
        assert_eq!(play(STANDARD, "8/8/5k2/8/8/2K5/8/8 b - - 7+8", "0000"), (false, [7, 8].into()));
    }

    #[test]
    fn exhaustion_loses_and_mate_comes_first() {
        let exhausted = Some("Black wins by exhaustion".to_owned());
        assert_eq!(ending_after("8/8/8/3k4/8/8/1BN5/K7 w - - 1+50", "--"), exhausted);
        assert_eq!(ending_after("8/8/8/3k4/8/8/1BN5/K7 w - - 2+1", "--"), None);
        let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 1+50";
        assert_eq!(ending_after(fen, "Rd8#"), Some("White wins by checkmate".to_owned()));
        assert_eq!(play(STANDARD, fen, "Rd8#"), (false, [1, 50].into()));
        assert_eq!(play(STANDARD, fen, "Rd7"), (false, [0, 50].into()));
    }

    #[test]
    fn a_player_passes_unless_in_check() {
        let turns = |fen| {
            let position = STANDARD.parse_fen(fen).unwrap();
            let turns = STANDARD.turns(&position);
            turns.into_iter().map(|turn| STANDARD.san(&position, turn)).collect::<Vec<_>>()
        };
        assert_eq!(turns("7k/5Q2/6K1/8/8/8/8/8 b"), ["--"]);
        assert_eq!(turns("7k/8/8/8/8/8/8/KR5r w - - 3+3").last().unwrap(), "--");
        assert_eq!(turns("7k/8/8/8/8/8/8/K6r w"), ["Ka2", "Kb2"]);
    }

    #[test]
    fn options_are_read_and_bound_the_field() {
        let game = High { vitality: "10".parse().unwrap(), revitalise: "both".parse().unwrap() };
        let fen = |fen: &str| game.parse_fen(fen).map(|position| game.fen(&position));
        assert_eq!(fen("7k/8/8/8/8/8/8/K7 w").unwrap(), "7k/8/8/8/8/8/8/K7 w - - 10+10 0 1");
        for field in ["11+1", "0+1", "1+0", "300+1", "99999999999+1"] {
            assert!(fen(&format!("7k/8/8/8/8/8/8/K7 w - - {field} 0 1")).is_err(), "{field}");
        }
        assert!("0".parse::<Vitality>().is_err() && "51".parse::<Vitality>().is_err());
        assert_eq!(
            "none".parse::<Revitalise>().unwrap_err().to_string(),
            "`none` is not a way to revitalise; write mover or both"
        );
        assert_eq!(
            serde_json::Value::Object(game.options()).to_string(),
            r#"{"vitality":10,"revitalise":"both"}"#
        );
    }

    /// Counts with another generator, which knows null moves.
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = board.null_move().map_or(0, |next| count(&next, depth - 1));
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                sum += count(&next, depth - 1);
            }
            false
        });
        sum
    }

    #[test]
    fn perft_counts_passes() {
        for (depth, expected) in (1..).zip([21, 441, 10_208]) {
            assert_eq!(count(&cozy_chess::Board::default(), depth), expected);
            assert_eq!(perft(&STANDARD, &STANDARD.initial(), depth), expected);
        }
    }
}

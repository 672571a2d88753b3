//! Stylish victory or stylish fail, by Daniil Frolov: orthodox chess for points.
//!
//! Captures, promotions, checkmate and draws score by a [`ScoreSheet`]; the result is the margin,
//! White's points minus Black's. Bare Kings, or one Bishop or Knight beside them, end the game. In
//! a record players can also agree on a draw, claim one, and resign, which loses whatever the
//! points.
//!
//! The FEN has two fields of its own after the en passant field: `<white points>+<black points>`
//! and the side that made the last capture, `w`, `b` or `-`. Either may be left out, and then they
//! are `0+0` and `-`. The en passant square is kept and written only if a capture there is legal.

mod awards;
mod sheet;

use std::{fmt, sync::Arc};

pub use awards::{Award, Reason, is_dead};
use sheet::ScoreFile;
pub use sheet::{ScoreSheet, ScoreSheetError};

use super::{
    Ending, Game, MatchRule, OptionError, Replay, RuleOption, RuleOptions, TurnError,
    chess::{Move, Setup},
    claim::{Conclusion, DrawClaim, conclusion},
    fen::{self, FenError, Frame, MAX_POINTS},
    laws::Laws,
    notation::{self, Written},
};
use crate::board::{Board, ByColor, Color, RoleSet};

/// The game with its score sheet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stylish {
    /// What everything is worth.
    pub sheet: Arc<ScoreSheet>,
}

/// A position of Stylish.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StylishPosition {
    /// The men and the standard fields.
    pub setup: Setup,
    /// White's points and Black's so far, without what a draw gives.
    pub points: ByColor<u32>,
    /// The side that made the last capture of the game.
    pub last_capture: Option<Color>,
}

/// How a game of Stylish ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct StylishEnding {
    /// What ended it.
    pub cause: StylishCause,
    /// White's points and Black's, all counted.
    pub points: ByColor<i64>,
}

/// What ended a game of Stylish.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StylishCause {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        by: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate any more.
    Dead,
    /// The players agree on a draw, or one claims it.
    Claim(DrawClaim),
    /// This side resigns, and has lost whatever the points.
    Resignation {
        /// The side that resigns.
        by: Color,
    },
}

impl StylishEnding {
    /// White's points minus Black's.
    pub fn margin(&self) -> i64 {
        self.points.white - self.points.black
    }
}

impl Ending for StylishEnding {
    fn winner(&self) -> Option<Color> {
        match (self.cause, self.margin()) {
            (StylishCause::Resignation { by }, _) => Some(!by),
            (_, 1..) => Some(Color::White),
            (_, 0) => None,
            (_, _) => Some(Color::Black),
        }
    }

    fn is_draw(&self) -> bool {
        match self.cause {
            StylishCause::Stalemate | StylishCause::Dead | StylishCause::Claim(_) => true,
            StylishCause::Checkmate { .. } | StylishCause::Resignation { .. } => {
                self.winner().is_none()
            }
        }
    }

    fn resigned(&self) -> Option<Color> {
        match self.cause {
            StylishCause::Resignation { by } => Some(by),
            _ => None,
        }
    }
}

impl fmt::Display for StylishEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            StylishCause::Checkmate { by } => write!(f, "{by} mates")?,
            StylishCause::Stalemate => f.write_str("drawn by stalemate")?,
            StylishCause::Dead => f.write_str("drawn, as neither side can mate")?,
            StylishCause::Claim(claim) => write!(f, "drawn {claim}")?,
            StylishCause::Resignation { by } => {
                write!(f, "{by} resigns and loses, whatever the points")?;
            }
        }
        let ByColor { white, black } = self.points;
        write!(f, "; points {white} to {black}, margin {}", self.margin())
    }
}

impl Stylish {
    const SCORES: RuleOption = RuleOption {
        name: "scores",
        value_name: "FILE",
        help: "a score sheet like the one `finale info --scores` prints",
        default: "that one",
        recorded: false,
    };

    /// What a legal move scores for the side to move, with the reasons.
    pub fn awards(&self, position: &StylishPosition, mv: Move) -> Vec<Award> {
        self.sheet.awards(&position.setup, mv)
    }

    /// White's points minus Black's so far.
    pub fn margin_so_far(position: &StylishPosition) -> i64 {
        i64::from(position.points.white) - i64::from(position.points.black)
    }

    /// Who scores what for a draw, if the position is one: stalemate, or neither side can mate.
    pub fn draw_award(&self, position: &StylishPosition) -> Option<(Color, Award)> {
        match self.cause(position) {
            Some(StylishCause::Stalemate | StylishCause::Dead) => self.award_if_drawn(position),
            _ => None,
        }
    }

    /// Who scores what if the game ends in this position as a draw.
    fn award_if_drawn(&self, position: &StylishPosition) -> Option<(Color, Award)> {
        self.sheet.draw_award(&position.setup.board, position.last_capture)
    }

    fn cause(&self, position: &StylishPosition) -> Option<StylishCause> {
        let setup = &position.setup;
        if is_dead(&setup.board) {
            Some(StylishCause::Dead)
        } else if setup.has_move(&Laws::ORTHODOX) {
            None
        } else if setup.in_check(setup.to_move) {
            Some(StylishCause::Checkmate { by: !setup.to_move })
        } else {
            Some(StylishCause::Stalemate)
        }
    }

    /// The points of both sides, those a draw gives included.
    fn final_points(&self, position: &StylishPosition) -> ByColor<i64> {
        points_with(position, self.draw_award(position))
    }
}

/// The points of both sides with those of an award.
fn points_with(position: &StylishPosition, award: Option<(Color, Award)>) -> ByColor<i64> {
    let mut points = position.points.map(i64::from);
    if let Some((color, award)) = award {
        points[color] += i64::from(award.points);
    }
    points
}

impl Stylish {
    /// The name used in commands, folders and table headers.
    pub const NAME: &'static str = "stylish";
}

impl Game for Stylish {
    type Position = StylishPosition;
    type Turn = Move;
    type Ending = StylishEnding;

    const MATCH: MatchRule = MatchRule::PointsUnlessResigned;

    const OPTIONS: &'static [RuleOption] = &[Stylish::SCORES];

    /// Takes `scores`, the path of a score sheet.
    fn name(&self) -> &'static str {
        Stylish::NAME
    }

    fn with_options(&self, options: &mut RuleOptions) -> Result<Stylish, OptionError> {
        let ScoreFile(sheet) = options.take(&Stylish::SCORES)?;
        Ok(Stylish { sheet: Arc::new(sheet) })
    }

    /// The whole score sheet.
    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        let sheet = serde_json::to_value(&*self.sheet).expect("a sheet is a tree of numbers");
        [(Stylish::SCORES.name.to_owned(), sheet)].into_iter().collect()
    }

    fn initial(&self) -> StylishPosition {
        StylishPosition { setup: Setup::initial(), points: ByColor::default(), last_capture: None }
    }

    fn parse_fen(&self, fen: &str) -> Result<StylishPosition, FenError> {
        let mut frame = Frame::read(fen)?;
        let board = frame.board(RoleSet::ORTHODOX)?;
        fen::one_king_each(&board)?;
        let points = match frame.take(|text| text.contains('+').then(|| fen::read_points(text))) {
            Some((_, Some(points))) => points,
            Some((text, None)) => {
                let expected =
                    format!("the points are two numbers <white>+<black> from 0 to {MAX_POINTS}");
                return Err(FenError::Field { text: text.to_owned(), expected });
            }
            None => ByColor::default(),
        };
        let last_capture = frame.take(read_last_capture).and_then(|(_, side)| side);
        let expected = "the side that captured last is w, b or -, and beside it only the points \
                        as <white>+<black> and the two counters may follow";
        let mut setup = frame.setup(board, &Laws::ORTHODOX, expected)?;
        setup.drop_idle_en_passant(&Laws::ORTHODOX);
        Ok(StylishPosition { setup, points, last_capture })
    }

    fn fen(&self, position: &StylishPosition) -> String {
        let last_capture = position.last_capture.map_or('-', Color::letter);
        fen::write(
            &position.setup,
            &Laws::ORTHODOX,
            "",
            &[position.points.to_string(), last_capture.to_string()],
        )
    }

    fn board<'p>(&self, position: &'p StylishPosition) -> &'p Board {
        &position.setup.board
    }

    fn to_move(&self, position: &StylishPosition) -> Color {
        position.setup.to_move
    }

    fn is_check(&self, position: &StylishPosition) -> bool {
        position.setup.in_check(position.setup.to_move)
    }

    fn turns(&self, position: &StylishPosition) -> Vec<Move> {
        if is_dead(&position.setup.board) {
            Vec::new()
        } else {
            position.setup.moves(&Laws::ORTHODOX)
        }
    }

    fn play(&self, position: &StylishPosition, mv: Move) -> StylishPosition {
        let mover = position.setup.to_move;
        let scored: i32 = self.awards(position, mv).iter().map(|award| award.points).sum();
        let mut next = StylishPosition { setup: position.setup.play(mv), ..*position };
        next.setup.drop_idle_en_passant(&Laws::ORTHODOX);
        let points = &mut next.points[mover];
        *points = points.saturating_add_signed(scored);
        if position.setup.is_capture(mv) {
            next.last_capture = Some(mover);
        }
        next
    }

    fn ending(&self, position: &StylishPosition) -> Option<StylishEnding> {
        let points = self.final_points(position);
        self.cause(position).map(|cause| StylishEnding { cause, points })
    }

    /// As the last position says; else a draw that the record says is agreed on, or that its last
    /// position lets a player claim, and a side has resigned if the record gives the game away.
    fn result(&self, replay: &Replay<Stylish>) -> Option<StylishEnding> {
        let last = replay.last();
        let drawn = |claim| StylishEnding {
            cause: StylishCause::Claim(claim),
            points: points_with(last, self.award_if_drawn(last)),
        };
        let ended = || {
            let ahead = drawn(DrawClaim::Agreement).winner();
            let identity = |position: &StylishPosition| position.setup.identity();
            Some(match conclusion(replay, |position| &position.setup, identity, ahead)? {
                Conclusion::Drawn(claim) => drawn(claim),
                Conclusion::Resigned(by) => StylishEnding {
                    cause: StylishCause::Resignation { by },
                    points: last.points.map(i64::from),
                },
            })
        };
        self.ending(last).or_else(ended)
    }

    fn points(&self, replay: &Replay<Stylish>) -> Option<ByColor<i64>> {
        self.result(replay).map(|ending| ending.points)
    }

    fn uci(&self, _: &StylishPosition, mv: Move) -> String {
        mv.to_string()
    }

    fn san(&self, position: &StylishPosition, mv: Move) -> String {
        let next = position.setup.play(mv);
        let sign =
            notation::check_sign(next.in_check(next.to_move), next.is_checkmate(&Laws::ORTHODOX));
        notation::san(&position.setup, &self.turns(position), mv) + sign
    }

    fn parse_turn(&self, position: &StylishPosition, text: &str) -> Result<Move, TurnError> {
        let written = Written::read(text);
        notation::choose(self, position, text, |mv| {
            written.is_some_and(|written| written.fits(&position.setup, mv))
        })
    }

    /// What the turn scored and why, and the points after it.
    fn comment(
        &self,
        before: &StylishPosition,
        mv: Move,
        after: &StylishPosition,
    ) -> Option<String> {
        let mut reasons: Vec<String> =
            self.awards(before, mv).iter().map(ToString::to_string).collect();
        if let Some((color, award)) = self.draw_award(after) {
            reasons.push(format!("{color}: {award}"));
        }
        let ByColor { white, black } = self.final_points(after);
        (!reasons.is_empty()).then(|| format!("{} ({white}+{black})", reasons.join(", ")))
    }
}

fn read_last_capture(text: &str) -> Option<Option<Color>> {
    match text {
        "w" => Some(Some(Color::White)),
        "b" => Some(Some(Color::Black)),
        "-" => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::perft;

    /// Plays a turn and says what it scored: the comment of the replay.
    fn comment(fen: &str, turn: &str) -> String {
        let game = Stylish::default();
        let before = game.parse_fen(fen).unwrap();
        let turn = game.parse_turn(&before, turn).unwrap();
        let after = game.play(&before, turn);
        assert_eq!(game.turns(&after).is_empty(), game.ending(&after).is_some());
        game.comment(&before, turn, &after).unwrap_or_default()
    }

    /// A mate: what it scores, and with which awards besides the first for mate.
    fn mate(fen: &str, turn: &str) -> String {
        let game = Stylish::default();
        let before = game.parse_fen(fen).unwrap();
        let turn = game.parse_turn(&before, turn).unwrap();
        let ending = game.ending(&game.play(&before, turn));
        let by = before.setup.to_move;
        assert_eq!(ending.map(|ending| ending.cause), Some(StylishCause::Checkmate { by }));
        comment(fen, &turn.to_string())
    }

    #[test]
    fn the_example_of_the_source_comes_out_at_230() {
        let fen = "4K3/R4Pk1/5p2/3B4/8/8/8/7R w - - 0 1";
        assert_eq!(
            mate(fen, "f8=N"),
            "Rook gives check from a distance 110, line opened 50, safe square g6 taken 70 (230+0)"
        );
    }

    #[test]
    fn the_checking_man_and_its_distance_set_the_price_of_mate() {
        for (fen, turn, expected) in [
            ("7k/5K1p/6P1/8/8/8/8/8 w", "g7", "Pawn gives check 150 (150+0)"),
            ("6rk/6pp/8/6N1/8/8/8/K7 w", "Nf7", "Knight gives check 130 (130+0)"),
            ("7k/5K1p/8/8/8/8/8/2B5 w", "Bb2", "Bishop gives check from a distance 120 (120+0)"),
            ("5B1k/5K1p/8/8/8/8/8/8 w", "Bg7", "Bishop gives check next to the King 110 (110+0)"),
            ("7k/8/6K1/8/8/8/8/R7 w", "Ra8", "Rook gives check from a distance 110 (110+0)"),
            ("7k/R7/5N2/8/8/8/8/K7 w", "Rh7", "Rook gives check next to the King 100 (100+0)"),
            ("7k/Q7/6K1/8/8/8/8/8 w", "Qa8", "Queen gives check from a distance 90 (90+0)"),
            ("7k/Q7/6K1/8/8/8/8/8 w", "Qg7", "Queen gives check next to the King 80 (80+0)"),
            ("8/8/8/8/8/6k1/q7/7K b", "Qg2", "Queen gives check next to the King 80 (0+80)"),
        ] {
            assert_eq!(mate(fen, turn), expected, "{fen}");
        }
    }

    #[test]
    fn a_capture_that_mates_scores_both_and_a_promotion_its_bonus_only() {
        for (fen, turn, expected) in [
            (
                "r6k/8/6K1/8/8/8/8/R7 w",
                "Rxa8",
                "Rook takes Rook 10, Rook gives check from a distance 110 (120+0)",
            ),
            (
                "7k/P7/6K1/8/8/8/8/8 w",
                "a8=R",
                "Rook gives check from a distance 110, just promoted 50 (160+0)",
            ),
            (
                "1n5k/P7/6K1/8/8/8/8/8 w",
                "axb8=Q",
                "Pawn takes Knight 10, Queen gives check from a distance 90, just promoted 50 (150+0)",
            ),
        ] {
            assert_eq!(mate(fen, turn), expected, "{fen}");
        }
    }

    #[test]
    fn in_double_check_the_least_counts_and_the_line_opened_still_scores() {
        // The Rook that moved counts; the Bishop's line was opened.
        assert_eq!(
            mate("7k/4N2p/5R2/8/8/8/1B6/K7 w", "Rf8"),
            "Rook gives check from a distance 110, line opened 50 (160+0)"
        );
        // Of two Queens at a distance the promoted one leaves more.
        assert_eq!(
            mate("3Q1n2/4P3/4pkp1/8/4K3/8/8/8 w", "exf8=Q"),
            "Pawn takes Knight 10, Queen gives check from a distance 90, just promoted 50, line opened 50, \
             safe squares f7 g7 taken 70 (270+0)"
        );
    }

    #[test]
    fn lines_are_opened_en_passant_but_not_by_castling() {
        assert_eq!(
            mate("8/8/5R2/R2pP2k/R7/8/8/K7 w - d6", "exd6"),
            "Pawn takes Pawn 5, Rook gives check from a distance 110, line opened 50 (165+0)"
        );
        assert_eq!(
            mate("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q", "O-O-O"),
            "Rook gives check from a distance 110 (110+0)"
        );
    }

    #[test]
    fn a_safe_square_is_one_the_mated_king_could_have_taken() {
        let (taken, not_taken) = ("safe square g6 taken 70 (230+0)", "line opened 50 (160+0)");
        for (fen, expected) in [
            // A white man there is guarded; a black man, or a white attack before, spoils it.
            ("4K3/R4Pk1/5pN1/3B4/8/8/8/7R w", taken),
            ("4K3/R4Pk1/5pp1/3B4/8/8/8/7R w", not_taken),
            ("4K3/R4Pk1/5p2/3B4/4B3/8/8/7R w", not_taken),
            // The new Knight is pinned.
            ("4K2r/R4Pk1/5p2/3B4/8/8/8/7R w", taken),
        ] {
            assert!(mate(fen, "f8=N").ends_with(expected), "{fen}: {}", mate(fen, "f8=N"));
        }
    }

    #[test]
    fn captures_score_by_both_men_and_the_way_of_the_queen() {
        for (fen, turn, expected) in [
            ("7k/8/8/3q4/4P3/8/8/K7 w", "exd5", "Pawn takes Queen 40 (40+0)"),
            ("7k/8/8/3pP3/8/8/8/K7 w - d6", "exd6", "Pawn takes Pawn 5 (5+0)"),
            (
                "3q4/4P2k/8/8/8/8/8/K7 w",
                "exd8=R",
                "Pawn takes Queen 40, Pawn becomes Rook 10 (50+0)",
            ),
            ("7k/8/8/3r4/8/2N5/7P/K7 w", "Nxd5", "Knight takes Rook 10 (10+0)"),
            ("7k/8/8/3n3P/8/1B6/8/K7 w", "Bxd5", "Bishop takes Knight 5 (5+0)"),
            ("7k/8/8/3q4/8/8/8/K2R4 w", "Rxd5", "Rook takes Queen 17 (17+0)"),
            ("7k/8/8/3r4/8/1Q6/8/K7 w", "Qxd5", "Queen takes Rook along a diagonal 7 (7+0)"),
            ("7k/8/8/3r4/8/3Q4/8/K7 w", "Qxd5", "Queen takes Rook along a line 10 (10+0)"),
            ("7k/8/8/8/8/8/P7/Kq6 w - - 3+4 b", "Kxb1", "King takes Queen 50 (53+4)"),
            (
                "7k/P7/8/8/8/8/8/K7 w - - 0+0 w",
                "a8=N",
                "Pawn becomes Knight 20, White: last capture 50 (70+0)",
            ),
        ] {
            assert_eq!(comment(fen, turn), expected, "{fen}");
        }
        assert_eq!(comment("7k/8/8/8/8/8/8/KR6 w", "Rb2"), "");
    }

    #[test]
    fn draws_console_the_weaker_or_the_last_to_capture() {
        let game = Stylish::default();
        let draw = |fen: &str| {
            let position = game.parse_fen(fen).unwrap();
            game.ending(&position).map(|ending| ending.to_string())
        };
        for (fen, expected) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b", "drawn by stalemate; points 0 to 48, margin -48"),
            ("k7/P7/K7/8/8/8/8/8 b - - 3+4 w", "drawn by stalemate; points 3 to 44, margin -41"),
            (
                "8/8/8/8/8/7k/8/K7 w - - 5+7 w",
                "drawn, as neither side can mate; points 55 to 7, margin 48",
            ),
            (
                "8/8/8/8/8/7k/8/KB6 w - - b",
                "drawn, as neither side can mate; points 0 to 50, margin -50",
            ),
            ("8/8/8/8/8/7k/8/Kn6 w", "drawn, as neither side can mate; points 0 to 0, margin 0"),
        ] {
            assert_eq!(draw(fen).as_deref(), Some(expected), "{fen}");
        }
        assert_eq!(draw("7k/4Q3/8/6K1/8/8/8/8 b"), None);
        // The example of the source: a Knight against a Knight and a pawn.
        let position = game.parse_fen("k7/8/K2n4/P1N5/8/8/8/8 w").unwrap();
        assert_eq!(game.sheet.draw_margin(&position.setup.board, None), -37);
    }

    #[test]
    fn fields_are_told_apart_by_their_shape() {
        let fen = |rest: &str| {
            let game = Stylish::default();
            let text = format!("7k/8/8/8/8/8/8/KR6 w - -{rest}");
            game.parse_fen(&text).map(|position| game.fen(&position)).map_err(|e| e.to_string())
        };
        let written = |rest: &str| Ok(format!("7k/8/8/8/8/8/8/KR6 w - - {rest}"));
        for (rest, expected) in [
            ("", "0+0 - 0 1"),
            (" 3 9", "0+0 - 3 9"),
            (" b", "0+0 b 0 1"),
            (" 5+12", "5+12 - 0 1"),
            (" w 5+12 7", "5+12 w 7 1"),
            (" 5+12 - 7 8", "5+12 - 7 8"),
        ] {
            assert_eq!(fen(rest), written(expected), "{rest}");
        }
        for (rest, expected) in [
            (
                " x",
                "`x` is not a field of this game; the side that captured last is w, b or -, and",
            ),
            (" w b", "`b` is not a field of this game"),
            (
                " a+1",
                "`a+1` is not a field of this game; the points are two numbers <white>+<black>",
            ),
            (" 1+-1", "`1+-1` is not a field of this game; the points are two numbers"),
            (
                " 1+1000001",
                "`1+1000001` is not a field of this game; the points are two numbers \
                 <white>+<black> from 0 to 1000000",
            ),
            (" 1+99999999999", "`1+99999999999` is not a field of this game; the points are"),
            (" 1+1 2+2", "`2+2` is not a field of this game"),
        ] {
            assert!(fen(rest).unwrap_err().starts_with(expected), "{:?}", fen(rest));
        }
    }

    #[test]
    fn perft_is_orthodox_until_nobody_can_mate() {
        let game = Stylish::default();
        assert_eq!(perft(&game, &game.initial(), 3), 8_902);
        let count = |fen, depth| perft(&game, &game.parse_fen(fen).unwrap(), depth);
        assert_eq!(count("7k/8/8/8/8/8/8/KB6 w", 1), 0);
        // Taking the Rook ends the game: no second turn follows.
        assert_eq!(count("8/8/8/8/8/8/1r6/K6k w", 1), 1);
        assert_eq!(count("8/8/8/8/8/8/1r6/K6k w", 2), 0);
    }

    #[test]
    fn a_replaced_sheet_is_used_and_recorded() {
        let text = ScoreSheet::DEFAULT_TOML.replace("queen = 50 }", "queen = 51 }");
        let game = Stylish { sheet: Arc::new(ScoreSheet::from_toml(&text).unwrap()) };
        let position = game.parse_fen("7k/8/8/8/8/8/P7/Kq6 w").unwrap();
        let turn = game.parse_turn(&position, "Kxb1").unwrap();
        assert_eq!(game.play(&position, turn).points, [51, 0].into());
        assert_eq!(game.options()["scores"]["capture"]["king"]["queen"], 51);
        assert_ne!(game.options(), Stylish::default().options());

        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let from = |path: &str| {
            let mut options = RuleOptions::none();
            options.set("scores", Some(path.to_owned()));
            Stylish::default().with_options(&mut options)
        };
        assert_eq!(from(file.path().to_str().unwrap()).unwrap(), game);
        let error = from("no/such.toml").unwrap_err().to_string();
        assert!(error.starts_with("--scores no/such.toml: the file cannot be read"), "{error}");
    }
}

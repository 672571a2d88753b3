//! Game records: move text with or without numbers, and what people write around it.
//!
//! Skipped are comments in `{}`, after `;`, variations in `()`, glyphs like `$4` or `!?`, and
//! free prose. Tag pairs `[Name "value"]` are kept, and a `FEN` tag sets the first position.
//! A result (`1-0`, `0-1`, `1/2-1/2`, `*`) ends the record. A file may hold several games: the next
//! begins with the first move or tag pair behind a result, or with a tag pair behind moves.
//!
//! Prose and moves are told apart line by line. A line that begins with a word that neither is,
//! nor looks like, a move or a move number is prose as a whole. In a line that begins with a move
//! number, prose may follow the moves. A line of unnumbered moves must hold nothing else. A word
//! with a digit among letters and signs of notation looks like a move, and is an error if it is
//! none; so is whatever follows a move number and is no move, and a number out of turn. So no
//! move is ever skipped in silence.

mod error;
mod reader;
mod result;
mod text;

use std::mem;

use crate::board::Color;

use super::{
    fen::FenError,
    game::{Game, Ply, Replay, TurnError},
};

pub use error::RecordError;
pub use result::{StatedError, check_results, result_text};

use reader::{Head, Play, read_heads};
use text::read_tag;

/// The tag pairs at the head of a game record.
pub fn read_tags(text: &str) -> Vec<(String, String)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    lines.skip_while(|line| line.is_empty()).map_while(read_tag).collect()
}

/// Reads and plays a game record.
///
/// # Errors
/// A [`RecordError`] at the first thing that cannot be played or understood, or if there is no
/// move.
pub fn read_record<G: Game>(game: &G, text: &str) -> Result<Replay<G>, RecordError> {
    match read_record_until(game, text) {
        (replay, None) => Ok(replay),
        (_, Some(error)) => Err(error),
    }
}

/// Reads and plays a game record until the first thing that cannot be played or understood.
pub fn read_record_until<G: Game>(game: &G, text: &str) -> (Replay<G>, Option<RecordError>) {
    let mut records = read_records(game, text).into_iter();
    let first = records.next().expect("one record at least");
    let second = records.next().map(|record| RecordError::SecondGame { line: record.line });
    (first.replay, first.error.or(second))
}

/// A game of a file that may hold several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<G: Game> {
    /// The line it begins on, from 1.
    pub line: usize,
    /// What could be played of it.
    pub replay: Replay<G>,
    /// The first thing that could not be played or understood.
    pub error: Option<RecordError>,
}

/// Reads and plays all games of a file, at least one, each until the first thing in it that cannot
/// be played or understood. The next one is found behind its result, or by its tag pairs.
pub fn read_records<G: Game>(game: &G, text: &str) -> Vec<Record<G>> {
    let (start, plies) = (game.initial(), Vec::new());
    let mut playing = Playing { game, start, plies, done: Vec::new() };
    let heads = read_heads(&mut playing, text);
    let records = heads.into_iter().zip(playing.done).map(|(head, (start, plies))| {
        let Head { line, tags, stated, error } = head;
        Record { line, replay: Replay { tags, start, plies, stated }, error }
    });
    records.collect()
}

/// Games of one kind.
struct Playing<'g, G: Game> {
    game: &'g G,
    start: G::Position,
    plies: Vec<Ply<G>>,
    /// The games before: how they began, and their turns.
    done: Vec<(G::Position, Vec<Ply<G>>)>,
}

impl<G: Game> Playing<'_, G> {
    fn last(&self) -> &G::Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }
}

impl<G: Game> Play for Playing<'_, G> {
    fn set(&mut self, fen: &str) -> Result<(), FenError> {
        self.start = self.game.parse_fen(fen)?;
        Ok(())
    }

    fn reset(&mut self) {
        (self.start, self.plies) = (self.game.initial(), Vec::new());
    }

    fn turn(&mut self, text: &str) -> Result<(), TurnError> {
        let before = self.last().clone();
        let turn = self.game.parse_turn(&before, text)?;
        let after = self.game.play(&before, turn);
        self.plies.push(Ply { before, turn, after });
        Ok(())
    }

    fn ending(&self) -> Option<String> {
        self.game.ending(self.last()).map(|ending| ending.to_string())
    }

    fn fen(&self) -> String {
        self.game.fen(self.last())
    }

    fn movers(&self) -> [Color; 2] {
        [&self.start, self.last()].map(|position| self.game.to_move(position))
    }

    fn turns(&self) -> usize {
        self.plies.len()
    }

    fn next(&mut self) {
        let start = mem::replace(&mut self.start, self.game.initial());
        self.done.push((start, mem::take(&mut self.plies)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{High, Variant, random_play};

    fn moves(text: &str) -> Result<String, String> {
        let replay = read_record(&Variant::orthodox(), text).map_err(|error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            [Some(error.to_string()), cause].into_iter().flatten().collect::<Vec<_>>().join(": ")
        })?;
        let ucis: Vec<String> =
            replay.plies.iter().map(|ply| Variant::orthodox().uci(&ply.before, ply.turn)).collect();
        Ok(ucis.join(" "))
    }

    const SPANISH: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";

    #[test]
    fn every_dress_gives_the_same_game() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
            "1.e2-e4 e7-e5\n2.Ng1-f3 Nb8-c6\n3.Bf1-b5 a7-a6",
            "1 e4 e5 2 Nf3 Nc6\n3 Bb5 a6",
            "e4 e5 Nf3 Nc6 Bb5 a6",
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 *",
            "\u{feff}[Event \"A (good) game; {really}\"]\r\n\r\n1. e4 e5 2.\r\nNf3 Nc6 3. Bb5\r\na6 1/2-1/2\r\n",
            "1. e4! {King's pawn; (not 1. d4)} 1... e5 $1 2. Nf3 (2. f4 {Gambit} exf4 (2... d5)) Nc6 ; well\n3. Bb5 !? a6",
            "Two friends played this:\n- Queen side attack\n... and so on\n1.e4 e5\nThe score is 19-15 so far, and all hinges on move 2.\n2.Nf3\n\
             A fine move (Nc3 was the other).\n2. ... Nb8-c6?\nI would have taken.\n3.Bb5 a6 White wins 38 - 33.\nComment",
        ] {
            assert_eq!(moves(text).as_deref(), Ok(SPANISH), "{text}");
        }
    }

    #[test]
    fn a_fen_tag_sets_the_start_and_the_first_number_counts() {
        let text = "[FEN \"7k/8/8/8/8/8/8/K7 b - - 0 30\"]\n30... Kg7 31. Kb2 Kf6";
        assert_eq!(moves(text).as_deref(), Ok("h8g7 a1b2 g7f6"));
        assert!(moves("[FEN \"7k/8\"]\n1. Ka2").unwrap_err().contains("line 1: the FEN tag"));
    }

    #[test]
    fn no_move_is_skipped() {
        for (text, error) in [
            (
                "1. e4 e5 2. Nf6",
                "line 1: move 2. cannot be played: `Nf6` is not a legal turn in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            ),
            (
                "1. e4\nKe9 2. Nf3",
                "line 2: move 1... cannot be played: `Ke9` is not a legal turn in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            (
                "1. e4 e5 2. Knight",
                "line 1: move 2. cannot be played: `Knight` is not a legal turn in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            ),
            (
                "1. e4 e5 3. Nf3",
                "line 1: move number 3 where 2 comes next, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            ),
            (
                "e4 e5 White is better",
                "line 1: `White` stands among moves without numbers; put remarks in braces or on a line of their own",
            ),
            ("1. e4\n{ open", "line 2: `{` is never closed"),
            ("1. e4 e5 1-0 1. d4", "line 1: a second game begins; give one game at a time"),
            ("1. e4 e5\n[Event \"next\"]", "line 2: a second game begins; give one game at a time"),
        ] {
            let found = moves(text).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn what_was_played_before_an_error_is_kept() {
        let (replay, error) = read_record_until(&Variant::orthodox(), "1. e4 e5 2. Ke3");
        assert_eq!(replay.plies.len(), 2);
        assert!(error.is_some());
        for text in ["", "[White \"A\"]\n\n*", "A story without moves."] {
            assert_eq!(moves(text).unwrap_err(), "there are no moves in this record", "{text}");
        }
    }

    #[test]
    fn results_are_kept_as_stated() {
        let stated = |text: &str| read_record(&Variant::orthodox(), text).unwrap().stated;
        assert_eq!(stated("1. e4 e5 1/2-1/2"), Some("1/2-1/2"));
        assert_eq!(stated("1. e4 e5"), None);
        let tags =
            read_tags("\u{feff}\n[White \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n1. e4\n[Late \"\"]");
        let expected = [("White", "A \"B\""), ("Result", "1-0")];
        assert_eq!(tags, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn a_game_stops_at_its_end() {
        let error = moves("1. f3 e5 2. g4 Qh4# 3. a3").unwrap_err();
        assert_eq!(error, "line 1: the game is over before move 3. `a3`: Black wins by checkmate");
    }

    /// The games of a text: lines, plies, results, and what is wrong.
    fn games(text: &str) -> String {
        let records = read_records(&Variant::orthodox(), text).into_iter();
        let told: Vec<String> = records
            .map(|Record { line, replay, error }| {
                let stated = replay.stated.map_or(String::new(), |stated| format!(" {stated}"));
                let error = error.map_or(String::new(), |error| format!(": {error}"));
                format!("{line}: {}{stated}{error}", replay.plies.len())
            })
            .collect();
        told.join("; ")
    }

    #[test]
    fn a_file_may_hold_several_games() {
        let illegal = "line 1: move 1... cannot be played";
        let mixed = "line 2: `and` stands among moves without numbers; put remarks in braces or on \
                     a line of their own";
        for (text, expected) in [
            ("1. e4 e5 1-0 1. d4 * 1. c4 c5", "1: 2 1-0; 1: 1 *; 1: 2".to_owned()),
            ("[White \"A\"]\n\n1. e4\n\n[White \"B\"]\n\n1. d4 d5", "1: 1; 5: 2".to_owned()),
            ("Game one\ne4 e5 0-1\nGame two\nd4 1/2-1/2\nSo", "2: 2 0-1; 4: 1 1/2-1/2".to_owned()),
            ("1. e4 1-0\n1-0\nThe end", "1: 1 1-0".to_owned()),
            ("", "1: 0: there are no moves in this record".to_owned()),
            // A mistake ends a game, and the next is found behind its result or by its tags.
            ("1. e4 Ke6 2. d4 1-0\n1. e4", format!("1: 1 1-0: {illegal}; 2: 1")),
            ("1. e4 Ke6\n2. d4\n[White \"B\"]\n1. e4", format!("1: 1: {illegal}; 3: 1")),
            (
                "[FEN \"8\"]\n[White \"A\"]\n\n1. e4 1-0\n\n1. e4",
                "1: 0 1-0: line 1: the FEN tag does not hold a position of this game; 6: 1"
                    .to_owned(),
            ),
            ("1. e4 e5 1-0\nd4 and so on\n1-0 1. d4", format!("1: 2 1-0; 2: 0 1-0: {mixed}; 3: 1")),
            (
                "1. e4 1-0\n1. d4 {open\n1-0\n[White \"B\"]\n\n1. d4 d5",
                "1: 1 1-0; 2: 0: line 2: `{` is never closed; 4: 2".to_owned(),
            ),
            (
                "[White \"A\"]\n\n1-0\n\n[White \"B\"]\n\n1. d4",
                "1: 0 1-0: there are no moves in this record; 5: 1".to_owned(),
            ),
            (
                "1. e4 1-0\n[White \"B\"]",
                "1: 1 1-0; 2: 0: there are no moves in this record".to_owned(),
            ),
        ] {
            assert_eq!(games(text), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_written_game_is_read_back(picks in random_play::picks(120), numbers: bool) {
            let game = High::default();
            // A record without a turn is none.
            prop_assume!(!picks.is_empty());
            let positions = random_play::positions(&game, game.initial(), &picks);
            let mut text = String::new();
            for (ply, pair) in positions.windows(2).enumerate() {
                let turn = game.turns(&pair[0]).into_iter().find(|&turn| game.play(&pair[0], turn) == pair[1]);
                if numbers && ply % 2 == 0 {
                    text += &format!("{}. ", ply / 2 + 1);
                }
                text += &(game.san(&pair[0], turn.unwrap()) + " ");
            }
            let replay = read_record(&game, &text).unwrap();
            prop_assert_eq!(replay.plies.len() + 1, positions.len());
            prop_assert_eq!(replay.last(), positions.last().unwrap());
        }

        #[test]
        fn no_text_panics(text in "([1-3]\\.|e4|e5|[(){};\\[\\]\"]|Nf3|\\.\\.\\.|\\PC|\n| ){0,40}") {
            let _ = read_record(&Variant::orthodox(), &text);
        }
    }
}

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

use std::mem;

use crate::board::Color;

use super::{
    fen::FenError,
    game::{Ending, Game, Ply, Replay, TurnError, results},
    notation::Written,
};

/// Why a game record cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The FEN tag does not hold a position.
    #[error("line {line}: the FEN tag does not hold a position of this game")]
    Fen {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// A move that is not legal.
    #[error("line {line}: move {number} cannot be played")]
    Turn {
        /// The line, from 1.
        line: usize,
        /// The number of the move with its dots: `12.` for White, `12...` for Black.
        number: String,
        /// What is wrong with it, with the position before it.
        source: TurnError,
    },
    /// A move after the end of the game.
    #[error("line {line}: the game is over before move {number} `{text}`: {ending}")]
    Over {
        /// The line, from 1.
        line: usize,
        /// The number of the move with its dots.
        number: String,
        /// What is written.
        text: String,
        /// How the game has ended.
        ending: String,
    },
    /// A record without any move.
    #[error("there are no moves in this record")]
    NoMoves,
    /// A move number out of turn.
    #[error("line {line}: move number {found} where {expected} comes next, in {fen}")]
    Number {
        /// The line, from 1.
        line: usize,
        /// What is written.
        found: u64,
        /// The number of the next turn.
        expected: u64,
        /// The position there.
        fen: String,
    },
    /// A line with moves, prose and no number.
    #[error(
        "line {line}: `{text}` stands among moves without numbers; put remarks in braces or on a line of their own"
    )]
    Mixed {
        /// The line, from 1.
        line: usize,
        /// The first word of prose.
        text: String,
    },
    /// A comment or variation without end.
    #[error("line {line}: `{bracket}` is never closed")]
    Unclosed {
        /// The line it begins on, from 1.
        line: usize,
        /// The opening bracket.
        bracket: char,
    },
    /// More than one game.
    #[error("line {line}: a second game begins; give one game at a time")]
    SecondGame {
        /// The line, from 1.
        line: usize,
    },
}

/// The results that a record can give.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The result of a game as records write it: `1-0`, `0-1`, `1/2-1/2`, or `*` if it goes on. Where
/// points are split, whoever has more has won.
pub fn result_text(ending: Option<&impl Ending>) -> &'static str {
    match ending.map(Ending::winner) {
        Some(Some(Color::White)) => RESULTS[0],
        Some(Some(Color::Black)) => RESULTS[1],
        Some(None) => RESULTS[2],
        None => RESULTS[3],
    }
}

/// A result that a record gives against the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatedError {
    /// The game has ended in another way.
    #[error("the record says {stated}, but the result is {result}")]
    Other {
        /// What it says.
        stated: String,
        /// What is right.
        result: &'static str,
    },
    /// A draw, where there are none.
    #[error(
        "the record says {}, but this game has no draws, nor can players agree on one",
        RESULTS[2]
    )]
    NoDraws,
}

/// Checks that a record of a finished game gives its true result, or, where a draw is scored, that
/// it is a draw. What it says of others, only the players know, but that a game is drawn which has
/// no draws.
///
/// # Errors
/// If it gives another.
pub fn check_results<G: Game>(
    replay: &Replay<G>,
    ending: Option<&G::Ending>,
) -> Result<(), StatedError> {
    let right = ending.map(|ending| (result_text(Some(ending)), ending.is_draw()));
    check(results(&replay.tags, replay.stated), G::HAS_DRAWS, right)
}

/// The same for what a record says, and the right result and whether it is a draw.
fn check<'r>(
    mut said: impl Iterator<Item = &'r str> + Clone,
    has_draws: bool,
    right: Option<(&'static str, bool)>,
) -> Result<(), StatedError> {
    if !has_draws && said.clone().any(|said| said == RESULTS[2]) {
        return Err(StatedError::NoDraws);
    }
    let Some((result, is_draw)) = right else { return Ok(()) };
    let is_right = |said: &str| said == result || (said == RESULTS[2] && is_draw);
    match said.find(|said| !is_right(said)) {
        Some(stated) => Err(StatedError::Other { stated: stated.to_owned(), result }),
        None => Ok(()),
    }
}

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

/// What a record has besides its turns.
struct Head {
    line: usize,
    tags: Vec<(String, String)>,
    stated: Option<&'static str>,
    error: Option<RecordError>,
}

/// Plays the games of a file, and gives what they have besides.
fn read_heads(play: &mut dyn Play, text: &str) -> Vec<Head> {
    let mut heads = Vec::new();
    let mut reader = Reader::new(play);
    for (line, text) in plain_lines(text.trim_start_matches('\u{feff}')) {
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                reader.fail_altogether(line, error);
                continue;
            }
        };
        let mut left = Some(Line::read(text.trim()));
        while let Some(part) = left.take() {
            left = reader.read(line, part);
            if left.is_some() {
                heads.push(reader.finish());
            }
        }
    }
    heads.push(reader.finish());
    heads
}

/// Games that are played one after the other, whichever game it is.
trait Play {
    /// Begins at a position.
    fn set(&mut self, fen: &str) -> Result<(), FenError>;

    /// Takes back all turns, to the initial position.
    fn reset(&mut self);

    /// Plays a turn.
    fn turn(&mut self, text: &str) -> Result<(), TurnError>;

    /// How the game has ended, if it has.
    fn ending(&self) -> Option<String>;

    /// The FEN of the position.
    fn fen(&self) -> String;

    /// Who makes the first turn, and who the next one.
    fn movers(&self) -> [Color; 2];

    /// How many turns there are.
    fn turns(&self) -> usize;

    /// Begins the next game.
    fn next(&mut self);
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

/// The lines with their numbers, comments and variations blanked out. Behind one in which a comment
/// or variation begins that is never closed comes an error, and what follows up to the next tag
/// pair is left out.
fn plain_lines(text: &str) -> Vec<(usize, Result<String, RecordError>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut plain = Vec::with_capacity(lines.len());
    let mut from = 0;
    while from < lines.len() {
        let number = |at: usize| from + at + 1;
        let (texts, open) = without_comments(&lines[from..]);
        let Some((bracket, at)) = open else {
            plain.extend(texts.into_iter().enumerate().map(|(at, text)| (number(at), Ok(text))));
            break;
        };
        let before = texts.into_iter().take(at + 1).enumerate();
        plain.extend(before.map(|(at, text)| (number(at), Ok(text))));
        let line = number(at);
        plain.push((line, Err(RecordError::Unclosed { line, bracket })));
        let tags = (line..lines.len()).find(|&at| read_tag(lines[at].trim()).is_some());
        from = tags.unwrap_or(lines.len());
    }
    plain
}

/// The lines with comments and variations blanked out; and the first bracket that is never closed,
/// with the index of its line.
fn without_comments(lines: &[&str]) -> (Vec<String>, Option<(char, usize)>) {
    let mut plain = Vec::with_capacity(lines.len());
    let mut open: Vec<(char, usize)> = Vec::new();
    for (at, text) in lines.iter().enumerate() {
        let is_tag = open.is_empty() && read_tag(text.trim()).is_some();
        let mut kept = String::with_capacity(text.len());
        for letter in text.chars() {
            match (letter, open.last().map(|&(bracket, _)| bracket)) {
                _ if is_tag => kept.push(letter),
                ('}', Some('{')) | (')', Some('(')) => {
                    open.pop();
                    kept.push(' ');
                }
                (_, Some('{')) => {}
                (';', _) => break,
                ('{' | '(', _) => open.push((letter, at)),
                (_, None) => kept.push(letter),
                _ => {}
            }
        }
        plain.push(kept);
    }
    (plain, open.first().copied())
}

/// A tag pair: `[Name "value"]`.
fn read_tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Word<'t> {
    /// A move number; the dots are gone.
    Number(u64),
    /// A move, or what looks like one.
    Turn(&'t str),
    /// The end of the record.
    Result(&'static str),
    /// Anything else.
    Prose(&'t str),
}

/// Splits a word where a move number ends: `12...Nf3` gives `12...` and `Nf3`.
fn split_number(word: &str) -> (Option<u64>, &str) {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    match number.parse() {
        Ok(number) if rest.starts_with('.') => (Some(number), rest.trim_start_matches('.')),
        _ => (None, word),
    }
}

/// What a word is, unless it is dots, a glyph or the like and says nothing.
fn classify(word: &str) -> Option<Word<'_>> {
    let has = |test: fn(&u8) -> bool| word.bytes().any(|byte| test(&byte));
    let notation = |letter: char| letter.is_ascii_alphanumeric() || "+-=#!?@:/".contains(letter);
    if Written::read(word).is_some() {
        Some(Word::Turn(word))
    } else if let Some(result) = RESULTS.into_iter().find(|&result| result == word) {
        Some(Word::Result(result))
    } else if word == "e.p."
        || word.starts_with('$')
        || word.chars().all(|letter| "!?.+-=#".contains(letter))
    {
        None
    } else if has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && word.len() <= 10
        && word.chars().all(notation)
    {
        Some(Word::Turn(word))
    } else {
        Some(Word::Prose(word))
    }
}

/// The words of a line that say something, numbers split off. A number without dots counts as
/// one if a move follows.
fn words(line: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut written = line.split_whitespace().peekable();
    while let Some(word) = written.next() {
        let next = written.peek().and_then(|next| classify(next));
        let (number, rest) = match word.parse() {
            Ok(number) if Written::read(word).is_none() && matches!(next, Some(Word::Turn(_))) => {
                (Some(number), "")
            }
            _ => split_number(word),
        };
        found.extend(number.map(Word::Number));
        if !rest.is_empty() {
            found.extend(classify(rest));
        }
    }
    found
}

/// A line, or what is left of it.
enum Line<'t> {
    Tag(String, String),
    Words(Vec<Word<'t>>),
}

impl Line<'_> {
    fn read(text: &str) -> Line<'_> {
        match read_tag(text) {
            Some((name, value)) => Line::Tag(name, value),
            None => Line::Words(words(text)),
        }
    }
}

struct Reader<'p> {
    play: &'p mut dyn Play,
    tags: Vec<(String, String)>,
    /// The result that has been read.
    stated: Option<&'static str>,
    /// The line of the first thing that it has read.
    line: Option<usize>,
    /// The number of the first turn, once the record has told it.
    first_number: Option<u64>,
    /// Whether a number has been read and its move has not.
    number_pending: bool,
    /// Whether the tag pairs are over.
    begun: bool,
    /// What is wrong with it. Then only the end of the record is looked for.
    error: Option<RecordError>,
}

impl<'p> Reader<'p> {
    fn new(play: &'p mut dyn Play) -> Reader<'p> {
        Reader {
            play,
            tags: Vec::new(),
            stated: None,
            line: None,
            first_number: None,
            number_pending: false,
            begun: false,
            error: None,
        }
    }

    /// Takes nothing of the record but its tags, which tell the players.
    fn fail_altogether(&mut self, line: usize, error: RecordError) {
        self.play.reset();
        self.line.get_or_insert(line);
        (self.stated, self.first_number, self.number_pending) = (None, None, false);
        (self.begun, self.error) = (true, Some(error));
    }

    /// What has been read of a record; the next one begins.
    fn finish(&mut self) -> Head {
        let is_empty = self.play.turns() == 0;
        self.play.next();
        let (line, tags) = (self.line.take().unwrap_or(1), mem::take(&mut self.tags));
        let error = self.error.take().or_else(|| is_empty.then_some(RecordError::NoMoves));
        let head = Head { line, tags, stated: self.stated.take(), error };
        (self.first_number, self.number_pending, self.begun) = (None, false, false);
        head
    }

    /// Whether the result has been read.
    fn is_over(&self) -> bool {
        self.stated.is_some()
    }

    /// Reads a line, or the part of it that is of this game, and gives back that of the next one.
    fn read<'t>(&mut self, line: usize, part: Line<'t>) -> Option<Line<'t>> {
        match part {
            Line::Tag(..) if self.is_over() || self.begun => Some(part),
            Line::Tag(name, value) => {
                self.line.get_or_insert(line);
                self.read_tag(line, name, value);
                None
            }
            Line::Words(words) => self.read_words(line, &words),
        }
    }

    fn read_tag(&mut self, line: usize, name: String, value: String) {
        if name == "FEN" && self.error.is_none() {
            self.error =
                self.play.set(&value).map_err(|source| RecordError::Fen { line, source }).err();
        }
        self.tags.push((name, value));
    }

    fn read_words<'t>(&mut self, line: usize, words: &[Word<'t>]) -> Option<Line<'t>> {
        let numbered = matches!(words.first(), Some(Word::Number(_)));
        if self.is_over() && matches!(words.first(), Some(Word::Number(_) | Word::Turn(_))) {
            return Some(Line::Words(words.to_vec()));
        }
        if !self.number_pending && matches!(words.first(), Some(Word::Prose(_))) {
            return None;
        }
        let prose = words.iter().find_map(|word| match word {
            Word::Prose(text) => Some(*text),
            _ => None,
        });
        if let Some(text) = prose.filter(|_| !numbered && !self.number_pending)
            && self.error.is_none()
        {
            self.error = Some(RecordError::Mixed { line, text: text.to_owned() });
        }
        for (at, &word) in words.iter().enumerate() {
            if let Word::Prose(_) = word
                && !self.number_pending
            {
                return None;
            }
            if let Word::Result(result) = word {
                self.stated = Some(result);
                self.number_pending = false;
                self.begun = true;
            } else if self.is_over() {
                return Some(Line::Words(words[at..].to_vec()));
            } else {
                self.line.get_or_insert(line);
                self.begun = true;
                if self.error.is_none() {
                    self.error = self.read_word(line, word).err();
                }
                // Whatever follows, it is no move that is waited for.
                self.number_pending &= self.error.is_none();
            }
        }
        None
    }

    fn read_word(&mut self, line: usize, word: Word) -> Result<(), RecordError> {
        match word {
            Word::Number(number) => self.read_number(line, number),
            Word::Turn(text) | Word::Prose(text) => self.read_turn(line, text),
            Word::Result(_) => Ok(()),
        }
    }

    /// The number of the next turn, counted from `first`.
    fn number(&self, first: u64) -> u64 {
        let [began, _] = self.play.movers();
        let plies = self.play.turns() + usize::from(began == Color::Black);
        first.saturating_add(plies as u64 / 2)
    }

    fn read_number(&mut self, line: usize, found: u64) -> Result<(), RecordError> {
        self.number_pending = true;
        // The first number in a record sets the count: an excerpt may begin anywhere.
        let passed = self.number(0);
        let first =
            *self.first_number.get_or_insert_with(|| found.checked_sub(passed).unwrap_or(1));
        let expected = self.number(first);
        if found == expected {
            return Ok(());
        }
        Err(RecordError::Number { line, found, expected, fen: self.play.fen() })
    }

    fn read_turn(&mut self, line: usize, text: &str) -> Result<(), RecordError> {
        self.number_pending = false;
        if let Some(ending) = self.play.ending() {
            let number = self.label();
            return Err(RecordError::Over { line, number, text: text.to_owned(), ending });
        }
        let played = self.play.turn(text);
        played.map_err(|source| RecordError::Turn { line, number: self.label(), source })
    }

    /// The number of the next turn with its dots.
    fn label(&self) -> String {
        let dots = match self.play.movers() {
            [_, Color::White] => ".",
            [_, Color::Black] => "...",
        };
        format!("{}{dots}", self.number(self.first_number.unwrap_or(1)))
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

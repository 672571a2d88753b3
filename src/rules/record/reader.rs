//! Plays what records say, word by word.

use std::mem;

use super::{
    error::RecordError,
    text::{Line, Word, plain_lines},
};
use crate::{
    board::Color,
    rules::{fen::FenError, game::TurnError},
};

/// What a record has besides its turns.
pub(super) struct Head {
    pub line: usize,
    pub tags: Vec<(String, String)>,
    pub stated: Option<&'static str>,
    pub error: Option<RecordError>,
}

/// Plays the games of a file, and gives what they have besides.
pub(super) fn read_heads(play: &mut dyn Play, text: &str) -> Vec<Head> {
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
pub(super) trait Play {
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

/// What has been read of a record.
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

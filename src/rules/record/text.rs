//! What stands in the lines of a record, whatever the game: comments, tag pairs, and words.

use super::{error::RecordError, result::RESULTS};
use crate::rules::notation::Written;

/// The lines with their numbers, comments and variations blanked out. Behind one in which a comment
/// or variation begins that is never closed comes an error, and what follows up to the next tag
/// pair is left out.
pub(super) fn plain_lines(text: &str) -> Vec<(usize, Result<String, RecordError>)> {
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
pub(super) fn read_tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// A word that says something.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'t> {
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
pub(super) enum Line<'t> {
    Tag(String, String),
    Words(Vec<Word<'t>>),
}

impl Line<'_> {
    pub(super) fn read(text: &str) -> Line<'_> {
        match read_tag(text) {
            Some((name, value)) => Line::Tag(name, value),
            None => Line::Words(words(text)),
        }
    }
}

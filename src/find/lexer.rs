//! The words and signs of a query.

use std::ops::Range;

/// A word or sign.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Token<'q> {
    /// A name, a keyword or a square.
    Word(&'q str),
    /// A whole number.
    Number(i64),
    /// Anything else that means something.
    Sign(&'static str),
    /// What means nothing.
    Unknown,
    /// Behind the last.
    End,
}

/// The signs, longer ones before those they begin with.
const SIGNS: &[&str] = &["!=", "<=", ">=", "..", "=", "<", ">", "(", ")", "[", "]", ",", "+", "-"];

/// The first word or sign at or behind a place, and where it is.
pub(super) fn token(query: &str, from: usize) -> (Token<'_>, Range<usize>) {
    let rest = &query[from..];
    let trimmed = rest.trim_start();
    let start = from + rest.len() - trimmed.len();
    let (token, length) = first(trimmed);
    (token, start..start + length)
}

fn first(text: &str) -> (Token<'_>, usize) {
    let Some(letter) = text.chars().next() else { return (Token::End, 0) };
    let run = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    if letter.is_ascii_digit() {
        let length = run(|c| c.is_ascii_digit());
        let number = text[..length].parse().map_or(Token::Unknown, Token::Number);
        return (number, length);
    }
    if letter.is_ascii_alphabetic() {
        let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
        return (Token::Word(&text[..length]), length);
    }
    match SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        Some(sign) => (Token::Sign(sign), sign.len()),
        None => (Token::Unknown, letter.len_utf8()),
    }
}

/// A set of squares behind a place, as far as its letters go, and where it is.
pub(super) fn set(query: &str, from: usize) -> (&str, Range<usize>) {
    let rest = &query[from..];
    let trimmed = rest.trim_start();
    let start = from + rest.len() - trimmed.len();
    let length = match trimmed.starts_with('[') {
        true => trimmed.find(']').map_or(trimmed.len(), |end| end + 1),
        false => {
            trimmed.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(trimmed.len())
        }
    };
    (&trimmed[..length], start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_follow_each_other() {
        let query = " dtm>=10 and K!=k ..é";
        let mut at = 0;
        let mut tokens = Vec::new();
        while let (found, range) = token(query, at)
            && found != Token::End
        {
            tokens.push(found);
            at = range.end;
        }
        use Token::{Number, Sign, Unknown, Word};
        let expected = [
            Word("dtm"),
            Sign(">="),
            Number(10),
            Word("and"),
            Word("K"),
            Sign("!="),
            Word("k"),
            Sign(".."),
            Unknown,
        ];
        assert_eq!(tokens, expected);
        assert_eq!(token("99999999999999999999", 0).0, Unknown);
    }

    #[test]
    fn sets_end_where_their_letters_do() {
        assert_eq!(set("on a-d1-4 and", 2), ("a-d1-4", 3..9));
        assert_eq!(set("on [a1, h8]) or", 2), ("[a1, h8]", 3..11));
        assert_eq!(set("on ", 2), ("", 3..3));
        assert_eq!(set("[a1", 0), ("[a1", 0..3));
    }
}

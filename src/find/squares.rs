//! Sets of squares as they are written: `a1`, `a-d1-4`, `[a1,h8]`, `edge`.

use crate::board::{Bitboard, Square};

/// Sets that have a name.
const NAMED: &[(&str, Bitboard)] = &[
    ("edge", Bitboard(0xFF81_8181_8181_81FF)),
    ("corner", Bitboard(0x8100_0000_0000_0081)),
    ("center", Bitboard(0x0000_0018_1800_0000)),
    ("light", Bitboard::LIGHT),
    ("dark", Bitboard::DARK),
];

/// Reads a set: a name; files and ranks, each one or a range; or several of these in brackets.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(text: &str) -> Result<Bitboard, String> {
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return list
            .split(',')
            .map(|one| parse_one(one.trim()))
            .try_fold(Bitboard::EMPTY, |all, one| Ok(all | one?));
    }
    parse_one(text)
}

fn parse_one(text: &str) -> Result<Bitboard, String> {
    if let Some((_, set)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(*set);
    }
    let files = range(text, 'a'..='h');
    let ranks = files.as_ref().and_then(|(_, rest)| range(rest, '1'..='8'));
    match (files, ranks) {
        (Some((files, _)), Some((ranks, ""))) => {
            let at =
                |square: &Square| files.contains(&square.file()) && ranks.contains(&square.rank());
            Ok(Square::all().filter(at).collect())
        }
        _ => Err(format!(
            "`{text}` is no set of squares: write a1, a-d1-4, a-h1, [a1,h8], {}",
            NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// One of these letters, or two with a hyphen between, as numbers from 0; and what comes behind.
fn range(
    text: &str,
    letters: std::ops::RangeInclusive<char>,
) -> Option<(std::ops::RangeInclusive<u8>, &str)> {
    let number = |letter: char| (letter as u32 - *letters.start() as u32) as u8;
    let one = |text: &str| text.chars().next().filter(|letter| letters.contains(letter));
    let first = one(text)?;
    let rest = &text[1..];
    match rest.strip_prefix('-').and_then(one) {
        Some(last) if last >= first => Some((number(first)..=number(last), &rest[2..])),
        Some(_) => None,
        None => Some((number(first)..=number(first), rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read() {
        for (text, squares) in [
            ("a1", 1),
            ("a-d1-4", 16),
            ("a-h1", 8),
            ("e1-8", 8),
            ("[a1, h8, a-b1]", 3),
            ("edge", 28),
            ("corner", 4),
            ("center", 4),
            ("light", 32),
            ("dark", 32),
            ("[edge,center]", 32),
        ] {
            assert_eq!(parse(text).unwrap().len(), squares, "{text}");
        }
        assert!(parse("a1").unwrap().contains("a1".parse().unwrap()));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "a", "1", "a9", "i1", "d-a1", "a1-", "a1b2", "[a1", "[]", "é1", "a-é1"] {
            assert!(parse(text).unwrap_err().contains("is no set of squares"), "{text}");
        }
    }
}

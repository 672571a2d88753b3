//! Sets of squares as they are written: `a1`, `a-d1-4`, `[a1,h8]`, `edge`.

use crate::board::{Bitboard, BoardSize, Square};

/// Whether a square of a board belongs to a set.
type Belongs = fn(Square, BoardSize) -> bool;

/// Sets that have a name.
const NAMED: &[(&str, Belongs)] = &[
    ("edge", |square, size| on_edge(square, size).contains(&true)),
    ("corner", |square, size| on_edge(square, size) == [true; 2]),
    ("center", |square, size| {
        // One file or rank where there is one in the middle, else two.
        let is_middle = |at: u8, count: u8| ((count - 1) / 2..=count / 2).contains(&at);
        is_middle(square.file(), size.files()) && is_middle(square.rank(), size.ranks())
    }),
    ("light", |square, _| !square.is_dark()),
    ("dark", |square, _| square.is_dark()),
];

/// Whether a square is on the first or last file, and on the first or last rank.
fn on_edge(square: Square, size: BoardSize) -> [bool; 2] {
    let is_last = |at: u8, count: u8| at == 0 || at + 1 == count;
    [is_last(square.file(), size.files()), is_last(square.rank(), size.ranks())]
}

/// Reads a set of squares of a board: a name; files and ranks, each one or a range; or several of
/// these in brackets.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(text: &str, size: BoardSize) -> Result<Bitboard, String> {
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return list
            .split(',')
            .map(|one| parse_one(one.trim(), size))
            .try_fold(Bitboard::EMPTY, |all, one| Ok(all | one?));
    }
    parse_one(text, size)
}

fn parse_one(text: &str, size: BoardSize) -> Result<Bitboard, String> {
    if let Some((_, belongs)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(size.squares().filter(|&square| belongs(square, size)).collect());
    }
    let files = range(text, 'a'..='h');
    let ranks = files.as_ref().and_then(|(_, rest)| range(rest, '1'..='8'));
    match (files, ranks) {
        (Some((files, _)), Some((ranks, ""))) => {
            let at =
                |square: &Square| files.contains(&square.file()) && ranks.contains(&square.rank());
            Ok(size.squares().filter(at).collect())
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
            assert_eq!(parse(text, BoardSize::CHESS).unwrap().len(), squares, "{text}");
        }
        let set = |text| parse(text, BoardSize::new(5, 4).unwrap()).unwrap();
        assert_eq!(["edge", "corner", "center", "a-h1"].map(|text| set(text).len()), [14, 4, 2, 5]);
        assert!(set("center").contains("c3".parse().unwrap()));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "a", "1", "a9", "i1", "d-a1", "a1-", "a1b2", "[a1", "[]", "é1", "a-é1"] {
            let error = parse(text, BoardSize::CHESS).unwrap_err();
            assert!(error.contains("is no set of squares"), "{text}");
        }
    }
}

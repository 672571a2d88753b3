//! What values of keys can be.

use super::refusal::shortened;
use crate::{
    board::{Bitboard, Role, RoleSet, Square},
    rules::wdl::Wdl,
};

/// A value that is read, or what would be right.
pub(super) type Value<T> = Result<T, String>;

/// `true` or `false`.
pub(super) fn flag(text: &str) -> Value<bool> {
    text.parse().map_err(|_| format!("`{}` is neither true nor false", shortened(text)))
}

/// A count of men.
pub(super) fn count(text: &str) -> Value<u8> {
    text.parse().map_err(|_| format!("`{}` is not a number of men", shortened(text)))
}

/// How many files or ranks a board has: a number, or the letter of the last file.
pub(super) fn files_or_ranks(text: &str) -> Value<u8> {
    let count = match *text.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(letter - b'a' + 1),
        _ => text.parse().ok(),
    };
    let fits = count.filter(|count| (1..=8).contains(count));
    fits.ok_or_else(|| format!("`{}`: boards have 1 to 8 files and ranks here", shortened(text)))
}

/// A rank as its side counts them, the first as 0, on a board with so many.
pub(super) fn rank(text: &str, ranks: u8) -> Value<u8> {
    let rank = text.parse().ok().filter(|rank| (1..=ranks).contains(rank));
    let wrong = || format!("`{}` is not a rank from 1 to {ranks}", shortened(text));
    rank.map(|rank| rank - 1).ok_or_else(wrong)
}

/// A result for the side to move.
pub(super) fn result(text: &str) -> Value<Wdl> {
    let results = [Wdl::Win, Wdl::Draw, Wdl::Loss];
    let found = results.into_iter().find(|result| result.name() == text);
    found.ok_or_else(|| format!("`{}` is none of win, draw and loss", shortened(text)))
}

/// The man of a letter, in whatever case.
pub(super) fn man(letter: char) -> Option<Role> {
    Role::from_letter(letter.to_ascii_uppercase())
}

/// Some men by their letters, or all of them as one, `*`.
pub(super) enum Men {
    All,
    These(RoleSet),
}

/// Letters of men; `-` for none.
pub(super) fn men(text: &str) -> Value<Men> {
    match text {
        "*" => return Ok(Men::All),
        "-" | "" => return Ok(Men::These(RoleSet::default())),
        _ => {}
    }
    let letters = text.chars().filter(|c| !c.is_whitespace());
    let roles: Option<Vec<Role>> = letters.map(man).collect();
    roles
        .map(|roles| Men::These(RoleSet::of(&roles)))
        .ok_or_else(|| format!("`{}` is not a list of letters of men", shortened(text)))
}

/// Squares by name, parted by spaces; `*4` is all of a rank, `e*` all of a file.
pub(super) fn squares(text: &str) -> Value<Bitboard> {
    let wrong = || format!("`{}` is not a list of squares like d4 e4, or *8", shortened(text));
    if text == "-" {
        return Ok(Bitboard::EMPTY);
    }
    let one = |word: &str| -> Option<Bitboard> {
        match *word.as_bytes() {
            [b'*', rank @ b'1'..=b'8'] => Some(Bitboard::rank(rank - b'1')),
            [file @ b'a'..=b'h', b'*'] => Some(Bitboard::file(file - b'a')),
            _ => word.parse().ok().map(Square::bit),
        }
    };
    text.split_whitespace()
        .map(one)
        .try_fold(Bitboard::EMPTY, |all, squares| squares.map(|squares| all | squares))
        .ok_or_else(wrong)
}

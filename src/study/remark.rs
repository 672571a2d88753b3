//! Sentences about a whole table, each with its numbers, and how they are found in a report.

use serde_json::{Map, Value};

use super::{Cell, Listing, Report, grouped};
use crate::index::Material;

/// A sentence that counts carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The sentence, numbers included.
    pub text: String,
    /// A position it speaks of, where there is one.
    pub fen: Option<String>,
    /// A condition of [`find`](crate::find) that finds the positions it counts, where there is one.
    pub query: Option<String>,
}

impl Remark {
    /// A sentence by itself.
    pub fn new(text: impl Into<String>) -> Remark {
        Remark { text: text.into(), fen: None, query: None }
    }

    /// The same with a position.
    pub fn at(self, fen: impl Into<String>) -> Remark {
        Remark { fen: Some(fen.into()), ..self }
    }

    /// The same with what finds all of them.
    pub fn found_by(self, query: impl Into<String>) -> Remark {
        Remark { query: Some(query.into()), ..self }
    }

    /// The sentence for programs: `text`, and `fen` and `query` where they are there.
    pub fn fields(&self) -> Map<String, Value> {
        let text = Some(("text", &self.text));
        let fen = self.fen.as_ref().map(|fen| ("fen", fen));
        let query = self.query.as_ref().map(|query| ("query", query));
        let members = [text, fen, query].into_iter().flatten();
        members.map(|(name, value)| (name.to_owned(), value.clone().into())).collect()
    }
}

/// Which positions of a table a story is about.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// As a condition of [`find`](crate::find); without it all.
    pub query: Option<&'static str>,
    /// In words before a comma: `With all moves to be made`.
    pub when: Option<String>,
    /// Whether sides come out ahead by points, and need not win.
    pub by_points: bool,
}

impl Scope {
    /// Positions in which no pawn can be taken in passing, for statistics that leave those out.
    pub(super) fn without_en_passant(material: &Material) -> Scope {
        let query = material.has_pawns_on_both_sides().then_some("en_passant = none");
        Scope { query, ..Scope::default() }
    }
}

impl Report {
    /// One of its tables, by its key.
    pub(crate) fn listing(&self, key: &str) -> Option<&Listing> {
        self.sections.iter().find(|section| section.key == key)
    }

    /// The rows of one of its tables; none if it has no such table.
    pub(crate) fn entries(&self, key: &str) -> impl Iterator<Item = Entry<'_>> {
        let listing = self.listing(key);
        listing
            .into_iter()
            .flat_map(|listing| listing.rows.iter().map(|row| Entry { listing, row }))
    }
}

/// A row of a table whose cells are asked by key. What is not there is 0, or nothing.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Entry<'r> {
    listing: &'r Listing,
    row: &'r [Cell],
}

impl<'r> Entry<'r> {
    fn cell(&self, key: &str) -> &'r Cell {
        let place = self.listing.columns.iter().position(|column| column.key == key);
        place.map_or(&Cell::Nothing, |place| &self.row[place])
    }

    /// A count, or a number of plies.
    pub fn count(&self, key: &str) -> u64 {
        match self.cell(key) {
            Cell::Count(count) | Cell::Share(count, _) | Cell::Plies(count) => *count,
            _ => 0,
        }
    }

    /// A number that may be negative.
    pub fn number(&self, key: &str) -> i64 {
        match self.cell(key) {
            Cell::Number(number) => *number,
            _ => self.count(key) as i64,
        }
    }

    /// The key of one of a few things.
    pub fn kind(&self, key: &str) -> &'r str {
        match self.cell(key) {
            Cell::Kind(kind, _) => kind,
            Cell::Text(text) => text,
            _ => "",
        }
    }

    /// As people read it.
    pub fn words(&self, key: &str) -> String {
        self.cell(key).to_string()
    }

    /// A text, such as a FEN.
    pub fn text(&self, key: &str) -> Option<&'r str> {
        match self.cell(key) {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// `1 position`, `2,345 positions`.
pub(crate) fn positions(count: u64) -> String {
    counted(count, "position")
}

/// `1 win`, `2,345 wins`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// `all 5 positions`, `300 of 500 positions (60.0%)`.
pub(crate) fn part(count: u64, of: u64, what: &str) -> String {
    match count == of {
        true if of == 1 => format!("the only {what}"),
        true => format!("all {}", counted(of, what)),
        false => {
            format!("{} of {} ({}%)", grouped(count), counted(of, what), super::percent(count, of))
        }
    }
}

/// A name as a proper noun: `Rook`.
pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Parts of a sentence: `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!(positions(1), "1 position");
        assert_eq!(positions(1_234), "1,234 positions");
        assert_eq!(part(1, 1, "win"), "the only win");
        assert_eq!(part(7, 7, "win"), "all 7 wins");
        assert_eq!(part(1, 7, "win"), "1 of 7 wins (14.3%)");
        let words = |all: &[&str]| list(&all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>());
        assert_eq!(words(&["a"]), "a");
        assert_eq!(words(&["a", "b"]), "a and b");
        assert_eq!(words(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn programs_read_what_is_there() {
        let plain = Remark::new("All 2 positions are drawn.");
        assert_eq!(
            Value::Object(plain.fields()),
            serde_json::json!({"text": "All 2 positions are drawn."})
        );
        let full = plain.at("8/8 w").found_by("draws");
        assert_eq!(full.fields()["fen"], "8/8 w");
        assert_eq!(full.fields()["query"], "draws");
    }
}

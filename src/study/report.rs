//! Statistics as tables, for people and for programs.
//!
//! A [`Report`] is a list of [`Listing`]s. What programs read are keys, in `snake_case`, which are
//! the same for every material and never change; what people read are titles and headings, which
//! may.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::board::Color;

/// As wide as a report is printed, in characters, unless a single entry is longer.
const WIDTH: usize = 120;

/// One entry of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// A count.
    Count(u64),
    /// A count of so many: people also read the percentage.
    Share(u64, u64),
    /// A number of plies: people also read the moves.
    Plies(u64),
    /// A number that may be negative.
    Number(i64),
    /// A number with decimals, of which people read two.
    Mean(f64),
    /// One of a few things: its key, and its words for people.
    Kind(&'static str, String),
    /// Yes or no.
    Flag(bool),
    /// Words, or a FEN.
    Text(String),
    /// Nothing to say.
    Nothing,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    fn is_number(&self) -> bool {
        use Cell::{Count, Mean, Number, Plies, Share};
        matches!(self, Count(_) | Share(..) | Plies(_) | Number(_) | Mean(_))
    }

    /// The entry for a page: a count as a number, the rest as people read it.
    fn shown(&self) -> Value {
        match self {
            Cell::Count(count) | Cell::Share(count, _) => json!(count),
            Cell::Number(number) => json!(number),
            Cell::Nothing => Value::Null,
            words => json!(words.to_string()),
        }
    }

    /// Whether it can be left out where all others of its column can too.
    fn is_blank(&self) -> bool {
        matches!(self, Cell::Nothing | Cell::Flag(false))
    }

    fn json(&self) -> Value {
        match self {
            Cell::Count(count) | Cell::Share(count, _) | Cell::Plies(count) => json!(count),
            Cell::Number(number) => json!(number),
            Cell::Mean(mean) => json!((mean * 100.0).round() / 100.0),
            Cell::Kind(key, _) => json!(key),
            Cell::Flag(flag) => json!(flag),
            Cell::Text(text) => json!(text),
            Cell::Nothing => Value::Null,
        }
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<Color> for Cell {
    fn from(color: Color) -> Cell {
        Cell::Kind(color.name(), color.to_string())
    }
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Cell {
        text.map_or(Cell::Nothing, Cell::Text)
    }
}

impl fmt::Display for Cell {
    /// Counts with commas between thousands, plies behind the moves they make: `10 (19)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Count(count) => f.pad(&grouped(*count)),
            Cell::Share(count, of) => {
                f.pad(&format!("{} {:>5}%", grouped(*count), percent(*count, *of)))
            }
            Cell::Plies(plies) => f.pad(&format!("{} ({plies})", plies.div_ceil(2))),
            Cell::Number(number) => f.pad(&number.to_string()),
            Cell::Mean(mean) => f.pad(&format!("{mean:.2}")),
            Cell::Kind(_, words) => f.pad(words),
            Cell::Flag(flag) => f.pad(if *flag { "yes" } else { "no" }),
            Cell::Text(text) => f.pad(text),
            Cell::Nothing => f.pad(""),
        }
    }
}

/// A share in percent, which is 0 or 100 only where it is none or all.
pub(crate) fn percent(count: u64, of: u64) -> String {
    let text = format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64);
    match text.as_str() {
        "0.0" if count > 0 => "<0.1".to_owned(),
        "100.0" if count < of => ">99.9".to_owned(),
        _ => text,
    }
}

/// A number with commas between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name for programs: `to_move`.
    pub key: &'static str,
    /// Its name for people: `to move`.
    pub heading: String,
}

impl From<&'static str> for Column {
    /// A column whose heading is its key with spaces.
    fn from(key: &'static str) -> Column {
        Column { key, heading: key.replace('_', " ") }
    }
}

impl From<(&'static str, &str)> for Column {
    fn from((key, heading): (&'static str, &str)) -> Column {
        Column { key, heading: heading.to_owned() }
    }
}

/// A table with a title.
#[derive(Clone, PartialEq, Debug)]
pub struct Listing {
    /// Its name for programs: `who_wins`.
    pub key: &'static str,
    /// What it is about, for people.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Listing {
    /// A table without rows.
    pub fn new<C: Into<Column>>(
        key: &'static str,
        title: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Listing {
        let columns = columns.into_iter().map(Into::into).collect();
        Listing { key, title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it is not as long as the columns are many.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a cell for each column");
        self.rows.push(row);
    }

    /// The columns in which something stands.
    fn columns_with_entries(&self) -> Vec<usize> {
        let empty = |c: usize| self.rows.iter().all(|row| row[c].is_blank());
        (0..self.columns.len()).filter(|&c| !empty(c)).collect()
    }

    /// The table for a page that shows it to people: headings, and rows of numbers and words.
    pub fn page(&self) -> Value {
        let shown = self.columns_with_entries();
        let row = |row: &Vec<Cell>| shown.iter().map(|&c| row[c].shown()).collect::<Vec<_>>();
        json!({
            "title": self.title,
            "columns": shown.iter().map(|&c| &*self.columns[c].heading).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// The rows for programs: objects keyed by column.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| {
            let cells = self.columns.iter().zip(row);
            Value::Object(cells.map(|(c, cell)| (c.key.to_owned(), cell.json())).collect())
        };
        Value::Array(self.rows.iter().map(object).collect())
    }
}

impl fmt::Display for Listing {
    /// The table for people: columns aligned, numbers to the right, columns without entries left
    /// out. Where a row is too wide, its last entries stand below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        if self.rows.is_empty() {
            return writeln!(f, "  none");
        }
        let shown = self.columns_with_entries();
        let width = |c: usize| {
            let cells = self.rows.iter().map(|row| row[c].to_string().chars().count());
            cells.chain([self.columns[c].heading.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = shown.iter().map(|&c| width(c)).collect();
        let mut beside = shown.len();
        while beside > 1 && widths[..beside].iter().map(|w| w + 2).sum::<usize>() > WIDTH {
            beside -= 1;
        }
        let (beside, below) = shown.split_at(beside);
        let line = |text: &dyn Fn(usize) -> String| {
            let mut line = String::new();
            for (&c, &width) in beside.iter().zip(&widths) {
                let text = text(c);
                line += &match self.rows.iter().any(|row| row[c].is_number()) {
                    true => format!("  {text:>width$}"),
                    false => format!("  {text:<width$}"),
                };
            }
            line.trim_end().to_owned()
        };
        writeln!(f, "{}", line(&|c| self.columns[c].heading.clone()))?;
        for row in &self.rows {
            writeln!(f, "{}", line(&|c| row[c].to_string()))?;
            for &c in below.iter().filter(|&&c| !row[c].is_blank()) {
                writeln!(f, "      {}: {}", self.columns[c].heading, row[c])?;
            }
        }
        Ok(())
    }
}

/// What a table's students ask, answered.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// What the numbers hold for besides game, material and rule options, by name.
    pub at: Map<String, Value>,
    /// What all listings are about, for people: `KBNvK at 50+50`.
    pub title: String,
    /// The tables, in order.
    pub sections: Vec<Listing>,
}

impl Report {
    /// A report that holds for a whole table.
    pub fn new(title: impl Into<String>, sections: Vec<Listing>) -> Report {
        Report { at: Map::new(), title: title.into(), sections }
    }

    /// The report for programs: what it holds for, and each listing by its key.
    pub fn fields(&self) -> Map<String, Value> {
        let sections = self.sections.iter().map(|s| (s.key.to_owned(), s.json()));
        self.at.clone().into_iter().chain(sections).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        self.sections.iter().try_for_each(|section| write!(f, "\n{section}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_columns_and_programs_keys() {
        let columns =
            [("to_move", "to move"), ("wins", "won"), ("en_passant", "e.p."), ("far", "in")];
        let mut section = Listing::new("who_wins", "Who wins", columns);
        section.row([
            Color::White.into(),
            Cell::Share(1_234_567, 1_234_568),
            Cell::Flag(false),
            Cell::Plies(19),
        ]);
        section.row([Color::Black.into(), Cell::Share(8, 32), Cell::Flag(false), Cell::Nothing]);
        let empty = Listing::new("mates", "Mates", ["plies"]);
        let report = Report::new("KQvK", vec![section, empty]);
        assert_eq!(
            report.to_string(),
            "KQvK\n\nWho wins\n  to move               won       in\n  White    1,234,567 >99.9%  10 (19)\n  \
             Black            8  25.0%\n\nMates\n  none\n"
        );
        assert_eq!(
            Value::Object(report.fields()),
            json!({
                "who_wins": [
                    { "to_move": "white", "wins": 1_234_567, "en_passant": false, "far": 19 },
                    { "to_move": "black", "wins": 8, "en_passant": false, "far": null },
                ],
                "mates": [],
            })
        );
    }

    #[test]
    fn wide_rows_are_broken() {
        let mut section = Listing::new("far", "Far", ["plies", "example", "its_example"]);
        let fen = "8/".repeat(30);
        section.row([Cell::Count(7), Cell::text(&fen), Cell::text(&fen)]);
        let text = section.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.ends_with(&format!("      its example: {fen}\n")), "{text}");
    }
}

//! Statistics as tables, for people and for programs.

use std::fmt;

use serde_json::{Map, Value, json};

/// One entry of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// A count.
    Count(u64),
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
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Cell {
        text.map_or(Cell::Nothing, Cell::Text)
    }
}

impl fmt::Display for Cell {
    /// Counts with commas between thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Count(count) => {
                let digits = count.to_string();
                let mut grouped = String::new();
                for (i, digit) in digits.chars().enumerate() {
                    if i > 0 && (digits.len() - i).is_multiple_of(3) {
                        grouped.push(',');
                    }
                    grouped.push(digit);
                }
                f.pad(&grouped)
            }
            Cell::Text(text) => f.pad(text),
            Cell::Nothing => f.pad(""),
        }
    }
}

/// A table with a title.
#[derive(Clone, PartialEq, Debug)]
pub struct Listing {
    /// What it is about.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Listing {
    /// A table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Listing {
        let columns = columns.iter().map(|&c| c.to_owned()).collect();
        Listing { title: title.into(), columns, rows: Vec::new() }
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
}

/// Some tables.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The tables, in order.
    pub sections: Vec<Listing>,
}

impl Report {
    /// The report for programs: for each section, a list of objects keyed by column.
    pub fn json(&self) -> Value {
        let sections = self.sections.iter().map(|section| {
            let rows: Vec<Value> = section
                .rows
                .iter()
                .map(|row| {
                    let cells = section.columns.iter().zip(row).map(|(column, cell)| {
                        let value = match cell {
                            Cell::Count(count) => json!(count),
                            Cell::Text(text) => json!(text),
                            Cell::Nothing => Value::Null,
                        };
                        (column.clone(), value)
                    });
                    Value::Object(cells.collect())
                })
                .collect();
            (section.title.clone(), Value::Array(rows))
        });
        Value::Object(sections.collect::<Map<_, _>>())
    }
}

impl fmt::Display for Report {
    /// The report for people: columns aligned, counts to the right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, section) in self.sections.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}", section.title)?;
            let shown: Vec<Vec<String>> =
                section.rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
            let widths: Vec<usize> = (0..section.columns.len())
                .map(|c| {
                    let cells = shown.iter().map(|row| row[c].chars().count());
                    cells.chain([section.columns[c].chars().count()]).max().unwrap_or(0)
                })
                .collect();
            let is_count =
                |c: usize| section.rows.iter().any(|row| matches!(row[c], Cell::Count(_)));
            let mut line = |cells: &[String]| -> fmt::Result {
                let mut text = String::from(" ");
                for (c, cell) in cells.iter().enumerate() {
                    let width = widths[c];
                    text += &if is_count(c) {
                        format!(" {cell:>width$} ")
                    } else {
                        format!(" {cell:<width$} ")
                    };
                }
                writeln!(f, "{}", text.trim_end())
            };
            line(&section.columns)?;
            shown.iter().try_for_each(|row| line(row))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_columns_and_programs_objects() {
        let mut section = Listing::new("Who wins", &["to move", "wins", "example"]);
        section.row([Cell::text("White"), Cell::Count(1_234_567), Cell::Nothing]);
        section.row([Cell::text("Black"), Cell::Count(8), Cell::text("8/8 b")]);
        let report = Report { sections: vec![section] };
        assert_eq!(
            report.to_string(),
            "Who wins\n  to move       wins  example\n  White    1,234,567\n  Black            8  8/8 b\n"
        );
        assert_eq!(
            report.json().to_string(),
            r#"{"Who wins":[{"to move":"White","wins":1234567,"example":null},{"to move":"Black","wins":8,"example":"8/8 b"}]}"#
        );
    }
}

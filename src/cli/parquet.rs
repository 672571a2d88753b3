//! Columns as Apache Parquet.

use std::{fmt::Write as _, io::Write, sync::Arc};

use anyhow::{Result, bail};
use parquet::{
    basic::Compression,
    column::writer::{ColumnWriter, ColumnWriterImpl},
    data_type::{ByteArray, DataType},
    file::{
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::parser::parse_message_type,
};

use crate::study::{Columns, Field, Kind, Values};

/// A file that is being written.
pub struct ParquetOut(SerializedFileWriter<Box<dyn Write + Send>>);

impl ParquetOut {
    /// A file with these columns and no rows.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: Box<dyn Write + Send>, fields: &[Field]) -> Result<ParquetOut> {
        let schema = Arc::new(parse_message_type(&message(fields))?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        Ok(ParquetOut(SerializedFileWriter::new(out, schema, Arc::new(properties))?))
    }

    /// Adds rows, as a group of their own.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, columns: &Columns) -> Result<()> {
        let mut group = self.0.next_row_group()?;
        for (field, values) in columns.iter() {
            let Some(mut column) = group.next_column()? else { bail!("a column is missing") };
            Rows { field, values, rows: columns.rows() }.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        self.0.close()?;
        Ok(())
    }
}

/// The columns in Parquet's language.
fn message(fields: &[Field]) -> String {
    let mut message = "message finale {".to_owned();
    for Field { name, kind, optional } in fields {
        let presence = if *optional { "optional" } else { "required" };
        let byte = "int32 element (INTEGER(8,false))";
        let column = match kind {
            Kind::U8 => format!("{presence} int32 {name} (INTEGER(8,false));"),
            Kind::Square => format!("{presence} int32 {name} (INTEGER(8,true));"),
            Kind::I32 => format!("{presence} int32 {name};"),
            Kind::I64 => format!("{presence} int64 {name};"),
            Kind::F32 => format!("{presence} float {name};"),
            Kind::Words(_) | Kind::Text => format!("{presence} binary {name} (STRING);"),
            Kind::List(_) => format!(
                "{presence} group {name} (LIST) {{ repeated group list {{ required {byte}; }} }}"
            ),
        };
        // A text takes whatever is written.
        let _ = write!(message, " {column}");
    }
    message + " }"
}

/// The rows of a column.
struct Rows<'a> {
    field: &'a Field,
    values: &'a Values,
    rows: usize,
}

impl Rows<'_> {
    fn write(&self, column: &mut SerializedColumnWriter<'_>) -> Result<()> {
        match column.untyped() {
            ColumnWriter::Int32ColumnWriter(out) => match self.values {
                Values::U8(all) => self.write_values(out, |row| i32::from(all[row])),
                Values::I8(all) => self.write_values(out, |row| i32::from(all[row])),
                Values::I32(all) => self.write_values(out, |row| all[row]),
                Values::Lists(length, all) => write_lists(out, *length, all),
                _ => bail!("this is no column of small numbers"),
            },
            ColumnWriter::Int64ColumnWriter(out) => match self.values {
                Values::I64(all) => self.write_values(out, |row| all[row]),
                _ => bail!("this is no column of numbers"),
            },
            ColumnWriter::FloatColumnWriter(out) => match self.values {
                Values::F32(all) => self.write_values(out, |row| all[row]),
                _ => bail!("this is no column of numbers with fractions"),
            },
            ColumnWriter::ByteArrayColumnWriter(out) => match (self.values, self.field.kind) {
                (Values::I8(all), Kind::Words(words)) => {
                    let words: Vec<ByteArray> = words.iter().map(|&word| word.into()).collect();
                    self.write_values(out, |row| words[all[row] as usize].clone())
                }
                (Values::Text(all), _) => {
                    self.write_values(out, |row| all[row].as_deref().unwrap_or_default().into())
                }
                _ => bail!("this is no column of words"),
            },
            _ => bail!("there are no columns of this type"),
        }
    }

    /// Writes the values there are, and which rows have none.
    fn write_values<T: DataType>(
        &self,
        out: &mut ColumnWriterImpl<'_, T>,
        value: impl Fn(usize) -> T::T,
    ) -> Result<()> {
        let has = |row: usize| !self.field.optional || self.values.has(row);
        let values: Vec<T::T> = (0..self.rows).filter(|&row| has(row)).map(value).collect();
        let levels: Vec<i16> = (0..self.rows).map(|row| has(row).into()).collect();
        out.write_batch(&values, self.field.optional.then_some(&levels), None)?;
        Ok(())
    }
}

/// Writes lists of a fixed length: each begins where the level of repetition is 0.
fn write_lists<T: DataType<T = i32>>(
    out: &mut ColumnWriterImpl<'_, T>,
    length: usize,
    all: &[u8],
) -> Result<()> {
    let values: Vec<i32> = all.iter().copied().map(i32::from).collect();
    let repeated: Vec<i16> = (0..all.len()).map(|at| (at % length != 0).into()).collect();
    out.write_batch(&values, Some(&vec![1; all.len()]), Some(&repeated))?;
    Ok(())
}

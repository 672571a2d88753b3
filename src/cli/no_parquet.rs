//! Columns as Apache Parquet, in a finale that was built without the feature `export`.

use std::io::Write;

use anyhow::Result;

use super::usage::Usage;
use crate::study::{Columns, Field};

/// A file that cannot be.
pub enum ParquetOut {}

impl ParquetOut {
    /// Says what to do instead.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: Box<dyn Write + Send>, _: &[Field]) -> Result<ParquetOut> {
        let advice = "build it with `--features export`, or write csv";
        Err(Usage(format!("this finale writes no Parquet; {advice}")).into())
    }

    /// Adds rows to no file.
    ///
    /// # Errors
    /// Never, for there is none.
    pub fn write(&mut self, _: &Columns) -> Result<()> {
        match *self {}
    }

    /// Completes no file.
    ///
    /// # Errors
    /// Never, for there is none.
    pub fn finish(self) -> Result<()> {
        match self {}
    }
}

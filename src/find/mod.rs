//! Positions of a table that answer a description: `finale find`.
//!
//! A [`Query`] is a condition in a small language over what a table, the board and the rules say of
//! a position; [`find`] goes through a table and hands over the positions that fulfil it.
//! `docs/find.md` is the language's page.

mod context;
mod error;
mod expr;
mod facts;
mod lexer;
mod likeness;
mod parser;
mod profile;
mod query;
mod search;
mod squares;
mod subject;

pub use error::QueryError;
pub(crate) use profile::{Kind, profile};
pub use query::{Query, names};
pub use search::{Found, Search, Total, find, found_columns, found_fields, found_object};

//! What can be wrong with a query.

use std::{fmt, ops::Range};

/// A query that is none, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct QueryError {
    /// The query.
    pub query: String,
    /// What of it is wrong, in bytes; behind the end if something is missing.
    pub at: Range<usize>,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl fmt::Display for QueryError {
    /// The problem; on lines of their own the query, and carets under what is wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = |bytes: &str| bytes.chars().count();
        let QueryError { query, at, problem } = self;
        // The query is one line, whatever was typed.
        let line = query.replace(|c: char| c.is_control(), " ");
        let before = columns(query.get(..at.start).unwrap_or(query));
        let carets = columns(query.get(at.clone()).unwrap_or_default()).max(1);
        write!(f, "{problem}\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(carets))
    }
}

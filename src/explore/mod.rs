//! What can be asked of all games by name and answered as JSON, whoever carries the questions: the
//! server over HTTP, or a page that has the library in it.
//!
//! A [`Question`] is what an address asks; an [`Explorer`] answers for its game.

mod advice;
mod explorer;
mod finding;
mod query;
mod question;
mod refusal;
mod tables;
mod what_if;

pub use advice::Advice;
pub(crate) use explorer::LONGEST_LINE;
pub use explorer::{Detail, Explorer, Object, explorers};
pub use finding::Wanted;
pub use query::Query;
pub(crate) use question::EXAMPLE_FEN;
pub use question::{Count, Question, games_object};
pub use refusal::{Missing, Refusal};

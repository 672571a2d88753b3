//! What can be asked of all games by name and answered as JSON, whoever carries the questions: the
//! server over HTTP, or a page that has the library in it.
//!
//! An [`Asked`] is what an address asks: a [`Question`] that an [`Explorer`] answers for its game, or
//! a [`Count`] over a whole table, which takes a [`Counter`].

mod advice;
mod explorer;
mod finding;
mod object;
mod query;
mod question;
mod refusal;
mod shown;
mod tables;
mod what_if;

pub use advice::Advice;
pub use explorer::LONGEST_LINE;
pub use explorer::{Countable, Counter, Detail, Explorer, counters, explorer_of, explorers};
pub use finding::Wanted;
pub use object::Object;
pub use query::Query;
pub use question::EXAMPLE_FEN;
pub use question::{Asked, Count, Question, games_object};
pub use refusal::{Missing, Refusal};
pub use shown::Shown;

//! Endgame tablebases for chess games that need more than a board.
//!
//! A tablebase holds what perfect play makes of every position with few men. *finale* builds,
//! checks, compresses and probes them for games with counters, passes, scores, reserves and modes,
//! and for orthodox chess, and plays all of them by their full rules. The command line does all
//! of it too: see the README.
//!
#![cfg_attr(feature = "build", doc = "```")]
#![cfg_attr(not(feature = "build"), doc = "```ignore")]
//! use finale::{Tablebase, high::High, rules::Game, solve::BuildOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let tables = Tablebase::new(High::default(), folder.path());
//!
//! // Build what KRvK needs: KvK and itself.
//! let plan = tables.build(&["KRvK".parse()?], &BuildOptions::default())?;
//! assert_eq!(plan.tables.len(), 2);
//!
//! // White wins, and would with a single point of vitality left.
//! let position = tables.game().parse_fen("8/8/8/3k4/8/8/8/K6R w - - 50+50")?;
//! let answer = tables.answer(&position)?;
//! assert_eq!(answer.staircase.winner(position.vitality).to_string(), "White");
//! for ranked in tables.ranked(&position)?.iter().take(3) {
//!     println!("{}", tables.game().san(&position, ranked.turn));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The games
//!
//! Each has a module of its own: [`ordinary`] (orthodox chess and all variants that are values),
//! [`high`], [`noro`], [`tiebraker`],
//! [`orphic`] and [`stylish`], with the type that plays it, its positions and turns, and what its
//! tables answer. What they have in common are traits: [`rules::Game`], [`answer::Tabled`],
//! [`solve::Solve`] and [`study::Study`]. [`registry`] knows all games by their names.
//!
//! # The rooms
//!
//! Data flows one way, and so do the modules: each may use those before it. Those from [`verify`] to
//! [`find`], and [`story`], come with the feature `build`.
//!
//! | room | what lives there |
//! |---|---|
//! | [`board`] | squares, attacks, men, placements, symmetries; knows no game |
//! | [`rules`] | one file per game: positions, turns, endings, FEN, notation; the judge |
//! | [`index`] | materials and the numbers of their positions |
//! | [`table`] | the file format; knows bytes, not chess |
//! | [`answer`] | what a table of each game *is*: its cells, its answers, how they follow from each other |
//! | [`probe`] | [`Tablebase`]: answers and ranked turns |
//! | `fetch` | tables by address, over HTTP; feature `fetch` |
//! | [`verify`] | every stored value against the plain rules |
//! | [`solve`] | how tables are made: the engine, and per game what it is fed |
//! | [`pack`] | tables in other forms: one side, results alone, in an order that packs better |
//! | [`study`] | words, best lines, statistics and columns, per game |
//! | [`find`] | positions of a table that answer a query |
//! | [`registry`] | the list of games |
//! | [`story`] | what the counts of a table tell, in a few sentences |
//! | `explore` | questions about all games by name, answered as JSON; feature `explore` |
//! | `serve` | the explorer: a page and an HTTP interface; feature `serve` |
//! | `cli` | the program, a file per command; feature `cli` |
//!
//! # Features
//!
//! Without any, `default-features = false`, there is what an engine needs: the rules, the boards, how
//! positions are numbered, the files of tables, and their answers; of few crates, and without threads
//! of its own.
//!
//! - `build`: what makes tables, checks and packs them, and counts and tells what is in them.
//! - `fetch`: tables by address, `https://…`, which compiles a client for that.
//! - `cli` (default): the program `finale`, with `build`.
//! - `explore`: what a page asks, without a server, with `build`.
//! - `serve` (default): the explorer, over HTTP.
//! - `export`: `finale export --format parquet`, which compiles a crate for that.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod answer;
pub mod board;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "explore")]
pub mod explore;
#[cfg(feature = "fetch")]
pub mod fetch;
#[cfg(feature = "build")]
pub mod find;
mod games;
pub mod index;
mod lock;
#[cfg(feature = "build")]
pub mod pack;
mod parallel;
pub mod probe;
#[cfg(feature = "build")]
pub mod progress;
pub mod registry;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "build")]
pub mod solve;
#[cfg(feature = "build")]
pub mod story;
#[cfg(feature = "build")]
pub mod study;
pub mod table;
#[cfg(feature = "build")]
pub mod verify;

pub use games::{high, noro, ordinary, orphic, stylish, tiebraker};
pub use probe::Tablebase;

/// The page about the library, whose example is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
#[derive(Debug)]
pub struct RustPage;

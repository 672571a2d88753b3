//! Endgame tablebases for chess games that need more than a board.
//!
//! A tablebase holds what perfect play makes of every position with few men. *finale* builds,
//! checks, compresses and probes them for games with counters, passes, scores, reserves and modes,
//! and for orthodox chess, and plays all of them by their full rules. The command line does all
//! of it too: see the README.
//!
//! ```
//! use finale::{
//!     probe::Tablebase,
//!     rules::{Game, High},
//!     solve::{Plan, Silent, Workbench, scratch::Budget},
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let tables = Tablebase::new(High::default(), folder.path());
//!
//! // Build what KRvK needs: KvK and itself.
//! let plan = Plan::new(tables.game(), &["KRvK".parse()?], tables.shelf())?;
//! let budget = Budget::new(1 << 30, folder.path());
//! let bench = Workbench {
//!     shelf: tables.shelf(),
//!     budget: &budget,
//!     options: Default::default(),
//!     progress: &Silent,
//! };
//! plan.build(tables.game(), &bench, |table| println!("{} is built", table.id.material))?;
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
//! # The rooms
//!
//! Data flows one way, and so do the modules: each may use those before it.
//!
//! | room | what lives there |
//! |---|---|
//! | [`board`] | squares, attacks, men, placements, symmetries; knows no game |
//! | [`rules`] | one file per game: positions, turns, endings, FEN, notation; the judge |
//! | [`index`] | materials and the numbers of their positions |
//! | [`table`] | the file format; knows bytes, not chess |
//! | [`solve`] | the plan, the solvers, and per game what a table holds |
//! | [`probe`] | [`probe::Tablebase`]: answers, ranked turns, verification |
//! | [`study`] | words, best lines and statistics, per game |
//! | `serve` | the explorer page and the HTTP interface; behind the feature of that name |
//! | [`cli`] | the command line, a file per command |

pub mod board;
pub mod cli;
pub mod index;
pub mod probe;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod study;
pub mod table;

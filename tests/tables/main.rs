//! Everything that builds, reads and asks tables through the library: one program, since each of
//! them compiles the solvers of all games anew. `cargo test --test tables high::` runs those of
//! High Chess.

#[path = "../common/mod.rs"]
mod common;

mod contents;
mod find;
mod forged;
mod high;
mod hostile;
mod koth;
mod library;
mod noro;
mod noro_points;
mod orphic;
mod orthodox;
mod packed;
mod parts;
mod plain_orphic;
mod promises;
mod shipped;
mod story;
mod stylish;
mod three_men;
mod tiebraker;
mod variants;

//! How the tables of each game are made.

mod high;
mod noro;
mod orphic;
mod stylish;
mod tiebraker;
mod variant;

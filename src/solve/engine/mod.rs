//! The parts that solve tables; none knows a game.
//!
//! Seven rooms, each of which uses only those before it:
//!
//! - [`lanes`]: rows of 64 values in the registers of a processor, and what moves do to them.
//! - [`slice`]: the positions of some men with the pawns on fixed squares, 64 a word; moves and
//!   un-moves between them, turns out of them, and the way from their order to that of an index.
//! - [`spill`]: the memory budget, big arrays, and files for what exceeds it.
//! - [`pages`]: what a solver looks into: which slices turns lead to (the dependency closure), the
//!   page cache they are read through, and how a position after a turn is found there.
//! - [`ladder`]: the solver for games in which play can go in circles, perpetual check included.
//! - [`clock`]: histories of values, for the solvers of games that a counter brings to an end.
//! - [`builder`]: how a table is cut into parts, how much memory it takes, who works on which part,
//!   and how its pages come into a file.
//!
//! What fails here fails because a table or part is missing or damaged, or because memory or disk
//! space is lacking, and the error says which. Only where there is more to it, or less, does a
//! function say so.

pub(crate) mod builder;
pub(crate) mod clock;
pub(crate) mod ladder;
pub(crate) mod lanes;
pub(crate) mod pages;
pub(crate) mod slice;
pub(crate) mod spill;

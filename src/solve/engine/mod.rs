//! The parts that solve tables; none knows a game.

pub(crate) mod clock;
pub(crate) mod conversions;
pub(crate) mod entries;
pub(crate) mod ladder;
pub(crate) mod ladder_file;
pub(crate) mod ladder_game;
pub(crate) mod ladder_parts;
pub(crate) mod ladder_slice;
pub(crate) mod lanes;
pub(crate) mod left_out;
pub(crate) mod library;
pub(crate) mod links;
pub(crate) mod packed;
pub(crate) mod paged;
pub(crate) mod partwise;
pub(crate) mod pass;
pub(crate) mod perpetual;
pub(crate) mod reach;
pub(crate) mod scratch;
pub(crate) mod settle;
pub(crate) mod slice;
pub(crate) mod stock;
pub(crate) mod values;
pub(crate) mod word;

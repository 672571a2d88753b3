//! Solving.

pub mod ladder;
pub mod lanes;
pub mod links;
pub mod scratch;
pub mod slice;
pub mod values;

//! Solving.

pub mod lanes;

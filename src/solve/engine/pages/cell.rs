//! What a page has for a position.

use std::hash::Hash;

use crate::answer::score::Store;

/// What a page has for a position.
pub trait PageCell: bytemuck::Pod + Ord + Hash + Send + Sync {
    /// What it has for a number that is no position.
    const GAP: Self;
}

impl PageCell for i16 {
    const GAP: i16 = Store::NONE;
}

impl PageCell for i32 {
    const GAP: i32 = Store::NONE;
}

/// Numbers of something kept once.
impl PageCell for u32 {
    const GAP: u32 = u32::MAX;
}

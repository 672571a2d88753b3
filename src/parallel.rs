//! Loops over numbers on all cores.
//!
//! What rayon does for a loop is compiled anew for each closure: 3000 lines of what LLVM is given, which came
//! to 29 % of all it was given for this crate. Closures that are passed as `dyn` share it. The call costs
//! nothing where a round takes microseconds.

use rayon::prelude::*;

/// Does something with each number below `count`, until that fails for one of them.
pub fn try_each<E: Send>(
    count: u64,
    what: &(dyn Fn(u64) -> Result<(), E> + Sync),
) -> Result<(), E> {
    (0..count).into_par_iter().try_for_each(what)
}

/// What comes of each number below `count`, in their order.
#[cfg(feature = "cli")]
pub fn map<T: Send>(count: usize, what: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..count).into_par_iter().map(what).collect()
}

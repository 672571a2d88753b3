//! Answers of positions that a table does not store.

use quick_cache::{UnitWeighter, sync::Cache};
use rustc_hash::FxBuildHasher;

use crate::board::Color;

/// The cell that a position would have, and who is to move in it: where one table serves either
/// colour, cells do not tell that.
type Key = (u64, Color);

/// Answers that were found by looking ahead; as many as there is room for, those that were asked
/// for lately.
pub(super) struct Derived<A>(Cache<Key, A, UnitWeighter, FxBuildHasher>);

#[cfg(feature = "build")]
impl<A: Clone> Derived<A> {
    /// What it may take, in bytes: one side of any table of four men without Pawns fits.
    const CAPACITY: usize = 256 << 20;

    /// What keeping an answer costs beside its bytes: its key and its place in the cache.
    const OVERHEAD: usize = 32;

    pub(super) fn new() -> Derived<A> {
        let most = (Self::CAPACITY / (size_of::<A>() + Self::OVERHEAD)) as u64;
        // The count is only a hint for the first allocation.
        let first = 1 << 12;
        Derived(Cache::with(first, most, UnitWeighter, FxBuildHasher, Default::default()))
    }
}

impl<A: Clone> Derived<A> {
    /// The answer of a position, found by `derive` if it is not there.
    ///
    /// # Errors
    /// As `derive`.
    pub(super) fn get_or_derive<E>(
        &self,
        key: Key,
        derive: impl FnOnce() -> Result<A, E>,
    ) -> Result<A, E> {
        if let Some(answer) = self.0.get(&key) {
            return Ok(answer);
        }
        // Two threads may find the same. The cache's own way to insert would have one wait for the
        // other, though what is found may ask for more.
        let answer = derive()?;
        self.0.insert(key, answer.clone());
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_is_derived_once() {
        let derived: Derived<u32> = Derived::new();
        let first = |key, found: Result<u32, &'static str>| derived.get_or_derive(key, || found);
        assert_eq!(first((7, Color::White), Err("no table")), Err("no table"));
        assert_eq!(first((7, Color::White), Ok(1)), Ok(1));
        assert_eq!(first((7, Color::Black), Ok(2)), Ok(2));
        for (side, found) in [(Color::White, 1), (Color::Black, 2)] {
            let again =
                derived.get_or_derive((7, side), || -> Result<u32, &str> { panic!("it is there") });
            assert_eq!(again, Ok(found));
        }
    }
}

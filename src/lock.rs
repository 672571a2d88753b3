//! Locks on what is whole even if a thread panicked that had changed it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The rows that suit the processor this runs on.
//!
//! A program is compiled for any processor of its kind, and many have wider registers than all of
//! them: which, is asked when it runs. Rows in such registers are laid out like [`Bytes`] and
//! [`Shorts`] and mean the same; what they are worth is told in `docs/design.md`.

use super::{Bytes, NumberLanes, Shorts};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Work that can be done with rows of any kind.
pub trait RowWork {
    /// What it comes to, the same with all rows.
    type Done;

    /// Does it with these rows.
    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done;
}

/// Does work with the widest rows that this processor has registers for.
pub fn with_widest_rows<W: RowWork>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    {
        if avx512::is_available() {
            return work.with::<avx512::Bytes512, avx512::Shorts512>();
        }
        if avx2::is_available() {
            return work.with::<avx2::Bytes256, avx2::Shorts256>();
        }
    }
    work.with::<Bytes, Shorts>()
}

/// Does work with all rows there are here, those that need no special registers first.
#[cfg(test)]
pub fn with_all_rows<W: RowWork + Copy>(work: W) -> Vec<W::Done> {
    let mut done = vec![work.with::<Bytes, Shorts>()];
    #[cfg(target_arch = "x86_64")]
    {
        if avx2::is_available() {
            done.push(work.with::<avx2::Bytes256, avx2::Shorts256>());
        }
        if avx512::is_available() {
            done.push(work.with::<avx512::Bytes512, avx512::Shorts512>());
        }
    }
    done
}

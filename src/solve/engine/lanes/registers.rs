//! Which rows to use is chosen when the program runs.
//!
//! A program is compiled for the least of the processors it may run on, and most of them have wider
//! vector registers than that one. Rows in such registers have the memory layout of [`Bytes`] and
//! [`Shorts`] and the same semantics; what they are worth is told in
//! `docs/decisions/0024-registers-are-chosen-at-run-time.md`.
//!
//! Executing an instruction that the processor lacks is undefined behaviour, so rows that need some
//! are named by a witness only: a zero-sized `Registers`, which only detecting the features makes.
//! It does not travel with the rows. A processor keeps its features while a program runs, so it is
//! enough that nobody can say which type of row to work with unless they were detected before.

#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use super::{
    rows::{Bytes, Shorts},
    witness::RowWork,
};

/// Does work with the widest rows that this processor has registers for.
pub fn with_widest_rows<W: RowWork>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(registers) = avx512::Registers::detect() {
            return registers.run(work);
        }
        if let Some(registers) = avx2::Registers::detect() {
            return registers.run(work);
        }
    }
    with_portable_rows(work)
}

/// Does work with the rows that need nothing of the processor.
fn with_portable_rows<W: RowWork>(work: W) -> W::Done {
    work.with::<Bytes, Shorts>()
}

/// Does work with each kind of row that there is here, and says which: first [`PORTABLE`], then
/// [`AVX2`] and [`AVX512`] if the processor has them.
#[cfg(test)]
pub fn with_all_rows<W: RowWork + Copy>(work: W) -> Vec<(&'static str, W::Done)> {
    #[allow(unused_mut, reason = "x86-64 alone has more")]
    let mut done = vec![(PORTABLE, with_portable_rows(work))];
    #[cfg(target_arch = "x86_64")]
    {
        done.extend(avx2::Registers::detect().map(|registers| (AVX2, registers.run(work))));
        done.extend(avx512::Registers::detect().map(|registers| (AVX512, registers.run(work))));
    }
    done
}

/// The rows of any processor.
#[cfg(test)]
pub const PORTABLE: &str = "portable";

/// The rows of [`avx2`].
#[cfg(all(test, target_arch = "x86_64"))]
pub const AVX2: &str = "AVX2";

/// The rows of [`avx512`].
#[cfg(all(test, target_arch = "x86_64"))]
pub const AVX512: &str = "AVX-512";

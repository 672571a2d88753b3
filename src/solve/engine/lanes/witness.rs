//! What proves that a processor has the registers that rows lie in; see `registers.rs`.

use super::rows::NumberLanes;

/// Work that can be done with rows of any kind.
pub trait RowWork {
    /// What it comes to, the same with all rows.
    type Done;

    /// Does it with these rows: of bytes, and of signed words.
    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done;
}

/// Declares the witness of a module's rows, from the one list of features that is both detected and
/// compiled for, and the private types of row that it names.
#[cfg(target_arch = "x86_64")]
macro_rules! registers {
    ($bytes:ident, $shorts:ident need $($feature:tt)*) => {
        /// Witness that this processor has the features that this module's rows need.
        ///
        /// It alone names those rows, so whatever runs in a method of theirs runs after the
        /// features were detected.
        #[derive(Copy, Clone, Debug)]
        pub struct Registers(());

        impl Registers {
            /// The witness, if the processor has the features.
            pub fn detect() -> Option<Registers> {
                ($(std::arch::is_x86_feature_detected!($feature))&&*).then_some(Registers(()))
            }

            /// Does work with this module's rows.
            pub fn run<W: $crate::solve::engine::lanes::RowWork>(self, work: W) -> W::Done {
                work.with::<$bytes, $shorts>()
            }
        }

        /// Runs work in a function compiled for the features; see
        /// [`Lanes::with_registers`](super::rows::Lanes::with_registers). Only for methods of this
        /// module's rows.
        #[inline(always)]
        fn compiled_for_registers<T>(work: impl FnOnce() -> T) -> T {
            #[target_feature($(enable = $feature),*)]
            fn widely<T>(work: impl FnOnce() -> T) -> T {
                work()
            }
            // SAFETY: methods of this module's rows alone call this. Nobody has a type of these
            // rows but from `Registers::run`, which takes a `Registers`; and that there is one is
            // proof that `Registers::detect` found each of the features.
            #[allow(unsafe_code, reason = "calls what is compiled for more than the program is")]
            unsafe {
                widely(work)
            }
        }
    };
}

/// Declares, under the names that they have in [`std::arch`], the instructions that a module's rows
/// use, as functions that are safe to call there: in methods of the rows and what these call.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($($name:ident $(<$number:ident>)? ($($of:ident: $from:ty),*) -> $to:ty;)*) => {$(
        #[inline(always)]
        fn $name $(<const $number: i32>)? ($($of: $from),*) -> $to {
            // SAFETY: methods of this module's rows alone use this. Nobody has a type of these rows
            // but from `Registers::run`, which takes a `Registers`; and that there is one is proof
            // that `Registers::detect` found the features that the module lists, with all
            // instructions that it declares. None of them reads or writes memory, so nothing else
            // is asked for.
            #[allow(unsafe_code, reason = "an instruction that not all processors have")]
            unsafe {
                std::arch::x86_64::$name $(::<$number>)? ($($of),*)
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
pub(super) use {instructions, registers};

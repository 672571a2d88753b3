//! Big arrays: in memory as long as they fit, else in a file that is mapped and goes away with it.

use std::{
    fs::File,
    hint::black_box,
    io::{self, Write},
    marker::PhantomData,
    ops::{Deref, DerefMut},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use memmap2::MmapMut;

use super::{no_room::NoRoom, placed_file::PlacedFile, spill_file::SpillFile};
use crate::{
    parallel::{self, chunks},
    progress::Stop,
};

/// Arrays of so many bytes are mapped: then the system has their memory back as soon as they are
/// dropped, which allocators do not promise.
const LARGE: u64 = 1 << 18;

/// Entries written at a time, so that each call of the system writes tens of kilobytes.
const PIECE: usize = 1 << 16;

/// How much memory the big arrays of a build may take, and where they go beyond that.
#[derive(Debug)]
pub struct Budget {
    left: Arc<AtomicU64>,
    folder: PathBuf,
    stop: Stop,
}

impl Budget {
    /// A budget of `bytes`; arrays that exceed it become temporary files in `folder`.
    pub fn new(bytes: u64, folder: impl Into<PathBuf>) -> Budget {
        Budget {
            left: Arc::new(AtomicU64::new(bytes)),
            folder: folder.into(),
            stop: Stop::default(),
        }
    }

    /// The same for work that can be stopped: from then on nothing gets any room.
    #[must_use]
    pub fn stopped_by(self, stop: Stop) -> Budget {
        Budget { stop, ..self }
    }

    /// Looks whether the work goes on.
    ///
    /// # Errors
    /// Of the kind `Interrupted` if it was stopped.
    pub(in crate::solve) fn go_on(&self) -> io::Result<()> {
        self.stop.go_on()
    }

    /// A budget of its own of so many bytes, whose arrays go to the same folder beyond that.
    pub(in crate::solve) fn of_bytes(&self, bytes: u64) -> Budget {
        Budget::new(bytes, &self.folder).stopped_by(self.stop.clone())
    }

    /// A spill file in the folder of those of arrays.
    pub(in crate::solve) fn spill_file(&self) -> SpillFile {
        SpillFile::new(&self.folder, self.stop.clone())
    }

    /// A file in that folder for what is written over again and again.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(in crate::solve) fn placed_file(&self) -> io::Result<PlacedFile> {
        PlacedFile::new(&self.folder, self.stop.clone())
    }

    /// How many bytes are left.
    pub(in crate::solve) fn left(&self) -> u64 {
        self.left.load(Relaxed)
    }

    /// An array of `len` times `value`. What it takes is given back when it is dropped.
    ///
    /// No other threads are asked to fill it: who waits for them may do other work of theirs
    /// meanwhile, and callers hold locks.
    ///
    /// # Errors
    /// If it does not fit the budget, and the temporary file cannot be made; or if the work was
    /// stopped.
    pub fn array<T: bytemuck::Pod>(&self, len: usize, value: T) -> io::Result<ScratchArray<T>> {
        self.go_on()?;
        let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
        let fits = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok();
        if fits || bytes == 0 {
            let loan = Loan { bytes, left: self.left.clone() };
            let array = if bytes < LARGE {
                filled(len, value).map(|array| ScratchArray::Memory(array, loan))
            } else {
                mapped(len, value).map(|map| ScratchArray::Mapped(map, Some(loan), PhantomData))
            };
            return Ok(array.ok_or(NoRoom::Memory { bytes })?);
        }
        let lack = |source| NoRoom::Disk { bytes, folder: self.folder.clone(), source };
        let file = self.file(len, value).map_err(lack)?;
        // SAFETY: the file has no name and no other handle, so nothing else can change or shorten
        // it while it is mapped.
        #[allow(unsafe_code)]
        let map = unsafe { MmapMut::map_mut(&file) }.map_err(lack)?;
        Ok(ScratchArray::Mapped(map, None, PhantomData))
    }

    /// An array of zeros, pre-faulted by all threads: for one that is read here and there before it
    /// is written. A page that is only read is mapped to the system's one page of zeros, so its
    /// first write costs a TLB shootdown on every core. Huge pages are asked for, too, since a miss
    /// in the TLB takes longer than the read. The caller must hold no lock.
    ///
    /// # Errors
    /// As [`array`](Budget::array).
    pub fn written_zeros<T: bytemuck::Pod + Send>(
        &self,
        len: usize,
    ) -> io::Result<ScratchArray<T>> {
        let mut array = self.array(len, T::zeroed())?;
        match &array {
            // A file has been written already.
            ScratchArray::Mapped(_, None, _) => return Ok(array),
            ScratchArray::Mapped(map, Some(_), _) => in_huge_pages(map),
            ScratchArray::Memory(..) => {}
        }
        parallel::each(chunks(&mut array[..], PIECE), 1, |_, piece| piece.fill(T::zeroed()));
        Ok(array)
    }

    /// Takes so many bytes, or what is left if that is less, for something that is no array.
    pub(in crate::solve) fn take(&self, bytes: u64) -> Loan {
        let take = |left: u64| Some(left.saturating_sub(bytes));
        let before = self.left.fetch_update(Relaxed, Relaxed, take).unwrap_or(0);
        Loan { bytes: bytes.min(before), left: self.left.clone() }
    }

    /// A temporary file that holds `len` times `value`.
    fn file<T: bytemuck::Pod>(&self, len: usize, value: T) -> io::Result<File> {
        let mut file = tempfile::tempfile_in(&self.folder)?;
        // Written, not just made long: so a full disk says no here, and does not kill the process
        // when the array is used.
        let piece = vec![value; len.min(PIECE)];
        for start in (0..len).step_by(PIECE) {
            file.write_all(bytemuck::cast_slice(&piece[..PIECE.min(len - start)]))?;
        }
        Ok(file)
    }
}

/// A list of zeros that is read here and there before it is written; see [`Budget::written_zeros`].
pub fn written_zeros(len: usize) -> Vec<u32> {
    let mut zeros = vec![0; len];
    // Compilers know that these are zeros, and would not write them again.
    zeros.fill(black_box(0));
    zeros
}

/// Asks the system for huge pages, which not every system has, and none must give.
fn in_huge_pages(map: &MmapMut) {
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = map;
}

/// An array of `len` times `value`; `None` if memory is lacking.
fn filled<T: bytemuck::Pod>(len: usize, value: T) -> Option<Vec<T>> {
    if bytemuck::bytes_of(&value).iter().all(|&byte| byte == 0) {
        // The system gives zeros without touching them.
        return bytemuck::allocation::try_zeroed_vec(len).ok();
    }
    let mut array = Vec::new();
    array.try_reserve_exact(len).ok()?;
    array.resize(len, value);
    Some(array)
}

/// The same, mapped.
fn mapped<T: bytemuck::Pod>(len: usize, value: T) -> Option<MmapMut> {
    let mut map = MmapMut::map_anon(len.checked_mul(size_of::<T>())?).ok()?;
    // The system gives zeros without touching them.
    if bytemuck::bytes_of(&value).iter().any(|&byte| byte != 0) {
        bytemuck::cast_slice_mut(&mut map).fill(value);
    }
    Some(map)
}

/// A part of a budget that is in use.
#[derive(Debug)]
pub struct Loan {
    bytes: u64,
    left: Arc<AtomicU64>,
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.left.fetch_add(self.bytes, Relaxed);
    }
}

/// An array that lives in memory or in a mapped temporary file.
#[derive(Debug)]
pub enum ScratchArray<T> {
    /// In memory.
    Memory(Vec<T>, Loan),
    /// In memory mapped for it, or in a file without a name.
    Mapped(MmapMut, Option<Loan>, PhantomData<T>),
}

impl<T: bytemuck::Pod> Deref for ScratchArray<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            ScratchArray::Memory(array, _) => array,
            ScratchArray::Mapped(map, ..) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: bytemuck::Pod> DerefMut for ScratchArray<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            ScratchArray::Memory(array, _) => array,
            ScratchArray::Mapped(map, ..) => bytemuck::cast_slice_mut(map),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_budget_arrays_become_files() {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(1000, folder.path());
        let mut small = budget.array(100, 7u32).unwrap();
        let mut big = budget.array(200, 9u32).unwrap();
        assert!(matches!(small, ScratchArray::Memory(..)));
        assert!(matches!(big, ScratchArray::Mapped(..)));
        small[3] = 1;
        big[199] = 2;
        assert_eq!((small[3], small[99], big[0], big[199]), (1, 7, 9, 2));
        drop(small);
        let mut ones = budget.array(10, 0u64).unwrap();
        ones[9] = 1;
        assert_eq!(ones[..], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        drop(ones);
        assert!(matches!(budget.array(250, 0u32).unwrap(), ScratchArray::Memory(..)));
        let large = Budget::new(LARGE * 2, folder.path());
        for value in [0u16, 7] {
            let array = large.array(LARGE as usize, value).unwrap();
            assert!(matches!(array, ScratchArray::Mapped(_, Some(_), _)));
            assert!(array.iter().all(|&found| found == value) && large.left() == 0);
        }
        assert_eq!(large.left(), LARGE * 2);
        // Windows has it as long as it is open.
        if cfg!(windows) {
            drop(big);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn arrays_without_a_place_are_errors() {
        let generous = Budget::new(u64::MAX, "none");
        for value in [0u64, 1] {
            let error = generous.array(usize::MAX / 16, value).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
            let bytes = usize::MAX / 16 * 8;
            let text = format!("the system has no {bytes} bytes of memory for an array");
            assert_eq!(error.to_string(), text);
        }
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none");
        let error = Budget::new(10, &missing).array(11, 0u8).unwrap_err();
        let text = format!("cannot write 11 bytes to a scratch file in {}", missing.display());
        assert_eq!(error.to_string(), text);
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

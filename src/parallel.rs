//! Loops on all cores.
//!
//! What rayon does for a loop is compiled anew for each closure: 3000 lines of what LLVM is given,
//! which came to a fifth of all it was given for this crate. So rayon is asked for one thing here,
//! to do two things side by side, whatever they are; and how something is shared out is compiled
//! once for each type. Only the loop over the items of a piece is compiled with its closure.
//!
//! A library that only probes has no threads of its own: there one thing is done after the other.

use std::{
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crate::lock::{into_inner, lock};

/// What threads can share out: it can be cut in two, as often as need be.
pub trait Share: Sized + Send {
    /// What a piece consists of.
    type Item;

    /// How many items there are.
    fn len(&self) -> usize;

    /// Cuts it before an item.
    fn cut(self, at: usize) -> (Self, Self);

    /// The items, in their order.
    fn items(self) -> impl Iterator<Item = Self::Item>;
}

/// Numbers of some types are shared out as they are.
macro_rules! share_numbers {
    ($($number:ty)*) => {$(
        impl Share for Range<$number> {
            type Item = $number;

            fn len(&self) -> usize {
                (self.end - self.start) as usize
            }

            fn cut(self, at: usize) -> (Self, Self) {
                let middle = self.start + at as $number;
                (self.start..middle, middle..self.end)
            }

            fn items(self) -> impl Iterator<Item = $number> {
                self
            }
        }
    )*};
}

share_numbers!(u64 usize);

impl<'a, T: Sync> Share for &'a [T] {
    type Item = &'a T;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }

    fn items(self) -> impl Iterator<Item = &'a T> {
        self.iter()
    }
}

impl<'a, T: Send> Share for &'a mut [T] {
    type Item = &'a mut T;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }

    fn items(self) -> impl Iterator<Item = &'a mut T> {
        self.iter_mut()
    }
}

impl<T: Send> Share for Vec<T> {
    type Item = T;

    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn cut(mut self, at: usize) -> (Self, Self) {
        let rest = self.split_off(at);
        (self, rest)
    }

    fn items(self) -> impl Iterator<Item = T> {
        self.into_iter()
    }
}

/// Two in step, as far as the shorter one goes.
impl<A: Share, B: Share> Share for (A, B) {
    type Item = (A::Item, B::Item);

    fn len(&self) -> usize {
        self.0.len().min(self.1.len())
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (a_rest, b_rest))
    }

    fn items(self) -> impl Iterator<Item = Self::Item> {
        self.0.items().zip(self.1.items())
    }
}

/// Three in step, as far as the shortest one goes.
impl<A: Share, B: Share, C: Share> Share for (A, B, C) {
    type Item = (A::Item, B::Item, C::Item);

    fn len(&self) -> usize {
        self.0.len().min(self.1.len()).min(self.2.len())
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest), (c, c_rest)) =
            (self.0.cut(at), self.1.cut(at), self.2.cut(at));
        ((a, b, c), (a_rest, b_rest, c_rest))
    }

    fn items(self) -> impl Iterator<Item = Self::Item> {
        let all = self.0.items().zip(self.1.items()).zip(self.2.items());
        all.map(|((a, b), c)| (a, b, c))
    }
}

/// Something in chunks, see [`chunks`].
pub struct Chunks<S> {
    all: S,
    size: usize,
}

/// What can be shared out in chunks of so many items, which are not cut; the last one may be
/// shorter.
pub fn chunks<S: Share>(all: S, size: usize) -> Chunks<S> {
    Chunks { all, size }
}

impl<S: Share> Share for Chunks<S> {
    type Item = S;

    fn len(&self) -> usize {
        self.all.len().div_ceil(self.size)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let Chunks { all, size } = self;
        let at = all.len().min(at * size);
        let (all, rest) = all.cut(at);
        (Chunks { all, size }, Chunks { all: rest, size })
    }

    fn items(self) -> impl Iterator<Item = S> {
        let count = self.len();
        let mut rest = Some(self);
        (0..count).map(move |_| {
            let (chunk, after) = rest.take().expect("one chunk after the other").cut(1);
            rest = Some(after);
            chunk.all
        })
    }
}

/// Does something with each item and its number. Threads get at least so many items at a time.
#[cfg(feature = "build")]
pub fn each<S: Share>(all: S, least: usize, what: impl Fn(usize, S::Item) + Sync) {
    pieces(all, least, &|first, piece: S| {
        (first..).zip(piece.items()).for_each(|(n, item)| what(n, item));
    });
}

/// The same until it fails for one of them.
pub fn try_each<S: Share, E: Send>(
    all: S,
    least: usize,
    what: impl Fn(usize, S::Item) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failure = Failure::none();
    pieces(all, least, &|first, piece: S| failure.until(first, piece, &what));
    failure.or(())
}

/// What comes of each item and its number, in their order.
#[cfg(feature = "build")]
pub fn map<S: Share, T: Send>(
    all: S,
    least: usize,
    what: impl Fn(usize, S::Item) -> T + Sync,
) -> Vec<T> {
    joined(gather(all, least, &|first, piece: S| {
        (first..).zip(piece.items()).map(|(n, item)| what(n, item)).collect()
    }))
}

/// The same, or an error if there is one for any of them.
pub fn try_map<S: Share, T: Send, E: Send>(
    all: S,
    least: usize,
    what: impl Fn(usize, S::Item) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let failure = Failure::none();
    let found = gather(all, least, &|first, piece: S| {
        let mut found = Vec::with_capacity(piece.len());
        failure.until(first, piece, |n, item| what(n, item).map(|thing| found.push(thing)));
        found
    });
    failure.or(found).map(joined)
}

/// Whether something has failed.
struct Failure<E> {
    is_there: AtomicBool,
    error: Mutex<Option<E>>,
}

impl<E> Failure<E> {
    /// Nothing has.
    fn none() -> Failure<E> {
        Failure { is_there: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Does something with each item of a piece until it fails for one of any piece.
    fn until<S: Share>(
        &self,
        first: usize,
        piece: S,
        mut what: impl FnMut(usize, S::Item) -> Result<(), E>,
    ) {
        for (n, item) in (first..).zip(piece.items()) {
            if self.is_there.load(Relaxed) {
                return;
            }
            if let Err(error) = what(n, item) {
                self.note(error);
            }
        }
    }

    fn note(&self, error: E) {
        self.is_there.store(true, Relaxed);
        *lock(&self.error) = Some(error);
    }

    /// What has been done, if nothing has failed.
    fn or<T>(self, done: T) -> Result<T, E> {
        into_inner(self.error).map_or(Ok(done), Err)
    }
}

/// All of some lists, in their order.
pub fn joined<T>(mut lists: Vec<Vec<T>>) -> Vec<T> {
    if lists.len() == 1 {
        return lists.swap_remove(0);
    }
    let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    lists.iter_mut().for_each(|list| all.append(list));
    all
}

/// What comes of each piece and the number of its first item, in their order.
pub fn gather<S: Share, T: Send>(
    all: S,
    least: usize,
    what: &(dyn Fn(usize, S) -> T + Sync),
) -> Vec<T> {
    // What comes of pieces, and the numbers of their first items.
    let found = Mutex::new((Vec::new(), Vec::new()));
    pieces(all, least, &|first, piece| {
        let of_piece = what(first, piece);
        let (found, firsts) = &mut *lock(&found);
        found.insert(insert(firsts, first), of_piece);
    });
    into_inner(found).0
}

/// Puts a number into its place among others, and tells this.
fn insert(numbers: &mut Vec<usize>, number: usize) -> usize {
    let at = numbers.partition_point(|&other| other < number);
    numbers.insert(at, number);
    at
}

/// Does something with pieces of at least so many items, and the number of the first of each.
pub fn pieces<S: Share>(all: S, least: usize, what: &(dyn Fn(usize, S) + Sync)) {
    share(all, 0, Cuts { least, left: threads::count() }, what);
}

fn share<S: Share>(all: S, first: usize, cuts: Cuts, what: &(dyn Fn(usize, S) + Sync)) {
    let half = all.len() / 2;
    let Some(cuts) = cuts.one_less(half) else { return what(first, all) };
    let (left, right) = all.cut(half);
    let (mut left, mut right) = (Some(left), Some(right));
    threads::side_by_side(
        &mut |taken| share(left.take().expect(ONCE), first, cuts.after(taken), what),
        &mut |taken| share(right.take().expect(ONCE), first + half, cuts.after(taken), what),
    );
}

/// How often pieces may be cut in two.
#[derive(Copy, Clone)]
struct Cuts {
    /// How many items a piece must keep.
    least: usize,
    /// So many pieces may become of one.
    left: usize,
}

impl Cuts {
    /// What holds for both halves, each of so many items or one more, if they may be made.
    fn one_less(self, half: usize) -> Option<Cuts> {
        let may = half >= self.least.max(1) && self.left > 0;
        may.then_some(Cuts { left: self.left / 2, ..self })
    }

    /// What holds for a piece, as rayon has it: if a thread that had nothing to do has taken it
    /// from another, there are likely to be more such threads.
    fn after(self, taken: bool) -> Cuts {
        let least = if taken { 2 * threads::count() } else { 0 };
        Cuts { left: self.left.max(least), ..self }
    }
}

/// Those of rayon.
#[cfg(feature = "build")]
mod threads {
    /// How many there are.
    pub fn count() -> usize {
        rayon::current_num_threads()
    }

    /// Does two things once, side by side if a thread has nothing else to do; each is told whether
    /// another thread has taken it.
    pub fn side_by_side(one: &mut (dyn FnMut(bool) + Send), other: &mut (dyn FnMut(bool) + Send)) {
        rayon::join_context(|here| one(here.migrated()), |here| other(here.migrated()));
    }
}

/// The one that asks.
#[cfg(not(feature = "build"))]
mod threads {
    /// There is one.
    pub fn count() -> usize {
        1
    }

    /// Does one thing after the other; no other thread takes either.
    pub fn side_by_side(one: &mut (dyn FnMut(bool) + Send), other: &mut (dyn FnMut(bool) + Send)) {
        one(false);
        other(false);
    }
}

/// Why both halves of something are still there.
const ONCE: &str = "each is done once";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_met_once_and_in_order() {
        for (count, least) in [(0, 1), (1, 1), (2, 0), (1000, 1), (1000, 300), (777, 5)] {
            let numbers: Vec<usize> = (0..count).collect();
            assert_eq!(
                map(0..count, least, |n, item| [n, item]),
                map(&numbers[..], least, |n, &item| [n, item])
            );
            let mut to = vec![0; count];
            let places = (&mut to[..], numbers.clone(), 7..count as u64 + 20);
            each(places, least, |n, (to, item, later)| *to += n + item + later as usize);
            assert!(to.iter().enumerate().all(|(n, &to)| to == 3 * n + 7));
            let of_chunks = map(chunks(&mut to[..], 64), least, |n, chunk| {
                assert!(chunk[0] == 3 * 64 * n + 7);
                chunk.len()
            });
            assert_eq!(of_chunks.len(), count.div_ceil(64));
            assert_eq!(of_chunks.iter().sum::<usize>(), count);
            let sizes = gather(0..count, least, &|first, piece: Range<usize>| {
                assert_eq!(first, piece.start);
                piece.count()
            });
            assert!(sizes.len() == 1 || sizes.iter().all(|&size| size >= least));
        }
    }

    #[test]
    fn an_error_is_told() {
        let fail = |_, n: u64| if n == 77 { Err(n) } else { Ok(()) };
        assert_eq!(try_each(0..1000u64, 1, fail), Err(77));
        assert_eq!(try_each(100..1000u64, 1, fail), Ok(()));
        assert_eq!(try_map(0..3u64, 1, |_, n| Ok::<u64, ()>(n * n)), Ok(vec![0, 1, 4]));
    }
}

//! How rows and functions are packed: as what is likely to come next. [`unpacking`](super::unpacking)
//! is the reverse.

use super::{
    distance::Signed,
    unpacking::{Followers, NAMED, PackedFunctions, SAME, remember},
};
use crate::parallel::{self, chunks};

/// A result of a row as how much more it differs from that of the row it is told by, if there is
/// one, than the result before it does. Small numbers of either sign make small ones: 0, −1, 1, −2,
/// 2 become 0, 1, 2, 3, 4.
#[inline]
pub(super) fn pack_result(row: &[Signed], base: Option<&[Signed]>, at: usize) -> u16 {
    let differs = |at: usize| row[at].wrapping_sub(base.map_or(0, |base| base[at]));
    let more = differs(at).wrapping_sub(if at == 0 { 0 } else { differs(at - 1) });
    (more << 1 ^ more >> 15) as u16
}

/// The number of a row as its difference from that of another one, which is not 0: −1, 1, −2, 2
/// become 1, 2, 3, 4.
fn difference(row: u32, from: u32) -> u32 {
    let difference = row.wrapping_sub(from).cast_signed();
    (difference << 1 ^ difference >> 31).cast_unsigned()
}

/// Packs functions of `v` rows each, numbered in the order in which they occur; so many of them
/// `at_once` know nothing of the others, so that threads pack and unpack side by side.
pub(super) fn pack_functions(functions: &[u32], v: usize, at_once: usize) -> PackedFunctions {
    let pieces = || chunks(functions, at_once * v);
    let mut met = vec![0];
    met.extend(parallel::map(pieces(), 1, |_, piece| piece.iter().max().map_or(0, |m| m + 1)));
    // None of these rows comes before its turn, so the greatest number tells how many have been
    // met.
    (1..met.len()).for_each(|piece| met[piece] = met[piece].max(met[piece - 1]));
    let packed = parallel::map(pieces(), 1, |n, functions| pack_piece(functions, v, met[n]));
    let mut all = PackedFunctions::default();
    for PackedFunctions { shared, codes, named } in packed {
        all.shared.extend(shared);
        all.codes.extend(codes);
        all.named.extend(named);
    }
    all
}

/// The same for functions that are packed together; so many rows have been met before.
fn pack_piece(functions: &[u32], v: usize, met: u32) -> PackedFunctions {
    let mut packed = PackedFunctions::default();
    let mut columns = vec![Vec::new(); v];
    let mut followers = Followers::default();
    let mut next = met;
    let mut last: &[u32] = &[];
    for function in functions.chunks_exact(v) {
        let shared = function.iter().zip(last).take_while(|(row, last)| row == last).count();
        last = function;
        packed.shared.push(shared as u8);
        let mut before = shared.checked_sub(1).map(|at| function[at]);
        for (&row, codes) in function.iter().zip(&mut columns).skip(shared) {
            if before == Some(row) {
                codes.push(SAME);
                continue;
            }
            let known = followers.of(before);
            // A row that occurs for the first time has not followed anything.
            let is_new = row == next;
            let at = if is_new { None } else { known.iter().rposition(|&known| known == row) };
            if let Some(at) = at {
                codes.push((known.len() - at) as u8);
                known[at..].rotate_left(1);
            } else {
                codes.push(NAMED);
                let name = difference(row, before.unwrap_or(next));
                packed.named.push(if is_new { 0 } else { name });
                next = next.max(row + 1);
                remember(known, row);
            }
            before = Some(row);
        }
    }
    packed.codes = columns.concat();
    packed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::answer::high::unpacking::{Pieces, bases, differing, unpack_differences};

    proptest! {
        #[test]
        fn rows_come_back(
            (row, base) in (1..20usize).prop_flat_map(|length| {
                let row = || prop::collection::vec(any::<i16>(), length);
                (row(), prop::option::of(row()))
            }),
        ) {
            let packed = (0..row.len()).map(|at| pack_result(&row, base.as_deref(), at));
            let mut unpacked = vec![0; row.len()];
            unpack_differences(packed, &mut unpacked);
            for (result, base) in unpacked.iter_mut().zip(base.into_iter().flatten()) {
                *result = result.wrapping_add(base);
            }
            prop_assert_eq!(unpacked, row);
        }

        #[test]
        fn names_come_back(row: u32, from: u32) {
            prop_assert_eq!(differing(difference(row, from), from), row);
        }

        #[test]
        fn functions_come_back(
            wild in prop::collection::vec(0usize..2000, 0..2000),
            // Few rows follow one another again and again, many are forgotten meanwhile.
            (variety, at_once) in prop_oneof![Just((12, 4)), Just((2000, 1 << 10))],
        ) {
            let v = 3;
            let wild: Vec<usize> = wild.into_iter().map(|row| row % variety).collect();
            // Numbered as they occur.
            let mut met = Vec::new();
            let number = |row: &usize| {
                let at = met.iter().position(|m| m == row).unwrap_or_else(|| {
                    met.push(*row);
                    met.len() - 1
                });
                at as u32
            };
            let wild = wild.chunks_exact(v);
            let functions: Vec<u32> = wild.flatten().map(number).collect();
            let packed = pack_functions(&functions, v, at_once);
            prop_assert_eq!(packed.rows(), met.len());
            let pieces = Pieces::new(&packed, v, at_once).expect("they were packed");
            prop_assert_eq!(pieces.bases(), Ok(bases(&functions, v, 0)));
            prop_assert_eq!(pieces.unpack(), Ok(functions));
        }
    }
}

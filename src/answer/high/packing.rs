//! How rows and functions are packed: as what is likely to come next.

use super::distance::Signed;

/// A result of a row as its difference from the one before it. Small differences of either sign make
/// small numbers: 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4.
#[inline]
pub(super) fn pack_result(row: &[Signed], at: usize) -> u16 {
    let before = if at == 0 { 0 } else { row[at - 1] };
    let difference = row[at].wrapping_sub(before);
    (difference << 1 ^ difference >> 15) as u16
}

/// The reverse of [`pack_result`], given what comes before it in the row.
#[inline]
pub(super) fn unpack_result(packed: u16, row: &mut [Signed], at: usize) {
    let difference = (packed >> 1) as i16 ^ -((packed & 1) as i16);
    let before = if at == 0 { 0 } else { row[at - 1] };
    row[at] = difference.wrapping_add(before);
}

/// Functions as they are stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PackedFunctions {
    /// For each row of each function, how many other rows have followed the row before it more
    /// recently; if it has never followed that row, how many rows have.
    pub recent: Vec<u32>,
    /// For each row that follows one it has never followed: its number plus one, or 0 if it occurs
    /// for the first time, and so is the next.
    pub followers: Vec<u32>,
}

impl PackedFunctions {
    /// How many rows the functions have.
    pub fn rows(&self) -> usize {
        self.followers.iter().filter(|&&follower| follower == 0).count()
    }
}

/// The rows that have followed each row, the latest last; those that begin a function follow a
/// row of their own.
struct Followers(Vec<Vec<u32>>);

impl Followers {
    fn new(rows: usize) -> Followers {
        Followers(vec![Vec::new(); rows + 1])
    }

    fn of(&mut self, before: Option<u32>) -> &mut Vec<u32> {
        &mut self.0[before.map_or(0, |row| row as usize + 1)]
    }
}

/// Packs functions of `v` rows each, numbered in the order in which they occur.
pub(super) fn pack_functions(functions: &[u32], v: usize) -> PackedFunctions {
    let rows = functions.iter().max().map_or(0, |&most| most as usize + 1);
    let mut followers = Followers::new(rows);
    let mut packed = PackedFunctions::default();
    let mut next = 0;
    for function in functions.chunks_exact(v) {
        let mut before = None;
        for &row in function {
            let known = followers.of(before);
            // A row that occurs for the first time has not followed anything; lists can be long.
            let is_new = row == next;
            let at = if is_new { None } else { known.iter().rposition(|&known| known == row) };
            if let Some(at) = at {
                packed.recent.push((known.len() - 1 - at) as u32);
                known[at..].rotate_left(1);
            } else {
                packed.recent.push(known.len() as u32);
                packed.followers.push(if is_new { 0 } else { row + 1 });
                next = next.max(row + 1);
                known.push(row);
            }
            before = Some(row);
        }
    }
    packed
}

/// The reverse of [`pack_functions`] for functions of so many rows; an error says what is wrong.
pub(super) fn unpack_functions(
    packed: &PackedFunctions,
    v: usize,
    rows: usize,
) -> Result<Vec<u32>, &'static str> {
    let mut followers = Followers::new(rows);
    let mut explicit = packed.followers.iter();
    let mut functions = Vec::with_capacity(packed.recent.len());
    let mut next = 0;
    for function in packed.recent.chunks(v) {
        let mut before = None;
        for &at in function {
            let known = followers.of(before);
            let at = at as usize;
            let row = if at < known.len() {
                let from = known.len() - 1 - at;
                known[from..].rotate_left(1);
                known[known.len() - 1]
            } else {
                let row = match explicit.next() {
                    Some(0) => next,
                    Some(&number) if number <= next => number - 1,
                    Some(_) => return Err("a row is named before it occurs"),
                    None => return Err("it has too few followers"),
                };
                if at > known.len() || row as usize >= rows {
                    return Err("there is no such row");
                }
                next = next.max(row + 1);
                known.push(row);
                row
            };
            functions.push(row);
            before = Some(row);
        }
    }
    if explicit.next().is_some() { Err("it has too many followers") } else { Ok(functions) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_come_back(
            row in prop::collection::vec(any::<i16>(), 1..20),
        ) {
            let mut unpacked = vec![0; row.len()];
            for at in 0..row.len() {
                unpack_result(pack_result(&row, at), &mut unpacked, at);
            }
            prop_assert_eq!(unpacked, row);
        }

        #[test]
        fn functions_come_back(wild in prop::collection::vec(0usize..12, 0..60)) {
            let v = 3;
            // Numbered as they occur.
            let mut met = Vec::new();
            let number = |row: &usize| {
                let at = met.iter().position(|m| m == row).unwrap_or_else(|| {
                    met.push(*row);
                    met.len() - 1
                });
                at as u32
            };
            let functions: Vec<u32> = wild[..wild.len() / v * v].iter().map(number).collect();
            let packed = pack_functions(&functions, v);
            prop_assert_eq!(unpack_functions(&packed, v, 12), Ok(functions));
        }

        #[test]
        fn forged_functions_do_no_harm(
            recent in prop::collection::vec(0u32..6, 0..60),
            followers in prop::collection::vec(0u32..10, 0..60),
        ) {
            let packed = PackedFunctions { recent, followers };
            if let Ok(functions) = unpack_functions(&packed, 3, 8) {
                prop_assert!(functions.iter().all(|&row| row < 8));
            }
        }
    }
}

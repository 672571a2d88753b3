//! Quiet moves of sets of positions, forwards and backwards.

use std::cell::{Cell, RefCell};

use super::{
    lane_counts::LaneCounts,
    words::{Mover, Place, Slice, Stand},
};
use crate::{
    board::{Bitboard, Color, Movement, Square, Symmetry},
    rules::Move,
    solve::engine::lanes::Lanes,
};

impl Slice {
    /// The lanes among `wanted` in which `side` has a quiet move to a position in `set`, which
    /// gives the lanes of a word for the other side to move.
    #[inline(always)]
    pub fn reach(
        &self,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: impl Fn(usize) -> u64,
    ) -> u64 {
        let missing = Cell::new(wanted);
        let leave = |lanes: u64| missing.set(missing.get() & !lanes);
        let run = |movement, targets: u64| leave(targets.reached(movement, stand.occupied));
        self.each_way(stand, side, set, run, |_, _, lanes| {
            leave(lanes);
            missing.get() != 0
        });
        wanted & !missing.get()
    }

    /// Calls `meet` with every quiet move of `side` in the `wanted` lanes to a position in `set`,
    /// which gives the lanes of a word for the other side to move: the lane, the move, and the word
    /// and lane that it leads to.
    #[inline(always)]
    pub fn moves_into(
        &self,
        stand: &Stand,
        side: Color,
        wanted: Bitboard,
        set: impl Fn(usize) -> u64,
        mut meet: impl FnMut(Square, Move, (usize, Square)),
    ) {
        let meet = RefCell::new(|lane, (from, to), place| {
            meet(lane, Move { from, to, promotion: None }, place);
        });
        let run = |movement: Movement, targets| {
            for from in wanted {
                let reached = movement.steps(from, stand.occupied);
                let mut meet = meet.borrow_mut();
                (reached & Bitboard(targets))
                    .for_each(|to| meet(from, (from, to), (stand.word, to)));
            }
        };
        self.each_way(stand, side, set, run, |step, (word, symmetry), lanes| {
            let mut meet = meet.borrow_mut();
            let lanes = wanted & Bitboard(lanes);
            lanes.for_each(|lane| meet(lane, step, (word, symmetry.image(lane))));
            true
        });
    }

    /// Counts the quiet moves of `side` in the `wanted` lanes to the positions in each of some sets
    /// without common ones, which give the lanes of a word for the other side to move.
    pub fn count_moves<const N: usize>(
        &self,
        stand: &Stand,
        side: Color,
        wanted: Bitboard,
        sets: impl Fn(usize) -> [u64; N],
        counts: &mut [LaneCounts; N],
    ) {
        let counts = RefCell::new(counts);
        let all = |word: usize| sets(word).into_iter().fold(0, |all, set| all | set);
        let run = |movement: Movement, _| {
            let (sets, mut counts) = (sets(stand.word), counts.borrow_mut());
            for from in wanted {
                let reached = movement.steps(from, stand.occupied);
                for (set, counts) in sets.into_iter().zip(counts.iter_mut()) {
                    counts.add_in(from, (reached & Bitboard(set)).len());
                }
            }
        };
        self.each_way(stand, side, all, run, |_, (word, symmetry), lanes| {
            let lanes = wanted & Bitboard(lanes);
            for (set, counts) in sets(word).into_iter().zip(counts.borrow_mut().iter_mut()) {
                if set != 0 {
                    counts.add(lanes & Bitboard(turned(set, symmetry)));
                }
            }
            true
        });
    }

    /// The ways of `side` into `set`: calls `run` with how the runner moves and the lanes that
    /// are there, and `step` with where another piece can go from and to, the word that leads to
    /// and how squares are turned there, and the lanes in which it leads into the set, until that
    /// says `false`.
    #[inline(always)]
    fn each_way(
        &self,
        stand: &Stand,
        side: Color,
        set: impl Fn(usize) -> u64,
        run: impl Fn(Movement, u64),
        step: impl Fn((Square, Square), (usize, Symmetry), u64) -> bool,
    ) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            let targets = || movement.perhaps_steps(from, stand.occupied);
            let go = |to, after, found: u64| {
                step((from, to), after, found & movement.steps_past(from, to, stand.occupied).0)
            };
            let go_on = match place {
                Place::Runner => {
                    run(movement, set(stand.word));
                    true
                }
                Place::Other(digit) => {
                    let ways = digit.ways(stand.word, &stand.squares, man);
                    targets().into_iter().all(|to| {
                        let word = ways.word(to);
                        go(to, (word, Symmetry::IDENTITY), set(word))
                    })
                }
                Place::Lead(n) => targets().into_iter().all(|to| {
                    let after = self.word_after(stand, n, to);
                    after.is_none_or(|(word, symmetry)| {
                        go(to, (word, symmetry), turned(set(word), symmetry))
                    })
                }),
            };
            if !go_on {
                return;
            }
        }
    }

    /// Calls `tell` with every word, and lanes in it, from which a quiet move of `side` leads to
    /// one of the `lanes` of this word, which has the other side to move.
    ///
    /// Lanes that are no legal positions may be among them.
    #[inline(always)]
    pub fn unmove(&self, stand: &Stand, side: Color, lanes: u64, mut tell: impl FnMut(usize, u64)) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let to = stand.squares[man];
            let sources = || movement.perhaps_steps_from(to, stand.occupied);
            let past = |from| lanes & movement.steps_past(from, to, stand.occupied).0;
            match place {
                Place::Runner => tell(stand.word, lanes.reached(movement, stand.occupied)),
                Place::Other(digit) => {
                    let ways = digit.ways(stand.word, &stand.squares, man);
                    for from in sources() {
                        tell(ways.word(from), past(from));
                    }
                }
                Place::Lead(n) => {
                    for from in sources() {
                        let before = self.lead.class_after(stand.class, n, from);
                        let Some((class, turn)) = before else { continue };
                        let lanes = past(from);
                        // Where the leaders stand symmetrically, each image is a word of its own.
                        for &keep in self.lead.stabiliser(class) {
                            let symmetry = turn.then(keep);
                            let word = self.word_turned(class, stand, symmetry);
                            tell(word, turned(lanes, symmetry.inverse()));
                        }
                    }
                }
            }
        }
    }
}

/// A set seen through a symmetry, as by [`Lanes::turned`].
#[inline]
fn turned(set: u64, symmetry: Symmetry) -> u64 {
    if symmetry.is_identity() { set } else { set.turned(symmetry) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        board::{BoardSize, Group, Man},
        index::MAX_MEN,
    };
    use proptest::prelude::{Just, Strategy};

    /// The men of a position, where like men are not told apart.
    type Placed = BTreeSet<(Man, Square)>;

    fn placed(slice: &Slice, squares: &[Square], symmetry: Symmetry) -> Placed {
        slice.men().iter().zip(squares).map(|(&man, &s)| (man, symmetry.image(s))).collect()
    }

    /// The squares of all men in a lane.
    fn squares_in(slice: &Slice, stand: &Stand, lane: Square) -> [Square; MAX_MEN] {
        let mut squares = stand.squares;
        squares[slice.runner().expect("there is one")] = lane;
        squares
    }

    /// The squares of all men after each quiet move of a side, whoever stands in check.
    fn after_quiet(
        slice: &Slice,
        side: Color,
        squares: &[Square; MAX_MEN],
    ) -> Vec<[Square; MAX_MEN]> {
        let men = slice.men();
        let taken: Bitboard = squares[..men.len()].iter().copied().collect();
        let occupied = taken | !slice.laws().size.squares();
        let movers = (0..men.len()).filter(|&i| men[i].color == side);
        let moves = movers.flat_map(|i| {
            slice.movement(i).steps(squares[i], occupied).map(move |to| {
                let mut after = *squares;
                after[i] = to;
                after
            })
        });
        moves.filter(|after| slice.locate(after).is_some()).collect()
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

        #[test]
        fn words_lead_where_men_go(
            material in proptest::sample::select(vec!["KRvKB", "KBBvKN", "KRNvKNN", "KQQQvKR"]),
            (size, squares) in proptest::sample::select(vec![(8, 8), (4, 4), (5, 6), (7, 3)])
                .prop_flat_map(|(files, ranks)| {
                    let size = BoardSize::new(files, ranks).unwrap();
                    let squares: Vec<Square> = size.squares().collect();
                    (Just(size), proptest::sample::subsequence(squares, 6))
                }),
            order in proptest::prelude::any::<proptest::sample::Index>(),
        ) {
            let slice = Slice::of_pieces_on(material, size);
            let group = Group::FULL.on(size);
            let men = slice.men().len();
            let mut at = [Square::new(0); MAX_MEN];
            at.iter_mut().zip(&squares).for_each(|(at, &square)| *at = square);
            at[..6].rotate_left(order.index(6));
            let Some((word, lane)) = slice.locate(&at[..men]) else { return Ok(()) };
            let stand = slice.stand(word).unwrap();
            let here = squares_in(&slice, &stand, lane);
            let images = |squares: &[Square; MAX_MEN]| -> Vec<[Square; MAX_MEN]> {
                group.symmetries().map(|turn| squares.map(|s| turn.image(s))).collect()
            };
            let is_image = |a: &[Square; MAX_MEN], b: &[Square; MAX_MEN]| {
                group.symmetries().any(|turn| {
                    placed(&slice, &a[..men], turn) == placed(&slice, &b[..men], Symmetry::IDENTITY)
                })
            };
            proptest::prop_assert!(is_image(&at, &here));
            for side in Color::ALL {
                let all = after_quiet(&slice, side, &here);
                let mut reached = Vec::new();
                for after in &all {
                    // Where the leaders stand symmetrically, images have words of their own.
                    let located = images(after).into_iter().map(|s| slice.locate(&s[..men]).unwrap());
                    let located: Vec<(usize, Square)> = located.collect();
                    let set = |word: usize| {
                        let here = located.iter().filter(|&&(other, _)| other == word);
                        here.fold(0, |lanes, &(_, lane)| lanes | lane.bit().0)
                    };
                    let found = slice.reach(&stand, side, lane.bit().0, set);
                    proptest::prop_assert_eq!(found, lane.bit().0);
                    reached.extend(located);
                }
                let elsewhere = |word: usize| {
                    let all = slice.stand(word).map_or(Bitboard::EMPTY, |s| slice.placed(&s));
                    let here = reached.iter().filter(|&&(other, _)| other == word);
                    here.fold(all.0, |lanes, &(_, lane)| lanes & !lane.bit().0)
                };
                proptest::prop_assert_eq!(slice.reach(&stand, side, lane.bit().0, elsewhere), 0);
                for after in &all {
                    let (word_after, lane_after) = slice.locate(&after[..men]).unwrap();
                    let stand_after = slice.stand(word_after).unwrap();
                    let mut back = false;
                    slice.unmove(&stand_after, side, lane_after.bit().0, |told, lanes| {
                        back |= told == word && lanes & lane.bit().0 != 0;
                        let Some(before) = slice.stand(told) else { return };
                        for lane in Bitboard(lanes) & slice.placed(&before) {
                            let before = squares_in(&slice, &before, lane);
                            let again = after_quiet(&slice, side, &before);
                            assert!(again.iter().any(|again| is_image(again, after)));
                        }
                    });
                    proptest::prop_assert!(back);
                }
            }
        }
    }
}

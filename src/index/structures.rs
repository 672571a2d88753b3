//! The ways the pawns can stand.

use std::ops::Range;

use super::subset;
use crate::board::{Bitboard, BoardSize, ByColor, Color, Group, Symmetry};

/// Marks pawns that would share a square.
const IMPOSSIBLE: u32 = u32::MAX;

/// All pawn structures of a material, numbered, mirror images counted once if the game allows it.
///
/// Structures with fewer ranks to go come first, so that pawn moves lead to smaller numbers.
#[derive(Clone, Debug)]
pub struct Structures {
    counts: [usize; 2],
    ranks: PawnRanks,
    /// How many sets of squares Black's pawns can have.
    blacks: u64,
    /// Per combination of both sides' sets: the structure's number times two, plus one if the
    /// combination is the mirror image of the structure.
    numbers: Vec<u32>,
    structures: Vec<ByColor<Bitboard>>,
}

impl Structures {
    /// The structures of `white` and `black` pawns under [`Group::MIRROR`] or
    /// [`Group::TRIVIAL`].
    pub fn new(white: usize, black: usize, group: Group) -> Structures {
        let (size, ranks) = (group.size(), PawnRanks::of(group));
        let squares = ranks.squares();
        let (whites, blacks) = (subset::count(squares, white), subset::count(squares, black));
        let mirror = Symmetry::MIRROR.on(size);
        let mut all = Structures {
            counts: [white, black],
            ranks,
            blacks,
            numbers: vec![IMPOSSIBLE; (whites * blacks) as usize],
            structures: Vec::new(),
        };
        for (white, black) in most_advanced_first(ranks, [white, black]) {
            let combination = (white * blacks + black) as usize;
            let pawns = ByColor {
                white: subset::set(white, all.counts[0], ranks.origin(Color::White)),
                black: subset::set(black, all.counts[1], ranks.origin(Color::Black)),
            };
            if pawns.white.intersects(pawns.black) || all.numbers[combination] != IMPOSSIBLE {
                continue;
            }
            let number = all.structures.len() as u32 * 2;
            all.structures.push(pawns);
            if !group.is_trivial() {
                let mirrored = pawns.map(|set| mirror.image_of_set(set));
                let image = all.combination(mirrored);
                all.numbers[image] = number + 1;
            }
            all.numbers[combination] = number;
        }
        all
    }

    /// How many structures [`new`](Structures::new) finds, without going through them.
    pub fn count_of(white: usize, black: usize, group: Group) -> u64 {
        Structures::count_by_ranks(white, black, group).into_iter().sum()
    }

    /// How many structures [`new`](Structures::new) finds with each number of ranks to go, from
    /// none on, without going through them.
    pub fn count_by_ranks(white: usize, black: usize, group: Group) -> Vec<u64> {
        let files = usize::from(group.size().files());
        let ranks = PawnRanks::of(group);
        let mut counts = placements_by_ranks(ranks, &vec![1; files], [white, black]);
        if group.is_trivial() {
            return counts;
        }
        // Those that are their own images: a pawn is beside another one, but for the middle file.
        let mut places = vec![2; files / 2];
        places.resize(files.div_ceil(2), 1);
        let own_images = placements_by_ranks(ranks, &places, [white, black]);
        counts.iter_mut().zip(own_images).for_each(|(count, own)| *count = (*count + own) / 2);
        counts
    }

    /// How many structures there are.
    pub fn len(&self) -> usize {
        self.structures.len()
    }

    /// Whether there is no structure; never true.
    pub fn is_empty(&self) -> bool {
        self.structures.is_empty()
    }

    /// How many pawns a side has.
    pub fn count(&self, color: Color) -> usize {
        self.counts[color.index()]
    }

    /// White's and Black's pawns in a structure.
    #[inline]
    pub fn pawns(&self, structure: usize) -> ByColor<Bitboard> {
        self.structures[structure]
    }

    /// How many ranks the pawns of a structure have to go in all, until each is on the last.
    pub fn ranks_to_go(&self, structure: usize) -> usize {
        let pawns = self.pawns(structure);
        Color::ALL.into_iter().map(|color| self.ranks.to_go(color, pawns[color])).sum()
    }

    /// The structure of these pawns, and the symmetry that turns them into it.
    ///
    /// The sets must have the right sizes, share no square, and be of squares where pawns can
    /// stand.
    #[inline]
    pub fn number(&self, pawns: ByColor<Bitboard>) -> (usize, Symmetry) {
        let number = self.numbers[self.combination(pawns)];
        let symmetry = if number & 1 == 0 { Symmetry::IDENTITY } else { Symmetry::MIRROR };
        ((number >> 1) as usize, symmetry.on(self.ranks.size))
    }

    #[inline]
    fn combination(&self, pawns: ByColor<Bitboard>) -> usize {
        let number = |color| subset::number(pawns[color], self.ranks.origin(color));
        (number(Color::White) * self.blacks + number(Color::Black)) as usize
    }
}

/// The ranks on which pawns can stand: all between the first and the last, and maybe those.
#[derive(Copy, Clone, Debug)]
struct PawnRanks {
    size: BoardSize,
    /// How many they are for each side.
    count: usize,
    /// How many ranks a pawn has to go at least until it is on the last.
    least: usize,
}

impl PawnRanks {
    fn of(group: Group) -> PawnRanks {
        let size = group.size();
        let [first, last] = group.pawns_on_ends().map(|may_stand| usize::from(!may_stand));
        let count = usize::from(size.ranks()).saturating_sub(first + last);
        PawnRanks { size, count, least: last }
    }

    /// How many ranks a pawn may have to go until it is on the last.
    fn all_to_go(self) -> Range<usize> {
        self.least..self.least + self.count
    }

    /// On how many squares a pawn can stand.
    fn squares(self) -> usize {
        self.count * usize::from(self.size.files())
    }

    /// The board, and the ordinal of the first square on which a pawn of a side can stand.
    #[inline]
    fn origin(self, color: Color) -> (BoardSize, usize) {
        let first = match color {
            Color::White => usize::from(self.size.ranks()).saturating_sub(self.all_to_go().end),
            // Its last rank is the first of the board.
            Color::Black => self.least,
        };
        (self.size, first * usize::from(self.size.files()))
    }

    /// How many ranks these pawns have to go until all are on the last.
    fn to_go(self, color: Color, pawns: Bitboard) -> usize {
        let last = self.size.rank(color, self.size.ranks() - 1);
        pawns.map(|square| usize::from(square.rank().abs_diff(last))).sum()
    }
}

/// In how many ways so many pawns of White and Black can stand that have each number of ranks to
/// go, if each rank has places for so many like pawns together.
fn placements_by_ranks(ranks: PawnRanks, places: &[usize], [white, black]: [usize; 2]) -> Vec<u64> {
    let most = ranks.all_to_go().end.saturating_sub(1) * (white + black);
    // By White's pawns so far, Black's, and the ranks that they have to go.
    let mut ways = vec![vec![vec![0; most + 1]; black + 1]; white + 1];
    ways[0][0][0] = 1;
    let last = usize::from(ranks.size.ranks()) - 1;
    for rank in 0..=last {
        // How far White's pawns there have to go, and Black's, if they can be there.
        let to_last =
            [last - rank, rank].map(|to_go| ranks.all_to_go().contains(&to_go).then_some(to_go));
        for &pawns in places {
            // Who takes this place came from where fewer stand, which are looked at later.
            for whites in (0..=white).rev() {
                for blacks in (0..=black).rev() {
                    for to_go in (0..=most).rev() {
                        let before = |whites: usize, blacks: usize, ranks: Option<usize>| {
                            Some(ways[whites][blacks][to_go.checked_sub(pawns * ranks?)?])
                        };
                        let [white_ranks, black_ranks] = to_last;
                        let by_white =
                            whites.checked_sub(pawns).and_then(|w| before(w, blacks, white_ranks));
                        let by_black =
                            blacks.checked_sub(pawns).and_then(|b| before(whites, b, black_ranks));
                        ways[whites][blacks][to_go] +=
                            by_white.unwrap_or(0) + by_black.unwrap_or(0);
                    }
                }
            }
        }
    }
    ways.swap_remove(white).swap_remove(black)
}

/// The numbers of White's and Black's sets of so many pawns: in the order of the ranks that all of
/// them have to go, then that White's have, then of White's and of Black's number.
fn most_advanced_first(ranks: PawnRanks, counts: [usize; 2]) -> impl Iterator<Item = (u64, u64)> {
    let sorted = Color::ALL.map(|color| {
        let men = counts[color.index()];
        let mut by_ranks = vec![Vec::new(); men * ranks.count + 1];
        for number in 0..subset::count(ranks.squares(), men) {
            let pawns = subset::set(number, men, ranks.origin(color));
            by_ranks[ranks.to_go(color, pawns)].push(number);
        }
        by_ranks
    });
    let [white, black] = sorted;
    let most = white.len() + black.len() - 2;
    (0..=most).flat_map(move |ranks| {
        let mut pairs = Vec::new();
        for (whites, left) in white.iter().zip((0..=ranks).rev()) {
            let blacks = black.get(left).map(Vec::as_slice).unwrap_or_default();
            pairs.extend(whites.iter().flat_map(|&w| blacks.iter().map(move |&b| (w, b))));
        }
        pairs
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_come_most_advanced_first() {
        let small = |files, ranks| Group::MIRROR.on(BoardSize::new(files, ranks).unwrap());
        for (white, black, group) in [
            (1, 1, Group::MIRROR),
            (2, 1, Group::TRIVIAL),
            (0, 3, Group::MIRROR),
            (2, 2, Group::MIRROR),
            (2, 2, small(5, 5)),
            (1, 2, small(5, 6)),
            (2, 1, small(4, 4)),
            (3, 1, small(7, 3)),
            (2, 1, small(4, 4).with_pawns_on_ends([true, false])),
            (1, 2, Group::TRIVIAL.with_pawns_on_ends([true, false])),
            (2, 2, small(3, 2).with_pawns_on_ends([true, false])),
            (1, 1, Group::MIRROR.with_pawns_on_ends([false, true])),
            (2, 1, small(5, 4).with_pawns_on_ends([true, true])),
            (1, 2, small(4, 5).with_pawns_on_ends([false, true])),
        ] {
            let structures = Structures::new(white, black, group);
            let ranks = (0..structures.len()).map(|n| structures.ranks_to_go(n));
            assert!(ranks.is_sorted());
            assert_eq!(structures.len() as u64, Structures::count_of(white, black, group));
            let most = PawnRanks::of(group).all_to_go().end - 1;
            let mut by_ranks = vec![0; most * (white + black) + 1];
            (0..structures.len()).for_each(|n| by_ranks[structures.ranks_to_go(n)] += 1);
            assert_eq!(by_ranks, Structures::count_by_ranks(white, black, group));
        }
    }

    #[test]
    fn mirrored_structures_share_a_number() {
        let small = Group::MIRROR.on(BoardSize::new(5, 6).unwrap());
        for (white, black, group) in [
            (1, 0, Group::MIRROR),
            (1, 1, Group::MIRROR),
            (2, 1, Group::TRIVIAL),
            (2, 1, small),
            (1, 2, small.with_pawns_on_ends([true, false])),
            (2, 1, small.with_pawns_on_ends([false, true])),
        ] {
            let structures = Structures::new(white, black, group);
            for structure in 0..structures.len() {
                let pawns = structures.pawns(structure);
                assert_eq!(structures.number(pawns).0, structure);
                assert!(structures.number(pawns).1.is_identity());
                for symmetry in group.symmetries() {
                    let mirrored = pawns.map(|set| symmetry.image_of_set(set));
                    assert_eq!(structures.number(mirrored).0, structure);
                }
            }
        }
        assert_eq!(Structures::new(1, 0, Group::MIRROR).len(), 24);
        assert_eq!(Structures::new(1, 1, Group::TRIVIAL).len(), 48 * 47);
        // Six ranks are of both sides.
        let at_home = Structures::new(1, 1, Group::TRIVIAL.with_pawns_on_ends([true, false]));
        assert_eq!(at_home.len(), 56 * 56 - 48);
        let everywhere = Structures::new(1, 1, Group::TRIVIAL.with_pawns_on_ends([true, true]));
        assert_eq!(everywhere.len(), 64 * 63);
    }
}

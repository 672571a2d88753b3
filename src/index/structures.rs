//! The ways the pawns can stand.

use super::subset;
use crate::board::{Bitboard, ByColor, Color, Group, Symmetry};

/// The number of the first square a pawn can stand on, a2.
const FIRST: usize = 8;
/// How many squares pawns can stand on.
const SQUARES: usize = 48;
/// Marks pawns that would share a square.
const IMPOSSIBLE: u32 = u32::MAX;

/// All pawn structures of a material, numbered, mirror images counted once if the game allows it.
///
/// Structures with fewer ranks to go come first, so that pawn moves lead to smaller numbers.
#[derive(Clone, Debug)]
pub struct Structures {
    counts: [usize; 2],
    /// Per combination of both sides' sets: the structure's number times two, plus one if the
    /// combination is the mirror image of the structure.
    numbers: Vec<u32>,
    structures: Vec<ByColor<Bitboard>>,
}

impl Structures {
    /// The structures of `white` and `black` pawns under [`Group::Mirror`] or
    /// [`Group::Trivial`].
    pub fn new(white: usize, black: usize, group: Group) -> Structures {
        let folded = group != Group::Trivial;
        let (whites, blacks) = (subset::count(SQUARES, white), subset::count(SQUARES, black));
        let mut all = Structures {
            counts: [white, black],
            numbers: vec![IMPOSSIBLE; (whites * blacks) as usize],
            structures: Vec::new(),
        };
        for (white, black) in most_advanced_first([white, black]) {
            let combination = (white * blacks + black) as usize;
            let pawns = ByColor {
                white: subset::set(white, all.counts[0], FIRST),
                black: subset::set(black, all.counts[1], FIRST),
            };
            if pawns.white.intersects(pawns.black) || all.numbers[combination] != IMPOSSIBLE {
                continue;
            }
            let number = all.structures.len() as u32 * 2;
            all.structures.push(pawns);
            if folded {
                let mirrored = pawns.map(|set| Symmetry::MIRROR.image_of_set(set));
                let image = all.combination(mirrored);
                all.numbers[image] = number + 1;
            }
            all.numbers[combination] = number;
        }
        all
    }

    /// How many structures [`new`](Structures::new) finds, without going through them.
    pub fn count_of(white: usize, black: usize, group: Group) -> u64 {
        let pairs = |squares, white: usize, black| {
            subset::count(squares, white) * subset::count(squares - white, black)
        };
        let all = pairs(SQUARES, white, black);
        if group == Group::Trivial {
            return all;
        }
        // No square is its own mirror image, so a structure that is has its pawns in pairs.
        let own_images = match white % 2 + black % 2 {
            0 => pairs(SQUARES / 2, white / 2, black / 2),
            _ => 0,
        };
        (all + own_images) / 2
    }

    /// How many structures [`new`](Structures::new) finds with each number of ranks to go, from
    /// none on, without going through them.
    pub fn count_by_ranks(white: usize, black: usize, group: Group) -> Vec<u64> {
        let mut counts = placements_by_ranks(8, [white, black]);
        if group == Group::Trivial {
            return counts;
        }
        if white % 2 + black % 2 == 0 {
            // Pairs of squares that are each other's mirror image, on which two pawns stand.
            let own_images = placements_by_ranks(4, [white / 2, black / 2]);
            for (ranks, own_images) in own_images.into_iter().enumerate() {
                counts[2 * ranks] += own_images;
            }
        }
        counts.into_iter().map(|count| count / 2).collect()
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
        Color::ALL.into_iter().map(|color| ranks_to_go(color, pawns[color])).sum()
    }

    /// The structure of these pawns, and the symmetry that turns them into it.
    ///
    /// The sets must have the right sizes, share no square, and keep off the back ranks.
    #[inline]
    pub fn number(&self, pawns: ByColor<Bitboard>) -> (usize, Symmetry) {
        let number = self.numbers[self.combination(pawns)];
        let symmetry = if number & 1 == 0 { Symmetry::IDENTITY } else { Symmetry::MIRROR };
        ((number >> 1) as usize, symmetry)
    }

    #[inline]
    fn combination(&self, pawns: ByColor<Bitboard>) -> usize {
        let blacks = subset::count(SQUARES, self.counts[1]);
        (subset::number(pawns.white, FIRST) * blacks + subset::number(pawns.black, FIRST)) as usize
    }
}

/// In how many ways so many pawns of White and Black can stand that have each number of ranks to
/// go, if a rank has so many places.
fn placements_by_ranks(places: usize, [white, black]: [usize; 2]) -> Vec<u64> {
    let most = 6 * (white + black);
    // By White's pawns so far, Black's, and the ranks that they have to go.
    let nowhere = vec![vec![vec![0; most + 1]; black + 1]; white + 1];
    let mut ways = nowhere.clone();
    ways[0][0][0] = 1;
    for rank in 1..=6 {
        let before = std::mem::replace(&mut ways, nowhere.clone());
        for (whites, by_black) in before.iter().enumerate() {
            for (blacks, by_ranks) in by_black.iter().enumerate() {
                for more_white in 0..=places.min(white - whites) {
                    for more_black in 0..=(places - more_white).min(black - blacks) {
                        let here = subset::count(places, more_white)
                            * subset::count(places - more_white, more_black);
                        let to_go = more_white * (7 - rank) + more_black * rank;
                        let after = &mut ways[whites + more_white][blacks + more_black];
                        for (ranks, &count) in by_ranks.iter().enumerate().filter(|way| *way.1 > 0)
                        {
                            after[ranks + to_go] += count * here;
                        }
                    }
                }
            }
        }
    }
    ways.swap_remove(white).swap_remove(black)
}

/// How many ranks these pawns have to go until all are on the last.
fn ranks_to_go(color: Color, pawns: Bitboard) -> usize {
    pawns.map(|square| usize::from(square.rank().abs_diff(color.rank(7)))).sum()
}

/// The numbers of White's and Black's sets of so many pawns: in the order of the ranks that all of
/// them have to go, then that White's have, then of White's and of Black's number.
fn most_advanced_first(counts: [usize; 2]) -> impl Iterator<Item = (u64, u64)> {
    let sorted = Color::ALL.map(|color| {
        let men = counts[color.index()];
        let mut by_ranks = vec![Vec::new(); men * 6 + 1];
        for number in 0..subset::count(SQUARES, men) {
            by_ranks[ranks_to_go(color, subset::set(number, men, FIRST))].push(number);
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
        for (white, black, group) in [
            (1, 1, Group::Mirror),
            (2, 1, Group::Trivial),
            (0, 3, Group::Mirror),
            (2, 2, Group::Mirror),
        ] {
            let structures = Structures::new(white, black, group);
            let ranks = (0..structures.len()).map(|n| structures.ranks_to_go(n));
            assert!(ranks.is_sorted());
            assert_eq!(structures.len() as u64, Structures::count_of(white, black, group));
            let mut by_ranks = vec![0; 6 * (white + black) + 1];
            (0..structures.len()).for_each(|n| by_ranks[structures.ranks_to_go(n)] += 1);
            assert_eq!(by_ranks, Structures::count_by_ranks(white, black, group));
        }
    }

    #[test]
    fn mirrored_structures_share_a_number() {
        for (white, black, group) in
            [(1, 0, Group::Mirror), (1, 1, Group::Mirror), (2, 1, Group::Trivial)]
        {
            let structures = Structures::new(white, black, group);
            for structure in 0..structures.len() {
                let pawns = structures.pawns(structure);
                assert_eq!(structures.number(pawns), (structure, Symmetry::IDENTITY));
                if group == Group::Mirror {
                    let mirrored = pawns.map(|set| Symmetry::MIRROR.image_of_set(set));
                    assert_eq!(structures.number(mirrored).0, structure);
                }
            }
        }
        assert_eq!(Structures::new(1, 0, Group::Mirror).len(), 24);
        assert_eq!(Structures::new(1, 1, Group::Trivial).len(), 48 * 47);
    }
}

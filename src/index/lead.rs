//! The leading men, whose squares choose the symmetry a position is turned by.

use std::{collections::BTreeMap, sync::RwLock};

use crate::{
    board::{Group, Square, Symmetry},
    lock,
};

/// Which men lead.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum LeadKind {
    /// Nobody: there is nothing to fold, or no man fit to lead.
    Nobody,
    /// One man.
    One,
    /// Two men that are told apart.
    Two,
    /// Two Kings (or disks) of different colours, which never stand side by side.
    Kings,
    /// Two like men.
    Like,
}

impl LeadKind {
    /// How many men lead, 0 to 2.
    pub const fn men(self) -> usize {
        match self {
            LeadKind::Nobody => 0,
            LeadKind::One => 1,
            LeadKind::Two | LeadKind::Kings | LeadKind::Like => 2,
        }
    }
}

/// The squares of the leading men; a lone or missing leader leaves the rest at a1.
pub type Pair = [Square; 2];

/// The classes of placements of the leading men under a group of symmetries.
///
/// The numbers go up with the representative, the first image of a class in the order of squares.
#[derive(Clone, Debug)]
pub struct Lead {
    kind: LeadKind,
    /// For first + 64 × second: the class, and the symmetry that turns the pair into its
    /// representative.
    classes: Vec<Option<(u16, Symmetry)>>,
    representatives: Vec<Pair>,
    /// Per class, the symmetries that keep its representative.
    stabilisers: Vec<Vec<Symmetry>>,
}

impl Lead {
    /// Sorts all placements of such leaders into classes.
    pub fn new(kind: LeadKind, group: Group) -> Lead {
        let mut lead = Lead {
            kind,
            classes: vec![None; 64 * 64],
            representatives: Vec::new(),
            stabilisers: Vec::new(),
        };
        let origin = Square::new(0);
        // Those who are not there stand on a1.
        let places = |is_there| if is_there { group.size().squares() } else { origin.bit() };
        for first in places(kind.men() > 0) {
            for second in places(kind.men() > 1) {
                let pair = [first, second];
                if lead.classes[slot(pair)].is_some() || !kind.allows(pair) {
                    continue;
                }
                let class = lead.representatives.len() as u16;
                lead.representatives.push(pair);
                let mut keeping = Vec::new();
                for symmetry in group.symmetries() {
                    let image = match kind.men() {
                        0 => [origin, origin],
                        1 => [symmetry.image(first), origin],
                        _ => [symmetry.image(first), symmetry.image(second)],
                    };
                    if image == pair {
                        keeping.push(symmetry);
                    }
                    let back = (class, symmetry.inverse());
                    lead.classes[slot(image)].get_or_insert(back);
                    if kind == LeadKind::Like {
                        lead.classes[slot([image[1], image[0]])].get_or_insert(back);
                    }
                }
                lead.stabilisers.push(keeping);
            }
        }
        lead
    }

    /// How many classes [`new`](Lead::new) finds. They are counted once in a process.
    pub fn count(kind: LeadKind, group: Group) -> u64 {
        static COUNTS: RwLock<BTreeMap<(u8, Group), u64>> = RwLock::new(BTreeMap::new());
        let key = (kind as u8, group);
        let known = lock::read(&COUNTS).get(&key).copied();
        known.unwrap_or_else(|| {
            let count = Lead::new(kind, group).len() as u64;
            lock::write(&COUNTS).insert(key, count);
            count
        })
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there is no class; never true.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// Which men lead.
    pub fn kind(&self) -> LeadKind {
        self.kind
    }

    /// The class of a pair and a symmetry that turns it into the representative; `None` if the
    /// leaders cannot stand so.
    #[inline]
    pub fn class(&self, pair: Pair) -> Option<(usize, Symmetry)> {
        self.classes[slot(pair)].map(|(class, symmetry)| (class as usize, symmetry))
    }

    /// The same for the pair that stands for a class when one of the two, 0 or 1, has gone to
    /// another square.
    #[inline]
    pub fn class_after(&self, class: usize, who: usize, to: Square) -> Option<(usize, Symmetry)> {
        let [first, second] = self.representatives[class];
        // A pair in memory, one half of which has just been written, is slow to read as a whole.
        let pair = if who == 0 { [to, second] } else { [first, to] };
        self.class(pair)
    }

    /// The pair that stands for a class.
    #[inline]
    pub fn representative(&self, class: usize) -> Pair {
        self.representatives[class]
    }

    /// The symmetries that leave the leaders of a class where they are; the identity is one.
    #[inline]
    pub fn stabiliser(&self, class: usize) -> &[Symmetry] {
        &self.stabilisers[class]
    }
}

impl LeadKind {
    fn allows(self, [first, second]: Pair) -> bool {
        match self {
            LeadKind::Nobody | LeadKind::One => true,
            LeadKind::Two | LeadKind::Like => first != second,
            LeadKind::Kings => first.king_steps(second) > 1,
        }
    }
}

#[inline]
fn slot([first, second]: Pair) -> usize {
    first.number() + 64 * second.number()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    #[test]
    fn classes_are_counted_as_known() {
        let count = |kind, group| Lead::new(kind, group).len();
        assert_eq!(count(LeadKind::Kings, Group::FULL), 462);
        assert_eq!(count(LeadKind::Kings, Group::MIRROR), 1806);
        assert_eq!(count(LeadKind::Kings, Group::TRIVIAL), 3612);
        assert_eq!(count(LeadKind::One, Group::FULL), 10);
        assert_eq!(count(LeadKind::One, Group::SQUARE_COLORS), 20);
        assert_eq!(count(LeadKind::Two, Group::TRIVIAL), 64 * 63);
        assert_eq!(count(LeadKind::Nobody, Group::FULL), 1);
        let size = |files, ranks| BoardSize::new(files, ranks).unwrap();
        assert_eq!(count(LeadKind::One, Group::FULL.on(size(5, 5))), 6);
        assert_eq!(count(LeadKind::One, Group::FULL.on(size(5, 6))), 9);
        assert_eq!(count(LeadKind::Kings, Group::TRIVIAL.on(size(4, 4))), 16 * 15 - 84);
    }

    #[test]
    fn every_pair_turns_into_its_representative() {
        for kind in [LeadKind::One, LeadKind::Two, LeadKind::Kings, LeadKind::Like] {
            let small = Group::FULL.on(BoardSize::new(5, 6).unwrap());
            for group in [Group::TRIVIAL, Group::MIRROR, Group::SQUARE_COLORS, Group::FULL, small] {
                let lead = Lead::new(kind, group);
                let all = group.size().squares();
                for first in all {
                    let seconds = if kind == LeadKind::One { Square::new(0).bit() } else { all };
                    for second in seconds.filter(|&s| kind.allows([first, s])) {
                        let (class, symmetry) = lead.class([first, second]).unwrap();
                        let expected = lead.representative(class);
                        let image = [first, second].map(|s| symmetry.image(s));
                        match kind {
                            LeadKind::One => assert_eq!(image[0], expected[0]),
                            LeadKind::Like => {
                                assert!(image == expected || [image[1], image[0]] == expected)
                            }
                            _ => assert_eq!(image, expected),
                        }
                    }
                }
            }
        }
    }
}

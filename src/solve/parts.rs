//! How a table is cut into parts that are solved one at a time.
//!
//! A *part* is a stretch of pawn structures: a large slice, or many small ones. Parts are sorted
//! into *groups*: the parts of a group need nothing of each other, and all of the groups before may
//! have to be there. Part 1 of group 3 is called `3.1`.

use std::{fmt, ops::Range, str::FromStr};

/// How many numbers a part has at most unless another size is asked for, or a slice has more, or
/// the table is very large: so much that parts pack about as well as the whole table, and so little
/// that a kill loses little.
pub const PART_SIZE: u64 = 1 << 23;

/// About how many parts a very large table has, if a part has two sections: each has its place in
/// the header, which is read whole before the first probe.
pub(in crate::solve) const MANY: u64 = 128;

/// The name of a part: `3.1` is part 1 of group 3, both counted from 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartId {
    /// The group.
    pub group: u32,
    /// The part in it.
    pub part: u32,
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.group, self.part)
    }
}

/// The text is not the name of a part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a part; parts are written group, dot, number, like 3.1")]
pub struct ParsePartError(String);

impl FromStr for PartId {
    type Err = ParsePartError;

    fn from_str(text: &str) -> Result<PartId, ParsePartError> {
        let numbers = text.split_once('.').and_then(|(group, part)| {
            Some(PartId { group: group.parse().ok()?, part: part.parse().ok()? })
        });
        numbers.ok_or_else(|| ParsePartError(text.to_owned()))
    }
}

/// A part of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its name.
    pub id: PartId,
    /// The pawn structures it has, by number.
    pub structures: Range<usize>,
}

/// How a table is cut into parts, in the order in which they can be solved and lie in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    parts: Vec<Part>,
}

impl Layout {
    /// The layout of a table in one piece, however many structures it has.
    pub fn one_piece() -> Layout {
        let id = PartId { group: 0, part: 0 };
        Layout { parts: vec![Part { id, structures: 0..usize::MAX }] }
    }

    /// How a table is cut that has so many structures with each number of ranks to go, from none
    /// on, of so many numbers each: into parts of at most `part_size` numbers if they can be so
    /// small, but no more than about `many`. A table with fewer numbers is solved in one piece.
    pub(in crate::solve) fn of(
        by_ranks: &[u64],
        numbers: u64,
        part_size: u64,
        many: u64,
    ) -> Layout {
        let all = by_ranks.iter().sum::<u64>() * numbers;
        let most = (part_size.max(all / many) / numbers).max(1) as usize;
        let mut layout = Layout { parts: Vec::new() };
        // Structures with as many ranks to go, and those before them while all are few.
        let mut waiting = 0..0;
        for &equal in by_ranks.iter().filter(|&&equal| equal > 0) {
            let next = waiting.end;
            let end = next + equal as usize;
            if end - waiting.start > most {
                layout.add_group(waiting, most);
                waiting = next..end;
            } else {
                waiting.end = end;
            }
        }
        layout.add_group(waiting, most);
        layout
    }

    /// Adds a group of structures, in equal parts of at most `most`.
    fn add_group(&mut self, structures: Range<usize>, most: usize) {
        let parts = structures.len().div_ceil(most);
        let group = self.parts.last().map_or(0, |last| last.id.group + 1);
        for part in 0..parts {
            let at = |part: usize| structures.start + structures.len() * part / parts;
            let id = PartId { group, part: part as u32 };
            self.parts.push(Part { id, structures: at(part)..at(part + 1) });
        }
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether there is a single part: the table is solved and written in one piece.
    pub fn is_one_piece(&self) -> bool {
        self.parts.len() == 1
    }

    /// The part of this name.
    pub fn part(&self, id: PartId) -> Option<&Part> {
        self.parts.iter().find(|part| part.id == id)
    }

    /// The part that has a structure.
    pub fn holding(&self, structure: usize) -> Option<&Part> {
        self.parts.iter().find(|part| part.structures.contains(&structure))
    }

    /// The parts that must be there before this one is solved: those of all groups before.
    pub fn needs(&self, part: &Part) -> impl Iterator<Item = &Part> {
        let group = part.id.group;
        self.parts.iter().take_while(move |before| before.id.group < group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::Contents,
        board::Group,
        index::Index,
        rules::Variant,
        solve::{game::Solve, goal::Goal},
    };

    /// How the orthodox table of a material is cut.
    fn layout(material: &str, part_size: u64) -> Layout {
        let material = material.parse().unwrap();
        Variant::orthodox()
            .layout(&Goal::new(&Variant::orthodox(), material, Contents::Distance), part_size)
    }

    #[test]
    fn parts_follow_each_other_and_need_only_groups_before() {
        for material in ["KPvKP", "KRPvKP", "KBPvKN", "KPPvKP"] {
            let index = Index::new(&material.parse().unwrap(), Group::MIRROR);
            let layout = layout(material, PART_SIZE);
            let structures = index.structures().unwrap();
            let mut next = 0;
            for part in layout.parts() {
                assert_eq!(part.structures.start, next, "{material} {}", part.id);
                assert!(!part.structures.is_empty());
                next = part.structures.end;
                // A part of one of several has structures that are equally far on.
                let ranks = |n| structures.ranks_to_go(n);
                if layout.parts().iter().any(|p| p.id.group == part.id.group && p != part) {
                    assert!(
                        part.structures.clone().all(|n| ranks(n) == ranks(part.structures.start))
                    );
                }
            }
            assert_eq!(next.min(structures.len()), structures.len());
        }
        assert!(layout("KPvKP", PART_SIZE).is_one_piece());
        assert!(!layout("KPvKP", PART_SIZE / 16).is_one_piece());
        assert_eq!(layout("KBPvKN", PART_SIZE).parts().len(), 24);
    }

    #[test]
    fn names_of_parts() {
        let id: PartId = "3.12".parse().unwrap();
        assert_eq!((id.group, id.part), (3, 12));
        assert_eq!(id.to_string(), "3.12");
        for wrong in ["", "3", "3.", ".1", "3.1.2", "-1.0"] {
            assert!(wrong.parse::<PartId>().is_err(), "{wrong}");
        }
    }
}

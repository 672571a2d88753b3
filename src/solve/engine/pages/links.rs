//! From a turn that changes the material to the table of what is left.

use crate::{
    answer::place::{Entry, turn_of},
    board::{BoardSize, ByColor, Color, Man, Role, Square},
    index::{MAX_MEN, Material},
    rules::Laws,
};

use crate::solve::engine::slice::Conversion;

/// How the men of one material are found again in the table of another, after a conversion.
#[derive(Clone, Debug)]
pub struct Link {
    /// The material after the conversion, as its table names it.
    pub material: Material,
    /// For the table as it is and with the sides exchanged: for each man of the table, where its
    /// square stands among the squares before. Where the sides have the same men both serve.
    slots: [Option<Vec<usize>>; 2],
    size: BoardSize,
}

impl Link {
    /// The link to the table of these men, given with the slot each one's square is found in;
    /// `reserve` names men in reserve and has none on the board.
    ///
    /// With `swaps`, one table serves a material and its colour swap; of two equal sides it then
    /// knows White to move only, and the board, which has this size, is turned by half.
    pub fn new(men: &[(Man, usize)], reserve: Material, swaps: bool, size: BoardSize) -> Link {
        let mut material = reserve;
        men.iter().for_each(|&(man, _)| material.add(man));
        let named = if swaps { material.stronger_first() } else { material };
        let slots = [false, true].map(|swapped| {
            let shown = if swapped { material.swap_colors() } else { material };
            (shown == named && (swaps || !swapped)).then(|| {
                let mut left: Vec<(Man, usize)> = men.to_vec();
                let found = |man: Man| {
                    let color = if swapped { !man.color } else { man.color };
                    let at = left.iter().position(|&(m, _)| m == Man::new(color, man.role));
                    left.remove(at.expect("the material is made of these men")).1
                };
                named.men().into_iter().map(found).collect()
            })
        });
        Link { material: named, slots, size }
    }

    /// The position with the men on these squares, as the table knows it.
    #[inline]
    pub fn entry(&self, to_move: Color, before: &[Square]) -> Entry {
        let (swapped, slots) = self.shown(to_move);
        let turn = turn_of(swapped, self.size);
        let mut squares = [Square::new(0); MAX_MEN];
        for (square, &slot) in squares.iter_mut().zip(slots) {
            *square = turn.image(before[slot]);
        }
        Entry { side: if swapped { !to_move } else { to_move }, squares, swapped }
    }

    /// Which man of the table one of those before is, which must still be there.
    #[inline]
    pub fn man(&self, to_move: Color, before: usize) -> usize {
        let found = self.shown(to_move).1.iter().position(|&slot| slot == before);
        found.expect("the man has not been captured")
    }

    /// Whether the table has the sides exchanged, and where the squares of its men stand.
    #[inline]
    fn shown(&self, to_move: Color) -> (bool, &[usize]) {
        match &self.slots {
            [Some(_), Some(slots)] if to_move == Color::Black => (true, slots),
            [Some(slots), _] => (false, slots),
            [None, Some(slots)] => (true, slots),
            [None, None] => unreachable!("one of the two names the table"),
        }
    }
}

/// Where dropping a man leads.
pub struct DropLink<T> {
    pub man: Man,
    /// The men on the board, and then the one dropped, to those of the table.
    pub link: Link,
    /// What belongs to the material after the drop.
    pub table: T,
}

/// The links of all conversions of a material, with what the caller keeps for each table.
pub struct Links<T> {
    /// By who is removed (the place of that in `removals`) and what is promoted.
    links: Vec<Option<(Link, T)>>,
    removals: [u16; 1 << MAX_MEN],
    drops: Vec<DropLink<T>>,
    reserve: Material,
}

impl<T> Links<T> {
    /// Links every capture, promotion and pawn move of `men`; `table` finds what belongs to a
    /// material, `None` where the game has no table.
    pub fn new(
        men: &[Man],
        laws: &Laws,
        swaps: bool,
        table: impl FnMut(&Material) -> Option<T>,
    ) -> Links<T> {
        Links::with_reserve(men, &Material::default(), laws, swaps, table)
    }

    /// The same with the men of `reserve` in reserve, every drop of which is linked too.
    pub fn with_reserve(
        men: &[Man],
        reserve: &Material,
        laws: &Laws,
        swaps: bool,
        mut table: impl FnMut(&Material) -> Option<T>,
    ) -> Links<T> {
        let mut links: Vec<Option<(Link, T)>> = Vec::new();
        let mut removals = [0; 1 << MAX_MEN];
        for (place, removed) in removable(men, laws).into_iter().enumerate() {
            removals[usize::from(removed)] = place as u16;
            links.resize_with((place + 1) * PROMOTIONS, || None);
            let mut add = |promoted: Option<(usize, Role)>| {
                let after = |i: usize| match promoted {
                    Some((pawn, role)) if pawn == i => (Man::new(men[i].color, role), i),
                    _ => (men[i], i),
                };
                let stays = |i: &usize| removed >> i & 1 == 0;
                let after: Vec<(Man, usize)> = (0..men.len()).filter(stays).map(after).collect();
                let link = Link::new(&after, *reserve, swaps, laws.size);
                links[place * PROMOTIONS + promotion(promoted)] =
                    table(&link.material).map(|t| (link, t));
            };
            add(None);
            for (i, &man) in men.iter().enumerate() {
                laws.becomes_beside(man, men).iter().for_each(|role| add(Some((i, role))));
            }
        }
        let mut drops = Vec::new();
        for man in droppable(reserve) {
            let mut reserve = *reserve;
            reserve.remove_from_reserve(man);
            let after: Vec<(Man, usize)> = men.iter().copied().chain([man]).zip(0..).collect();
            let link = Link::new(&after, reserve, swaps, laws.size);
            drops.extend(table(&link.material).map(|table| DropLink { man, link, table }));
        }
        Links { links, removals, drops, reserve: *reserve }
    }

    /// The men in reserve.
    pub fn reserve(&self) -> &Material {
        &self.reserve
    }

    /// Where the drops of a side lead; the squares before are those of the men on the board, and
    /// then that of the man dropped.
    pub fn drops(&self, side: Color) -> impl Iterator<Item = &DropLink<T>> {
        self.drops.iter().filter(move |drop| drop.man.color == side)
    }

    /// Where a conversion leads.
    #[inline]
    pub fn get(&self, turn: &Conversion) -> Option<&(Link, T)> {
        let promoted = turn.promotion.map(|role| (turn.mover, role));
        let place = usize::from(self.removals[usize::from(turn.removed)]);
        self.links[place * PROMOTIONS + promotion(promoted)].as_ref()
    }
}

/// How many promotions there can be, none among them.
const PROMOTIONS: usize = 1 + MAX_MEN * Role::ALL.len();

/// The place of a promotion among them.
#[inline]
fn promotion(promoted: Option<(usize, Role)>) -> usize {
    promoted.map_or(0, |(i, role)| 1 + i * Role::ALL.len() + role.index())
}

/// Who may leave the board by a turn: sets of men, as bits, and nobody first.
fn removable(men: &[Man], laws: &Laws) -> Vec<u16> {
    let royal = ByColor::new(|color| {
        laws.royal_kinds(|role| men.iter().filter(|&&man| man == Man::new(color, role)).count())
    });
    let victim = |i: usize| {
        let Man { color, role } = men[i];
        !royal[color].contains(role)
    };
    if !laws.explosive {
        let single = (0..men.len()).filter(|&i| victim(i)).map(|i| 1 << i);
        return [0].into_iter().chain(single).collect();
    }
    let immune = |i: usize| laws.blast_immune.contains(men[i].role);
    // Who captures goes as well unless immune, and of the pawns only those two; of the immune only
    // who is captured.
    let captures = |removed: u16, captor: Color| {
        let of = |color: Color| (0..men.len()).filter(move |&i| men[i].color == color);
        let gone = |color: Color| of(color).filter(|&i| removed >> i & 1 == 1);
        let few_pawns =
            |color: Color| gone(color).filter(|&i| men[i].role == Role::Pawn).count() <= 1;
        let survives = || of(captor).any(|i| immune(i) && victim(i) && removed >> i & 1 == 0);
        Color::ALL.into_iter().all(few_pawns)
            && gone(!captor).any(victim)
            && gone(!captor).filter(|&i| immune(i)).count() <= 1
            && !gone(captor).any(immune)
            && (gone(captor).any(victim) || survives())
    };
    let sets = 1..1 << men.len();
    let removed = sets.filter(|&set| Color::any(|color| captures(set, color)));
    [0].into_iter().chain(removed).collect()
}

/// The men in reserve, like men once.
pub fn droppable(material: &Material) -> impl Iterator<Item = Man> {
    let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Man::new(color, role)));
    all.filter(|man| material.reserve(man.color, man.role) > 0)
}

/// The materials one conversion away, as their tables are named, without the material itself.
pub fn successors(material: &Material, laws: &Laws, swaps: bool) -> Vec<Material> {
    let mut found = Vec::new();
    let men = material.men();
    let mut meet = |after: &Material| {
        let named = if swaps { after.stronger_first() } else { *after };
        if !found.contains(&named) {
            found.push(named);
        }
    };
    for removed in removable(&men, laws) {
        let mut left = *material;
        (0..men.len()).filter(|i| removed >> i & 1 == 1).for_each(|i| left.remove(men[i]));
        if removed != 0 {
            meet(&left);
        }
        for color in Color::ALL {
            // A victim is of the other side; where captures explode who promotes by one is gone.
            let takes = laws.explosive && removed != 0
                || (0..men.len()).any(|i| removed >> i & 1 == 1 && men[i].color == color);
            for man in left.roles(color).filter(|_| !takes).map(|role| Man::new(color, role)) {
                for role in laws.becomes_beside(man, material).iter() {
                    let mut after = left;
                    after.remove(man);
                    after.add(Man { role, ..man });
                    meet(&after);
                }
            }
        }
    }
    for man in droppable(material) {
        let mut after = *material;
        after.remove_from_reserve(man);
        after.add(man);
        meet(&after);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::place::{board_entry, chess_group, entry_number},
        index::Index,
        solve::engine::slice::Slice,
    };

    #[test]
    fn a_link_finds_the_position_after_a_conversion() {
        for (material, swaps) in [
            ("KRvKR", true),
            ("KQvKR", true),
            ("KNNvKB", false),
            ("KPvKP", true),
            ("KRPvKN", false),
        ] {
            let material: Material = material.parse().unwrap();
            let index = Index::new(&material, chess_group(&material));
            let links = Links::new(&material.men(), &Laws::ORTHODOX, swaps, |after| {
                Some(Index::new(after, chess_group(after)))
            });
            let structures = index.structures().map_or(1, |structures| structures.len());
            let mut found = 0;
            for structure in (0..structures).step_by(structures.div_ceil(5)) {
                let squares = index.structure_squares(structure);
                let group = chess_group(&material);
                let slice = Slice::new(material.men(), squares, group, Laws::ORTHODOX);
                for word in (0..slice.words()).step_by(211) {
                    let Some(stand) = slice.stand(word) else { continue };
                    for side in Color::ALL {
                        let legal = slice.legal(&stand, side);
                        slice.conversions(&stand, side, legal, |turn, _, squares| {
                            let (link, after) = links.get(turn).expect("a link for every turn");
                            let board = slice.board_after(turn, squares);
                            let expected = board_entry(&board, !side, swaps);
                            let entry = link.entry(!side, squares);
                            let shown = |entry: &Entry| (entry.side, entry_number(after, entry));
                            assert_eq!(shown(&entry), shown(&expected), "{material}: {turn:?}");
                            found += 1;
                        });
                    }
                }
            }
            assert!(found > 100, "{material}: {found}");
        }
    }

    #[test]
    fn every_successor_is_named_once() {
        let after = |material: &str, laws: &Laws, swaps: bool| -> Vec<String> {
            let material = material.parse().unwrap();
            let mut all: Vec<String> =
                successors(&material, laws, swaps).iter().map(Material::to_string).collect();
            all.sort();
            all
        };
        let orthodox = &Laws::ORTHODOX;
        assert_eq!(after("KRvKN", orthodox, true), ["KNvK", "KRvK"]);
        assert_eq!(after("KRvKR", orthodox, true), ["KRvK"]);
        assert_eq!(after("KRvKR", orthodox, false), ["KRvK", "KvKR"]);
        assert_eq!(after("KPvK", orthodox, true), ["KBvK", "KNvK", "KQvK", "KRvK", "KvK"]);
        assert!(after("KvK", orthodox, true).is_empty());
        let explosive = Laws { explosive: true, ..Laws::ORTHODOX };
        // The Rook takes the Knight and both are gone, or the King that stood beside it.
        assert!(after("KRvKN", &explosive, true).contains(&"KvK".to_owned()));
        assert_eq!(after("K[R]vK", orthodox, true), ["KRvK"]);
    }
}

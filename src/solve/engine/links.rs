//! From a turn that changes the material to the table of what is left.

use crate::{
    answer::place::Entry,
    board::{Color, Man, Role, Square, Symmetry},
    index::{MAX_MEN, Material},
    rules::Laws,
};

use super::slice::Conversion;

/// How the men of one material are found again in the table of another, after a conversion.
#[derive(Clone, Debug)]
pub struct Link {
    /// The material after the conversion, as its table names it.
    pub material: Material,
    /// For the table as it is and with the sides exchanged: for each man of the table, where its
    /// square stands among the squares before. Where the sides have the same men both serve.
    slots: [Option<Vec<usize>>; 2],
}

impl Link {
    /// The link to the table of these men, given with the slot each one's square is found in;
    /// `reserve` names men in reserve and has none on the board.
    ///
    /// With `swaps`, one table serves a material and its colour swap; of two equal sides it then
    /// knows White to move only.
    pub fn new(men: &[(Man, usize)], reserve: Material, swaps: bool) -> Link {
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
        Link { material: named, slots }
    }

    /// The position with the men on these squares, as the table knows it.
    #[inline]
    pub fn entry(&self, to_move: Color, before: &[Square]) -> Entry {
        let (swapped, slots) = match &self.slots {
            [Some(_), Some(slots)] if to_move == Color::Black => (true, slots),
            [Some(slots), _] => (false, slots),
            [None, Some(slots)] => (true, slots),
            [None, None] => unreachable!("one of the two names the table"),
        };
        let mut squares = [Square::new(0); MAX_MEN];
        for (square, &slot) in squares.iter_mut().zip(slots) {
            *square = if swapped { Symmetry::HALF_TURN.image(before[slot]) } else { before[slot] };
        }
        Entry { side: if swapped { !to_move } else { to_move }, squares, swapped }
    }
}

/// The links of all conversions of a material, with what the caller keeps for each table.
pub struct Links<T> {
    links: Vec<Option<(Link, T)>>,
    drops: Vec<(Man, Link, T)>,
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
        links.resize_with((MAX_MEN + 1) * (1 + MAX_MEN * Role::ALL.len()), || None);
        let mut add = |captured: Option<usize>, promoted: Option<(usize, Role)>| {
            let after: Vec<(Man, usize)> = men
                .iter()
                .enumerate()
                .filter(|&(i, _)| Some(i) != captured)
                .map(|(i, &man)| match promoted {
                    Some((pawn, role)) if pawn == i => (Man::new(man.color, role), i),
                    _ => (man, i),
                })
                .collect();
            let link = Link::new(&after, *reserve, swaps);
            links[slot(captured, promoted)] = table(&link.material).map(|t| (link, t));
        };
        for captured in (0..men.len()).map(Some).chain([None]) {
            add(captured, None);
            for (i, man) in men.iter().enumerate().filter(|(_, man)| man.role == Role::Pawn) {
                if captured.is_none_or(|j| men[j].color != man.color) {
                    laws.promotions.iter().for_each(|&role| add(captured, Some((i, role))));
                }
            }
        }
        let mut drops = Vec::new();
        for man in droppable(reserve) {
            let mut reserve = *reserve;
            reserve.remove_from_reserve(man);
            let after: Vec<(Man, usize)> = men.iter().copied().chain([man]).zip(0..).collect();
            let link = Link::new(&after, reserve, swaps);
            drops.extend(table(&link.material).map(|t| (man, link, t)));
        }
        Links { links, drops, reserve: *reserve }
    }

    /// The men in reserve.
    pub fn reserve(&self) -> &Material {
        &self.reserve
    }

    /// Where the drops of a side lead; the squares before are those of the men on the board, and
    /// then that of the man dropped.
    pub fn drops(&self, side: Color) -> impl Iterator<Item = &(Man, Link, T)> {
        self.drops.iter().filter(move |(man, ..)| man.color == side)
    }

    /// Where a conversion leads.
    #[inline]
    pub fn get(&self, turn: &Conversion) -> Option<&(Link, T)> {
        let promoted = turn.promotion.map(|role| (turn.mover, role));
        self.links[slot(turn.captured, promoted)].as_ref()
    }
}

#[inline]
fn slot(captured: Option<usize>, promoted: Option<(usize, Role)>) -> usize {
    let captured = captured.map_or(0, |j| j + 1);
    let promoted = promoted.map_or(0, |(i, role)| 1 + i * Role::ALL.len() + role.index());
    captured * (1 + MAX_MEN * Role::ALL.len()) + promoted
}

/// The men in reserve, like men once.
fn droppable(material: &Material) -> impl Iterator<Item = Man> {
    let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Man::new(color, role)));
    all.filter(|man| material.reserve(man.color, man.role) > 0)
}

/// The materials one conversion away, as their tables are named, without the material itself.
pub fn successors(material: &Material, laws: &Laws, swaps: bool) -> Vec<Material> {
    let mut found = Vec::new();
    let men = material.men();
    let royal = |man: &Man| laws.royal && man.role == Role::King;
    let mut meet = |after: &Material| {
        let named = if swaps { after.stronger_first() } else { *after };
        if !found.contains(&named) {
            found.push(named);
        }
    };
    let captures = |by: Color| {
        let men = men.clone();
        men.into_iter().filter(move |man| man.color != by && !royal(man))
    };
    for color in Color::ALL {
        let pawn = Man::new(color, Role::Pawn);
        for victim in captures(color) {
            let mut after = *material;
            after.remove(victim);
            meet(&after);
        }
        if material.count(color, Role::Pawn) > 0 {
            for &role in laws.promotions {
                let mut after = *material;
                after.remove(pawn);
                after.add(Man::new(color, role));
                meet(&after);
                for victim in captures(color) {
                    let mut taken = after;
                    taken.remove(victim);
                    meet(&taken);
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

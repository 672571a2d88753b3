//! Which materials a game has tables for.

use std::collections::BTreeSet;

use super::Tabled;
use crate::{
    board::{Color, Man, RoleSet},
    index::Material,
};

/// Every material of a game with up to so many men, those in reserve counted, as its tables are
/// [`named`](Tabled::named): fewer men first, and among as many those with fewer in reserve. Those
/// that [cannot arise](Tabled::can_arise) in a game are left out unless `all` are wanted.
pub fn materials_with<G: Tabled>(game: &G, men: usize, all: bool) -> Vec<Material> {
    materials_named([game.men(), game.in_reserve()], men, &|material| {
        game.named(material).ok().filter(|named| all || game.can_arise(named))
    })
}

/// The same from the men of a game, those that can be in reserve, and what names a material if it
/// is wanted: compiled once, and not for each game.
fn materials_named(
    [roles, in_reserve]: [RoleSet; 2],
    men: usize,
    name: &dyn Fn(&Material) -> Option<Material>,
) -> Vec<Material> {
    let kinds: Vec<Man> = Color::ALL
        .into_iter()
        .flat_map(|color| roles.iter().map(move |role| Man::new(color, role)))
        .collect();
    let mut found = BTreeSet::new();
    let mut layer = BTreeSet::from([Material::default()]);
    for _ in 0..men {
        layer = layer
            .iter()
            .flat_map(|material| {
                kinds.iter().flat_map(|&man| {
                    let mut on_board = *material;
                    on_board.add(man);
                    let held = in_reserve.contains(man.role).then(|| {
                        let mut held = *material;
                        held.add_to_reserve(man);
                        held
                    });
                    [Some(on_board), held].into_iter().flatten()
                })
            })
            .collect();
        found.extend(layer.iter().filter_map(name));
    }
    let mut found: Vec<Material> = found.into_iter().collect();
    found.sort_by_key(|material| {
        let in_reserve: usize = Color::ALL.iter().map(|&color| material.reserve_of(color)).sum();
        (material.len() + in_reserve, in_reserve)
    });
    found
}

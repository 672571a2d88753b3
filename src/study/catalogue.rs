//! Which tables a game could have.

use std::collections::BTreeSet;

use crate::{
    answer::Tabled,
    board::{Color, Man, Role},
    index::Material,
};

/// How many men a material has, those in reserve counted.
pub fn men(material: &Material) -> usize {
    material.len() + in_reserve(material)
}

fn in_reserve(material: &Material) -> usize {
    Color::ALL.iter().map(|&color| material.reserve_of(color)).sum()
}

/// Every material of a game with up to so many men, those in reserve counted, as its tables are
/// named.
pub fn materials_with<G: Tabled>(game: &G, most: usize) -> Vec<Material> {
    let kinds: Vec<Man> = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| Man::new(color, role)))
        .filter(|man| man.role != Role::Disk)
        .collect();
    let mut found = BTreeSet::new();
    let mut layer = BTreeSet::from([Material::default()]);
    for _ in 0..most {
        layer = layer
            .iter()
            .flat_map(|material| {
                kinds.iter().flat_map(|&man| {
                    let (mut on_board, mut in_reserve) = (*material, *material);
                    on_board.add(man);
                    in_reserve.add_to_reserve(man);
                    [on_board, in_reserve]
                })
            })
            .collect();
        found.extend(layer.iter().filter_map(|m| game.named(m).ok()));
    }
    let mut found: Vec<Material> = found.into_iter().collect();
    found.sort_by_key(|material| (men(material), in_reserve(material)));
    found
}

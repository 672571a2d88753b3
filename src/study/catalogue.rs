//! Which tables there are, and which there could be.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    board::{Color, Man, Role},
    index::Material,
    solve::Solve,
};

/// The table files of a game in a folder of tables, small materials first.
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn table_files(tables: &Path, game: &str) -> io::Result<Vec<PathBuf>> {
    let folder = tables.join(game);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", folder.display()))
        })?;
    files.retain(|path| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|extension| extension == "ftb")
    });
    files.sort_by_key(|path| (path.file_name().map(|name| name.len()), path.clone()));
    Ok(files)
}

/// The materials that have a table file of a game.
///
/// # Errors
/// As [`table_files`].
pub fn materials_of(tables: &Path, game: &str) -> io::Result<Vec<Material>> {
    let stems = table_files(tables, game)?;
    Ok(stems.iter().filter_map(|path| path.file_stem()?.to_str()?.parse().ok()).collect())
}

/// How many men a material has, those in reserve counted.
pub fn men(material: &Material) -> usize {
    material.len() + in_reserve(material)
}

fn in_reserve(material: &Material) -> usize {
    Color::ALL.iter().map(|&color| material.reserve_of(color)).sum()
}

/// Every material of a game with up to so many men, those in reserve counted, as its tables are
/// named.
pub fn materials_with<G: Solve>(game: &G, most: usize) -> Vec<Material> {
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
                    let (mut on_board, mut in_hand) = (*material, *material);
                    on_board.add(man);
                    in_hand.add_to_reserve(man);
                    [on_board, in_hand]
                })
            })
            .collect();
        found.extend(layer.iter().filter_map(|m| Some(game.table_id(m).ok()?.material)));
    }
    let mut found: Vec<Material> = found.into_iter().collect();
    found.sort_by_key(|material| (men(material), in_reserve(material)));
    found
}

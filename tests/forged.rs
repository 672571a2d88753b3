//! Tables that somebody has changed and given fitting checksums: they may say something wrong, but
//! must not make a reader panic.

use std::{fs, path::Path};

use finale::{
    probe::Tablebase,
    rules::{Elks, High, Noro, Orphic, Orthodox, Rooks, Stylish, Tiebraker},
    study::{Study, best_line},
    table::{CellSpec, Description, Kind, Palette, Table, TableWriter, WriterOptions},
};
use proptest::{prelude::*, sample::Index};
use tempfile::TempDir;

/// The tables that come with the repository.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

/// Something to change: in which section, where, and what to.
type Change = (Index, Index, u32);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let number =
        prop_oneof![1 => any::<u32>(), 9 => 0..99_u32, 1 => (0..64_u32).prop_map(|n| n << 16)];
    proptest::collection::vec((any::<Index>(), any::<Index>(), number), 1..9)
}

/// A folder with the shipped tables of some games.
fn copied(games: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for game in games {
        let (from, to) = (Path::new(SHIPPED).join(game), folder.path().join(game));
        fs::create_dir(&to).expect("a folder for the game");
        for file in fs::read_dir(from).expect("the shipped tables") {
            let file = file.expect("a table");
            fs::copy(file.path(), to.join(file.file_name())).expect("room for a copy");
        }
    }
    folder
}

/// Writes a table again with some changes.
fn forge(table: &Table, path: &Path, changes: &[Change]) {
    let header = table.header();
    let description = Description {
        game: header.game.clone(),
        options: header.options.clone(),
        material: header.material.clone(),
        meta: header.meta.clone(),
    };
    let fast = WriterOptions { level: 1, ..WriterOptions::default() };
    let mut writer = TableWriter::create(path, description, fast).expect("a forged table");
    let is_palette = |name: &str| {
        let palettes = header.sections.iter().filter_map(|section| section.palette.as_ref());
        palettes.into_iter().any(|palette| matches!(palette, Palette::Blob(blob) if blob == name))
    };
    let sections: Vec<_> = header.sections.iter().filter(|s| !is_palette(&s.name)).collect();
    for (at, section) in sections.iter().enumerate() {
        let changes = changes.iter().filter(|change| change.0.index(sections.len()) == at);
        if section.kind == Kind::Blob {
            let mut bytes = table.blob(&section.name).expect("a whole table");
            for (_, place, value) in changes.filter(|_| section.entries > 0) {
                let place = place.index(bytes.len());
                bytes[place] = *value as u8;
            }
            writer.blob(&section.name, &bytes).expect("room for a table");
            continue;
        }
        let cells = table.cells(&section.name).expect("a whole table");
        let mut entries = cells.read_all().expect("a whole table");
        let width = section.width.bytes();
        let mut spec = CellSpec::new(&section.name, section.entries, section.width);
        if let Some(palette) = cells.palette() {
            let mut palette = palette.to_vec();
            for (_, place, value) in changes {
                // A small number means another value of the palette, which opening cannot refuse.
                let other = *value as usize % palette.len();
                let value = if *value < 1 << 16 { palette[other] } else { *value };
                *place.get_mut(&mut palette) = value;
            }
            spec = spec.with_palette(palette);
        } else {
            for (_, place, value) in changes {
                // All that are like one, so that many positions have the change.
                let like = place.index(entries.len() / width) * width;
                let like = entries[like..like + width].to_vec();
                let changed = &value.to_le_bytes()[..width];
                let alike = entries.chunks_exact_mut(width).filter(|entry| **entry == like);
                alike.for_each(|entry| entry.copy_from_slice(changed));
            }
        }
        let write = |range: std::ops::Range<u64>, bytes: &mut [u8]| {
            let start = range.start as usize * width;
            bytes.copy_from_slice(&entries[start..start + bytes.len()]);
        };
        writer.cells(spec, write).expect("room for a table");
    }
    writer.finish().expect("room for a table");
}

/// Forges a table and asks all there is to ask of some of its positions.
fn ask<G: Study + Default>(folder: &Path, material: &str, changes: &[Change], places: &[Index]) {
    let whole = Tablebase::new(G::default(), SHIPPED);
    let game = whole.game();
    let material = material.parse().expect("a material");
    let id = game.table_id(&game.named(&material).expect("a material of the game"));
    let reader = whole.reader(&material).expect("a shipped table");
    let cells = game.cells(&reader);
    let forged = Tablebase::new(G::default(), folder);
    forge(&whole.shelf().open(&id).expect("a shipped table"), &forged.shelf().path(&id), changes);
    for place in places {
        let Some(position) = game.cell(&reader, place.index(cells as usize) as u64) else {
            continue;
        };
        if let Ok(answer) = forged.answer(&position) {
            game.fields(&position, &answer);
            game.words(&position, &answer);
            game.brief(&position, &answer);
            let _ = game.explanation(&forged, &position, &answer);
        }
        for ranked in forged.ranked(&position).into_iter().flatten() {
            game.turn_words(&position, ranked.turn, &ranked.after, &ranked.answer);
            game.fields(&position, &ranked.worth);
        }
        let _ = best_line(&forged, &position, 40);
    }
}

macro_rules! forged_tables {
    ($($test:ident: $game:ty, $folders:expr, $materials:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(40))]
            $(
                #[test]
                fn $test(
                    material in proptest::sample::select($materials.to_vec()),
                    changes in changes(),
                    places in proptest::collection::vec(any::<Index>(), 12),
                ) {
                    let folder = copied(&$folders);
                    ask::<$game>(folder.path(), material, &changes, &places);
                }
            )*
        }
    };
}

forged_tables! {
    orthodox: Orthodox, ["orthodox"], ["KvK", "KQvK", "KPvK"];
    high: High, ["high"], ["KvK", "KBvK", "KPvK"];
    noro: Noro, ["noro"], ["KvQ", "PvP", "KvRR"];
    orphic: Orphic<Rooks>, ["orphic", "orthodox"], ["KQvK", "K[Q]vK"];
    orphic_with_elks: Orphic<Elks>, ["orphic-elks", "orthodox"], ["KEvK", "KPvK"];
    stylish: Stylish, ["stylish"], ["KvK", "KRvK", "KPvK"];
    tiebraker: Tiebraker, ["tiebraker"], ["KvK", "KQvK", "KPvK"];
}

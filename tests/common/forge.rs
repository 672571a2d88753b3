//! Tables that somebody has changed and given fitting checksums: they may say something wrong, but
//! must not make a reader panic.

use std::{ops::Range, path::Path};

use finale::{
    answer::Contents,
    probe::Tablebase,
    registry::Complete,
    study::best_line,
    table::{CellSpec, Kind, Palette, Table, TableWriter, WriterOptions},
};

/// Something to change in a table; sections and places count on from the last to the first.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// In which section.
    pub section: usize,
    /// Where in it.
    pub place: usize,
    /// What to.
    pub value: u32,
}

/// What came of asking a forged table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// The questions that were answered.
    pub answers: usize,
    /// Those of them that were answered otherwise than by the whole table.
    pub lies: usize,
}

/// Writes a table again with some changes.
pub fn forge(table: &Table, path: &Path, changes: &[Change]) {
    let header = table.header();
    let description = header.description();
    let fast = WriterOptions { level: 1, ..WriterOptions::default() };
    let mut writer = TableWriter::create(path, description, fast).expect("a forged table");
    let is_palette = |name: &str| {
        let palettes = header.sections.iter().filter_map(|section| section.palette.as_ref());
        palettes.into_iter().any(|palette| matches!(palette, Palette::Blob(blob) if blob == name))
    };
    let sections: Vec<_> = header.sections.iter().filter(|s| !is_palette(&s.name)).collect();
    for (at, section) in sections.iter().enumerate() {
        let changes = changes.iter().filter(|change| change.section % sections.len() == at);
        if section.kind == Kind::Blob {
            let mut bytes = table.blob(&section.name, section.entries).expect("a whole table");
            for change in changes.filter(|_| section.entries > 0) {
                let place = change.place % bytes.len();
                bytes[place] = change.value as u8;
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
            for &Change { place, value, .. } in changes {
                // A small number means another value of the palette, which opening cannot refuse.
                let other = palette[value as usize % palette.len()];
                let place = place % palette.len();
                palette[place] = if value < 1 << 16 { other } else { value };
            }
            spec = spec.with_palette(palette);
        } else {
            for change in changes {
                // All that are like one, so that many positions have the change.
                let like = change.place % (entries.len() / width) * width;
                let like = entries[like..like + width].to_vec();
                let changed = &change.value.to_le_bytes()[..width];
                let alike = entries.chunks_exact_mut(width).filter(|entry| **entry == like);
                alike.for_each(|entry| entry.copy_from_slice(changed));
            }
        }
        let write = |range: Range<u64>, bytes: &mut [u8]| {
            let start = range.start as usize * width;
            bytes.copy_from_slice(&entries[start..start + bytes.len()]);
        };
        writer.cells(spec, write).expect("room for a table");
    }
    writer.finish().expect("room for a table");
}

/// Asks all there is to ask of some positions of a forged table that holds so much, whose whole one
/// is in `whole`; both folders have what else is needed.
pub fn ask<G: Complete>(
    whole: &Tablebase<G>,
    forged: &Path,
    (material, contents): (&str, Contents),
    changes: &[Change],
    places: &[u64],
) -> Asked {
    let game = whole.game();
    let material = game.named(&material.parse().expect("a material")).expect("one of the game");
    let id = game.table_id(&material, contents);
    let reader = whole.reader(&material).expect("a whole table");
    let cells = game.cells(&reader);
    let forged = Tablebase::new(game.clone(), forged);
    forge(
        &whole.directories().open(&id).expect("a whole table"),
        &forged.directories().path(&id),
        changes,
    );
    let mut asked = Asked::default();
    for place in places {
        let Some(position) = game.cell(&reader, place % cells) else { continue };
        if let Ok(answer) = forged.answer(&position) {
            asked.answers += 1;
            asked.lies += usize::from(answer != whole.answer(&position).expect("a whole table"));
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
    asked
}

//! Tables put together from parts, without packing anything again.

use super::{
    error::TableError,
    header::{INDEX_ENTRY_LEN, Kind, Palette},
    reader::Table,
    writer::TableWriter,
};

impl TableWriter {
    /// Copies all sections of another table behind those written so far, packed as they are; each
    /// block is checked on the way. Cells whose name is there already become a further
    /// [stretch](super::Stretches) of them.
    ///
    /// # Errors
    /// If the other table is damaged, has a blob whose name is taken and which is no palette, or
    /// the file cannot be written.
    pub fn append(&mut self, part: &Table) -> Result<(), TableError> {
        let sections = &part.header().sections;
        // Every stretch has its own palette, under a name of its own.
        let mut palettes: Vec<(&str, String)> = Vec::new();
        for name in sections.iter().filter_map(|section| section.palette_blob()) {
            if palettes.iter().all(|(known, _)| *known != name) {
                palettes.push((name, self.free_name(name)));
            }
        }
        let renamed = |name: &str| {
            let palette = palettes.iter().find(|(known, _)| *known == name);
            palette.map_or_else(|| name.to_owned(), |(_, new)| new.clone())
        };
        for (at, section) in sections.iter().enumerate() {
            let mut copy = section.clone();
            copy.offset = self.offset;
            if section.kind == Kind::Blob {
                copy.name = renamed(&section.name);
            }
            if !self.header.sections.iter().any(|s| s.name == copy.name && s.continues(&copy)) {
                self.check_name(&copy.name)?;
            }
            if let Some(Palette::Blob(name)) = &mut copy.palette {
                *name = renamed(name);
            }
            let (mut index, mut buffer) = (Vec::new(), Vec::new());
            let mut end = 0_u64;
            for block in 0..section.blocks() {
                part.shared.packed(at, block, &mut buffer, |packed| {
                    end += packed.len() as u64;
                    index.extend(end.to_le_bytes());
                    index.extend(crc32fast::hash(packed).to_le_bytes());
                    self.write(packed)
                })??;
            }
            debug_assert_eq!(index.len() as u64, section.blocks() * INDEX_ENTRY_LEN as u64);
            self.write(&index)?;
            self.header.sections.push(copy);
        }
        Ok(())
    }

    /// A name that no section has: this one, or the first free one with a number behind it.
    fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.header.sections.iter().any(|section| section.name == name);
        let numbered = (2..).map(|n| format!("{name} {n}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).expect("there are more numbers than sections")
    }
}

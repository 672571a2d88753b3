//! Tables put together from parts, without packing anything again.

use super::{
    checksum::checksum,
    error::TableError,
    header::{INDEX_ENTRY_LEN, Kind, Palette, Section},
    reader::Table,
    stretches::blob_name,
    writer::TableWriter,
};

impl TableWriter {
    /// Copies all sections of another table behind those written so far, packed as they are; each
    /// block is checked on the way. Cells whose name is there already become a further
    /// [stretch](super::Stretches) of them. Blobs whose names are taken get a number behind them.
    ///
    /// # Errors
    /// If the other table is damaged, or the file cannot be written.
    pub fn append(&mut self, part: &Table) -> Result<(), TableError> {
        self.append_some(part, |_| true)
    }

    /// The same for those sections that are to be kept.
    ///
    /// # Errors
    /// As [`append`](TableWriter::append).
    pub fn append_some(
        &mut self,
        part: &Table,
        is_kept: impl Fn(&Section) -> bool,
    ) -> Result<(), TableError> {
        let sections = &part.header().sections;
        // Every stretch has its own palette, or whatever else it has, under a name of its own.
        let blobs = sections.iter().filter(|section| section.kind == Kind::Blob);
        let blobs: Vec<(&str, String)> =
            blobs.map(|blob| (&*blob.name, self.free_name(&blob.name))).collect();
        let renamed = |name: &str| {
            let blob = blobs.iter().find(|(known, _)| *known == name);
            blob.map_or_else(|| name.to_owned(), |(_, new)| new.clone())
        };
        for (at, section) in sections.iter().enumerate().filter(|(_, section)| is_kept(section)) {
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
            if let Some(digits) = &mut copy.digits {
                digits.blobs().for_each(|name| *name = renamed(name));
            }
            let (mut index, mut buffer) = (Vec::new(), Vec::new());
            let mut end = 0_u64;
            for block in 0..section.blocks() {
                part.shared.packed(at, block, &mut buffer, |packed| {
                    end += packed.len() as u64;
                    index.extend(end.to_le_bytes());
                    index.extend(checksum(packed).to_le_bytes());
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
    pub(super) fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.header.sections.iter().any(|section| section.name == name);
        let mut names = (0..).map(|stretch| blob_name(name, stretch));
        names.find(|name| !taken(name)).expect("there are more numbers than sections")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CellSpec, Description, Kind, Width, WriterOptions};

    /// What entry `n` of a part stands for; parts have palettes of their own.
    fn value(part: u32, n: u64) -> u32 {
        part * 1000 + (n * n % 300) as u32
    }

    fn part(folder: &std::path::Path, part: u32, entries: u64, damaged: bool) -> Table {
        let path = folder.join(format!("{part}.ftb"));
        let options = WriterOptions { level: 1, block_len: 512 };
        let mut writer =
            TableWriter::create(&path, Description::new("high", "KPvK", "result"), options)
                .unwrap();
        let palette = (0..300).map(|n| part * 1000 + n).collect();
        let spec = CellSpec::new("white", entries, Width::Two).with_palette(palette).in_slices(90);
        writer
            .cells(spec, |range, bytes| {
                for (n, entry) in range.zip(bytes.chunks_exact_mut(2)) {
                    let entry_value = (value(part, n) - part * 1000) as u16;
                    entry.copy_from_slice(&entry_value.to_le_bytes());
                }
            })
            .unwrap();
        writer.finish().unwrap();
        if damaged {
            let mut bytes = std::fs::read(&path).unwrap();
            let at = bytes.len() / 2;
            bytes[at] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
        Table::open(path).unwrap()
    }

    fn joined(folder: &std::path::Path, parts: &[Table]) -> Result<Table, TableError> {
        let path = folder.join("KPvK.ftb");
        let description = Description::new("high", "KPvK", "result");
        let mut writer = TableWriter::create(&path, description, WriterOptions::default())?;
        parts.iter().try_for_each(|part| writer.append(part))?;
        writer.finish()?;
        Table::open(path)
    }

    #[test]
    fn parts_are_read_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = [900, 450, 1170];
        let parts: Vec<Table> =
            (0..).zip(sizes).map(|(n, entries)| part(folder.path(), n, entries, false)).collect();
        let table = joined(folder.path(), &parts).unwrap();
        table.check().unwrap();
        let cells = table.stretches("white").unwrap();
        assert_eq!(cells.entries(), sizes.iter().sum::<u64>());
        let mut at = 0;
        for (part, entries) in (0..).zip(sizes) {
            for n in 0..entries {
                assert_eq!(cells.get(at + n).unwrap(), value(part, n));
            }
            at += entries;
        }
        assert!(cells.get(at).is_err());
        // Blocks keep slices of 90 entries together: two of them in 512 bytes.
        let sections = table.header().sections.iter().filter(|s| s.kind == Kind::Cells);
        assert!(sections.clone().all(|section| section.block == 180) && sections.count() == 3);
        let error = table.cells("white").unwrap_err().to_string();
        assert!(error.contains("several stretches"), "{error}");
    }

    #[test]
    fn damage_is_noticed_on_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let parts = [part(folder.path(), 0, 900, false), part(folder.path(), 1, 900, true)];
        let error = joined(folder.path(), &parts).unwrap_err().to_string();
        assert!(error.contains("1.ftb is damaged"), "{error}");
        assert!(!folder.path().join("KPvK.ftb").exists());
    }
}

//! Any bytes as a table file: errors are fine, panics and runaway memory are not.

#![no_main]

use finale::table::{Kind, Table};
use libfuzzer_sys::fuzz_target;

/// Sections beyond this size unpacked are read by cells only.
const READ_ALL: u64 = 1 << 24;

fuzz_target!(|bytes: &[u8]| {
    let Ok(table) = Table::from_bytes("fuzz.ftb", bytes.to_vec()) else {
        return;
    };
    let checked = table.check();
    for section in &table.header().sections {
        let whole = section.entries <= READ_ALL;
        match section.kind {
            Kind::Blob if whole => {
                let read = table.blob(&section.name, section.entries);
                assert!(checked.is_err() || read.is_ok());
            }
            Kind::Blob => {}
            Kind::Cells => {
                let Ok(cells) = table.cells(&section.name) else {
                    continue;
                };
                let last = section.entries.saturating_sub(1);
                for index in [0, section.block, last / 2, last] {
                    let read = cells.get(index);
                    assert!(checked.is_err() || index >= section.entries || read.is_ok());
                }
                assert!(cells.get(section.entries).is_err());
                if whole {
                    assert!(checked.is_err() || cells.read_all().is_ok());
                }
            }
        }
    }
});

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
                // All stretches of the name, once for each of them.
                let Ok(stretches) = table.stretches(&section.name) else {
                    continue;
                };
                let (entries, last) = (stretches.entries(), stretches.entries().saturating_sub(1));
                for index in [0, section.block, last / 2, last] {
                    let read = stretches.get(index);
                    assert!(checked.is_err() || index >= entries || read.is_ok());
                }
                assert!(stretches.get(entries).is_err());
                if entries <= READ_ALL {
                    let mut read = stretches.iter().map(|(_, cells)| cells.read_all());
                    assert!(read.all(|read| checked.is_err() || read.is_ok()));
                }
            }
        }
    }
});

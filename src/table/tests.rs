use std::{
    fs,
    io::Write,
    ops::Range,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

use super::{
    header::{INDEX_ENTRY_LEN, PROLOGUE_LEN, Prologue},
    writer::is_like,
    *,
};

const SMALL: WriterOptions = WriterOptions { level: 3, block_len: 64 };

/// A number that is hard to guess from its neighbours, below `limit`.
fn noise(index: u64, limit: u64) -> u32 {
    (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % limit as u32
}

fn fill(width: Width, value: impl Fn(u64) -> u32 + Sync) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    move |entries, bytes| {
        for (entry, bytes) in entries.zip(bytes.chunks_exact_mut(width.bytes())) {
            bytes.copy_from_slice(&value(entry).to_le_bytes()[..width.bytes()]);
        }
    }
}

fn written(build: impl FnOnce(&mut TableWriter)) -> Vec<u8> {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("KvK.ftb");
    let mut writer =
        TableWriter::create(&path, Description::new("high", "KvK", "result"), SMALL).unwrap();
    build(&mut writer);
    let size = writer.finish().unwrap();
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes.len() as u64, size);
    bytes
}

/// 300 cells in five blocks, 100 with a palette in two, and a blob.
fn sample() -> Vec<u8> {
    written(|writer| {
        let white = CellSpec::new("white", 300, Width::One);
        writer.cells(white, fill(Width::One, |n| noise(n, 5))).unwrap();
        let black = CellSpec::new("black", 100, Width::One).with_palette(vec![7, 0, 70_000]);
        writer.cells(black, fill(Width::One, |n| noise(n, 3))).unwrap();
        writer.blob("histories", b"one history, two histories").unwrap();
        writer.meta().insert("longest".to_owned(), json!(33));
    })
}

fn open(bytes: Vec<u8>) -> Result<Table, TableError> {
    Table::from_bytes("KvK.ftb", bytes)
}

/// The bytes with another header, its checksum set right.
fn with_header(bytes: &[u8], change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let mut header = open(bytes.to_vec()).unwrap().header().clone();
    change(&mut header);
    let json = serde_json::to_vec(&header).unwrap();
    with_json(bytes, &json)
}

fn with_json(bytes: &[u8], json: &[u8]) -> Vec<u8> {
    let old = Prologue::from_bytes(bytes.first_chunk().unwrap());
    let prologue = Prologue::new(old.header_offset, json);
    let mut changed = bytes[..old.header_offset as usize].to_vec();
    changed[..PROLOGUE_LEN].copy_from_slice(&prologue.to_bytes());
    changed.extend(json);
    changed
}

fn message(bytes: Vec<u8>) -> String {
    let checked = open(bytes).and_then(|table| table.check());
    checked.unwrap_err().to_string()
}

fn damage(place: &str, problem: &str) -> String {
    format!("KvK.ftb is damaged ({place}: {problem})")
}

#[test]
fn what_is_written_is_read() {
    let table = open(sample()).unwrap();
    table.check().unwrap();
    let header = table.header();
    assert_eq!((header.game.as_str(), header.material.as_str()), ("high", "KvK"));
    assert_eq!(header.meta["longest"], 33);
    assert_eq!(header.sections[0].blocks(), 5);
    // The cells take 400 bytes, and the blob 26.
    for table in [table.clone(), table.clone().held(425), table.clone().held(426)] {
        let (white, black) = (table.cells("white").unwrap(), table.cells("black").unwrap());
        // Blocks that are held come from memory from the second time on.
        for n in (0..300).chain(0..300) {
            assert_eq!(white.get(n).unwrap(), noise(n, 5));
        }
        for n in 0..100 {
            assert_eq!(black.get(n).unwrap(), [7, 0, 70_000][noise(n, 3) as usize]);
        }
        let raw: Vec<u8> = (0..100).map(|n| noise(n, 3) as u8).collect();
        assert_eq!(black.read_all().unwrap(), raw);
        let mut part = [0; 80];
        black.read_from(20, &mut part).unwrap();
        assert_eq!(part, raw[20..]);
    }
    assert_eq!(table.blob("histories", 26).unwrap(), b"one history, two histories");
}

/// Cells whose numbers are a pair of different squares of eight, the lower first, and a digit of
/// five; three slices of them.
fn in_another_order(order: &[usize]) -> Vec<u8> {
    let pairs = Digit::counting("pairs", vec![8, 8], |pair| pair / 8 < pair % 8);
    let digits = [pairs, Digit::plain(5)];
    let map = DigitMap::new(&digits, order);
    written(|writer| {
        for name in ["white", "black"] {
            let spec = CellSpec::new(name, 3 * 28 * 5, Width::Two).with_palette((0..400).collect());
            let spec = spec.in_slices(map.slice_places()).in_order(digits.to_vec(), order);
            let told = |places: Range<u64>, entries: &mut DontCareRanges| {
                map.each_number(places, |number| match number {
                    Some(number) => entries.exactly(noise(number, 400)),
                    None => entries.anything(),
                });
            };
            assert!(writer.trial(&spec, told).unwrap() > 0);
            writer.choices(spec, told).unwrap();
        }
    })
}

#[test]
fn entries_in_another_order_are_read_by_their_numbers() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let table = open(in_another_order(&order)).unwrap();
        table.check().unwrap();
        let raw: Vec<u8> = (0..420).flat_map(|n| (noise(n, 400) as u16).to_le_bytes()).collect();
        for name in ["white", "black"] {
            let cells = table.cells(name).unwrap();
            assert_eq!((cells.entries(), cells.section().places()), (420, 3 * 64 * 5));
            assert!((0..420).all(|n| cells.get(n).unwrap() == noise(n, 400)));
            assert!(cells.get(420).is_err());
            assert_eq!(cells.read_all().unwrap(), raw);
            let mut part = [0; 300];
            cells.read_from(77, &mut part).unwrap();
            assert_eq!(part, raw[2 * 77..][..300]);
            assert!(cells.read_from(400, &mut part).is_err());
        }
        // Both sections share what tells which pairs there are.
        let sections = table.header().sections.iter();
        assert_eq!(sections.filter(|section| section.name.starts_with("pairs")).count(), 1);
        // Joined twice, each part has its own.
        let twice = written(|writer| {
            writer.append(&table).unwrap();
            writer.append(&table).unwrap();
        });
        let twice = open(twice).unwrap().stretches("black").unwrap();
        assert!((0..840).all(|n| twice.get(n).unwrap() == noise(n % 420, 400)));
    }
}

#[test]
fn wrong_orders_are_named() {
    let bytes = in_another_order(&[2, 1, 0]);
    let name = |change: &dyn Fn(&mut Section)| {
        message(with_header(&bytes, |header| {
            header.sections.iter_mut().filter(|s| s.name == "white").for_each(change);
        }))
    };
    let problem = "its digits do not make 421 entries";
    assert_eq!(name(&|section| section.entries = 421), damage("section `white`", problem));
    // The section of bits is there, but they are others.
    let table = open(with_header(&bytes, |header| header.sections[0].entries = 7)).unwrap();
    let error = table.cells("white").unwrap_err().to_string();
    assert!(error.starts_with("KvK.ftb is damaged"), "{error}");
    let table = open(with_header(&bytes, |header| header.sections[0].name = "p".into())).unwrap();
    let error = table.cells("white").unwrap_err().to_string();
    assert!(error.contains("no section `pairs`"), "{error}");
}

#[test]
fn a_long_palette_is_a_blob() {
    let values: Vec<u32> = (0..1000).map(|n| n * 1_000_003).collect();
    let bytes = written(|writer| {
        let spec = CellSpec::new("white", 5000, Width::Two).with_palette(values.clone());
        writer.cells(spec, fill(Width::Two, |n| noise(n, 1000))).unwrap();
    });
    let table = open(bytes).unwrap();
    table.check().unwrap();
    let white = table.cells("white").unwrap();
    assert_eq!(white.palette(), Some(&values[..]));
    for n in 0..5000 {
        assert_eq!(white.get(n).unwrap(), values[noise(n, 1000) as usize]);
    }
}

#[test]
fn a_blob_of_many_blocks() {
    let content: Vec<u8> = (0..3_000_001).map(|n| noise(n, 11) as u8).collect();
    let bytes = written(|writer| writer.blob("lines", &content).unwrap());
    assert_eq!(open(bytes).unwrap().blob("lines", u64::MAX).unwrap(), content);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn round_trip_around_block_borders(
        width in prop_oneof![Just(Width::One), Just(Width::Two), Just(Width::Four)],
        blocks in 0_u64..5,
        border in -2_i64..=2,
        bits in 2_u32..9,
        limit in 1_u64..=256,
    ) {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("KvK.ftb");
        let options = WriterOptions { level: 1, block_len: 1 << bits };
        let block = (1_u64 << bits) / width.bytes() as u64;
        let entries = (blocks * block).saturating_add_signed(border);
        let mut writer = TableWriter::create(&path, Description::default(), options).unwrap();
        let value = |n| noise(n, limit) << (8 * (width.bytes() - 1));
        writer.cells(CellSpec::new("c", entries, width), fill(width, value)).unwrap();
        writer.finish().unwrap();

        let table = Table::open(&path).unwrap();
        table.check().unwrap();
        let cells = table.cells("c").unwrap();
        let mut raw: Vec<u8> = Vec::new();
        for n in 0..entries {
            prop_assert_eq!(cells.get(n).unwrap(), value(n));
            raw.extend(&value(n).to_le_bytes()[..width.bytes()]);
        }
        prop_assert!(cells.get(entries).is_err());
        prop_assert_eq!(&cells.read_all().unwrap(), &raw);
        let mut into = vec![0; raw.len()];
        cells.read_from(0, &mut into).unwrap();
        prop_assert_eq!(into, raw);
    }

    #[test]
    fn bytes_at_random_are_no_table(mut bytes: Vec<u8>, magic: bool) {
        if magic {
            bytes.splice(..0, *b"\x89FTB\r\n\x1a\n\x01\x00\x00\x00");
        }
        prop_assert!(open(bytes).is_err());
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let good = sample();
    for bit in 0..good.len() * 8 {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(table) = open(bytes) else { continue };
        assert!(table.check().is_err(), "bit {bit}");
        // Whatever can still be read is right.
        let white = table.cells("white").unwrap();
        let black = table.cells("black").unwrap();
        for n in 0..300 {
            assert!(white.get(n).is_err() || white.get(n).unwrap() == noise(n, 5));
        }
        for n in 0..100 {
            let right = [7, 0, 70_000][noise(n, 3) as usize];
            assert!(black.get(n).is_err() || black.get(n).unwrap() == right);
        }
        let blob = table.blob("histories", 26);
        assert!(blob.is_err() || blob.unwrap() == b"one history, two histories");
    }
}

#[test]
fn every_truncation_is_noticed() {
    let good = sample();
    for length in 0..good.len() {
        let expected = if length < PROLOGUE_LEN { PROLOGUE_LEN } else { good.len() };
        let error = format!("KvK.ftb is damaged ({length} bytes long instead of {expected})");
        assert_eq!(message(good[..length].to_vec()), error);
    }
}

#[test]
fn an_extension_is_noticed() {
    let mut bytes = sample();
    let length = bytes.len();
    bytes.push(0);
    assert_eq!(
        message(bytes),
        format!("KvK.ftb is damaged ({} bytes long instead of {length})", length + 1)
    );
}

#[test]
fn another_magic_is_named() {
    let mut bytes = sample();
    bytes[0] = b'P';
    assert_eq!(message(bytes), "KvK.ftb is not a table file");
}

#[test]
fn a_newer_version_is_named() {
    let mut bytes = sample();
    bytes[8] += 1;
    let (theirs, ours) = (FORMAT_VERSION + 1, FORMAT_VERSION);
    let made = |age: &str, format: u16| {
        format!(
            "KvK.ftb was made by {age} finale: it has format {format}, and this one reads {ours}"
        )
    };
    assert_eq!(message(bytes.clone()), made("a newer", theirs));
    bytes[8] -= 2;
    assert_eq!(message(bytes), made("an older", ours - 1));
}

#[test]
fn optional_members_are_skipped_and_others_refused() {
    let good = sample();
    let with_member = |name: &str| {
        let mut bytes = with_header(&good, |header| {
            header.others.insert(name.to_owned(), json!([1, 2]));
            for section in &mut header.sections {
                section.others.insert(name.to_owned(), json!({ "any": "thing" }));
            }
        });
        // Written by a program of a higher minor number.
        let mut prologue = Prologue::from_bytes(bytes.first_chunk().unwrap());
        prologue.minor = 7;
        prologue.crc = prologue.checksum(&bytes[prologue.header_offset as usize..]);
        bytes[..PROLOGUE_LEN].copy_from_slice(&prologue.to_bytes());
        bytes
    };
    let cells = |bytes| open(bytes).unwrap().cells("white").unwrap().read_all().unwrap();
    assert_eq!(cells(with_member("?more")), cells(good.clone()));
    assert_eq!(message(with_member("more")), damage("header", "its member `more` is unknown"));
    let in_section = with_header(&good, |header| {
        header.sections[1].others.insert("more".to_owned(), json!(1));
    });
    assert_eq!(message(in_section), damage("section `black`", "its member `more` is unknown"));
}

#[test]
fn impossible_headers_are_named() {
    let good = sample();
    let mut bytes = good.clone();
    bytes[16..24].copy_from_slice(&8_u64.to_le_bytes());
    bytes[24..32].copy_from_slice(&(good.len() as u64 - 8).to_le_bytes());
    let problem = format!("a header of {} bytes at 8 cannot be", good.len() - 8);
    assert_eq!(message(bytes), damage("prologue", &problem));

    let mut bytes = good.clone();
    bytes[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(message(bytes).contains("bytes long instead of 18446744073709551615"));

    let mut bytes = good.clone();
    *bytes.last_mut().unwrap() ^= 4;
    assert_eq!(message(bytes), damage("header", "checksum does not match"));

    assert!(message(with_json(&good, b"{}")).contains("header: it cannot be read, missing field"));
    let deep = [b'['; 100_000];
    assert!(message(with_json(&good, &deep)).contains("header: it cannot be read"));
}

#[test]
fn impossible_sections_are_named() {
    type Change = fn(&mut Section);
    let good = open(sample()).unwrap().header().sections[1].clone();
    let cases: [(Change, &str, String); 10] = [
        (
            |s| s.entries = u64::MAX,
            "black",
            format!("{} bytes are too few for {} entries", good.length, u64::MAX),
        ),
        (|s| s.block = 0, "black", "blocks of no entries".to_owned()),
        (
            |s| s.block = 1 << 21,
            "black",
            "blocks of 2097152 entries are larger than 1048576 bytes".to_owned(),
        ),
        (|s| s.offset = 0, "black", format!("it begins at 0 instead of {}", good.offset)),
        (|s| s.length = u64::MAX, "black", "it is longer than the file".to_owned()),
        (
            |s| s.kind = Kind::Blob,
            "black",
            "a blob has width 1, no palette and no digits".to_owned(),
        ),
        (
            |s| s.name = "histories".to_owned(),
            "histories",
            "its name stands there twice".to_owned(),
        ),
        (
            |s| s.palette = Some(Palette::Blob("x".to_owned())),
            "black",
            "its palette `x` is missing".to_owned(),
        ),
        (
            |s| {
                s.entries = 2;
                s.block = 64;
                s.length = 12;
            },
            "black",
            "its palette has 3 values, of which it can name 2".to_owned(),
        ),
        (
            |s| s.palette = Some(Palette::Blob("histories".to_owned())),
            "black",
            "its palette has 26 bytes".to_owned(),
        ),
    ];
    for (change, section, problem) in cases {
        let bytes = with_header(&sample(), |header| change(&mut header.sections[1]));
        assert_eq!(message(bytes), damage(&format!("section `{section}`"), &problem));
    }
    let bytes = with_header(&sample(), |header| header.sections.truncate(1));
    assert!(message(bytes).contains("(header: the sections end at "));
}

#[test]
fn damaged_blocks_and_indexes_are_named() {
    let good = sample();
    let white = open(good.clone()).unwrap().header().sections[0].clone();
    let index = (white.offset + white.length) as usize - 5 * INDEX_ENTRY_LEN;

    let mut bytes = good.clone();
    bytes[index - 1] ^= 1;
    assert_eq!(message(bytes), damage("block 4 of section `white`", "checksum does not match"));

    let mut bytes = good.clone();
    bytes[index + 3] ^= 1;
    let place = "block index of section `white`";
    assert_eq!(message(bytes), damage(place, "checksum does not match"));

    // The same with a checksum that a forger set right.
    let forge = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = good.clone();
        change(&mut bytes[index..index + 5 * INDEX_ENTRY_LEN]);
        let crc = crc32fast::hash(&bytes[index..index + 5 * INDEX_ENTRY_LEN]);
        let json = {
            let mut header = open(good.clone()).unwrap().header().clone();
            header.sections[0].index_crc = crc;
            serde_json::to_vec(&header).unwrap()
        };
        message(with_json(&bytes, &json))
    };
    let backwards = forge(&|index| index[INDEX_ENTRY_LEN..][..8].fill(0));
    assert_eq!(backwards, damage(place, "a block ends before it begins"));
    let gap = forge(&|index| index[4 * INDEX_ENTRY_LEN] -= 1);
    assert_eq!(gap, damage(place, "the blocks do not fill the section"));
    // The last end at the very end of what 64 bits can say.
    let far = forge(&|index| index[4 * INDEX_ENTRY_LEN..][..8].fill(0xff));
    assert_eq!(far, damage(place, "a block is longer than packing makes it"));
    let empty = forge(&|index| index.copy_within(..8, INDEX_ENTRY_LEN));
    assert_eq!(empty, damage(place, "a block ends before it begins"));

    // Fewer entries than the last block holds.
    let bytes = with_header(&good, |header| header.sections[0].entries = 299);
    let error = message(bytes);
    assert!(error.contains("block 4 of section `white`: it cannot be unpacked"), "{error}");
    let bytes = with_header(&good, |header| header.sections[0].entries = 301);
    assert_eq!(
        message(bytes),
        damage("block 4 of section `white`", "44 bytes unpacked instead of 45")
    );
}

#[test]
fn entries_outside_the_palette_are_named() {
    let bytes = with_header(&sample(), |header| {
        header.sections[1].palette = Some(Palette::Values(vec![7, 0]));
    });
    let black = open(bytes.clone()).unwrap().cells("black").unwrap();
    let bad = (0..100).find(|&n| noise(n, 3) == 2).unwrap();
    let error = damage("section `black`", "entry 2 is not in the palette");
    assert_eq!(black.get(bad).unwrap_err().to_string(), error);
    assert_eq!(message(bytes), error);
}

#[test]
fn wrong_questions_are_named() {
    let table = open(sample()).unwrap();
    assert_eq!(
        table.cells("red").unwrap_err().to_string(),
        "KvK.ftb has no section `red` of cells; it has `white` (cells), `black` (cells), \
         `histories` (blob)"
    );
    assert!(table.blob("white", u64::MAX).is_err());
    assert_eq!(
        table.blob("histories", 25).unwrap_err().to_string(),
        damage("section `histories`", "26 bytes, of which at most 25 make sense")
    );
    let cells = table.cells("white").unwrap();
    assert_eq!(
        cells.get(300).unwrap_err().to_string(),
        "entry 300 of section `white` in KvK.ftb: it has 300 entries"
    );
    let width = cells.section().width.bytes();
    assert!(cells.read_from(1, &mut vec![0; 300 * width]).is_err());
}

#[test]
fn the_writer_refuses_what_the_format_does() {
    written(|writer| {
        writer.blob("a", b"").unwrap();
        let twice = writer.blob("a", b"").unwrap_err().to_string();
        assert!(twice.ends_with("KvK.ftb: there is one of this name already"), "{twice}");
        let spec = CellSpec::new("b", 10, Width::One).with_palette(vec![1, 2]);
        let error = writer.cells(spec, fill(Width::One, |n| n as u32)).unwrap_err().to_string();
        assert!(error.ends_with("is not in the palette"), "{error}");
    });
}

#[test]
fn a_small_cache_only_costs_time() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("KvK.ftb");
    fs::write(&path, sample()).unwrap();
    let cache = BlockCache::new(200);
    let tables: Vec<_> = (0..3).map(|_| Table::open_with(&path, &cache).unwrap()).collect();
    std::thread::scope(|scope| {
        for table in &tables {
            scope.spawn(|| {
                let cells = table.cells("white").unwrap();
                for n in 0..10_000 {
                    let n = u64::from(noise(n, 300));
                    assert_eq!(cells.get(n).unwrap(), noise(n, 5));
                }
            });
        }
    });
    assert!(cache.bytes() <= 200);
}

/// A table in a file whose blocks none has read yet.
fn unread() -> (TempDir, PathBuf, Table) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("KvK.ftb");
    fs::write(&path, sample()).unwrap();
    let table = Table::open(&path).unwrap();
    (dir, path, table)
}

#[test]
fn a_table_cut_while_open_is_an_error() {
    for length in [0, 40] {
        let (_dir, path, table) = unread();
        let (white, black) = (table.cells("white").unwrap(), table.cells("black").unwrap());
        let known = white.get(5).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        assert_eq!(white.get(5).unwrap(), known, "what was read stays");
        let error = "the file ends before it, though it was longer when opened";
        let place = "block 0 of section `black`";
        assert!(black.get(0).unwrap_err().to_string().contains(&format!("({place}: {error})")));
        assert!(table.check().is_err());
    }
}

#[test]
fn a_table_written_over_while_open_is_an_error() {
    let (_dir, path, table) = unread();
    let other = written(|writer| {
        let white = CellSpec::new("white", 300, Width::One);
        writer.cells(white, fill(Width::One, |n| noise(n, 6))).unwrap();
    });
    fs::write(&path, other).unwrap();
    let error = table.cells("white").unwrap().get(0).unwrap_err().to_string();
    assert!(error.contains("(block 0 of section `white`: checksum does not match)"), "{error}");
}

#[test]
fn only_files_are_tables() {
    let dir = TempDir::new().unwrap();
    let error = Table::open(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("is a folder, not a table file"), "{error}");
    // A pipe without a writer, of which opening would wait for ever.
    #[cfg(unix)]
    {
        let pipe = dir.path().join("KvK.ftb");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(Table::open(&pipe), Err(TableError::NotATable { .. })));
    }
}

#[test]
fn palettes_name_what_cells_can() {
    // 300 values, though one byte names 256 of them.
    let long = written(|writer| {
        let spec = CellSpec::new("white", 300, Width::Two).with_palette((0..300).collect());
        writer.cells(spec, fill(Width::Two, |n| n as u32)).unwrap();
    });
    let narrow = with_header(&long, |header| {
        let white = &mut header.sections[1];
        white.width = Width::One;
    });
    let problem = "its palette has 300 values, of which it can name 256";
    assert_eq!(message(narrow), damage("section `white`", problem));
    written(|writer| {
        for (entries, most) in [(500, 256), (100, 100)] {
            let spec = CellSpec::new("w", entries, Width::One).with_palette((0..300).collect());
            let error = writer.cells(spec, fill(Width::One, |_| 0)).unwrap_err().to_string();
            assert!(error.ends_with(&format!("its palette has at most {most} values")), "{error}");
        }
    });
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn begin(path: &Path) -> TableWriter {
    TableWriter::create(path, Description::new("high", "KvK", "result"), SMALL).unwrap()
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let dir = TempDir::new().unwrap();
    let mut writer = begin(&dir.path().join("KvK.ftb"));
    writer.blob("a", &[1; 1000]).unwrap();
    assert_eq!(names(dir.path()).len(), 1);
    drop(writer);
    assert!(names(dir.path()).is_empty());
}

#[test]
fn leftovers_go_but_living_builds_stay() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("KvK.ftb");
    for name in [".KvK.ftb.abcdefgh.tmp", ".KQvK.ftb.abcdefgh.tmp", ".KvK.ftb.abc.tmp", "KvK.tmp"] {
        fs::write(dir.path().join(name), "half").unwrap();
    }
    let other = begin(&path);
    let mut writer = begin(&path);
    writer.blob("a", b"a").unwrap();
    writer.finish().unwrap();
    let left = [".KvK.ftb.abc.tmp", "KvK.ftb", "KvK.tmp"];
    // A writer looks after its own table; somebody else's goes when a plan begins.
    let others = names(dir.path()).len() - left.len();
    assert_eq!(others, 2, "the other writer's file lives, and another table's leftover");
    remove_leftovers(dir.path());
    assert_eq!(names(dir.path()).len(), left.len() + 1, "the other writer's file lives");
    other.finish().unwrap();
    assert_eq!(names(dir.path()), left);
    Table::open(&path).unwrap();
}

#[test]
fn many_writers_of_one_table_do_no_harm() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("deep/KvK.ftb");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let mut writer = begin(&path);
                    let spec = CellSpec::new("white", 5000, Width::Four);
                    writer.cells(spec, fill(Width::Four, |n| noise(n, 9))).unwrap();
                    writer.finish().unwrap();
                    Table::open(&path).unwrap().check().unwrap();
                }
            });
        }
    });
    assert_eq!(names(path.parent().unwrap()), ["KvK.ftb"]);
}

#[test]
fn files_are_alike_that_have_the_same_bytes() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("one");
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| noise(n.into(), 251) as u8).collect();
    fs::write(&path, &bytes).unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    for (other, expected) in [(&bytes[..], true), (&bytes[1..], false), (&changed, false)] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(other).unwrap();
        assert_eq!(is_like(&path, &mut file).unwrap(), expected);
    }
    let mut file = tempfile::tempfile().unwrap();
    assert!(is_like(&dir.path().join("none"), &mut file).is_err());
}

#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let path: PathBuf = file.join("high").join("KvK.ftb");
    let error = TableWriter::create(&path, Description::default(), SMALL).unwrap_err();
    let folder = file.join("high");
    assert_eq!(error.to_string(), format!("cannot create directory {}", folder.display()));

    let none = dir.path().join("none.ftb");
    let error = Table::open(&none).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot open {}", none.display()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_taken_is_named() {
    use std::os::unix::fs::symlink;
    // Everything up to the rename works.
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("KvK.ftb");
    fs::create_dir(&path).unwrap();
    let error = begin(&path).finish().unwrap_err();
    assert_eq!(error.to_string(), format!("cannot rename the finished file to {}", path.display()));
    assert_eq!(names(dir.path()), ["KvK.ftb"]);

    // A directory in which nothing can be made, even by the superuser.
    let link = dir.path().join("proc");
    symlink("/proc/self", &link).unwrap();
    let error = TableWriter::create(link.join("KvK.ftb"), Description::default(), SMALL);
    assert_eq!(
        error.unwrap_err().to_string(),
        format!("cannot create a file in directory {}", link.display())
    );
}

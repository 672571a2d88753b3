//! Damaged files: what can still be read is right.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use fastrand::Rng;

use crate::{Outcomes, Round, sound::contents};

/// The bytes of all tables in a folder, by their path below it. Large ones are left out: they
/// would only make rounds slower.
pub fn shipped(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    const LARGEST: u64 = 1 << 16;
    let mut tables = BTreeMap::new();
    let entries = |path: &Path| fs::read_dir(path).expect("a folder of tables").flatten();
    for game in entries(folder).filter(|entry| entry.path().is_dir()) {
        for table in entries(&game.path()) {
            let path = table.path();
            let fits = table.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST);
            if fits && path.extension().is_some_and(|extension| extension == "ftb") {
                let name = path.strip_prefix(folder).expect("it is below").to_owned();
                tables.insert(name, fs::read(&path).expect("a table"));
            }
        }
    }
    assert!(!tables.is_empty(), "there are no tables in {}", folder.display());
    tables
}

pub fn round(round: &Round, rng: &mut Rng) -> Outcomes {
    let whole = rng.choice(round.shipped.values()).expect("there are some");
    let mut bytes = whole.clone();
    for _ in 0..rng.u32(1..4) {
        harm(&mut bytes, rng);
    }
    if bytes == *whole {
        return Ok(vec![("unharmed", 1)]);
    }
    match contents(bytes) {
        None => Ok(vec![("refused", 1)]),
        Some(read) => {
            assert!(Some(read) == contents(whole.clone()), "something else was read");
            Ok(vec![("read all the same", 1)])
        }
    }
}

/// Does to some bytes what disks, cables and copies do.
fn harm(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        return;
    }
    let place = rng.usize(..bytes.len());
    let end = bytes.len().min(place + (1 << rng.u32(..14)));
    match rng.u32(..8) {
        0 | 1 => bytes[place] ^= 1 << rng.u32(..8),
        2 => bytes[place] = rng.u8(..),
        3 => bytes.truncate(place),
        4 => bytes[place..end].fill(*rng.choice(&[0, 0xff]).expect("two")),
        5 => bytes[place..end].iter_mut().for_each(|byte| *byte = rng.u8(..)),
        6 => {
            let to = rng.usize(..bytes.len() - (end - place) + 1);
            bytes.copy_within(place..end, to);
        }
        _ => {
            let piece = bytes[place..end].to_vec();
            let to = rng.usize(..=bytes.len());
            bytes.splice(to..to, piece);
        }
    }
}

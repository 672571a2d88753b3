//! Forged tables: changed, with fitting checksums. Half of the rounds change what a table says,
//! and ask it everything; half change how it says it, and read it.

use std::fs;

use fastrand::Rng;
use finale::{
    index::Material,
    probe::Tablebase,
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
};
use serde_json::Value;

use crate::{
    Outcomes, Round,
    forge::{Asked, Change, ask},
    seal::{header, sealed},
    sound::contents,
};

pub fn round(round: &Round, rng: &mut Rng) -> Outcomes {
    if rng.bool() { told(round, rng) } else { laid_out(round, rng) }
}

/// Changes numbers in the header and bytes in the blocks.
fn laid_out(round: &Round, rng: &mut Rng) -> Outcomes {
    let mut table = rng.choice(round.shipped.values()).expect("there are some").clone();
    let mut header = header(&table).expect("a whole table");
    for _ in 0..rng.u32(..3) {
        let place = rng.usize(32..table.len());
        table[place] = rng.u8(..);
    }
    for _ in 0..rng.u32(..3) {
        spoil(&mut header, rng);
    }
    Ok(vec![match contents(sealed(&table, header)) {
        Some(_) => ("layouts read", 1),
        None => ("layouts refused", 1),
    }])
}

/// Changes something in a header: a number, or the palette of a section.
fn spoil(header: &mut Value, rng: &mut Rng) {
    let number = match rng.u32(..4) {
        0 => rng.u64(..20),
        1 => 1 << rng.u32(..64),
        2 => u64::MAX >> rng.u32(..64),
        _ => rng.u64(..5000),
    };
    let Some(sections) = header["sections"].as_array_mut() else { return };
    let Some(section) = rng.choice(sections) else { return };
    let members = ["entries", "width", "block", "offset", "length", "palette", "kind"];
    let member = *rng.choice(&members).expect("some");
    section[member] = match member {
        "palette" if rng.bool() => Value::from(vec![number as u32; rng.usize(..300)]),
        "palette" => "staircases".into(),
        "kind" => "blob".into(),
        _ => number.into(),
    };
}

/// Changes what some cells stand for.
fn told(round: &Round, rng: &mut Rng) -> Outcomes {
    let game = *rng.choice(GameName::all()).expect("some games");
    let asked = game.play(RuleOptions::none(), Forge { round, rng });
    Ok(match asked? {
        None => vec![("games without small tables", 1)],
        Some(asked) => vec![
            ("forged tables", 1),
            ("answers from them", asked.answers as u64),
            ("of these not as before", asked.lies as u64),
        ],
    })
}

struct Forge<'a, 'r> {
    round: &'a Round<'a>,
    rng: &'r mut Rng,
}

impl Task for Forge<'_, '_> {
    type Output = Option<Asked>;

    fn run<G: Complete>(self, game: G) -> Option<Asked> {
        let Forge { round, rng } = self;
        let tables = Tablebase::new(game, &round.args.tables);
        let game = tables.game();
        let small = |path: &&std::path::PathBuf| {
            path.starts_with(game.name()) && round.args.tables.join(path).exists()
        };
        let path = rng.choice(round.shipped.keys().filter(small).collect::<Vec<_>>())?;
        let material: Material = path.file_stem()?.to_str()?.parse().ok()?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The table and what its turns lead to.
        let mut needed = game.needs(&material);
        needed.push(material);
        for material in needed {
            let name = game.table_id(&material, G::CONTENTS[0]).file();
            let to = folder.path().join(&name);
            fs::create_dir_all(to.parent()?).expect("a folder");
            std::os::unix::fs::symlink(round.args.tables.join(name), to).expect("a link");
        }
        let changes: Vec<Change> = (0..rng.u32(1..9))
            .map(|_| Change {
                section: rng.usize(..),
                place: rng.usize(..),
                value: match rng.u32(..11) {
                    0 => rng.u32(..),
                    1 => rng.u32(..64) << 16,
                    _ => rng.u32(..99),
                },
            })
            .collect();
        let places: Vec<u64> = (0..4).map(|_| rng.u64(..)).collect();
        let asked = (&*material.to_string(), G::CONTENTS[0]);
        Some(ask(&tables, folder.path(), asked, &changes, &places))
    }
}

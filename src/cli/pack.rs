//! `finale pack`.

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{
    args::PackArgs,
    build::free_memory,
    games::{ByContents, material, no_tables, play},
    progress::Bar,
    say::say,
    units::{bytes, count},
};
use crate::{
    answer::{Contents, TableId},
    index::Material,
    pack::{Form, Packed},
    probe::{Catalogue, TableDirectories, slashed},
    registry::{Complete, Task},
    solve::{Goal, Maker},
    study::grouped,
    table::BlockCache,
};

/// Writes tables in another form into a folder.
pub fn run(args: PackArgs) -> Result<()> {
    play(&args.game, Pack(&args))
}

struct Pack<'a>(&'a PackArgs);

impl Task for Pack<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Pack(args) = self;
        // Neighbours in one order lie in many blocks of another.
        let memory = args.memory.unwrap_or_else(free_memory);
        let cache = BlockCache::new(memory / 4);
        let from = TableDirectories::new(args.tables.folder("pack")?, cache);
        let into = TableDirectories::new(&args.folder, BlockCache::default());
        let all = ByContents::new(&game, &from);
        let pack = |material: &Material, contents: Contents, bar: &Bar| -> Result<Packed> {
            let form = Form::new(args.sides).contents(contents).level(args.level);
            let form = form.memory(memory / 2);
            Ok(all.preferring(contents).pack(material, &form, &into, bar)?)
        };
        pack_all(&game, &from, args, &pack)
    }
}

/// Packs the tables of a game, each with a way to pack it.
fn pack_all(
    game: &dyn Maker,
    from: &TableDirectories,
    args: &PackArgs,
    pack: &dyn Fn(&Material, Contents, &Bar) -> Result<Packed>,
) -> Result<()> {
    let wanted = wanted(game, from, args)?;
    // The bar tells how far one is.
    if wanted.len() > 1 {
        let positions =
            |&(material, contents): &_| game.size(&Goal::new(game, material, contents)).positions;
        say(format_args!(
            "{} to pack, {} positions",
            count(wanted.len(), "table"),
            grouped(wanted.iter().map(positions).sum())
        ));
    }
    let bar = Bar::new();
    let (mut before, mut after) = (0, 0);
    for (at, (material, contents)) in wanted.iter().enumerate() {
        bar.table(at + 1, wanted.len());
        let packed = pack(material, *contents, &bar);
        bar.clear();
        let packed = packed?;
        (before, after) = (before + packed.from, after + packed.bytes);
        let mut out = io::stdout().lock();
        match args.json {
            true => writeln!(out, "{}", object(&packed))?,
            false => writeln!(out, "{}", words(&packed))?,
        }
    }
    say(format_args!(
        "{} in {}: {} instead of {}",
        count(wanted.len(), "table"),
        args.folder.display(),
        bytes(after),
        bytes(before)
    ));
    Ok(())
}

/// The tables that are to be packed, and what they are to hold.
fn wanted(
    game: &dyn Catalogue,
    from: &TableDirectories,
    args: &PackArgs,
) -> Result<Vec<(Material, Contents)>> {
    let mut there: Vec<(Material, Contents)> = Vec::new();
    for TableId { material, contents, .. } in from.tables(game)? {
        let wanted = (material, args.contents.unwrap_or(contents));
        if !there.contains(&wanted) {
            there.push(wanted);
        }
    }
    if !args.materials.is_empty() {
        let named = |text: &String| -> Result<Material> { Ok(game.named(&material(text)?)?) };
        let named = args.materials.iter().map(named).collect::<Result<Vec<_>>>()?;
        // One that is not there is told when it is opened.
        let usual = args.contents.unwrap_or(game.contents()[0]);
        let lacking = named.iter().filter(|m| !there.iter().any(|(other, _)| other == *m));
        let lacking: Vec<_> = lacking.map(|&material| (material, usual)).collect();
        there.retain(|(material, _)| named.contains(material));
        there.extend(lacking);
    }
    if let Some(contents) = args.contents.filter(|wanted| !game.contents().contains(wanted)) {
        bail!("there are no tables of {contents} for {}", game.name());
    }
    if there.is_empty() {
        return Err(no_tables(&args.game, &args.tables.tables));
    }
    Ok(there)
}

fn words(packed: &Packed) -> String {
    let Packed { id, from, bytes: size, side, was_there } = packed;
    let side = side.map(|side| format!(", {side} to move")).unwrap_or_default();
    let said = match was_there {
        true => "  is there".to_owned(),
        false => format!("  from {:>10}{side}", bytes(*from)),
    };
    format!("{:<16} {:>10}{said}", id.title(), bytes(*size))
}

fn object(packed: &Packed) -> Value {
    let Packed { id, from, bytes, side, was_there } = packed;
    json!({
        "game": id.game,
        "material": id.material.to_string(),
        "contents": id.contents.name(),
        "file": slashed(&id.file()),
        "side": side.map(|side| side.name()),
        "bytes": bytes,
        "from": from,
        "was_there": was_there,
    })
}

//! `finale build`.

use std::{fs, time::Instant};

use anyhow::{Context, Result};

use super::{
    args::{BuildArgs, MakeArgs},
    games::play,
    progress::Bar,
    say::say,
    stop,
};
use crate::{
    answer::materials_with,
    probe::Shelf,
    registry::{Complete, Task},
    solve::{Budget, Plan, Workbench},
    table::{BlockCache, WriterOptions},
};

/// Builds the tables that were asked for.
pub fn run(args: BuildArgs) -> Result<()> {
    play(&args.game, Build(&args))
}

struct Build<'a>(&'a BuildArgs);

impl Task for Build<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Build(args) = self;
        let materials = match args.men {
            Some(men) => materials_with(&game, usize::from(men)),
            None => args.materials.iter().map(|text| Ok(text.parse()?)).collect::<Result<_>>()?,
        };
        let memory = args.make.memory.unwrap_or_else(free_memory);
        let cache = (memory / 8).min(BlockCache::DEFAULT_CAPACITY);
        let shelf = Shelf::new(&args.tables.tables, BlockCache::new(cache));
        let plan = Plan::new(&game, &materials, &shelf)?;
        if args.plan {
            announce(&plan);
            return Ok(());
        }
        build(&game, &plan, &shelf, &args.make)
    }
}

/// Builds what a plan lacks, telling what it does.
pub fn build<G: Complete>(game: &G, plan: &Plan, shelf: &Shelf, make: &MakeArgs) -> Result<()> {
    if plan.missing().next().is_none() {
        // What a killed build left may be of a table that another has finished since.
        plan.remove_leftovers(shelf);
        say(format_args!("nothing to build: {} is there", names(plan.tables.iter())));
        return Ok(());
    }
    let folder = shelf.folder();
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    announce(plan);
    let budget = Budget::new(make.memory.unwrap_or_else(free_memory), folder);
    let bar = Bar::new();
    let options = WriterOptions { level: make.level, ..WriterOptions::default() };
    let part_size = make.part_size;
    let bench = Workbench { shelf, budget: &budget, options, part_size, progress: &bar };
    let start = Instant::now();
    let mut last = start;
    stop::building();
    let result = plan.build(game, &bench, |table| {
        stop::finished(table.id.material.to_string());
        let size = fs::metadata(shelf.path(&table.id)).map_or(0, |file| file.len());
        let took = last.elapsed();
        last = Instant::now();
        bar.say(&format!(
            "{:<10} {:>9}  in {}",
            table.id.material,
            bytes(size),
            seconds(took.as_secs_f64())
        ));
    });
    bar.clear();
    result?;
    say(format_args!("done in {}", seconds(start.elapsed().as_secs_f64())));
    Ok(())
}

/// Says which tables a plan has, how big they are and how long they take.
fn announce(plan: &Plan) {
    for table in &plan.tables {
        let state = if table.exists {
            "is there".to_owned()
        } else {
            format!(
                "{:>15} positions, {:>9} of memory, about {}",
                crate::study::Cell::Count(table.size.positions).to_string(),
                bytes(table.memory),
                seconds(table.size.time.as_secs_f64())
            )
        };
        say(format_args!("{:<10} {state}", table.id.material));
    }
    let time: f64 = plan.missing().map(|table| table.size.time.as_secs_f64()).sum();
    let memory = plan.missing().map(|table| table.memory).max().unwrap_or(0);
    say(format_args!(
        "{} to build: about {} on two cores, about {} of memory",
        count(plan.missing().count(), "table"),
        seconds(time),
        bytes(memory)
    ));
}

fn names<'a>(tables: impl Iterator<Item = &'a crate::solve::PlannedTable>) -> String {
    tables.map(|table| table.id.material.to_string()).collect::<Vec<_>>().join(" ")
}

/// `1 table`, `3 tables`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `512 B`, `1.2 MiB`.
pub fn bytes(n: u64) -> String {
    indicatif::HumanBytes(n).to_string()
}

/// `0.4 s`, `12 s`, `3 min 20 s`.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
    }
}

/// The memory that big arrays may take: most of what is free.
fn free_memory() -> u64 {
    let system = sysinfo::System::new_with_specifics(
        sysinfo::RefreshKind::nothing()
            .with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
    );
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory));
    free / 5 * 4
}

/// Builds the tables that a position and its turns need, if some are missing.
pub fn build_for<G: Complete>(
    game: &G,
    position: &G::Position,
    shelf: &Shelf,
    make: &MakeArgs,
) -> Result<()> {
    let material = game.material_of(position)?;
    let plan = Plan::new(game, &[material], shelf)?;
    if plan.missing().next().is_some() {
        build(game, &plan, shelf, make)?;
    }
    Ok(())
}

//! `finale build`.

use std::{
    fs,
    io::{self, Write},
    time::Instant,
};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{
    args::{BuildArgs, MakeArgs},
    games::{material, play},
    progress::Bar,
    say::say,
    stop,
    units::{bytes, count, seconds},
};
use crate::{
    answer::materials_with,
    index::Material,
    probe::{Shelf, Tablebase},
    registry::{Complete, Task},
    solve::{Budget, BuildStep, Plan, Workbench},
    study::Cell,
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
        let memory = args.make.memory.unwrap_or_else(free_memory);
        let cache = (memory / 8).min(BlockCache::DEFAULT_CAPACITY);
        let shelf = Shelf::new(&args.tables.tables, BlockCache::new(cache));
        let materials = match args.men {
            Some(men) => materials_with(&game, usize::from(men), args.all),
            None if args.materials.is_empty() => {
                Tablebase::on(game.clone(), shelf.clone()).materials()?
            }
            None => args.materials.iter().map(|text| material(text)).collect::<Result<_>>()?,
        };
        let plan = match args.repair {
            true => Plan::repairing(&game, &materials, &shelf)?,
            false => Plan::new(&game, &materials, &shelf)?,
        };
        if args.plan {
            let mut out = io::stdout().lock();
            if args.json {
                writeln!(out, "{}", plan_object(&game, &plan, &shelf))?;
            } else {
                write!(out, "{}", plan_words(&plan))?;
            }
            return Ok(());
        }
        build(&game, &plan, &shelf, &args.make)
    }
}

/// Builds what a plan lacks, saying what it does.
pub fn build<G: Complete>(game: &G, plan: &Plan, shelf: &Shelf, make: &MakeArgs) -> Result<()> {
    say(plan_words(plan).trim_end());
    if plan.missing().next().is_none() {
        // What a killed build left may be of a table that another has finished since.
        plan.remove_leftovers(shelf);
        return Ok(());
    }
    let folder = shelf.folder();
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let budget = Budget::new(make.memory.unwrap_or_else(free_memory), folder);
    let bar = Bar::for_build(plan);
    let options = WriterOptions { level: make.level, ..WriterOptions::default() };
    let part_size = make.part_size;
    let bench = Workbench { shelf, budget: &budget, options, part_size, progress: &bar };
    let start = Instant::now();
    let mut last = start;
    stop::building();
    let result = plan.build(game, &bench, |step| match step {
        BuildStep::Begins(_) => bar.begin_table(),
        BuildStep::Finished(table) => {
            stop::finished(table.id.material.to_string());
            let size = fs::metadata(shelf.path(&table.id)).map_or(0, |file| file.len());
            let took = last.elapsed();
            last = Instant::now();
            bar.say(&format!(
                "{:<10} {:>10}  in {}",
                table.id.material.to_string(),
                bytes(size),
                seconds(took.as_secs_f64())
            ));
        }
    });
    bar.clear();
    result?;
    say(format_args!("done in {}", seconds(start.elapsed().as_secs_f64())));
    Ok(())
}

/// Time, memory and disk space that the missing tables of a plan take.
fn cost(plan: &Plan) -> (f64, u64, u64) {
    let time = plan.missing().map(|table| table.size.time.as_secs_f64()).sum();
    let memory = plan.missing().map(|table| table.memory).max().unwrap_or(0);
    (time, memory, plan.missing().map(|table| table.size.file).sum())
}

/// Which tables a plan has, and what building them takes.
fn plan_words(plan: &Plan) -> String {
    let there = plan.tables.len() - plan.missing().count();
    if there == plan.tables.len() {
        let are = if there == 1 { "is" } else { "are" };
        return format!("nothing to build: {} {are} there\n", count(there, "table"));
    }
    let mut words = String::new();
    for table in &plan.tables {
        let state = if table.exists {
            "is there".to_owned()
        } else {
            format!(
                "{:>15} positions, {:>10} of memory, {:>10} on disk, about {}",
                Cell::Count(table.size.positions).to_string(),
                bytes(table.memory),
                bytes(table.size.file),
                seconds(table.size.time.as_secs_f64())
            )
        };
        words += &format!("{:<10} {state}\n", table.id.material.to_string());
    }
    let (time, memory, file) = cost(plan);
    words
        + &format!(
            "{} to build: about {} on two cores, {} of memory, {} on disk\n",
            count(plan.missing().count(), "table"),
            seconds(time),
            bytes(memory),
            bytes(file),
        )
}

/// The same for programs.
fn plan_object<G: Complete>(game: &G, plan: &Plan, shelf: &Shelf) -> Value {
    let tables: Vec<Value> = plan
        .tables
        .iter()
        .map(|table| {
            let needs: Vec<String> = table.needs.iter().map(Material::to_string).collect();
            let file = fs::metadata(shelf.path(&table.id)).ok().filter(|_| table.exists);
            json!({
                "material": table.id.material.to_string(),
                "exists": table.exists,
                "needs": needs,
                "positions": table.size.positions,
                "memory": table.memory,
                "seconds": table.size.time.as_secs_f64(),
                "bytes": file.map_or(table.size.file, |file| file.len()),
            })
        })
        .collect();
    let (seconds, memory, bytes) = cost(plan);
    json!({
        "game": G::NAME,
        "options": game.options(),
        "tables": tables,
        "seconds": seconds,
        "memory": memory,
        "bytes": bytes,
    })
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

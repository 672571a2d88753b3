//! `finale build`.

use std::{
    fs,
    io::{self, Write},
    time::Instant,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{
    args::{BuildArgs, MakeArgs},
    games::{material, play},
    hints::sentence,
    progress::Bar,
    say::say,
    stop,
    units::{bytes, count, seconds},
    usage::Usage,
};
use crate::{
    answer::{Contents, TableId},
    index::Material,
    pack::{Form, Packed, Sides},
    probe::{Catalogue, TableDirectories, Tablebase, slashed},
    registry::{Complete, Task},
    solve::{
        Budget, BuildStep, Goal, Layout, Maker, Plan, PlannedTable, Workbench, build_part,
        join_parts, one_sided_needs, parts_there,
    },
    study::Cell,
    table::{BlockCache, TableWriter, WriterOptions},
};

/// Builds the tables that were asked for.
pub fn run(args: BuildArgs) -> Result<()> {
    play(&args.game, Build(&args))
}

struct Build<'a>(&'a BuildArgs);

impl Task for Build<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let args = self.0;
        let memory = allowed(&args.make);
        let cache = (memory / 8).min(BlockCache::DEFAULT_CAPACITY);
        let directories =
            TableDirectories::new(args.tables.folder("build")?, BlockCache::new(cache));
        make(&game, &directories, args, &|id, sides| {
            let form = Form::new(sides).level(args.make.level).memory(memory / 2);
            // Opened anew: the files change.
            let tables = Tablebase::on(game.clone(), directories.clone()).preferring(id.contents);
            let bar = Bar::new();
            let packed = tables.pack(&id.material, &form.contents(id.contents), &directories, &bar);
            bar.clear();
            Ok(packed?)
        })
    }
}

/// Writes a table in another form, in its place.
type Repack<'a> = dyn Fn(&TableId, Sides) -> Result<Packed> + 'a;

/// Builds the tables that were asked for, or plans it.
fn make(
    game: &dyn Maker,
    directories: &TableDirectories,
    args: &BuildArgs,
    repack: &Repack<'_>,
) -> Result<()> {
    let materials = match args.men {
        Some(men) => {
            let (men, most) = (usize::from(men), game.most_men());
            if men > most {
                let game = game.name();
                return Err(Usage(format!(
                    "--men {men}: tables of {game} have at most {most} men"
                ))
                .into());
            }
            game.materials(men, args.all)
        }
        None if args.materials.is_empty() => directories.materials(game)?,
        None => args.materials.iter().map(|text| material(text)).collect::<Result<_>>()?,
    };
    if args.part.is_some() || args.join {
        return by_part(game, directories, args);
    }
    let contents = contents(game, &args.make)?;
    let (plan, misplaced) =
        Plan::passing_over(game, &materials, directories, (contents, args.repair))?;
    if args.plan {
        let mut out = io::stdout().lock();
        if args.json {
            writeln!(out, "{}", plan_object(game, &plan, directories, &args.make))?;
        } else {
            write!(out, "{}", plan_words(game, &plan, directories, &args.make))?;
        }
    } else if !plan.tables.is_empty() {
        match args.sides {
            Sides::Both => build(game, &plan, directories, &args.make)?,
            Sides::One => build_one_side(game, &plan, directories, args, repack)?,
        }
    }
    let mut misplaced = misplaced.into_iter();
    let last = misplaced.next_back();
    misplaced
        .for_each(|error| say(format_args!("error: {}", sentence(&error, &args.game.typed()))));
    last.map_or(Ok(()), |error| Err(error.into()))
}

/// Builds what a plan lacks, and keeps one side of it. Tables of one side that others are solved
/// from get the other back as long as that takes.
fn build_one_side(
    game: &dyn Maker,
    plan: &Plan,
    directories: &TableDirectories,
    args: &BuildArgs,
    repack: &Repack<'_>,
) -> Result<()> {
    for table in plan.missing() {
        // One that several need has both sides from the first time on.
        for (id, _) in one_sided_needs(game, &table.goal, directories)? {
            say(format_args!("{} gets its other side back to solve from it", id.title()));
            repack(&id, Sides::Both)?;
        }
    }
    build(game, plan, directories, &args.make)?;
    // All of the plan: a build that was killed may have left some with both sides.
    let packed = plan.tables.iter().map(|table| repack(&table.id, Sides::One));
    let mut packed = packed.collect::<Result<Vec<_>>>()?;
    packed.retain(|packed| !packed.was_there);
    let all = |size: fn(&Packed) -> u64| bytes(packed.iter().map(size).sum());
    let (tables, after) = (count(packed.len(), "table"), all(|packed| packed.bytes));
    say(format_args!("{tables} packed: {after} instead of {}", all(|packed| packed.from)));
    Ok(())
}

/// Builds one part of a table, or puts its parts together.
fn by_part(game: &dyn Maker, directories: &TableDirectories, args: &BuildArgs) -> Result<()> {
    let [text] = &args.materials[..] else {
        bail!("name one material to build a part of, or to join");
    };
    let named = game.named(&material(text)?)?;
    let goal = Goal::new(game, named, contents(game, &args.make)?);
    let budget = budget(directories, &args.make)?;
    let bar = Bar::new();
    let bench = workbench(directories, &budget, &args.make, &bar);
    stop::building();
    let (what, done) = match args.part {
        Some(part) => (format!("{named} {part}"), build_part(game, &goal, part, &bench)),
        None => (named.to_string(), join_parts(game, &goal, &bench)),
    };
    bar.clear();
    match done? {
        true => say(format_args!("{what} is built")),
        false => say(format_args!("nothing to build: {what} is there")),
    }
    Ok(())
}

/// Memory for big arrays, and the folder for what exceeds it, which is made if need be.
fn budget(directories: &TableDirectories, make: &MakeArgs) -> Result<Budget> {
    let folder = directories.folder();
    let scratch = make.scratch.as_deref().unwrap_or(folder);
    for folder in [folder, scratch] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    Ok(Budget::new(allowed(make), scratch))
}

/// How many bytes of memory big arrays may take.
fn allowed(make: &MakeArgs) -> u64 {
    make.memory.unwrap_or_else(free_memory)
}

/// How much the tables are to hold.
fn contents(game: &dyn Catalogue, make: &MakeArgs) -> Result<Contents> {
    let wanted = make.contents.or(make.no_distance.then_some(Contents::Result));
    Ok(game.fitting_contents(wanted)?)
}

fn workbench<'a>(
    directories: &'a TableDirectories,
    budget: &'a Budget,
    make: &MakeArgs,
    progress: &'a Bar,
) -> Workbench<'a> {
    let options = WriterOptions { level: make.level, ..WriterOptions::default() };
    let part_size = make.part_size;
    Workbench { directories, budget, options, part_size, progress }
}

/// Builds what a plan lacks, saying what it does.
pub fn build(
    game: &dyn Maker,
    plan: &Plan,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> Result<()> {
    say(plan_words(game, plan, directories, make).trim_end());
    if plan.missing().next().is_none() {
        // What a killed build left may be of a table that another has finished since.
        plan.remove_leftovers(directories);
        return Ok(());
    }
    let greediest = plan.missing().max_by_key(|table| table.least);
    if let Some(table) = greediest.filter(|table| table.least > allowed(make)) {
        let (name, least) = (table.id.title(), bytes(table.least));
        say(format_args!(
            "{name} needs at least {least} of memory; beyond {} big arrays go to scratch files",
            bytes(allowed(make))
        ));
    }
    let budget = budget(directories, make)?;
    let bar = Bar::for_build(plan);
    let bench = workbench(directories, &budget, make, &bar);
    let start = Instant::now();
    let mut last = start;
    stop::building();
    let result = plan.build(game, &bench, &mut |step| match step {
        BuildStep::Begins(_) => bar.begin_table(),
        BuildStep::Finished(table) => {
            stop::finished(table.id.title());
            let size = fs::metadata(directories.path(&table.id)).map_or(0, |file| file.len());
            let took = last.elapsed();
            last = Instant::now();
            bar.say(&format!(
                "{:<10} {:>10}  in {}",
                table.id.title(),
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

/// The memory that building a table takes: no more than is allowed.
fn memory(table: &PlannedTable, make: &MakeArgs) -> u64 {
    make.memory.map_or(table.memory, |allowed| table.memory.min(allowed))
}

/// The scratch files that building a table takes, if it is known to take some with so much memory.
fn scratch(table: &PlannedTable, allowed: u64) -> Option<u64> {
    table.size.scratch.filter(|_| allowed < table.memory)
}

/// The most that a missing table of a plan is known to take.
fn most_scratch(plan: &Plan, allowed: u64) -> Option<u64> {
    plan.missing().filter_map(|table| scratch(table, allowed)).max()
}

/// What a line about disk space adds about scratch files.
fn scratch_words(scratch: Option<u64>) -> String {
    scratch.map_or(String::new(), |scratch| format!(" and {} in scratch files", bytes(scratch)))
}

/// Time, memory and disk space that the missing tables of a plan take.
fn cost(plan: &Plan, make: &MakeArgs) -> (f64, u64, u64) {
    let time = plan.missing().map(|table| table.size.time.as_secs_f64()).sum();
    let memory = plan.missing().map(|table| memory(table, make)).max().unwrap_or(0);
    (time, memory, plan.missing().map(|table| table.size.file).sum())
}

/// Which tables a plan has, and what building them takes.
fn plan_words(
    game: &dyn Maker,
    plan: &Plan,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> String {
    if plan.tables.is_empty() {
        return String::new();
    }
    let there = plan.tables.len() - plan.missing().count();
    if there == plan.tables.len() {
        let are = if there == 1 { "is" } else { "are" };
        return format!("nothing to build: {} {are} there\n", count(there, "table"));
    }
    let allowed = allowed(make);
    let mut words = String::new();
    for table in &plan.tables {
        let state = if table.exists {
            "is there".to_owned()
        } else {
            format!(
                "{:>15} positions, {:>10} of memory, {:>10} on disk{}, about {}{}",
                Cell::Count(table.size.positions).to_string(),
                bytes(memory(table, make)),
                bytes(table.size.file),
                scratch_words(scratch(table, allowed)),
                seconds(table.size.time.as_secs_f64()),
                match &parts_of(game, table, directories, make).1[..] {
                    [_] => String::new(),
                    parts => {
                        let there = parts.iter().filter(|&&part| part).count();
                        format!("; {there} of {} parts are there", parts.len())
                    }
                }
            )
        };
        words += &format!("{:<10} {state}\n", table.id.title());
    }
    let (time, memory, file) = cost(plan, make);
    words
        + &format!(
            "{} to build: about {} on two cores, {} of memory, {} on disk{}\n",
            count(plan.missing().count(), "table"),
            seconds(time),
            bytes(memory),
            bytes(file),
            scratch_words(most_scratch(plan, allowed)),
        )
}

/// The same for programs.
fn plan_object(
    game: &dyn Maker,
    plan: &Plan,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> Value {
    let allowed = allowed(make);
    let tables: Vec<Value> = plan
        .tables
        .iter()
        .map(|table| {
            let needs: Vec<String> = table.needs.iter().map(Material::to_string).collect();
            let file = fs::metadata(directories.path(&table.id)).ok().filter(|_| table.exists);
            json!({
                "material": table.id.material.to_string(),
                "contents": table.id.contents.name(),
                "file": slashed(&table.id.file()),
                "exists": table.exists,
                "needs": needs,
                "positions": table.size.positions,
                "memory": memory(table, make),
                "seconds": table.size.time.as_secs_f64(),
                "bytes": file.map_or(table.size.file, |file| file.len()),
                "scratch": scratch(table, allowed).filter(|_| !table.exists),
                "parts": parts_object(game, table, directories, make),
            })
        })
        .collect();
    let (seconds, memory, bytes) = cost(plan, make);
    json!({
        "producer": TableWriter::PRODUCER,
        "game": game.name(),
        "options": game.options(),
        "tables": tables,
        "seconds": seconds,
        "memory": memory,
        "bytes": bytes,
        "scratch": most_scratch(plan, allowed),
    })
}

/// The parts of a missing table, and which of them are there.
fn parts_of(
    game: &dyn Maker,
    table: &PlannedTable,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> (Layout, Vec<bool>) {
    parts_there(game, &table.goal, make.part_size, directories)
}

/// The parts of a missing table for programs; none of a table that is there.
fn parts_object(
    game: &dyn Maker,
    table: &PlannedTable,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> Value {
    if table.exists {
        return json!([]);
    }
    let (layout, there) = parts_of(game, table, directories, make);
    let all = layout.parts().last().map_or(1, |last| last.structures.end);
    let parts = layout.parts().iter().zip(there).map(|(part, exists)| {
        let share = part.structures.len() as f64 / all as f64;
        // Those of the group before have needed all others.
        let before = layout.needs(part).filter(|before| before.id.group + 1 == part.id.group);
        let needs = before.map(|part| part.id.to_string());
        json!({
            "part": part.id.to_string(),
            "exists": exists,
            "needs": needs.collect::<Vec<_>>(),
            "positions": (table.size.positions as f64 * share) as u64,
            "memory": memory(table, make),
            "seconds": table.size.time.as_secs_f64() * share,
            "bytes": (table.size.file as f64 * share) as u64,
        })
    });
    Value::Array(parts.collect())
}

/// The memory that big arrays may take: most of what is free.
pub fn free_memory() -> u64 {
    let system = sysinfo::System::new_with_specifics(
        sysinfo::RefreshKind::nothing()
            .with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
    );
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory));
    free / 5 * 4
}

/// Builds the table of a material, and those it needs, if some are missing.
pub fn build_for(
    game: &dyn Maker,
    material: Material,
    directories: &TableDirectories,
    make: &MakeArgs,
) -> Result<()> {
    let plan = Plan::new(game, &[material], directories, contents(game, make)?)?;
    if plan.missing().next().is_some() {
        build(game, &plan, directories, make)?;
    }
    Ok(())
}

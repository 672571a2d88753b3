//! `finale find`.

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use serde_json::{Value, json};

use super::{
    args::{FindArgs, FindFormat},
    csv,
    games::{material, play},
    parquet::ParquetOut,
    progress::Bar,
    say::say,
};
use crate::{
    find::{
        Found, Query, QueryError, Search, Total, find, found_columns, found_fields, found_object,
        names,
    },
    index::Material,
    probe::Tablebase,
    registry::{Complete, Task},
    study::{Cell, best_line},
};

/// Turns of best play that are written at most.
const LONGEST_LINE: usize = 1_000;

/// So many positions are written at a time.
const AT_ONCE: usize = 1 << 12;

/// Finds positions of a table.
pub fn run(args: FindArgs) -> Result<()> {
    play(&args.game, Finding(&args))
}

struct Finding<'a>(&'a FindArgs);

impl Task for Finding<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Finding(args) = self;
        let material = material(&args.material)?;
        let named = game.named(&material)?;
        if named != material {
            say(format_args!("note: {material} is {named} with the colours exchanged"));
        }
        let Some(query) = &args.query else { return list_names(&game, &named) };
        let search = search(args, &game, &named, query)?;
        let tables = args.tables.of(game)?;
        let bar = Bar::new();
        let format = if args.count { FindFormat::Fen } else { args.format };
        let mut out = Output::new(format, &tables, named)?;
        let mut found = Vec::new();
        let total = find(&tables, &named, &search, &bar, &mut |position| {
            found.push(position);
            if found.len() == AT_ONCE {
                bar.clear();
                out.write(&found)?;
                found.clear();
            }
            anyhow::Ok(())
        });
        bar.clear();
        let total = total?;
        if args.count {
            return write_count(args, total);
        }
        out.write(&found)?;
        out.finish()?;
        say(in_words(total));
        Ok(())
    }
}

fn search<G: Complete>(
    args: &FindArgs,
    game: &G,
    named: &Material,
    query: &str,
) -> Result<Search, QueryError> {
    let sort = args.sort.as_ref().map(|sort| Query::number(game, named, sort)).transpose()?;
    Ok(Search {
        query: Query::condition(game, named, query)?,
        limit: if args.count { Some(0) } else { args.limit.map(|limit| limit as usize) },
        sort,
        sample: args.sample.map(|size| (size as usize, args.seed)),
    })
}

fn list_names<G: Complete>(game: &G, named: &Material) -> Result<()> {
    let names = names(game, named);
    let longest = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    for (name, tells) in names {
        writeln!(out, "{}", format!("{name:longest$}  {tells}").trim_end())?;
    }
    Ok(())
}

fn in_words(total: Total) -> String {
    let Total { positions, placements, complete } = total;
    let more = if complete { "" } else { " or more" };
    format!("{}{more} positions, {} placements", Cell::Count(positions), Cell::Count(placements))
}

fn write_count(args: &FindArgs, total: Total) -> Result<()> {
    let mut out = io::stdout().lock();
    match args.format {
        FindFormat::Json => {
            let Total { positions, placements, .. } = total;
            writeln!(out, "{}", json!({ "positions": positions, "placements": placements }))?;
        }
        _ => writeln!(out, "{}", in_words(total))?,
    }
    Ok(())
}

/// What writes the positions that are found.
struct Output<'t, G: Complete> {
    tables: &'t Tablebase<G>,
    named: Material,
    kind: Kind,
}

enum Kind {
    Lines(FindFormat, BufWriter<io::Stdout>),
    Parquet(ParquetOut),
}

impl<'t, G: Complete> Output<'t, G> {
    fn new(format: FindFormat, tables: &'t Tablebase<G>, named: Material) -> Result<Self> {
        let fields = found_fields(tables.game(), &named);
        let mut out = BufWriter::new(io::stdout());
        let kind = match format {
            FindFormat::Csv => {
                csv::write_head(&mut out, &fields)?;
                Kind::Lines(format, out)
            }
            FindFormat::Parquet => Kind::Parquet(ParquetOut::new(Box::new(out), &fields)?),
            FindFormat::Fen | FindFormat::Pgn | FindFormat::Json => Kind::Lines(format, out),
        };
        Ok(Output { tables, named, kind })
    }

    fn write(&mut self, found: &[Found<G>]) -> Result<()> {
        let (game, columns) =
            (self.tables.game(), || found_columns(self.tables.game(), &self.named, found));
        let (format, out) = match &mut self.kind {
            Kind::Lines(format, out) => (*format, out),
            Kind::Parquet(out) => return out.write(&columns()),
        };
        if format == FindFormat::Csv {
            return Ok(csv::write_rows(out, &columns())?);
        }
        for found in found {
            match format {
                FindFormat::Pgn => {
                    let line = best_line(self.tables, &found.position, LONGEST_LINE)?;
                    writeln!(out, "{}", line.pgn(game))?;
                }
                FindFormat::Json => writeln!(out, "{}", Value::Object(found_object(game, found)))?,
                _ => writeln!(out, "{}", game.fen(&found.position))?,
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match self.kind {
            Kind::Lines(_, mut out) => Ok(out.flush()?),
            Kind::Parquet(out) => out.finish(),
        }
    }
}

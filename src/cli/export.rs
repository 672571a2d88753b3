//! `finale export`.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{
    args::{ExportArgs, ExportFormat, SideToMove},
    csv,
    games::{material, play},
    parquet::ParquetOut,
    progress::Bar,
    say::say,
    units::bytes,
};
use crate::{
    board::Color,
    registry::{Complete, Task},
    study::{Cell, ColumnReader, Columns, Field, Selection, table_fields},
};

/// As many numbers of positions are read at once: enough for all cores, and little memory.
const NUMBERS: u64 = 1 << 22;

/// Writes a table as columns.
pub fn run(args: ExportArgs) -> Result<()> {
    play(&args.game, Export(&args))
}

struct Export<'a>(&'a ExportArgs);

impl Task for Export<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Export(args) = self;
        let named = game.named(&material(&args.material)?)?;
        let tables = args.tables.of(game)?;
        let mut fields = table_fields(tables.game(), &named);
        if let Some(names) = &args.columns {
            fields.retain(|field| names.contains(&field.name));
        }
        let bar = Bar::new();
        let side = args.side.map(|side| match side {
            SideToMove::W => Color::White,
            SideToMove::B => Color::Black,
        });
        let selection = Selection { side, names: args.columns.clone(), ..Selection::default() };
        let reader = ColumnReader::open(&tables, &named, &selection, &bar)?.for_all(&bar);
        let read = |start: u64| Ok(reader.columns(start..start + NUMBERS, &bar)?);
        // What is wrong with the tables is told before a file is made.
        let first = read(0);
        bar.clear();
        let source =
            Source { fields: &fields, first: first?, numbers: reader.numbers(), read: &read };
        let title = format!("{}-{named}.{}", tables.game().name(), args.format.extension());
        let rows = write(args, &title, source);
        bar.clear();
        rows
    }
}

/// What is written: the rows of some numbers, and those of the numbers after them.
struct Source<'a> {
    fields: &'a [Field],
    first: Columns,
    numbers: u64,
    read: &'a dyn Fn(u64) -> Result<Columns>,
}

impl Source<'_> {
    /// Hands all rows to `take`, some at a time, and tells how many there are.
    fn each(self, take: &mut dyn FnMut(&Columns) -> Result<()>) -> Result<u64> {
        take(&self.first)?;
        let mut rows = self.first.rows() as u64;
        drop(self.first);
        for start in (NUMBERS..self.numbers).step_by(NUMBERS as usize) {
            let columns = (self.read)(start)?;
            rows += columns.rows() as u64;
            take(&columns)?;
        }
        Ok(rows)
    }
}

/// Writes the columns to where they are wanted; a file is there only when it is complete.
fn write(args: &ExportArgs, title: &str, source: Source<'_>) -> Result<()> {
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(title));
    if path == Path::new("-") {
        write_to(args.format, Box::new(io::stdout()), source)?;
        return Ok(());
    }
    let cannot = || format!("cannot write {}", path.display());
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
    let file = file.with_context(cannot)?;
    let handle: File = file.reopen().with_context(cannot)?;
    let rows = write_to(args.format, Box::new(handle), source).with_context(cannot)?;
    let file = file.persist(&path).with_context(cannot)?;
    let (rows, size) = (Cell::Count(rows), file.metadata().map_or(0, |file| file.len()));
    say(format_args!("{}: {rows} rows, {}", path.display(), bytes(size)));
    Ok(())
}

fn write_to(format: ExportFormat, out: Box<dyn Write + Send>, source: Source<'_>) -> Result<u64> {
    match format {
        ExportFormat::Csv => {
            let mut out = BufWriter::new(out);
            csv::write_head(&mut out, source.fields)?;
            let rows = source.each(&mut |columns| Ok(csv::write_rows(&mut out, columns)?))?;
            out.flush()?;
            Ok(rows)
        }
        ExportFormat::Parquet => {
            let mut out = ParquetOut::new(out, source.fields)?;
            let rows = source.each(&mut |columns| out.write(columns))?;
            out.finish()?;
            Ok(rows)
        }
    }
}

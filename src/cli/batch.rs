//! `finale probe --batch`.

use std::{
    error::Error,
    io::{self, BufRead, BufReader, Read, Write},
};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::{args::ProbeArgs, build::build_for, hints::sentence, units::count};
use crate::{parallel, probe::Tablebase, registry::Complete, study::position_object};

/// The most lines that are answered together.
const CHUNK: usize = 4096;

/// As much input as is read at once; some lines more than a chunk has.
const BUFFER: usize = 1 << 18;

/// Answers FENs from stdin, a JSON object a line, in their order: as many at once as have come, but
/// without waiting for more.
pub fn batch<G: Complete>(tables: &Tablebase<G>, args: &ProbeArgs) -> Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let typed = args.game.typed();
    let (mut lines, mut answered) = (0, 0);
    loop {
        let chunk = read_chunk(&mut input).context("cannot read stdin")?;
        if chunk.is_empty() {
            break;
        }
        if args.build {
            let fens = chunk.iter().filter_map(|line| line.fen().ok());
            for position in fens.filter_map(|fen| tables.game().parse_fen(fen).ok()) {
                if tables.answer(&position).is_err_and(|error| error.missing().is_some()) {
                    build_for(
                        tables.game(),
                        tables.game().material_of(&position)?,
                        tables.directories(),
                        &args.make,
                    )?;
                }
            }
        }
        let answers: Vec<(bool, String)> = parallel::map(&chunk[..], 1, |_, line| {
            let (answered, object) = answer_line(tables, line, args.turns, &typed);
            (answered, Value::Object(object).to_string())
        });
        for (is_answered, answer) in answers {
            lines += 1;
            answered += usize::from(is_answered);
            writeln!(out, "{answer}")?;
        }
        // Whoever waits for these answers before asking on must see them now.
        out.flush()?;
    }
    if lines > 0 && answered == 0 {
        bail!("none of {} could be answered", count(lines, "line"));
    }
    Ok(())
}

/// The next lines: one, which is waited for, and those that have come with it.
fn read_chunk<R: Read>(input: &mut BufReader<R>) -> io::Result<Vec<BatchLine>> {
    let mut chunk = Vec::new();
    while chunk.is_empty() || (chunk.len() < CHUNK && input.buffer().contains(&b'\n')) {
        let Some(line) = BatchLine::read(input)? else { break };
        chunk.push(line);
    }
    Ok(chunk)
}

/// A line of a batch.
struct BatchLine {
    /// The line, or only its beginning if it is too long.
    text: String,
    too_long: bool,
}

/// A line that is longer than any position.
#[derive(Debug, thiserror::Error)]
#[error("the line has more than {} bytes, which no position takes", BatchLine::LONGEST)]
struct TooLong;

impl BatchLine {
    /// The most bytes of a line that is read as a position; the longest has some 200.
    const LONGEST: usize = 1024;
    /// How much of a longer one is told apart by.
    const SHOWN: usize = 100;

    /// The next line, if there is one. Of a line that is too long only the beginning is kept.
    fn read(input: &mut impl BufRead) -> io::Result<Option<BatchLine>> {
        let mut bytes = Vec::new();
        if input.take(BatchLine::LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let ended = bytes.pop_if(|&mut last| last == b'\n').is_some();
        let too_long = !ended && bytes.len() > BatchLine::LONGEST;
        if too_long {
            bytes.truncate(BatchLine::SHOWN);
            input.skip_until(b'\n')?;
        }
        // Lines that are not UTF-8 are bad FENs like others.
        let text = String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned();
        Ok(Some(BatchLine { text, too_long }))
    }

    fn fen(&self) -> Result<&str, TooLong> {
        if self.too_long { Err(TooLong) } else { Ok(&self.text) }
    }
}

/// The answer to a line, and whether it is one rather than an error.
fn answer_line<G: Complete>(
    tables: &Tablebase<G>,
    line: &BatchLine,
    turns: bool,
    typed: &str,
) -> (bool, Map<String, Value>) {
    // No `anyhow`: it would collect a backtrace for every line that is refused.
    let answer = || -> Result<Map<String, Value>, Box<dyn Error>> {
        let position = tables.game().parse_fen(line.fen()?)?;
        Ok(position_object(tables, &position, turns)?)
    };
    let (answered, mut fields) = match answer() {
        Ok(fields) => (true, fields),
        Err(error) => {
            let error = json!(sentence(&*error, typed));
            (false, [("error".to_owned(), error)].into_iter().collect())
        }
    };
    fields.shift_insert(0, "fen".to_owned(), json!(line.text));
    (answered, fields)
}

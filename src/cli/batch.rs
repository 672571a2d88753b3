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
    let game = tables.game();
    let prepare = |fen: &str| -> Result<()> {
        let Ok(position) = game.parse_fen(fen) else { return Ok(()) };
        match tables.answer(&position) {
            Err(error) if error.missing().is_some() => {
                build_for(game, game.material_of(&position)?, tables.directories(), &args.make)
            }
            _ => Ok(()),
        }
    };
    // No `anyhow`: it would collect a backtrace for every line that is refused.
    let answer =
        |fen: &str| -> Answered { Ok(position_object(tables, &game.parse_fen(fen)?, args.turns)?) };
    answer_all(args, &prepare, &answer)
}

/// The answer for a FEN, or why there is none.
type Answered = Result<Map<String, Value>, Box<dyn Error>>;

/// The same with a way to have the tables that a FEN needs, and one to answer it.
fn answer_all(
    args: &ProbeArgs,
    prepare: &dyn Fn(&str) -> Result<()>,
    answer: &(dyn Fn(&str) -> Answered + Sync),
) -> Result<()> {
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
            chunk.iter().filter_map(|line| line.fen().ok()).try_for_each(prepare)?;
        }
        let answers: Vec<(bool, String)> = parallel::map(&chunk[..], 1, |_, line| {
            let (answered, object) = answer_line(answer, line, &typed);
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
fn answer_line(
    answer: &dyn Fn(&str) -> Answered,
    line: &BatchLine,
    typed: &str,
) -> (bool, Map<String, Value>) {
    let fen = line.fen().map_err(Box::from);
    let (answered, mut fields) = match fen.and_then(answer) {
        Ok(fields) => (true, fields),
        Err(error) => {
            let error = json!(sentence(&*error, typed));
            (false, [("error".to_owned(), error)].into_iter().collect())
        }
    };
    fields.shift_insert(0, "fen".to_owned(), json!(line.text));
    (answered, fields)
}

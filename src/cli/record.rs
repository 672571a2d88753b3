//! What the program prints of a game record.

use std::io::{self, Write};

use super::diagram::diagram;
use crate::study::{MoveNumbers, RecordText};

/// Writes the turns of a record, a line each, and its last position.
pub fn write_turns(out: &mut dyn Write, record: &RecordText, verbose: bool) -> io::Result<()> {
    let mut numbers = MoveNumbers::from_fen(&record.start);
    for (at, turn) in record.turns.iter().enumerate() {
        let label = numbers.label(turn.mover);
        let comment = turn.comment.as_deref().unwrap_or_default();
        let lost =
            record.loss(at).map_or_else(String::new, |l| format!("  {} {}", l.sign(), l.words()));
        let line = format!("{label:>6} {:<8} {comment}{lost}", turn.san);
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "{}", record.last())?;
    if verbose {
        write!(out, "\n{}\n", diagram(&record.board))?;
    }
    Ok(())
}

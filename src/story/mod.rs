//! The story of a table: a few sentences that its counts carry, each with its number and, where
//! there is one, a position to look at.
//!
//! Who comes out ahead and what exceptions have in common is counted here, by conditions of
//! [`find`](crate::find) that anybody can ask again; what only a game knows, such as the vitality a
//! side needs, is told from its [statistics](crate::study::Study::statistics) by the game itself.

mod elsewhere;
mod exceptions;
mod outcome;
mod predicates;
mod words;

use serde_json::Value;

use self::outcome::Outcomes;
use crate::{
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    registry::Complete,
    study::{Remark, Report, positions},
};

/// So many sentences at most.
pub const LONGEST: usize = 8;

/// The story of a table, as it is [named](crate::answer::Tabled::named), with its statistics.
///
/// The same men in other games are told of if their tables lie in the same folders.
///
/// # Errors
/// If the table, or one it leads to, is missing or damaged, or the work is stopped.
pub fn story<G: Complete>(
    tables: &Tablebase<G>,
    named: &Material,
    report: &Report,
    progress: &dyn Progress,
) -> Result<Vec<Remark>, ProbeError> {
    let game = tables.game();
    let outcomes = Outcomes::count(tables, named, progress)?;
    if let Some(drawn) = outcomes.all_drawn() {
        return Ok(vec![Remark::new(all_drawn(drawn))]);
    }
    let mut story = outcomes.remarks(&game.scope(named));
    story.extend(exceptions::remarks(tables, named, &outcomes, progress)?);
    let elsewhere = elsewhere::remark(tables, named, progress)?;
    let left = LONGEST.saturating_sub(story.len() + usize::from(elsewhere.is_some()));
    story.extend(game.remarks(report).into_iter().take(left));
    story.extend(elsewhere);
    Ok(story)
}

/// A story as programs read it.
pub fn story_value(story: &[Remark]) -> Value {
    story.iter().map(|remark| Value::Object(remark.fields())).collect()
}

fn all_drawn(drawn: u64) -> String {
    match drawn {
        1 => "The only position is drawn.".to_owned(),
        _ => format!("All {} are drawn.", positions(drawn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_table_takes_one_sentence() {
        assert_eq!(all_drawn(1), "The only position is drawn.");
        assert_eq!(all_drawn(3_612), "All 3,612 positions are drawn.");
    }
}

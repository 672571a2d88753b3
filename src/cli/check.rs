//! `finale check`.

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{args::CheckArgs, units::count, variants};
use crate::{
    registry::GameName,
    rules::{Refusal, Resolved},
};

/// Tells which sections of a file of variants can be built, and what stands in the way of others.
pub fn run(args: CheckArgs) -> Result<()> {
    let sections = GameName::resolve(&variants::read(&args.file)?);
    let mut out = io::stdout().lock();
    if args.json {
        let all: Vec<Value> = sections.iter().map(object).collect();
        writeln!(out, "{}", Value::Array(all))?;
    } else {
        for Resolved { name, definition, .. } in &sections {
            match definition {
                Ok(_) => writeln!(out, "{name}: can be built")?,
                Err(refusals) => {
                    writeln!(out, "{name}: cannot be built")?;
                    for refusal in refusals {
                        writeln!(out, "  {refusal}")?;
                    }
                }
            }
        }
    }
    let refused = sections.iter().filter(|section| section.definition.is_err()).count();
    if refused > 0 {
        bail!("{refused} of {} cannot be built", count(sections.len(), "section"));
    }
    Ok(())
}

fn object(section: &Resolved) -> Value {
    let Resolved { name, line, definition } = section;
    let refusals = definition.as_ref().err().into_iter().flatten();
    let refusals: Vec<Value> = refusals
        .map(|Refusal { line, reason }| json!({ "line": line, "reason": reason }))
        .collect();
    json!({
        "name": name,
        "line": line,
        "rules": definition.as_ref().ok().map(|definition| definition.departures()),
        "refusals": refusals,
    })
}

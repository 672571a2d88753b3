//! What programs read: `docs/json.md` names every member of every object that commands print.

use std::{collections::BTreeSet, fs};

use assert_cmd::Command;
use finale::registry::GameName;
use serde_json::Value;

/// Runs a command on the tables that ship; returns the JSON values it prints, a line each.
fn printed(args: &[&str], stdin: &str) -> Vec<Value> {
    let output = Command::cargo_bin("finale")
        .expect("the program")
        .env("FINALE_TABLES", concat!(env!("CARGO_MANIFEST_DIR"), "/tables"))
        .args(args)
        .write_stdin(stdin)
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Collects the names of members, those of objects inside included.
fn members(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| members(value, names)),
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                // The names of options are those of the command line, and of files of variants.
                if !matches!(name.as_str(), "options" | "variant") {
                    members(value, names);
                }
            }
        }
        _ => {}
    }
}

/// A position that a shipped table answers, with turns of many kinds.
fn position(game: &str) -> &'static str {
    match game {
        "noro" => "8/8/8/3k4/8/8/8/7R w",
        "antichess" => "8/8/8/3k4/8/8/8/7R w",
        "makruk" => "8/8/8/8/8/2k5/8/KR6 w",
        "gardner" => "5/5/2k2/5/KQ3 w",
        "losalamos" => "6/6/6/2k3/6/KQ4 w",
        "orphic" | "orphic-elks" => "8/8/8/8/3k4/8/8/K7[Q] w",
        _ => "8/8/8/8/8/2k5/8/KQ6 w",
    }
}

/// A table that ships and of which there is much to say.
fn studied(game: &str) -> &'static str {
    match game {
        "noro" => "QvR",
        "antichess" => "KvP",
        "orphic" => "K[R]vK",
        "orphic-elks" => "K[E]vK",
        "tiebraker" => "KRvK",
        _ => "KPvK",
    }
}

#[test]
fn every_member_is_documented() {
    let mut names = BTreeSet::new();
    let mut collect = |values: Vec<Value>| {
        assert!(!values.is_empty());
        values.iter().for_each(|value| members(value, &mut names));
    };
    for game in GameName::all().iter().map(|game| game.name()) {
        let fen = position(game);
        collect(printed(&["probe", game, fen, "--json"], ""));
        collect(printed(&["probe", game, "--batch", "--turns"], &format!("{fen}\nnothing\n")));
        collect(printed(&["line", game, fen, "--max", "3", "--json"], ""));
        let record = match game {
            "orphic" | "orphic-elks" => "1. K@e1 K@e8",
            "racingkings" => "1. Kh3 Ka3",
            "gardner" => "1. e3 dxe3 2. dxe3",
            "losalamos" => "1. e3 d4 2. exd4",
            _ => "1. e4 d5 2. exd5",
        };
        collect(printed(&["replay", game, "-", "--json"], record));
        let result = if game == "high" { "1-0" } else { "1/2-1/2" };
        let games = format!("{record} {result}\n{record} {result}");
        collect(printed(&["replay", game, "-", "--json"], &games));
        collect(printed(&["list", game, "--json"], ""));
        let mut stats = printed(&["stats", game, studied(game), "--story", "--json"], "");
        // The names of points are those of the score sheet.
        stats[0].as_object_mut().map(|stats| stats.remove("scores"));
        collect(stats);
        let plan = printed(&["build", game, studied(game), "--plan", "--json"], "");
        collect(printed(&["list", "--plan", "-", "--json"], &plan[0].to_string()));
        collect(plan);
    }
    collect(printed(&["verify", "orthodox", "KvK", "--json"], ""));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let into = folder.path().to_str().expect("plain names");
    collect(printed(&["pack", "orthodox", into, "KQvK", "--level", "1", "--json"], ""));
    let mut perft = printed(&["perft", "orthodox", "start", "1", "--divide", "--json"], "");
    // Its members are turns.
    assert_eq!(
        perft[0]["turns"].as_object_mut().map(std::mem::take).map(|all| all.len()),
        Some(20)
    );
    collect(perft);
    collect(printed(&["perft", "orthodox", "start", "0", "--json"], ""));

    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md"));
    let page = page.expect("the page about JSON");
    let unknown: Vec<&String> =
        names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(unknown.is_empty(), "docs/json.md does not name {unknown:?}");
    // `dtm` and its like are met: the names do come from answers.
    for name in ["dtm", "staircase", "win_at", "points", "margin", "reasons", "error", "count"] {
        assert!(names.contains(name), "`{name}` is not met");
    }
}

//! Stories of tables: the pages under `docs/stories` show what the program prints.

use std::{fs, path::Path};

use finale::registry::GameName;
use serde_json::Value;

use crate::{
    pages,
    room::{Room, words},
    shipped,
};

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/stories");

/// A room with the tables that ship.
fn shipped_room() -> Room {
    let room = Room::new();
    let games: Vec<&str> = GameName::all().iter().map(|game| game.name()).collect();
    shipped::copy(&games, &room.path("tables"));
    room
}

/// The page about one material in many games.
const KBNVK: &str = "kbnvk.md";

/// Holds what a page shows against what is printed in a room; returns how much it shows.
fn compare(room: &Room, path: &Path) -> usize {
    let page = fs::read_to_string(path).expect("a page");
    let mut shown = 0;
    for example in page.split("```console\n$ finale ").skip(1) {
        let (example, _) = example.split_once("```").expect("the end of an example");
        let (command, story) = example.split_once('\n').expect("a story");
        assert_eq!(room.run_words(words(command)).well(), story, "{}", path.display());
        shown += 1;
    }
    // What is said beside has no numbers that nobody counts.
    let beside = page.split("```").step_by(2).collect::<String>();
    let is_index = path.ends_with("README.md");
    assert!(is_index || !beside.contains(|c: char| c.is_ascii_digit()), "{}", path.display());
    shown
}

#[test]
fn the_page_of_one_material_shows_what_is_printed() {
    let room = shipped_room();
    let eight =
        ["orthodox", "koth", "high", "noro", "tiebraker", "stylish", "orphic", "orphic-elks"];
    for game in eight {
        room.run(&format!("build {game} KBNvK --level 3")).well();
    }
    pages::compare_example(&room);
    assert!(compare(&room, &Path::new(PAGES).join(KBNVK)) >= eight.len());
}

#[test]
fn the_other_pages_show_what_is_printed() {
    let room = shipped_room();
    // Of this game not all tables of three men ship that stories of other games tell of.
    room.run("build noro KBNvK --level 3").well();
    let mut shown = 0;
    for entry in fs::read_dir(PAGES).expect("the pages") {
        let path = entry.expect("an entry").path();
        if !path.ends_with(KBNVK) {
            shown += compare(&room, &path);
        }
    }
    assert!(shown >= 8, "{shown}");
}

#[test]
fn stories_are_printed_and_written_as_json() {
    let room = shipped_room();
    let printed = room.run("stats orthodox KRvK --story").well();
    let told: Value =
        serde_json::from_str(&room.run("stats orthodox KRvK --story --json").well()).expect("JSON");
    let story = told["story"].as_array().expect("sentences");
    let mut lines = String::new();
    for sentence in story {
        lines += sentence["text"].as_str().expect("a text");
        lines += "\n";
        if let Some(fen) = sentence["fen"].as_str() {
            lines += &format!("  {fen}\n");
        }
        if let Some(query) = sentence["query"].as_str() {
            lines += &format!("  finale find orthodox 'KRvK' '{query}'\n");
            // Whoever types it finds as many as the sentence says.
            let count = room.run_words(vec!["find", "orthodox", "KRvK", query, "--count"]).well();
            assert!(count.ends_with(", 22,244 placements\n"), "{count}");
            assert!(sentence["text"].as_str().expect("a text").starts_with("All 22,244 "));
        }
    }
    assert_eq!(printed, lines);
    assert!((3..=8).contains(&story.len()), "{story:?}");
    // The statistics are there, too; and without the option there is no story.
    assert!(told["results"].is_array());
    let plain: Value =
        serde_json::from_str(&room.run("stats orthodox KRvK --json").well()).expect("JSON");
    assert!(plain.get("story").is_none());
    let drawn = room.run("stats orthodox KBvK --story").well();
    assert_eq!(drawn, "All 417,228 positions are drawn.\n");
    // A story is about a whole table as its games begin.
    assert_eq!(room.run("stats high KRvK --story --from 20+50").code, Some(2));
}

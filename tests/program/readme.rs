//! What the README tells a newcomer to type.

use std::fs;

use crate::{
    room::{Room, words},
    shipped,
};

const README: &str = include_str!("../../README.md");

/// The commands of the table that asks which door is one's own, without the name of the program.
fn doors() -> Vec<Vec<&'static str>> {
    let rows = README.lines().filter_map(|line| line.strip_prefix("| "));
    let commands = rows.filter_map(|row| row.split(" | ").nth(1)?.strip_prefix("`finale "));
    commands.filter_map(|command| Some(words(command.strip_suffix('`')?))).collect()
}

#[test]
fn the_doors_that_it_shows_open() {
    let room = Room::new();
    shipped::copy(&["orthodox"], &room.path("tables"));
    let section = README.split("```ini\n").nth(1).and_then(|rest| rest.split("```").next());
    fs::write(room.path("my.ini"), section.expect("a game of one's own")).expect("room for a file");
    // A server goes on until somebody stops it; its tests are elsewhere.
    let (servers, doors): (Vec<_>, Vec<_>) = doors().into_iter().partition(|d| d[0] == "serve");
    assert_eq!((servers.len(), doors.len()), (2, 5));
    for door in doors {
        let ran = room.run_words(door.clone());
        assert!(ran.code == Some(0) && !ran.stdout.contains("error"), "{door:?}: {}", ran.stderr);
    }
    let build = "build hasty KPvK --variants my.ini";
    assert!(README.contains(&format!("`finale {build}`")));
    room.run(build).well();
}

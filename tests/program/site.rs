//! `finale site`, and tables by address. What such a page does is tested in a browser.

#![cfg(feature = "serve")]

use std::fs;

use serde_json::Value;

use crate::{
    room::Room,
    shipped::{self, SHIPPED},
};

/// What stands for the program of a page.
const PROGRAM: &[u8] = b"\0asm";

fn room() -> Room {
    let room = Room::new();
    fs::write(room.path("page.wasm"), PROGRAM).expect("room for a file");
    shipped::copy(&["orthodox", "orphic", "high"], &room.path("tables"));
    room
}

fn json(room: &Room, path: &str) -> Value {
    let text = fs::read(room.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_site_has_a_page_its_program_and_what_was_counted() {
    let room = room();
    let said = room.run("site out high KRvK --program page.wasm");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let page = fs::read_to_string(room.path("out/index.html")).expect("a page");
    assert!(page.contains("name=\"tables\""), "{page}");
    assert_eq!(fs::read(room.path("out/finale.wasm")).expect("a program"), PROGRAM);
    let index = json(&room, "out/tables/index.json");
    let files: Vec<_> = index.as_array().expect("a list").iter().map(|one| &one["file"]).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        let file = file.as_str().expect("a path");
        let copied = fs::read(room.path("out/tables").join(file)).expect("a table");
        assert_eq!(copied, fs::read(room.path("tables").join(file)).expect("a table"), "{file}");
    }
    let printed: Value =
        serde_json::from_str(&room.run("stats high KRvK --json").well()).expect("an object");
    assert_eq!(json(&room, "out/tables/stats/high/KRvK.json")["sections"], printed["sections"]);
    assert!(json(&room, "out/tables/histogram/high/KRvK.json")["white"].is_array());
    let games = json(&room, "out/tables/games.json");
    let games = games["games"].as_array().expect("a list").iter();
    assert!(games.map(|game| &game["game"]).any(|game| game == "high"));
}

#[test]
fn what_one_game_lends_another_comes_along() {
    let room = room();
    let said = room.run("site out orphic --program page.wasm");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(room.path("out/tables/orthodox/KRvK.ftb").exists());
    assert!(room.path("out/tables/histogram/orphic/KRvK.json").exists());
    assert!(!room.path("out/tables/high").exists());
}

#[test]
fn what_cannot_become_a_site_is_told_and_leaves_nothing() {
    let room = room();
    let before = room.files();
    let no_table = room.run("site out high KBNvK --program page.wasm").sentence().to_owned();
    assert_eq!(no_table, "there is no table for KBNvK of high; build it first");
    let no_program = room.run("site out high").sentence().to_owned();
    assert!(no_program.contains("tools/site/build"), "{no_program}");
    let full = room.run("site tables high --program page.wasm").sentence().to_owned();
    assert!(full.starts_with("tables is not empty; "), "{full}");
    assert_eq!(room.files(), before);
}

#[test]
fn an_address_is_no_folder_to_build_in() {
    let room = Room::new();
    let build =
        room.run("build high KRvK --tables https://example.org/tables").sentence().to_owned();
    assert!(build.starts_with("`finale build` needs a folder"), "{build}");
    let fen = "8/8/8/3k4/8/8/8/K6R_w_-_-_50+50";
    // Nobody listens at the first port.
    let probe =
        room.run(&format!("probe high {fen} --tables http://127.0.0.1:1")).sentence().to_owned();
    let expected = match cfg!(feature = "fetch") {
        true => "cannot fetch http://127.0.0.1:1/index.json",
        false => "this finale reads no tables by address",
    };
    assert!(probe.starts_with(expected), "{probe}");
    let known = room.run(&format!("probe high {fen} --tables {SHIPPED}"));
    assert_eq!(known.code, Some(0), "{}", known.stderr);
}

//! `find`: the questions of its page, and what is no question.

use crate::room::{Room, words};

#[test]
fn the_questions_of_the_page_have_their_answers() {
    let room = Room::with(&[
        "orthodox KRvKB KRvKN KPvKP KQvK",
        "high KRvK KBvK KQvK",
        "noro KRvB",
        "tiebraker KQvK",
        "koth KNvK",
    ]);
    let page = include_str!("../../docs/find.md");
    let examples: Vec<&str> = page.split("```console\n$ finale ").skip(1).collect();
    assert!(examples.len() >= 15);
    for example in examples {
        let (example, _) = example.split_once("```").expect("the end of an example");
        let (command, answer) = example.split_once('\n').expect("an answer");
        assert_eq!(room.run_words(words(command)).well(), answer, "{command}");
    }
}

#[test]
fn what_is_no_query_is_shown() {
    let room = Room::new();
    let mut shown = String::new();
    for query in [
        "wins and dtm > many",
        "K on i9",
        "dtm >",
        "zugzwang and",
        "(wins",
        "wins = 1",
        "to_move = blue",
        "file(3) = 1",
        "N on a1",
        "K",
        "K < k",
        "wins or dtm = 5 )",
        "attacked(dtm)",
        "count(3, edge) = 1",
        "é",
    ] {
        let ran = room.run_words(vec!["find", "orthodox", "KRvK", query]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{query}");
        shown += &ran.stderr;
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn names_are_offered_once() {
    let room = Room::new();
    let listed = room.run("find high KRvK").well();
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    let refused = room.run("find high KRvK many");
    let (_, offered) = refused.stderr.split_once("there are ").expect("names");
    let offered: Vec<&str> = offered.lines().next().expect("a line").split(", ").collect();
    assert_eq!(offered, listed);
    let winner = |names: &[&str]| names.iter().filter(|name| **name == "winner").count();
    assert_eq!(winner(&offered), 1);
}

#[test]
fn hostile_queries_are_refused() {
    let room = Room::new();
    for query in ["(".repeat(1_999), "not ".repeat(400), "-".repeat(1_000), "1+".repeat(5_000)] {
        let ran = room.run_words(vec!["find", "orthodox", "KRvK", "--", &query]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    }
}

#[test]
fn forms_that_programs_read() {
    let room = Room::with(&["orthodox KRvK"]);
    let find = |more: &[&'static str]| {
        let query = ["find", "orthodox", "KRvK", "turns = 0 and not check"];
        room.run_words([&query, more].concat()).well()
    };
    insta::assert_snapshot!(
        [
            find(&["--limit", "2", "--format", "csv"]),
            find(&["--limit", "1", "--format", "json"]),
            find(&["--limit", "1", "--format", "pgn"]),
            find(&["--count", "--format", "json"]),
        ]
        .concat()
    );
    let exchanged = room.run_words(vec!["find", "orthodox", "KvKR", "wins", "--count"]);
    assert!(exchanged.stderr.starts_with("note: KvKR is KRvK with the colours exchanged\n"));
    assert_eq!(find(&["--sample", "3", "--seed", "4"]), find(&["--sample", "3", "--seed", "4"]));
}

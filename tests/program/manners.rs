//! What users once stumbled over, kept away: suggestions that work, errors that blame the right
//! thing, records that other programs read, JSON with fixed names, lists and plans.

use std::{fs, path::Path};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    room::{Ran, Room, json},
    shipped,
};

/// The suggestion of an error: what stands between backquotes, without the program's name.
fn suggested(ran: &Ran) -> String {
    let command = ran.sentence().rsplit('`').nth(1).expect("a suggestion");
    command.strip_prefix("finale ").expect("a command of this program").to_owned()
}

#[test]
fn suggested_commands_do_what_is_missing() {
    let room = Room::new();
    for command in [
        "probe high 8/8/8/3k4/8/8/8/1B5K_w_-_-_5+5 --vitality 10 --revitalise both",
        "probe orthodox 8/8/8/3k4/8/8/8/1B5K_w --tables other",
        "stats noro BvN --elimination score --moves 10+2",
    ] {
        let suggestion = suggested(&room.run(command));
        room.run(&suggestion).well();
        room.run(command).well();
    }
    // A damaged table is built again where it was.
    let file = room.path("other/orthodox/KBvK.ftb");
    fs::write(&file, "not a table").expect("a file");
    let probe = "probe orthodox 8/8/8/3k4/8/8/8/1B5K_w --tables other";
    let suggestion = suggested(&room.run(probe));
    assert_eq!(suggestion, "build orthodox KBvK --repair --tables other");
    room.run(&suggestion).well();
    room.run(probe).well();
    // Of a file that never was a table nothing of the kind is said.
    fs::write(room.path("letter"), "Dear reader").expect("a file");
    assert_eq!(room.run("info letter").sentence(), "letter is not a table file");
    fs::create_dir(room.path("folder")).expect("a folder");
    assert_eq!(room.run("info folder").sentence(), "folder is a folder, not a table file");
    // What cannot be, shows what can.
    for (args, part) in [
        ("build high KvK --vitality 99", "from 1 to 50"),
        ("build noro KvK --moves 300+1", "with 1 to 100 moves"),
        ("build high --men 9", "at most 6"),
        ("build orthodox KvK --vitality 9", "orthodox has no option --vitality"),
    ] {
        let ran = room.run(args);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
        assert_eq!(ran.code, Some(2), "{args}");
    }
}

#[test]
fn damage_is_listed_verified_and_repaired() {
    let room = Room::with(&["orthodox --men 3"]);
    fs::copy(room.path("tables/orthodox/KQvK.ftb"), room.path("tables/orthodox/KPvK.ftb"))
        .expect("a copy");
    let file = room.path("tables/orthodox/KRvK.ftb");
    let mut bytes = fs::read(&file).expect("the table");
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    fs::remove_file(&file).expect("the table");
    fs::write(&file, bytes).expect("a file");

    let list = room.run("list");
    assert!(list.stdout.contains("KPvK.ftb is a table of orthodox KQvK"), "{}", list.stdout);
    assert!(list.stdout.contains("\n6 tables, "), "{}", list.stdout);
    assert_eq!(list.code, Some(1));
    let list: Value = json(&room.run("list orthodox kpvk --json").stdout);
    assert_eq!(list[0]["material"], "KPvK");
    assert!(list[0]["error"].is_string());
    let folder = Path::new("tables").join("orthodox");
    let missing = format!("there is no table for KNNvK in {}", folder.display());
    assert_eq!(room.run("list orthodox KNNvK").sentence(), missing);

    let verified = room.run("verify orthodox --checksums");
    assert_eq!(verified.stdout.matches("checksums right").count(), 4, "{}", verified.stdout);
    assert_eq!(verified.stdout.matches("FAILED").count(), 2, "{}", verified.stdout);
    assert_eq!(
        (verified.stderr.as_str(), verified.code),
        ("error: 2 of 6 tables failed\n", Some(1))
    );
    let rows = room.run("verify orthodox --json").stdout;
    let rows: Vec<Value> = rows.lines().map(json).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows.iter().filter(|row| row["error"].is_string()).count(), 2);

    fs::remove_file(room.path("tables/orthodox/KPvK.ftb")).expect("the copy");
    let repaired = room.run("build orthodox --repair");
    assert!(repaired.stderr.contains("1 table to build"), "{}", repaired.stderr);
    repaired.well();
    room.run("verify orthodox --checksums").well();
}

#[test]
fn plans_go_to_stdout() {
    let room = Room::with(&["orthodox KQvK"]);
    assert_snapshot!("plan", room.run("build orthodox KQvKR --plan").well());
    let nothing = room.run("build orthodox KQvK --plan").well();
    assert_eq!(nothing, "nothing to build: 2 tables are there\n");
    assert_eq!(room.run("build orthodox KQvK").stderr, nothing);
    let plan = json(&room.run("build orthodox KQvKR --plan --json").well());
    assert_eq!((&plan["game"], &plan["options"]), (&json!("orthodox"), &json!({})));
    let tables = plan["tables"].as_array().expect("a list");
    let last = tables.last().expect("a table");
    assert_eq!(last["material"], "KQvKR");
    assert_eq!(last["needs"], json!(["KRvK", "KQvK"]));
    assert_eq!(last["exists"], false);
    assert!(last["positions"].as_u64() > Some(1_000_000));
    let total = |key: &str| plan[key].as_f64().expect("a number");
    let missing = |key: &str| -> f64 {
        let rows = tables.iter().filter(|table| table["exists"] == false);
        rows.map(|table| table[key].as_f64().expect("a number")).sum()
    };
    assert_eq!((total("bytes"), total("seconds")), (missing("bytes"), missing("seconds")));
    assert!(total("memory") > 0.0);
}

#[test]
fn plans_tell_scratch_files() {
    let room = Room::new();
    let of = |memory: &str| {
        let command = format!("build high KBNvKN --plan --memory {memory}");
        let words = room.run(&command).well();
        let plan = json(&room.run(&format!("{command} --json")).well());
        (words, plan)
    };
    let (words, plan) = of("2G");
    let table = plan["tables"].as_array().expect("a list").last().expect("the table itself");
    let (scratch, positions) = (table["scratch"].as_u64(), table["positions"].as_u64());
    let [scratch, positions] = [scratch, positions].map(|number| number.expect("a number"));
    // Some bytes for each of two vitalities that a position has.
    assert!((50..150).contains(&(scratch / positions)), "{scratch} for {positions}");
    assert_eq!(plan["scratch"].as_u64(), Some(scratch));
    assert!(words.contains(" in scratch files, about "), "{words}");
    let (words, plan) = of("900G");
    assert_eq!(plan["scratch"], json!(null));
    assert!(!words.contains("scratch"), "{words}");
}

#[test]
fn plans_leave_out_what_cannot_arise() {
    let room = Room::new();
    let materials = |args: &str| -> Vec<String> {
        let plan = json(&room.run(args).well());
        let tables = plan["tables"].as_array().expect("a list");
        tables.iter().map(|table| table["material"].as_str().expect("text").to_owned()).collect()
    };
    let usual = materials("build noro --men 3 --plan --json");
    assert!(usual.contains(&"KvK".to_owned()) && !usual.contains(&"KKvR".to_owned()));
    assert!(materials("build noro --men 3 --all --plan --json").contains(&"KKvR".to_owned()));
    assert!(materials("build noro KKvR --plan --json").contains(&"KKvR".to_owned()));
}

#[test]
fn statistics_have_fixed_keys() {
    let room = Room::with(&["high KBvK", "orthodox KRvK"]);
    let stats = json(&room.run("stats high kbvk --json").well());
    assert_eq!(stats["game"], "high");
    assert_eq!(stats["material"], "KBvK");
    assert_eq!(stats["revitalise"], "mover");
    assert_eq!(stats["vitality"], json!([50, 50]));
    let who_wins = json!([
        { "to_move": "white", "en_passant": false, "placements": 193_284, "white": 134_784, "black": 58_500 },
        { "to_move": "black", "en_passant": false, "placements": 223_944, "white": 91_672, "black": 132_272 },
    ]);
    assert_eq!(stats["who_wins"], who_wins);
    let stats = json(&room.run("stats orthodox KvKR --json").well());
    assert_eq!(stats["material"], "KRvK");
    assert_eq!(stats["longest"][0]["plies"], 31);
    let words = room.run("stats orthodox KvKR").well();
    assert!(words.starts_with("KvKR is KRvK with the colours exchanged.\n"), "{words}");
    assert!(words.contains("  16 (31)  "), "{words}");
}

#[test]
fn statistics_of_every_game_have_snake_case_keys_and_fit_the_screen() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
    let room = Room::new();
    for stats in [
        "orthodox KPvK",
        "koth KPvK",
        "high KPvK",
        "noro KvN",
        "orphic K[R]vK",
        "orphic-elks K[E]vK",
        "stylish KPvK",
        "tiebraker KQvK",
    ] {
        let words = room.run(&format!("stats {stats} --tables {shipped}")).well();
        for line in words.lines() {
            assert!(line.chars().count() <= 120, "{stats}: {line}");
        }
        let object = json(&room.run(&format!("stats {stats} --tables {shipped} --json")).well());
        fn check(value: &Value) {
            match value {
                Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                    let fits = |c: char| c.is_ascii_lowercase() || c == '_';
                    assert!(key.chars().all(fits), "{key}");
                    if key != "scores" {
                        check(value);
                    }
                }),
                Value::Array(rows) => rows.iter().for_each(check),
                _ => {}
            }
        }
        check(&object);
    }
}

#[test]
fn fens_with_something_missing_are_read_aloud() {
    let room = Room::with(&["high KBvK"]);
    let note = |fen: &str| room.run(&format!("probe high {fen}")).stderr;
    assert_eq!(
        note("8/8/8/3k4/8/8/8/1B5K_w_-_-_40"),
        "note: the FEN leaves out a field of this game; read as 8/8/8/3k4/8/8/8/1B5K w - - 50+50 40 1\n"
    );
    assert_eq!(note("8/8/8/3k4/8/8/8/1B5K_w_-_-_40+40"), "");
    let error = |fen: &str| room.run(&format!("probe high {fen}")).sentence().to_owned();
    assert!(error("8/8/8/3k4/8/8/8/1B5K_w_-_-_0_1_50+50").starts_with("`50+50` stands behind"));
    assert!(error("8/8/8/3k4/8/8/8/1B5K_w_-_-_50+50_0_1_extra").starts_with("`extra` is not"));
}

#[test]
fn rules_are_printed_for_every_game() {
    let room = Room::new();
    let games =
        ["orthodox", "koth", "high", "noro", "orphic", "orphic-elks", "stylish", "tiebraker"];
    // What a reader tries first has an answer in the tables that ship.
    shipped::copy(&games, &room.path("tables"));
    for game in games {
        let rules = room.run(&format!("rules {game}")).well();
        assert!(rules.lines().all(|line| line.chars().count() <= 80), "{rules}");
        for part in ["\nFEN ", "\nNotation ", "\nMaterial "] {
            assert!(rules.contains(part), "{game} lacks {part}");
        }
        let example = rules.lines().find_map(|line| line.strip_prefix("example   "));
        let fen = example.expect("an example").replace(' ', "_");
        let counted = room.run(&format!("perft {game} {fen} 1"));
        assert_eq!(counted.stderr, "", "{game}");
        counted.well();
        room.run(&format!("probe {game} {fen}")).well();
    }
}

#[test]
fn the_board_can_be_drawn() {
    let room = Room::with(&["orthodox KRvK"]);
    assert_snapshot!("probe_verbose", room.run("probe orthodox 8/8/8/8/8/1K6/3R4/k7_w -v").well());
    assert_snapshot!("line_verbose", room.run("line orthodox 8/8/8/8/8/1K6/3R4/k7_w -v").well());
}

const MATE: &str = "8/8/8/8/8/1K6/3R4/k7 w - - 0 1";

#[test]
fn records_have_the_tags_that_others_read() {
    let room = Room::with(&["orthodox KRvK", "high KQvK --vitality 20"]);
    let fen = MATE.replace(' ', "_");
    assert_snapshot!("pgn_orthodox", room.run(&format!("line orthodox {fen} --pgn")).well());
    let high = "line high 8/8/8/8/8/2k5/8/KQ6_w_-_-_20+3 --pgn --vitality 20";
    let pgn = room.run(high).well();
    assert_snapshot!("pgn_high", pgn);
    // The record tells its options, and heeds no others.
    room.run_with("replay high -", pgn.as_str()).well();
    room.run_with("replay high - --vitality 20", pgn.as_str()).well();
    let other = room.run_with("replay high - --vitality 30", pgn.as_str());
    assert_eq!(
        other.sentence(),
        "this game was played with vitality 20, revitalise mover, not with vitality 30, revitalise mover"
    );
    let other = room.run_with("replay noro -", pgn.as_str());
    assert_eq!(other.sentence(), "this is a record of High Chess, not of Norochess");
}

#[test]
fn records_are_checked_to_the_end() {
    let room = Room::new();
    let replay = |text: &str| room.run_with("replay orthodox -", text);
    let fool = "1. f3 e5 2. g4 Qh4#";
    replay(fool).well();
    replay(&format!("[Result \"0-1\"]\n\n{fool} 0-1")).well();
    let resigned = "[Result \"1-0\"]\n\n1. e4 {Black resigns} 1-0";
    let told = replay(resigned).well();
    let end = "the game goes on, Black to move; the record says 1-0\n";
    assert!(told.ends_with(end), "{told}");
    let told = json(&room.run_with("replay orthodox - --json", resigned).well());
    assert_eq!((&told["pgn_result"], &told["recorded_result"]), (&json!("*"), &json!("1-0")));
    let told = json(&room.run_with("replay orthodox - --json", "1. e4 *").well());
    assert!(told["recorded_result"].is_null());
    for text in [format!("[Result \"1-0\"]\n\n{fool}"), format!("{fool} 1/2-1/2")] {
        let ran = replay(&text);
        assert!(ran.stderr.contains("but the result is 0-1"), "{}", ran.stderr);
        assert!(ran.stdout.contains("Black wins by checkmate"), "{}", ran.stdout);
        assert_eq!(ran.code, Some(1));
    }
    let ran = replay(&format!("{fool} 3. a3"));
    assert!(ran.stderr.contains("the game is over before move 3. `a3`"), "{}", ran.stderr);
    let ran = replay("1. e4 e5 2. Ke3");
    assert!(ran.stdout.starts_with("    1. e4\n  1... e5\nrnbqkbnr/"), "{}", ran.stdout);
    assert!(ran.stderr.contains("move 2. cannot be played"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    assert_eq!(replay("").sentence(), "there are no moves in this record");
    assert_eq!(replay("Dear reader").sentence(), "there are no moves in this record");
    let latin = b"\xef\xbb\xbf[White \"Andr\xe9\"]\r\n\r\n1. e4 {tr\xe8s bien} e5".to_vec();
    room.run_with("replay orthodox -", latin).well();
}

#[test]
fn replays_mark_what_is_thrown_away() {
    let room = Room::with(&["orthodox KRvK"]);
    let record = format!("[FEN \"{MATE}\"]\n\n1. Rd8 Kb1 2. Rd1# 1-0");
    let right = room.run_with("replay orthodox - --probe", record).well();
    assert!(!right.contains("??"), "{right}");
    let record = "[FEN \"8/8/8/8/8/2k5/3R4/7K w - - 0 1\"]\n\n1. Kg1 Kxd2 2. Kf1";
    let thrown = room.run_with("replay orthodox - --probe", record).well();
    assert_snapshot!("replay_probe", thrown);
    let object = json(&room.run_with("replay orthodox - --probe --json", record).well());
    assert_eq!(object["turns"][0]["thrown_away"], "before: White wins; now: drawn");
    assert_eq!(object["turns"][2]["thrown_away"], Value::Null);
    assert_eq!(object["turns"][0]["glyph"], 4);
    let slow = "[White \"A \\\"B\\\"\"]\n[FEN \"8/8/8/8/8/1k6/8/K6R b - - 0 1\"]\n\n\
                1... Kc2 {hm} 2. Rh3 Kd2 3. Kb2 Ke2 4. Ra3 Kf2 1/2-1/2";
    let object = json(&room.run_with("replay orthodox - --probe --json", slow).well());
    let lost = |at: usize| (&object["turns"][at]["plies_lost"], &object["turns"][at]["glyph"]);
    assert_eq!((lost(0), lost(1)), ((&json!(6), &json!(6)), (&Value::Null, &Value::Null)));
    let written = room.run_with("replay orthodox - --probe --pgn", slow).well();
    assert_snapshot!("replay_probe_pgn", written);
    let again = room.run_with("replay orthodox - --probe --pgn", written.clone()).well();
    assert_eq!(again, written);
    let both = room.run_with("replay orthodox - --pgn", format!("{slow}\n\n{slow}")).well();
    assert_eq!(both.matches("1... Kc2 2. Rh3").count(), 2, "{both}");
    let start = room.run_with("replay orthodox - --probe", "1. e4 e5");
    assert!(start.stderr.contains("cover no position of this game"), "{}", start.stderr);
}

#[test]
fn batches_that_fail_altogether_fail() {
    let room = Room::with(&["orthodox KRvK"]);
    let batch = |fens: &str| room.run_with("probe orthodox --batch", fens).code;
    assert_eq!(batch("no\nnothing\n"), Some(1));
    assert_eq!(batch(&format!("no\n{MATE}\n")), Some(0));
    assert_eq!(batch(""), Some(0));
}

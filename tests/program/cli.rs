//! The commands as their users meet them: what they print, how they fail, what they leave behind.

use std::{fs, thread, time::Duration};

use assert_cmd::Command;
use insta::assert_snapshot;
use serde_json::Value;

use crate::{
    room::{FINALE, Ran, Room, json},
    seal::{header, sealed},
};

/// Compares with a snapshot in which the sizes of files and the version do not count, but the
/// alignment does.
macro_rules! assert_listing {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => [
            // At the end of a line, and to the right of a column of ten characters.
            (r"(?m)^(size +|section .* in )[\d.]+ (?:B|[KM]iB)$", "$1[size]"),
            (r"[ \d.]{8} B\b|[ \d.]{6} [KM]iB\b", "    [size]"),
            (r"finale \d+\.\d+\.\d+", "finale [version]"),
        ]}, { assert_snapshot!($name, $text) });
    };
}

#[test]
fn probes_answer_in_words() {
    let room = Room::with(&["orthodox KPvK", "high KPvK KBvK"]);
    assert_snapshot!(
        "probe_orthodox_pawn",
        room.run("probe orthodox 8/8/1K6/8/8/8/4P2k/8_w_-_-").well()
    );
    assert_snapshot!(
        "probe_orthodox_stalemate",
        room.run("probe orthodox 8/8/8/8/8/1k6/p7/K7_w").well()
    );
    assert_snapshot!(
        "probe_high_bishop",
        room.run("probe high 8/8/8/4k3/8/2K5/8/7B_b_-_-_50+50_0_1").well()
    );
    assert_snapshot!(
        "probe_high_pawn",
        room.run("probe high 8/8/1K6/8/8/8/4P2k/8_w_-_-_9+2").well()
    );
    assert_snapshot!("probe_high_mated", room.run("probe high 4k3/4Q3/4K3/8/8/8/8/8_b").well());
}

#[test]
fn tables_of_one_side_answer_and_are_built_from() {
    let room = Room::with(&["orthodox KQvK --sides one", "high KBvK"]);
    let listed = json(&room.run("list orthodox KQvK --json").well());
    assert_eq!(listed[0]["side"], "white");
    assert!(room.run("list orthodox KQvK").well().contains("white to move alone"));
    let info = room.run("info tables/orthodox/KQvK.ftb").well();
    assert!(info.contains("side      white to move alone"), "{info}");
    let black = "probe orthodox 8/8/8/8/8/2k5/8/KQ6_b";
    let answer = json(&room.run(&format!("{black} --json")).well());
    assert_eq!((&answer["wdl"], &answer["dtm"]), (&"loss".into(), &14.into()));

    // Others are solved from both sides.
    let Ran { stderr, code, .. } = room.run("build orthodox KPvK --level 1");
    let command = "`finale pack orthodox tables KQvK --sides both`";
    assert!(stderr.contains(&format!("solving needs both; bring the other back with {command}")));
    assert_eq!(code, Some(1), "{stderr}");
    let ran = room.run("build orthodox KPvK --level 1 --sides one");
    assert!(ran.stderr.contains("KQvK gets its other side back"), "{}", ran.stderr);
    ran.well();
    let sides = |listed: Value| {
        let all = listed.as_array().expect("a list").iter();
        all.filter(|table| !table["side"].is_null()).count()
    };
    // All but KvK, which has one side anyway.
    assert_eq!(sides(json(&room.run("list orthodox --json").well())), 5);
    let again = room.run("build orthodox KPvK --level 1 --sides one");
    assert!(again.stderr.contains("0 tables packed"), "{}", again.stderr);

    let packed = room.run("pack orthodox both KPvK --sides both --level 1 --json").well();
    let packed = json(&packed);
    assert_eq!((&packed["side"], &packed["was_there"]), (&Value::Null, &false.into()));
    room.run("pack orthodox tight KPvK --sides both --level 1 --memory 1M").well();
    let read = |folder: &str| fs::read(room.path(folder).join("orthodox/KPvK.ftb"));
    let [ample, tight] = ["both", "tight"].map(|folder| read(folder).expect("a table"));
    assert!(ample == tight, "memory changes bytes");
    let results = room.run("pack orthodox small --contents result --level 1");
    assert!(results.stderr.contains("6 tables in small: "), "{}", results.stderr);
    results.well();
    let answer = json(&room.run(&format!("{black} --json --tables small")).well());
    assert_eq!((&answer["wdl"], &answer["dtm"]), (&"loss".into(), &Value::Null));

    let missing = room.run("pack orthodox small KQRvK");
    assert!(missing.sentence().ends_with("build it with `finale build orthodox KQRvK`"));

    // What only solving can bring back.
    room.run("pack high small KBvK").well();
    let refused = room.run("pack high back KBvK --sides both --tables small");
    let command = "`finale build high KBvK --tables small`";
    let expected = "KBvK.ftb cannot be given its other side back without solving; move it away and";
    assert!(refused.sentence().ends_with(&format!("{expected} run {command}")));
    let refused = room.run("pack orthodox back KPvK --contents distance --tables small");
    assert!(refused.sentence().contains("holds result, so distance cannot be made of it"));
}

#[test]
fn probes_answer_in_json() {
    let room = Room::with(&["orthodox KQvK", "high KQvK"]);
    assert_snapshot!(
        "probe_orthodox_json",
        room.run("probe orthodox 8/8/8/8/8/2k5/8/KQ6_b --json").well()
    );
    let answer = json(&room.run("probe high 8/8/8/8/8/2k5/8/KQ6_b_-_-_3+50 --json").well());
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        ["fen", "game", "material", "winner", "plies", "by", "slack", "staircase", "mate", "turns"]
    );
    assert_eq!(answer["fen"], "8/8/8/8/8/2k5/8/KQ6 b - - 3+50 0 1");
    assert_eq!(answer["staircase"].as_array().map(Vec::len), Some(50));
    let turns = answer["turns"].as_array().expect("a list");
    let pass = turns.iter().find(|turn| turn["uci"] == "0000").expect("Black may pass");
    assert_eq!(pass["san"], "--");
    assert_eq!(turns.len(), 1 + 3);
}

#[test]
fn batches_answer_line_by_line_and_bad_lines_do_not_stop_them() {
    let room = Room::with(&["orthodox KQvK"]);
    let fens: &[u8] = b"8/8/8/8/8/2k5/8/KQ6 w\nno position\r\n\n8/8/8/8/8/2k5/8/KR6_w\n\
        8/8/8/8/8/2k5/8/K6\xff\n8/8/8/8/8/2k5/8/K2Q4_b";
    // As JSON has what parts folders on Windows.
    insta::with_settings!({filters => [(r"tables\\\\orthodox", "tables/orthodox")]}, {
        assert_snapshot!("probe_orthodox_batch", room.run_with("probe orthodox --batch", fens).well());
    });
    let turns = room.run_with("probe orthodox --batch --turns", "8/8/8/8/8/2k5/8/KQ6").well();
    assert_eq!(json(&turns)["turns"].as_array().map(Vec::len), Some(21));
    assert_eq!(room.run_with("probe orthodox --batch", "").well(), "");
    let built = room.run_with("probe orthodox --batch --build", "8/8/8/8/8/2k5/8/KR6").well();
    assert_eq!(json(&built)["wdl"], "win");
}

#[test]
fn probing_can_build_what_is_missing() {
    let room = Room::new();
    let first = room.run("probe high 8/8/8/3k4/8/8/8/1B5K_w --build");
    assert!(first.stderr.contains("2 tables to build"), "{}", first.stderr);
    let second = room.run("probe high 8/8/8/3k4/8/8/8/1B5K_w");
    let note = "note: the FEN leaves out a field of this game; read as 8/8/8/3k4/8/8/8/1B5K w - - 50+50 0 1\n";
    assert_eq!(second.stderr, note);
    assert_eq!(first.well(), second.well());
    assert_eq!(room.files(), ["tables/high/KBvK.ftb", "tables/high/KvK.ftb"]);
}

#[test]
fn lines_show_best_play() {
    let room = Room::with(&["orthodox KRvK", "high KQvK"]);
    assert_snapshot!("line_orthodox_mate", room.run("line orthodox 8/8/8/8/8/1K6/3R4/k7_w").well());
    assert_snapshot!(
        "line_orthodox_draw",
        room.run("line orthodox 8/8/8/8/8/8/8/K1k5_w --max 3").well()
    );
    assert_snapshot!("line_high", room.run("line high 8/8/8/8/8/2k5/8/KQ6_w_-_-_20+3_0_7").well());
    let pgn = room.run("line high 8/8/8/8/8/2k5/8/KQ6_w_-_-_20+3_0_7 --pgn").well();
    assert_snapshot!("line_high_pgn", pgn);
    // What one command writes another reads.
    fs::write(room.path("line.pgn"), pgn).expect("a file");
    assert_snapshot!("replay_high", room.run("replay high line.pgn").well());
    let line = json(&room.run("line orthodox 8/8/8/8/8/1K6/3R4/k7_w --json").well());
    assert_eq!(line["line"][0]["dtm"], 0);
}

#[test]
fn statistics_answer_students() {
    let room = Room::with(&["orthodox KQvK", "high KBvK"]);
    assert_snapshot!("stats_orthodox", room.run("stats orthodox KQvK").well());
    assert_snapshot!("stats_high", room.run("stats high KBvK").well());
}

#[test]
fn tables_are_exported_as_columns() {
    let room = Room::with(&["orthodox KPvK", "high KBvK --vitality 3"]);
    let csv = room.run("export orthodox KPvK --format csv --output -").well();
    let mut lines = csv.lines();
    let head = "number,weight,to_move,white_king,white_pawn,black_king,en_passant,wdl,dtm";
    assert_eq!(lines.next(), Some(head));
    let mut wins = 0;
    for row in lines {
        let values: Vec<&str> = row.split(',').collect();
        if (values[2], values[7]) == ("white", "win") {
            wins += values[1].parse::<u64>().expect("a weight");
        }
    }
    let stats = json(&room.run("stats orthodox KPvK --json").well());
    assert_eq!(stats["results"][0]["wins"], wins);
    let some = "export high KBvK --vitality 3 --format csv --side b --columns winner,staircase";
    assert!(room.run(some).well().is_empty());
    let file = fs::read_to_string(room.path("high-KBvK.csv")).expect("a file of its own name");
    assert_eq!(file.lines().next(), Some("winner,staircase"));
    assert!(file.contains("\nwhite,"), "White wins somewhere");
    let wrong = room.run("export orthodox KPvK --format csv --columns dtz");
    assert!(wrong.sentence().starts_with("there is no column `dtz`; there are number, weight"));
    let missing = room.run("export orthodox KBNvK --format csv");
    assert!(missing.sentence().ends_with("build it with `finale build orthodox KBNvK`"));
    let parquet = room.run("export orthodox KPvK --format parquet");
    if cfg!(feature = "export") {
        parquet.well();
        let file = fs::read(room.path("orthodox-KPvK.parquet")).expect("a file of its own name");
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    } else {
        assert!(parquet.stderr.contains("build it with `--features export`"), "{}", parquet.stderr);
        assert_eq!(parquet.code, Some(2));
    }
    let mut csvs = room.files();
    csvs.retain(|file| !file.starts_with("tables/") && !file.ends_with(".parquet"));
    assert_eq!(csvs, ["high-KBvK.csv"]);
}

#[test]
fn tables_are_listed_described_and_verified() {
    let room = Room::with(&["orthodox KQvK", "high KBvK --vitality 10"]);
    let bare = Room::with(&["high KBvK --vitality 10 --contents result"]);
    let missing = bare.run("stats high KRvK --vitality 10");
    let build = "build it with `finale build high KRvK --contents result --vitality 10`";
    assert!(missing.sentence().ends_with(build), "{}", missing.sentence());
    let listed = bare.run("list high").well();
    assert!(listed.contains("KBvK.result"), "{listed}");
    for (room, distances) in [(&room, true), (&bare, false)] {
        let list = json(&room.run("list high KBvK --json").well());
        assert_eq!(list[0]["distances"], distances);
    }
    assert_listing!("list", room.run("list").well());
    assert_listing!("info_high", room.run("info tables/high/KBvK.ftb").well());
    assert_snapshot!("verify_orthodox", room.run("verify orthodox").well());
    assert_snapshot!("verify_high_json", room.run("verify high KBvK --vitality 10 --json").well());
    let list = json(&room.run("list high --json").well());
    assert_eq!(list[1]["material"], "KBvK");
    assert_eq!(list[1]["options"]["vitality"], 10);
    assert_eq!(json(&room.run("list orthodox --json").well())[0]["contents"], "distance");
    let info = json(&room.run("info --json tables/orthodox/KQvK.ftb").well());
    assert_eq!(info["game"], "orthodox");
    let empty = Room::new();
    assert_eq!(empty.run("list").sentence(), "the folder tables does not exist");
    fs::create_dir(empty.path("tables")).expect("a folder");
    let none = empty.run("list");
    assert_eq!((none.stdout.as_str(), none.code), ("", Some(0)));
    assert_eq!(none.stderr, "there are no tables in tables\n");
}

#[test]
fn games_are_replayed_and_turns_counted() {
    let room = Room::new();
    let game = "1. e4 e5 2. Bc4 Nc6 {a comment} 3. Qh5 Nf6?? 4. Qxf7#";
    assert_snapshot!("replay_orthodox", room.run_with("replay orthodox -", game).well());
    let json = json(&room.run_with("replay high - --json", "1. e4 -- 2. Ke2").well());
    assert_eq!(json["turns"][1]["san"], "--");
    assert_eq!(room.run("perft orthodox start 4").well(), "197281\n");
    assert_snapshot!(
        "perft_high_divide",
        room.run("perft high 8/8/8/8/8/2k5/8/KQ6_b 1 --divide").well()
    );
    assert_eq!(room.run_with("replay orthodox -", "1. e5").sentence().matches("e5").count(), 1);
}

#[test]
fn help_says_what_there_is() {
    let room = Room::new();
    assert_snapshot!("help", room.run("--help").well());
    for command in [
        "build", "probe", "line", "stats", "export", "find", "verify", "pack", "list", "info",
        "replay", "perft", "rules", "uci", "xboard", "serve", "site",
    ] {
        let help = room.run(&format!("{command} --help")).well();
        assert_snapshot!(format!("help_{command}"), help);
    }
}

#[test]
fn bad_input_gets_one_sentence_and_leaves_nothing() {
    let room = Room::new();
    fs::write(room.path("file"), "1. e4").expect("a file");
    let cases = [
        ("build high KBNK", "not a material"),
        ("build high KQRBNPvK", "at most 6"),
        ("build high KKvK", "2 Kings"),
        ("build orthodox KvKK", "2 Kings"),
        ("build high QvK", "no King"),
        ("build high KXvK", "there is no X in this game"),
        ("build orthodox K[R]vK", "K[R]vK"),
        ("build high KEvK", "KEvK"),
        ("build high KvK KBNK", "not a material"),
        // Windows tells it only once the plan has been.
        #[cfg(not(windows))]
        ("build high KvK --tables file", "file"),
        #[cfg(not(windows))]
        ("build high KvK --tables file/tables", "file/tables"),
        ("stats high KBNK", "not a material"),
        ("verify high KBNK", "not a material"),
        ("verify high", "build some with `finale build high --men 3`"),
        ("probe orthodox 8/8/8/8/8/8/8/K7", "Black has 0 kings"),
        ("probe orthodox 8/8/8/8/8/8/8/KKk5", "White has 2 kings"),
        ("probe orthodox 8/8/8/8/8/8/8/KQRk4", "check"),
        ("probe high 8/8/8/8/8/8/8/kQ1K4_w", "check"),
        ("probe orthodox 8/8/8/8/8/8/8/KP5k", "pawn"),
        ("probe orthodox k6p/8/8/8/8/8/8/K7", "pawn"),
        ("probe orthodox 8/8/8/8/8/8/8/K6", "rank 1"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k1", "rank 1"),
        ("probe orthodox 8/8/8/K7/8/8/k7", "8"),
        ("probe orthodox 8/8/8/8/8/8/8/K1X4k", "`X`"),
        ("probe orthodox 8/8/8/8/8/8/8/K1Ö4k", "ASCII"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k_x", "`x`"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k_w_Q", "castling"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k_w_-_e6", "e6"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k_w_-_-_-1", "-1"),
        ("probe orthodox 8/8/8/8/8/8/8/K6k_w_-_-_50+50_0_1", "50+50"),
        ("probe orthodox 4k3/8/8/8/8/8/8/4K2R_w_K_-", "castling"),
        ("probe high 4k3/8/8/8/8/8/8/4K2R_w_K_-", "castling"),
        ("probe orthodox 4k3/8/8/8/8/8/PPPPPP2/4K3", "at most 6"),
        ("probe high 4k3/8/8/8/8/8/8/4K3_w_-_-_0+50", "1 to 50"),
        ("probe high 4k3/8/8/8/8/8/8/4K3_w_-_-_50+51", "1 to 50"),
        ("probe high 4k3/8/8/8/8/8/8/4K3_w_-_-_11+1 --vitality 10", "1 to 10"),
        ("line orthodox no", "rank"),
        ("perft orthodox no 1", "rank"),
        ("probe orthodox 4k3/8/8/8/8/8/8/2BNK3", "`finale build orthodox KBNvK`"),
        ("probe orthodox 4k3/2bn4/8/8/8/8/8/4K3", "`finale build orthodox KBNvK`"),
        (
            "line high 4k3/2bn4/8/8/8/8/8/4K3 --revitalise both",
            "`finale build high KvKBN --revitalise both`",
        ),
        ("stats orthodox KBNvK", "`finale build orthodox KBNvK`"),
        ("info nothing", "nothing"),
        ("info file", "not a table"),
        ("replay high nothing", "nothing"),
    ];
    for (args, part) in cases {
        let ran = room.run(args);
        let sentence = ran.sentence();
        assert!(sentence.contains(part), "`{args}` says: {sentence}");
        assert_eq!(room.files(), ["file"], "after `{args}`");
    }
    // One row a table: what is wrong with it stands there.
    let ran = room.run("verify orthodox KBNvK");
    assert!(ran.stdout.contains("`finale build orthodox KBNvK`"), "{}", ran.stdout);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    let room = Room::new();
    let cases = [
        "fly",
        "build",
        "build high",
        "build chequers KvK",
        "build high --men 7",
        "build high --men 3 KvK",
        "build high KvK --level 23",
        "build high KvK --memory plenty",
        "build high KvK --memory 99999999999G",
        "build high KvK --vitality 0",
        "build high KvK --vitality 51",
        "build high KvK --vitality much",
        "build high KvK --revitalise nobody",
        "build orthodox KvK --vitality 10",
        "probe high",
        "probe high 8/8 --batch",
        "probe orthodox 4k3/8/8/8/8/8/8/4K3 --turns",
        "line high 4k3/8/8/8/8/8/8/4K3 --pgn --json",
        "perft high start deep",
    ];
    for args in cases {
        let ran = room.run(args);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "`{args}`: {}", ran.stderr);
        assert!(ran.stderr.starts_with("error: "), "`{args}`: {}", ran.stderr);
        assert_eq!(room.files(), [""; 0], "after `{args}`");
    }
}

#[test]
fn results_and_distances_lie_side_by_side() {
    const PROBE: &str = "probe orthodox 8/8/8/8/8/2k5/8/KQ6_w_-_-_0_1";
    let room = Room::with(&["orthodox KQvK --contents result"]);
    assert_eq!(room.files(), ["tables/orthodox/KQvK.result.ftb", "tables/orthodox/KvK.result.ftb"]);
    let told = room.run(PROBE).well();
    assert!(told.contains("\nWhite wins; the table does not tell in how many moves\n"), "{told}");
    let line = room.run(&PROBE.replace("probe", "line")).well();
    assert!(!line.contains("for ever"), "{line}");
    // What there is of results does not stand for distances, and is not built again.
    let plan = json(&room.run("build orthodox KQvK --plan --json").well());
    let of_table = |at: usize, member: &str| plan["tables"][at][member].clone();
    assert_eq!(of_table(1, "file"), "orthodox/KQvK.ftb");
    assert_eq!(of_table(1, "exists"), false);
    room.run("build orthodox KQvK").well();
    let told = room.run(PROBE).well();
    assert!(told.contains("\nWhite mates in "), "{told}");
    let again = room.run("build orthodox KQvK --contents result");
    assert_eq!(again.stderr, "nothing to build: 2 tables are there\n");
    let verified = room.run("verify orthodox").well();
    let names: Vec<_> = verified.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["KvK", "KQvK", "KvK.result", "KQvK.result"]);
    let ran = room.run("build noro KvK --contents distance");
    assert!(ran.sentence().ends_with("for noro; they are of result or points"), "{}", ran.stderr);
    let ran = room.run("build orthodox KvK --contents points");
    let they_are = "for orthodox; they are of distance or result";
    assert!(ran.sentence().ends_with(they_are), "{}", ran.stderr);
    let ran = room.run("build noro KvK --contents pawns");
    assert!(ran.stderr.contains("result or distance or points"), "{}", ran.stderr);
}

#[test]
fn points_lie_beside_thresholds() {
    const PROBE: &str = "probe noro 8/8/8/8/8/2k5/8/KQ6_w_-_-_4+7_0_40";
    let room = Room::with(&["noro KQvK"]);
    let there = |room: &Room| {
        let listed = json(&room.run("list noro --json").well());
        let of = |table: &Value| format!("{} {}", table["material"], table["contents"]);
        let all = listed.as_array().expect("a list of tables").iter().map(of);
        all.collect::<Vec<_>>().join(", ").replace('"', "")
    };
    const RESULTS: &str = "KvK result, QvK result, KQvK result";
    assert_eq!(there(&room), RESULTS);
    let answer = |room: &Room| json(&room.run(&format!("{PROBE} --json")).well());
    let without = answer(&room);
    assert_eq!(without["margin"], Value::Null);
    let told = room.run(PROBE).well();
    assert!(!told.contains("neither side can do better"), "{told}");
    let no_margins = room.run("stats noro KQvK --json").well();
    assert!(!no_margins.contains("\"margins\""), "{no_margins}");

    room.run("build noro KQvK --contents points").well();
    assert_eq!(there(&room), format!("{RESULTS}, {}", RESULTS.replace("result", "points")));
    let with = answer(&room);
    // White takes the King, which is worth 2 points.
    assert_eq!(with["margin"], -1);
    let told = room.run(PROBE).well();
    let sentence = "\nWhite takes the last man 1 point behind: neither side can do better.\n";
    assert!(told.contains(sentence), "{told}");
    for member in ["result", "win_at", "draw_at", "slack", "plies_left"] {
        assert_eq!(with[member], without[member], "{member}");
    }
    let ahead = room.run(&PROBE.replace("4+7", "9+7")).well();
    assert!(ahead.contains("\nWhite wins by 4 points: neither side can do better.\n"), "{ahead}");
    let line = room.run(&PROBE.replace("4+7", "9+7").replace("probe", "line")).well();
    assert!(line.trim_end().ends_with("White wins 11-7 by elimination"), "{line}");
    let stats = json(&room.run("stats noro KQvK --json").well());
    let rows = stats["margins"].as_array().expect("a row for each margin");
    assert!(rows.iter().any(|row| row["margin"] == 2 && row["result"] == "white"), "{rows:?}");
    let query = vec!["find", "noro", "KQvK", "margin = 2 and to_move = white", "--count"];
    let found = json(&room.run_words([query, vec!["--format", "json"]].concat()).well());
    let of_all = rows.iter().find(|row| row["to_move"] == "white" && row["margin"] == 2);
    assert_eq!(found["placements"], of_all.expect("such a row")["placements"]);
    let verified = room.run("verify noro").well();
    assert_eq!(verified.matches("all right").count(), 6, "{verified}");
    // A file by the name of one that holds something else, as an older finale takes it.
    fs::copy(room.path("tables/noro/KQvK.points.ftb"), room.path("tables/noro/KQvK.ftb"))
        .expect("room to copy");
    fs::remove_file(room.path("tables/noro/KQvK.points.ftb")).expect("it was there");
    let ran = room.run(PROBE);
    assert!(ran.sentence().contains("a table of noro KQvK (points, "), "{}", ran.stderr);
    assert!(ran.sentence().contains("not of noro KQvK (result, "), "{}", ran.stderr);
}

#[test]
fn tables_of_an_older_finale_are_built_again() {
    let room = Room::with(&["orthodox KRvK"]);
    let file = room.path("tables/orthodox/KRvK.ftb");
    let today = fs::read(&file).expect("a table");
    let replace = |bytes: &[u8]| {
        fs::remove_file(&file).expect("a table");
        fs::write(&file, bytes).expect("a file");
    };
    // One that was made in the format before, and one whose game has had another schema since.
    let format4 = include_bytes!("../data/format4/orthodox/KRvK.ftb").to_vec();
    let mut header = header(&today).expect("a table");
    header["schema"] = 0.into();
    for (older, why) in [
        (format4, "it has format 4, and this one reads 5"),
        (sealed(&today, header), "it has schema 0 of orthodox, and this one reads 1"),
    ] {
        replace(&older);
        for command in ["probe orthodox 8/8/8/8/8/2k5/8/KR6_w", "build orthodox KRvK"] {
            let ran = room.run(command);
            let sentence = format!(
                "KRvK.ftb was made by an older finale: {why}; build it again with `finale build \
                 orthodox KRvK --repair`"
            );
            assert!(ran.sentence().ends_with(&sentence), "`{command}`: {}", ran.stderr);
        }
        room.run("build orthodox KRvK --repair --level 3").well();
        assert!(fs::read(&file).expect("a table") == today);
    }
    // A newer one is not overwritten.
    let mut newer = sealed(&today, self::header(&today).expect("a table"));
    newer[8] += 1;
    replace(&newer);
    let ran = room.run("build orthodox KRvK --repair");
    assert!(ran.sentence().contains("was made by a newer finale"), "{}", ran.stderr);
    assert!(fs::read(&file).expect("a table") == newer);
}

#[test]
fn damaged_tables_are_refused() {
    const PROBE: &str = "probe orthodox 8/8/8/8/8/2k5/8/KQ6_w";
    let room = Room::with(&["orthodox KQvK"]);
    let file = room.path("tables/orthodox/KQvK.ftb");
    let whole = fs::read(&file).expect("the table");
    let answer = room.run(PROBE).well();
    let replace = |bytes: &[u8]| {
        // Opened tables are mapped: a new file keeps this test from changing one.
        fs::remove_file(&file).expect("the table");
        fs::write(&file, bytes).expect("a file");
    };
    for length in [0, 7, 31, 32, 100, whole.len() / 2, whole.len() - 1] {
        replace(&whole[..length]);
        for command in [PROBE, "stats orthodox KQvK", "build orthodox KQvK"] {
            let ran = room.run(command);
            assert!(ran.sentence().contains("KQvK.ftb"), "{}", ran.stderr);
            let hint = "; build it again with `finale build orthodox KQvK --repair`";
            assert!(ran.sentence().ends_with(hint), "{}", ran.stderr);
        }
        let found = room.run("verify orthodox KQvK");
        assert!(found.stdout.contains("KQvK       FAILED: "), "{}", found.stdout);
        assert_eq!((found.stderr.as_str(), found.code), ("error: 1 of 1 table failed\n", Some(1)));
    }
    let listed = room.run("list orthodox");
    assert!(listed.stdout.contains("KQvK.ftb is damaged"), "{}", listed.stdout);
    assert_eq!(
        (listed.stderr.as_str(), listed.code),
        ("error: 1 of 2 tables cannot be used\n", Some(1))
    );

    let mut version = whole.clone();
    version[8] += 1;
    replace(&version);
    let ran = room.run(PROBE);
    assert!(ran.sentence().contains(&format!("it has format {},", version[8])), "{}", ran.stderr);

    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        replace(&flipped);
        let found = room.run("verify orthodox KQvK --checksums");
        assert!(found.stdout.contains("KQvK       FAILED"), "byte {place}: {}", found.stdout);
        assert_eq!(found.code, Some(1));
        let probed = room.run(PROBE);
        if probed.code == Some(0) {
            assert_eq!(probed.stdout, answer, "byte {place}");
        } else {
            probed.sentence();
        }
    }
}

#[test]
fn tables_of_something_else_are_refused() {
    let room = Room::with(&["orthodox KQvK KRvK", "high KQvK --vitality 10"]);
    let high = "probe high 8/8/8/8/8/2k5/8/KQ6_w";
    room.run(&format!("{high} --vitality 10")).well();

    let ran = room.run(high);
    assert!(ran.sentence().contains("vitality 10, revitalise mover), not of"), "{}", ran.stderr);
    let ran = room.run(&format!("{high} --vitality 10 --revitalise both"));
    assert!(ran.sentence().contains("revitalise both"), "{}", ran.stderr);
    // A build does not take them for its own either.
    for command in ["build high KQvK", "build high KRvK", "stats high KQvK"] {
        let before = room.files();
        let ran = room.run(command);
        assert!(ran.sentence().contains("is a table of high"), "`{command}`: {}", ran.stderr);
        assert_eq!(room.files(), before, "after `{command}`");
    }

    let copy = |from: &str, to: &str| {
        fs::remove_file(room.path(to)).expect("a table");
        fs::copy(room.path(from), room.path(to)).expect("a copy");
    };
    copy("tables/orthodox/KQvK.ftb", "tables/high/KQvK.ftb");
    let ran = room.run(&format!("{high} --vitality 10"));
    assert!(ran.sentence().contains("is a table of orthodox KQvK, not of high"), "{}", ran.stderr);
    copy("tables/orthodox/KRvK.ftb", "tables/orthodox/KQvK.ftb");
    let ran = room.run("probe orthodox 8/8/8/8/8/2k5/8/KQ6_w");
    assert!(ran.sentence().contains("is a table of orthodox KRvK, not of"), "{}", ran.stderr);
    // That is no matter of rules.
    let hint = "; move that file away and run `finale build orthodox KQvK`";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
}

#[test]
fn the_long_version_says_what_is_in_it() {
    let said = Room::new().run("--version").well();
    assert!(said.starts_with(concat!("finale ", env!("CARGO_PKG_VERSION"))), "{said}");
    assert_eq!(said.lines().any(|line| line == "with export"), cfg!(feature = "export"));
}

#[test]
fn builds_pass_over_a_file_of_another_name() {
    let room = Room::with(&["orthodox KQvK", "orthodox KRvK"]);
    fs::rename(room.path("tables/orthodox/KQvK.ftb"), room.path("tables/orthodox/KBvK.ftb"))
        .expect("a table");
    let wrong = "KBvK.ftb is a table of orthodox KQvK, not of orthodox KBvK";
    let planned = room.run("build orthodox KBvKN KNvK --plan");
    assert_eq!(planned.code, Some(1));
    assert!(planned.stderr.contains(wrong), "{}", planned.stderr);
    let named: Vec<&str> =
        planned.stdout.split_whitespace().filter(|word| word.contains('v')).collect();
    assert_eq!(named, ["KvK", "KNvK"]);
    let cut = room.path("tables/orthodox/KRvK.ftb");
    let bytes = fs::read(&cut).expect("a table");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("it is ours");
    let mended = room.run("build orthodox KBvKN KRvK --repair");
    assert_eq!(mended.code, Some(1));
    assert!(mended.stderr.contains(wrong), "{}", mended.stderr);
    room.run("stats orthodox KRvK").well();
    assert!(!room.path("tables/orthodox/KBvKN.ftb").exists());
    let alone = room.run("build orthodox KBvK");
    assert!(alone.stderr.contains(wrong), "{}", alone.stderr);
    assert_eq!(alone.code, Some(1));
}

#[test]
fn folders_that_cannot_be_written_stop_a_build() {
    let room = Room::new();
    let folder = room.path("tables");
    fs::create_dir(&folder).expect("a folder");
    let set = |read_only: bool| {
        let mut permissions = fs::metadata(&folder).expect("the folder").permissions();
        permissions.set_readonly(read_only);
        fs::set_permissions(&folder, permissions).expect("the folder is ours");
    };
    set(true);
    // Permissions do not keep an administrator out.
    let is_kept_out = fs::write(folder.join("try"), "").is_err();
    if is_kept_out {
        let ran = room.run("build high KvK");
        assert!(ran.stderr.contains("error: cannot create"), "{}", ran.stderr);
        assert_eq!(ran.code, Some(1));
        assert_eq!(room.files(), [""; 0]);
    }
    set(false);
}

/// A limit on the size of files stops a build as a full disk does, at the table and at scratch
/// files alike.
#[test]
#[cfg(unix)]
fn full_disks_stop_a_build_and_leave_complete_tables() {
    for (memory, problem) in
        [("1G", "cannot write to"), ("4K", "bytes to a scratch file in tables")]
    {
        let room = Room::new();
        let limited = format!(
            "trap '' XFSZ; ulimit -f 16; exec {FINALE} build high KQvK --tables tables --memory {memory}"
        );
        let output = Command::new("sh")
            .current_dir(room.0.path())
            .args(["-c", &limited])
            .output()
            .expect("a shell");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(matches!(errors[..], [error] if error.contains(problem)), "{stderr}");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(room.files(), ["tables/high/KvK.ftb"]);
        room.assert_complete_tables();
        room.run("build high KQvK").well();
    }
}

#[test]
fn two_builds_at_once_do_not_harm_each_other() {
    let room = Room::new();
    let mut builds = [0; 3].map(|_| room.start("build orthodox --men 3"));
    for build in &mut builds {
        assert!(build.wait().expect("it ends").success());
    }
    let tables = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "KvK"];
    assert_eq!(room.files(), tables.map(|name| format!("tables/orthodox/{name}.ftb")));
    room.assert_complete_tables();
    room.run("verify orthodox").well();
}

#[test]
fn killed_builds_leave_complete_tables_and_can_go_on() {
    let room = Room::new();
    for milliseconds in [5, 20, 50, 100, 200, 400] {
        let mut build = room.start("build high --men 3 --level 3");
        thread::sleep(Duration::from_millis(milliseconds));
        build.kill().expect("it can be killed");
        build.wait().expect("it ends");
        room.assert_complete_tables();
    }
    fs::create_dir_all(room.path("tables/high")).expect("a folder");
    fs::write(room.path("tables/high/.KPvK.ftb.abcd1234.tmp"), "half").expect("a file");
    // The last table may have been finished before the kill: it would not be begun again.
    let _ = fs::remove_file(room.path("tables/high/KPvK.ftb"));
    room.run("build high --men 3 --level 3").well();
    let files = room.files();
    assert_eq!(files.len(), 11, "{files:?}");
    assert!(files.iter().all(|file| file.ends_with(".ftb")), "{files:?}");
    room.run("verify high KPvK KvKP").well();
}

//! Tables that are built part by part: the same table comes of it, whoever builds which part and
//! whenever somebody is killed.

use std::{fs, path::Path, thread, time::Duration};

use finale::{
    answer::Contents,
    index::Material,
    probe::Tablebase,
    rules::{Elks, High, Noro, Orphic, Rooks, Stylish, Tiebraker, Variant},
    solve::{BuildOptions, Goal, Solve},
    table::Table,
};

use crate::common::room::{Room, json};

/// KPvK in a dozen parts.
const IN_PARTS: &str = "build orthodox KPvK --level 1 --part-size 10000";

/// The bytes of KPvK.
fn table(room: &Room) -> Vec<u8> {
    fs::read(room.path("tables/orthodox/KPvK.ftb")).expect("the table is there")
}

/// What `IN_PARTS` makes when nobody disturbs it.
fn undisturbed() -> Vec<u8> {
    let room = Room::new();
    room.run(IN_PARTS).well();
    table(&room)
}

/// Copies a folder and all in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("room for a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (from, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).expect("it");
        match from.is_dir() {
            true => copy(&from, &to),
            false => drop(fs::copy(&from, &to).expect("room for a file")),
        }
    }
}

/// Builds a table in one piece and in parts, with so little memory that pages are unpacked again
/// and again, and compares every answer; `sections` are those of a part. The larger ones of the
/// tables it needs can be built `before`, with all the memory they like.
fn same_answers<G: Solve>(game: G, material: &str, sections: usize, memory: u64, before: &[&str]) {
    // What tables of the game usually hold.
    same_answers_of(game, (material, G::CONTENTS[0]), sections, memory, before);
}

/// The same of tables that hold so much.
fn same_answers_of<G: Solve>(
    game: G,
    (material, contents): (&str, Contents),
    sections: usize,
    memory: u64,
    before: &[&str],
) {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let named = |name: &&str| name.parse().expect("a material");
    let before: Vec<Material> = before.iter().map(named).collect();
    let material = named(&material);
    let plenty = BuildOptions::default().level(1).contents(contents);
    let scarce = plenty.clone().memory(memory).part_size(10_000);
    let build = |folder: &Path, materials: &[Material], options: &BuildOptions| {
        let tables = Tablebase::new(game.clone(), folder);
        tables.build(materials, options).expect("nothing is in the way");
        tables
    };
    build(&whole, &before, &plenty);
    if !before.is_empty() {
        copy(&whole, &parts);
    }
    let whole = build(&whole, &[material], &plenty);
    let tables = build(&parts, &[material], &scarce);
    let (game, reader) = (tables.game(), tables.reader(&material).expect("a whole table"));
    let positions = (0..game.cells(&reader)).filter_map(|cell| game.cell(&reader, cell));
    let mut count = 0;
    for position in positions {
        let (expected, found) = (whole.answer(&position), tables.answer(&position));
        assert_eq!(found.expect("whole tables"), expected.expect("whole tables"), "{position:?}");
        count += 1;
    }
    assert!(count > 100_000);
    let path = tables.directories().path(&game.table_id(&material, contents));
    let found = Table::open(&path).expect("a whole table").header().sections.len();
    let goal = Goal::new(game, material, contents);
    let layout = game.layout(&goal, 10_000).parts().len();
    assert!(layout > 8, "{layout} parts");
    assert_eq!(found, layout * sections, "a stretch for each part and section");
    assert!(!path.with_extension("parts").exists());
}

#[test]
fn parts_answer_like_a_table_in_one_piece() {
    same_answers(Variant::orthodox(), "KPvK", 2, 200_000, &[]);
    same_answers(Variant::koth(), "KPvK", 2, 200_000, &[]);
    same_answers(Stylish::default(), "KPvK", 6, 200_000, &[]);
    same_answers(Tiebraker, "KPvK", 56, 200_000, &[]);
    same_answers(Noro::default(), "KPvK", 4, 200_000, &[]);
    same_answers(High::default(), "KPvK", 7, 200_000, &[]);
    same_answers_of(High::default(), ("KPvK", Contents::Result), 5, 200_000, &[]);
    // Some turns lead to tables of Orphic Chess, and some to orthodox ones.
    same_answers(Orphic::<Elks>::default(), "KPvK", 2, 200_000, &[]);
}

#[test]
fn drops_find_their_way_from_part_to_part() {
    // A pawn may make room for the Rook, which leads far around.
    same_answers(Orphic::<Rooks>::default(), "KP[R]vK", 2, 4_000_000, &["KRPvK"]);
}

#[test]
fn parts_can_be_built_one_by_one_and_joined() {
    let room = Room::new();
    room.run("build orthodox KQvK KRvK KBvK KNvK --level 1").well();
    let plan = json(&room.run(&format!("{IN_PARTS} --plan --json")).well());
    let tables = plan["tables"].as_array().expect("tables");
    let planned = tables.iter().find(|table| table["material"] == "KPvK").expect("it is planned");
    let parts = planned["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 12);
    for part in parts {
        let name = part["part"].as_str().expect("a name");
        let sentence = room.run(&format!("{IN_PARTS} --join")).sentence().to_owned();
        assert!(sentence.contains(&format!("there is no part {name} of KPvK in ")), "{sentence}");
        for needed in part["needs"].as_array().expect("names") {
            assert!(
                room.path(&format!(
                    "tables/orthodox/KPvK.parts/{}.ftb",
                    needed.as_str().expect("a name")
                ))
                .exists()
            );
        }
        room.run(&format!("{IN_PARTS} --part {name}")).well();
    }
    let words = room.run(&format!("{IN_PARTS} --plan")).well();
    assert!(words.contains("; 12 of 12 parts are there"), "{words}");
    // What is there is not built again.
    let before = fs::metadata(room.path("tables/orthodox/KPvK.parts/1.1.ftb")).expect("a part");
    room.run(&format!("{IN_PARTS} --part 1.1")).well();
    let after = fs::metadata(room.path("tables/orthodox/KPvK.parts/1.1.ftb")).expect("a part");
    assert_eq!(before.modified().ok(), after.modified().ok());
    room.run(&format!("{IN_PARTS} --join")).well();
    assert_eq!(table(&room), undisturbed());
    assert!(!room.path("tables/orthodox/KPvK.parts").exists());
    room.run(&format!("{IN_PARTS} --join")).well();
    // A build that is killed after joining leaves the parts; the next one removes them.
    fs::create_dir(room.path("tables/orthodox/KPvK.parts")).expect("room for a folder");
    fs::write(room.path("tables/orthodox/KPvK.parts/0.0.lock"), "").expect("room for a file");
    room.run(IN_PARTS).well();
    assert!(!room.path("tables/orthodox/KPvK.parts").exists());
    room.run("verify orthodox KPvK").well();
}

#[test]
fn parts_are_the_same_whoever_builds_them() {
    // What the numbers of a part stand for is found in another order by who has read the parts
    // before.
    for (game, file, options) in [
        ("noro", "KPvK.ftb", ""),
        ("high", "KPvK.ftb", ""),
        ("high", "KPvK.result.ftb", " --contents result"),
    ] {
        let room = Room::new();
        let build = format!("build {game} KPvK{options} --level 1 --part-size 20000");
        room.run(&build).well();
        let path = room.path(&format!("tables/{game}/{file}"));
        let expected = fs::read(&path).expect("the table is there");
        fs::remove_file(&path).expect("it can be removed");
        let plan = json(&room.run(&format!("{build} --plan --json")).well());
        let tables = plan["tables"].as_array().expect("tables");
        let planned = tables.iter().find(|table| table["material"] == "KPvK");
        let parts = planned.expect("it is planned")["parts"].as_array().expect("parts").clone();
        assert!(parts.len() > 4, "{file}: {} parts", parts.len());
        for part in &parts {
            let name = part["part"].as_str().expect("a name");
            room.run(&format!("{build} --part {name}")).well();
        }
        room.run(&format!("{build} --join")).well();
        assert!(fs::read(&path).expect("the table is there") == expected, "{game}");
        room.run(&format!("verify {game} KPvK")).well();
        room.run(&format!("stats {game} KPvK")).well();
    }
}

#[test]
fn killed_builds_go_on_and_several_share_the_work() {
    let expected = undisturbed();
    let room = Room::new();
    room.run("build orthodox KQvK KRvK KBvK KNvK --level 1").well();
    let mut finished = 0;
    for kill in 0..12_u64 {
        let mut builds = [room.start(IN_PARTS), room.start(IN_PARTS)];
        thread::sleep(Duration::from_millis(5 + kill * 7));
        for build in &mut builds {
            build.kill().expect("it may be killed");
            build.wait().expect("it ends");
        }
        if room.path("tables/orthodox/KPvK.ftb").exists() {
            finished += 1;
            assert_eq!(table(&room), expected);
            fs::remove_file(room.path("tables/orthodox/KPvK.ftb")).expect("it can be removed");
        }
        room.assert_complete_tables();
    }
    assert!(finished < 12, "the kills came too late to matter");
    let mut builds = [room.start(IN_PARTS), room.start(IN_PARTS)];
    for build in &mut builds {
        assert!(build.wait().expect("it ends").success());
    }
    assert_eq!(table(&room), expected);
    let left = room.files().into_iter().filter(|file| !file.ends_with(".ftb"));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_a_part_is_one_sentence() {
    let room = Room::new();
    room.run("build orthodox KQvK KRvK KBvK KNvK --level 1").well();
    let failed = |args: &str| {
        let ran = room.run(args);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        ran.stderr
    };
    let missing = failed(&format!("{IN_PARTS} --part 2.0"));
    assert!(missing.contains("there is no part 0.0 of KPvK in "), "{missing}");
    let none = failed(&format!("{IN_PARTS} --part 9.0"));
    assert!(none.contains("KPvK has no part 9.0; the last is 5.1"), "{none}");

    room.run(&format!("{IN_PARTS} --part 0.0")).well();
    let part = room.path("tables/orthodox/KPvK.parts/0.0.ftb");
    // Others have cut the table into other parts.
    let other = failed("build orthodox KPvK --level 1 --part-size 20000");
    assert!(other.contains("0.0.ftb is part 0.0 (structures 0 to 1) of orthodox KPvK"), "{other}");
    assert!(other.contains("not part 0.0 (structures 0 to 3)"), "{other}");
    assert!(other.contains("KPvK.parts to begin again"), "{other}");
    assert!(!room.path("tables/orthodox/KPvK.ftb").exists());

    let whole = fs::read(&part).expect("a part");
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    fs::write(&part, damaged).expect("it can be written");
    let damage = failed(IN_PARTS);
    assert!(damage.contains("0.0.ftb is damaged"), "{damage}");
    fs::write(&part, whole).expect("it can be written");
    room.run(IN_PARTS).well();
    assert_eq!(table(&room), undisturbed());
}

#[test]
fn lists_tell_how_far_a_plan_is() {
    let room = Room::new();
    let plan = room.run(&format!("{IN_PARTS} --plan --json")).well();
    fs::write(room.path("plan.json"), plan).expect("room for a file");
    room.run("build orthodox KQvK KRvK KBvK KNvK --level 1").well();
    room.run(&format!("{IN_PARTS} --part 0.0")).well();
    let listed = room.run("list --plan plan.json").well();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 7, "{listed}");
    assert!(lines[0].starts_with("orthodox     KvK ") && lines[0].ends_with(" B"), "{listed}");
    assert_eq!(lines[5], "orthodox     KPvK       1 of 12 parts");
    let sum = "5 of 6 tables and 1 of 12 parts of the others are there; still to do: about 0.0 s on two cores";
    assert_eq!(lines[6], sum);
    fs::remove_file(room.path("tables/orthodox/KNvK.ftb")).expect("it can be removed");
    let rows = json(&room.run("list --plan plan.json --json").well());
    assert_eq!((&rows[4]["bytes"], &rows[4]["parts_there"]), (&json("null"), &json("0")));
    assert_eq!((&rows[5]["parts"], &rows[5]["parts_there"]), (&json("12"), &json("1")));
    let text = room.run("list --plan plan.json").well();
    assert!(text.contains("orthodox     KNvK       missing\n"), "{text}");
    room.run(IN_PARTS).well();
    let plan = fs::read(room.path("plan.json")).expect("a plan");
    let all = room.run_with("list --plan -", plan).well();
    assert!(all.ends_with(": all there\n"), "{all}");

    for (text, why) in [
        ("nothing", "expected ident at line 1 column 2"),
        (r#"{"game":"go","tables":[]}"#, "there is no game called go"),
        (
            r#"{"game":"high","tables":[{"material":"../K","file":"high/KvK.ftb","parts":[]}]}"#,
            "`../K`",
        ),
    ] {
        fs::write(room.path("plan.json"), text).expect("room for a file");
        let ran = room.run("list --plan plan.json");
        let sentence = ran.sentence();
        assert!(sentence.starts_with("plan.json is not a plan of `finale build --plan --json`: "));
        assert!(sentence.contains(why), "{sentence}");
    }
}

#[test]
fn a_part_leaves_alone_what_others_may_be_writing() {
    let room = Room::new();
    room.run("build orthodox KvK --level 1").well();
    // On a shared folder, locks of other machines may not be seen.
    for table in ["KQvK", "KRvK"] {
        fs::write(room.path(&format!("tables/orthodox/.{table}.ftb.abcd1234.tmp")), "half")
            .expect("room for a file");
    }
    room.run("build orthodox KQvK --level 1 --part 0.0").well();
    let files = room.files();
    let left = files.iter().filter(|file| file.ends_with(".tmp"));
    assert_eq!(left.collect::<Vec<_>>(), ["tables/orthodox/.KRvK.ftb.abcd1234.tmp"]);
    // There is nothing to build, whoever asks.
    room.run("build orthodox KQvK --level 1 --part 0.0").well();
}

/// The most memory a process has had so far, in bytes.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The most memory that a build with so many MiB has, in MiB.
#[cfg(target_os = "linux")]
fn most_memory(what: &str, allowed: u64) -> u64 {
    let room = Room::new();
    let mut build = room.start(&format!("build {what} --level 1 --memory {allowed}M"));
    let mut most = 0;
    while build.try_wait().expect("it can be asked").is_none() {
        most = most.max(peak(build.id()).unwrap_or(0));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(build.wait().expect("it ends").success());
    most >> 20
}

#[test]
#[cfg(target_os = "linux")]
fn builds_keep_to_their_memory() {
    for (what, allowed) in [
        ("orthodox KPvKP", 64),
        ("stylish KPvKP", 64),
        ("orphic KP[R]vK", 64),
        ("tiebraker KQvKR", 256),
        ("high KBvKN --vitality 20", 64),
    ] {
        let most = most_memory(what, allowed);
        assert!(most > 16, "{what}: {most} MiB are too few to be true");
        assert!(most < allowed + 64, "{what}: {most} MiB instead of {allowed} and 64");
    }
}

#[test]
fn plans_keep_to_what_is_allowed_and_builds_say_what_they_need() {
    let room = Room::new();
    let memory = |allowed: &str| {
        let plan = format!("build tiebraker KPvKP --plan --json --memory {allowed}");
        json(&room.run(&plan).well())["memory"].as_u64().expect("bytes")
    };
    // With its sub-tables there and as much memory as it likes it was seen to take 1,461 MiB.
    let most = memory("1000G") >> 20;
    assert!((1461 * 2 / 3..1461 * 3 / 2).contains(&most), "{most} MiB");
    assert_eq!(memory("64M"), 64 << 20);
    let said = |allowed: &str| {
        let ran = room.run(&format!("build tiebraker KvK --level 1 --memory {allowed}"));
        let said = ran.stderr.contains("KvK needs at least 16");
        ran.well();
        fs::remove_file(room.path("tables/tiebraker/KvK.ftb")).expect("it is there");
        said
    };
    assert!(said("1M") && !said("64M"));
}

//! What users, other programs and the system do to the program: cut files, full disks, closed
//! pipes, signals, lines without end. It answers with a sentence or goes on; it never dies.
#![cfg(unix)]

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

const FINALE: &str = env!("CARGO_BIN_EXE_finale");

/// The tables that come with the repository.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

fn room() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A folder of tables with some of those that come with the repository.
fn room_with(tables: &[&str]) -> TempDir {
    let room = room();
    for table in tables {
        let to = room.path().join("tables").join(table);
        fs::create_dir_all(to.parent().expect("it has one")).expect("a folder");
        fs::copy(Path::new(SHIPPED).join(table), to).expect("room for a copy");
    }
    room
}

/// The program with arguments that spaces part, to run in a folder.
fn finale(room: &TempDir, args: &str) -> Command {
    let mut command = Command::new(FINALE);
    command.current_dir(room.path()).env_remove("FINALE_TABLES").args(args.split(' '));
    command
}

/// A line of the shell in which `$FINALE` is the program.
fn shell(room: &TempDir, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(room.path()).env_remove("FINALE_TABLES").env("FINALE", FINALE);
    command.args(["-c", line]).output().expect("a shell")
}

/// What a command says that is done before long; one that hangs is a failure.
fn soon(mut command: Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    let process = child.id().to_string();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(Duration::from_secs(60)).map_or_else(
        |_| {
            let _ = Command::new("kill").args(["-s", "KILL", &process]).status();
            panic!("{command:?} hangs");
        },
        |output| output.expect("it can be waited for"),
    )
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The files in a folder, in order.
fn names(folder: PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> =
        entries.map(|entry| name(entry).into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn a_table_that_is_cut_while_a_batch_reads_it_costs_only_its_answers() {
    let room = room_with(&["tiebraker/KvK.ftb", "tiebraker/KQvK.ftb"]);
    let mut batch = finale(&room, "probe tiebraker --batch");
    let mut batch =
        batch.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = batch.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(batch.stdout.take().expect("a pipe")).lines();
    // More than any buffer holds, so that answers come before the end.
    let many = "8/8/8/3k4/8/8/8/KQ6 w - - normal 0 1\n".repeat(5000);
    let writer = thread::spawn(move || {
        stdin.write_all(many.as_bytes()).expect("it reads");
        stdin
    });
    let first = answers.next().expect("an answer").expect("UTF-8");
    assert!(first.contains("\"points\":"), "{first}");
    // The file has been read for White; what is left of it is not even its first bytes.
    let file = room.path().join("tables/tiebraker/KQvK.ftb");
    fs::File::options().write(true).open(file).expect("it").set_len(20).expect("it can be cut");
    let before: Vec<String> =
        answers.by_ref().take(4000).map(|line| line.expect("UTF-8")).collect();
    assert!(before.iter().all(|line| *line == first));
    let mut stdin = writer.join().expect("it reads");
    writeln!(stdin, "8/8/8/3k4/8/8/8/KQ6 b - - normal 0 1").expect("it reads");
    drop(stdin);
    let last: Vec<String> = answers.map(|line| line.expect("UTF-8")).collect();
    assert_eq!(last.len(), 1000);
    let problem = "the file ends before it, though it was longer when opened";
    assert!(last[999].contains(problem), "{}", last[999]);
    assert!(batch.wait().expect("it ends").success());
}

#[test]
fn messages_that_nobody_reads_stop_nothing() {
    let room = room();
    for (build, log) in [("KvK", "2>/dev/full"), ("KQvK", "2>&1 | true")] {
        // A pipeline ends as its last command does: the file tells whether the build was done.
        let ran = shell(&room, &format!("$FINALE build orthodox {build} {log}; sleep 0.1"));
        assert!(ran.status.success());
        let start = Instant::now();
        let table = room.path().join(format!("tables/orthodox/{build}.ftb"));
        while !table.exists() && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(20));
        }
        assert!(table.exists(), "{log}");
    }
    let code = |line: &str| shell(&room, line).status.code();
    assert_eq!(code("exec $FINALE build orthodox KvK 2>/dev/full"), Some(0));
    assert_eq!(code("exec $FINALE probe orthodox nonsense 2>/dev/full"), Some(1));
    assert_eq!(code("exec $FINALE list orphic --tables none 2>/dev/full"), Some(1));
    assert_eq!(code("exec $FINALE list >/dev/full 2>/dev/full"), Some(1));
}

#[test]
fn lines_without_end_are_errors_that_take_no_memory() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let good = "8/8/8/3k4/8/8/8/K7 w - - 0 1";
    // Forty lines of 10 MB in a process that may not have 600 MB.
    let lines = format!(
        "echo '{good}'; i=0; while [ $i -lt 40 ]; do head -c 10000000 /dev/zero | tr '\\0' 8; echo; \
         i=$((i+1)); done; echo '{good}'"
    );
    let ran = shell(
        &room,
        &format!("({lines}) | (ulimit -v 600000; exec $FINALE probe orthodox --batch)"),
    );
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    let answers: Vec<&str> = text(&ran.stdout).lines().collect();
    assert_eq!(answers.len(), 42);
    assert!(answers[0].contains("\"wdl\":\"draw\"") && answers[41] == answers[0]);
    let expected = format!(
        "{{\"fen\":\"{}\",\"error\":\"the line has more than 1024 bytes, which no position takes\"}}",
        "8".repeat(100)
    );
    assert!(answers[1..41].iter().all(|answer| *answer == expected), "{}", answers[1]);

    // Up to the limit a line is a FEN like others, whatever ends it.
    let padded = format!("{}{good}", " ".repeat(1024 - good.len()));
    for (line, answered) in
        [(padded.clone(), true), (format!("{padded}\r\n"), false), (format!(" {padded}"), false)]
    {
        fs::write(room.path().join("lines"), line).expect("a file");
        let ran = shell(&room, "exec $FINALE probe orthodox --batch < lines");
        assert_eq!(text(&ran.stdout).contains("\"wdl\""), answered, "{}", text(&ran.stdout));
    }
}

#[test]
fn any_build_clears_what_killed_builds_left() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let folder = room.path().join("tables/orthodox");
    for build in ["KvK", "KQvK"] {
        // Of a table that is there, of one that is not asked for, and no leftover at all.
        for name in [".KvK.ftb.abcd1234.tmp", ".KRvK.ftb.abcd1234.tmp", ".KvK.tmp"] {
            fs::write(folder.join(name), "half").expect("a file");
        }
        assert!(soon(finale(&room, &format!("build orthodox {build}"))).status.success());
        let hidden: Vec<String> =
            names(folder.clone()).into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(hidden, [".KvK.tmp"], "after {build}");
    }
}

#[test]
fn plans_of_thousands_of_tables_take_seconds() {
    let room = room();
    for (plan, tables) in
        [("noro PPPvPPP", 3025), ("noro --men 5 --all", 5265), ("orphic --men 6", 13698)]
    {
        let ran = soon(finale(&room, &format!("build {plan} --plan")));
        let last = text(&ran.stdout).lines().last().expect("a summary").to_owned();
        assert!(last.starts_with(&format!("{tables} tables to build")), "{plan}: {last}");
    }
}

#[test]
fn perft_goes_no_deeper_than_it_can_come_back_from() {
    let room = room();
    let position = "8/8/8/3k4/8/8/8/K7_w";
    let ran = soon(finale(&room, &format!("perft orthodox {position} 4294967295")));
    assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
    // The one turn there is takes a Rook and leaves bare Kings: after it the count is 0, at once.
    let ran = soon(finale(&room, "perft stylish 8/8/8/8/8/8/1r6/K6k_w 255"));
    assert_eq!((text(&ran.stdout), ran.status.code()), ("0\n", Some(0)));
}

#[test]
fn what_is_no_file_is_no_table() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let folder = room.path().join("tables/orthodox");
    for name in ["KQvK.ftb", ".KQvK.ftb.abcd1234.tmp"] {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().expect("it").success());
    }
    fs::create_dir(folder.join("KRvK.ftb")).expect("a folder");
    let listed = soon(finale(&room, "list orthodox"));
    for (name, problem) in
        [("KQvK", "is not a table file"), ("KRvK", "is a folder, not a table file")]
    {
        let line = format!("tables/orthodox/{name}.ftb {problem}");
        assert!(text(&listed.stdout).contains(&line), "{}", text(&listed.stdout));
        let fen = format!("8/8/8/3k4/8/8/8/K{}6_w", &name[1..2]);
        let probed = soon(finale(&room, &format!("probe orthodox {fen}")));
        assert!(text(&probed.stderr).contains(&line), "{}", text(&probed.stderr));
        assert_eq!(probed.status.code(), Some(1));
    }
    // Looking for leftovers opens no pipe either.
    assert!(soon(finale(&room, "build orthodox KBvK")).status.success());
}

/// A command as somebody whom permissions keep out: nobody, if the tests run as an administrator.
fn kept_out(room: &TempDir, args: &str) -> Command {
    let open = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the path is ours");
    };
    open(room.path());
    let program = room.path().join("finale");
    if !program.exists() {
        // By a process of its own: while this one has the file open for writing, so may a child
        // that another test has just started, and what is open for writing cannot be run.
        let copied = Command::new("cp").args([Path::new(FINALE), &program]).status();
        assert!(copied.expect("cp runs").success(), "room for a copy");
    }
    open(&program);
    let mut command = Command::new(program);
    command.current_dir(room.path()).env_remove("FINALE_TABLES").args(args.split(' '));
    let probe = room.path().join("locked");
    fs::write(&probe, "").expect("a file");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("the path is ours");
    if fs::read(&probe).is_ok() {
        command.uid(65534).gid(65534);
    }
    command
}

#[test]
fn folders_are_listed_whose_names_are_no_text() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let folder = OsStr::from_bytes(b"\xff");
    fs::rename(room.path().join("tables"), room.path().join(folder)).expect("it is ours");
    let mut command = finale(&room, "list --json --tables");
    command.arg(folder);
    let ran = soon(command);
    assert_eq!((text(&ran.stderr), ran.status.code()), ("", Some(0)));
    assert!(text(&ran.stdout).contains("\u{fffd}/orthodox/KvK.ftb"), "{}", text(&ran.stdout));
}

#[test]
fn folders_that_cannot_be_read_are_named_with_the_reason() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let folder = room.path().join("tables/orthodox");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let ran = soon(kept_out(&room, "list orthodox"));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let error = "error: cannot read tables/orthodox: Permission denied (os error 13)\n";
    assert_eq!((text(&ran.stderr), ran.status.code()), (error, Some(1)));

    symlink("noro", room.path().join("tables/noro")).expect("a link to itself");
    let ran = soon(finale(&room, "list noro"));
    let stderr = text(&ran.stderr);
    assert!(stderr.starts_with("error: cannot read tables/noro: "), "{stderr}");
    assert!(stderr.contains("symbolic link") && ran.status.code() == Some(1), "{stderr}");
}

#[test]
fn folders_that_cannot_be_written_are_named_with_the_reason() {
    let room = room_with(&["high/KvK.ftb"]);
    for (memory, [problem, what]) in [
        ("1G", ["cannot create a file in directory tables/high", ""]),
        // The tables' own folder could be written; the one above, where arrays go, cannot.
        ("4K", ["no room to work in: cannot write ", " bytes to a scratch file in "]),
    ] {
        let locked = if memory == "1G" { "tables/high" } else { "tables" };
        for folder in ["tables", "tables/high"] {
            let mode = if folder == locked { 0o555 } else { 0o777 };
            fs::set_permissions(room.path().join(folder), fs::Permissions::from_mode(mode))
                .expect("it is ours");
        }
        let ran = soon(kept_out(&room, &format!("build high KBvK --memory {memory}")));
        let stderr = text(&ran.stderr);
        assert!(stderr.contains(&format!("error: {problem}")), "{stderr}");
        assert!(stderr.contains(what), "{stderr}");
        assert!(stderr.contains(": Permission denied (os error 13)"), "{stderr}");
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(names(room.path().join("tables/high")), ["KvK.ftb"]);
    }
    for folder in ["tables", "tables/high"] {
        fs::set_permissions(room.path().join(folder), fs::Permissions::from_mode(0o755))
            .expect("it is ours");
    }
}

#[test]
fn threads_that_cannot_start_are_a_sentence() {
    let room = room_with(&["orthodox/KvK.ftb"]);
    let ran =
        shell(&room, "ulimit -v 1500000; RAYON_NUM_THREADS=20000 exec $FINALE verify orthodox KvK");
    let stderr = text(&ran.stderr);
    assert!(stderr.starts_with("error: cannot start the threads that do the work: "), "{stderr}");
    assert_eq!((stderr.lines().count(), ran.status.code()), (1, Some(1)));
}

/// A build that takes minutes, once it has said that it begins and has finished some tables.
fn long_build(room: &TempDir) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut command = finale(room, "build orthodox --men 4");
    let mut build = command.stderr(Stdio::piped()).spawn().expect("the binary runs");
    let stderr = BufReader::new(build.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map(|line| line.expect("UTF-8"));
    // The plan ends with a summary; then a line a table.
    assert!(lines.any(|line| line.contains("tables to build")));
    for table in ["KvK", "KQvK"] {
        assert!(lines.any(|line| line.starts_with(&format!("{table} "))));
    }
    (build, lines)
}

#[test]
fn signals_clean_up_and_say_what_is_finished() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let room = room();
        let (mut build, lines) = long_build(&room);
        let kill = Command::new("kill").args(["-s", signal, &build.id().to_string()]).status();
        assert!(kill.expect("it").success());
        let rest: Vec<String> = lines.collect();
        assert_eq!(build.wait().expect("it ends").code(), Some(code), "{rest:?}");
        let last = rest.last().expect("a last word");
        let finished = last.strip_prefix("stopped; ").expect(last);
        assert!(finished.contains(" finished and kept: KvK KQvK"), "{last}");
        let files = names(room.path().join("tables/orthodox"));
        assert!(files.iter().all(|name| name.ends_with(".ftb") && !name.starts_with('.')));
        let kept = finished.split([':', ';']).nth(1).expect(last).trim();
        assert_eq!(files.len(), kept.split(' ').count(), "{last}");
    }
}

#[test]
fn more_tables_than_open_files_are_an_error_or_fine() {
    let room = room();
    // The program raises the limit as far as it may.
    let fine = format!("ulimit -Sn 12; exec $FINALE verify stylish --tables {SHIPPED}");
    let ran = shell(&room, &fine);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    // A pawn's table needs five others: more than seven, with the three streams, anywhere.
    let few = format!("ulimit -n 7; exec $FINALE verify stylish --tables {SHIPPED}");
    let ran = shell(&room, &few);
    assert!(text(&ran.stdout).contains("Too many open files"), "{}", text(&ran.stdout));
    assert_eq!(ran.status.code(), Some(1));
}

#[test]
fn games_at_the_last_move_number_of_a_fen_are_read_back() {
    let room = room_with(&["tiebraker/KvK.ftb", "tiebraker/KQvK.ftb", "tiebraker/KRvK.ftb"]);
    let fen = "8/8/8/3k4/8/8/8/KQ6_w_-_-_normal_0_4294967295";
    let line = soon(finale(&room, &format!("line tiebraker {fen} --pgn")));
    assert!(text(&line.stdout).contains(" 4294967296. "), "{}", text(&line.stdout));
    fs::write(room.path().join("game.pgn"), &line.stdout).expect("a file");
    let replay = soon(finale(&room, "replay tiebraker game.pgn"));
    assert_eq!(replay.status.code(), Some(0), "{}", text(&replay.stderr));
}

#[test]
fn points_sum_exactly_up_to_the_bound() {
    let room = room_with(
        &["KPvK", "KQvK", "KRvK", "KBvK", "KNvK", "KvK"]
            .map(|t| format!("stylish/{t}.ftb"))
            .each_ref()
            .map(String::as_str),
    );
    let answers = |points: &str| {
        let fen = format!("8/3P4/8/5k2/1K6/8/8/8_w_-_-_{points}_w_0_1");
        soon(finale(&room, &format!("probe stylish {fen} --json")))
    };
    let refused = answers("4294967295+0");
    assert!(text(&refused.stderr).contains("from 0 to 1000000"), "{}", text(&refused.stderr));
    let margin = |points: &str| -> (i64, i64) {
        let answer: serde_json::Value =
            serde_json::from_slice(&answers(points).stdout).expect("JSON");
        let margin = |value: &serde_json::Value| value["margin"].as_i64().expect("a margin");
        (margin(&answer), margin(&answer["turns"][0]))
    };
    let (even, best) = margin("0+0");
    assert_eq!(even, best, "the best turn keeps the margin");
    assert_eq!(margin("1000000+0"), (1_000_000 + even, 1_000_000 + even));
    assert_eq!(margin("1000000+1000000"), (even, even));
}

#[test]
fn refused_lines_cost_no_backtraces() {
    let room = room();
    fs::write(room.path().join("lines"), "nonsense\n".repeat(40_000)).expect("a file");
    let time = |backtrace: &str| {
        let start = Instant::now();
        let line =
            format!("RUST_BACKTRACE={backtrace} exec $FINALE probe orthodox --batch < lines");
        let mut stdout = Vec::new();
        stdout.write_all(&shell(&room, &line).stdout).expect("memory");
        assert_eq!(stdout.split(|&byte| byte == b'\n').count(), 40_001);
        start.elapsed()
    };
    let best = |backtrace| (0..3).map(|_| time(backtrace)).min().expect("three");
    let (without, with) = (best("0"), best("1"));
    assert!(with < 2 * without + Duration::from_millis(100), "{with:?} after {without:?}");
}

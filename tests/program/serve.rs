//! The server as its clients meet it: programs, sites written for another server, and people who
//! wish it harm.
#![cfg(feature = "serve")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::shipped::{self, SHIPPED};

const FINALE: &str = env!("CARGO_BIN_EXE_finale");

/// A server of its own for each test; it ends with it.
struct Server {
    process: Child,
    address: SocketAddr,
    /// What it says before it listens, and where it is.
    said: String,
}

/// Tables of some games that come with the repository, and none that somebody has built beside them.
fn only_shipped(games: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    shipped::copy(games, folder.path());
    folder
}

/// What came back.
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.to_ascii_lowercase().starts_with(&format!("{name}: "));
        self.head.lines().find(named).map(|line| &line[name.len() + 2..])
    }
}

impl Server {
    fn start(tables: impl AsRef<Path>, more: &[&str]) -> Server {
        let mut command = Command::new(FINALE);
        command.args(["serve", "--listen", "127.0.0.1:0", "--tables"]).arg(tables.as_ref());
        let mut process =
            command.args(more).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let stderr = process.stderr.take().expect("it is piped");
        let mut stderr = BufReader::new(stderr);
        let mut said = String::new();
        let address = loop {
            let start = said.len();
            let read = stderr.read_line(&mut said).expect("the server says where it is");
            assert!(read > 0, "no address: {said}");
            if let Some((_, rest)) = said[start..].split_once("http://") {
                break rest.split('/').next().and_then(|text| text.parse().ok());
            }
        };
        let address = address.unwrap_or_else(|| panic!("no address: {said}"));
        Server { process, address, said }
    }

    fn shipped() -> Server {
        Server::start(SHIPPED, &[])
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends a request as it is and reads what comes until the server closes.
    fn raw(&self, request: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Reply { status, head, body: answer[end + 4..].to_vec() })
    }

    fn get(&self, path: &str) -> Reply {
        self.get_with(path, "")
    }

    /// The same with header lines, each with its end.
    fn get_with(&self, path: &str, headers: &str) -> Reply {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: finale\r\nconnection: close\r\n{headers}\r\n");
        self.raw(request.as_bytes()).expect("an answer")
    }

    /// Asks about a FEN at an address that ends where its value goes.
    fn ask(&self, path: &str, fen: &str) -> Reply {
        self.get(&format!("{path}{}", fen.replace(' ', "_")))
    }

    fn post(&self, path: &str, body: &str) -> Reply {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: finale\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.raw(request.as_bytes()).expect("an answer")
    }

    /// Asks until a count over a table is done.
    fn counted(&self, path: &str) -> Value {
        loop {
            let reply = self.get(path);
            match reply.status {
                202 => assert_eq!(reply.json()["status"], "counting"),
                200 => return reply.json(),
                status => panic!("{path}: {status}"),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the command line prints.
fn finale(args: &[&str]) -> String {
    let output = Command::new(FINALE).args(args).args(["--tables", SHIPPED]).output();
    let output = output.expect("the binary runs");
    let said = if output.status.success() { output.stdout } else { output.stderr };
    String::from_utf8(said).expect("UTF-8")
}

fn finale_json(args: &[&str]) -> Value {
    let printed = finale(args);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
}

/// Positions of each game, and one whose FEN is wrong.
const POSITIONS: [(&str, [&str; 3], &str); 8] = [
    (
        "orthodox",
        [
            "8/8/8/3k4/8/8/8/K6R w - - 0 1",
            "8/8/8/8/8/1k6/1P6/1K6 b - - 0 1",
            "8/8/8/8/8/5K2/8/3Q3k b - - 0 1",
        ],
        "8/8/8/3k4/8/8/8/K2R4 w - - 0 1",
    ),
    (
        "koth",
        [
            "8/8/8/8/2k5/8/8/K6R w - - 0 1",
            "8/8/8/8/8/6k1/4P3/1K6 b - - 0 1",
            "7k/8/8/8/8/8/8/K5B1 w - - 0 1",
        ],
        "8/8/8/3k4/3K4/8/8/8 w - - 0 1",
    ),
    (
        "high",
        [
            "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1",
            "8/8/8/8/4k3/8/4P3/4K3 w - - 20+17 0 1",
            "8/8/1K6/8/8/2k5/8/8 w - - 4+26 0 1",
        ],
        "8/8/8/3k4/8/8/8/K6R w - - 51+50 0 1",
    ),
    (
        "noro",
        [
            "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25",
            "8/8/3q1q2/8/8/2R5/8/8 w - - 0+0 0 1",
            "8/8/8/1n4B1/8/8/8/8 w - - 13+13 0 55",
        ],
        "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 61",
    ),
    (
        "orphic",
        [
            "8/8/8/3k4/8/8/8/4K3[R] w - - 0 1",
            "8/8/8/3k4/8/8/8/8[KQ] w - - 0 1",
            "8/4P3/8/8/8/8/8/k7[K] w - - 0 1",
        ],
        "8/8/8/3k4/8/8/8/4K3[E] w - - 0 1",
    ),
    (
        "orphic-elks",
        [
            "8/8/8/8/8/2k5/8/K7[E] w - - 0 1",
            "7E/3K4/8/8/8/8/8/1k6 w - - 0 1",
            "8/8/7K/8/8/8/8/k6E w - - 0 1",
        ],
        "8/8/8/8/8/2k5/8/K7[R] w - - 0 1",
    ),
    (
        "stylish",
        [
            "8/8/P7/3k4/8/8/K7/8 w - - 0+0 - 0 1",
            "8/8/8/3k4/8/8/8/K6R b - - 20+5 w 0 1",
            "8/8/3K4/8/8/8/4B1k1/8 b - - 0+0 w 0 1",
        ],
        "8/8/P7/3k4/8/8/K7/8 w - - 0+0 x 0 1",
    ),
    (
        "tiebraker",
        [
            "8/8/6k1/8/8/2D5/8/Q7 b - - accepted 0 1",
            "8/8/8/3k4/8/8/8/K6R w - - normal 0 1",
            "4B3/8/4D3/8/8/8/k7/8 b - - declared 0 1",
        ],
        "8/8/6k1/8/8/2K5/8/Q7 b - - accepted 0 1",
    ),
];

#[test]
fn the_server_says_what_the_command_line_says() {
    let server = Server::shipped();
    for (game, fens, wrong) in POSITIONS {
        let api = format!("/api/v1/{game}");
        for fen in fens {
            let reply = server.ask(&format!("{api}?fen="), fen);
            assert_eq!(reply.status, 200, "{game} {fen}");
            let probed = finale_json(&["probe", game, fen, "--json"]);
            assert_eq!(reply.json(), probed, "{game} {fen}");

            // A page is told the same, and more.
            let page = server.ask(&format!("{api}?words=1&fen="), fen).json();
            for (field, value) in probed.as_object().expect("an object") {
                let Some(turns) = value.as_array().filter(|_| field == "turns") else {
                    assert_eq!(page[field], *value, "{game} {fen} {field}");
                    continue;
                };
                assert_eq!(page["turns"].as_array().map(Vec::len), Some(turns.len()));
                for (shown, turn) in page["turns"].as_array().into_iter().flatten().zip(turns) {
                    for (field, value) in turn.as_object().expect("an object") {
                        assert_eq!(shown[field], *value, "{game} {fen} {field}");
                    }
                }
            }
            let words = finale(&["probe", game, fen]);
            for sentence in page["words"].as_array().expect("sentences") {
                let sentence = sentence.as_str().expect("a sentence");
                assert!(words.contains(sentence), "{game} {fen}: {sentence}");
            }

            let line = server.ask(&format!("{api}/line?max=40&fen="), fen).json();
            assert_eq!(line, finale_json(&["line", game, fen, "--max", "40", "--json"]));
        }
        let reply = server.ask(&format!("{api}?fen="), wrong);
        assert_eq!(reply.status, 400, "{game} {wrong}");
        let error = reply.json()["error"].as_str().expect("a reason").to_owned();
        let said = finale(&["probe", game, wrong]);
        assert_eq!(said.trim_end(), format!("error: {error}"), "{game}");
    }
}

#[test]
fn a_batch_answers_each_fen() {
    let server = Server::shipped();
    let fens = ["8/8/8/3k4/8/8/8/K6R_w", "nonsense", "8/8/8/8/8/8/8/KQQ4k b - - 0 1"];
    let reply = server.post("/api/v1/orthodox", &json!({ "fens": fens }).to_string());
    assert_eq!(reply.status, 200);
    let answers = reply.json()["answers"].clone();
    assert_eq!(answers[0]["dtm"], 29);
    assert_eq!(answers[0]["fen"], fens[0]);
    assert!(answers[0].get("turns").is_none());
    assert!(answers[1]["error"].as_str().is_some_and(|error| !error.is_empty()));
    assert_eq!(answers[2]["missing"], "KQQvK");
    for (body, status) in
        [("{", 400), ("{}", 422), (r#"{"fens":[1]}"#, 422), (r#"{"fens":[],"x":1}"#, 422)]
    {
        let reply = server.post("/api/v1/orthodox", body);
        assert_eq!(reply.status, status, "{body}");
        assert!(reply.json()["error"].is_string(), "{body}");
    }
    let many = json!({ "fens": vec!["8/8"; 1001] }).to_string();
    assert_eq!(server.post("/api/v1/orthodox", &many).status, 400);
    let long = json!({ "fens": ["8".repeat(300_000)] }).to_string();
    assert_eq!(server.post("/api/v1/orthodox", &long).status, 413);
}

#[test]
fn what_if_is_what_a_probe_would_say() {
    let server = Server::shipped();
    let fen = "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1";
    let reply = server.ask("/api/v1/orthodox/what-if?square=e2&fen=", fen).json();
    let moved = [
        ("g2", "8/8/8/3k4/8/8/6P1/4K3", "white"),
        ("e7", "8/4P3/8/3k4/8/8/8/4K3", "black"),
        ("e2", "8/8/8/3k4/8/8/4P3/4K3", "black"),
    ];
    for (square, placement, side) in moved {
        let there = format!("{placement} {} - - 0 1", &side[..1]);
        let probe = server.ask("/api/v1/orthodox?fen=", &there).json();
        let answer = &reply[side][square];
        assert_eq!(answer["wdl"], probe["wdl"], "{there}");
        assert_eq!(answer["dtm"], probe["dtm"], "{there}");
    }
    assert!(reply["white"]["e8"]["error"].is_string(), "no pawn stands on the last rank");
    assert!(reply["white"]["c4"]["error"].is_string(), "Black would be in check");
    assert!(reply["white"].get("d5").is_none(), "the square is taken");
    assert_eq!(server.ask("/api/v1/orthodox/what-if?square=e3&fen=", fen).status, 400);
    assert_eq!(server.ask("/api/v1/orthodox/what-if?square=z9&fen=", fen).status, 400);
}

#[test]
fn records_are_judged_as_by_the_command_line() {
    let server = Server::shipped();
    let one = "[White \"Anna\"]\n[Black \"Ben\"]\n[SetUp \"1\"]\n\
               [FEN \"8/8/8/8/8/1k6/8/K6R b - - 0 1\"]\n\n1... Kc2 2. Rh8 *\n";
    let other = one.replace("Anna", "Carl").replace("2. Rh8", "2. Rd1");
    let wrong = one.replace("Rh8", "Rg9");
    let text = format!("{one}\n{other}\n");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.pgn");
    fs::write(&file, &text).expect("a file");
    let file = file.to_str().expect("UTF-8");
    let reply = server.post("/api/v1/orthodox/replay", &text);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json(), finale_json(&["replay", "orthodox", file, "--json", "--probe"]));
    let reply = server.post("/api/v1/orthodox/replay", &(text + &wrong));
    let games = reply.json()["games"].clone();
    assert_eq!(games[0]["start"], "8/8/8/8/8/1k6/8/K6R b - - 0 1");
    assert_eq!(games[1]["turns"][1]["thrown_away"], "before: White wins; now: drawn");
    assert!(games[2]["error"].as_str().is_some_and(|error| error.starts_with("line ")));

    // One alone has the same form; text that is no record says so in its place.
    let alone = server.post("/api/v1/orthodox/replay", one).json();
    assert_eq!(alone["games"][0]["turns"], games[0]["turns"]);
    let none = server.post("/api/v1/orthodox/replay", "hello").json();
    assert_eq!(none["games"][0]["error"], "there are no moves in this record");
    assert_eq!(server.post("/api/v1/nonsense/replay", one).status, 404);
}

#[test]
fn tables_are_listed_and_counted() {
    let server = Server::shipped();
    let listed = server.get("/api/v1/high/tables?men=3").json();
    let names = |list: &str| -> Vec<String> {
        let list = listed[list].as_array().expect("a list");
        list.iter().map(|table| table["material"].as_str().expect("a name").to_owned()).collect()
    };
    assert!(names("tables").contains(&"KRvK".to_owned()));
    assert!(listed["tables"].as_array().expect("a list").iter().all(|t| t["bytes"].is_u64()));
    // Somebody may have built any table where those that ship are.
    let folder = tempfile::tempdir().expect("a folder");
    let all = Server::start(folder.path(), &[]).get("/api/v1/high/tables?men=4").json();
    let missing = all["missing"].as_array().expect("a list");
    let known = missing.iter().find(|table| table["material"] == "KBNvK").expect("it is missing");
    let build = known["build"].as_str().expect("a command");
    assert!(build.starts_with("finale build high KBNvK"), "{build}");
    // Of one game the tables of another are used too.
    let orphic = server.get("/api/v1/orphic/tables").json();
    let lent = |table: &&Value| table["game"] == "orthodox" && table["material"] == "KRvK";
    assert!(orphic["tables"].as_array().expect("a list").iter().any(|table| lent(&table)));

    let report = server.counted("/api/v1/orthodox/stats/KRvK");
    let printed = finale_json(&["stats", "orthodox", "KRvK", "--story", "--json"]);
    assert!(printed["story"].is_array());
    for (field, value) in printed.as_object().expect("an object") {
        assert_eq!(report[field], *value, "{field}");
    }
    assert!(!report["page"]["sections"].as_array().expect("sections").is_empty());
    let histogram = server.counted("/api/v1/orthodox/histogram/KvKR");
    assert_eq!(histogram["material"], "KRvK");
    // All 175,168 positions with White to move are won, the longest in 31 plies.
    let bins = histogram["white"].as_array().expect("bins");
    let total: u64 = bins.iter().filter_map(|bin| bin[2].as_u64()).sum();
    assert!(bins.iter().all(|bin| bin[0] == "win"));
    assert_eq!(bins.last().map(|bin| &bin[1]), Some(&json!(31)));
    assert_eq!(total, 175_168);
    assert_eq!(server.get("/api/v1/orthodox/stats/KQQQvK").status, 404);
    assert_eq!(server.get("/api/v1/orthodox/stats/nonsense").status, 400);
}

#[test]
fn counts_can_outlast_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let counts = folder.path().join("counts");
    let start = || Server::start(SHIPPED, &["--counts", counts.to_str().expect("text")]);
    let first = start();
    let stats = first.counted("/api/v1/orthodox/stats/KRvK");
    let histogram = first.counted("/api/v1/orthodox/histogram/KRvK");
    drop(first);
    let mut kept: Vec<_> = fs::read_dir(&counts)
        .expect("it is made")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 2, "{kept:?}");
    // One of them is torn, and in the other stands what shows that it is read.
    fs::write(&kept[0], "{\"white\":[").expect("it can be written");
    let mut marked = stats.clone();
    marked["kept"] = json!(true);
    fs::write(&kept[1], marked.to_string()).expect("it can be written");
    let second = start();
    assert_eq!(second.counted("/api/v1/orthodox/histogram/KRvK"), histogram);
    assert_eq!(second.counted("/api/v1/orthodox/stats/KRvK"), marked);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = folder.path().join("none");
    let server = Server::start(&missing, &[]);
    let note = format!("note: there is no folder {} yet\n", missing.display());
    assert!(server.said.starts_with(&note), "{}", server.said);
    assert!(Server::shipped().said.starts_with("the explorer is at "));
}

#[test]
fn the_public_hears_nothing_of_the_machine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let orthodox = folder.path().join("orthodox");
    fs::create_dir(&orthodox).expect("a folder");
    fs::write(orthodox.join("KQvK.ftb"), "no table").expect("room for a file");
    // As JSON has it, which doubles what parts the folders of Windows.
    let place = json!(folder.path()).to_string().trim_matches('"').to_owned();
    let fens = ["8/8/8/8/4k3/8/8/KR6 w - -", "8/8/8/8/8/2k5/8/KQ6 b - -"];
    for (options, is_told) in [(&[][..], true), (&["--public"], false)] {
        let server = Server::start(folder.path(), options);
        let asked = fens.map(|fen| server.ask("/api/v1/orthodox?fen=", fen));
        let mut replies = Vec::from(asked);
        replies.push(server.get("/api/v1/orthodox/stats/KQvK"));
        replies.push(server.get("/api/v1/orthodox/tables?men=3"));
        assert_eq!(
            replies.iter().map(|reply| reply.status).collect::<Vec<_>>(),
            [404, 500, 500, 200]
        );
        for reply in &replies {
            let said = String::from_utf8_lossy(&reply.body);
            assert!(said.contains(&place) == is_told, "{said}");
            assert!(is_told || !said.contains("finale build"), "{said}");
        }
        assert_eq!(replies[0].json()["missing"], "KRvK");
        assert_eq!(replies[0].json().get("build").is_some(), is_told);
        let missing = &replies[3].json()["missing"][0];
        assert!(missing["material"].is_string() && missing.get("build").is_some() == is_told);
        assert_eq!(
            server.get("/robots.txt").header("content-type"),
            Some("text/plain; charset=utf-8")
        );
        // Whoever runs it can see what people ask for.
        let metrics = String::from_utf8(server.get("/metrics").body).expect("UTF-8");
        let line = "finale_missing_total{game=\"orthodox\",material=\"KRvK\"} 1\n";
        assert!(metrics.contains(line), "{metrics}");
    }
}

#[test]
fn errors_have_a_status_that_fits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let high = folder.path().join("high");
    fs::create_dir(&high).expect("a folder");
    let mut bytes = fs::read(format!("{SHIPPED}/high/KRvK.ftb")).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 16].fill(0x5a);
    fs::write(high.join("KRvK.ftb"), bytes).expect("a file");
    let server = Server::start(folder.path(), &[]);

    let reply = server.ask("/api/v1/high?fen=", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1");
    assert_eq!(reply.status, 500);
    let error = reply.json()["error"].to_string();
    assert!(error.contains("KRvK.ftb") && error.contains("damaged"), "{error}");

    let reply = server.ask("/api/v1/high?words=1&fen=", "8/8/8/3k4/8/8/8/K5B1 w - - 50+50 0 1");
    assert_eq!(reply.status, 404);
    assert_eq!(reply.json()["missing"], "KBvK");
    let build = reply.json()["build"].to_string();
    assert!(build.contains("finale build high KBvK --tables"), "{build}");
    assert_eq!(reply.json()["turns"].as_array().map(Vec::len), Some(11), "they can be played");

    for (path, status) in [
        ("/api/v1/checkers?fen=8", 404),
        ("/api/v1/high", 400),
        ("/api/v1/high?fen=", 400),
        ("/api/v1/high?fen=8/8/8/8/8/8/8/8&turns=perhaps", 400),
        ("/api/v1/high/line?fen=8/8&max=0", 400),
        ("/api/v1/high/tables?men=9", 400),
        ("/api/v1/high/nothing", 404),
        ("/nothing", 404),
        ("/standard", 400),
        ("/atomic", 400),
        ("/antichess/mainline", 400),
        ("/crazyhouse", 404),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.json()["error"].is_string(), "{path}");
    }
    assert_eq!(server.post("/standard", "").status, 405);
}

#[test]
fn programs_written_for_lila_tablebase_find_what_they_know() {
    let tables = only_shipped(&["orthodox", "antichess", "atomic"]);
    let server = Server::start(tables.path(), &[]);
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    let fen = "8/8/8/8/8/5K2/7k/3Q4 b - - 0 1";
    let lost = server.ask("/standard?fen=", fen).json();
    let position = [
        "checkmate",
        "stalemate",
        "variant_win",
        "variant_loss",
        "insufficient_material",
        "dtz",
        "precise_dtz",
        "dtm",
        "dtw",
        "dtc",
        "category",
    ];
    assert_eq!(keys(&lost)[..11], position);
    assert_eq!(keys(&lost)[11], "moves");
    let mut of_move = vec!["uci", "san", "zeroing", "conversion"];
    of_move.extend(position);
    assert_eq!(keys(&lost["moves"][0]), of_move);
    assert_eq!((&lost["category"], &lost["dtm"]), (&json!("loss"), &json!(-2)));
    assert_eq!(lost["moves"][0]["category"], "win", "seen by the opponent");
    assert_eq!(lost["dtz"], Value::Null);

    // A mate has no distance, and the quickest comes first.
    let won = server.ask("/standard?fen=", "8/8/8/8/1Q6/8/8/k1K5 w - - 0 1").json();
    assert_eq!((&won["category"], &won["dtm"]), (&json!("win"), &json!(1)));
    let first = &won["moves"][0];
    assert_eq!((&first["checkmate"], &first["dtm"]), (&json!(true), &Value::Null));
    assert_eq!(first["category"], "loss");
    let last = won["moves"].as_array().and_then(|moves| moves.last()).expect("a move");
    assert_eq!(last["category"], "draw");

    // The fifty-move rule: just in time, perhaps too late, too late.
    for (halfmove, category) in [(71, "win"), (72, "maybe-win"), (100, "cursed-win")] {
        let fen = format!("8/8/8/3k4/8/8/8/K6R w - - {halfmove} 99");
        let reply = server.ask("/standard?fen=", &fen).json();
        assert_eq!((&reply["category"], &reply["dtm"]), (&json!(category), &json!(29)), "{fen}");
    }

    // Draws; what no table covers; what cannot be and is left out.
    let bare = server.ask("/standard?fen=", "8/8/8/3k4/8/8/8/K5B1 w - - 0 1").json();
    assert_eq!((&bare["category"], &bare["dtm"]), (&json!("draw"), &json!(0)));
    assert_eq!(bare["insufficient_material"], true);
    let stale = server.ask("/standard?fen=", "8/8/8/8/8/1Q6/8/k1K5 b - - 0 1").json();
    assert_eq!((&stale["stalemate"], &stale["moves"]), (&json!(true), &json!([])));
    // No table covers castling, but the moves after which nobody castles are known.
    let castling = server.ask("/standard?fen=", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    let answer = castling.json();
    assert_eq!((castling.status, &answer["dtm"]), (200, &Value::Null));
    assert_eq!(
        (&answer["category"], &answer["moves"][0]["category"]),
        (&json!("win"), &json!("loss"))
    );
    assert_eq!(server.ask("/standard/mainline?fen=", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").status, 404);
    let many = server.ask("/standard?fen=", "8/8/8/3k4/4q3/8/8/K6R w - - 0 1");
    assert_eq!((many.status, &many.json()["category"]), (200, &json!("unknown")));
    let odd = server.ask("/standard?fen=", "8/8/8/3k4/8/8/8/K6R w KQkq e3 0 1");
    assert_eq!((odd.status, &odd.json()["category"]), (200, &json!("win")));
    assert_eq!(server.ask("/standard?fen=", "8/8/8/3k4/8/8/8/K6x w - - 0 1").status, 400);

    let line = server.ask("/standard/mainline?fen=", "8/8/8/3k4/8/8/8/K6R w - - 0 1").json();
    assert_eq!(keys(&line), ["mainline", "winner", "dtz", "precise_dtz", "dtm"]);
    assert_eq!(line["mainline"].as_array().map(Vec::len), Some(29));
    assert_eq!(line["winner"], "w");
    // Clients want a number: how far it is to the next capture, pawn move or mate of the line.
    let dtz = |line: &Value| -> Vec<i64> {
        let steps = line["mainline"].as_array().expect("a line");
        steps.iter().map(|step| step["dtz"].as_i64().expect("a number")).collect()
    };
    assert_eq!((&line["dtz"], &dtz(&line)[..3]), (&json!(29), &[-28, 27, -26][..]));
    assert_eq!(dtz(&line)[26..], [-2, 1, -1]);
    let pawn = server.ask("/standard/mainline?fen=", "8/8/8/8/8/2k5/4P3/4K3 w - - 0 1").json();
    assert!(pawn["winner"].is_null() || dtz(&pawn).contains(&1), "{pawn}");
    let drawn = server.ask("/standard/mainline?fen=", "8/8/8/3k4/8/8/8/K5B1 w - - 0 1").json();
    assert_eq!((&drawn["mainline"], &drawn["winner"]), (&json!([]), &Value::Null));
    assert_eq!(drawn["dtz"], 0);
}

#[test]
fn clients_of_lila_tablebase_get_cbor_where_they_ask_for_it() {
    let server = Server::shipped();
    for path in [
        "/standard?fen=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1",
        "/standard/mainline?fen=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1",
    ] {
        let json = server.get(path);
        assert_eq!(json.header("content-type"), Some("application/json"));
        assert!(json.head.to_ascii_lowercase().contains("\r\nvary: accept\r\n"), "{}", json.head);
        let cbor = server.get_with(path, "accept: application/cbor\r\n");
        assert_eq!(cbor.status, 200);
        assert_eq!(cbor.header("content-type"), Some("application/cbor"));
        let read: Value = ciborium::from_reader(&cbor.body[..]).expect("CBOR");
        assert_eq!(read, json.json(), "{path}");
        assert_ne!(cbor.header("etag"), json.header("etag"));
        let browser = "accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
        assert_eq!(server.get_with(path, browser).body, json.body);
        // Packed, too, if it is long enough.
        let packed = "accept: application/cbor\r\naccept-encoding: zstd\r\n";
        let packed = server.get_with(path, packed);
        assert_eq!(packed.header("content-encoding"), Some("zstd"));
        assert_eq!(zstd::decode_all(&packed.body[..]).expect("zstd"), cbor.body);
    }
    // What is wrong is said in JSON, as everywhere here.
    let wrong = server.get_with("/standard?fen=8", "accept: application/cbor\r\n");
    assert_eq!(wrong.status, 400);
    assert!(wrong.json()["error"].is_string());
}

#[test]
fn atomic_and_antichess_are_there_as_in_lila_tablebase() {
    let server = Server::shipped();
    let probe = |game: &str, fen: &str| server.ask(&format!("/{game}?fen="), fen).json();
    // Black's king is beside the rook that is taken.
    let explodes = probe("atomic", "8/8/8/8/8/3rk3/8/K2Q4 w - - 0 1");
    assert_eq!(explodes["category"], "win");
    let first = &explodes["moves"][0];
    assert_eq!((&first["uci"], &first["variant_loss"]), (&json!("d1d3"), &json!(true)));
    assert_eq!(
        (&first["category"], &first["checkmate"], &first["dtm"]),
        (&json!("loss"), &json!(false), &Value::Null)
    );
    let atomic = probe("atomic", "8/8/8/8/3k4/8/8/K6Q w - - 0 1");
    let plies = server.ask("/api/v1/atomic?fen=", "8/8/8/8/3k4/8/8/K6Q w - - 0 1").json();
    assert_eq!(atomic["dtm"], plies["dtm"]);
    assert_eq!((&atomic["dtw"], &atomic["dtz"]), (&Value::Null, &Value::Null));
    let rook = probe("atomic", "8/8/8/3k4/8/8/8/K6R w - - 0 1");
    assert_eq!((&rook["category"], &rook["insufficient_material"]), (&json!("draw"), &json!(true)));

    let fen = "8/8/8/3k4/8/8/8/7R w - - 0 1";
    let antichess = probe("antichess", fen);
    let plies = server.ask("/api/v1/antichess?fen=", fen).json();
    assert_eq!(antichess["dtw"].as_i64().map(i64::abs), plies["dtm"].as_i64());
    assert_eq!((&antichess["dtm"], &antichess["checkmate"]), (&Value::Null, &json!(false)));
    // With its last man White has won.
    let taken = probe("antichess", "8/8/8/8/8/8/1k6/K7 b - - 0 1");
    let only = &taken["moves"][0];
    assert_eq!(taken["moves"].as_array().map(Vec::len), Some(1), "who can capture must");
    assert_eq!((&only["uci"], &only["variant_win"]), (&json!("b2a1"), &json!(true)));
    assert_eq!((&only["category"], &taken["category"]), (&json!("win"), &json!("loss")));
    // Who has no turn has won, and is stalemated as well.
    let blocked = probe("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1");
    assert_eq!(
        (&blocked["stalemate"], &blocked["variant_win"], &blocked["category"]),
        (&json!(true), &json!(true), &json!("win"))
    );
    let late = probe("antichess", "8/8/8/8/8/p7/P7/8 w - - 101 200");
    assert_eq!(late["category"], "cursed-win");

    for (game, fen) in
        [("atomic", "8/8/8/8/3k4/8/8/K6Q w - - 0 1"), ("antichess", "8/8/7p/8/8/8/P7/8 w - - 0 1")]
    {
        let root = probe(game, fen);
        let line = server.ask(&format!("/{game}/mainline?fen="), fen).json();
        let distance = root["dtm"].as_i64().or(root["dtw"].as_i64()).expect("a distance");
        assert_eq!(
            line["mainline"].as_array().map(Vec::len),
            Some(distance.unsigned_abs() as usize)
        );
        let winner = if distance > 0 { "w" } else { "b" };
        assert_eq!(line["winner"], winner, "{game}: {line}");
    }

    // Marks of men that were pawns, and castling rights of a game without castling, are left out.
    let marked = probe("standard", "8/8/8/3k4/8/8/8/K5Q~1 w - - 0 1");
    assert_eq!(marked, probe("standard", "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1"));
    assert_eq!(marked["category"], "win");
    let rights = probe("antichess", "8/8/8/3k4/8/8/8/7R w KQ - 0 1");
    assert_eq!(rights, antichess);
}

/// What a `meta` of a page says.
fn meta<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(&format!("=\"{name}\" content=\""))?;
    rest.split('"').next()
}

#[test]
fn a_link_has_a_title_a_sentence_and_a_picture_to_preview() {
    let tables = only_shipped(&["orthodox", "makruk", "high"]);
    let server = Server::start(tables.path(), &["--address", "https://example.org/finale"]);
    let page = |query: &str| String::from_utf8(server.get(query).body).expect("UTF-8");
    let rook = page("/?game=orthodox&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1");
    assert!(rook.contains("<title>Orthodox chess · finale</title>"), "{rook}");
    assert_eq!(
        meta(&rook, "og:title"),
        Some("White wins, mates in 15 moves (29 plies) · Orthodox chess")
    );
    assert_eq!(meta(&rook, "description"), Some("White to move: 8/8/8/3k4/8/8/8/K6R w - - 0 1"));
    let picture = meta(&rook, "og:image").expect("a picture");
    let path = picture.strip_prefix("https://example.org/finale").expect("an address");
    let png = server.get(path);
    assert_eq!((png.status, png.header("content-type")), (200, Some("image/png")));
    assert!(png.body.starts_with(b"\x89PNG"));
    let turned = server.get(&format!("{path}&side=black"));
    assert!(turned.status == 200 && turned.body != png.body);
    let svg = server.get(&path.replace(".png", ".svg"));
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    let drawn = String::from_utf8(svg.body).expect("UTF-8");
    for man in ["White King", "White Rook", "Black King"] {
        let title = format!("<title>{man}</title>").to_lowercase();
        assert!(drawn.to_lowercase().contains(&title), "{man}: {drawn}");
    }
    assert_eq!(server.get(&format!("{path}&side=red")).status, 400);
    assert_eq!(server.get("/api/v1/orthodox/picture.png?fen=8/8").status, 400);

    // Where letters stand for men there is nothing to write with.
    let makruk = page("/?game=makruk&fen=k7/8/3S4/K7/8/8/8/8_w_-_-_0_1");
    let picture = meta(&makruk, "og:image").expect("a picture");
    assert!(picture.contains("picture.svg"), "{picture}");
    let path = picture.strip_prefix("https://example.org/finale").expect("an address");
    assert_eq!(server.get(path).status, 200);
    assert_eq!(server.get(&path.replace(".svg", ".png")).status, 404);

    let high = page("/?game=high&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_50+50_0_1");
    let url = "https://example.org/finale/?game=high&amp;fen=8/8/8/3k4/8/8/8/K6R_w_-_-_50%2B50_0_1";
    assert_eq!(meta(&high, "og:url"), Some(url));
    let table = page("/?game=orthodox&table=KRvK");
    assert!(table.contains("<title>KRvK · Orthodox chess · finale</title>"), "{table}");
    let missing = page("/?game=orthodox&fen=8/8/8/3k4/4q3/8/8/K6R_w_-_-_0_1");
    assert_eq!(meta(&missing, "og:title"), Some("Orthodox chess"));
    assert!(meta(&page("/"), "og:title").is_some_and(|title| title.starts_with("finale")));

    // What is asked comes back as text alone, and without an address all stays relative.
    let odd = page("/?game=orthodox&table=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&fen=%22%3E");
    assert!(
        !odd.contains("alert") && odd.contains("<title>Orthodox chess · finale</title>"),
        "{odd}"
    );
    let server = Server::shipped();
    let page = server.get("/?game=koth&fen=8/8/8/8/2k5/8/8/K6R_w_-_-_0_1").body;
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(meta(&page, "og:image").is_some_and(|picture| picture.starts_with("api/v1/koth/")));
    assert_eq!(meta(&page, "og:url"), None);
    for wrong in ["example.org", "https://", "https://a\"b/", "https://a/?b"] {
        let refused = Command::new(FINALE).args(["serve", "--address", wrong]).output();
        assert_eq!(refused.expect("it runs").status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn the_page_is_guarded_and_cached() {
    let server = Server::shipped();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let tag = page.header("etag").expect("a tag");
    let again = format!(
        "GET / HTTP/1.1\r\nhost: finale\r\nconnection: close\r\nif-none-match: {tag}\r\n\r\n"
    );
    assert_eq!(server.raw(again.as_bytes()).map(|reply| reply.status), Some(304));
    let script = server.get("/games/high.js");
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(page.header("access-control-allow-origin"), None);
    let open = Server::start(SHIPPED, &["--cors"]);
    assert_eq!(open.get("/health").header("access-control-allow-origin"), Some("*"));
}

#[test]
fn only_who_is_named_may_show_positions_within_its_pages() {
    let shown = "/?game=orthodox&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1&embed=1";
    let guards = |server: &Server, path: &str| {
        let reply = server.get(path);
        let policy = reply.header("content-security-policy").expect("a policy");
        let (_, who) = policy.split_once("frame-ancestors ").expect("it says who");
        (who.to_owned(), reply.header("x-frame-options").map(str::to_owned))
    };
    let nobody = || ("'none'".to_owned(), Some("DENY".to_owned()));
    assert_eq!(guards(&Server::shipped(), shown), nobody());
    let sites = ["--frame", "https://example.org", "--frame", "http://localhost:8080"];
    let server = Server::start(SHIPPED, &sites);
    let who = "https://example.org http://localhost:8080".to_owned();
    assert_eq!(guards(&server, shown), (who, None));
    for path in
        ["/", "/?game=high&about", "/api/v1?embed=1", "/standard?embed=1", "/nothing?embed=1"]
    {
        assert_eq!(guards(&server, path), nobody(), "{path}");
    }
    for wrong in ["example.org", "https://example.org/a", "https://a b", "'self'; script-src *"] {
        let refused = Command::new(FINALE).args(["serve", "--frame", wrong]).output();
        assert_eq!(refused.expect("it runs").status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn answers_are_packed_and_not_sent_twice() {
    let server = Server::shipped();
    let path = "/api/v1/orthodox?words=1&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1";
    let with = |headers: &str| {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: finale\r\nconnection: close\r\n{headers}\r\n");
        server.raw(request.as_bytes()).expect("an answer")
    };
    let plain = with("");
    assert_eq!(plain.header("cache-control"), Some("no-cache"));
    assert_eq!(plain.header("content-encoding"), None);
    let tag = plain.header("etag").expect("a tag").to_owned();
    let strong = tag.trim_start_matches("W/");
    for known in [&tag, strong, &format!("\"other\", {tag}"), &format!("{strong},\"other\""), "*"] {
        let reply = with(&format!("if-none-match: {known}\r\n"));
        assert_eq!((reply.status, reply.body.len()), (304, 0), "{known}");
    }
    assert_eq!(with("if-none-match: \"other\"\r\n").status, 200);
    let packed = with("accept-encoding: gzip, zstd\r\n");
    assert_eq!(packed.header("content-encoding"), Some("zstd"));
    assert_eq!(packed.header("etag"), Some(tag.as_str()));
    assert_eq!(packed.header("vary"), Some("accept-encoding"));
    assert_eq!(zstd::decode_all(&packed.body[..]).expect("zstd"), plain.body);
    assert_eq!(server.get("/nothing").header("cache-control"), Some("no-store"));
}

#[test]
fn tables_that_are_not_there_keep_no_table_waiting() {
    let server = Server::shipped();
    for men in ["KQQQvK", "KQQRvK", "KQRRvK", "KRRRvK", "KBBBvK", "KNNNvK", "KQQvKQ"] {
        for kind in ["stats", "histogram"] {
            for name in [men.to_owned(), men.replace('K', "k")] {
                let status = server.get(&format!("/api/v1/orthodox/{kind}/{name}")).status;
                assert!([400, 404].contains(&status), "{name}: {status}");
            }
        }
    }
    let missing = server.get("/api/v1/orthodox/stats/KQQQvK").json();
    assert_eq!(missing["missing"], "KQQQvK");
    // One table is counted once, whichever of its names is asked.
    let reply = server.get("/api/v1/orthodox/stats/KvKR");
    assert!([200, 202].contains(&reply.status));
    if reply.status == 202 {
        assert!(reply.json()["place"].is_u64());
        assert_eq!(reply.header("retry-after"), Some("1"));
    }
    assert_eq!(
        server.counted("/api/v1/orthodox/stats/KvKR"),
        server.counted("/api/v1/orthodox/stats/KRvK")
    );
}

#[test]
fn the_page_hears_how_a_turn_ends_the_game() {
    let server = Server::shipped();
    for (game, fen, ending) in [
        ("orthodox", "8/8/8/8/8/1K6/7R/1k6 w - - 0 1", ("White wins by checkmate", "1-0")),
        ("high", "8/8/8/3k4/8/8/8/K6R w - - 1+9 0 1", ("Black wins by exhaustion", "0-1")),
        // Without tables, too.
        ("high", "8/8/8/3k4/4q3/8/8/K6R w - - 1+9 0 1", ("Black wins by exhaustion", "0-1")),
    ] {
        let reply = server.ask(&format!("/api/v1/{game}?words=1&fen="), fen).json();
        let turns = reply["turns"].as_array().expect("turns");
        let over = turns.iter().find(|turn| turn["ending"].is_string()).expect("one ends it");
        assert_eq!((&over["ending"], &over["pgn_result"]), (&json!(ending.0), &json!(ending.1)));
        let on = turns.iter().filter(|turn| turn["ending"].is_null());
        assert!(on.into_iter().all(|turn| turn["pgn_result"] == "*"), "{fen}");
    }
}

#[test]
fn positions_are_found_as_the_command_line_finds_them() {
    let server = Server::shipped();
    let asked = |query: &str| format!("/api/v1/orthodox/find/KPvK?query={query}");
    let found = server.counted(&asked("wins%20and%20keeping_turns%20%3D%201&sort=-dtm&limit=5"));
    let query = ["find", "orthodox", "KPvK", "wins and keeping_turns = 1"];
    let printed =
        finale(&[&query[..], &["--sort", "-dtm", "--limit", "5", "--format", "json"]].concat());
    let printed: Vec<Value> =
        printed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(printed.len(), 5);
    for (mut found, printed) in
        found["found"].as_array().expect("a list").clone().into_iter().zip(printed)
    {
        let brief = found.as_object_mut().and_then(|found| found.remove("brief"));
        assert!(
            brief.and_then(|brief| Some(brief.as_str()?.contains("mates in"))).unwrap_or(false)
        );
        assert_eq!(found, printed);
    }
    let counted = server.counted(&asked("wins%20and%20keeping_turns%20%3D%201&limit=0"));
    assert_eq!(counted["complete"], true);
    assert_eq!(counted["positions"], found["positions"]);
    assert_eq!(counted["found"], json!([]));
    let wrong = server.get(&asked("wins%20and%20many"));
    assert_eq!(wrong.status, 400);
    let words = wrong.json()["error"].as_str().expect("words").to_owned();
    assert!(words.contains("\n           ^^^^"), "{words}");
    assert_eq!(server.get(&asked("wins&limit=9999")).status, 400);
    assert_eq!(server.get(&asked(&"(".repeat(2000))).status, 400);
    assert_eq!(server.get("/api/v1/orthodox/find/KQQQvK?query=wins").status, 404);
    assert_eq!(server.get("/api/v1/orthodox/find/nonsense?query=wins").status, 400);
    let names = server.get("/api/v1/high/find/KRvK").json();
    let has = |wanted: &str| {
        names["names"].as_array().expect("a list").iter().any(|entry| entry["name"] == wanted)
    };
    assert!(has("slack") && has("keeping_turns"), "{names}");
}

#[test]
fn the_description_names_every_address() {
    let server = Server::shipped();
    let described = server.get("/api/v1/openapi.json").json();
    let paths = described["paths"].as_object().expect("addresses");
    for (path, methods) in paths {
        let path = path.replace("{game}", "orthodox").replace("{material}", "KvK");
        let status = match methods.get("get") {
            Some(_) => server.get(&path).status,
            None => server.post(&path, "").status,
        };
        assert!([200, 202, 400].contains(&status), "{path}: {status}");
    }
    for route in include_str!("../../src/serve/api.rs").split(".route(\"").skip(1) {
        let route = route.split('"').next().expect("an address");
        assert!(paths.contains_key(route), "{route} is not described");
    }
}

#[test]
fn the_description_has_the_games_of_the_server_with_an_example_of_each() {
    let server = Server::shipped();
    let described = server.get("/api/v1/openapi.json").json();
    let games = server.get("/api/v1").json()["games"].clone();
    let games = games.as_array().expect("games").iter().map(|game| game["game"].clone());
    let games: Vec<Value> = games.collect();
    assert_eq!(described["components"]["schemas"]["GameName"]["enum"], json!(games));
    let examples = &described["components"]["parameters"]["Fen"]["examples"];
    for game in games.iter().filter_map(Value::as_str) {
        let fen = examples[game]["value"].as_str().unwrap_or_else(|| panic!("{game}: none"));
        assert_eq!(server.ask(&format!("/api/v1/{game}?fen="), fen).status, 200, "{game} {fen}");
    }
    // A game that somebody has added begins as it begins.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.ini");
    fs::write(&file, "[slow:chess]\ndoubleStep = false\n").expect("a file");
    let more = Server::start(SHIPPED, &["--variants", file.to_str().expect("UTF-8")]);
    let described = more.get("/api/v1/openapi.json").json();
    let slow = &described["components"]["parameters"]["Fen"]["examples"]["slow"]["value"];
    assert!(slow.as_str().is_some_and(|fen| fen.starts_with("rnbqkbnr/pppppppp/8")), "{slow}");
}

#[test]
fn rule_options_go_to_the_games_that_know_them() {
    let server = Server::start(SHIPPED, &["--vitality", "10", "--moves", "10+3"]);
    let games = server.get("/api/v1").json();
    let options = |game: &str| {
        let games = games["games"].as_array().expect("a list");
        games.iter().find(|entry| entry["game"] == game).map(|entry| entry["options"].clone())
    };
    assert_eq!(options("high").expect("it is there")["vitality"], 10);
    assert_eq!(options("noro").expect("it is there")["moves"], "10+3");
    let other = server.ask("/api/v1/high?fen=", "8/8/8/3k4/8/8/8/K6R w - - 10+10 0 1");
    assert_eq!(other.status, 500, "the table is of other options");
    let wrong = Command::new(FINALE).args(["serve", "--vitality", "0"]).output().expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn hostile_requests_harm_nothing() {
    let server = Server::shipped();
    let good = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let before = server.ask("/api/v1/orthodox?fen=", good).json();
    let get = |path: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").into_bytes()
    };
    let long = "8/".repeat(3_000);
    let longer = "a".repeat(100_000);
    let mut requests: Vec<Vec<u8>> = [
        "/../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/games/../../../Cargo.toml",
        "/games//high.js",
        "/\0",
        "/api/v1/..?fen=8",
        "/api/v1/%2e%2e%2f%2e%2e?fen=8",
        "/api/v1/orthodox/stats/..%2f..%2f..%2fetc%2fpasswd",
        "/api/v1/orthodox/stats/%00",
        "/api/v1/orthodox?fen=%00%ff%fe%",
        "/api/v1/orthodox?fen=%f0%9f%92%a9",
        "/api/v1/orthodox?fen=8/8/8/8/8/8/8/8_w_-_-_99999999999999999999_0",
        "/api/v1/high?fen=8/8/8/3k4/8/8/8/K6R_w_-_-_-1+256_0_1",
        "/api/v1/noro?fen=8/8/3q4/8/8/2R5/8/8_w_-_-_9999999999+0_0_25",
        "/api/v1/orphic?fen=8/8/8/8/8/8/8/8[KQRBNKQRBN]",
        "/api/v1/tiebraker?fen=8/8/6k1/8/8/2D5/8/Q7_b_-_-_option1:99",
        "/api/v1/orthodox/line?fen=8&max=99999999999999999999",
        "/?fen=<script>alert(1)</script>",
    ]
    .map(get)
    .into();
    requests.push(get(&format!("/api/v1/orthodox?fen={long}")));
    requests.push(get(&format!("/{longer}")));
    requests.push(format!("GET / HTTP/1.1\r\nx: {longer}\r\n\r\n").into_bytes());
    requests.push(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc".to_vec());
    requests.push(b"GET / HTTP/9.9\r\n\r\n".to_vec());
    requests.push(b"\r\n\r\n\r\n\r\nnonsense\r\n\r\n".to_vec());
    requests.push(b"POST /api/v1/high HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{".to_vec());
    for (number, request) in requests.iter().enumerate() {
        let mut stream = server.connect();
        let _ = stream.write_all(request);
        // Whoever waits for more hears that there is none.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.contains("root:") && !answer.contains("[package]"), "{number}");
        assert!(!answer.starts_with("HTTP/1.1 5"), "{number}: {answer}");
        // Cut short at several places, and left standing.
        for cut in [1, request.len() / 2, request.len() - 1] {
            let mut stream = server.connect();
            let _ = stream.write_all(&request[..cut]);
        }
    }
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = server.connect();
            let _ = stream.write_all(b"GET /api/v1/orthodox?fen=8 HTTP/1.1\r\nx:");
            stream
        })
        .collect();
    assert_eq!(server.ask("/api/v1/orthodox?fen=", good).json(), before);
    drop(slow);
}

#[test]
fn metrics_have_an_address_of_their_own_and_requests_are_logged() {
    let mut command = Command::new(FINALE);
    command.args(["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--log"]);
    command.args(["--tables", SHIPPED]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the binary runs");
    let mut stderr = BufReader::new(process.stderr.take().expect("it is piped"));
    let mut stdout = BufReader::new(process.stdout.take().expect("it is piped"));
    let mut addresses = Vec::new();
    while addresses.len() < 2 {
        let mut line = String::new();
        assert!(stderr.read_line(&mut line).expect("it speaks") > 0, "no address");
        let (_, rest) = line.split_once("http://").expect("an address");
        addresses.push(rest.split('/').next().and_then(|text| text.parse().ok()).expect("one"));
    }
    let [aside, main] = addresses[..] else { panic!("two addresses") };
    let mut server = Server { process, address: main, said: String::new() };
    assert_eq!(server.get("/metrics").status, 404);
    assert_eq!(server.get("/api/v1/high?fen=8/8%20%22").status, 400);
    assert_eq!(server.get("/favicon.ico").header("content-type"), Some("image/svg+xml"));
    let mut lines = Vec::new();
    for _ in 0..3 {
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        lines.push(serde_json::from_str::<Value>(&line).expect("JSON"));
    }
    assert_eq!(
        (&lines[0]["address"], &lines[0]["status"], &lines[0]["from"], &lines[0]["method"]),
        (&json!("/metrics"), &json!(404), &json!("127.0.0.1"), &json!("GET"))
    );
    assert_eq!(lines[1]["address"], "/api/v1/high?fen=8/8%20%22");
    assert!(lines[2]["time"].as_f64().is_some_and(|time| time > 1.7e9));
    assert!(lines[2]["seconds"].as_f64().is_some_and(|took| (0.0..60.0).contains(&took)));
    server.address = aside;
    let metrics = String::from_utf8(server.get("/metrics").body).expect("UTF-8");
    assert!(metrics.contains("finale_responses_total{status=\"4xx\"} 2\n"), "{metrics}");
    assert_eq!(server.get("/health").json(), json!({ "status": "ok" }));
    assert_eq!(server.get("/api/v1").status, 404);
    // Silent unless it is told to write.
    let quiet = Server::shipped();
    assert_eq!(quiet.get("/metrics").status, 200);
}

#[test]
fn it_tells_what_it_did_and_stops_when_told() {
    let mut server = Server::shipped();
    assert_eq!(server.get("/health").json(), json!({ "status": "ok" }));
    for _ in 0..3 {
        server.ask("/api/v1/orthodox?fen=", "8/8/8/3k4/8/8/8/K6R w - - 0 1");
    }
    let metrics = String::from_utf8(server.get("/metrics").body).expect("UTF-8");
    for line in [
        "finale_answers_cached_total 2",
        "finale_answers_looked_up_total 1",
        "finale_responses_total{status=\"2xx\"} 4",
    ] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
    if cfg!(unix) {
        let start = Instant::now();
        // A connection that idles does not keep the server from stopping.
        let _idle = server.connect();
        let pid = server.process.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
        let status = server.process.wait().expect("it ends");
        assert!(status.success(), "{status}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

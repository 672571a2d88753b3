//! `uci` and `xboard`: the engine as chess programs speak to it, through pipes.

use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::{
    room::{FINALE, Room},
    shipped,
};

/// An engine that waits for what it is told.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(room: &Room, args: &[&str]) -> Engine {
        let mut command = Command::new(FINALE);
        command.current_dir(room.0.path()).env_remove("FINALE_TABLES").args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the binary runs");
        let output = process.stdout.take().expect("it is piped");
        Engine { input: process.stdin.take(), output: BufReader::new(output).lines(), process }
    }

    fn tell(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the engine listens");
    }

    /// What it says up to the line that begins like this.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut said = Vec::new();
        while said.last().is_none_or(|line: &String| !line.starts_with(beginning)) {
            let line = self.output.next().expect("the engine is there");
            said.push(line.expect("a line"));
        }
        said
    }

    /// Waits until it has ended, and tells how.
    fn end(mut self) -> Option<i32> {
        self.input = None;
        assert!(self.output.next().is_none(), "nothing is left to say");
        self.process.wait().expect("it ends").code()
    }
}

fn room(games: &[&str]) -> Room {
    let room = Room::new();
    shipped::copy(games, &room.path("tables"));
    room
}

#[test]
fn a_game_is_played_to_mate() {
    let room = room(&["orthodox"]);
    let mut engine = Engine::start(&room, &["uci"]);
    engine.tell("uci");
    let known = engine.until("uciok");
    assert!(known[0].starts_with("id name finale "), "{known:?}");
    let option = "option name UCI_Variant type combo default chess var chess var kingofthehill ";
    assert!(known.iter().any(|line| line.starts_with(option)), "{known:?}");
    assert!(known.contains(&"option name TablePath type string default tables".to_owned()));
    engine.tell("isready");
    assert_eq!(engine.until(""), ["readyok"]);
    engine.tell("ucinewgame");
    let mut turns = String::new();
    // White mates in 15 moves, and both sides play their best.
    for ply in 0..29 {
        engine.tell(&format!("position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1 moves{turns}"));
        engine.tell("go wtime 60000 btime 60000");
        let said = engine.until("bestmove");
        let (left, sign) = (29_i32 - ply, if ply % 2 == 0 { "" } else { "-" });
        let score = format!(" score mate {sign}{} ", (left + 1) / 2);
        assert!(said[said.len() - 2].contains(&score), "{score} at {ply}: {said:?}");
        turns = format!("{turns} {}", said.last().and_then(|l| l.split(' ').nth(1)).unwrap());
    }
    engine.tell(&format!("position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1 moves{turns}"));
    engine.tell("go");
    let said = engine.until("bestmove");
    let end =
        ["info string White wins by checkmate", "info depth 0 score mate 0", "bestmove (none)"];
    assert_eq!(said, end);
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn the_engine_keeps_a_game_of_xboard() {
    let room = room(&["orthodox"]);
    let mut engine = Engine::start(&room, &["xboard"]);
    for line in ["xboard", "protover 2"] {
        engine.tell(line);
    }
    let features = engine.until("feature done=1");
    assert!(features.iter().any(|line| line.contains("variants=\"normal,kingofthehill,")));
    assert!(features.contains(&"feature option=\"TablePath -path tables\"".to_owned()));
    let beginning = ["new", "force", "setboard 8/8/8/3k4/8/8/8/K6R w - - 0 1", "post", "go"];
    beginning.into_iter().for_each(|line| engine.tell(line));
    // White mates in 15 moves, if Black plays the best that a second engine knows.
    let mut black = Engine::start(&room, &["xboard"]);
    ["new", "setboard 8/8/8/3k4/8/8/8/K6R w - - 0 1"].into_iter().for_each(|line| black.tell(line));
    for move_number in 1..=15 {
        let said = engine.until("move ");
        let score = format!(" {} ", 100_016 - move_number);
        assert!(said[said.len() - 2].contains(&score), "{move_number}: {said:?}");
        let turn = said.last().and_then(|line| line.strip_prefix("move ")).expect("a turn");
        black.tell(&format!("usermove {turn}"));
        if move_number < 15 {
            let said = black.until("move ");
            engine.tell(&said.last().expect("a turn").replace("move", "usermove"));
        }
    }
    let claim = "1-0 {White wins by checkmate}";
    assert_eq!(
        (engine.until("1-0").pop(), black.until("1-0").pop()),
        (Some(claim.into()), Some(claim.into()))
    );
    black.tell("quit");
    assert_eq!((engine.end(), black.end()), (Some(0), Some(0)));
}

#[test]
fn an_answer_waits_for_stop_and_quit_ends_without_it() {
    let room = room(&["koth"]);
    let mut engine = Engine::start(&room, &["uci", "--game", "koth"]);
    engine.tell("position fen 8/8/8/7k/8/8/8/KR6 b - - 0 1");
    engine.tell("go infinite");
    engine.tell("isready");
    let said = engine.until("readyok");
    assert_eq!(said[0], "info string White wins in 4 moves (8 plies)");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
    engine.tell("stop");
    assert!(engine.until("")[0].starts_with("bestmove "));
    engine.tell("go infinite");
    engine.until("info depth");
    engine.tell("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn tables_in_several_folders_and_rule_options_are_used() {
    let room = room(&["orthodox"]);
    shipped::copy(&["high"], &room.path("more"));
    let script = "setoption name UCI_Variant value high\nposition startpos\nd\n\
                  setoption name TablePath value nowhere\n";
    let args = "uci --tables tables --tables more --game orthodox --vitality 20";
    let said = room.run_with(args, script).well();
    let said: Vec<&str> = said.lines().collect();
    assert!(said[0].starts_with("info string 11 tables of High Chess in tables"), "{said:?}");
    assert!(said[1].contains("KQkq - 20+20 0 1"), "{said:?}");
    assert_eq!(said[2], "info string 0 tables of High Chess in nowhere");
    let refused = room.run("uci --vitality 99");
    assert!(refused.stderr.contains("from 1 to 50"), "{}", refused.stderr);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn bytes_of_any_kind_are_no_commands() {
    let room = Room::new();
    let mut bytes = b"\xff\xfe\0\ngo \x07\n\r\n".to_vec();
    bytes.extend(vec![b'x'; 3 << 20]);
    bytes.extend(b"\nisready");
    let said = room.run_with("uci", bytes.clone()).well();
    assert!(said.ends_with("\nreadyok\n"));
    assert!(said.lines().all(|line| line.len() < 1_000));
    bytes.extend(b"\nping 5");
    let said = room.run_with("xboard", bytes).well();
    assert!(said.ends_with("\npong 5\n"));
    assert!(said.lines().all(|line| line.len() < 1_000));
}

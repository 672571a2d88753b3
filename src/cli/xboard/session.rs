//! A conversation with an engine that keeps the game itself.

use std::{
    cmp::Ordering,
    fmt,
    ops::ControlFlow::{self, Break, Continue},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::command::Command;
use crate::{
    board::Color,
    cli::{
        args::EngineArgs,
        engine::{Desk, MOST_LINES, RankedLine, Said, Score, Thought, quoted, variant},
    },
    registry::GameName,
};

/// What the protocol calls orthodox chess.
const NORMAL: &str = "normal";

/// What the protocol calls a turn in which nothing is moved.
const PASS: &str = "@@@@";

/// The same in UCI.
const UCI_PASS: &str = "0000";

/// Centipawns of a game that is won with the next move, less one; one more for each move it takes.
const MATE: i64 = 100_000;

/// What the engine does when a position is there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Mode {
    /// It only keeps the game.
    Force,
    /// It plays a side.
    Plays(Color),
    /// It says what it thinks of each position.
    Analyzes,
}

/// A conversation.
pub struct Session {
    desk: Desk,
    /// The game that `new` goes back to: the one of the command line.
    usual: GameName,
    /// Where the game began, unless that is where all do.
    start: Option<String>,
    /// The turns played from there.
    turns: Vec<String>,
    mode: Mode,
    /// Whether it says what comes of thinking.
    posts: bool,
}

impl Session {
    /// A conversation with an engine as the command line sets it.
    ///
    /// # Errors
    /// If a rule option has a value it cannot have, or tables are at an address that cannot be
    /// reached.
    pub fn new(args: EngineArgs) -> Result<Session> {
        let usual = args.game;
        Ok(Session {
            desk: Desk::new(args)?,
            usual,
            start: None,
            turns: Vec::new(),
            mode: Mode::Force,
            posts: false,
        })
    }

    /// Hears a line, and says something to it, unless it is told to end.
    pub fn hear(&mut self, line: &str) -> ControlFlow<(), Vec<String>> {
        let mut said = Said::default();
        match Command::read(line) {
            Command::Features => self.introduce(&mut said),
            Command::New => self.begin(&mut said),
            Command::Variant(name) => self.choose(name, &mut said),
            Command::Force => self.mode = Mode::Force,
            Command::Go => self.plays(|to_move| to_move, &mut said),
            Command::PlayOther => self.plays(|to_move| !to_move, &mut said),
            Command::Turn(turn) => self.turn(turn, &mut said),
            Command::SetBoard(fen) => self.set_board(fen, &mut said),
            Command::TakeBack(turns) => self.take_back(turns, &mut said),
            Command::Ping(number) => said.line(format_args!("pong {}", quoted(number))),
            Command::Post(posts) => self.posts = posts,
            Command::Analyze => {
                self.mode = Mode::Analyzes;
                self.answer(&mut said);
            }
            Command::Exit => self.mode = Mode::Force,
            Command::Hint => {
                if let Some((turn, _)) = self.desk.player.think(&[], 1).best {
                    said.line(format_args!("Hint: {}", spoken(&turn)));
                }
            }
            Command::SetOption { name, value } => self.set(name, value, &mut said),
            Command::Quit => return Break(()),
            Command::Nothing => {}
            Command::Unknown => said.error("unknown command", &quoted(line)),
        }
        Continue(said.0)
    }

    fn introduce(&self, said: &mut Said) {
        // Until the last of them, which may take as long as games are read.
        said.line("feature done=0");
        said.line(concat!("feature myname=\"finale ", env!("CARGO_PKG_VERSION"), "\""));
        said.line("feature ping=1 setboard=1 usermove=1 playother=1 analyze=1 colors=0 san=0");
        said.line("feature sigint=0 reuse=1 debug=1 time=0 draw=0 memory=0 smp=0");
        let orthodox = GameName::find(NORMAL);
        let others = variant::names().filter(|name| GameName::find(name) != orthodox);
        let names: String = others.map(|name| format!(",{name}")).collect();
        said.line(format_args!("feature variants=\"{NORMAL}{names}\""));
        let folders = self.desk.folders();
        said.line(format_args!("feature option=\"TablePath -path {folders}\""));
        said.line(format_args!("feature option=\"MultiPV -spin 1 1 {MOST_LINES}\""));
        said.line("feature done=1");
    }

    /// A new game, in which the engine has Black.
    fn begin(&mut self, said: &mut Said) {
        let usual = variant::common_name(self.usual);
        if let Err(sentence) = self.desk.choose(usual, "variant") {
            said.comment(sentence);
        }
        (self.start, self.turns) = (None, Vec::new());
        self.mode = Mode::Plays(Color::Black);
    }

    fn choose(&mut self, name: &str, said: &mut Said) {
        match self.desk.choose(name, "variant") {
            Ok(tables) => {
                (self.start, self.turns) = (None, Vec::new());
                said.comment(tables);
            }
            Err(sentence) => said.wrong(sentence),
        }
    }

    /// Plays the side that `of` makes of the one to move.
    fn plays(&mut self, of: impl Fn(Color) -> Color, said: &mut Said) {
        match self.desk.player.to_move() {
            Ok(to_move) => {
                self.mode = Mode::Plays(of(to_move));
                self.answer(said);
            }
            Err(sentence) => said.comment(sentence),
        }
    }

    fn turn(&mut self, turn: &str, said: &mut Said) {
        let heard = if turn == PASS { UCI_PASS } else { turn };
        self.turns.push(heard.to_owned());
        if let Err(sentence) = self.place() {
            self.turns.pop();
            // It was there before.
            let _ = self.place();
            said.line(format_args!("Illegal move ({sentence}): {}", quoted(turn)));
            return;
        }
        self.answer(said);
    }

    fn set_board(&mut self, fen: &str, said: &mut Said) {
        let before = (self.start.replace(fen.to_owned()), std::mem::take(&mut self.turns));
        if let Err(sentence) = self.place() {
            (self.start, self.turns) = before;
            let _ = self.place();
            said.wrong(format_args!("Illegal position: {sentence}"));
            return;
        }
        if self.mode == Mode::Analyzes {
            self.answer(said);
        }
    }

    fn take_back(&mut self, turns: usize, said: &mut Said) {
        let Some(left) = self.turns.len().checked_sub(turns) else {
            return said.error("no turn to take back", if turns == 1 { "undo" } else { "remove" });
        };
        self.turns.truncate(left);
        match self.place() {
            Ok(()) if self.mode == Mode::Analyzes => self.answer(said),
            Ok(()) => {}
            Err(sentence) => said.comment(sentence),
        }
    }

    /// Goes to the position after the turns that were played.
    fn place(&mut self) -> Result<(), String> {
        self.desk.player.place(self.start.as_deref(), &self.turns)
    }

    /// Says or does what the position asks for.
    fn answer(&mut self, said: &mut Said) {
        let Ok(to_move) = self.desk.player.to_move() else { return };
        let own = self.mode == Mode::Plays(to_move);
        if !own && self.mode != Mode::Analyzes {
            // Whoever plays may end the game with a turn.
            if let Mode::Plays(_) = self.mode {
                self.claim(to_move, said);
            }
            return;
        }
        let start = Instant::now();
        let thought = self.desk.player.think(&[], self.desk.lines);
        if self.posts || self.mode == Mode::Analyzes {
            self.tell(&thought, start.elapsed(), said);
        }
        match &thought.best {
            _ if !own => {}
            Some((turn, _)) => {
                said.line(format_args!("move {}", spoken(turn)));
                self.turns.push(turn.clone());
                if let Err(sentence) = self.place() {
                    said.comment(sentence);
                }
                self.claim(!to_move, said);
            }
            None => self.claim(to_move, said),
        }
    }

    /// Says how the game has ended, if it has; `to_move` is who would be to move.
    fn claim(&self, to_move: Color, said: &mut Said) {
        let Some(end) = self.desk.player.end() else { return };
        let [RankedLine { worth, .. }] = &end.lines[..] else { return };
        let white = match to_move {
            Color::White => worth.result,
            Color::Black => worth.result.reverse(),
        };
        let result = match white {
            Ordering::Greater => "1-0",
            Ordering::Equal => "1/2-1/2",
            Ordering::Less => "0-1",
        };
        let words = end.sentences.join("; ").replace(['{', '}'], " ");
        said.line(format_args!("{result} {{{words}}}"));
    }

    /// Says what comes of thinking: depth, score, time in hundredths of a second, turns looked up, and
    /// best play.
    fn tell(&self, thought: &Thought, time: Duration, said: &mut Said) {
        for sentence in &thought.sentences {
            said.comment(sentence);
        }
        let (nodes, time) = (thought.looked_up, time.as_millis() / 10);
        for RankedLine { worth, turns } in
            thought.lines.iter().filter(|line| !line.turns.is_empty())
        {
            let plies = worth.plies.map_or(turns.len(), |plies| plies.0.into());
            let score = match worth.score {
                Score::Mate(moves) if moves > 0 => MATE + i64::from(moves),
                Score::Mate(moves) => i64::from(moves) - MATE,
                Score::Centipawns(number) => number,
            };
            let turns: Vec<&str> = turns.iter().map(|turn| spoken(turn)).collect();
            said.line(format_args!("{plies} {score} {time} {nodes} {}", turns.join(" ")));
        }
    }

    fn set(&mut self, name: &str, value: &str, said: &mut Said) {
        match name {
            "TablePath" => match self.desk.look_in(value) {
                Ok(tables) => {
                    said.comment(tables);
                    // The seat is a new one.
                    if let Err(sentence) = self.place() {
                        said.comment(sentence);
                    }
                }
                Err(sentence) => said.wrong(sentence),
            },
            "MultiPV" => {
                if let Err(sentence) = self.desk.rank(value) {
                    said.wrong(sentence);
                }
            }
            _ => said.error("no such option, only TablePath and MultiPV", &quoted(name)),
        }
    }
}

/// A turn as the protocol writes it.
fn spoken(turn: &str) -> &str {
    if turn == UCI_PASS { PASS } else { turn }
}

impl Said {
    /// Says something to people who look.
    fn comment(&mut self, sentence: impl fmt::Display) {
        self.line(format_args!("# {sentence}"));
    }

    /// Says something to the user, who has to do something about it.
    fn wrong(&mut self, sentence: impl fmt::Display) {
        self.line(format_args!("tellusererror {sentence}"));
    }

    fn error(&mut self, what: &str, line: &str) {
        self.line(format_args!("Error ({what}): {line}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::engine::testing;

    fn session() -> Session {
        Session::new(testing::args()).expect("no rule options")
    }

    /// What is said to some lines, but for comments.
    fn said(session: &mut Session, lines: &[&str]) -> Vec<String> {
        let said = lines.iter().flat_map(|line| testing::said(line, session.hear(line)));
        said.filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let mut session = session();
        let fen = "setboard 7k/8/5K2/8/8/8/8/5Q2 w - - 0 1";
        assert_eq!(said(&mut session, &["new", "force", fen, "go"]), ["move f6f7"]);
        let told = said(&mut session, &["usermove h8h7"]);
        assert_eq!(told, ["move f1h1", "1-0 {White wins by checkmate}"]);
        // Before the last two turns.
        assert!(said(&mut session, &["remove"]).is_empty());
        assert_eq!(
            said(&mut session, &["hint", "usermove h8h7"]),
            ["Hint: h8h7", "move f1h1", "1-0 {White wins by checkmate}"]
        );
    }

    #[test]
    fn the_opponent_ends_a_game_too() {
        let told = said(
            &mut session(),
            &["new", "setboard 7k/5K2/8/8/8/8/8/5Q2 w - - 0 1", "usermove f1h1"],
        );
        assert_eq!(told, ["1-0 {White wins by checkmate}"]);
        let told = said(
            &mut session(),
            &["new", "setboard 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "usermove f1f7"],
        );
        assert_eq!(told, ["1/2-1/2 {drawn by stalemate}"]);
    }

    #[test]
    fn thoughts_are_told_to_who_wants_them() {
        let mut session = session();
        let fen = "setboard 7k/8/5K2/8/8/8/8/5Q2 w - - 0 1";
        let mut told = said(&mut session, &["new", "force", "option MultiPV=2", fen, "analyze"]);
        for line in &mut told {
            let mut words: Vec<&str> = line.split(' ').collect();
            words.remove(2);
            *line = words.join(" ");
        }
        assert_eq!(told, ["3 100002 25 f6f7 h8h7 f1h1", "3 100002 25 f1g1 h8h7 g1g7"]);
        let told = said(&mut session, &["usermove f6f7"]);
        assert!(told[0].starts_with("2 -100001 "), "{told:?}");
        assert!(said(&mut session, &["exit", "undo", "usermove f6f7"]).is_empty());
    }

    #[test]
    fn other_games_have_their_turns() {
        let mut session = session();
        assert!(said(&mut session, &["new", "variant high", "force"]).is_empty());
        let fen = "setboard 8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1";
        let told = said(&mut session, &[fen, "go"]);
        assert!(told.len() == 1 && told[0].starts_with("move "), "{told:?}");
        let told = said(
            &mut session,
            &["variant orphic", "force", "setboard 8/8/8/7k/8/8/8/K7[R] w", "go"],
        );
        assert!(told.len() == 1 && told[0].starts_with("move "), "{told:?}");
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut session = session();
        let fen = "setboard 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";
        said(&mut session, &["new", "force", fen]);
        for (line, part) in [
            ("usermove b1b9", "Illegal move (`b1b9` is not a legal turn in "),
            ("setboard 8/8/8/8/8/8/8/8 w - -", "tellusererror Illegal position: "),
            ("variant draughts", "tellusererror there is no game `draughts`; variant is one of "),
            ("undo", "Error (no turn to take back): undo"),
            ("option Hash=16", "Error (no such option, only TablePath and MultiPV): Hash"),
            ("option MultiPV=0", "tellusererror MultiPV is a number from 1 to 500"),
            ("castle", "Error (unknown command): castle"),
        ] {
            let told = said(&mut session, &[line]);
            assert!(told.len() == 1 && told[0].starts_with(part), "{line}: {told:?}");
            assert_eq!(said(&mut session, &["hint"]), ["Hint: b1b8"], "{line}");
        }
        assert_eq!(said(&mut session, &["ping 3"]), ["pong 3"]);
    }

    #[test]
    fn folders_are_named_in_a_line() {
        let told = said(&mut session(), &["option TablePath=no\u{1}where", "protover 2"]);
        let named = "feature option=\"TablePath -path no where\"";
        assert!(told.iter().any(|line| line == named), "{told:?}");
    }

    /// Words that lead somewhere, and any others.
    const WORD: &str = "protover|new|variant|high|noro|tiebraker|force|go|playother|usermove|e2e4|\
                        @@@@|setboard|7k/8/6K1/8/8/8/8/1Q6|w|-|undo|remove|ping|post|nopost|\
                        analyze|exit|hint|option|TablePath=|MultiPV=[0-9]{1,20}|\\PC{0,8}|[\\x00-\\x1f]";

    #[test]
    fn no_text_ends_it() {
        testing::say_anything(WORD, session, Session::hear);
    }
}

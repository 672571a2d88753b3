//! A conversation with an engine: each line that is said to it, and what it says to that.

use std::{
    fmt,
    ops::ControlFlow::{self, Break, Continue},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::command::{Command, Go, Wait};
use crate::cli::{
    args::EngineArgs,
    engine::{Desk, MOST_LINES, RankedLine, Said, Thought, quoted, variant},
};

/// A conversation.
pub struct Session {
    desk: Desk,
    /// Whether chances stand beside scores.
    shows_wdl: bool,
    /// The answer that is known and waits.
    held: Option<(Wait, String)>,
}

impl Session {
    /// A conversation with an engine as the command line sets it.
    ///
    /// # Errors
    /// If a rule option has a value it cannot have, or tables are at an address that cannot be
    /// reached.
    pub fn new(args: EngineArgs) -> Result<Session> {
        Ok(Session { desk: Desk::new(args)?, shows_wdl: false, held: None })
    }

    /// Hears a line, and says something to it, unless it is told to end.
    pub fn hear(&mut self, line: &str) -> ControlFlow<(), Vec<String>> {
        let mut said = Said::default();
        match Command::read(line) {
            Command::Uci => self.introduce(&mut said),
            Command::IsReady => said.line("readyok"),
            Command::SetOption { name, value } => self.set(&name, &value, &mut said),
            Command::Position { fen, turns } => {
                said.unless(self.desk.player.place(fen.as_deref(), &turns));
            }
            Command::Go(go) => self.go(&go, &mut said),
            Command::Stop => self.release(Wait::Stop, &mut said),
            Command::PonderHit => self.release(Wait::PonderHit, &mut said),
            Command::Display => match self.desk.player.fen() {
                Ok(fen) => said.line(format_args!("Fen: {fen}")),
                Err(sentence) => said.sentence(sentence),
            },
            Command::Quit => return Break(()),
            Command::Nothing => {}
            Command::Unknown => {
                said.sentence(format_args!("this is no command of UCI: {}", quoted(line)));
            }
        }
        Continue(said.0)
    }

    fn introduce(&self, said: &mut Said) {
        said.line(concat!("id name finale ", env!("CARGO_PKG_VERSION")));
        said.line("id author the finale authors");
        let names: String = variant::names().map(|name| format!(" var {name}")).collect();
        let game = variant::common_name(self.desk.game());
        said.line(format_args!("option name UCI_Variant type combo default {game}{names}"));
        let folders = self.desk.folders();
        said.line(format_args!("option name TablePath type string default {folders}"));
        said.line(format_args!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"));
        said.line("option name UCI_ShowWDL type check default false");
        said.line("uciok");
    }

    /// Sets an option. Names are the same in capitals.
    fn set(&mut self, name: &str, value: &str, said: &mut Said) {
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => said.told(self.desk.choose(value, "UCI_Variant")),
            "tablepath" => said.told(self.desk.look_in(value)),
            "multipv" => said.unless(self.desk.rank(value)),
            "uci_showwdl" => match value {
                "true" => self.shows_wdl = true,
                "false" => self.shows_wdl = false,
                _ => said.sentence("UCI_ShowWDL is true or false"),
            },
            _ => said.sentence(format_args!(
                "there is no option `{name}`, only UCI_Variant, TablePath, MultiPV and UCI_ShowWDL"
            )),
        }
    }

    fn go(&mut self, go: &Go, said: &mut Said) {
        // Programs expect an answer to each `go`, in their order.
        self.release(Wait::Stop, said);
        if !go.unknown.is_empty() {
            said.sentence(format_args!("not understood of go: {}", go.unknown.join(" ")));
        }
        let start = Instant::now();
        let thought = self.desk.player.think(&go.among, self.desk.lines);
        self.tell(&thought, start.elapsed(), said);
        let best = match &thought.best {
            Some((turn, Some(expected))) => format!("bestmove {turn} ponder {expected}"),
            Some((turn, None)) => format!("bestmove {turn}"),
            // `0000` would be a pass, which is a turn in some games.
            None => "bestmove (none)".to_owned(),
        };
        match go.wait {
            Wait::Nothing => said.line(best),
            wait => self.held = Some((wait, best)),
        }
    }

    fn tell(&self, thought: &Thought, time: Duration, said: &mut Said) {
        for sentence in &thought.sentences {
            said.sentence(sentence);
        }
        let (nodes, time) = (thought.looked_up, time.as_millis());
        for (number, RankedLine { worth, turns }) in (1..).zip(&thought.lines) {
            let wdl = if self.shows_wdl { format!(" wdl {}", worth.wdl()) } else { String::new() };
            let score = worth.score;
            if turns.is_empty() {
                said.line(format_args!("info depth 0 score {score}{wdl}"));
                continue;
            }
            let plies = worth.plies.map_or(turns.len(), |plies| plies.0.into());
            let turns = turns.join(" ");
            said.line(format_args!(
                "info depth 1 seldepth {plies} multipv {number} score {score}{wdl} \
                 nodes {nodes} time {time} pv {turns}"
            ));
        }
    }

    /// Gives the answer that waits for this, or for less.
    fn release(&mut self, event: Wait, said: &mut Said) {
        if let Some((_, best)) = self.held.take_if(|(wait, _)| *wait <= event) {
            said.line(best);
        }
    }
}

impl Said {
    /// Says something to people.
    fn sentence(&mut self, sentence: impl fmt::Display) {
        self.line(format_args!("info string {sentence}"));
    }

    /// Says what there is, or what is wrong.
    fn told(&mut self, result: Result<String, String>) {
        let (Ok(sentence) | Err(sentence)) = result;
        self.sentence(sentence);
    }

    /// Says what is wrong, if something is.
    fn unless(&mut self, result: Result<(), String>) {
        if let Err(sentence) = result {
            self.sentence(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::{
        engine::testing::{self, SHIPPED},
        hints::tables_option,
    };

    fn session() -> Session {
        Session::new(testing::args()).expect("no rule options")
    }

    /// What is said to some lines, the time it took left out.
    fn said(session: &mut Session, lines: &[&str]) -> Vec<String> {
        let said = lines.iter().flat_map(|line| testing::said(line, session.hear(line)));
        said.map(|line| without_time(&line)).collect()
    }

    fn without_time(line: &str) -> String {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(at) = words.iter().position(|&word| word == "time") {
            words.drain(at..at + 2);
        }
        words.join(" ")
    }

    /// The score in each line of what is said, with its name.
    fn scores(said: &[String]) -> Vec<String> {
        let scored = said.iter().filter_map(|line| line.split_once(" score "));
        let words = scored.map(|(_, rest)| rest.split(' ').take(2).collect::<Vec<_>>().join(" "));
        words.collect()
    }

    #[test]
    fn best_turns_are_told_with_scores_and_chances() {
        let told = said(
            &mut session(),
            &[
                "setoption name MultiPV value 2",
                "setoption name UCI_ShowWDL value true",
                "position fen 7k/8/5K2/8/8/8/8/5Q2 w - - 0 1",
                "go searchmoves f1g2 f6f7 f1f2",
            ],
        );
        assert_eq!(
            told,
            [
                "info string White mates in 2 moves (3 plies)",
                "info depth 1 seldepth 3 multipv 1 score mate 2 wdl 1000 0 0 nodes 25 \
                 pv f6f7 h8h7 f1h1",
                "info depth 1 seldepth 3 multipv 2 score mate 2 wdl 1000 0 0 nodes 25 \
                 pv f1g2 h8h7 g2g7",
                "bestmove f6f7 ponder h8h7",
            ]
        );
    }

    #[test]
    fn scores_are_those_of_the_game() {
        for (variant, fen, score) in [
            ("chess", "8/8/8/8/8/2k5/8/KQ6 b - -", "mate -7"),
            ("orthodox", "8/8/8/3k4/8/8/8/KB6 w - -", "cp 0"),
            ("kingofthehill", "8/8/8/7k/8/8/8/KR6 b - -", "mate -4"),
            // Won by exhaustion.
            ("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1", "mate 55"),
            // White's vitality has run out on its own turn.
            ("high", "8/8/8/3k4/8/8/8/K6R w - - 1+50 0 1 moves h1h2", "cp 10000"),
            ("tiebraker", "8/8/8/7k/8/8/8/KR6 b - -", "cp -10000"),
            ("stylish", "8/8/8/7k/8/8/8/KR6 w - -", "cp 11000"),
            ("noro", "8/8/8/7k/8/8/8/Q7 w - -", "cp 10000"),
            ("orphic", "8/8/8/7k/8/8/8/K7[R] w - -", "mate 11"),
        ] {
            let [variant, position] = [
                format!("setoption name UCI_Variant value {variant}"),
                format!("position fen {fen}"),
            ];
            let told = said(&mut session(), &[&variant, &position, "go"]);
            assert_eq!(scores(&told), [score], "{variant} {fen}: {told:#?}");
        }
    }

    #[test]
    fn play_keeps_what_a_position_is_worth() {
        for (variant, fen) in [
            ("chess", "8/8/8/8/8/1k6/3P4/K7 w - -"),
            ("kingofthehill", "8/8/8/7k/8/8/4P3/K7 b - -"),
            ("high", "8/8/8/3k4/8/8/4P3/K7 b - - 9+7"),
            ("noro", "8/8/8/7k/8/8/8/Q7 b - - 3+5"),
            ("tiebraker", "8/8/8/7k/8/8/4P3/K7 w - -"),
            ("orphic", "8/8/8/7k/8/8/8/K7[Q] b - -"),
            ("orphic-elks", "8/8/8/7k/8/8/8/K7[E] w - -"),
            ("stylish", "8/8/8/7k/8/8/4P3/K7 w - -"),
        ] {
            let mut session = session();
            let options = format!("setoption name UCI_Variant value {variant}");
            said(&mut session, &[&options, "setoption name UCI_ShowWDL value true"]);
            let (mut turns, mut worth) = (String::new(), None);
            for ply in 0..60 {
                let position = format!("position fen {fen} moves{turns}");
                let told = said(&mut session, &[&position, "go"]);
                let chances = told.iter().find_map(|line| line.split_once(" wdl "));
                let chances = chances.unwrap_or_else(|| panic!("{position}: {told:#?}")).1;
                let mut chances: Vec<&str> = chances.split(' ').take(3).collect();
                if ply % 2 == 1 {
                    chances.reverse();
                }
                let chances = chances.join(" ");
                assert_eq!(*worth.get_or_insert(chances.clone()), chances, "{position}: {told:#?}");
                match told.last().and_then(|line| line.split(' ').nth(1)) {
                    Some("(none)") => break,
                    turn => turns = format!("{turns} {}", turn.expect("a turn")),
                }
            }
        }
    }

    #[test]
    fn some_answers_wait() {
        for (go, early, released) in [
            ("go infinite", "ponderhit", "stop"),
            ("go ponder", "isready", "ponderhit"),
            ("go ponder movetime 5", "isready", "stop"),
            ("go infinite", "isready", "go"),
        ] {
            let mut session = session();
            let mut told = said(&mut session, &["position fen 7k/8/6K1/8/8/8/8/1Q6 w", go]);
            told.extend(said(&mut session, &[early]));
            assert!(!told.iter().any(|line| line.starts_with("bestmove")), "{told:?}");
            assert_eq!(said(&mut session, &[released])[0], "bestmove b1b8", "{go}");
        }
        assert!(said(&mut session(), &["stop", "ponderhit"]).is_empty());
    }

    #[test]
    fn what_is_not_in_the_tables_is_said_and_has_no_score() {
        let folder = tempfile::tempdir().expect("a folder");
        testing::copy(&["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"], folder.path());
        let (here, option) = (folder.path().join("orthodox"), tables_option(folder.path()));
        let missing = |material| {
            format!(
                "info string there is no table for {material} in {}; \
                 build it with `finale build orthodox {material}{option}`",
                here.display()
            )
        };
        for (fen, first, how, best) in [
            // The Rook can be taken.
            (
                "8/8/8/4k3/8/8/4r3/K2Q4 w - -",
                missing("KQvKR"),
                "Qxe2+ is the best of the turns after which the result is known",
                "d1e2",
            ),
            // The Rook mates, as the rules know without a table.
            (
                "6k1/5ppp/8/8/8/8/8/K3R3 w - -",
                missing("KPPPvKR"),
                "Re8# is the best of the turns after which the result is known",
                "e1e8",
            ),
            // No turn leads into a table.
            (
                "8/8/8/3k4/8/8/8/KQ4R1 w - -",
                missing("KQRvK"),
                "Ka2 is played without knowing what it is worth",
                "a1a2",
            ),
            // All turns lead into tables.
            (
                "8/8/8/8/8/k7/1q6/KR6 w - -",
                missing("KQvKR"),
                "Rxb2 is the best turn, as those after each one say",
                "b1b2",
            ),
            (
                "r3k3/8/8/8/8/8/8/4K3 b q -",
                "info string tables do not cover castling rights; write `-` in their place if \
                 they do not matter"
                    .to_owned(),
                "Ra2 is the best turn, as those after each one say",
                "a8a2",
            ),
        ] {
            let args = testing::args_from(folder.path());
            let mut session = Session::new(args).expect("no rule options");
            let told = said(&mut session, &[&format!("position fen {fen}"), "go"]);
            let expected =
                [first, format!("info string not from tables: {how}"), format!("bestmove {best}")];
            assert_eq!(told, expected, "{fen}");
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_turn() {
        for (fen, words, score) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - -", "White wins by checkmate", "mate 0"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", "drawn by stalemate", "cp 0"),
        ] {
            assert_eq!(
                said(&mut session(), &[&format!("position fen {fen}"), "go"]),
                [
                    format!("info string {words}"),
                    format!("info depth 0 score {score}"),
                    "bestmove (none)".to_owned()
                ]
            );
        }
    }

    #[test]
    fn after_a_position_that_is_none_there_is_no_turn() {
        let mut session = session();
        let wrong = "position fen 7k/8/6K1/8/8/8/8/1Q6 w - - moves b1b9";
        let told = said(&mut session, &[wrong]);
        assert!(told[0].starts_with("info string `b1b9` is not a legal turn in"), "{told:?}");
        assert_eq!(said(&mut session, &["d"]), told);
        assert_eq!(said(&mut session, &["go"]), [&told[0], "bestmove (none)"]);
    }

    #[test]
    fn options_say_what_they_can_be() {
        let mut session = session();
        // Others may lie beside those that ship.
        let there = std::fs::read_dir(Path::new(SHIPPED).join("koth")).expect("tables").count();
        let koth = format!("{there} tables of King of the Hill in ");
        for (option, part) in [
            ("name MultiPV value 0", "MultiPV is a number from 1 to 500"),
            ("name multipv value many", "MultiPV is a number from 1 to 500"),
            ("name UCI_ShowWDL value 1", "UCI_ShowWDL is true or false"),
            ("name Hash value 16", "there is no option `Hash`, only UCI_Variant, TablePath,"),
            ("name UCI_Variant value draughts", "UCI_Variant is one of chess, kingofthehill, "),
            ("name UCI_Variant value koth", koth.as_str()),
            ("name TablePath value nowhere", "0 tables of King of the Hill in nowhere"),
            ("name TablePath value no\u{1}where", "0 tables of King of the Hill in no where"),
            ("name TablePath value <empty>", koth.as_str()),
            ("MultiPV 3", "this is no command of UCI: setoption MultiPV 3"),
        ] {
            let told = said(&mut session, &[&format!("setoption {option}")]);
            assert!(told.len() == 1 && told[0].contains(part), "{option}: {told:?}");
        }
    }

    /// Words that lead somewhere, and any others.
    const WORD: &str = "uci|isready|setoption|name|value|UCI_Variant|TablePath|MultiPV|UCI_ShowWDL|\
                        high|noro|tiebraker|position|startpos|fen|7k/8/6K1/8/8/8/8/1Q6|w|-|moves|\
                        e2e4|b1b8|0000|declare|go|infinite|ponder|searchmoves|depth|[0-9]{1,20}|\
                        stop|ponderhit|ucinewgame|d|\\PC{0,8}|[\\x00-\\x1f]";

    #[test]
    fn no_text_ends_it() {
        testing::say_anything(WORD, session, Session::hear);
    }
}

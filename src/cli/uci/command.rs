//! What a program says to an engine: a line, read as a command of UCI.

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Who are you, and which options have you?
    Uci,
    /// Are you ready?
    IsReady,
    /// An option gets a value, which may be empty.
    SetOption {
        /// Its name.
        name: String,
        /// The value.
        value: String,
    },
    /// The position to think about.
    Position {
        /// Where it begins, unless that is where the game does.
        fen: Option<String>,
        /// The turns played from there.
        turns: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The turn that was thought about on the opponent's time has been played.
    PonderHit,
    /// Show the position.
    Display,
    /// End.
    Quit,
    /// Nothing that this engine has to do something about.
    Nothing,
    /// None of these.
    Unknown,
}

/// How to think. Limits of time and depth say nothing to an engine that looks its answer up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The turns to choose from; all, if there are none.
    pub among: Vec<String>,
    /// What the answer waits for.
    pub wait: Wait,
    /// The words that are not of UCI.
    pub unknown: Vec<String>,
}

/// What the answer to `go` waits for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Wait {
    /// Nothing.
    #[default]
    Nothing,
    /// `ponderhit`, or `stop`.
    PonderHit,
    /// `stop`.
    Stop,
}

/// Words of `go` behind which a number stands.
const LIMITS: &[&str] =
    &["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"];

impl Command {
    /// Reads a line.
    pub fn read(line: &str) -> Command {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match first {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "setoption" => set_option(rest),
            "position" => position(rest),
            "go" => Command::Go(Go::read(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "d" => Command::Display,
            "quit" => Command::Quit,
            "" | "ucinewgame" | "debug" | "register" => Command::Nothing,
            _ => Command::Unknown,
        }
    }
}

/// `name TablePath value my tables`: both may have spaces.
fn set_option(rest: &str) -> Command {
    let Some(named) = rest.strip_prefix("name ") else { return Command::Unknown };
    let (name, value) = match named.split_once(" value ") {
        Some((name, value)) => (name, value.trim()),
        None => (named.strip_suffix(" value").unwrap_or(named), ""),
    };
    Command::SetOption { name: name.trim().to_owned(), value: value.to_owned() }
}

/// `startpos moves e2e4`, `fen 8/8/8/3k4/8/8/8/K6R w - - moves a1b2`.
fn position(rest: &str) -> Command {
    let mut words = rest.split_whitespace();
    let start = words.next();
    let before_turns: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let fen = match start {
        Some("startpos") if before_turns.is_empty() => None,
        Some("fen") => Some(before_turns.join(" ")),
        _ => return Command::Unknown,
    };
    Command::Position { fen, turns: words.map(str::to_owned).collect() }
}

impl Go {
    fn read(rest: &str) -> Go {
        let mut go = Go::default();
        let mut behind = "";
        for word in rest.split_whitespace() {
            match word {
                "infinite" => go.wait = Wait::Stop,
                "ponder" => go.wait = go.wait.max(Wait::PonderHit),
                "searchmoves" => {}
                _ if LIMITS.contains(&word) => {}
                _ if behind == "searchmoves" => {
                    go.among.push(word.to_owned());
                    continue;
                }
                _ if LIMITS.contains(&behind) => {}
                _ => go.unknown.push(word.to_owned()),
            }
            behind = word;
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(among: &[&str], wait: Wait, unknown: &[&str]) -> Command {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Command::Go(Go { among: owned(among), wait, unknown: owned(unknown) })
    }

    #[test]
    fn limits_say_nothing_and_turns_to_choose_from_end_at_the_next_word() {
        for (line, command) in [
            ("go", go(&[], Wait::Nothing, &[])),
            ("go wtime 1000 btime -5 movestogo 3 depth 4", go(&[], Wait::Nothing, &[])),
            ("go searchmoves a1a2 Q@e3 depth 4", go(&["a1a2", "Q@e3"], Wait::Nothing, &[])),
            ("go infinite searchmoves a1a2", go(&["a1a2"], Wait::Stop, &[])),
            ("go searchmoves a1a2 ponder movetime 9", go(&["a1a2"], Wait::PonderHit, &[])),
            ("go ponder infinite", go(&[], Wait::Stop, &[])),
            ("go depth", go(&[], Wait::Nothing, &[])),
            ("go depth 4 5 fast", go(&[], Wait::Nothing, &["5", "fast"])),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
    }

    #[test]
    fn names_and_values_of_options_may_have_spaces() {
        for (line, expected) in [
            ("setoption name MultiPV value 3", Some(("MultiPV", "3"))),
            ("setoption name Clear Hash", Some(("Clear Hash", ""))),
            ("setoption name TablePath value /my tables:b ", Some(("TablePath", "/my tables:b"))),
            ("setoption name TablePath value", Some(("TablePath", ""))),
            ("setoption MultiPV 3", None),
        ] {
            let command = expected.map_or(Command::Unknown, |(name, value)| Command::SetOption {
                name: name.to_owned(),
                value: value.to_owned(),
            });
            assert_eq!(Command::read(line), command, "{line}");
        }
    }

    #[test]
    fn positions_have_a_beginning_and_turns() {
        let at = |fen: Option<&str>, turns: &[&str]| Command::Position {
            fen: fen.map(str::to_owned),
            turns: turns.iter().map(|&turn| turn.to_owned()).collect(),
        };
        for (line, command) in [
            ("position startpos", at(None, &[])),
            ("  position  startpos moves e2e4  e7e5 ", at(None, &["e2e4", "e7e5"])),
            ("position fen 8/8 w  - -", at(Some("8/8 w - -"), &[])),
            ("position fen 8/8 w moves K=D", at(Some("8/8 w"), &["K=D"])),
            ("position fen", at(Some(""), &[])),
            ("position startpos e2e4", Command::Unknown),
            ("position", Command::Unknown),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
    }
}

//! What a program says to an engine: a line, read as a command of XBoard's protocol.

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'l> {
    /// Which features have you? The program speaks a version of the protocol that has them.
    Features,
    /// A new game, of the usual kind, in which the engine has Black.
    New,
    /// The game is another, of this name.
    Variant(&'l str),
    /// Play neither side.
    Force,
    /// Play the side to move, from now on.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// A turn.
    Turn(&'l str),
    /// The position is another.
    SetBoard(&'l str),
    /// Take so many turns back.
    TakeBack(usize),
    /// Answer when all before has been done; with the number that stands behind.
    Ping(&'l str),
    /// Say what comes of thinking, or do not.
    Post(bool),
    /// Think about the position, whoever is to move, until told to end that.
    Analyze,
    /// Do that no more.
    Exit,
    /// Which turn is best?
    Hint,
    /// An option gets a value, which may be empty.
    SetOption {
        /// Its name.
        name: &'l str,
        /// The value.
        value: &'l str,
    },
    /// End.
    Quit,
    /// Nothing that this engine has to do something about.
    Nothing,
    /// None of these.
    Unknown,
}

/// Commands about clocks, opponents and other things that an engine that looks its answers up has
/// nothing to do with.
const NOTHING: &[&str] = &[
    "", "xboard", "accepted", "rejected", "random", "hard", "easy", "level", "st", "sd", "nps",
    "time", "otim", "?", ".", "bk", "computer", "name", "rating", "ics", "result", "draw", "white",
    "black", "cores", "memory", "pause", "resume",
];

impl Command<'_> {
    /// Reads a line.
    pub fn read(line: &str) -> Command<'_> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match first {
            "protover" => Command::Features,
            "new" => Command::New,
            "variant" => Command::Variant(rest),
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "usermove" => Command::Turn(rest),
            "setboard" => Command::SetBoard(rest),
            "undo" => Command::TakeBack(1),
            "remove" => Command::TakeBack(2),
            "ping" => Command::Ping(rest),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" => Command::Analyze,
            "exit" => Command::Exit,
            "hint" => Command::Hint,
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                Command::SetOption { name: name.trim(), value: value.trim() }
            }
            "quit" => Command::Quit,
            _ if NOTHING.contains(&first) => Command::Nothing,
            _ => Command::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        for (line, command) in [
            ("protover 2", Command::Features),
            ("usermove Q@e4\n", Command::Turn("Q@e4")),
            ("setboard 8/8 w - -", Command::SetBoard("8/8 w - -")),
            ("remove", Command::TakeBack(2)),
            ("ping 7", Command::Ping("7")),
            (
                "option TablePath=/my tables:b ",
                Command::SetOption { name: "TablePath", value: "/my tables:b" },
            ),
            ("option MultiPV", Command::SetOption { name: "MultiPV", value: "" }),
            ("level 40 5 0", Command::Nothing),
            ("  ", Command::Nothing),
            ("e2e4", Command::Unknown),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
    }
}

//! A folder to run the program in, for the tests of its commands.

// Each test program uses some of it.
#![allow(dead_code)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command as Process, Stdio},
};

use assert_cmd::Command;
use finale::table::Table;
use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const FINALE: &str = env!("CARGO_BIN_EXE_finale");

/// The words of a command, as a shell parts them.
pub fn words(command: &str) -> Vec<&str> {
    let quoted = command.split(['"', '\'']).enumerate();
    let parts = quoted.flat_map(|(place, part)| match place % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
        _ => vec![part],
    });
    parts.collect()
}

/// A folder to work in; `tables` in it is where tables go.
pub struct Room(pub TempDir);

/// What a command printed, and how it ended.
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl Room {
    pub fn new() -> Room {
        Room(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A room with some tables of a game.
    pub fn with(builds: &[&str]) -> Room {
        let room = Room::new();
        for build in builds {
            room.run(&format!("build {build} --level 3")).well();
        }
        room
    }

    /// Runs a command; spaces part its arguments, as underscores part the fields of a FEN.
    pub fn run(&self, args: &str) -> Ran {
        self.run_with(args, "")
    }

    /// Runs a command whose arguments may have spaces.
    pub fn run_words(&self, args: Vec<&str>) -> Ran {
        self.ran(args, "")
    }

    pub fn run_with(&self, args: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        self.ran(args.split(' ').collect(), stdin)
    }

    fn ran(&self, args: Vec<&str>, stdin: impl Into<Vec<u8>>) -> Ran {
        let mut command = Command::new(FINALE);
        command
            .current_dir(self.0.path())
            .env_remove("FINALE_TABLES")
            .env_remove("FINALE_VARIANTS")
            .env("COLUMNS", "100");
        let output = command.args(args).write_stdin(stdin).output();
        let output = output.expect("the binary runs");
        Ran {
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
            code: output.status.code(),
        }
    }

    /// Starts a command that is not waited for.
    pub fn start(&self, args: &str) -> Child {
        let mut command = Process::new(FINALE);
        command
            .current_dir(self.0.path())
            .env_remove("FINALE_TABLES")
            .env_remove("FINALE_VARIANTS")
            .args(args.split(' '));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs")
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// All files, in order, as paths below the room.
    pub fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() { walk(&path, files) } else { files.push(path) }
            }
        }
        let mut files = Vec::new();
        walk(self.0.path(), &mut files);
        let below = |path: &PathBuf| {
            let path = path.strip_prefix(self.0.path()).expect("it is below");
            // As it is written elsewhere than on Windows.
            path.components()
                .map(|part| part.as_os_str().display().to_string())
                .collect::<Vec<_>>()
                .join("/")
        };
        let mut files: Vec<String> = files.iter().map(below).collect();
        files.sort();
        files
    }

    /// Makes sure that every table there is complete.
    pub fn assert_complete_tables(&self) {
        for file in self.files().iter().filter(|file| file.ends_with(".ftb")) {
            Table::open(self.path(file)).and_then(|table| table.check()).expect(file);
        }
    }
}

impl Ran {
    /// What a command printed that did what it was asked.
    pub fn well(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The one sentence of a command that failed, which printed nothing else.
    pub fn sentence(&self) -> &str {
        let Ran { stdout, stderr, code } = self;
        assert_eq!((stdout.as_str(), *code), ("", Some(1)), "{stderr}");
        let sentence = stderr.strip_prefix("error: ").expect(stderr).trim_end();
        assert!(!sentence.is_empty() && !sentence.contains('\n'), "{stderr}");
        sentence
    }
}

/// Reads JSON.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

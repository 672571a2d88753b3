//! What the pages of this repository tell their readers to type.

use std::{fs, path::Path};

use clap::error::ErrorKind;

use crate::{
    room::{Room, words},
    shipped,
};

const README: &str = include_str!("../../README.md");

/// The pages, and folders of pages, that commands stand on. What changed, and why something was
/// decided, may speak of commands that are no more.
const PAGES: [&str; 10] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "c/README.md",
    "docs",
    "docs/rules",
    "docs/stories",
    "python/README.md",
    "tools/README.md",
    "tools/cluster/README.md",
];

/// Each page by its name, with its text.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = Vec::new();
    for page in PAGES {
        let path = root.join(page);
        let files = if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            entries.map(|entry| entry.expect("an entry").path()).collect()
        } else {
            vec![path]
        };
        for file in files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "md")) {
            let text = fs::read_to_string(&file).expect("a page");
            pages.push((file.display().to_string(), text));
        }
    }
    pages
}

/// The fenced pieces of a page that are of some kind.
fn fenced<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let pieces = page.split("\n```").enumerate().filter(|(place, _)| place % 2 == 1);
    pieces.filter_map(|(_, piece)| piece.strip_prefix(&format!("{kind}\n"))).collect()
}

/// The commands in a piece for a shell, without what is said of them behind `#`.
fn lines(piece: &str) -> impl Iterator<Item = &str> {
    let commands = piece.lines().filter_map(|line| {
        line.trim_start_matches("$ ")
            .strip_prefix("finale ")
            .map(|command| command.split("  #").next().expect("a first part").trim_end())
    });
    commands.filter(|command| !command.contains(['|', '>']))
}

/// The commands on a page, within its text and in pieces for a shell.
fn commands(page: &str) -> Vec<&str> {
    let fences: Vec<&str> = page.split("\n```").collect();
    let text = fences.iter().step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    let within = text.filter_map(|code| code.strip_prefix("finale "));
    let pieces = ["sh", "console"].into_iter().flat_map(|kind| fenced(page, kind));
    within.chain(pieces.flat_map(lines)).filter(|command| !command.starts_with('=')).collect()
}

/// What stands for something else in a command, with an example of that.
const STAND_INS: [(&str, &str); 9] = [
    ("GAME", "orthodox"),
    ("NAME", "orthodox"),
    ("MATERIAL", "KRvK"),
    ("FEN", "8/8/8/8/8/8/8/8"),
    ("QUERY", "wins"),
    ("DEPTH", "1"),
    ("COMMAND", "probe"),
    ("--help", ""),
    ("…", ""),
];

#[test]
fn commands_on_pages_are_commands() {
    let mut met = 0;
    for (page, text) in pages() {
        for command in commands(&text) {
            let mut typed: Vec<&str> = words(command);
            // A game of a file is none here.
            if typed.contains(&"--variants") && typed[0] != "check" {
                typed[1] = "GAME";
            }
            let given = typed.into_iter().map(|word| {
                let word = word.trim_matches(['[', ']', '…']);
                STAND_INS.iter().find(|(name, _)| *name == word).map_or(word, |(_, given)| given)
            });
            let given: Vec<&str> = given.filter(|word| !word.is_empty()).collect();
            let Err(error) =
                finale::cli::command().try_get_matches_from(["finale"].iter().chain(&given))
            else {
                met += 1;
                continue;
            };
            // A page can name a command, or an option of it, without all that it takes.
            let is_named = matches!(
                error.kind(),
                ErrorKind::MissingRequiredArgument
                    | ErrorKind::MissingSubcommand
                    | ErrorKind::DisplayHelp
                    | ErrorKind::DisplayVersion
                    | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            );
            assert!(is_named, "{page}: finale {command}\n{error}");
        }
    }
    assert!(met > 50, "{met}");
}

/// The commands of the README's table that asks which door is one's own.
fn doors() -> Vec<Vec<&'static str>> {
    let rows = README.lines().filter_map(|line| line.strip_prefix("| "));
    let commands = rows.filter_map(|row| row.split(" | ").nth(1)?.strip_prefix("`finale "));
    commands.filter_map(|command| Some(words(command.strip_suffix('`')?))).collect()
}

#[test]
fn the_doors_that_the_readme_shows_open() {
    let room = Room::new();
    shipped::copy(&["orthodox"], &room.path("tables"));
    fs::write(room.path("my.ini"), own_game()).expect("room for a file");
    // A server goes on until somebody stops it; its tests are elsewhere.
    let (servers, doors): (Vec<_>, Vec<_>) = doors().into_iter().partition(|d| d[0] == "serve");
    assert_eq!((servers.len(), doors.len()), (2, 5));
    for door in doors {
        let ran = room.run_words(door.clone());
        assert!(ran.code == Some(0) && !ran.stdout.contains("error"), "{door:?}: {}", ran.stderr);
    }
}

/// The file that the page about games of one's own begins with.
fn own_game() -> &'static str {
    fenced(include_str!("../../docs/variants.md"), "ini")[0]
}

/// What a page tells its reader to do with a file of variants, in the order of the page.
#[test]
fn a_game_from_a_file_step_by_step() {
    let room = Room::new();
    let page = include_str!("../../docs/variants.md");
    fs::write(room.path("my.ini"), own_game()).expect("room for a file");
    let commands: Vec<&str> = fenced(page, "sh").into_iter().flat_map(lines).collect();
    assert!(commands.len() >= 4);
    for command in commands {
        let printed = room.run_words(words(command)).well();
        assert!(!printed.is_empty() || command.starts_with("build"), "{command}");
    }
}

/// Whether a program printed what a page shows, in which a line of `…` stands for any lines.
fn shows(page: &str, printed: &str) -> bool {
    // A fenced piece ends without its last line break.
    let mut rest = printed.trim_end_matches('\n');
    page.split("  …\n").enumerate().all(|(place, part)| {
        let Some(at) = rest.find(part).filter(|at| place > 0 || *at == 0) else { return false };
        rest = &rest[at + part.len()..];
        true
    }) && rest.is_empty()
}

/// Holds the example on the page of commands, whose table is there, against what is printed.
pub fn compare_example(room: &Room) {
    let page = include_str!("../../docs/commands.md");
    let example = fenced(page, "console")[0].strip_prefix("$ finale ").expect("a command");
    let (command, answer) = example.split_once('\n').expect("an answer");
    let printed = room.run_words(words(command)).well();
    assert!(shows(answer, &printed), "{command}\n{printed}");
    assert!(!shows(answer.split_once('\n').expect("lines").1, &printed));
}

/// The figure of the README is made of numbers that the stories of its games tell.
#[test]
fn the_figure_of_the_readme_is_told_by_stories() {
    let stories = include_str!("../../docs/stories/kbnvk.md");
    let (_, figure) = README.split_once("under eight rules\n").expect("a figure");
    let (figure, _) = figure.split_once("\n## ").expect("its end");
    let rows: Vec<&str> = figure.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let words: Vec<&str> =
            row.split([' ', ';']).map(|word| word.trim_end_matches(',')).collect();
        let mut numbers = 0;
        for (at, word) in words.iter().enumerate() {
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                let told = match words[at + 1] {
                    "moves" => format!(" {word} moves "),
                    _ if word.ends_with('%') => format!("({word})"),
                    _ => format!(" {word} "),
                };
                assert!(stories.contains(&told), "{told} of {row}");
                numbers += 1;
            }
        }
        assert!(numbers > 0, "{row}");
    }
}

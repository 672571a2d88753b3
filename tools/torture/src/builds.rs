//! Builds that are killed, stopped, or run side by side: a table is complete or not there.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use anyhow::Context;
use fastrand::Rng;
use finale::table::Table;

use crate::{Outcomes, Round};

/// Builds of a few milliseconds, each with what the repository has of it.
const BUILDS: [(&str, &str); 5] = [
    ("orthodox", "KvK"),
    ("orthodox", "KQvK"),
    ("stylish", "KvK"),
    ("noro", "KvR"),
    ("orphic", "K[Q]vK"),
];

/// A build in a folder of tables.
fn build(round: &Round, folder: &Path, [game, material]: [&str; 2]) -> anyhow::Result<Child> {
    let mut command = Command::new(&round.args.finale);
    command.args(["build", game, material, "--level", "1", "--tables"]).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().with_context(|| format!("cannot run {}", round.args.finale.display()))
}

/// Every table in a folder with its bytes, all of them complete; and how many other files there
/// are.
pub fn tables(folder: &Path) -> anyhow::Result<(Vec<(String, Vec<u8>)>, usize)> {
    let (mut tables, mut others) = (Vec::new(), 0);
    for game in fs::read_dir(folder)? {
        let game = game?.path();
        if !game.is_dir() {
            others += 1;
            continue;
        }
        for file in fs::read_dir(game)? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "ftb") {
                Table::open(&path).and_then(|table| table.check()).expect("a complete table");
                tables.push((path.display().to_string(), fs::read(&path)?));
            } else {
                others += 1;
            }
        }
    }
    tables.sort();
    Ok((tables, others))
}

/// Kills a build at some moment, and builds again.
pub fn kill(round: &Round, rng: &mut Rng) -> Outcomes {
    let folder = tempfile::tempdir()?;
    let (game, material) = *rng.choice(&BUILDS).expect("some");
    let mut outcomes = Vec::new();
    let mut killed = build(round, folder.path(), [game, material])?;
    // More often early, as builds are short.
    let within = 1 << rng.u32(8..16);
    thread::sleep(Duration::from_micros(rng.u64(..within)));
    let signal = *rng.choice(&["KILL", "KILL", "INT", "TERM"]).expect("some");
    if signal == "KILL" {
        killed.kill()?;
    } else {
        Command::new("kill").args(["-s", signal, &killed.id().to_string()]).status()?;
    }
    let status = killed.wait()?;
    use std::os::unix::process::ExitStatusExt;
    outcomes.push((
        match (status.code(), status.signal()) {
            (Some(0), _) => "done before the signal",
            (Some(130 | 143), _) => "stopped by a signal",
            // Before the program listens to them, they end it.
            (None, Some(2 | 15)) => "stopped at the start",
            (None, Some(9)) => "killed",
            other => panic!("a build ended with {other:?}"),
        },
        1,
    ));
    let (_, others) = tables(folder.path())?;
    let stopped = matches!(status.code(), Some(130 | 143));
    assert!(!stopped || others == 0, "a stopped build leaves nothing");
    outcomes.push(("temporary files left by kills", others as u64));
    // A dozen of the rounds would do to see that builds go on; the others save time.
    if rng.u32(..16) == 0 {
        assert!(build(round, folder.path(), [game, material])?.wait()?.success());
        let (tables, others) = tables(folder.path())?;
        assert!(!tables.is_empty() && others == 0, "the next build clears up");
        outcomes.push(("builds that went on", 1));
    }
    Ok(outcomes)
}

/// Builds tables in several processes in one folder.
pub fn side_by_side(round: &Round, rng: &mut Rng) -> Outcomes {
    let folder = tempfile::tempdir()?;
    let (game, material) = *rng.choice(&BUILDS).expect("some");
    let mut builds = Vec::new();
    for _ in 0..rng.u32(2..5) {
        builds.push(build(round, folder.path(), [game, material])?);
        let within = 1 << rng.u32(4..13);
        thread::sleep(Duration::from_micros(rng.u64(..within)));
    }
    let count = builds.len() as u64;
    for mut build in builds {
        assert!(build.wait()?.success(), "a build beside others failed");
    }
    let (together, others) = tables(folder.path())?;
    assert_eq!(others, 0, "they leave nothing but tables");
    let alone = tempfile::tempdir()?;
    if rng.u32(..16) == 0 {
        assert!(build(round, alone.path(), [game, material])?.wait()?.success());
        let bytes = |tables: Vec<(String, Vec<u8>)>| -> Vec<Vec<u8>> {
            tables.into_iter().map(|(_, bytes)| bytes).collect()
        };
        assert!(bytes(together) == bytes(tables(alone.path())?.0), "the same tables as alone");
        return Ok(vec![("builds", count), ("folders compared with a build alone", 1)]);
    }
    Ok(vec![("builds", count)])
}

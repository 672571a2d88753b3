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

/// Builds of a few milliseconds, the last six in parts and somewhat longer.
const BUILDS: [&str; 12] = [
    "orthodox KvK",
    "orthodox KQvK",
    "stylish KvK",
    "noro KvR",
    "orphic K[Q]vK",
    "orthodox KQvK --contents result",
    "noro KvP --part-size 100",
    "noro KvKP --part-size 20000",
    "high KvKP --part-size 20000 --contents result",
    "orthodox KPvK --part-size 20000 --contents result",
    "stylish KPvK --part-size 20000 --contents result",
    "tiebraker KPvK --part-size 20000 --contents result",
];

/// Builds that write their tables a second time; two at once in a folder would take from each
/// other what they solve from.
const PACKED: [&str; 2] = ["orthodox KPvK --sides one", "noro KvR --sides one"];

/// A build in a folder of tables.
fn build(round: &Round, folder: &Path, what: &str) -> anyhow::Result<Child> {
    let mut command = Command::new(&round.args.finale);
    command.arg("build").args(what.split(' ')).args(["--level", "1", "--tables"]).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().with_context(|| format!("cannot run {}", round.args.finale.display()))
}

/// What is in a folder of tables.
pub struct Found {
    /// Every table with its bytes, all of them complete.
    pub tables: Vec<(String, Vec<u8>)>,
    /// How many folders of parts there are, all of them complete.
    pub in_parts: usize,
    /// How many other files there are.
    pub others: usize,
}

impl Found {
    /// The bytes of the tables, whatever the folder.
    fn bytes(self) -> Vec<Vec<u8>> {
        self.tables.into_iter().map(|(_, bytes)| bytes).collect()
    }
}

/// Looks at all that is in a folder of tables.
pub fn tables(folder: &Path) -> anyhow::Result<Found> {
    let (mut tables, mut in_parts, mut others) = (Vec::new(), 0, 0);
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
            } else if path.extension().is_some_and(|extension| extension == "parts") {
                in_parts += 1;
                others += beside_parts(&path)?;
            } else {
                others += 1;
            }
        }
    }
    tables.sort();
    Ok(Found { tables, in_parts, others })
}

/// How many files a folder of parts has that are neither parts, all of them complete, nor locks.
fn beside_parts(folder: &Path) -> anyhow::Result<usize> {
    let mut others = 0;
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("ftb") => {
                Table::open(&path).and_then(|table| table.check()).expect("a complete part");
            }
            Some("lock") => {}
            _ => others += 1,
        }
    }
    Ok(others)
}

/// Kills a build at some moment, and builds again.
pub fn kill(round: &Round, rng: &mut Rng) -> Outcomes {
    let folder = tempfile::tempdir()?;
    let what = *rng.choice(BUILDS.iter().chain(&PACKED).collect::<Vec<_>>()).expect("some");
    let mut outcomes = Vec::new();
    let mut killed = build(round, folder.path(), what)?;
    // More often early, as builds are short.
    let within = 1 << rng.u32(8..if what.contains("--part-size") { 20 } else { 16 });
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
    let Found { others, in_parts, .. } = tables(folder.path())?;
    let stopped = matches!(status.code(), Some(130 | 143));
    assert!(!stopped || others == 0, "a stopped build leaves nothing but tables and parts");
    outcomes.push(("temporary files left by kills", others as u64));
    outcomes.push(("folders of parts left", in_parts as u64));
    // A dozen of the rounds would do to see that builds go on; the others save time.
    if rng.u32(..16) == 0 {
        assert!(build(round, folder.path(), what)?.wait()?.success());
        let gone_on = tables(folder.path())?;
        assert!(!gone_on.tables.is_empty(), "the next build builds");
        assert!(gone_on.others + gone_on.in_parts == 0, "the next build clears up");
        if what.contains("--part-size") || PACKED.contains(&what) {
            let undisturbed = tempfile::tempdir()?;
            assert!(build(round, undisturbed.path(), what)?.wait()?.success());
            let expected = tables(undisturbed.path())?;
            assert!(gone_on.bytes() == expected.bytes(), "the same tables as undisturbed");
        }
        outcomes.push(("builds that went on", 1));
    }
    Ok(outcomes)
}

/// Builds tables in several processes in one folder.
pub fn side_by_side(round: &Round, rng: &mut Rng) -> Outcomes {
    let folder = tempfile::tempdir()?;
    let what = *rng.choice(&BUILDS).expect("some");
    let mut builds = Vec::new();
    for _ in 0..rng.u32(2..5) {
        builds.push(build(round, folder.path(), what)?);
        let within = 1 << rng.u32(4..13);
        thread::sleep(Duration::from_micros(rng.u64(..within)));
    }
    let count = builds.len() as u64;
    for mut build in builds {
        assert!(build.wait()?.success(), "a build beside others failed");
    }
    let together = tables(folder.path())?;
    assert_eq!(together.others + together.in_parts, 0, "they leave nothing but tables");
    let alone = tempfile::tempdir()?;
    if rng.u32(..16) == 0 {
        assert!(build(round, alone.path(), what)?.wait()?.success());
        let alone = tables(alone.path())?;
        assert!(together.bytes() == alone.bytes(), "the same tables as alone");
        return Ok(vec![("builds", count), ("folders compared with a build alone", 1)]);
    }
    Ok(vec![("builds", count)])
}

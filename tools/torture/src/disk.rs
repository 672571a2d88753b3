//! Full disks: a build fails with a sentence, and what it has finished is complete.

use std::process::Command;

use fastrand::Rng;

use crate::{
    Outcomes, Round,
    builds::{Found, tables},
};

pub fn round(round: &Round, rng: &mut Rng) -> Outcomes {
    let folder = tempfile::tempdir()?;
    // No file may be longer than so many blocks of 512 bytes: a table fails, or a scratch file.
    let most = 1 << rng.u32(1..8);
    let blocks = rng.u32(..most);
    let memory = rng.choice(["1K", "16K", "1G"]).expect("some");
    let material = rng.choice(["KvK", "KQvK", "KBvK"]).expect("some");
    let log = rng.choice(["", " 2>/dev/full"]).expect("two");
    let line = format!(
        "trap '' XFSZ; ulimit -f {blocks}; \
         exec \"$0\" build orthodox {material} --level 1 --memory {memory} --tables \"$1\"{log}"
    );
    let ran = Command::new("sh")
        .args(["-c", &line])
        .args([round.args.finale.as_os_str(), folder.path().as_os_str()])
        .output()?;
    let stderr = String::from_utf8(ran.stderr)?;
    let errors = stderr.lines().filter(|line| line.starts_with("error: ")).count();
    let Found { tables, others, .. } = tables(folder.path())?;
    assert_eq!(others, 0, "a failed build leaves nothing");
    match ran.status.code() {
        Some(0) => {
            assert!(!tables.is_empty());
            Ok(vec![("builds done", 1)])
        }
        Some(1) => {
            assert!(errors == 1 || !log.is_empty(), "{stderr}");
            Ok(vec![("builds that said why not", 1)])
        }
        code => panic!("a build ended with {code:?}: {stderr}"),
    }
}

//! Makes `include/finale.h` from the sources of the library for C; with `--check` it only says whether
//! that is what they say.

use std::{env, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_root_or_default(&folder);
    let builder = cbindgen::Builder::new().with_src(folder.join("src/lib.rs")).with_config(config);
    let mut made = Vec::new();
    builder.generate().expect("the sources have an interface").write(&mut made);
    let path = folder.join("include/finale.h");
    if env::args().nth(1).as_deref() != Some("--check") {
        fs::write(&path, made).expect("it can be written");
        return ExitCode::SUCCESS;
    }
    if fs::read(&path).is_ok_and(|there| there == made) {
        return ExitCode::SUCCESS;
    }
    eprintln!("c/include/finale.h is not what c/src/lib.rs says; run `cargo run -p finale-header`");
    ExitCode::FAILURE
}

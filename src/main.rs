//! The command line: see `finale --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    finale::cli::main()
}

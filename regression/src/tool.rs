//! The `costate` command, for tests that run it.

use std::path::PathBuf;
use std::process::Command;

/// The command, built like the test that asks, with the run-time library beside it.
///
/// # Panics
/// Where cargo can't build it.
pub fn tool() -> PathBuf {
    let exe = std::env::current_exe().expect("a test has a path");
    let folder = exe.ancestors().nth(2).expect("tests lie in target/<profile>/deps").to_path_buf();
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet"]);
    command.args(["--package", "costate-adjoint", "--package", "costate-runtime-lib"]);
    if folder.file_name().is_some_and(|n| n == "release") {
        command.arg("--release");
    }
    assert!(command.status().expect("cargo can be started").success(), "the tool can't be built");
    folder.join("costate")
}

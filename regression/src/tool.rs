//! The `costate` command and the run-time library, for tests that run them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The command, built like the test that asks, with the run-time library beside it.
///
/// # Panics
/// Where cargo can't build them.
pub fn tool() -> PathBuf {
    folder().join("costate")
}

/// Their folder. They are built first: tests alone build neither the command nor a static library.
///
/// # Panics
/// Where cargo can't build them.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let exe = std::env::current_exe().expect("a test has a path");
        // target/<profile>/deps/<test> or target/<profile>/<program>
        let outside = exe.ancestors().skip(1).find(|a| a.file_name().is_some_and(|n| n != "deps"));
        let folder = outside.expect("tests lie in target/<profile>/deps").to_path_buf();
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet"]);
        command.args(["--package", "costate-adjoint", "--package", "costate-runtime-lib"]);
        if folder.file_name().is_some_and(|n| n == "release") {
            command.arg("--release");
        }
        let status = command.status().expect("cargo can be started");
        assert!(status.success(), "the command and the run-time library can't be built");
        assert!(folder.join("libcostate_rt.a").exists(), "no run-time library in {}", folder.display());
        folder
    })
}

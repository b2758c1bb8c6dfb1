//! The Fortran compiler and the run-time library that generated code is linked with.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The compiler: `FC`, or gfortran.
pub fn compiler() -> String {
    std::env::var("FC").ok().filter(|f| !f.is_empty()).unwrap_or_else(|| "gfortran".to_string())
}

/// The text of the Fortran interface of the run-time library.
pub fn runtime_interface() -> String {
    costate_adjoint::runtime::FILES.map(|(_, text)| text).concat()
}

/// Flags that link the run-time library. It is built first: tests alone don't build a static library.
///
/// # Panics
/// Where cargo can't build it.
pub fn runtime_flags() -> Vec<String> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let exe = std::env::current_exe().expect("a test has a path");
        // target/<profile>/deps/<test> or target/<profile>/<program>
        let outside = exe.ancestors().skip(1).find(|a| a.file_name().is_some_and(|n| n != "deps"));
        let folder = outside.expect("tests lie in target/<profile>/deps").to_path_buf();
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet", "--package", "costate-runtime-lib"]);
        if folder.file_name().is_some_and(|n| n == "release") {
            command.arg("--release");
        }
        let status = command.status().expect("cargo can be started");
        assert!(status.success(), "the run-time library can't be built");
        assert!(folder.join("libcostate_rt.a").exists(), "no run-time library in {}", folder.display());
        folder
    });
    let mut flags = vec![format!("-L{}", folder.display()), "-lcostate_rt".to_string()];
    flags.extend(["-lpthread", "-ldl", "-lm"].map(str::to_string));
    flags
}

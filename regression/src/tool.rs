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

/// The folder of the run-time library as a shared object: linked with the archive, each of a thousand small programs would
/// take in the same code again, which takes the linker longer than all else.
///
/// # Panics
/// Where it can't be built.
pub fn shared_runtime() -> &'static Path {
    static SHARED: OnceLock<PathBuf> = OnceLock::new();
    SHARED.get_or_init(|| {
        let archive = folder().join("libcostate_rt.a");
        let shared = folder().join("shared");
        std::fs::create_dir_all(&shared).expect("a folder can be made");
        // Other tests may be using the one from before.
        let new = shared.join(format!("new_{}.so", std::process::id()));
        let mut command = Command::new("cc");
        command.args(["-shared", "-Wl,--strip-debug", "-Wl,--whole-archive"]).arg(archive);
        command.args(["-Wl,--no-whole-archive", "-lpthread", "-ldl", "-lm", "-o"]).arg(&new);
        assert!(command.status().expect("cc can be started").success(), "no shared object of the run-time library");
        std::fs::rename(&new, shared.join("libcostate_rt.so")).expect("a file can be renamed");
        shared
    })
}

/// The archive of the run-time library for the MPI of a compiler.
///
/// # Panics
/// Where it isn't built.
pub fn messages(fc: &str) -> PathBuf {
    let name = costate_adjoint::verify::mpi_flavour(fc);
    let archive = folder().join("mpi").join(name).join("libcostate_rt_mpi.a");
    assert!(archive.exists(), "no run-time library for {fc}: `make runtime-mpi MPIFC={fc} MPI={name}`");
    archive
}

/// Commands that compile programs for each MPI that is there; the one without a name of its own only where there is no other.
pub fn mpi_compilers() -> Vec<&'static str> {
    let runs = |fc: &str| Command::new(fc).arg("--version").output().is_ok_and(|o| o.status.success());
    let mut found: Vec<&str> = ["mpif90.openmpi", "mpif90.mpich", "mpif90"].into_iter().filter(|fc| runs(fc)).collect();
    if found.len() > 1 {
        found.retain(|fc| *fc != "mpif90");
    }
    found
}

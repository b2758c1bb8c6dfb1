//! `costate config`.

use std::path::PathBuf;

use crate::cli::ConfigArgs;
use crate::{Session, Status};

/// System libraries that the run-time library needs.
const SYSTEM_LIBS: &str = "-lpthread -ldl -lm";

/// The folder of the executable.
fn executable_folder() -> PathBuf {
    let exe = std::env::current_exe().and_then(|e| e.canonicalize()).unwrap_or_default();
    exe.parent().map(PathBuf::from).unwrap_or_default()
}

/// Where Costate is installed: `COSTATE_PREFIX`, or the folder above the executable's `bin`.
fn prefix() -> PathBuf {
    if let Some(prefix) = std::env::var_os("COSTATE_PREFIX") {
        return PathBuf::from(prefix);
    }
    let folder = executable_folder();
    match folder.parent() {
        Some(above) if folder.file_name().is_some_and(|n| n == "bin") => above.to_path_buf(),
        _ => folder,
    }
}

/// Flags to compile code that uses the run-time library's modules.
fn fflags() -> String {
    format!("-I{}", prefix().join("include").join("costate").display())
}

/// Flags to link it. In a build tree the library lies beside the executable.
pub(crate) fn flibs() -> String {
    let installed = prefix().join("lib");
    let beside = executable_folder();
    let library = |folder: &PathBuf| folder.join("libcostate_rt.a").exists();
    let folder = if !library(&installed) && library(&beside) { beside } else { installed };
    format!("-L{} -lcostate_rt {SYSTEM_LIBS}", folder.display())
}

pub(crate) fn run(args: &ConfigArgs, session: &Session) -> Status {
    let text = if args.version {
        format!("costate {}", env!("CARGO_PKG_VERSION"))
    } else if args.prefix {
        prefix().display().to_string()
    } else if args.fflags {
        fflags()
    } else {
        flibs()
    };
    session.messages.print(&format!("{text}\n"));
    Status::Done
}

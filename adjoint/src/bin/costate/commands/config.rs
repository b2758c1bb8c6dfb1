//! `costate config`.

use std::path::PathBuf;

use crate::cli::ConfigArgs;
use crate::{Session, Status};

/// System libraries that the run-time library needs.
const SYSTEM_LIBS: &str = "-lpthread -ldl -lm";

/// Where Costate is installed: `COSTATE_PREFIX`, or the folder above the executable's `bin`.
pub(crate) fn prefix() -> PathBuf {
    if let Some(prefix) = std::env::var_os("COSTATE_PREFIX") {
        return PathBuf::from(prefix);
    }
    let exe = std::env::current_exe().and_then(|e| e.canonicalize()).unwrap_or_default();
    let folder = exe.parent().map(PathBuf::from).unwrap_or_default();
    match folder.parent() {
        Some(above) if folder.file_name().is_some_and(|n| n == "bin") => above.to_path_buf(),
        _ => folder,
    }
}

/// Flags to compile code that uses the run-time library's modules.
pub(crate) fn fflags() -> String {
    format!("-I{}", prefix().join("include").join("costate").display())
}

/// Flags to link it. In a build tree the library lies beside the executable.
pub(crate) fn flibs() -> String {
    let lib = prefix().join("lib");
    let folder = if lib.join("libcostate_rt.a").exists() { lib } else { prefix() };
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

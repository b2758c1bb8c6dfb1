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

/// Where a file is installed, or in a build tree where it lies beside the executable.
fn folder_of(file: &str, installed: &str, beside: &str) -> PathBuf {
    let (installed, beside) = (prefix().join(installed), executable_folder().join(beside));
    if !installed.join(file).exists() && beside.join(file).exists() { beside } else { installed }
}

fn library_folder() -> PathBuf {
    folder_of("libcostate_rt.a", "lib", "")
}

/// Flags to compile code that uses the run-time library's modules.
fn fflags() -> String {
    format!("-I{}", folder_of("costate_rt.f90", "include/costate", "include/costate").display())
}

/// Flags to link the run-time library, without its Fortran half.
pub(crate) fn runtime_flags() -> String {
    format!("-L{} -lcostate_rt {SYSTEM_LIBS}", library_folder().display())
}

/// Flags to link it.
fn flibs() -> String {
    let folder = library_folder();
    let fortran = if folder.join("libcostate_rt_fortran.a").exists() { "-lcostate_rt_fortran " } else { "" };
    format!("-L{} {fortran}-lcostate_rt {SYSTEM_LIBS}", folder.display())
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

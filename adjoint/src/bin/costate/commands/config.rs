//! `costate config`.

use std::path::PathBuf;

use costate_grammar::diag::{Code, Diagnostic};

use crate::cli::ConfigArgs;
use crate::front::refuse;
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

/// The same with the module for an MPI.
fn mpi_fflags(flavour: &str) -> String {
    let folder = mpi_archive(flavour).with_file_name("include").join("costate");
    format!("{} -I{}", fflags(), folder.display())
}

/// Flags to compile code that uses the run-time library's modules.
fn fflags() -> String {
    format!("-I{}", folder_of("costate_rt.f90", "include/costate", "include/costate").display())
}

/// Flags to link the run-time library, without its Fortran half.
pub(crate) fn runtime_flags() -> String {
    format!("-L{} -lcostate_rt {SYSTEM_LIBS}", library_folder().display())
}

/// The archive for programs of several processes, with one of the MPIs: `default` stands for that of `mpif90`.
fn mpi_archive(flavour: &str) -> PathBuf {
    // The linker runs in another folder.
    let folder = std::env::var_os("COSTATE_MPI_LIB").map(|f| std::path::absolute(&f).unwrap_or_else(|_| f.into()));
    folder.unwrap_or_else(|| library_folder().join("mpi").join(flavour)).join("libcostate_rt_mpi.a")
}

/// Flags to link it in the place of the run-time library, without the Fortran half; the archive where it isn't there.
pub(crate) fn mpi_runtime_flags(flavour: &str) -> Result<String, PathBuf> {
    let archive = mpi_archive(flavour);
    let folder = archive.parent().map(|f| f.display().to_string()).unwrap_or_default();
    if archive.exists() { Ok(format!("-L{folder} -lcostate_rt_mpi {SYSTEM_LIBS}")) } else { Err(archive) }
}

/// What to do where the archive of an MPI isn't there: others may be.
pub(crate) fn way_to_mpi() -> String {
    let build = "`make runtime-mpi` builds it; COSTATE_MPI_LIB names a folder that holds another";
    let there = ["openmpi", "mpich"].into_iter().filter(|flavour| mpi_archive(flavour).exists());
    let named: Vec<String> = there.map(|flavour| format!("`--mpi={flavour}`")).collect();
    if named.is_empty() {
        build.to_string()
    } else {
        format!("{} names one that is there; {build}", named.join(" or "))
    }
}

/// Flags to link it.
fn flibs() -> String {
    let folder = library_folder();
    let fortran = if folder.join("libcostate_rt_fortran.a").exists() { "-lcostate_rt_fortran " } else { "" };
    format!("-L{} {fortran}-lcostate_rt {SYSTEM_LIBS}", folder.display())
}

/// The same for programs of several processes.
fn mpi_flibs(flavour: &str) -> Result<String, Box<Diagnostic>> {
    let flags = mpi_runtime_flags(flavour).map_err(|missing| {
        let message = format!("the run-time library for MPI isn't there: `{}`", missing.display());
        Box::new(Diagnostic::global(Code::Configuration, message).help(way_to_mpi()))
    })?;
    let folder = library_folder();
    let fortran = folder.join("libcostate_rt_fortran.a").exists();
    Ok(if fortran { format!("-L{} -lcostate_rt_fortran {flags}", folder.display()) } else { flags })
}

pub(crate) fn run(args: &ConfigArgs, session: &mut Session) -> Status {
    let (args, mpi) = (&args.what, args.mpi.as_deref());
    let asked = mpi.filter(|_| args.flibs || args.fflags).map(mpi_flibs).transpose();
    let mpi_flibs = match asked {
        Ok(flags) => flags,
        // Modules are where the archive is.
        Err(d) => return refuse(session, &[*d]),
    };
    let text = if args.version {
        format!("costate {}", env!("CARGO_PKG_VERSION"))
    } else if args.prefix {
        prefix().display().to_string()
    } else if args.fflags {
        mpi.map_or_else(fflags, mpi_fflags)
    } else {
        mpi_flibs.unwrap_or_else(flibs)
    };
    session.messages.print(&format!("{text}\n"));
    Status::Done
}

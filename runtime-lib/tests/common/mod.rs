//! Fortran programs that use the library as a user's program does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The files of the interface in the order in which they are compiled.
const INTERFACE: [&str; 7] = [
    "costate_rt_tape.f90",
    "costate_rt_push.f90",
    "costate_rt_pop.f90",
    "costate_rt_schedule.f90",
    "costate_rt_verify.f90",
    "costate_rt.f90",
    "costate_rt_quad.f90",
];

/// The compiler, which `FC` overrides as in any build system.
fn compiler() -> OsString {
    env::var_os("FC").unwrap_or_else(|| "gfortran".into())
}

/// The static library of this build. Cargo leaves it beside the test, with a hash in its name.
pub(crate) fn library() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let folder = test.parent().expect("its folder");
    fs::read_dir(folder)
        .expect("the folder of the test")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libcostate_rt") && name.ends_with(".a")
        })
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("libcostate_rt.a beside the test")
}

/// Compiles the interface and a test program without warnings, in a folder of its own.
pub(crate) fn program(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the build");
    let output = Command::new(compiler())
        .current_dir(&folder)
        .args(["-std=f2018", "-Wall", "-Wextra", "-Wno-compare-reals", "-Werror"])
        .args(flags)
        .args(INTERFACE.map(|file| here.join("fortran").join(file)))
        .arg(here.join("tests/fortran").join(source))
        .arg(library())
        .args(["-lpthread", "-ldl", "-o", "program"])
        .output()
        .expect("a Fortran compiler; set FC to use another one");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("program")
}

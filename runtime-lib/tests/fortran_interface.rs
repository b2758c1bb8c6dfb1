//! The Fortran interface as a user meets it: compiled by the user's compiler, linked with the static library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The files of the interface in the order in which they are compiled.
const INTERFACE: [&str; 6] = [
    "costate_rt_tape.f90",
    "costate_rt_push.f90",
    "costate_rt_pop.f90",
    "costate_rt_schedule.f90",
    "costate_rt.f90",
    "costate_rt_quad.f90",
];

/// The compiler, which `FC` overrides as in any build system.
fn compiler() -> OsString {
    env::var_os("FC").unwrap_or_else(|| "gfortran".into())
}

/// The static library of this build. Cargo leaves it beside the test, with a hash in its name.
fn library() -> PathBuf {
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

/// Compiles the interface and the test program without warnings, in a folder of its own.
fn program(name: &str, flags: &[&str]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the build");
    let output = Command::new(compiler())
        .current_dir(&folder)
        .args(["-std=f2018", "-Wall", "-Wextra", "-Wno-compare-reals", "-Werror"])
        .args(flags)
        .args(INTERFACE.map(|file| here.join("fortran").join(file)))
        .arg(here.join("tests/fortran/tape_test.f90"))
        .arg(library())
        .args(["-lpthread", "-ldl", "-o", "tape_test"])
        .output()
        .expect("a Fortran compiler; set FC to use another one");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("tape_test")
}

fn passes(program: &Path, case: &str) {
    let output = Command::new(program).arg(case).output().expect("the test program");
    assert!(output.status.success(), "{case}: {output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n", "{case}");
}

fn fails(output: &Output, status: i32, message: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{errors}");
    assert!(errors.contains(message), "{errors}");
    assert!(output.stdout.is_empty());
}

#[test]
fn values_come_back() {
    let program = program("optimised", &["-O2", "-fopenmp"]);
    for case in ["mixed", "ranks", "large", "recursion", "threads"] {
        passes(&program, case);
    }
}

#[test]
fn values_come_back_with_every_check_of_the_compiler() {
    let program = program("checked", &["-O0", "-g", "-fcheck=all"]);
    for case in ["mixed", "ranks", "large", "recursion"] {
        passes(&program, case);
    }
}

#[test]
fn failures_are_clear() {
    let program = program("failing", &["-O1"]);
    let run = |case: &str| Command::new(&program).arg(case).output().expect("the test program");
    fails(&run("pop-empty"), 70, "1 words were popped from an empty tape");
    fails(&run("pop-other"), 70, "3 words were popped from a tape where 1 were pushed last");
    fails(&run("release-full"), 70, "a tape was released with 2 words on it");
    let limited = Command::new("sh")
        .args(["-c", r#"ulimit -v 200000 && exec "$0" no-memory"#])
        .arg(&program)
        .output()
        .expect("a shell");
    fails(&limited, 1, "out of memory: a tape asked for 8.0 MiB (8388608) more; it holds ");
}

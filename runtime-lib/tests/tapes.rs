//! Tapes as a user meets them: compiled by the user's compiler, linked with the static library.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::program;

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
    let program = program("tape_test.f90", "optimised", &["-O2", "-fopenmp"]);
    for case in ["mixed", "ranks", "texts", "large", "recursion", "threads"] {
        passes(&program, case);
    }
}

#[test]
fn values_come_back_with_every_check_of_the_compiler() {
    let program = program("tape_test.f90", "checked", &["-O0", "-g", "-fcheck=all"]);
    for case in ["mixed", "ranks", "texts", "large", "recursion"] {
        passes(&program, case);
    }
}

#[test]
fn failures_are_clear() {
    let program = program("tape_test.f90", "failing", &["-O1"]);
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

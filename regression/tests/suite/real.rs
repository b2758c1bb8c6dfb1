//! Fortran that nobody here wrote: `real/hydro_smash.py` downloads a package by name and verifies its operators.
//!
//! Each head is verified in double or in single precision, by turns, or in both where `COSTATE_EVERY` is set.
//!
//! Without network, and without the package in `COSTATE_REAL_DIR` (default `target/real`), nothing can be verified: that
//! is said on standard error, past the capture of test output. Where `CI` is set it is a failure.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use costate_regression::tool::tool;

/// The script's status when the package can't be had.
const NOT_TO_BE_HAD: i32 = 75;

#[test]
fn operators_of_hydro_smash_are_right_or_refused() {
    let tool = tool();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cache = std::env::var_os("COSTATE_REAL_DIR").map_or_else(|| folder.join("../target/real"), PathBuf::from);
    let every = std::env::var_os("COSTATE_EVERY").is_some();
    let output = Command::new("python3")
        .arg("-B")
        .arg(folder.join("real/hydro_smash.py"))
        .arg("--costate")
        .arg(&tool)
        .arg("--cache")
        .arg(&cache)
        .args(if every { &[][..] } else { &["--turns"] })
        .output()
        .expect("python3 can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(NOT_TO_BE_HAD) && std::env::var_os("CI").is_none() {
        let written = writeln!(std::io::stderr(), "\noperators_of_hydro_smash_are_right_or_refused: {}", text.trim());
        assert!(written.is_ok());
        return;
    }
    assert!(output.status.success(), "{text}");
    // A table that lost its rows must not pass.
    let right = text.lines().filter(|l| l.contains("  right ")).count();
    let least = if every { 2 * RIGHT } else { RIGHT };
    assert!(right >= least, "{right} procedures are right, of at least {least}\n{text}");
    println!("{text}");
}

/// Programs with constructs that were met in real code: head, options, and the status that the check must end with.
const CONSTRUCTS: &[(&str, &str, &[&str], i32)] = &[
    ("do_while_counter.f90", "m::f(y)/(x)", &[], 0),
    ("start_exclude.f90", "m::f(y)/(x,y)", &["--size=log%mask=8", "--size=log%place=8", "--size=log%fluxes=8,3"], 0),
    ("start_exclude_active.f90", "m::f(y)/(x)", &[], 3),
];

#[test]
fn constructs_of_real_code_are_right_or_refused() {
    let tool = tool();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("real/constructs");
    for (file, head, options, status) in CONSTRUCTS {
        let mut command = Command::new(&tool);
        command.arg("check").arg(folder.join(file)).args(["--head", head, "--size", "n=8"]).args(*options);
        command.args(["--fc", &std::env::var("FC").unwrap_or_else(|_| "gfortran".to_string())]);
        let output = command.output().expect("the tool can be started");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*status), "{file}: {text}");
        if *status == 3 {
            assert!(text.contains(&format!("{file}:12:7")) && text.contains("reason:"), "{file}: {text}");
        }
    }
}

/// How many rows of the table say `right` where each head has one.
const RIGHT: usize = 48;

//! The programs of the benchmarks' table of plans have right derivatives: `bench --plans` compares plans with each other and
//! with a tangent, this compares with differences of the primal.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_regression::{fortran, tool};
use rayon::prelude::*;

/// So many programs are in the table.
const PROGRAMS: usize = 10;

/// What stands behind a word in the comments of a program.
fn told<'a>(text: &'a str, word: &str) -> &'a str {
    let found = text.lines().find_map(|l| l.strip_prefix("! ")?.strip_prefix(word)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("no `! {word}: `"))
}

fn check(folder: &Path) {
    let file = folder.join("kernel.f90");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut command = Command::new(tool::tool());
    command.arg("check").arg(&file).args(["--fc", &fortran::compiler(), "--head", told(&text, "head")]);
    for size in told(&text, "size").split_whitespace() {
        command.args(["--size", size]);
    }
    let told = fortran::output(&mut command);
    assert!(told.contains("all derivatives are right"), "{}: {told}", file.display());
}

#[test]
fn programs_of_the_table_of_plans_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/plans");
    let entries = std::fs::read_dir(&folder).expect("the programs are there");
    let folders: Vec<PathBuf> = entries.map(|e| e.expect("a folder can be read").path()).collect();
    assert_eq!(folders.len(), PROGRAMS);
    folders.par_iter().for_each(|f| check(f));
}

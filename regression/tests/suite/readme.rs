//! README shows what comes out.

use std::path::Path;
use std::process::Command;

use costate_regression::tool::tool;

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(path).expect("README can be read")
}

/// The blocks of Fortran, in order.
fn blocks(text: &str) -> Vec<&str> {
    text.split("```fortran\n").skip(1).filter_map(|b| b.split("```").next()).collect()
}

/// The arguments of the first command line that begins so.
fn command<'t>(text: &'t str, begins: &str) -> Vec<&'t str> {
    let line =
        text.lines().find_map(|l| l.strip_prefix("    ")?.strip_prefix(begins)).expect("README shows the command");
    line.split_whitespace().map(|w| w.trim_matches('\'')).collect()
}

/// The module of the first example gives what is printed below it; `...` stands for its declarations.
#[test]
fn the_first_example_is_what_comes_out() {
    let text = readme();
    let blocks = blocks(&text);
    let dir = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(dir.path().join("model.f90"), blocks[0]).expect("a file can be written");
    let mut args = vec!["adjoint"];
    args.extend(command(&text, "costate adjoint "));
    let out = Command::new(tool()).args(&args).current_dir(dir.path()).output().expect("the command can be started");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    let made = std::fs::read_to_string(dir.path().join("model_b.f90")).expect("what it says is written");
    let (before, after) = blocks[1].split_once("    ...\n").expect("declarations are left out");
    assert!(made.contains(before) && made.contains(after), "README shows\n{}\nand there is\n{made}", blocks[1]);
    let out = Command::new(tool())
        .args(["check", "model.f90", "--head", "model::cost(j)/(u)"])
        .current_dir(dir.path())
        .output()
        .expect("the command can be started");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        text.contains("    model::cost(j)/(u): right\n") && said.starts_with("model::cost(j)/(u): right\n"),
        "{said}"
    );
}

/// Every procedure of BLAS and LAPACK that has derivatives is in the README's table.
#[test]
fn procedures_of_libraries_are_listed() {
    let text = readme();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../analysis/src/externals");
    for table in ["blas.toml", "lapack.toml"] {
        let rows = std::fs::read_to_string(folder.join(table)).expect("the table can be read");
        let names = rows.lines().filter_map(|l| l.strip_prefix("adjoint = \"costate_")?.strip_suffix("_b\""));
        let unlisted = |name: &&str| {
            let name = name.trim_start_matches('?');
            let own = name.strip_prefix("sc").or_else(|| name.strip_prefix("dz")).unwrap_or(name);
            ![name, own].iter().any(|n| text.contains(&format!("`{n}`")))
        };
        let missing: Vec<&str> = names.clone().filter(unlisted).collect();
        assert!(names.count() > 20 && missing.is_empty(), "{table}: not in the README: {missing:?}");
    }
}

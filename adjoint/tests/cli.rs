//! The command line as scripts see it: exit statuses, files, messages.

use std::path::Path;
use std::process::{Command, Output};

fn costate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_costate")).args(args).current_dir(folder).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const SQUARE: &str = "module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x**2
  end subroutine f
end module m
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// Names of the files in a folder.
fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn wrong_usage_exits_with_2() {
    let dir = folder(&[("s.f90", SQUARE)]);
    for args in [
        &["frobnicate"][..],
        &["tangent"],
        &["tangent", "s.f90"],
        &["adjoint", "s.f90", "--head", "m::f(y)"],
        &["adjoint", "s.f90", "--head", "f", "--form", "loose"],
        &["adjoint", "s.f90", "--head", "f", "--memory", "lots"],
        &["adjoint", "s.f90", "--head", "f", "--suffix-adjoint", "-b"],
        &["config"],
    ] {
        assert_eq!(code(&costate(dir.path(), args)), 2, "{args:?}");
    }
    assert_eq!(listing(dir.path()), ["s.f90"]);
}

#[test]
fn help_and_version_exit_with_0() {
    let dir = folder(&[]);
    assert_eq!(code(&costate(dir.path(), &["--help"])), 0);
    assert_eq!(code(&costate(dir.path(), &["--version"])), 0);
    let version = costate(dir.path(), &["config", "--version"]);
    assert_eq!(stdout(&version), format!("costate {}\n", env!("CARGO_PKG_VERSION")));
    assert!(stdout(&costate(dir.path(), &["config", "--fflags"])).starts_with("-I"));
    assert!(stdout(&costate(dir.path(), &["config", "--flibs"])).contains("-lcostate_rt"));
}

#[test]
fn an_unreadable_file_is_refused() {
    let dir = folder(&[]);
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f"]);
    assert_eq!(code(&out), 3);
    assert!(stderr(&out).starts_with("error[C0101]: "), "{}", stderr(&out));
}

#[test]
fn the_configuration_file_is_read_and_checked() {
    let dir = folder(&[("s.f90", SQUARE), ("costate.toml", "head = 'm::f(y'\n")]);
    let out = costate(dir.path(), &["tangent", "s.f90"]);
    assert_eq!(code(&out), 2);
    assert!(stderr(&out).contains("C0303"), "{}", stderr(&out));

    let dir = folder(&[("s.f90", SQUARE), ("costate.toml", "head = 'f'\nhaed = 'g'\n")]);
    let out = costate(dir.path(), &["tangent", "s.f90"]);
    assert_eq!(code(&out), 2);
    assert!(stderr(&out).contains("C0305") && stderr(&out).contains("costate.toml:2:1"), "{}", stderr(&out));
}

#[test]
fn messages_come_as_json_and_sarif() {
    let dir = folder(&[]);
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f", "--message-format", "json"]);
    let line: serde_json::Value = serde_json::from_str(&stdout(&out)).unwrap();
    assert_eq!((line["code"].as_str(), line["severity"].as_str()), (Some("C0101"), Some("error")));
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f", "--message-format", "sarif"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&out)).unwrap();
    assert_eq!(document["runs"][0]["results"][0]["ruleId"].as_str(), Some("C0101"));
    assert_eq!(code(&out), 3);
}

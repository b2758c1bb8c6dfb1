//! Dummy procedures of heads: their derivatives are passed beside them, and a driver that knows the procedures passes what is
//! generated of these.

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(folder).output().unwrap()
}

const MODEL: &str = include_str!("passed/model.f90");
const DRIVER: &str = include_str!("passed/driver.f90");

#[test]
fn derivatives_of_dummy_procedures_are_passed() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    std::fs::write(at.join("m.f90"), MODEL).unwrap();
    std::fs::write(at.join("driver.f90"), DRIVER).unwrap();
    for mode in ["tangent", "adjoint"] {
        let heads = ["m::f(y)/(x)", "m::sq(sq)/(a)", "m::scaled(r)/(a, r)", "m::pr(pr)/(a, b)"];
        let heads: Vec<&str> = heads.iter().flat_map(|h| ["--head", h]).collect();
        let made = run(at, env!("CARGO_BIN_EXE_costate"), &[&[mode, "m.f90", "--check-forms"][..], &heads].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let text = std::fs::read_to_string(at.join("m_b.f90")).unwrap();
    for call in ["call step_b(g, g_b, x(2), x_b(2), y(i), y_b(i))", "p_b: adjoint of the procedure that is passed as p"]
    {
        assert!(text.contains(call), "{call} isn't in\n{text}");
    }
    let fc = std::env::var("FC").unwrap_or_else(|_| "gfortran".into());
    for flags in [&["-O0", "-fcheck=all", "-finit-real=snan", "-ffpe-trap=invalid"][..], &["-O3", "-march=native"]] {
        let sources = ["m.f90", "m_d.f90", "m_b.f90", "driver.f90", "-o", "program"];
        let compiled = run(at, &fc, &[flags, &sources].concat());
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = run(at, "./program", &[]);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            ran.status.success() && said.trim() == "right",
            "{flags:?}: {said}{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
}

#[test]
fn no_driver_knows_what_to_pass() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.f90"), MODEL).unwrap();
    let out = run(dir.path(), env!("CARGO_BIN_EXE_costate"), &["check", "m.f90", "--head", "m::f(y)/(x)"]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        out.status.code() == Some(3) && said.contains("C0503") && said.contains("`p` of `f` is a procedure"),
        "{said}"
    );
}

//! Procedures without source that a table declares, as users have them: a library with derivatives by hand.

use std::path::Path;
use std::process::{Command, Output};

fn costate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_costate")).args(args).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TABLE: &str = include_str!("externals/externals.toml");
const MODEL: &str = include_str!("externals/model.f90");
const LIBRARY: &str = include_str!("externals/library.f90");
const HEAD: &str = "model::run(y)/(x)";

/// A folder with a model and a table.
fn folder(model: &str, table: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.f90"), model).unwrap();
    std::fs::write(dir.path().join("externals.toml"), table).unwrap();
    dir
}

#[test]
fn derivatives_by_hand_are_called() {
    let dir = folder(MODEL, TABLE);
    let at = dir.path();
    std::fs::write(at.join("library.f90"), LIBRARY).unwrap();
    let fc = std::env::var("FC").unwrap_or_else(|_| "gfortran".into());
    let compiled = Command::new(fc).args(["-O2", "-c", "library.f90"]).current_dir(at).status().unwrap();
    assert!(compiled.success());
    let include = format!("-I{}", at.display());
    let object = at.join("library.o").display().to_string();
    for calls in ["joint", "split"] {
        let options = ["--head", HEAD, "--size", "n=5", "--calls", calls, "--check-forms"];
        let flags = ["--fflags", include.as_str(), "--ldflags", object.as_str()];
        let out = costate(at, &[&["check", "model.f90"], &options[..], &flags].concat());
        assert!(out.status.success(), "{}{}", String::from_utf8_lossy(&out.stdout), stderr(&out));
    }
    let out = costate(at, &["adjoint", "model.f90", "--head", HEAD]);
    assert!(out.status.success(), "{}", stderr(&out));
    let text = std::fs::read_to_string(at.join("model_b.f90")).unwrap();
    for call in
        ["call smooth_b(n, 0.3d0, unused_b, u, u_b, v, v_b)", "call scale_by_b(n, 2d0, v, x_b=v_b)", "call log_state"]
    {
        assert!(text.contains(call), "{call} isn't in\n{text}");
    }
    assert!(!text.contains("clear_b") && !text.contains("log_state_b"), "{text}");
    // What make has to look at are files.
    let out = costate(at, &["adjoint", "model.f90", "--head", HEAD, "--depfile", "model.d"]);
    assert!(out.status.success(), "{}", stderr(&out));
    let rule = std::fs::read_to_string(at.join("model.d")).unwrap();
    assert!(rule.contains("externals.toml") && !rule.contains("declarations"), "{rule}");
    let out = costate(at, &["survey", "model.f90"]);
    assert!(out.status.success() && !String::from_utf8_lossy(&out.stdout).contains("smooth"), "{}", stderr(&out));
}

const BOTH_SIDES: &str = r#"
[[procedure]]
declaration = """
subroutine step(n, a, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), y(n)
end
"""
tangent = "step_d"
adjoint = "step_b"
after = ["y"]
"#;

#[test]
fn values_are_those_of_before_for_some_dummies_and_of_after_for_others() {
    let model = include_str!("externals/both_sides.f90");
    let dir = folder(model, BOTH_SIDES);
    let at = dir.path();
    std::fs::write(at.join("step.f90"), include_str!("externals/step.f90")).unwrap();
    let fc = std::env::var("FC").unwrap_or_else(|_| "gfortran".into());
    assert!(Command::new(fc).args(["-O2", "-c", "step.f90"]).current_dir(at).status().unwrap().success());
    let object = at.join("step.o").display().to_string();
    let flags = ["--head", HEAD, "--size", "n=3", "--check-forms", "--ldflags", object.as_str()];
    let out = costate(at, &[&["check", "model.f90"], &flags[..]].concat());
    assert!(out.status.success(), "{}{}", String::from_utf8_lossy(&out.stdout), stderr(&out));
    let dir = folder(&model.replace("step(n, b, a)", "step(1, a(1), a(2))"), BOTH_SIDES);
    let out = costate(dir.path(), &["adjoint", "model.f90", "--head", HEAD]);
    assert!(out.status.code() == Some(3) && stderr(&out).contains("values of one variable"), "{}", stderr(&out));
}

/// What is said of a table in which a piece of text is another one.
fn said(from: &str, to: &str) -> (Option<i32>, String) {
    assert!(TABLE.contains(from), "{from}");
    let dir = folder(MODEL, &TABLE.replacen(from, to, 1));
    let out = costate(dir.path(), &["adjoint", "model.f90", "--head", HEAD]);
    assert!(!dir.path().join("model_b.f90").exists());
    (out.status.code(), stderr(&out))
}

#[test]
fn what_is_wrong_with_a_row_is_told() {
    for (from, to, status, wanted) in [
        ("adjoint = \"smooth_b\"", "", 3, "the adjoint of `smooth` isn't given"),
        ("adjoint = \"smooth_b\"", "adjoint = \"smooth\"", 2, "`smooth` can't be the name of a derivative"),
        ("adjoint = \"smooth_b\"", "adjoint = \"call x\"", 2, "`call x` can't be the name"),
        ("inactive = true", "inactive = 3", 2, "true, false or a list of dummies"),
        ("inactive = [\"factor\"]", "inactive = [\"facter\"]", 2, "`facter` is no dummy of `scale_by`"),
        ("adjoint = \"smooth_b\"", "required = [\"x\"]", 2, "`required` without `behind`"),
        ("(n, w, x, y)\n", "(n, x, y)\n", 3, "this call doesn't fit the declaration of `smooth`"),
        ("real(8), intent(in) :: w, x(n)", "real(4), intent(in) :: w, x(n)", 3, "of another type or kind"),
        (
            "real(8), intent(in) :: w, x(n)",
            "real(8), intent(in) :: w(n), x(n)",
            3,
            "a scalar is passed for the array `w`",
        ),
        ("real(8), intent(in) :: w, x(n)", "real(8), intent(in) :: w, x(:)", 3, "need an explicit interface"),
        ("real(8), intent(out) :: y(n)\nend", "real(8), intent(out) :: y(n)\n y = x\nend", 3, "has statements"),
        ("subroutine smooth(n, w, x, y)", "function smooth(n, w, x, y)", 3, "externals.toml:7"),
    ] {
        let (code, text) = said(from, to);
        assert!(code == Some(status) && text.contains(wanted), "{to}: {code:?}, and not `{wanted}`:\n{text}");
    }
}

#[test]
fn a_procedure_of_the_users_own_needs_no_row() {
    let own = format!(
        "{MODEL}\nsubroutine log_state(n, x)\n integer, intent(in) :: n\n real(8), intent(inout) :: x(n)\n x = 2*x\nend subroutine\n"
    );
    let dir = folder(&own, TABLE);
    let out = costate(dir.path(), &["adjoint", "model.f90", "--head", HEAD]);
    assert!(out.status.success(), "{}", stderr(&out));
    let text = std::fs::read_to_string(dir.path().join("model_b.f90")).unwrap();
    assert!(text.contains("call log_state_b(n, u, u_b)"), "{text}");
}

#[test]
fn refusals_have_rows_to_paste() {
    // An element may stand for an array, and the row says so.
    let dir = folder(&MODEL.replace("smooth(n, x(1),", "smooth(n, 0.5d0,"), "");
    let run = || costate(dir.path(), &["adjoint", "model.f90", "--head", HEAD, "--message-format", "json"]);
    let mut rows = std::collections::BTreeMap::new();
    for line in String::from_utf8_lossy(&run().stdout).lines() {
        let d: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(d["code"], "C0405", "{d}");
        let row = d["help"].as_str().unwrap().split_once("[[procedure]]").unwrap().1;
        let adjoint = row.lines().rfind(|l| l.starts_with("adjoint")).unwrap();
        rows.insert(adjoint.to_string(), row.to_string());
    }
    let named: Vec<&str> = rows.keys().map(|k| k.split('"').nth(1).unwrap()).collect();
    assert_eq!(named, ["clear_b", "energy_b", "log_state_b", "scale_by_b", "smooth_b"]);
    let table: String = rows.values().map(|r| format!("[[procedure]]{r}\n")).collect();
    std::fs::write(dir.path().join("externals.toml"), table).unwrap();
    let out = run();
    assert!(out.status.success(), "{}{}", String::from_utf8_lossy(&out.stdout), stderr(&out));
}

/// What is said of a program of a procedure `top`, in which an interface block declares `smooth`.
fn of_interface(dummies: &str, inside: &str, behind: &str) -> (Option<i32>, String) {
    let model = format!(
        "subroutine top({dummies})
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  interface
    subroutine smooth(n, u, v)
      {inside}
      integer, intent(in) :: n
      real(8), intent(in) :: u(n)
      real(8), intent(out) :: v(n)
    end subroutine
  end interface
  call smooth(n, x, y)
end subroutine
{behind}"
    );
    let dir = folder(&model, "");
    let out = costate(dir.path(), &["adjoint", "model.f90", "--head", "top(y)/(x)", "--depfile", "model.d"]);
    let rule = std::fs::read_to_string(dir.path().join("model.d")).unwrap_or_default();
    (out.status.code(), stderr(&out) + &rule)
}

#[test]
fn interface_blocks_tell_what_rows_tell() {
    const TOLD: &str = "!$ad external linear(u, v) self-adjoint";
    let (status, rule) = of_interface("n, x, y", TOLD, "");
    assert_eq!(status, Some(0), "{rule}");
    assert_eq!(rule.matches("model.f90").count(), 1, "{rule}");
    let own = "subroutine smooth(n, u, v)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: v(n)
  v = u
end subroutine
";
    for (dummies, inside, behind, reason) in [
        ("n, smooth, x, y", TOLD, "", "`smooth` is a dummy procedure"),
        ("n, x, y", TOLD, own, "`smooth` is among the files"),
        ("n, x, y", "import :: wp\n!$ad external linear", "", "can't import names"),
        ("n, x, y", "!$ad external linear(q)", "", "`q` is no dummy of `smooth`"),
        ("n, x, y", "!$ad linear-solve matrix(u) rhs(v)", "", "where `external` alone has a meaning"),
        ("n, x, y", TOLD, "!$ad inactive\nsubroutine other\nend subroutine\n", ""),
    ] {
        let (status, said) = of_interface(dummies, inside, behind);
        let refused = status == Some(3) && said.contains("C0409") && said.contains(reason);
        assert_eq!(refused, !reason.is_empty(), "{inside}\n{said}");
    }
    // What stands before a procedure is about the procedure, or refused.
    let before = of_interface("n, x, y", "", &format!("{TOLD}\n{own}"));
    assert_eq!(before.0, Some(0), "{}", before.1);
    let other = of_interface("n, x, y", "", &format!("!$ad ii-loop\n{own}"));
    assert!(other.0 == Some(3) && other.1.contains("it stands before a procedure"), "{}", other.1);
}

#[test]
fn plans_are_executed_on_named_arrays_only() {
    let model = "subroutine top(x, y)
  real(8), intent(in) :: x(8)
  real(8), intent(out) :: y(8)
  complex(8) :: a(8), b(8)
  integer(8) :: plan
  !$ad inactive
  call dfftw_plan_dft_1d(plan, 8, a, b, -1, 64)
  a = x
  call dfftw_execute(plan)
  y = real(b)
end subroutine
";
    let dir = folder(model, "");
    let out = costate(dir.path(), &["adjoint", "model.f90", "--head", "top(y)/(x)"]);
    assert_eq!(out.status.code(), Some(3));
    assert!(stderr(&out).contains("transforms arrays that it doesn't name"), "{}", stderr(&out));
}

//! `costate plan --json` gives every decision as data.

use std::process::Command;

use serde_json::Value;

const SOURCE: &str = "subroutine f(n, m, u, s)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: s
  real(8) :: w(n)
  integer :: i, k
  do k = 1, m
    do i = 1, n
      w(i) = sin(u(i))
    end do
    do i = 2, n
      u(i) = w(i)*u(i-1)
    end do
  end do
  s = sum(u)
end subroutine f
";

fn plan(options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.f90"), SOURCE).expect("the source");
    let run = Command::new(env!("CARGO_BIN_EXE_costate"))
        .args(["plan", "f.f90", "--head", "f(s)/(u)", "--size", "n=1000", "--size", "m=100", "--json"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .expect("costate runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice::<Value>(&run.stdout).expect("JSON")["procedures"][0].clone()
}

fn decisions(plan: &Value) -> &[Value] {
    plan["decisions"].as_array().expect("a list")
}

#[test]
fn a_decision_names_its_statement_its_choice_and_its_reason() {
    let plan = plan(&[]);
    assert_eq!((&plan["primal"], &plan["active"]), (&"f".into(), &serde_json::json!(["u", "s"])));
    let lines: Vec<&str> = SOURCE.lines().collect();
    for d in decisions(&plan) {
        let line = d["line"].as_u64().expect("a line") as usize;
        assert_eq!((&d["file"], d["statement"].as_str()), (&"f.f90".into(), Some(lines[line - 1].trim())), "{d}");
        assert!(d["choice"].is_string() && d["reason"].as_str().is_some_and(|r| !r.is_empty()), "{d}");
    }
}

#[test]
fn memory_is_that_of_the_decisions() {
    for options in [&[][..], &["--memory", "500KiB"], &["--memory", "200KiB"]] {
        let plan = plan(options);
        let bytes: u64 = decisions(&plan).iter().filter_map(|d| d["bytes"].as_u64()).sum();
        let held = plan["memory"]["held"].as_array().expect("a list").iter();
        let adjoint = |h: &&Value| h["what"].as_str().is_some_and(|w| w.contains("adjoint of"));
        let saved: u64 = held.filter(|h| !adjoint(h)).filter_map(|h| h["bytes"].as_u64()).sum();
        assert!(saved > 0 && bytes == saved, "{options:?}: {bytes} and {saved} in {plan:#}");
    }
}

#[test]
fn what_runs_again_has_its_cost() {
    let plan = plan(&["--memory", "200KiB"]);
    let cost = |choice: &str| {
        let own = decisions(&plan).iter().filter(|d| d["choice"] == choice);
        own.filter_map(|d| d["cost"].as_f64()).sum::<f64>()
    };
    // The sines are computed once in the forward sweep, and at least once more.
    assert!(cost("run") > 0.8 && cost("run") < 1.3 && cost("rerun") > 0.8, "{plan:#}");
    assert!(cost("run") + cost("rerun") < plan["ratio"].as_f64().expect("a ratio"), "{plan:#}");
}

/// Calls of which the caller has the results when its backward sweep comes to them, and one whose results are overwritten.
const CALLS: &str = "module m
contains
  subroutine area(x, a, whole)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: a(:), whole
    a = x*x
    whole = sum(a*x)
  end subroutine
  subroutine kept(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    real(8) :: a(size(x)), whole
    call area(x, a, whole)
    y = whole*sum(sin(a))
  end subroutine
  subroutine lost(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    real(8) :: a(size(x)), whole
    call area(x, a, whole)
    a = 0d0
    whole = whole*2d0
    y = whole + sum(a)
  end subroutine
end module
";

#[test]
fn calls_whose_results_are_there_arent_run_again() {
    let called = |head: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.f90"), CALLS).expect("the source");
        let run = Command::new(env!("CARGO_BIN_EXE_costate"))
            .args(["adjoint", "m.f90", "--head", head])
            .current_dir(folder.path())
            .output()
            .expect("costate runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = std::fs::read_to_string(folder.path().join("m_b.f90")).expect("the adjoint");
        // What no call has chosen isn't there.
        ["area_bwd", "area_b"]
            .map(|name| (text.contains(&format!("subroutine {name}(")), text.contains(&format!("call {name}("))))
    };
    assert_eq!(called("m::kept(y)/(x)"), [(true, true), (false, false)]);
    assert_eq!(called("m::lost(y)/(x)"), [(false, false), (true, true)]);
}

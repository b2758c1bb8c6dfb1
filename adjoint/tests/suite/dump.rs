//! `--dump-after` prints adjoint code as a pass leaves it.

use std::process::{Command, Output};

const SOURCE: &str = "subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  real(8) :: t
  do i = 1, n
    t = sin(x(i))
    y(i) = t*x(i)
  end do
end subroutine f
";

/// Runs a mode with arguments in a folder with the source; the output, and the names of files beside the source.
fn run(args: &[&str]) -> (Output, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.f90"), SOURCE).expect("the source");
    let run = Command::new(env!("CARGO_BIN_EXE_costate"))
        .args(args)
        .args(["f.f90", "--head", "f(y)/(x)"])
        .current_dir(folder.path())
        .output()
        .expect("costate runs");
    let files = std::fs::read_dir(folder.path()).expect("the folder").map(|e| e.expect("an entry").file_name());
    (run, files.map(|f| f.to_string_lossy().into_owned()).filter(|f| f != "f.f90").collect())
}

fn printed(pass: &str) -> String {
    let (run, files) = run(&["adjoint", "--dump-after", pass]);
    assert!(run.status.success() && files.is_empty(), "{files:?} {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn the_code_is_printed_as_a_pass_leaves_it() {
    let (first, second, order) = (printed("selection"), printed("first-use"), printed("order"));
    assert!(first.contains("t_b = t_b + x(i)*y_b(i)"), "{first}");
    assert!(second.contains("t_b = x(i)*y_b(i)") && second.contains("do i = n, 1, -1"), "{second}");
    assert!(!order.contains("do i = n, 1, -1"), "{order}");
}

#[test]
fn a_decision_is_no_pass_over_finished_code() {
    for args in [["adjoint", "--dump-after", "double-buffering"], ["tangent", "--dump-after", "order"]] {
        let (run, files) = run(&args);
        assert!(run.status.code() == Some(2) && files.is_empty(), "{args:?}: {run:?}");
        assert!(String::from_utf8_lossy(&run.stderr).contains("C03"), "{run:?}");
    }
}

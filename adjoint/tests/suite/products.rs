//! `matmul` stays `matmul` in generated code.

use std::process::Command;

const SOURCE: &str = "subroutine f(n, a, b, c)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(inout) :: c(n, n)
  c = c + 2*matmul(a, b)
  c = matmul(c, transpose(b))
end subroutine f
";

fn generated(mode: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.f90"), SOURCE).expect("the source");
    let run = Command::new(env!("CARGO_BIN_EXE_costate"))
        .args([mode, "f.f90", "--head", "f(c)/(a, b, c)", "-o", "out.f90"])
        .current_dir(folder.path())
        .output()
        .expect("costate runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read_to_string(folder.path().join("out.f90")).expect("the output")
}

#[test]
fn products_stay_in_both_sweeps() {
    let text = generated("adjoint");
    for line in [
        "prod1 = matmul(a, b)",
        "a_b = a_b + matmul(prod1_b, (transpose(b)))",
        "b_b = b_b + matmul((transpose(a)), prod1_b)",
        "c_b = c_b + matmul(prod2_b, b)",
        "b_b = b_b + matmul((transpose(prod2_b)), c)",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn products_stay_in_tangents() {
    let text = generated("tangent");
    for line in [
        "prod1_d = matmul(a_d, b) + matmul(a, b_d)",
        "prod1 = matmul(a, b)",
        "prod2_d = matmul(c_d, transpose(b)) + matmul(c, transpose(b_d))",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

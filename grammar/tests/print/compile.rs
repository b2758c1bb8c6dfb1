//! What gfortran says about printed text.

use std::io::Write;
use std::process::{Command, Stdio};

/// Fails when the text doesn't compile as Fortran 2018.
pub(crate) fn accepts(text: &str) {
    let flags = ["-x", "f95", "-ffree-form", "-std=f2018", "-fopenmp", "-fsyntax-only", "-Werror=line-truncation", "-"];
    let mut child = Command::new("gfortran")
        .args(flags)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gfortran is needed for this test");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    let out = child.wait_with_output().expect("gfortran ends");
    assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
#[should_panic(expected = "Error")]
fn refuses_nonsense() {
    accepts("subroutine f()\n  x = = 1\nend subroutine f\n");
}

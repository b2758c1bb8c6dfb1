//! What gfortran says about printed text.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Tests run side by side, and their modules have the same names: each compilation has its own folder.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Fails when the text doesn't compile as Fortran 2018.
pub(crate) fn accepts(text: &str) {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("print-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for module files");
    let flags = ["-x", "f95", "-ffree-form", "-std=f2018", "-fopenmp", "-fsyntax-only", "-Werror=line-truncation", "-"];
    let mut child = Command::new("gfortran")
        .args(flags)
        .arg("-J")
        .arg(&folder)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gfortran is needed for this test");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    let out = child.wait_with_output().expect("gfortran ends");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
#[should_panic(expected = "Error")]
fn refuses_nonsense() {
    accepts("subroutine f()\n  x = = 1\nend subroutine f\n");
}

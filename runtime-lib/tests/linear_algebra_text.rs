//! Derivatives of BLAS and LAPACK procedures are written once for all types, in `templates/`.
//!
//! There `?` stands for the letter of the type, `$` for the letters of its functions with a real result (`sc`, `dz`), `@` for those of
//! its procedures with a real coefficient (`cs`, `zd`) and `PRECISION` for its kind. Of `{a|b}` real types have `a` and complex
//! ones `b`; where an alternative begins a line, lines as a whole are meant. `conj(e)` is `conjg(e)` in complex types and `e` in
//! real ones.

use std::path::Path;
use std::{env, fs};

/// Letters of types, of functions with real results, of procedures with a real coefficient; kinds.
const TYPES: [(&str, [&str; 2], &str); 4] = [
    ("s", ["s", "s"], "kind(1e0)"),
    ("d", ["d", "d"], "kind(1d0)"),
    ("c", ["sc", "cs"], "kind(1e0)"),
    ("z", ["dz", "zd"], "kind(1d0)"),
];

/// The place behind what closes the bracket at the start of a text.
fn closed(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    panic!("a bracket isn't closed: {}", text.lines().next().unwrap_or_default());
}

/// A text with what a type has of each `{a|b}`.
fn chosen(text: &str, complex: bool) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('{') {
        out += &rest[..at];
        let end = at + closed(&rest[at..], '{', '}');
        let (real, other) = rest[at + 1..end - 1].split_once('|').expect("two alternatives");
        let mine = if complex { other } else { real };
        out += mine.strip_prefix('\n').unwrap_or(mine);
        rest = &rest[end..];
        if other.starts_with('\n') || real.starts_with('\n') {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
    }
    out + rest
}

/// A text whose conjugates are those of a type.
fn conjugated(text: &str, complex: bool) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("conj(") {
        let open = at + "conj".len();
        let end = open + closed(&rest[open..], '(', ')');
        let inner = conjugated(&rest[open + 1..end - 1], complex);
        let plain = !inner.contains(['+', '-', '*', '/']) || inner.ends_with(')') && !inner.contains(' ');
        out += &rest[..at];
        out += &match (complex, plain) {
            (true, _) => format!("conjg({inner})"),
            (false, true) => inner,
            (false, false) => format!("({inner})"),
        };
        rest = &rest[end..];
    }
    out + rest
}

fn check(module: &str, letters: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let template = fs::read_to_string(folder.join(format!("tests/templates/{module}.f90"))).expect("the template");
    for (letter, [real, with_real], kind) in TYPES.into_iter().filter(|t| letters.contains(t.0)) {
        let complex = letter != real;
        let name = format!("costate_{module}_{letter}.f90");
        let text = conjugated(&chosen(&template, complex), complex)
            .replace('?', letter)
            .replace('$', real)
            .replace('@', with_real)
            .replace("PRECISION", kind);
        let wanted = format!("! Made from tests/templates/{module}.f90 by tests/linear_algebra_text.rs.\n{text}");
        let path = folder.join("fortran").join(&name);
        if env::var_os("COSTATE_UPDATE").is_some() {
            fs::write(&path, &wanted).expect("a writable source folder");
        } else {
            let known = fs::read_to_string(&path).unwrap_or_default();
            assert!(known == wanted, "{name} is out of date: run the tests with COSTATE_UPDATE=1");
        }
    }
}

#[test]
fn derivatives_of_blas_are_up_to_date() {
    for module in ["linear_algebra", "blas1", "blas2", "blas_stored", "blas3"] {
        check(module, "sdcz");
    }
}

#[test]
fn derivatives_of_lapack_are_up_to_date() {
    check("lapack_factors", "sdcz");
    check("lapack_inverse", "sdcz");
    for module in ["lapack_banded", "lapack_orthogonal", "lapack_eigen"] {
        check(module, "sd");
    }
}

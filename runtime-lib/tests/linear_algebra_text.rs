//! Derivatives of BLAS and LAPACK procedures are written once for all types, in `templates/`.

use std::path::Path;
use std::{env, fs};

/// Letters of types and their kinds.
const TYPES: [(&str, &str); 2] = [("s", "kind(1e0)"), ("d", "kind(1d0)")];

fn check(library: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let template = fs::read_to_string(folder.join(format!("tests/templates/{library}.f90"))).expect("the template");
    for (letter, kind) in TYPES {
        let name = format!("costate_{library}_{letter}.f90");
        let text = template.replace('?', letter).replace("PRECISION", kind);
        let wanted = format!("! Made from tests/templates/{library}.f90 by tests/linear_algebra_text.rs.\n{text}");
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
    check("blas");
}

#[test]
fn derivatives_of_lapack_are_up_to_date() {
    check("lapack");
}

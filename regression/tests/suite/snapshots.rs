//! Generated code as it reads: one snapshot for a case, with source, facts, plan, tangent and adjoint.

use costate_adjoint::pipeline::{Differentiated, Mode};
use costate_grammar::diag::Diagnostic;
use costate_regression::chain;

/// The cases, chosen so that each shows something of its own.
const SHOWN: &[&str] = &[
    "scalar_loop",
    "array_syntax",
    "array_overlap",
    "timestep_nl",
    "timestep_inplace",
    "do_while",
    "exit_cycle",
    "return_early",
    "select_case",
    "where_stmt",
    "indirect",
    "derived_type",
    "derived_array",
    "module_var",
    "keyword_arg",
    "elemental_fn",
    "alloc_local",
    "complex_num",
    "maxval_loc",
    "use_other_module",
];

/// The text of a case, its tangent and its adjoint.
fn differentiated(name: &str) -> (String, Differentiated, Differentiated) {
    let text = std::fs::read_to_string(chain::cases_folder().join(format!("{name}.f90"))).expect("a case can be read");
    let loaded =
        chain::loaded(&format!("{name}.f90"), &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let told = |d: Vec<Diagnostic>| format!("{name}: {}", chain::describe(&loaded.sources, &d));
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").unwrap_or_else(|d| panic!("{}", told(d)));
    let make = |mode| loaded.differentiate(&heads, mode).unwrap_or_else(|d| panic!("{}", told(d)));
    let (tangent, adjoint) = (make(Mode::Tangent), make(Mode::Adjoint));
    (text, tangent, adjoint)
}

fn snapshot(name: &str) -> String {
    let (text, tangent, adjoint) = differentiated(name);
    let files =
        |d: &Differentiated| d.files.iter().map(|f| format!("! {}\n{}", f.name, f.text)).collect::<Vec<_>>().join("\n");
    format!(
        "==== source\n{text}\n==== facts\n{}\n==== plan\n{}\n==== tangent\n{}\n==== adjoint\n{}",
        adjoint.facts,
        adjoint.plan(),
        files(&tangent),
        files(&adjoint)
    )
}

#[test]
fn generated_code_reads_as_before() {
    for name in SHOWN {
        insta::assert_snapshot!(*name, snapshot(name));
    }
}

#[test]
fn the_same_input_gives_the_same_text() {
    for name in SHOWN {
        assert_eq!(snapshot(name), snapshot(name), "{name}");
    }
}

/// Generated procedures that would differ in their names alone.
fn copies(text: &str) -> Vec<String> {
    let (mut seen, mut out) = (std::collections::BTreeSet::new(), Vec::new());
    for procedure in text.split("\n  end subroutine ") {
        let Some((_, from)) = procedure.split_once("subroutine ") else { continue };
        let (name, body) = from.split_once('(').unwrap_or_default();
        if !seen.insert(body.to_string()) {
            out.push(name.to_string());
        }
    }
    out
}

#[test]
fn no_procedure_is_generated_twice() {
    for name in SHOWN.iter().chain(&["assumed_shape", "elemental_overlap", "pure_fn", "twin_contexts"]) {
        let (_, tangent, adjoint) = differentiated(name);
        for file in tangent.files.iter().chain(&adjoint.files) {
            assert_eq!(copies(&file.text), Vec::<String>::new(), "{name}");
        }
    }
}

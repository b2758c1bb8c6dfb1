//! Walks THE derivative table: every row is stated, and every linear one agrees with differences in quadruple precision.

mod cases;
mod printer;
mod product;
mod program;
mod statements;
mod transformational;

use costate_analysis::rules::{Linear, Partial};
use program::Check;

/// Tangents agree with differences and adjoints with tangents, for every case, argument and type; also where a row states
/// zero, and for all arguments of an operation together.
#[test]
fn rows_agree_with_differences() {
    let mut subroutines = Vec::new();
    for case in cases::all() {
        let (node, row) = program::row_of(&case);
        let row: Vec<_> = row.into_iter().filter(|(_, ty, _)| ty.is_continuous()).collect();
        let mut checks: Vec<Check> = row.iter().map(|(var, ty, p)| Check::single(&node, var, *ty, p)).collect();
        if row.len() > 1 && row.len() == node.children().iter().filter(|c| c.ty.is_continuous()).count() {
            checks.push(Check::whole(&node, row.into_iter().map(|(var, ty, _)| (var, ty)).collect()));
        }
        for check in checks {
            subroutines.push(program::subroutine(subroutines.len(), &case, &node, &check));
        }
    }
    let text = program::run("differences", &program::assemble(&subroutines), &["-std=gnu", "-fdec-math"]);
    let expected = format!("{} checks, 0 failures", 6 * subroutines.len());
    assert_eq!(text.trim(), expected, "\n{text}");
}

/// A wrong factor, a wrong sign, a forgotten conjugate: each is seen by the check above.
#[test]
fn wrong_rows_are_found() {
    let mut subroutines = Vec::new();
    let mut wrong = |case: &cases::Case, node: &costate_grammar::ir::Expr, ty, map: Linear| {
        let check = Check::single(node, "a1", ty, &Partial::Linear(map));
        subroutines.push(program::subroutine(subroutines.len(), case, node, &check));
    };
    for case in cases::all() {
        let (node, row) = program::row_of(&case);
        let Some((_, ty, Partial::Linear(map))) = row.into_iter().find(|(var, _, _)| var == "a1") else { continue };
        match (case.name.as_str(), map) {
            ("sin(Real8)", Linear::Scale(p)) => wrong(&case, &node, ty, Linear::Scale(p.neg())),
            ("log(Real8)", Linear::Over(q)) => wrong(&case, &node, ty, Linear::Scale(q)),
            ("conjg(Complex8)", Linear::Conjugate) => wrong(&case, &node, ty, Linear::Identity),
            ("a-b(Real8,Real8)", Linear::Identity) => wrong(&case, &node, ty, Linear::Negate),
            _ => {}
        }
    }
    assert_eq!(subroutines.len(), 5, "conjg has two ranges; has a case gone?");
    let text = program::run("wrong", &program::assemble(&subroutines), &["-std=gnu", "-fdec-math"]);
    for name in ["sin(Real8)", "log(Real8)", "conjg(Complex8)", "a-b(Real8,Real8)"] {
        assert!(text.contains(&format!("{name} wrt a1: tangent")), "{name} passed:\n{text}");
    }
}

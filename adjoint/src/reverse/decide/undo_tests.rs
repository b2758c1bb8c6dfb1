//! What the backward sweep does instead of putting back saved values.

use crate::options::Options;

use crate::optimise::tests::{VECTORS, adjoint_with, has};

const START: &str = "do i = 1, n\ny(i) = x(i)\nend do";

/// The adjoint of statements in a loop, each of which follows a use of `y(i)`.
fn in_loop(allow_undo: bool, statement: &str) -> String {
    let options = Options { allow_undo, ..Options::default() };
    let body = format!(
        "{START}\nz = 0d0\ndo i = 2, n\nz = z + sin(y(i))*y(i-1)\n{statement}\nz = z + y(i)\nend do\ny(1) = y(1) + z"
    );
    adjoint_with(&options, &format!("{VECTORS}\nreal(8) :: z"), &body)
}

fn saves(text: &str) -> bool {
    text.contains("y_save")
}

#[test]
fn increments_and_divisions_are_undone_on_demand() {
    for (statement, opposite) in [
        ("y(i) = y(i) + x(i)**2", "y(i) = y(i) - x(i)**2"),
        ("y(i) = x(i) - (x(1) - y(i)) - i*x(2)", "y(i) = y(i) - x(i) + x(1) + i*x(2)"),
        ("y(i) = x(i) - y(i)", "y(i) = x(i) - y(i)"),
        ("y(i) = y(i) + x(i)*y(1)", "y(i) = y(i) - x(i)*y(1)"),
        ("y(i) = 3d0*y(i)/(1d0 + x(i)**2)", "y(i) = y(i)/3d0*(1d0 + x(i)**2)"),
    ] {
        let text = in_loop(true, statement);
        has(&text, &[opposite]);
        assert!(!saves(&text), "{text}");
        assert!(saves(&in_loop(false, statement)), "{statement}");
    }
}

#[test]
fn what_may_be_lost_is_saved() {
    for statement in [
        // The factor may be zero.
        "y(i) = x(i)*y(i)",
        "y(i) = 0d0*y(i) + x(i)",
        // The increment may use what is overwritten.
        "y(i) = y(i) + x(i)*y(m)",
        "y(i) = y(i) + sin(y(i))",
        // Not an increment.
        "y(i) = x(i)/y(i)",
        "y(i) = 2d0*y(i) + x(i)",
    ] {
        let text = in_loop(true, statement);
        assert!(saves(&text), "{statement}\n{text}");
    }
}

#[test]
fn adjoints_by_the_result_need_no_operand() {
    let options = Options::default();
    let divided = format!("{START}\ndo i = 2, n\ny(i) = y(i)/y(1)\nend do");
    let text = adjoint_with(&options, VECTORS, &divided);
    assert!(!saves(&text), "{text}");
    has(&text, &["y_b(1) = y_b(1) - y(i)/y(1)*y_b(i)"]);
    // The operand is needed by another adjoint: it comes back after this one.
    let text = adjoint_with(&options, VECTORS, &format!("{divided}\ny(1) = sqrt(y(1))"));
    has(&text, &["y_b(1) = y_b(1)/(2.0d0*max(y(1), 1d-150))", "y(1) = y_save"]);
}

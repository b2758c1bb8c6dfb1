//! What generated code looks like where the arrangement of loops matters.

use costate_analysis::request::{parse_heads, resolve};
use costate_grammar::diag::Diagnostic;
use costate_grammar::form::{ReadOptions, read};
use costate_grammar::source::SourceMap;

use crate::mode::Mode;
use crate::options::Options;
use crate::pipeline::{differentiate, load};

/// The adjoint of `s(y)/(x)`, lines without indentation and comments.
fn adjoint(declarations: &str, body: &str) -> String {
    adjoint_with(&Options { check_forms: true, ..Options::default() }, declarations, body)
}

/// The same with options.
pub(crate) fn adjoint_with(options: &Options, declarations: &str, body: &str) -> String {
    let text = derived(options, &subroutine(declarations, body)).expect("it is differentiated");
    let lines = text.lines().map(str::trim).filter(|l| !l.starts_with('!') && !l.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// `s` with these declarations and statements.
pub(crate) fn subroutine(declarations: &str, body: &str) -> String {
    format!(
        "subroutine s(n, m, x, y)\nimplicit none\ninteger, intent(in) :: n, m\n{declarations}\ninteger :: i, t\n{body}\n\
         end subroutine s\n"
    )
}

/// The text of the adjoint of `s(y)/(x)` in a file, or why there is none.
pub(crate) fn derived(options: &Options, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let files = vec![read(&mut sources, "s.f90", text.to_string(), &ReadOptions::default())];
    let mut program = load(&mut sources, &files, &Options::default()).expect("the source is understood");
    let texts = parse_heads("s(y)/(x)").expect("a head");
    let heads = vec![resolve(&program, &texts[0]).expect("the head is there")];
    let out = differentiate(&mut program, &sources, &files, &heads, Mode::Adjoint, options);
    out.map(|mut made| made.files.remove(0).text)
}

pub(crate) fn has(text: &str, lines: &[&str]) {
    assert!(text.contains(&lines.join("\n")), "{lines:#?}\nnot in\n{text}");
}

pub(crate) const VECTORS: &str = "real(8), intent(in) :: x(n)\nreal(8), intent(inout) :: y(n)";

#[test]
fn increments_of_a_stencil_are_gathered() {
    let text = adjoint(VECTORS, "do i = 2, n-1\ny(i) = 2d0*x(i-1) + 3d0*x(i+1)\nend do");
    has(&text, &["do i = 2, min(3, n - 1)", "x_b(i-1) = x_b(i-1) + 2d0*y_b(i)", "end do"]);
    has(&text, &["do i = 3, n - 2", "x_b(i) = x_b(i) + 3d0*y_b(i-1) + 2d0*y_b(i+1)", "end do"]);
    has(&text, &["do i = max(n - 2, 2), n - 1", "x_b(i+1) = x_b(i+1) + 3d0*y_b(i)", "end do"]);
    has(&text, &["do i = 2, n - 1", "y_b(i) = 0.0d0", "end do"]);
}

#[test]
fn increments_with_different_steps_have_loops_of_their_own() {
    let text = adjoint(VECTORS, "do i = 2, n/2\ny(i) = 2d0*x(2*i-1) + 3d0*x(i)\nend do");
    has(&text, &["do i = 2, n/2", "x_b(2*i-1) = x_b(2*i-1) + 2d0*y_b(i)", "end do"]);
}

/// A work array that is assigned in `range` in every step and then used.
fn work_array(range: &str) -> String {
    let body = format!(
        "do t = 1, m\ndo i = {range}\nw(i) = 2d0*y(i)\nend do\ndo i = {range}\ny(i) = w(i)*x(i)\nend do\nend do\n\
         w(1) = y(1)\ny(n) = y(n) + w(1)"
    );
    adjoint(&format!("{VECTORS}\nreal(8) :: w(n)"), &body)
}

#[test]
fn adjoints_that_are_zero_are_assigned_and_not_set_to_zero_again() {
    let text = work_array("2, n");
    has(&text, &["w_b(i) = x(i)*y_b(i)"]);
    has(&text, &["y_b(i) = 2d0*w_b(i)"]);
    assert!(!text.contains("w_b(i) = 0.0d0"), "{text}");
    assert!(!text.contains("y_b(i) = 0.0d0"), "{text}");
}

#[test]
fn an_adjoint_that_may_not_be_zero_is_incremented() {
    // The first element has got a value before the loop.
    let body =
        "do i = 2, n\nw(i) = 2d0*x(i)\nend do\ndo i = 2, n\nx_sum = x_sum + w(i)*w(i-1)\nend do\ny(1) = x_sum + w(1)";
    let text = adjoint(&format!("{VECTORS}\nreal(8) :: w(0:n), x_sum"), &format!("w = x(1)\nx_sum = 0d0\n{body}"));
    has(&text, &["w_b(1) = y_b(1)"]);
    assert!(text.contains("w_b(i-1) = w_b(i-1) + w(i)*x_sum_b"), "{text}");
    // Of all elements only the one below is neither assigned nor set before.
    has(&text, &["w_b(0:min(n, 0)) = 0.0d0"]);
}

#[test]
fn an_element_that_one_iteration_uses_stands_in_a_scalar() {
    let body = "do i = 1, n\nw(i) = sqrt(x(i))\ny(i) = w(i)**3\nend do";
    let text = adjoint(&format!("{VECTORS}\nreal(8) :: w(n)"), body);
    has(&text, &["w_b_here = 3.0d0*w_here**2*y_b(i)"]);
    assert!(!text.contains("w(") && !text.contains("w_b("), "{text}");
    // The next iteration uses it too.
    let text = adjoint(
        &format!("{VECTORS}\nreal(8) :: w(0:n)"),
        &format!("w(0) = 1d0\n{}", body.replace("y(i) =", "y(i) = w(i-1) +")),
    );
    has(&text, &["w_b(i-1) = y_b(i)"]);
}

#[test]
fn a_zero_that_one_arm_of_a_branch_needs_stays() {
    let body = "do i = 1, n\nw(i) = x(i)\nend do\nif (m > 3) then\ndo i = 1, n\ny(i) = w(i)**2\nend do\nend if";
    let text = adjoint(&format!("{VECTORS}\nreal(8) :: w(n)"), body);
    has(&text, &["w_b = 0.0d0"]);
}

#[test]
fn a_recurrence_is_reversed_as_it_stands() {
    let text = adjoint(VECTORS, "do i = 2, n\ny(i) = y(i-1)*2d0 + x(i)\nend do");
    has(&text, &["do i = n, 2, -1"]);
    assert!(!text.contains("do i = 2, n\n"), "{text}");
}

#[test]
fn a_value_overwritten_between_keeps_the_statements_together() {
    // x_b(i) and x_b(i+1) are incremented by y_b(i), before and after it changes.
    let text = adjoint(VECTORS, "do i = 1, n-1\ny(i) = y(i)*x(i) + x(i+1)\ny(i) = 3d0*y(i) + x(i+1)*x(i)\nend do");
    let loops = text.lines().filter(|l| l.starts_with("do i")).count();
    let increments = text.lines().filter(|l| l.starts_with("x_b(i")).count();
    assert!(increments >= 2 && loops <= 3, "{text}");
    has(&text, &["y_b(i) = 3d0*y_b(i)"]);
}

#[test]
fn the_adjoint_of_a_private_scalar_is_assigned() {
    let body = "real(8) :: a\ndo i = 1, n\na = x(i)**2\ny(i) = sin(a)\nend do";
    let text = adjoint(&format!("{VECTORS}\n{}", "real(8) :: a"), body.trim_start_matches("real(8) :: a\n"));
    assert!(!text.contains("a_b = 0.0d0"), "{text}");
    assert!(!text.contains("a_b = a_b +"), "{text}");
    has(&text, &["a_b = cos(a)*y_b(i)"]);
}

#[test]
fn a_scalar_that_is_summed_keeps_its_zero() {
    let body = "a = 0d0\ndo i = 1, n\na = a + x(i)\nend do\ndo i = 1, n\ny(i) = y(i)*a\nend do";
    let text = adjoint(&format!("{VECTORS}\nreal(8) :: a"), body);
    has(&text, &["a_b = 0.0d0"]);
    assert!(text.contains("a_b = a_b + "), "{text}");
}

#[test]
fn work_arrays_assigned_as_a_whole_are_not_saved() {
    let steps = |range: &str| {
        let body = format!(
            "do t = 1, m\ndo i = {range}\nw(i) = x(i)*t\nend do\ndo i = 2, n-1\ny(i) = y(i) + w(i)*w(i-1)\nend do\nend do"
        );
        adjoint(&format!("{VECTORS}\nreal(8) :: w(n)"), &body)
    };
    assert!(!steps("1, n").contains("_save"));
    assert!(steps("2, n").contains("w_save"));
}

#[test]
fn a_primal_loop_that_runs_again_gives_its_variable_the_last_value() {
    // The value of i at the end of the descending loop is used, where the loop has a variable of its own.
    let body = "do t = 1, m\ndo i = n, 1, -1\nw(i) = x(i)*x(i)*t\nend do\nw(1) = w(1)*(i + 1)\ndo i = 1, n\ny(i) = y(i) + w(i)**2\nend do\nend do";
    let text = adjoint(&format!("{VECTORS}\nreal(8) :: w(n)"), body);
    has(&text, &["do i1 = n, 1, -1", "w(i1) = x(i1)*x(i1)*t", "end do", "i = min(n, 0)"]);
    assert!(!text.contains("do i = 1, n\nw(i) = x(i)*x(i)*t"), "{text}");
}

#[test]
fn a_nest_whose_iterations_are_independent_ascends() {
    let matrices = "real(8), intent(in) :: x(n,m)\nreal(8), intent(inout) :: y(n,m)\ninteger :: j";
    let nest = |from: &str| {
        let body =
            format!("do t = 1, 3\ndo j = 2, m\ndo i = 1, n\ny(i,j) = y(i,j)*x(i,j) + {from}\nend do\nend do\nend do");
        adjoint(matrices, &body)
    };
    has(&nest("x(i,j-1)"), &["do j = 2, m", "do i = 1, n"]);
    // A column is made from the one before.
    has(&nest("y(i,j-1)"), &["do j = m, 2, -1", "do i = 1, n"]);
}

#[test]
fn loops_over_one_target_ascend_and_over_two_do_not() {
    let loop_over = |from: &str| {
        let declarations = "real(8), intent(in) :: x(n)\nreal(8), intent(inout) :: y\nreal(8), target :: a(n), b(n)\n\
                            real(8), pointer :: p(:), q(:)";
        let start = "p => a\nq => b\nif (m < 1) p => b\nif (m > 2) q => a(n:1:-1)\np = x\nq = 2*x";
        adjoint(declarations, &format!("{start}\ndo i = 1, n\np(i) = {from}\nend do\ny = y + p(m)*q(1)"))
    };
    has(&loop_over("3*x(i)"), &["do i = 1, n", "x_b(i) = x_b(i) + 3*p_b(i)", "p_b(i) = 0.0d0"]);
    // What one step assigns another one may read.
    has(&loop_over("3*q(i)"), &["do i = n, 1, -1"]);
}

const COLUMNS: &str = "real(8), intent(in) :: x(n,m)\nreal(8), intent(inout) :: y(n)\nreal(8) :: c(n,m)\ninteger :: k";

#[test]
fn known_values_stand_for_index_variables() {
    let body = "k = 1\ndo i = 1, n\nc(i,k+1) = x(i,k)\nend do\nk = m\ndo i = 1, n\ny(i) = c(i,k)*x(i,k-1)\nend do";
    let text = adjoint(COLUMNS, body);
    has(&text, &["c(i, 2) = x(i, 1)"]);
    has(&text, &["x_b(i, m-1) = x_b(i, m-1) + c(i, m)*y_b(i)"]);
    // After the branch it has one of two values.
    let body = "k = 1\nif (m > 3) k = 2\ndo i = 1, n\ny(i) = y(i)*x(i,k)\nend do";
    has(&adjoint(COLUMNS, body), &["y(i)*y_b(i)"]);
    assert!(adjoint(COLUMNS, body).contains("x_b(i, k)"));
    // The loop changes it.
    let body = "k = 1\ndo i = 1, n\ny(i) = y(i)*x(i,k)\nk = k + 1\nend do";
    assert!(adjoint(COLUMNS, body).contains("x_b(i, k)"));
}

/// A recurrence from column to column, with what is added to the columns before.
fn columns(from: &str) -> String {
    let step = format!("c(i,k) = x(i,k)**2 + {from}\nc(i,k) = c(i,k)*x(i,k)/c(i,k-1)");
    let body = format!(
        "do i = 1, n\nc(i,1) = x(i,1)\nend do\ndo k = 2, m\ndo i = 1, n\n{step}\nend do\nend do\n\
         do k = 1, m\ndo i = 1, n\ny(i) = y(i) + c(i,k)\nend do\nend do"
    );
    adjoint(COLUMNS, &body)
}

#[test]
fn elements_that_an_iteration_assigns_before_it_uses_them_are_not_saved() {
    assert!(!columns("x(i,k-1)").contains("_save"), "{}", columns("x(i,k-1)"));
    assert!(columns("c(i,k)**2").contains("c_save"));
}

//! Each pass alone, Fortran in and Fortran out. The body of a subroutine stands for a backward sweep: a variable `x_b`
//! holds the adjoint of `x`.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::form::{ReadOptions, read};
use costate_grammar::ir::{Block, Origin, ProcId, Program, Role, SymId};
use costate_grammar::print::{Style, procedure};
use costate_grammar::source::SourceMap;

use super::{Code, Pass, PassSet};
use crate::build::Builder;
use crate::names::{Naming, Taken};
use crate::options::Options;
use crate::pipeline::load;

/// The statements after a pass, and declarations of the variables that it made.
fn after(pass: Pass, declarations: &str, body: &str) -> Vec<String> {
    let text = format!("subroutine s(n, m, x, x_b)\nimplicit none\n{declarations}\n{body}\nend subroutine s\n");
    let mut sources = SourceMap::default();
    let files = vec![read(&mut sources, "s.f90", text, &ReadOptions::default())];
    let mut program = load(&mut sources, &files, &Options::default()).expect("the source is understood");
    let proc = program.procedures().next().expect("a procedure").0;
    let body = optimised(&mut program, proc, PassSet::NONE.with(pass));
    program[proc].body = body;
    let printed = procedure(&program, proc, &Style::default());
    let lines = printed.lines().map(str::trim).filter(|l| !l.starts_with('!') && !l.is_empty());
    lines.map(String::from).collect()
}

fn optimised(program: &mut Program, proc: ProcId, passes: PassSet) -> Block {
    let scope = program[proc].scope;
    let mut body = std::mem::take(&mut program[proc].body);
    backward(&mut body);
    let symbols: BTreeMap<String, SymId> = program[scope].names.iter().map(|(n, s)| (n.to_string(), *s)).collect();
    let adjoint = |(name, s): (&String, &SymId)| Some((*s, *symbols.get(&format!("{name}_b"))?));
    let shadow: BTreeMap<SymId, SymId> = symbols.iter().filter_map(adjoint).collect();
    let mut taken = Taken::default();
    program[scope].names.keys().for_each(|n| taken.insert(n.clone()));
    let mut globals = BTreeMap::new();
    let naming = Naming::suffix("_b");
    let mut builder = Builder {
        program,
        primal: proc,
        scope,
        naming: &naming,
        taken,
        names: BTreeMap::new(),
        shadow,
        globals: &mut globals,
        made: BTreeSet::new(),
    };
    let left_zero = BTreeMap::new();
    let mut code = Code::new(&mut builder, &left_zero, body, 0, passes);
    code.run();
    code.finish().0
}

/// Marks statements as those of a backward sweep.
fn backward(block: &mut Block) {
    for s in block {
        s.origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
        s.blocks_mut().into_iter().for_each(backward);
    }
}

const DECLARATIONS: &str = "integer, intent(in) :: n, m\nreal(8), intent(in) :: x(n)\nreal(8), intent(inout) :: x_b(n)\n\
     real(8) :: y(n), y_b(n), w(n), w_b(n), u(n), u_b(n), a, a_b, t, t_b\ninteger :: i, j";

/// Asserts that a pass makes these lines of a body, one after the other.
fn gives(pass: Pass, body: &str, lines: &str) {
    let made = after(pass, DECLARATIONS, body);
    let wanted: Vec<&str> = lines.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert!(made.windows(wanted.len()).any(|w| w == wanted), "{wanted:#?}\nnot in\n{made:#?}");
}

/// Asserts that a pass leaves a body as it is.
fn keeps(pass: Pass, body: &str) {
    gives(pass, body, body);
}

#[test]
fn selection_writes_a_short_branch_with_merge() {
    let branch = "do i = 1, n\ny_b(i) = a*y_b(i)\nx_b(i) = x_b(i) + a\nif (x(i) > 0.0d0) then\nx_b(i) = x_b(i) + 2d0*y_b(i)\nend if\nend do";
    gives(Pass::Selection, branch, "x_b(i) = x_b(i) + merge(2d0*y_b(i), 0.0d0, x(i) > 0.0d0)");
    // What is divided by may be zero where the branch isn't taken.
    keeps(Pass::Selection, &branch.replace("2d0*", "1d0/x(i)*"));
}

#[test]
fn loops_that_are_shared_out_stay_as_they_are() {
    let sum = "do i = 1, n\na_b = a_b + y_b(i)\nend do";
    let increments =
        "do i = n, 1, -1\nt_b = w_b(i)\nx_b(i) = x_b(i) + t_b\nx_b(i+1) = x_b(i+1) + 2d0*t_b\nw_b(i) = 0.0d0\nend do";
    let branches = "do i = 1, n\nif (x(i) > 0.0d0) then\nu_b(i) = u_b(i) + 2d0*sin(y_b(i))\nend if\nend do";
    let copies = "do i = 1, n\nw(i) = x(i)\ny(i) = w(i)\nx_b(1) = x_b(1) + cos(y(i))\nend do";
    for before in
        ["!$omp parallel do private(t_b)\n", "!$acc parallel loop\n!$acc loop\n", "!$omp parallel\n!$omp do\n"]
    {
        let after = if before.contains("omp do") { "\n!$omp end parallel" } else { "" };
        let region = |l: &str| format!("{before}{l}{after}\n");
        let body: String = [sum, increments, increments, branches, copies].into_iter().map(region).collect();
        let wanted: String = body.lines().filter(|l| !l.starts_with('!')).map(|l| format!("{l}\n")).collect();
        let wanted: Vec<&str> = wanted.lines().collect();
        for pass in Pass::ALL {
            let made = self::after(pass, DECLARATIONS, &format!("a_b = 0.0d0\n{body}x_b(1) = a_b"));
            assert!(made.windows(wanted.len()).any(|w| w == wanted), "{}: {wanted:#?}\nnot in\n{made:#?}", pass.name());
        }
    }
}

#[test]
fn first_use_assigns_what_is_zero() {
    gives(Pass::FirstUse, "a_b = 0.0d0\na_b = a_b + t_b*2d0\nx_b(1) = a_b", "a_b = t_b*2d0");
    // The second iteration adds to what the first one left.
    keeps(Pass::FirstUse, "a_b = 0.0d0\ndo i = 1, n\na_b = a_b + y_b(i)\nend do\nx_b(1) = a_b");
    // It isn't zero after one of the ways.
    keeps(Pass::FirstUse, "a_b = 0.0d0\nif (n > m) then\na_b = t_b\nend if\na_b = a_b + y_b(1)\nx_b(1) = a_b");
    let cases =
        "a_b = t_b\nselect case (n)\ncase (1)\na_b = 0.0d0\ncase default\nx_b(2) = a_b\na_b = 0.0d0\nend select";
    gives(Pass::FirstUse, &format!("{cases}\na_b = a_b + y_b(1)\nx_b(1) = a_b"), "a_b = y_b(1)\nx_b(1) = a_b");
    // An iteration may leave the loop before it is zero again.
    let left = "a_b = 0.0d0\ndo i = 1, n\na_b = y_b(i)\nif (n > m) exit\na_b = 0.0d0\nend do";
    keeps(Pass::FirstUse, &format!("{left}\na_b = a_b + y_b(1)\nx_b(1) = a_b"));
}

#[test]
fn dead_code_drops_adjoints_without_use() {
    gives(Pass::DeadCode, "t_b = 2d0\na_b = t_b\nt_b = 3d0\nx_b(1) = t_b", "t_b = 3d0\nx_b(1) = t_b");
    // The next iteration uses it.
    keeps(Pass::DeadCode, "t_b = 0.0d0\ndo i = 1, n\nx_b(i) = t_b\nt_b = y_b(i)\nend do");
    // What is left by an exit uses it, or nothing does.
    let exit = "do i = 1, n\nt_b = y_b(i)\nif (n > m) exit\nx_b(i) = 1d0\nend do";
    keeps(Pass::DeadCode, &format!("{exit}\nx_b(1) = t_b"));
    gives(Pass::DeadCode, exit, "do i = 1, n\nif (n > m) exit\nx_b(i) = 1d0\nend do");
    // Nothing is left of a branch, unless one of its blocks is of use.
    let branch = "if (n > m) then\nt_b = 1d0\nelse\na_b = 1d0\nend if";
    gives(
        Pass::DeadCode,
        &format!("t_b = y_b(1)\n{branch}\nx_b(1) = t_b"),
        "t_b = y_b(1)\nif (n > m) then\nt_b = 1d0\nend if",
    );
    gives(Pass::DeadCode, &format!("x_b(1) = 1d0\n{branch}\nx_b(2) = 2d0"), "x_b(1) = 1d0\nx_b(2) = 2d0");
}

#[test]
fn factors_are_put_together() {
    let body = "do i = 1, n - 1\nt = y_b(i)/a\nx_b(i) = x_b(i) + a*t\nx_b(i+1) = x_b(i+1) - 2d0*t\nend do";
    let made = after(Pass::Factors, DECLARATIONS, body);
    assert!(!made.iter().any(|l| l.starts_with("t =")), "{made:#?}");
    // It is of use after the loop.
    keeps(Pass::Factors, &format!("{body}\nx_b(n) = t"));
}

#[test]
fn accumulators_sum_an_element_in_a_scalar() {
    let body = "do i = 1, n\nw_b(1) = w_b(1) + 2d0*y_b(i)\nend do\nx_b(1) = w_b(1)";
    let made = after(Pass::Accumulators, &DECLARATIONS.replace("w_b(n)", "w_b(3)"), body);
    let at = made.iter().position(|l| l == "sum_b = sum_b + 2d0*y_b(i)").expect("a sum in a scalar");
    assert_eq!([&made[at - 2], &made[at + 2]], ["sum_b = 0.0d0", "w_b(1) = w_b(1) + sum_b"], "{made:#?}");
    // The array may have no such element where the loop has no iteration.
    keeps(Pass::Accumulators, body);
}

#[test]
fn fission_gives_increments_of_neighbours_loops_of_their_own() {
    let body = "do i = 2, n-1\nx_b(i-1) = x_b(i-1) + y_b(i)\nx_b(i+1) = x_b(i+1) + a*y_b(i)\nend do";
    let made = after(Pass::Fission, DECLARATIONS, body);
    assert_eq!(made.iter().filter(|l| l.starts_with("do ")).count(), 2, "{made:#?}");
    // A recurrence isn't divided.
    keeps(Pass::Fission, "do i = 2, n\nx_b(i) = x_b(i-1)*2d0\nx_b(i-1) = x_b(i-1) + y_b(i)\nend do");
}

#[test]
fn zeroing_assigns_what_is_zero_and_drops_what_is_assigned_again() {
    let body = "w_b = 0.0d0\ndo i = 1, n\nw_b(i) = w_b(i) + y_b(i)\nend do\ndo i = 1, n\nx_b(i) = w_b(i)\nend do";
    let made = after(Pass::Zeroing, DECLARATIONS, body);
    assert!(made.contains(&"w_b(i) = y_b(i)".into()) && !made.contains(&"w_b = 0.0d0".into()), "{made:#?}");
    // The last element isn't assigned.
    let made = after(Pass::Zeroing, DECLARATIONS, &body.replacen("1, n", "1, n-1", 1));
    assert!(made.iter().any(|l| l.starts_with("w_b(") && l.ends_with("= 0.0d0")), "{made:#?}");
}

#[test]
fn copies_are_read_themselves() {
    let body = "do i = 1, n\nw_b(i) = y_b(i)\nend do\ndo i = 1, n\nx_b(i) = 2d0*w_b(i)\nend do";
    gives(Pass::Copies, body, "do i = 1, n\nx_b(i) = 2d0*y_b(i)\nend do");
    // The original changes before the copy is read.
    keeps(Pass::Copies, &body.replacen("end do\n", "end do\ny_b(2) = 0.0d0\n", 1));
}

#[test]
fn fusion_makes_one_loop_of_two() {
    let body = "do i = 1, n\nw_b(i) = y_b(i)\nend do\ndo i = 1, n\nw_b(i) = a*w_b(i)\nend do";
    gives(Pass::Fusion, body, "do i = 1, n\nw_b(i) = y_b(i)\nw_b(i) = a*w_b(i)\nend do");
    // The second loop uses what later iterations of the first one assign.
    keeps(Pass::Fusion, &body.replace("a*w_b(i)", "a*w_b(n-i+1)"));
}

#[test]
fn vector_math_gives_sines_and_cosines_loops_of_their_own() {
    let body = "do i = 1, n\ny(i) = sin(x(i))\nx_b(i) = x_b(i) + cos(x(i))*y_b(i)\nend do\nx_b(1) = x_b(1) + y(1)";
    let made = after(Pass::VectorMath, DECLARATIONS, body);
    let loops = |f: &str| made.iter().filter(|l| l.contains(f)).count();
    assert_eq!((loops("= sin(x("), loops("= cos(x(")), (1, 1), "{made:#?}");
    assert!(made.iter().filter(|l| l.starts_with("do ")).count() >= 3, "{made:#?}");
    // One of them alone is left to the compiler.
    keeps(Pass::VectorMath, "do i = 1, n\nx_b(i) = x_b(i) + cos(x(i))*y_b(i)\nend do");
}

#[test]
fn order_lets_loops_ascend() {
    let body = "do i = n, 1, -1\nx_b(i) = x_b(i) + y_b(i)\ny_b(i) = 0.0d0\nend do";
    gives(Pass::Order, body, &body.replace("n, 1, -1", "1, n"));
    keeps(Pass::Order, "do i = n, 2, -1\nx_b(i-1) = x_b(i-1) + x_b(i)\nend do");
}

#[test]
fn scalar_replacement_keeps_an_element_in_a_scalar() {
    let body = "do i = 1, n\nw_b(i) = y_b(i)\nx_b(i) = x_b(i) + 2d0*w_b(i)\nend do";
    gives(Pass::ScalarReplacement, body, "w_b_here = y_b(i)\nx_b(i) = x_b(i) + 2d0*w_b_here");
    // The element is of use after the loop.
    keeps(Pass::ScalarReplacement, &format!("{body}\nx_b(1) = w_b(2)"));
}

#[test]
fn unused_scalars_are_not_computed() {
    gives(
        Pass::UnusedScalars,
        "do i = 1, n\nt = x(i)\nx_b(i) = y_b(i)\nend do",
        "do i = 1, n\nx_b(i) = y_b(i)\nend do",
    );
    keeps(Pass::UnusedScalars, "do i = 1, n\nt = x(i)\nx_b(i) = t*y_b(i)\nend do");
}

#[test]
fn simd_marks_sums() {
    let body = "do i = 1, n\na_b = a_b + x(i)*y_b(i)\nend do\nx_b(1) = a_b";
    let made = after(Pass::Simd, DECLARATIONS, body);
    assert!(made.contains(&"do i = 1, n".into()), "{made:#?}");
    // The order of iterations matters: each uses the sum so far.
    keeps(Pass::Simd, "do i = 1, n\na_b = a_b + y_b(i)\nx_b(i) = a_b\nend do");
}

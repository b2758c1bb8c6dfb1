//! What no pass has touched breaks each rule, from the pass on that establishes it.

use costate_grammar::form::ReadOptions;
use costate_grammar::program::parse_program;
use costate_grammar::source::SourceMap;

use super::{Established, Findings, findings};
use crate::normal::{Level, normalise};

const ALL: [Established; 6] = [
    Established::Types,
    Established::Inlined,
    Established::Structures,
    Established::Scalars,
    Established::Calls,
    Established::Jumps,
];

/// What is found in a body at each stage, and that nothing is once it is in normal form.
fn found(body: &str, stage: Established) -> Vec<String> {
    let text = format!(
        "module m\nimplicit none\ncontains\nreal(8) function f(a)\nreal(8), intent(in) :: a\nf = a\nend function f\n\
         subroutine s(x, v, w)\nreal(8), intent(inout) :: x, v(3), w(3, 3)\nreal(8) :: square, a\ninteger :: i\n\
         square(a) = a*a\n{body}\nend subroutine s\nend module m\n"
    );
    let mut sources = SourceMap::default();
    let (mut program, problems) = parse_program(&mut sources, [("m.f90".to_string(), text)], &ReadOptions::default());
    assert!(problems.is_empty(), "{problems:#?}");
    let id = program.procedures().find(|(_, p)| p.name.as_str() == "s").expect("the procedure").0;
    let what = |f: Findings| f.broken.into_iter().chain(f.left).map(|f| f.what).collect::<Vec<_>>();
    let raw = what(findings(&program, &program[id].body, stage));
    let normal = normalise(&mut program, id, Level::Adjoint).unwrap_or_else(|d| panic!("{body}: {d:#?}"));
    assert_eq!(what(findings(&program, &normal.body, Established::Jumps)), Vec::<String>::new(), "{body}");
    raw
}

/// A rule is broken from a stage on, and not before.
fn broken(body: &str, since: Established, what: &str) {
    for stage in ALL {
        let list = found(body, stage);
        let says = list.iter().any(|f| f == what);
        assert_eq!(says, stage >= since, "{body} at {stage:?}: {list:?}");
    }
}

#[test]
fn statement_functions_are_written_out() {
    broken("x = square(x)", Established::Inlined, "a statement function is called");
}

#[test]
fn conditions_and_bounds_call_nothing() {
    let what = "a condition or bound calls a function of the user's";
    for body in [
        "if (f(x) > 1) x = 2",
        "select case (int(f(x)))\ncase (1)\nx = 2\nend select",
        "do while (f(x) < 1)\nx = x + 1\nend do",
        "do i = 1, int(f(x))\nx = x + 1\nend do",
    ] {
        broken(body, Established::Calls, what);
    }
}

#[test]
fn constructs_become_loops_and_statements() {
    let since = Established::Structures;
    broken("forall (i = 1:3) v(i) = x", since, "`forall` is left");
    broken("where (v > 0) v = x", since, "`where` assigns real values");
    broken("do concurrent (i = 1:3)\nv(i) = x\nend do", since, "`do concurrent` is left");
    broken("associate (y => x)\ny = 1\nend associate", since, "a construct with names of its own is left");
    broken("block\nreal(8) :: y\ny = x\nx = y\nend block", since, "a construct with names of its own is left");
}

#[test]
fn real_values_are_assigned_to_scalars() {
    broken("v = v + x", Established::Scalars, "real values are assigned as an array");
    broken("w = matmul(w + 1, w)", Established::Scalars, "a factor of a product has no name");
}

#[test]
fn functions_are_called_in_statements_of_their_own() {
    let what = "a function of the user's is called within an expression";
    for body in ["x = 1 + f(x)", "x = f(f(x))", "v(int(f(x))) = x", "write (*, *) f(x)"] {
        broken(body, Established::Calls, what);
    }
    assert_eq!(found("x = f(x)", Established::Jumps), Vec::<String>::new());
}

#[test]
fn jumps_stand_at_the_ends_of_loops() {
    let what = "a jump stands elsewhere than at a loop's end";
    for body in [
        "do i = 1, 3\nif (x > 1) exit\nx = x + 1\nend do",
        "do i = 1, 3\nif (x > 1) cycle\nx = x + 1\nend do",
        "if (x > 1) return\nx = 1",
    ] {
        broken(body, Established::Jumps, what);
    }
    assert_eq!(found("do i = 1, 3\nx = x + 1\nif (x > 1) exit\nend do", Established::Jumps), Vec::<String>::new());
}

#[test]
fn types_are_checked_at_every_stage() {
    let text = "subroutine s(x, l)\nreal(8) :: x\nlogical :: l\nx = x + l\nend subroutine s\n";
    let mut sources = SourceMap::default();
    let (program, _) = parse_program(&mut sources, [("s.f90".to_string(), text.to_string())], &ReadOptions::default());
    let body = &program.procedures().next().expect("a procedure").1.body;
    assert_eq!(findings(&program, body, Established::Types).broken.len(), 1);
}

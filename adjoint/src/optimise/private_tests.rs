//! Which values a block uses that it has not assigned before, Fortran in and names out.

use costate_grammar::form::{ReadOptions, read};
use costate_grammar::source::SourceMap;

use super::private::exposed;
use crate::options::Options;
use crate::pipeline::load;

/// The names of what is exposed in a body, apart from loop bounds and conditions.
fn exposed_in(body: &str) -> String {
    let text = format!(
        "subroutine s(n, x)\nimplicit none\ninteger :: n, i, j\nreal :: x(n), a, b, c\nlogical :: p\n{body}\nend subroutine s\n"
    );
    let mut sources = SourceMap::default();
    let files = vec![read(&mut sources, "s.f90", text, &ReadOptions::default())];
    let program = load(&mut sources, &files, &Options::default()).expect("the source is understood");
    let (_, procedure) = program.procedures().next().expect("a procedure");
    let names = exposed(&procedure.body).into_iter().map(|s| program[s].name.to_string());
    let mut names: Vec<String> = names.filter(|name| name != "n" && name != "p").collect();
    names.sort();
    names.join(" ")
}

#[test]
fn what_is_assigned_before_is_not_exposed() {
    assert_eq!(exposed_in("a = b\nc = a"), "b");
    assert_eq!(exposed_in("a = x(i)\nx(i) = a"), "i x");
    assert_eq!(exposed_in("call random_number(a)\nb = a"), "a");
}

#[test]
fn branches_assign_surely_together_only() {
    assert_eq!(exposed_in("if (p) then\na = 1\nelse\na = 2\nend if\nb = a"), "");
    assert_eq!(exposed_in("if (p) then\na = 1\nend if\nb = a"), "a");
    assert_eq!(exposed_in("select case (n)\ncase (1)\na = 1\ncase default\na = 2\nend select\nb = a"), "");
    assert_eq!(exposed_in("a = 1\nselect case (n)\ncase (1)\nb = a\nend select\nc = b"), "b");
}

#[test]
fn iterations_use_what_they_assign_themselves() {
    // What another iteration, or what stands before the loop, has assigned counts as not assigned.
    assert_eq!(exposed_in("do i = 1, n\na = 1\nb = a\nend do"), "");
    assert_eq!(exposed_in("a = 0\ndo i = 1, n\nb = a\na = 1\nend do"), "a");
    assert_eq!(exposed_in("a = 0\ndo i = 1, n\nb = a\nend do"), "");
    assert_eq!(exposed_in("a = 0\ndo i = 1, n\na = 1\nend do\nb = a"), "a");
    assert_eq!(exposed_in("do i = 1, n\na = 1\nend do\nj = i"), "i");
    assert_eq!(exposed_in("do i = 1, n\na = 1\nb = a\ncall random_number(a)\nend do"), "");
    assert_eq!(exposed_in("a = 0\ndo while (a < b)\na = 1\nend do"), "a b");
}

#[test]
fn an_exit_leaves_out_what_follows_it() {
    assert_eq!(exposed_in("do i = 1, n\nif (p) exit\na = 1\nb = a\nend do"), "");
    assert_eq!(
        exposed_in("outer: do i = 1, n\nb = 1\ndo j = 1, n\nif (p) exit\nc = b\nend do\nc = b\nend do outer"),
        ""
    );
    assert_eq!(exposed_in("do i = 1, n\ndo j = 1, n\nif (p) exit\na = 1\nend do\nb = a\nend do"), "a");
}

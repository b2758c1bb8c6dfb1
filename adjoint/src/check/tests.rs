//! Code like that of adjoints, written by hand, with the errors that are to be found.

use std::collections::BTreeSet;

use costate_grammar::check::Finding;
use costate_grammar::form::ReadOptions;
use costate_grammar::ir::{Block, Name, Origin, ProcId, Program, Role, StmtKind};
use costate_grammar::program::parse_program;
use costate_grammar::source::SourceMap;

use super::{defined, memory, paired};

/// A procedure with these statements. What is assigned to `..._save` is saved.
fn program(body: &str) -> (Program, ProcId) {
    let text = format!(
        "module m\nimplicit none\ncontains\nsubroutine f_b(x, x_b, n)\nreal(8), intent(inout) :: x, x_b(9)\n\
         integer, intent(in) :: n\nreal(8) :: t, t_b, t_save\nreal(8), allocatable :: u_save(:), u_b(:)\n\
         logical :: branch\ninteger :: i, j\n{body}\nend subroutine f_b\n\
         subroutine costate_push(tape, e)\ninteger, intent(inout) :: tape\nreal(8), intent(in) :: e\ntape = 1\n\
         end subroutine\nsubroutine costate_pop(tape, e)\ninteger, intent(inout) :: tape\nreal(8), intent(out) :: e\n\
         e = 1\nend subroutine\nsubroutine g(a, b)\nreal(8), intent(in) :: a\nreal(8), intent(inout) :: b\nb = a\n\
         end subroutine\nend module m\n"
    );
    let mut sources = SourceMap::default();
    let (mut program, problems) = parse_program(&mut sources, [("m.f90".to_string(), text)], &ReadOptions::default());
    assert!(problems.is_empty(), "{problems:#?}");
    let id = program.procedures().find(|(_, p)| p.name.as_str() == "f_b").expect("the procedure").0;
    let mut body = std::mem::take(&mut program[id].body);
    mark(&program, &mut body);
    program[id].body = body;
    (program, id)
}

fn mark(program: &Program, block: &mut Block) {
    for s in block {
        if let StmtKind::Assign { lhs, .. } = &s.kind
            && lhs.as_var().is_some_and(|d| program[d.sym].name.ends_with("_save"))
        {
            s.origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Save };
        }
        s.blocks_mut().into_iter().for_each(|b| mark(program, b));
    }
}

fn found(body: &str) -> Vec<String> {
    let (program, id) = program(body);
    let mut out: Vec<Finding> = defined::undefined(&program, id, &BTreeSet::new());
    out.extend(memory::misused(&program, id));
    out.extend(paired::unpaired(&program, id));
    out.into_iter().map(|f| f.what).collect()
}

fn nothing(body: &str) {
    assert_eq!(found(body), Vec::<String>::new(), "{body}");
}

fn one(body: &str, what: &str) {
    assert_eq!(found(body), [what], "{body}");
}

const UNDEFINED: &str = "`t` is used before it has a value";

#[test]
fn values_are_used_after_they_are_defined() {
    nothing("t = x\nx = t");
    one("x = t\nt = x", UNDEFINED);
    one("x_b(int(t)) = x", UNDEFINED);
    one("if (t > x) x = 1", UNDEFINED);
    one("do i = 1, n\nt = t + x\nend do", UNDEFINED);
    one("call g(t, x)", UNDEFINED);
    // What a callee may define.
    nothing("call g(x, t)\nx = t");
    nothing("read (*, *) t\nx = t");
    // One of the branches defines it, perhaps the one that ran.
    nothing("if (x > 1) then\nt = x\nend if\nif (x > 1) x = t");
    // In the first iteration nothing uses it.
    nothing("do i = 1, n\nif (i > 1) x = t\nt = x\nend do");
    nothing("do i = 1, n\ndo j = 1, i - 1\nx = t\nend do\nt = x\nend do");
    // The passes may leave anything in loops that never run.
    nothing("do i = 2, 1\nx = t\nend do");
    // A loop's variable, and what is asked of an array that has no values.
    nothing("do i = 1, n\nx = i\nend do\nx = i");
    nothing("allocate (u_b(n))\nx = size(u_b)\ndeallocate (u_b)");
    one("allocate (u_b(n))\nx = u_b(1)\ndeallocate (u_b)", "`u_b` is used before it has a value");
}

#[test]
fn what_the_primal_uses_undefined_is_excused() {
    let (program, id) = program("x = t");
    assert_eq!(defined::names(&program, id), BTreeSet::from([Name::new("t")]));
    assert!(defined::undefined(&program, id, &BTreeSet::from([Name::new("t")])).is_empty());
    assert_eq!(defined::undefined(&program, id, &BTreeSet::new()).len(), 1);
}

#[test]
fn a_save_may_copy_what_has_no_value_yet() {
    nothing("do i = 1, n\nt_save = t\nt = x\nend do\nt = t_save\nx = t");
}

#[test]
fn memory_is_allocated_and_freed_alternately() {
    nothing("allocate (u_b(n))\nu_b = 0\ndeallocate (u_b)\nallocate (u_b(n))\nu_b = 1\nx = u_b(1)");
    one("allocate (u_b(n))\nallocate (u_b(n))\nu_b = 0\nx = u_b(1)", "`u_b` is allocated where it has memory");
    one("allocate (u_b(n))\ndeallocate (u_b)\ndeallocate (u_b)", "`u_b` is freed where it has no memory");
    one("deallocate (u_b)", "`u_b` is freed where it has no memory");
    one("u_b(1) = x", "`u_b` is used where it has no memory");
    // The second iteration finds what the first one has left.
    one("do i = 1, n\nallocate (u_b(n))\nu_b = 0\nx = u_b(1)\nend do", "`u_b` is allocated where it has memory");
    nothing("do i = 1, n\nallocate (u_b(n))\nu_b = 0\nx = u_b(1)\ndeallocate (u_b)\nend do");
    nothing("do i = 1, n\nif (i == 1) allocate (u_b(n))\nu_b(1) = x\nend do\nif (n > 0) deallocate (u_b)");
    // What a condition knows, and what reports its failure.
    nothing("if (allocated(u_b)) deallocate (u_b)\nallocate (u_b(n), stat=i)\nallocate (u_b(n), stat=i)");
}

#[test]
fn what_is_saved_is_restored() {
    nothing("t = x\nt_save = t\nt = 2*x\nx = t\nt = t_save\nx = t");
    one("t = x\nt_save = t\nt = 2*x\nx = t", "a value is saved in `t_save` and never restored");
    one("x = t_save", "`t_save` is used before it has a value");
    one(
        "allocate (u_save(n))\ndo i = 1, n\nu_save(i) = x\nend do\ndeallocate (u_save)",
        "a value is saved in `u_save` and never restored",
    );
}

/// A forward and a backward sweep that have a tape.
fn tape(forward: &str, backward: &str) -> Vec<String> {
    let body = format!("j = 0\n{forward}\n{backward}").replace("push ", "call costate_push(j, ");
    let body = body.replace("pop ", "call costate_pop(j, ").replace(';', ")\n");
    found(&body)
}

#[test]
fn what_is_popped_was_pushed_last() {
    let none = Vec::<String>::new();
    assert_eq!(tape("push x;push x_b(1);", "pop x_b(1);pop x;"), none);
    let elsewhere = "is popped where another value lies on the tape";
    assert_eq!(
        tape("push x;push x_b(1);", "pop x;pop x_b(1);"),
        [format!("`x` {elsewhere}"), format!("`x_b(1)` {elsewhere}")]
    );
    assert_eq!(tape("push x;push x;", "pop x;"), ["`x` is pushed and never popped"]);
    assert_eq!(tape("push x;", "pop x;pop x;"), ["`x` is popped and was never pushed"]);
}

#[test]
fn loops_and_branches_pop_what_they_push() {
    let none = Vec::<String>::new();
    let over = |e: &str| format!("do i = 1, n\n{e}\nend do");
    let under = |e: &str| format!("if (x > 1) then\n{e}\nend if");
    assert_eq!(tape(&over("push x;push x_b(i);"), &over("pop x_b(i);pop x;")), none);
    assert_eq!(tape(&over(&under("push x;")), &over(&under("pop x;"))), none);
    assert_eq!(tape(&over("push x;"), "pop x;"), ["`x` is popped where another value lies on the tape"]);
    assert_eq!(tape(&under("push x;"), ""), ["`x` is pushed and never popped"]);
    // The last iteration stands apart.
    let apart = format!("{}\npush x;push x_b(1);", over("push x;push x_b(1);"));
    assert_eq!(tape(&apart, &over("pop x_b(1);pop x;")), none);
    assert_eq!(tape(&apart, &over("pop x;pop x_b(1);")).len(), 2);
    // Iterations that run again push and pop at once.
    assert_eq!(tape("", &over("push x;x = 2\npop x;")), none);
}

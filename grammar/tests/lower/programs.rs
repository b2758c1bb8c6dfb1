use super::{DOUBLE, lower, lower_files};
use costate_grammar::diag::Severity;
use costate_grammar::ir::{ParentUnit, ProcKind, Ty};

#[test]
fn use_with_renames_only_lists_and_re_export() {
    let f = lower(
        "module top
use middle
contains
subroutine s(y)
  use base, only: renamed => x
  real(8) :: y
  y = x + z + renamed + w
end subroutine
end module
module middle
use base, w => hidden
implicit none
real(8) :: z
end module
module base
implicit none
real(8) :: x, hidden
real(8), private :: secret
end module
",
    );
    let x = f.sym("s", "x");
    assert_eq!(f.sym("s", "renamed"), x);
    assert_eq!(f.program[f.sym("s", "w")].name.as_str(), "hidden");
    let scope = f.program[f.proc("s")].scope;
    assert!(f.program.lookup(scope, "secret").is_none() && f.program.lookup(scope, "hidden").is_none());
    assert_ne!(f.program[x].scope, scope);
    assert_eq!(f.program[scope].uses[0].items[0].remote.as_str(), "x");
}

#[test]
fn private_names_do_not_leave_their_module() {
    let f = lower_files(&[(
        "t.f90",
        "module a\nprivate\npublic :: p\nreal :: p, q\nend module\nsubroutine s\nuse a\nimplicit none\np = 1\nend subroutine\nsubroutine t\nuse a, only: q\nend subroutine\n",
    )]);
    let scope = f.program[f.proc("s")].scope;
    assert!(f.program.lookup(scope, "p").is_some() && f.program.lookup(scope, "q").is_none());
    assert!(f.program[f.proc("t")].problems.iter().any(|d| d.code.as_str() == "C0202"));
}

#[test]
fn generics_of_several_modules_are_one() {
    let f = lower(
        "module a\ninterface f\nmodule procedure fa\nend interface\ncontains\nreal function fa(x)\nreal :: x\nfa = x\nend function\nend module
module b\ninterface f\nmodule procedure fb\nend interface\ncontains\ninteger function fb(x)\ninteger :: x\nfb = x\nend function\nend module
subroutine s(x, i)\nuse a\nuse b\nreal :: x\ninteger :: i\nx = f(x)\ni = f(i)\nend subroutine\n",
    );
    assert_eq!(f.all("s"), ["x = call f->fa(x)", "i = call f->fb(i)"]);
}

#[test]
fn an_unknown_module_is_the_problem_of_its_user() {
    let f = lower_files(&[(
        "t.f90",
        "module m\ncontains\nsubroutine s(x)\nuse nowhere, only: report, factor\nimplicit none\nreal :: x\ncall report(x)\nend subroutine\nsubroutine t(x)\nuse nowhere, only: factor\nimplicit none\nreal :: x\nx = factor*x\nend subroutine\nend module\n",
    )]);
    assert!(f.diagnostics.is_empty());
    let errors = |p: &str| f.program[f.proc(p)].problems.iter().filter(|d| d.severity == Severity::Error).count();
    // A call is a call; a value of unknown type can't be differentiated.
    assert_eq!((errors("s"), errors("t")), (0, 1));
    assert!(f.program[f.proc("s")].problems.iter().any(|d| d.code.as_str() == "C0201"));
}

#[test]
fn without_an_only_list_any_name_might_be_the_modules() {
    let f = lower_files(&[("t.f90", "subroutine s(x)\nuse nowhere\nreal :: x\nx = y\nend subroutine\n")]);
    let problems = &f.program[f.proc("s")].problems;
    assert!(problems.iter().any(|d| d.code.as_str() == "C0201" && d.severity == Severity::Error));
    assert!(problems.iter().any(|d| d.code.as_str() == "C0202"));
}

#[test]
fn submodules_hold_the_bodies() {
    let f = lower(
        "module m
interface
  module subroutine a(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
  end subroutine
  module function b(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
  end function
end interface
real(8) :: shared
end module
submodule (m) sm
contains
module procedure a
  x(n) = 2*x(n)*shared
end procedure
module function b(x) result(r)
  real(8), intent(in) :: x
  real(8) :: r
  r = x
end function
end submodule
subroutine s(x)
use m
real(8) :: x, y(3)
call a(3, y)
x = b(x)
end subroutine
",
    );
    let a = f.proc("a");
    assert_eq!(f.program[a].dummies.len(), 2);
    assert_eq!(f.program[f.sym("s", "a")].procedure().expect("a procedure").definition, Some(a));
    assert_eq!(f.program[f.sym("s", "b")].procedure().expect("a procedure").definition, Some(f.proc("b")));
    assert_eq!(f.all("a"), ["x[n] = (* (* 2 x[n]) shared)"]);
    // The bound names the body's own dummy.
    let costate_grammar::ir::Dim::Explicit(_, hi) = &f.var("a", "x").dims[0] else { panic!() };
    assert_eq!(hi.as_var().expect("n").sym, f.program[a].dummies[0]);
    assert_eq!(f.rhs("s")[0].ty, DOUBLE);
}

#[test]
fn main_programs() {
    let f = lower(
        "program p\nimplicit none\ninteger :: i\ni = 1\ncontains\nsubroutine q\ni = 2\nend subroutine\nend program\n",
    );
    assert_eq!(f.program[f.proc("p")].kind, ProcKind::Program);
    assert_eq!(f.program[f.proc("q")].parent, ParentUnit::Procedure(f.proc("p")));
}

#[test]
fn intrinsic_modules() {
    let f = lower(
        "subroutine s(x, y)
use, intrinsic :: iso_fortran_env, only: wp => real64, output_unit
use, intrinsic :: ieee_arithmetic
use omp_lib
implicit none
real(wp) :: x, y(3)
logical :: l
integer :: n
l = ieee_is_nan(x)
x = ieee_value(x, ieee_quiet_nan)
n = omp_get_thread_num()
write (output_unit, *) x
end subroutine
",
    );
    let types: Vec<Ty> = f.rhs("s").iter().map(|e| e.ty).collect();
    assert_eq!(types, [Ty::LOGICAL, DOUBLE, Ty::INTEGER]);
}

#[test]
fn mpi_names_are_known_by_their_prefix() {
    let f = lower(
        "subroutine s(x)\nuse mpi\nimplicit none\nreal(8) :: x\ninteger :: ierr\ncall mpi_bcast(x, 1, mpi_double_precision, 0, mpi_comm_world, ierr)\nend subroutine\n",
    );
    assert_eq!(f.all("s"), ["call mpi_bcast(x,1,mpi_double_precision,0,mpi_comm_world,ierr)"]);
    let g =
        lower("subroutine s(c)\nuse mpi_f08\nimplicit none\ntype(mpi_comm) :: c\nc = mpi_comm_world\nend subroutine\n");
    assert!(g.rhs("s")[0].is_derived());
}

#[test]
fn definitions_that_clash_are_told_of() {
    let f = lower_files(&[("a.f90", "subroutine s\nend subroutine\n"), ("b.f90", "subroutine s\nend subroutine\n")]);
    assert_eq!(f.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["C0203"]);
}

#[test]
fn files_in_any_order_give_the_same_facts() {
    let user = ("u.f90", "subroutine s(x)\nuse k, only: wp\nreal(wp) :: x\nx = 1.0_wp\nend subroutine\n");
    let kinds = ("k.f90", "module k\ninteger, parameter :: wp = 8\nend module\n");
    for files in [[user, kinds], [kinds, user]] {
        let f = lower_files(&files);
        assert!(f.all_problems().is_empty());
        assert_eq!((f.var("s", "x").ty, f.rhs("s")[0].ty), (DOUBLE, DOUBLE));
    }
}

#[test]
fn odd_input_does_not_panic() {
    let texts = [
        "",
        "end",
        "module",
        "contains",
        "x",
        "subroutine s(\n",
        "function f(x)\nend",
        "use m",
        "module a\nuse a\nend module",
        "module a\nuse b\nend module\nmodule b\nuse a\nend module",
        "submodule (a) a\nend submodule",
        "integer, parameter :: n = n\nend",
        "subroutine s\ntype(t) :: x\nx%y%z(1)%w = 1\nend",
        "type :: t\ntype(t) :: a\nend type\nend",
        "do\nend",
        "if (x) then\nend",
        "module m\ntype, extends(t) :: t\nend type\ncontains\nsubroutine s(x)\nclass(t) :: x\nx%a = 1\ncall x%b\nend\nend",
        "interface f\nmodule procedure f\nend interface\nx = f(1)\nend",
        "character(len=len(c)) :: c\nend",
        "x = 99999999999999999999\nend",
        "module m\ninterface g\nmodule procedure h\nend interface\ninterface h\nmodule procedure g\nend interface\ncontains\nsubroutine s\ncall g(1)\nend\nend",
    ];
    for t in texts {
        let _ = lower_files(&[("t.f90", t)]);
    }
}

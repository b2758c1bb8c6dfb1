//! Text to IR to text to IR: what is printed means what was read, and printing it again changes nothing.

use std::fmt::Debug;

use costate_grammar::form::{self, ReadOptions};
use costate_grammar::ir::*;
use costate_grammar::lower::{self, FileInput};
use costate_grammar::print::{self, Style};
use costate_grammar::source::SourceMap;

use crate::compile::accepts;

fn parse(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let read = form::read(&mut sources, "a.f90", text.to_string(), &ReadOptions::default());
    assert!(read.diagnostics.is_empty(), "{:?}\n{text}", read.diagnostics);
    let (program, diagnostics) = lower::lower(&sources, &[FileInput::from(read)]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    for (_, p) in program.procedures() {
        assert!(p.problems.is_empty(), "{:?}\n{text}", p.problems);
    }
    for (_, m) in program.modules() {
        assert!(m.problems.is_empty(), "{:?}\n{text}", m.problems);
    }
    program
}

fn print_all(program: &Program) -> String {
    let style = Style::default();
    let modules = program.modules().filter(|(_, m)| m.kind != ModuleKind::Intrinsic);
    let mut out: String = modules.map(|(id, _)| print::module(program, id, &style) + "\n").collect();
    for (id, p) in program.procedures() {
        if matches!(p.parent, ParentUnit::File(_)) {
            out += &print::procedure(program, id, &style);
            out.push('\n');
        }
    }
    out
}

/// A value's debug text with names in place of symbols, and without identities and places.
fn meaning(program: &Program, value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    let starts = ["Handle(", "Span {", "StmtId("];
    while let Some((at, start)) = starts.iter().filter_map(|s| rest.find(s).map(|i| (i, *s))).min() {
        out.push_str(&rest[..at]);
        let close = if start == "Span {" {
            "}"
        } else if start == "StmtId(" {
            ")"
        } else {
            ">)"
        };
        let end = at + rest[at..].find(close).expect("an end") + close.len();
        let inner = &rest[at..end];
        if inner.contains("Symbol>") {
            let digits: String = inner[start.len()..].chars().take_while(char::is_ascii_digit).collect();
            out.push_str(program[SymId::new(digits.parse().expect("a number"))].name.as_str());
        }
        rest = &rest[end..];
    }
    out + rest
}

/// What is kept of a program: procedures with their statements and declarations, by name.
fn meanings(program: &Program) -> Vec<String> {
    let mut out = Vec::new();
    for (_, p) in program.procedures() {
        let mut names: Vec<&Name> = program[p.scope].names.keys().collect();
        names.sort();
        out.push(format!("{} {:?} {:?} {names:?}", p.name, p.prefix, p.bind));
        for (name, sym) in &program[p.scope].names {
            if let Some(v) = program.var(*sym) {
                // Values of `data` statements print as initial values.
                let v = Variable { data: false, ..v.clone() };
                out.push(format!("  {} {name} {}", p.name, meaning(program, &v)));
            }
        }
        for_each_stmt(&p.body, &mut |s| {
            out.push(format!(
                "  {} {:?} {:?} {:?} {}",
                p.name,
                s.label,
                s.leading,
                s.trailing,
                meaning(program, &s.kind)
            ));
        });
    }
    out.sort();
    out
}

fn check(text: &str) {
    accepts(text);
    let first = parse(text);
    let printed = print_all(&first);
    accepts(&printed);
    let second = parse(&printed);
    for (a, b) in meanings(&first).iter().zip(&meanings(&second)) {
        assert_eq!(a, b, "{printed}");
    }
    assert_eq!(meanings(&first).len(), meanings(&second).len(), "{printed}");
    assert_eq!(print_all(&second), printed);
}

/// Statements in a procedure with variables of many kinds.
fn check_body(body: &str) {
    check(&format!(
        "module kinds
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  type part
    real(wp) :: w(3)
    integer :: k = 0
  end type part
  type whole
    type(part) :: p
    type(part), allocatable :: list(:)
    real(wp), pointer :: q(:) => null()
  end type whole
contains
  subroutine work(n, x, y, z, s, flag, name)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n), y(n, n), z
    type(whole), intent(inout), target :: s
    logical, intent(in) :: flag
    character(len=*), intent(in) :: name
    integer :: i, j, k, ierr
    real(wp), allocatable :: a(:), b(:, :)
    real(wp), pointer :: p(:)
    complex(wp) :: c
{body}
  end subroutine work
  function scaled(v, by) result(r)
    real(wp), intent(in) :: v
    real(wp), intent(in), optional :: by
    real(wp) :: r
    r = v
    if (present(by)) r = v*by
  end function scaled
  subroutine note(v, times)
    real(wp), intent(inout) :: v
    integer, intent(in) :: times
    v = v + times
  end subroutine note
end module kinds
"
    ));
}

#[test]
fn expressions() {
    check_body(
        "    z = -x(1)**2 + (-x(2))**3*(-z) - (z - (z - 1.0_wp)) + 2**3**2
    z = (z*x(1))*x(2) + z*(x(1)*x(2)) + z/(x(1)/x(2)) + ((z))
    z = scaled(z, by=1.5e-3_wp) + scaled(v=x(n)) + 1.0d0*2.e0_wp + real(n, wp)
    z = s%p%w(2) + s%list(n)%w(i+1) + sum(s%list(1:n:2)%k) + s%q(n - 1)
    x = [1.0_wp, 2.0_wp, (real(i, wp), i=3, n)]
    x(1:n-1) = x(2:) + y(:, 1) + matmul(y, x)
    x(2:n) = max(x(1:n - 1), 0.0_wp, z)
    c = (1.0_wp, -2.0_wp)*conjg(c) + cmplx(z, 0, kind=wp)
    z = merge(1.0_wp, 2.0_wp, flag .and. .not. (z > x(1) .or. n == 3) .eqv. n /= 4)
    k = ichar(name(1:1)) + len_trim(name(2:) // 'it''s')
    s%p = part([1.0_wp, 2.0_wp, 3.0_wp], k=-1)
    s%p = part(w=0.0_wp)",
    );
}

#[test]
fn constructs() {
    check_body(
        "    ! before the loop
    outer: do i = 1, n  ! beside it
      do j = n, 1, -1
        if (x(j) < 0) cycle outer
        if (x(j) > 10) exit outer
        x(j) = x(j) + 1
      end do
    end do outer
    do while (z > 1)
      z = z/2
    end do
    do
      z = z*2
      if (z > 4) exit
    end do
    do concurrent (i = 1:n, j = 1:n, i /= j)
      y(i, j) = 0
    end do
    if (flag) then
      z = 1
    else if (n > 3) then
      ! alone
      z = 2
    else
      z = 3
    end if
    pick: select case (n)
    case (1, 3:5)
      z = 1
    case (:-1)
      z = 2
    case default
      z = 3
    end select pick
    where (x > 0)
      x = 1/x
    elsewhere (x < -1)
      x = -1
    elsewhere
      x = 0
    end where
    where (y > 1) y = 1
    forall (i = 1:n, j = 1:n, i < j) y(i, j) = y(j, i)
    forall (i = 1:n)
      y(i, i) = x(i)
    end forall
    associate (w => s%p%w, total => z + x(1))
      w(1) = total
    end associate
    block
      real(wp) :: t(n)
      integer, parameter :: two = 2
      t = x*two
      x = t
    end block",
    );
}

#[test]
fn simple_statements() {
    check_body(
        "    call note(z, 3)
    call note(times=3, v=z)
    allocate(a(n), b(0:n, n), stat=ierr)
    allocate(p, source=x)
    a = x
    p => x_target()
    p(0:) => s%q
    nullify(p)
    deallocate(a, b, stat=ierr)
    if (ierr /= 0) error stop 'allocation'
    if (n < 0) stop 3
    if (n == 7) goto 10
    z = 2
10  continue
    write(*, *) 'z', z
    read(name, *) k
    if (flag) return
    call random_number(x)
  contains
    function x_target() result(r)
      real(wp), pointer :: r(:)
      r => s%q
    end function x_target",
    );
}

#[test]
fn directives() {
    check_body(
        "    !$omp parallel do private(j) reduction(+: z) schedule(static)
    do i = 1, n
      do j = 1, n
        z = z + y(j, i)
      end do
    end do
    !$omp end parallel do
    !$omp parallel
    !$omp single
    z = 0
    !$omp end single
    !$omp barrier
    !$omp critical(lock)
    z = z + 1
    !$omp end critical(lock)
    !$omp end parallel
    !$acc parallel loop
    do i = 1, n
      x(i) = 0
    end do",
    );
}

#[test]
fn units() {
    check(
        "module base
  use, intrinsic :: iso_fortran_env, only: wp => real64, int64
  implicit none
  private
  public :: vec, operator(+), make, twice, apply, level
  type :: vec
    real(wp) :: a(3) = 0
  end type vec
  interface operator(+)
    module procedure add
  end interface operator(+)
  interface make
    module procedure from_real, from_integer
  end interface make
  abstract interface
    pure function map(v)
      import :: wp
      real(wp), intent(in) :: v
      real(wp) :: map
    end function map
  end interface
  integer(int64), save :: level = 3_int64
contains
  elemental function add(a, b) result(r)
    type(vec), intent(in) :: a, b
    type(vec) :: r
    r%a = a%a + b%a
  end function add
  function from_real(x) result(r)
    real(wp), intent(in) :: x
    type(vec) :: r
    r = vec([x, x, x])
  end function from_real
  function from_integer(i) result(r)
    integer, intent(in) :: i
    type(vec) :: r
    r = make(real(i, wp)) + make(1.0_wp)
  end function from_integer
  recursive subroutine twice(f, x)
    procedure(map) :: f
    real(wp), intent(inout) :: x
    call inner()
    x = f(x)
  contains
    subroutine inner()
      x = f(x)
    end subroutine inner
  end subroutine twice
  subroutine apply(x) bind(c, name='apply_c')
    real(wp), intent(inout) :: x
    call twice(half, x)
  end subroutine apply
  pure function half(v)
    real(wp), intent(in) :: v
    real(wp) :: half
    half = v/2
  end function half
end module base

subroutine legacy(n, x, ext, f)
  use base, only: thing => vec, operator(+)
  implicit double precision (a-h, o-z)
  integer n
  dimension x(n), w(2, 3)
  external ext, f
  real, save :: count = 0
  type(thing) t
  common /blk/ s(4), k
  sq(q) = q*q
  data w /6*1.5d0/
  t = t + t
  do 20 i = 1, n
    x(i) = sq(x(i)) + f(x(i)) + w(1, 2) + s(1) + k
20 continue
  call ext(n, x)
  count = count + 1
  q = count
end subroutine legacy
",
    );
}

#[test]
fn storage() {
    check(
        "subroutine f(x)
  implicit none
  real(8), intent(inout) :: x
  real(8) :: a(2), b, c(2, 2), u, v, w, total
  integer :: i, j
  common /blk/ w, v
  common /blk/ u
  common total
  equivalence (a(1), b)
  data i, j /3, 4/
  data c(1, 1), c(2, 2) /2*1.0d0/
  namelist /group/ x, i
  !$omp threadprivate(/blk/)
  b = x
  x = a(1)*c(1, 1) + i*j*u
  write(*, nml=group)
end subroutine f

module shared
  implicit none
  real(8) :: t, plain
  !$omp threadprivate(t)
end module shared
",
    );
}

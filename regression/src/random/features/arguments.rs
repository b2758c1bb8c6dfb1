//! How arguments are passed: by value, absent and passed on, functions as arguments.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "left_by_calls",
        procedures: &[
            "subroutine lcg(a, w, s)
real(8), intent(in) :: a(:)
real(8), intent(out) :: w(:), s
integer :: i
do i = 1, size(a)
w(i) = sin(a(i)) + 0.1d0*a(1)
end do
s = 0.3d0 + sum(w*w)/(1 + size(w))
end subroutine lcg",
            "subroutine lci(w, s)
real(8), intent(inout) :: w(:), s
w = tanh(w)
if (size(w) > 1) s = 0.5d0*s + sum(w)*w(1)/size(w)
end subroutine lci",
            "subroutine lcn(a, w, s)
real(8), intent(in) :: a(:)
real(8), intent(out) :: w(:), s
call lcg(a, w, s)
w(1) = s*w(1)
s = sin(s)
end subroutine lcn",
        ],
        locals: &[("lcw", "real(8) :: lcw(40)", "lcw = 0.2d0*{x}(1)")],
        statements: &[
            "call lcg({A}, lcw(:size({A})), {t})",
            "call lcg(lcw(2:4), lcw(6:8), {t})\nlcw(3) = lcw(7)*{t}",
            "{A} = lcw(:size({A}))*sin({v})",
            "call lci({A}, {t})",
            "call lci(lcw, {t})",
            "call lcn({A}, lcw(:size({A})), {t})\n{t} = {t}*lcw(1)",
            "do {m} = 1, n\ncall lcg({A}, lcw(:size({A})), {t})\n{A}({m}) = lcw(1)*{t}\nend do",
            "do {m} = 1, n\ncall lci(lcw(:{m}), {t})\ncall lcn(lcw(1:3), lcw(11:13), {t})\nlcw(2) = {t}*lcw(12)\nend do",
            "if ({v} > 0.3d0) call lcn({A}, lcw(:size({A})), {t})",
        ],
        observed: &["lcw(2)", "lcw(7)"],
        ..NONE
    },
    Feature {
        name: "value",
        module: &[("tva", "type tva\n  real(8) :: a\n  integer :: k\nend type tva", "")],
        procedures: &[
            "real(8) function vaf(s)
real(8), value :: s
s = sin(s)*s
vaf = s*cos(s)
end function vaf",
            "subroutine vas(s, r)
type(tva), value :: s
real(8), intent(inout) :: r
s%a = sin(s%a)*s%k
r = sin(r + s%a)
end subroutine vas",
            "subroutine vai(k, a, s, r)
integer, value :: k
real(8), intent(in) :: a(:)
real(8), value :: s
real(8), intent(inout) :: r
do while (k >= 1)
r = sin(r + s*a(min(k, size(a))))
s = cos(s + r)
k = k - 1
end do
end subroutine vai",
        ],
        locals: &[("vao", "type(tva) :: vao", "vao = tva(0.3d0*{x}(1), 2)")],
        statements: &[
            "{t} = sin(vaf({v}) + {v})",
            "{t} = vaf({e})",
            "call vas(vao, {t})\n{t} = {t}*cos(vao%a)",
            "vao%a = sin({e})\nvao%k = mod({k}, 3) + 1",
            "call vas(tva(sin({e}), 2), {t})",
            "call vai({p}, {A}, {v}, {t})\n{t} = sin({t} + {v} + {p})",
            "do {m} = 1, n\ncall vai({m}, {A}, ({e}), {t})\nend do",
        ],
        observed: &["vao%a"],
        ..NONE
    },
    Feature {
        name: "absent_forwarded",
        procedures: &[
            "subroutine abtop(a, b, c)
real(8), intent(in) :: a
real(8), intent(inout), optional :: b
real(8), intent(out), optional :: c
call ablow(sin(a), b=b, c=c)
if (present(c) .and. present(b)) c = c*b
end subroutine abtop",
            "recursive subroutine ablow(a, b, c, k)
real(8), intent(in) :: a
real(8), intent(inout), optional :: b
real(8), intent(out), optional :: c
integer, intent(in), optional :: k
if (present(k)) then
if (present(b)) b = cos(b)
else
call ablow(0.5d0*a, b, k=2)
end if
if (present(b)) b = sin(b*a)
if (present(c)) c = cos(a)
end subroutine ablow",
        ],
        statements: &[
            "call abtop(({e}), b={t})",
            "call abtop(({e}), c={t})",
            "call abtop(({e}), {t}, {v})",
            "call abtop(({e}))",
            "do {m} = 1, n\ncall abtop(({e}), b={t})\ncall abtop({t}, c={A}({m}))\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "absent_steering",
        procedures: &["subroutine agrun(a, r, first, last)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
integer, intent(in), optional :: first
integer, intent(inout), optional :: last
integer :: i, k, l
k = 1
if (present(first)) k = first
l = size(a)
if (present(last)) l = min(l, last)
do i = k, l
r = sin(r + a(i))
end do
if (present(last)) last = k
end subroutine agrun"],
        statements: &[
            "call agrun({A}, {t})",
            "call agrun({A}, {t}, {i})",
            "call agrun({A}, {t}, last={p})\n{t} = sin({t}*{A}({p}))",
            "call agrun({A}, {t}, 1, {p})",
        ],
        ..NONE
    },
    Feature {
        name: "allocatable_result",
        procedures: &[
            "function arone(a) result(r)
real(8), intent(in) :: a
real(8), allocatable :: r
r = sin(a)*a
end function arone",
            "function arsome(k, a) result(r)
integer, intent(in) :: k
real(8), intent(in) :: a
real(8), allocatable :: r(:)
integer :: i
allocate(r(k))
do i = 1, k
r(i) = sin(a*i)
end do
end function arsome",
            "function arfrom(k, a) result(r)
integer, intent(in) :: k
real(8), intent(in) :: a
real(8), allocatable :: r(:)
integer :: i
if (k < 1) then
allocate(r(-2:-3))
return
end if
allocate(r(0:k-1))
r(0) = sin(a)
do i = 1, k - 1
r(i) = sin(r(i-1)*a)
end do
end function arfrom",
        ],
        locals: &[("arv", "real(8), allocatable :: arv(:)", "allocate(arv(0:2))\narv = 0.3d0*{x}(1)")],
        statements: &[
            "{t} = sin(arone({e})*{l})",
            "{t} = arone({t}) + arone(sin({e}))",
            "{t} = sin(sum(arsome({i}, {e})))",
            "arv = arfrom(3, {e})\n{t} = sin({t} + arv(lbound(arv, 1))*ubound(arv, 1))",
            "arv = arfrom({p}, {t})\narv = sin(arv*arv(lbound(arv, 1)))",
            "{t} = sin(sum(arfrom(3, {e})*arfrom(3, {t})))",
            "{t} = cos({t} + sum(arfrom(0, {e})))",
        ],
        observed: &["sum(arv)"],
        ..NONE
    },
    Feature {
        name: "external_interface",
        outside: &[(
            "_xs",
            "subroutine @_xs(a, b)
  implicit none
  real(8), intent(in) :: a(:)
  real(8), intent(inout) :: b(:)
  integer :: i
  do i = 1, size(b)
    b(i) = sin(b(i)*a(size(a)+1-i))
  end do
end subroutine @_xs
subroutine @_xv(s, k, r)
  implicit none
  real(8), value :: s
  integer, value :: k
  real(8), intent(inout) :: r
  do while (k > 0)
    s = sin(s)
    r = cos(r + s)
    k = k - 1
  end do
end subroutine @_xv
",
        )],
        module: &[(
            "_xs",
            "interface
  subroutine @_xs(a, b)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: b(:)
  end subroutine @_xs
  subroutine @_xv(s, k, r)
    real(8), value :: s
    integer, value :: k
    real(8), intent(inout) :: r
  end subroutine @_xv
end interface",
            "",
        )],
        statements: &[
            "call @_xs({A}, {B})",
            "call @_xs({A}(1:n:2), {B}(1:n:2))\ncall @_xs({B}(n:1:-1), {A})",
            "call @_xs({A}(1:1), {B}(n:n))\ncall @_xv({t}, {1|2}, {v})\n{t} = sin({t} + {v})",
            "call @_xs({A}(2:n), {B}(2:n))\ndo {m} = 1, n\ncall @_xv(({e}), 2, {A}({m}))\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "procedure_argument",
        module: &[("dpm", "real(8) :: dpm", "dpm = 0.3d0*x(n)")],
        procedures: &[
            "subroutine dpapply(op, k, r)
interface
subroutine op(k)
integer, intent(in) :: k
end subroutine op
end interface
integer, intent(in) :: k
real(8), intent(inout) :: r
integer :: i
do i = 1, k
call op(i)
r = sin(r + dpm)
end do
end subroutine dpapply",
            "subroutine dpstep(k)
integer, intent(in) :: k
dpm = sin(dpm*dpm + k)
end subroutine dpstep",
            "subroutine dpother(k)
integer, intent(in) :: k
dpm = cos(dpm + 0.1d0*k)
end subroutine dpother",
        ],
        statements: &[
            "call dpapply({dpstep|dpother}, {2|{k}}, {t})",
            "dpm = sin({e})\ncall dpapply({dpstep|dpother}, 2, {t})",
            "{t} = sin(dpm*{e})",
        ],
        observed: &["dpm"],
        ..NONE
    },
    Feature {
        name: "changed_sections",
        locals: &[
            ("csa", "real(8) :: csa(3, 2)", "csa = 0.3d0"),
            ("csb", "real(8) :: csb(0:2, -1:0)", "csb = 0.2d0"),
            ("csk", "integer :: csk", "csk = 1"),
        ],
        procedures: &[
            "subroutine cscolumn(k, u, a)
integer, intent(in) :: k
real(8), intent(in) :: u
real(8), intent(inout) :: a(3, 2)
integer :: i
do i = 1, 3
  a(i, k) = sin(a(i, k)*u + a(1, 3 - k))
end do
a(2, k) = a(2, k)*a(1, k)
end subroutine cscolumn",
            // The index moves on inside, the row is given by an expression.
            "subroutine csrow(k, u, a)
integer, intent(inout) :: k
real(8), intent(in) :: u
real(8), intent(inout) :: a(:, :)
call csset(k + 1, u, a)
k = mod(k, 2) + 1
call cscolumn(k, u, a)
end subroutine csrow",
            "subroutine csset(r, u, a)
integer, value :: r
real(8), intent(in) :: u
real(8), intent(inout) :: a(:, :)
a(r, :) = cos(a(r, :)*u)
if (u > 0.4d0) then
  r = 1
  a(r, 2) = a(r, 2)*u
end if
end subroutine csset",
            "subroutine csmaybe(k, u, a)
integer, intent(in) :: k
real(8), intent(in) :: u
real(8), intent(inout) :: a(3, 2)
if (k > 2) return
a(:, k) = a(:, k)*u
end subroutine csmaybe",
            // Another shape has other columns.
            "subroutine csother(k, u, a)
integer, intent(in) :: k
real(8), intent(in) :: u
real(8), intent(inout) :: a(2, 3)
a(:, k) = sin(a(:, k) + u)
end subroutine csother",
        ],
        statements: &[
            "call cscolumn({1|2}, {l}, csa)\n{t} = sin({t}*csa({1|2}, {1|2}))",
            "do csk = 1, 2\ncall cscolumn(csk, {l}, {csa|csb})\n{t} = cos({t}*csa(csk, 1))\nend do\ncsk = mod(csk, 2) + 1",
            "call csrow(csk, {t}, {csa|csb})\n{t} = sin({t} + csb({0|1|2}, {-1|0})*csa(csk, csk))",
            "do csk = 1, 4\ncall csmaybe(csk, {l}, csa)\nend do\ncsk = {1|2}",
            "call csother({1|2|3}, {t}, {csa|csb})\n{t} = cos({t}*csa(2, {1|2}))",
            "csa({1|2|3}, {1|2}) = {e}\ncsb({0|1|2}, {-1|0}) = sin({l})",
            "call csset({2|3}, {t}, csb)\ncsa(csk, 2) = sin({t}*csb(1, 0))",
        ],
        observed: &["sum(csa*csa)", "sum(csb)*csa(2, 2)", "dble(csk)"],
        ..NONE
    },
];

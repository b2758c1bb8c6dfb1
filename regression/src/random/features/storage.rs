//! Memory with several names: common blocks and equivalence.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "common",
        module: &[("_cb1", "", "call cmstart(0.3d0*x(1), x(n))")],
        procedures: &[
            "subroutine cmstart(u, v)
real(8), intent(in) :: u, v
real(8) :: s, w(3)
common /@_cb1/ s, w
s = u
w = [v, 0.2d0, 0.5d0*u]
end subroutine cmstart",
            "subroutine cmput(u)
real(8), intent(in) :: u
real(8) :: s, w(3)
common /@_cb1/ s, w
w(2) = cos(w(2)*u)
s = sin(s + u)
end subroutine cmput",
            "subroutine cmget(r)
real(8), intent(inout) :: r
real(8) :: s, w(3)
common /@_cb1/ s, w
r = sin(r + s*w(2))
end subroutine cmget",
        ],
        statements: &[
            "call cmput(({e}))",
            "call cmget({t})",
            "call cmput(({e}))\ncall cmget({t})",
            "if ({c}) call cmput(({e}))\ncall cmget({t})",
        ],
        ..NONE
    },
    Feature {
        name: "module_equivalence",
        // gfortran 12 compiles descending loops over two elements wrongly where it is to optimise.
        module: &[
            ("meqa", "real(8) :: meqa(3, 2)", "meqa = 0.3d0*x(1)"),
            ("meql", "real(8) :: meql(3)\nequivalence (meql, meqa)", ""),
            ("meqh", "real(8), save :: meqh(4)\nequivalence (meqa(1, 2), meqh(1))", "meqh(4) = 0.2d0*x(n)"),
        ],
        procedures: &["subroutine meput(u)
real(8), intent(in) :: u
meql(2:3) = meqh(1:2)*sin(u)
meqh(3) = cos(u + meqa(2, 1))
end subroutine meput"],
        statements: &[
            "meql({1|2|3}) = sin({e})",
            "meqh({1|4}) = {S}({l}*meql({2|3}))",
            "{t} = sin({t} + meqa(1, 2)*meqh({1|2}))",
            "call meput({l})\n{t} = cos({t}*sum(meqa) + meql(3))",
            "meqa(2:3, {1|2}) = meql(1:2)*{t}",
        ],
        observed: &["sum(meqa*meqa)", "meql(3)*meqh(2)"],
        ..NONE
    },
    Feature {
        name: "statement_functions",
        module: &[("_cb9", "", "call sfstart(x(1), x(n))")],
        procedures: &[
            "subroutine sfstart(u, v)
implicit real(8) (a-h, o-z), integer (i-n)
common /@_cb9/ sfs, sfv(3)
sfs = u
sfv = [v, 0.2d0, 0.5d0*u]
end subroutine sfstart",
            // Variables of the common block, and a local one, are mentioned for the first time in statement functions.
            "subroutine sfuse(a, r, k)
implicit real(8) (a-h, o-z), integer (i-n)
dimension a(:)
intent(in) a, k
intent(inout) r
common /@_cb9/ sfs, sfv(3)
dimension b(2)
equivalence (b(2), c)
sfq(z) = z*z*0.1d0 + sfs
sfr(z, j) = sin(z*w) + sfv(j)*sfq(z)*b(1) + c
w = a(1)
b = [sin(w), 0.3d0*r]
r = sin(sfq(r) + sfr(a(k), 2))
sfs = cos(sfs*r) + sfq(w)
do i = 1, 3
  sfv(i) = sin(sfv(i) + sfr(r, i))
end do
end subroutine sfuse",
            "function sfval(r)
implicit real(8) (a-h, o-z), integer (i-n)
real(8), intent(in) :: r
common /@_cb9/ sfs, sfv(3)
sfp(z) = sfs*z + sfv(1)
sfval = sin(sfp(r)*r)
end function sfval",
        ],
        statements: &[
            "call sfuse({A}, {t}, {p})",
            "do {m} = 1, n\ncall sfuse({B}, {t}, {m})\nend do",
            "{t} = sin({t} + sfval({l}))",
            "if ({c}) call sfuse({B}, {t}, 1)",
        ],
        observed: &["sfval(0.5d0)", "sfval(x(1))"],
        ..NONE
    },
    Feature {
        name: "common_layouts",
        module: &[("_cb2", "", "call cllast(0.3d0*x(1))")],
        procedures: &[
            "subroutine cllast(u)
real(8), intent(in) :: u
real(8) :: v(4)
common /@_cb2/ v
v = [u, 0.2d0, sin(u), 0.4d0*u]
end subroutine cllast",
            "subroutine clput(u)
real(8), intent(in) :: u
real(8) :: a, b(2), c
common /@_cb2/ a, b, c
b(1) = sin(a*u)
c = cos(b(2) + u)
end subroutine clput",
            "subroutine clget(r)
real(8), intent(inout) :: r
real(8) :: v(2,2)
common /@_cb2/ v
r = sin(r*v(2,1) + v(2,2))
v(1,1) = 0.5d0*r
end subroutine clget",
        ],
        statements: &[
            "call clput(({e}))",
            "call clget({t})",
            "call clput(({e}))\ncall clget({t})",
            "do {m} = 1, n\ncall clput(({e}))\ncall clget({t})\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "common_local",
        locals: &[("cha", "real(8) :: cha, chb(3)\ncommon /@_cb3/ cha, chb", "")],
        module: &[("_cb3", "", "call chset(0.4d0*x(1), x(n))")],
        procedures: &[
            "subroutine chset(u, v)
real(8), intent(in) :: u, v
real(8) :: a, b(3)
common /@_cb3/ a, b
a = u
b = [v, u, 0.3d0]
end subroutine chset",
            "subroutine chmix(r)
real(8), intent(inout) :: r
real(8) :: a(2), b(2)
common /@_cb3/ a, b
r = sin(r + a(2)*b(1))
a(1) = cos(a(1)*r)
end subroutine chmix",
        ],
        statements: &[
            "cha = sin(cha + {e})",
            "call chmix({t})",
            "{t} = sin(cha*{e})",
            "chb({1|2|3}) = cos({e}*cha)\ncall chmix({t})",
            "{t} = sin(sum(chb)*{l} + cha)",
        ],
        observed: &["cha", "sum(chb*[1, 2, 3])"],
        ..NONE
    },
    Feature {
        name: "common_integer",
        locals: &[("cik", "integer :: cik, cil\ncommon /@_cb4/ cik, cil", "")],
        module: &[("_cb4", "", "call ciset(1, 1)")],
        procedures: &[
            "subroutine ciset(i, j)
integer, intent(in) :: i, j
integer :: kk(2)
common /@_cb4/ kk
kk = [i, j]
end subroutine ciset",
            "subroutine ciuse(a, r)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
integer :: ka, kb, i
common /@_cb4/ ka, kb
do i = 1, min(kb, size(a))
r = sin(r + a(min(ka, size(a)))*a(i))
end do
end subroutine ciuse",
        ],
        positions: &["cik"],
        statements: &[
            "call ciset(({i}), ({i}))",
            "call ciuse({A}, {t})",
            "{t} = sin({A}(cik)*{e})",
            "cik = mod({k}, n) + 1\ncall ciuse({A}, {t})",
            "do {m} = 1, cik\n{t} = sin({t}*{A}(cik) + {m})\nend do\ncall ciset(({i}), cik)",
            "if (cik > 1) {t} = cos({e})",
        ],
        observed: &["x(cik)"],
        ..NONE
    },
    Feature {
        name: "common_blank",
        module: &[("cbput", "", "call cbput(0.3d0*x(1), 0d0)")],
        procedures: &[
            "subroutine cbput(u, w)
real(8), intent(in) :: u, w
real(8) :: a, b(2)
common a, b
a = sin(u)
b = [u*w, 0.5d0 - a]
end subroutine cbput",
            "subroutine cbget(r)
real(8), intent(inout) :: r
real(8) :: a(3)
common // a
r = sin(r*a(3) + a(1) + a(2))
end subroutine cbget",
        ],
        statements: &[
            "call cbput(({e}), ({l}))",
            "call cbget({t})\ncall cbput(({e}), 0.5d0)",
            "call cbput(({e}), ({l}))\ncall cbget({t})",
        ],
        ..NONE
    },
    Feature {
        name: "common_external",
        outside: &[(
            "_ce",
            "subroutine @_ce(k, u)
  implicit none
  integer :: k
  real(8) :: u, s
  common /@_cb5/ s
  if (k == 0) then
    s = u
  else
    s = sin(s + u)
  end if
end subroutine @_ce
subroutine @_cf(r)
  implicit none
  real(8) :: r, s
  common /@_cb5/ s
  r = sin(r*s)
end subroutine @_cf
",
        )],
        locals: &[("xcs", "real(8) :: xcs\ncommon /@_cb5/ xcs", "")],
        module: &[("_cb5", "", "call @_ce(0, 0.3d0*x(1))"), ("_cf", "", "call @_ce(0, 0.3d0*x(1))")],
        statements: &[
            "call @_ce(1, ({e}))\ncall @_cf({t})",
            "call @_cf({t})\ncall @_ce(1, ({e}))",
            "xcs = cos(xcs*{e})\ncall @_cf({t})",
        ],
        observed: &["xcs"],
        ..NONE
    },
    Feature {
        name: "equivalence",
        locals: &[
            ("eqs", "real(8) :: eqs, eqt\nequivalence (eqs, eqt)", "eqs = 0.4d0*{x}(1)"),
            ("eqv", "real(8) :: eqv(4), eqw(2)\nequivalence (eqv(3), eqw(1))", "eqv = [{x}(1), 0.2d0, {x}(n), 0.1d0]"),
            ("eqm", "real(8) :: eqm(2,2), eqf(4)\nequivalence (eqm, eqf)", "eqf = [{x}(1), 0.4d0, {x}(n), 0.3d0]"),
        ],
        procedures: &["subroutine eqr(a, r)
real(8), intent(in) :: a
real(8), intent(inout) :: r
real(8) :: s, t
equivalence (s, t)
s = sin(a)
r = cos(r*t)
t = t*r
r = sin(r + s)
end subroutine eqr"],
        scalars: &["eqs"],
        triples: &["eqv"],
        statements: &[
            "eqs = sin({e})\n{t} = sin({t}*eqt)",
            "eqt = cos(eqs*{e})\neqs = eqs*eqt",
            "eqw({1|2}) = sin(eqv(3)*{e})\n{t} = sin(sum(eqv) + {l})",
            "eqv({3|4}) = cos({e})\n{t} = sin(eqw(1)*eqw(2)*{l})",
            "eqm(2,1) = sin(eqf(2)*{e})\n{t} = sin(sum(eqf**2)*{l})",
            "call eqr(({e}), {t})",
        ],
        observed: &["eqt", "sum(eqw)", "sum(eqv*[1, 2, 3, 4])", "sum(eqm)"],
        ..NONE
    },
    Feature {
        name: "equivalence_integer",
        locals: &[
            ("eqk", "integer :: eqk, eql\nequivalence (eqk, eql)", "eqk = 1"),
            ("eqi", "integer :: eqi(3), eqj(2)\nequivalence (eqi(2), eqj(1))", "eqi = 1"),
        ],
        positions: &["eqk", "eqi(2)"],
        statements: &[
            "eql = mod({k}, n) + 1\n{t} = sin({A}(eqk)*{l})",
            "do {m} = 1, eqk\n{t} = sin({t}*{A}(eql) + {m})\nend do\neql = 1",
            "eqj(1) = mod({k} + 1, n) + 1\n{t} = cos({A}(eqi(2)) + {l})",
            "{A}(eqk) = sin({e})\neql = mod(eqk, n) + 1\n{A}(eqk) = cos({A}(eqk)*{l})",
        ],
        observed: &["x(eql)", "dble(eqi(3))"],
        ..NONE
    },
];

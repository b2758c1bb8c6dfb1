//! Loop variables: after loops, after loops that never run, in called procedures and as variables of modules and hosts.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "loop_variable",
        statements: &[
            "do {m} = 1, n\n{t} = sin({t} + {A}({m}))\nend do\n{t} = {t}*cos({A}({m}-1))",
            "{t} = 0.1d0\ndo {m} = 1, {n|{p}|n-1}\n{t} = {t} + 0.2d0*{A}({m})\nend do
{t} = {t} + 0.5d0*{A}(min({m}, n))",
            "do {m} = 1, {n|{p}}\n{A}({m}) = 0.9d0*{A}({m})\nend do\n{t} = sin({t} + {m}*{B}(max({m}-1, 1)))",
            "do {m} = 1, {p}\n{d}\nend do\n{t} = sin({t} + {A}(min({m}, n))*{l})",
            "do {m} = n, 1, -1\n{A}({m}) = sin({A}({m})*{e})\nend do\n{t} = sin({t} + {A}({m}+1))",
            "do {m} = 1, n\n{t} = sin({t} + {e})\nif ({t} > 0.3d0) exit\nend do\n{t} = {t}*{A}(min({m}, n))",
            "do {m} = 1, n-1\nif ({c}) exit\nend do\n{A}({m}) = sin({e})",
            "do {m} = 1, n, 2\n{d}\nend do\n{t} = sin({t}*{m})",
        ],
        ..NONE
    },
    Feature {
        name: "loop_variable_empty",
        statements: &[
            "{t} = 0.4d0\ndo {m} = {n+1|2|{p}+1}, {1|n}\n{t} = {t} + 0.1d0*{A}(min({m}, n))\nend do
{t} = {t} + 0.5d0*{A}(min({m}, n))*{B}({i})",
            "do {m} = n+1, n\n{t} = sin({e})\nend do\n{A}({m}-1) = cos({A}({m}-1)*{l})",
            "do {m} = n, 2\n{d}\nend do\n{t} = sin({t}*{A}(min({m}, n)))",
            "do {m} = {p}, 1\n{A}({m}) = sin({e})\nend do\n{t} = sin({t}*{m} + {A}(min({m}, n)))",
            "do {m} = 1, {p}-1\n{t} = sin({t}*{A}({m}))\nend do\n{A}({m}) = cos({e})",
            "do {m} = 2, 1\n{t} = {A}({m})\nend do\n{t} = sin({t} + {A}({m}-1)*{l})",
        ],
        ..NONE
    },
    Feature {
        name: "loop_variable_module",
        module: &[("lmi", "integer :: lmi = 1", "lmi = 1")],
        procedures: &[
            "subroutine lmread(a, r)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
r = sin(r + a(min(size(a), lmi)))
end subroutine lmread",
            "subroutine lmadd(a, r)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
r = r + 0.3d0*a(min(size(a), lmi))
end subroutine lmadd",
        ],
        statements: &[
            "do lmi = 1, n\ncall lmread({A}, {t})\nend do\ncall lmread({A}, {t})",
            // Linear loops: their forward sweep computes nothing that is needed but the loop's variable.
            "do lmi = 1, n\n{A}(1) = {A}(1) + 0.3d0*{B}(lmi)\nend do\ncall lmread({B}, {t})",
            "do lmi = {1|2}, n\ncall lmadd({B}, {A}({1|n}))\nend do\ncall {lmread|lmadd}({B}, {t})",
            "{t} = 0.2d0\ndo lmi = 1, {n|{p}}\n{t} = {t} + 0.3d0*{A}(lmi)\nend do\ncall lmread({A}, {t})",
            "do lmi = {p}, 1\n{t} = cos({t})\nend do\ncall lmread({A}, {t})",
            "call lmread({A}, {t})",
            "do lmi = n, 2, -1\n{A}(lmi) = sin({A}(lmi-1)*{l})\nend do\n{t} = sin({t}*{A}(lmi))",
        ],
        observed: &["x(min(n, max(lmi, 1)))"],
        ..NONE
    },
    Feature {
        name: "loop_variable_host",
        locals: &[("lhi", "integer :: lhi", "lhi = 1"), ("lha", "real(8) :: lha({n})", "lha = 0.3d0*{x}")],
        internal: &["subroutine lhone(r)
  real(8), intent(inout) :: r
  r = sin(r + lha(min(n, lhi)))
  lha(min(n, lhi)) = cos(r)
end subroutine lhone
subroutine lhrun(k)
  integer, intent(in) :: k
  do lhi = 1, k
    lha(lhi) = sin(lha(lhi) + 0.1d0*lhi)
  end do
end subroutine lhrun"],
        arrays: &["lha"],
        statements: &[
            "do lhi = 1, n\ncall lhone({t})\nend do\ncall lhone({t})",
            "call lhone({t})",
            "call lhrun({0|1|n|{k}})\n{t} = sin({t}*lha(min(n, lhi)))",
            "do lhi = {p}, n\nlha(lhi) = sin({e})\nend do\ncall lhone({t})",
        ],
        observed: &["x(min(n, max(lhi, 1)))"],
        ..NONE
    },
    Feature {
        name: "loop_bounds_change",
        locals: &[("lbk", "integer :: lbk", "lbk = n")],
        statements: &[
            "lbk = {p}\ndo {m} = 1, lbk\nlbk = 1\n{t} = sin({t} + {A}({m})*{l})\nend do\n{t} = {t}*lbk",
            "lbk = n\ndo {m} = lbk, 1, -1\nlbk = {m}\n{A}(lbk) = sin({A}({m}) + {t})\n{t} = sin({A}(lbk))\nend do",
            "lbk = 0\ndo {m} = 1, n\nif ({c}) lbk = lbk + 1\nif (lbk > 0) {t} = sin({t}*{A}(lbk))\nend do
{t} = cos({t} + lbk)",
        ],
        observed: &["dble(lbk)"],
        ..NONE
    },
    // Iterations that have elements of their own, and some that share them.
    Feature {
        name: "own_elements",
        locals: &[
            ("oea", "real(8) :: oea({n},0:3)", "do i0 = 0, 3\n  oea(:,i0) = 0.3d0*{x} + 0.1d0*i0\nend do"),
            ("oek", "integer :: oek", "oek = 2"),
        ],
        procedures: &[
            "subroutine oecolumn(k, r, a)
integer, intent(in) :: k
real(8), intent(in) :: r
real(8), intent(inout) :: a(:, 0:)
integer :: i
do i = 1, size(a, 1)
  a(i, k) = a(i, k)*exp(-r*a(i, k))
end do
if (r > 0.3d0) a(1, k) = a(1, k)*a(size(a, 1), k)
end subroutine oecolumn",
            "subroutine oebeside(k, r, a)
integer, intent(in) :: k
real(8), intent(in) :: r
real(8), intent(inout) :: a(:, 0:)
a(:, k) = sin(a(:, k)*a(:, max(k - 1, 0)) + r)
end subroutine oebeside",
            "subroutine oenamed(k, r, a)
integer, intent(in) :: k
real(8), intent(in) :: r
real(8), intent(inout), target :: a(:, 0:)
real(8), pointer :: p(:)
a(:, k) = a(:, k)*cos(a(:, k))
p => a(:, mod(k + 1, 4))
p = sin(p*a(1, k) + r)
end subroutine oenamed",
            "elemental subroutine oedamp(a, b)
real(8), intent(inout) :: a
real(8), intent(in) :: b
a = a*exp(-a*b)
end subroutine oedamp",
            "subroutine oenext(k)
integer, intent(inout) :: k
k = mod(k, 3) + 1
end subroutine oenext",
        ],
        statements: &[
            "do {m} = 1, {n|{p}|n-1}\n{A}({m}) = {A}({m})*exp(-{A}({m})*{l})\nend do",
            "do {m} = n, 1, {-1|-2}\n{A}({m}) = {S}({A}({m}) + {B}({m}))\nend do",
            "do {m} = 1, n\n{A}({m}) = {S}({A}({m})*{A}({{m}|n+1-{m}|max({m}-1,1)|min({m}+1,n)}))\nend do",
            "do {m} = 1, n\n{A}({m}) = {S}({A}({m}))\n{t} = sin({t} + {A}({m}))\nif ({c}) {A}({m}) = {A}({m})*{t}\nend do",
            "do {m} = 1, n\n{A}({m}) = {A}({m})*cos({A}({m}))\nif ({A}({m}) > 0.4d0) exit\n{A}({m}) = {S}({A}({m})*{l})\nend do",
            "do {m} = 0, 3\ncall {oecolumn|oebeside|oenamed}({m}, {l}, oea)\nend do",
            "do {m} = {3|2}, 0, -1\ncall {oecolumn|oebeside}({m}, {t}, oea)\noea(:,{m}) = oea(:,{m})*oea(n,{{m}|0})\nend do",
            // Sections that move with the steps.
            "do {m} = 1, n-1{|, 2}\ncall oedamp({A}({m}:{m}+1), ({A}({m}+1:{m}:-1)))\n{A}({m}) = {S}({A}({m})*{l})\nend do",
            "do {m} = n, 2, -1\ncall oedamp(oea({m}-1:{m},1:2), (oea({m}:{m}-1:-1,{0:1|2:3})))\noea({m},:) = {S}(oea({m}-1,:))\nend do",
            "oek = {1|2}\ndo {m} = 1, n\noea({m},oek) = {S}(oea({m},oek)*{l})\ncall oenext(oek)\nend do",
            "do {m} = 0, 3\ndo oek = 1, n\noea(oek,{m}) = oea(oek,{m})*sin(oea({oek|1|n},{m}))\nend do\nend do\noek = 1",
            "do oek = 1, 3\ndo {m} = 1, n\noea({m},{oek|2|0}) = {S}(oea({m},oek)*{l})\nend do\nend do\noek = 2",
            "do {m} = 1, n/2\n{A}(2*{m}) = {S}({A}(2*{m}-1)*{A}(2*{m}))\n{A}(2*{m}-1) = {A}({{m}|2*{m}-1})*cos({A}(2*{m}))\nend do",
        ],
        observed: &["sum(oea)", "oea(1,2)*oea(n,3)", "dble(oek)"],
        ..NONE
    },
];

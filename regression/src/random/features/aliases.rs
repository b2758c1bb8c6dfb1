//! Arguments that share memory with module variables, with variables of the host, and with each other.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "alias_module",
        module: &[("amv", "real(8) :: amv(3)", "amv = [0.3d0*x(1), 0.5d0, x(n)]")],
        procedures: &[
            "subroutine amone(a, r)
real(8), intent(in) :: a
real(8), intent(inout) :: r
real(8) :: c(3)
c = amv*a + amv(2)
r = sin(r + sum(c*c)*a)
end subroutine amone",
            "subroutine amall(a, r)
real(8), intent(in) :: a(3)
real(8), intent(inout) :: r
real(8) :: c(3)
c = a*amv
c = sin(c)
r = sin(r*amv(1) + sum(c))
end subroutine amall",
            "real(8) function amf(a) result(r)
real(8), intent(in) :: a
r = sin(a*amv(2)) + amv(1)*a
end function amf",
        ],
        statements: &[
            "call amone(amv({1|2|3}), {t})",
            "call amone(({e}), {t})",
            "call amall({amv|amv(3:1:-1)}, {t})",
            "amv = cos(amv*{e})",
            "amv({1|2|3}) = sin({e})",
            "{t} = sin(amf(amv({1|2})) + {l})",
            "do {m} = 1, 3\ncall amone(amv({m}), {t})\namv({m}) = sin(amv({m})*{t})\nend do",
            "do {m} = 1, {p}\ncall amall(amv, {t})\namv = sin(amv*{t})\ncall amone({t}*{l}, {v})\nend do",
        ],
        observed: &["sum(amv*[1, 2, 3])"],
        ..NONE
    },
    Feature {
        name: "alias_one_array",
        locals: &[
            ("oax", "real(8) :: oax(20*{n})", "oax = 0.4d0\noax(2) = 0.3d0*{x}(1)\noax(5) = 0.2d0 + 0.1d0*{x}(n)"),
            ("oay", "real(8) :: oay(20*{n})", "oay = 0.5d0\noay(1) = 0.1d0*{x}(1)"),
            ("oaw", "real(8) :: oaw(20*{n})", "oaw = 0.6d0"),
        ],
        procedures: &[
            "subroutine oaown(a, b, c)
real(8), intent(in) :: a(:), c
real(8), intent(inout) :: b(:)
integer :: j
do j = 1, size(a)
b(j) = sin(a(j))*c + 0.5d0*b(j)*a(j)
end do
end subroutine oaown",
            "subroutine oaloops(a, b, w, c)
real(8), intent(in) :: a(:), c
real(8), intent(inout) :: b(:), w(:)
integer :: j
do j = 1, size(a)
w(j) = a(j)*c + 0.2d0*w(j)
end do
do j = 2, size(a)
b(j) = cos(b(j) + w(j - 1))
end do
w(1) = w(1)*0.5d0
do j = 1, size(a) - 1
w(j) = 0.7d0*a(j)*b(j)
end do
end subroutine oaloops",
            "subroutine oacalls(k, a, b, w, c)
integer, intent(in) :: k
real(8), intent(in) :: c
real(8), intent(inout) :: a(k), b(k), w(k)
call oaown(a, b, c)
call oaloops(b, a, w, c)
b = w*a + 0.1d0*b
call oaown(w, w, c)
end subroutine oacalls",
            "subroutine oashared(a, b, w)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: b(:), w(:)
integer :: j
!$omp parallel do
do j = 1, size(a) - 1
w(j) = a(j)*a(j + 1)
end do
!$omp parallel do
do j = 1, size(a)
b(j) = a(j)*b(j) + 0.3d0*sin(b(j))
end do
end subroutine oashared",
        ],
        statements: &[
            "call oaown(oax, {oax|oay}, {t})",
            "call oaown(b={oax|oay}, c=({e}), a=oax)",
            "call oaloops(oax, {oax|oay}, oaw, {t})",
            "call oaloops(oax, oay, oaw, {l})",
            "call oacalls(20*n, {oax|oay}, oay, oaw, {t})",
            "do {m} = 1, {p}\ncall oashared(oax, {oax|oay}, oaw)\noax = sin(oax*{t})\nend do",
        ],
        observed: &["oax(2)*oax(5)", "sum(oay)/100", "oaw(3)"],
        ..NONE
    },
    Feature {
        name: "alias_levels",
        locals: &[
            ("xrl", "real(8) :: xrl(2, 3)", "xrl = 0.3d0\nxrl(:, 1) = 0.2d0*{x}(n)"),
            ("xra", "integer :: xra", "xra = 1"),
            ("xrb", "integer :: xrb", "xrb = 2"),
            ("xrc", "integer :: xrc", "xrc = 3"),
        ],
        procedures: &[
            "subroutine xrleap(o, c, w, e)
real(8), intent(in) :: o(:), c(:), e
real(8), intent(inout) :: w(:)
w = sin(o*c + 0.5d0*w)
w(1) = w(1)*cos(e)
end subroutine xrleap",
            "subroutine xrset(o, w, e)
real(8), intent(in) :: o(2), e
real(8), intent(out) :: w(2)
w(1) = sin(o(2)*e)
w(2) = cos(w(1)*o(1))
end subroutine xrset",
        ],
        statements: &[
            "call xrleap(xrl(:, xra), xrl(:, xrb), xrl(:, xrc), {e})\n{m} = xra\nxra = xrb\nxrb = xrc\nxrc = {m}",
            "call xrset(xrl(:, {xra|xrb}), xrl(:, xrc), {e})",
            "call xrset(xrl(:, mod({k}, 3) + 1), xrl(:, mod({k} + 1, 3) + 1), {l})",
            "if (xra /= {k}) call xrleap(xrl(:, xrb), xrl(:, xrb), xrl(:, xra), {e})",
            "{t} = sin({t} + sum(xrl(:, xrb)))",
        ],
        observed: &["sum(xrl(:, xra))", "xrl(1, xrc)"],
        ..NONE
    },
    Feature {
        name: "alias_component",
        module: &[
            ("act", "type act\n  real(8) :: u\n  real(8) :: w\nend type act", ""),
            ("acg", "type(act) :: acg(3)", "acg%u = [0.3d0*x(1), 0.5d0, x(n)]\nacg%w = 0.3d0"),
        ],
        procedures: &[
            "subroutine acall(a, r)
real(8), intent(in) :: a(3)
real(8), intent(inout) :: r
r = sin(r + sum(a*acg%u))
end subroutine acall",
            "subroutine acone(a, r)
type(act), intent(in) :: a
real(8), intent(inout) :: r
r = cos(r*a%u + acg(2)%u*a%w)
end subroutine acone",
        ],
        statements: &[
            "call acall(acg%{u|w}, {t})",
            "call acone(acg({1|2|3}), {t})",
            "acg%u = sin(acg%u*{e})",
            "acg({1|2|3}) = act(sin({e}), {l})",
            "do {m} = 1, 3\ncall acone(acg({m}), {t})\nacg(2)%u = sin({t})\nend do",
        ],
        observed: &["sum(acg%u)", "acg(2)%w"],
        ..NONE
    },
    Feature {
        name: "alias_host",
        locals: &[("ahs", "real(8) :: ahs", "ahs = 0.4d0*{x}(n)"), ("ahv", "real(8) :: ahv({n})", "ahv = 0.6d0*{x}")],
        internal: &["subroutine ahi(u, r)
  real(8), intent(in) :: u
  real(8), intent(inout) :: r
  r = sin(r + u*ahs + ahv(1))
end subroutine ahi
subroutine ahj(u, r)
  real(8), intent(in) :: u(n)
  real(8), intent(inout) :: r
  r = sin(r*sum(u*ahv))
end subroutine ahj"],
        arrays: &["ahv"],
        statements: &[
            "call ahi({ahs|ahv(1)|ahv({i})}, {t})",
            "call ahj({ahv|ahv(n:1:-1)}, {t})",
            "ahs = cos(ahs + {e})",
            "do {m} = 1, n\ncall ahi(ahv({m}), {t})\nahv({m}) = sin({t}*ahs)\nend do",
        ],
        observed: &["ahs"],
        ..NONE
    },
    Feature {
        name: "alias_same",
        procedures: &[
            "subroutine astwo(n, a, b, r)
integer, intent(in) :: n
real(8), intent(in) :: a(n), b(n)
real(8), intent(inout) :: r
integer :: i
do i = 1, n
r = sin(r + a(i)*b(n+1-i))
end do
end subroutine astwo",
            "subroutine asone(a, b, r)
real(8), intent(in) :: a, b(:)
real(8), intent(inout) :: r
r = cos(r + a*sum(b))
end subroutine asone",
        ],
        statements: &[
            "call astwo(n, {A}, {A}, {t})",
            "call astwo(n, {A}, {A}(n:1:-1), {t})",
            "call astwo(n-1, {A}(2:n), {A}(1:n-1), {t})",
            "call asone({A}({i}), {A}, {t})",
            "call asone({v}, [{v}, {l}], {t})",
            "do {m} = 1, n\ncall asone({A}({m}), {A}, {t})\n{A}({m}) = sin({t})\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "alias_target",
        module: &[("atv", "real(8), target :: atv(3)", "atv = [0.3d0*x(1), 0.5d0, x(n)]")],
        procedures: &["subroutine atone(a, u)
real(8), intent(inout), target :: a
real(8), intent(in) :: u
atv(2) = sin(atv(2)*u)
a = cos(a + atv(1))
atv(3) = sin(a*atv(2))
end subroutine atone"],
        statements: &["call atone(atv({1|2|3}), ({e}))", "{t} = sin(sum(atv)*{l})", "atv({1|2|3}) = sin({e})"],
        observed: &["sum(atv*[1, 2, 3])"],
        ..NONE
    },
    Feature {
        name: "alias_result",
        module: &[
            ("alrw", "real(8) :: alrw", "alrw = 0.3d0*x(1)"),
            ("alrv", "real(8), target :: alrv(3)", "alrv = [0.3d0*x(1), 0.5d0, x(n)]"),
            ("alrp", "real(8), pointer :: alrp(:) => null()", "alrp => alrv(3:1:-1)"),
        ],
        procedures: &[
            "real(8) function alrone(a) result(r)
real(8), intent(in) :: a
r = a
r = sin(r*alrw + sum(alrv*[1, 2, 3]))
end function alrone",
            "real(8) function alrtwo(a) result(r)
real(8), intent(in) :: a
r = cos(a)
alrw = sin(alrw*a)
r = r + alrp(1)*alrone(r)
end function alrtwo",
        ],
        statements: &[
            "alrw = {alrone|alrtwo}({e})",
            "alrv({1|2|3}) = {alrone|alrtwo}({l})",
            "alrp({1|2|3}) = {alrone|alrtwo}({t})",
            "do {m} = 1, 3\nalrv({m}) = alrone({t})\n{t} = alrtwo({t})\nend do",
        ],
        observed: &["sum(alrv*[1, 2, 3])", "alrw"],
        ..NONE
    },
    Feature {
        name: "alias_own_parts",
        module: &[(
            "aop",
            "real(8), allocatable :: aop(:)",
            "if (allocated(aop)) deallocate(aop)\nallocate(aop(2:n+1), source=x)",
        )],
        statements: &[
            "aop = aop(:ubound(aop, 1) - 1)*{t}\naop = [aop, {e}]",
            "aop = aop(ubound(aop, 1):lbound(aop, 1):-1)*{l}",
            "aop = pack(aop, aop > -9d0)*aop(lbound(aop, 1))",
            "deallocate(aop)\nallocate(aop({k}:{k} + n - 1))\naop(:) = {A}",
        ],
        observed: &["maxval(aop)", "sum(aop)"],
        ..NONE
    },
    Feature {
        name: "alias_steering",
        module: &[("aik", "integer :: aik(3)", "aik = 1")],
        procedures: &["subroutine aiuse(k, a, r)
integer, intent(in) :: k
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
integer :: i
do i = 1, min(k, aik(1), size(a))
r = sin(r + a(i)*a(min(size(a), aik(2))))
end do
end subroutine aiuse"],
        statements: &[
            "call aiuse(aik({1|2|3}), {A}, {t})",
            "aik({1|2|3}) = mod({k}, n) + 1\n{t} = sin({A}(min(aik(1), size({A}))) + {l})",
            "do {m} = 1, {p}\ncall aiuse(aik(1), {A}, {t})\naik(1) = mod(aik(1), n) + 1\nend do",
        ],
        observed: &["x(aik(1))"],
        ..NONE
    },
];

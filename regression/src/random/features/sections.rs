//! Parts of arrays as arguments: copied in and out, parts of one work array, parts without elements, and lower bounds.

use super::{Feature, NONE};

const PART: &str = "subroutine wkpart(n, a, b, r)
integer, intent(in) :: n
real(8), intent(inout) :: a(n), r
real(8), intent(in) :: b(n)
integer :: i
do i = 1, n
a(i) = sin(a(i)*b(i))
r = sin(r + a(i))
end do
end subroutine wkpart";

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "section_copied",
        procedures: &["subroutine scpart(n, a, r)
integer, intent(in) :: n
real(8), intent(inout) :: a(n), r
a(1) = sin(a(1) + r)
a = a*cos(a(n))
r = sin(sum(a))
end subroutine scpart"],
        statements: &[
            "call scpart(n, q%s, {t})\n{t} = sin({t}*q({i})%s)",
            "call scpart(n, cc({i},:), {t})\n{t} = sin({t} + cc({i},{i}))",
            "call scpart(n, cc(n:1:-1,{i}), {t})\n{t} = sin({t} + cc({i},1))",
            "call scpart((n+1)/2, {A}(1:n:2), {t})",
            "call scpart(n, {A}(n:1:-1), {t})",
            "call scpart(3, q({i})%v, {t})\n{t} = sin({t}*q({i})%v(2))",
            "do {m} = 1, n\ncall scpart(n, cc({m},:), {t})\nend do\n{t} = sin({t}*cc(1,n))",
        ],
        observed: &["sum(cc)", "sum(q%v(2))"],
        ..NONE
    },
    Feature {
        name: "section_by_vector",
        locals: &[("svp", "integer :: svp({n})", "do i0 = 1, n\n  svp(i0) = mod(i0, n) + 1\nend do")],
        procedures: &[
            "subroutine svread(n, a, r)
integer, intent(in) :: n
real(8), intent(in) :: a(n)
real(8), intent(inout) :: r
integer :: i
do i = 1, n
r = sin(r + a(i)*a(1))
end do
end subroutine svread",
            "function svgive(a) result(r)
real(8), intent(in) :: a(:)
real(8) :: r(size(a))
r = sin(a*a(1))
end function svgive",
        ],
        statements: &[
            "call svread(n, {A}(svp), {t})",
            "{A}(svp) = svgive({A})",
            "{A}(svp(n:1:-1)) = svgive({B})",
            "call svread(n, {A}(svp(n:1:-1)), {t})\nsvp = cshift(svp, 1)",
            "associate (sva => {A}(svp))\n{t} = sin({t} + sva(1)*{l})\nend associate",
            "do {m} = 1, {2|3}\nassociate (sva => {A}(svp))\nsvp = svp(n:1:-1)\n{t} = sin({t} + sva(1)*sva(n))
end associate\n{A} = {A}*cos({t})\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "work_parts",
        locals: &[("wkw", "real(8) :: wkw(2*{n})", "wkw(1:n) = 0.3d0*{x}\nwkw(n+1:) = cos({x})")],
        procedures: &[PART],
        statements: &[
            "call wkpart(n, wkw(1), wkw(n+1), {t})",
            "call wkpart(n, wkw(n+1), wkw(1), {t})",
            "call wkpart(n, wkw(1:n), wkw(n+1:2*n), {t})",
            "call wkpart(n-1, wkw(2), wkw(n+1), {t})",
            "wkw({i}) = sin({e})\n{t} = sin(sum(wkw)*{l})",
            "do {m} = 1, n\ncall wkpart(1, wkw({m}), wkw(n+{m}), {t})\nend do",
        ],
        observed: &["sum(wkw)", "wkw(n+1)"],
        ..NONE
    },
    Feature {
        name: "work_chain",
        locals: &[("wcw", "real(8) :: wcw(3*{n})", "wcw = 0.2d0\nwcw(n+1:2*n) = {x}")],
        procedures: &[
            "subroutine wctop(n, w, r)
integer, intent(in) :: n
real(8), intent(inout) :: w(*), r
integer :: i1, i2
i1 = n + 1
i2 = i1 + n
call wkpart(n, w, w(i1), r)
call wkpart(n, w(i1), w(i2), r)
w(i2) = sin(w(i2)*r)
end subroutine wctop",
            PART,
        ],
        statements: &["call wctop(n, wcw, {t})\n{t} = sin({t} + sum(wcw)*{l})", "wcw(n + {i}) = sin({e})"],
        observed: &["sum(wcw)", "wcw(2*n+1)"],
        ..NONE
    },
    Feature {
        name: "zero_size",
        procedures: &[
            "subroutine zsone(a, r)
real(8), intent(inout) :: a(:), r
real(8) :: c(size(a))
integer :: i
c = sin(a)
do i = 1, size(a)
a(i) = c(i)*r
end do
r = sin(r + sum(c))
end subroutine zsone",
            "subroutine zstwo(n, a, r)
integer, intent(in) :: n
real(8), intent(inout) :: a(n), r
a = sin(a*r)
r = cos(r + sum(a))
end subroutine zstwo",
        ],
        statements: &[
            "call zsone({A}(2:{p}), {t})",
            "call zsone({A}({p}+1:n), {t})",
            "call zstwo({p}-1, {A}, {t})",
            "call zstwo(0, {A}, {t})",
            "{A}(2:1) = sin({e})\n{t} = sin({t} + sum({A}({p}+1:n)))",
            "block\n=real(8), allocatable :: z{u}(:)\n=allocate(z{u}({p}-1))\nz{u} = sin({e})
{t} = sin({t} + sum(z{u}))\nz{u} = [z{u}, {t}]\n{t} = sin({t}*z{u}(1))\nend block",
        ],
        ..NONE
    },
    Feature {
        name: "lower_bounds",
        procedures: &[
            "function lbres(a) result(r)
real(8), intent(in) :: a(0:)
real(8) :: r(0:ubound(a,1))
r = sin(a)
r(0) = a(ubound(a,1))
end function lbres",
            "subroutine lbsub(n, a, b, r)
integer, intent(in) :: n
real(8), intent(inout) :: a(-1:), r
real(8), intent(in) :: b(0:n-1)
integer :: i
do i = lbound(a, 1), ubound(a, 1)
a(i) = sin(a(i)*b(i+1))
end do
r = sin(r*a(-1) + b(n-1))
end subroutine lbsub",
            "subroutine lballoc(u, r)
real(8), intent(in) :: u
real(8), intent(inout) :: r
real(8), allocatable :: w(:)
allocate(w(-2:2))
w = u
w(-2) = sin(r)
w(lbound(w,1)+1) = w(-2)*u
r = sin(sum(w)*w(2))
end subroutine lballoc",
        ],
        statements: &[
            "{t} = sin(sum(lbres({A}))*{l})",
            "{A} = lbres(0.9d0*{a})",
            "call lbsub(n, {A}, 0.9d0*{a}, {t})",
            "call lbsub(n, {A}(n:1:-1), 0.9d0*{a}, {t})",
            "call lballoc(({e}), {t})",
        ],
        ..NONE
    },
];

//! Derived types: extension, constructors, classes, defined assignment, finalizers.

use super::{Feature, NONE};

const PARENT: (&str, &str, &str) = ("xtp", "type xtp\n  real(8) :: v = 0d0\n  integer :: k = 1\nend type xtp", "");
const CHILD: (&str, &str, &str) = ("xtc", "type, extends(xtp) :: xtc\n  real(8) :: w(2) = 1d0\nend type xtc", "");

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "parent_component",
        module: &[PARENT, CHILD],
        locals: &[
            ("xto", "type(xtc) :: xto", "xto%v = 0.3d0*{x}(1)\nxto%w = [{x}(n), 0.2d0]"),
            ("xts", "type(xtp) :: xts", "xts%v = 0.6d0*{x}(n)"),
        ],
        scalars: &["xto%v"],
        statements: &[
            "xto%xtp%v = sin(xto%v*{e})\n{t} = sin({t}*xto%v)",
            "xto%v = cos({e})\n{t} = sin({t} + xto%xtp%v)",
            "xto%xtp = xts\n{t} = sin({t} + xto%v)",
            "xts = xto%xtp\n{t} = sin({t} + xts%v)",
            "xts%v = sin({e})",
            "xto%xtp%k = mod({k}, 2) + 1\n{t} = sin({t} + xto%w(xto%k))",
            "xto%xtp = xtp(k=xto%k, v=sin(xto%v*{e}))\n{t} = sin({t} + xto%v)",
            "xto = xtc(xtp=xto%xtp, w=cos(xto%w*xto%v))",
            "xts = xto%xtp\nxto%v = sin(xts%v*{e})\nxto%xtp = xtp(xto%v*xts%v, xts%k)",
            "do {m} = 1, n\nxto%xtp%v = sin(xto%v + {e})\nxto%w(xto%k) = xto%v\nend do",
        ],
        observed: &["xto%xtp%v", "xts%v", "sum(xto%w)"],
        ..NONE
    },
    Feature {
        name: "constructor",
        module: &[PARENT, CHILD],
        locals: &[("xco", "type(xtc) :: xco", "xco = xtc(xtp=xtp({x}(1)), w=[{x}(n), 0.3d0])")],
        statements: &[
            "xco = xtc(xtp=xtp(sin({e})), w=[{l}, 0.2d0])",
            "xco = xtc(v=sin({e}), k=2, w=[0.1d0, cos({e})])",
            "xco = xtc(xtp=xtp(cos({e}), 2))\n{t} = sin({t} + xco%w(xco%k))",
            "xco = xtc(xtp=xco%xtp, w=xco%w(2:1:-1))",
            "xco = xtc(v=sin({e}), w=[xco%v, xco%w(1)])",
            "{t} = sin(xco%v*xco%w(xco%k) + {l})",
        ],
        observed: &["xco%v", "xco%w(xco%k)"],
        ..NONE
    },
    Feature {
        name: "component_bounds",
        module: &[("xcb", "type xcb\n  real(8), allocatable :: v(:)\n  integer :: k = 0\nend type xcb", "")],
        locals: &[
            ("xcp", "type(xcb) :: xcp", "allocate(xcp%v(0:1))\nxcp%v = 0.3d0*{x}(1)"),
            ("xcq", "type(xcb) :: xcq", "allocate(xcq%v(2))\nxcq%v = [0.4d0, {x}(n)]"),
        ],
        statements: &[
            "xcq = xcp\n{t} = sin({t}*xcq%v(lbound(xcq%v, 1)))",
            "xcp = xcq\nxcp%v = sin({e}*xcp%v)",
            "xcp = xcb(cos(xcp%v*{l}), 1)",
            "xcq = xcb(xcp%v, xcq%k + 1)\n{t} = sin({t} + xcq%v(ubound(xcq%v, 1)))",
            "deallocate(xcp%v)\nallocate(xcp%v({k}:{k} + 1))\nxcp%v = sin({e})",
            "do {m} = 1, 2\nxcq = xcp\nxcp = xcb(sin(xcq%v + {e}))\nend do",
        ],
        observed: &["xcp%v(lbound(xcp%v, 1))*lbound(xcp%v, 1)", "sum(xcq%v)*ubound(xcq%v, 1)"],
        ..NONE
    },
    Feature {
        name: "class_dummy",
        module: &[PARENT, CHILD],
        locals: &[
            ("xko", "type(xtc) :: xko", "xko%v = 0.3d0*{x}(1)\nxko%w = [{x}(n), 0.2d0]"),
            ("xks", "type(xtp) :: xks", "xks%v = 0.6d0*{x}(n)"),
        ],
        procedures: &[
            "subroutine xkread(o, r)
class(xtp), intent(in) :: o
real(8), intent(inout) :: r
select type (o)
type is (xtp)
r = sin(r + o%v)
type is (xtc)
r = cos(r*o%v + o%w(o%k))
end select
end subroutine xkread",
            "subroutine xkwrite(o, u)
class(xtp), intent(inout) :: o
real(8), intent(in) :: u
o%v = sin(o%v + u)
select type (o)
class is (xtc)
o%w(1) = cos(o%w(2)*u)
end select
end subroutine xkwrite",
        ],
        statements: &[
            "call xkread({xko|xks}, {t})",
            "call xkwrite({xko|xks}, ({e}))\n{t} = sin({t}*{xko|xks}%v)",
            "call xkwrite(xko, ({e}))\ncall xkread(xko, {t})",
        ],
        observed: &["xko%v", "xko%w(1)", "xks%v"],
        ..NONE
    },
    Feature {
        name: "polymorphic",
        module: &[PARENT, CHILD],
        locals: &[("xpo", "class(xtp), allocatable :: xpo", "allocate(xpo, source=xtp({x}(1), 1))")],
        procedures: &["subroutine xpread(o, r)
class(xtp), intent(in) :: o
real(8), intent(inout) :: r
select type (o)
type is (xtp)
r = sin(r + o%v)
type is (xtc)
r = cos(r*o%v + o%w(o%k))
end select
end subroutine xpread"],
        statements: &[
            "call xpread(xpo, {t})",
            "deallocate(xpo)\nallocate(xpo, source=xtc(sin({e}), 2, [{l}, 0.2d0]))\ncall xpread(xpo, {t})",
            "xpo%v = sin(xpo%v + {e})\ncall xpread(xpo, {t})",
        ],
        refused: &["C"],
        observed: &["xpo%v"],
        ..NONE
    },
    Feature {
        name: "bound_procedure",
        module: &[
            (
                "xbp",
                "type xbp\n  real(8) :: v = 0d0\ncontains\n  procedure :: add => xbadd\n  procedure :: get => xbget\nend type xbp",
                "",
            ),
            (
                "xbc",
                "type, extends(xbp) :: xbc\n  real(8) :: w = 1d0\ncontains\n  procedure :: get => xbgetc\nend type xbc",
                "",
            ),
        ],
        locals: &[
            ("xba", "type(xbp) :: xba", "xba%v = 0.3d0*{x}(1)"),
            ("xbb", "type(xbc) :: xbb", "xbb%v = 0.3d0*{x}(n)\nxbb%w = {x}(1)"),
        ],
        procedures: &[
            "subroutine xbadd(this, u)
class(xbp), intent(inout) :: this
real(8), intent(in) :: u
this%v = sin(this%v + u)*this%get()
end subroutine xbadd",
            "real(8) function xbget(this)
class(xbp), intent(in) :: this
xbget = cos(this%v)
end function xbget",
            "real(8) function xbgetc(this)
class(xbc), intent(in) :: this
xbgetc = sin(this%v*this%w)
end function xbgetc",
        ],
        statements: &[
            "call {xba|xbb}%add({e})",
            "{t} = sin({xba|xbb}%get()*{l})",
            "xbb%w = cos({e})\ncall xbb%add({t})\n{t} = xbb%get()",
        ],
        refused: &["C0410"],
        observed: &["xba%v", "xbb%v*xbb%w"],
        ..NONE
    },
    Feature {
        name: "defined_assignment",
        module: &[
            (
                "xda",
                "type xda\n  real(8) :: v = 0d0\n  integer :: k = 0\ncontains\n  procedure :: xdasg\n  generic :: assignment(=) => xdasg\nend type xda",
                "",
            ),
            ("xdu", "type xdu\n  type(xda) :: c\n  type(xda) :: d(2)\n  real(8) :: s = 0.5d0\nend type xdu", ""),
        ],
        locals: &[
            ("xdo", "type(xdu) :: xdo", "xdo%c%v = 0.3d0*{x}(1)\nxdo%d%v = [{x}(n), 0.2d0]"),
            ("xdp", "type(xdu) :: xdp", "xdp%c%v = 0.6d0*{x}(1)\nxdp%s = {x}(n)"),
        ],
        procedures: &["elemental subroutine xdasg(a, b)
class(xda), intent(inout) :: a
class(xda), intent(in) :: b
a%v = sin(b%v)*b%v
a%k = b%k + 1
end subroutine xdasg"],
        statements: &[
            "xdo = xdp\n{t} = sin({t} + xdo%c%v)",
            "xdp = xdo\n{t} = sin({t}*xdp%c%v + xdp%s)",
            "xdo%c = xdp%c\n{t} = sin({t} + xdo%c%v*xdo%c%k)",
            "xdo%d = xdp%d",
            "xdp%d(2) = xdo%c\n{t} = cos({t} + xdp%d(2)%v)",
            "xdp%c%v = sin({e})\nxdp%d%v = cos({e})\nxdp%s = {l}",
        ],
        observed: &["xdo%c%v", "xdo%d(2)%v*xdo%d(2)%k", "xdp%s"],
        ..NONE
    },
    Feature {
        name: "assignment_interface",
        module: &[
            ("xia", "type xia\n  real(8) :: v = 0d0\nend type xia", ""),
            ("xiset", "interface assignment(=)\n  module procedure xiset, xiget\nend interface", ""),
        ],
        locals: &[("xio", "type(xia) :: xio", "call xiset(xio, 0.4d0*{x}(1))")],
        procedures: &[
            "subroutine xiset(a, b)
type(xia), intent(out) :: a
real(8), intent(in) :: b
a%v = sin(b)
end subroutine xiset",
            "subroutine xiget(a, b)
real(8), intent(out) :: a
type(xia), intent(in) :: b
a = cos(b%v)
end subroutine xiget",
        ],
        statements: &["xio = {e}\n{t} = sin({t}*xio%v)", "{t} = xio", "xio = {t}\n{A}({i}) = xio"],
        observed: &["xio%v"],
        ..NONE
    },
    Feature {
        name: "finalizer",
        module: &[
            ("xfs", "real(8) :: xfs", "xfs = 0.3d0*x(1)"),
            ("xfk", "integer :: xfk = 1", "xfk = 1"),
            ("xft", "type xft\n  real(8) :: v = 0d0\ncontains\n  final :: xfend\nend type xft", ""),
        ],
        procedures: &[
            "subroutine xfend(s)
type(xft), intent(inout) :: s
xfs = sin(xfs + s%v)
xfk = 3 - xfk
end subroutine xfend",
            "subroutine xfwork(a, r)
real(8), intent(in) :: a
real(8), intent(inout) :: r
type(xft) :: o
o%v = sin(a*r)
r = cos(r + o%v)
end subroutine xfwork",
        ],
        statements: &[
            "call xfwork(({e}), {t})",
            "{t} = sin({t}*xfs)",
            "xfs = cos({e})\ncall xfwork({t}, {v})\n{t} = sin({t} + xfs)",
            "if (xfk == 1) {t} = sin({e})",
        ],
        observed: &["xfs*xfk"],
        ..NONE
    },
    Feature {
        name: "broadcast_type",
        module: &[
            ("xtq", "type xtq\n  real(8) :: c(2)\nend type xtq", ""),
            ("xtb", "type xtb\n  type(xtq) :: p(3)\nend type xtb", ""),
        ],
        locals: &[("xbo", "type(xtb) :: xbo(2)", "xbo = xbmake(0.3d0*{x}(1))")],
        procedures: &["type(xtb) function xbmake(u) result(b)
real(8), intent(in) :: u
integer :: i
do i = 1, 3
b%p(i) = xtq(sin([u*i, 0.2d0]))
end do
end function xbmake"],
        statements: &[
            "xbo = xbmake({e})",
            "xbo(2) = xbo(1)\nxbo(1) = xbmake(xbo(2)%p(3)%c(1)*{l})",
            "{t} = sin(xbo({1|2})%p(2)%c(1)*xbo({1|2})%p({1|3})%c({1|2}) + {l})",
            "xbo%p({1|2|3})%c({1|2}) = cos({e})",
        ],
        observed: &["xbo(1)%p(2)%c(1)", "xbo(2)%p(3)%c(2)"],
        ..NONE
    },
];

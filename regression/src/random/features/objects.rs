//! Objects with memory of their own, components with values by default or out of sight, and what else is found out when a
//! procedure begins: ranks, bounds by functions, lengths of texts.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "default_result",
        module: &[
            ("odi", "type odi\n  real(8) :: w(2) = 0.25d0\nend type odi", ""),
            ("odt", "type odt\n  real(8) :: v = 0.5d0\n  integer :: k = 2\n  type(odi) :: in\nend type odt", ""),
        ],
        locals: &[("odo", "type(odt) :: odo", "odo = odmake(0.3d0*{x}(1), 1)"), ("odp", "type(odt) :: odp", "")],
        procedures: &[
            "type(odt) function odmake(u, k) result(o)
real(8), intent(in) :: u
integer, intent(in) :: k
if (k == 1) o%v = sin(u)
if (k == 2) o%in%w(o%k) = cos(u)*o%v
end function odmake",
            "subroutine odreset(o, u)
type(odt), intent(out) :: o
real(8), intent(in) :: u
o%in%w(1) = sin(u + o%v)
end subroutine odreset",
        ],
        scalars: &["odo%v"],
        statements: &[
            "odo = odmake({e}, {1|2|3})\n{t} = sin({t} + odo%v*odo%in%w(odo%k))",
            "odp = odmake(odo%v*{l}, {p})",
            "odo%in = odp%in\nodo%in%w(1) = cos({e})",
            "call odreset({odo|odp}, ({e}))\n{t} = cos({t}*odp%v + odo%in%w(1))",
            "do {m} = 1, n\nodo = odmake(odo%v + {e}, {m})\n{t} = sin({t}*odo%in%w(2))\nend do",
        ],
        observed: &["odo%v", "odo%in%w(2)", "odp%v*odp%in%w(1)"],
        ..NONE
    },
    Feature {
        name: "private_components",
        module: &[(
            "opt",
            "type opt\n  real(8), private :: v = 0.5d0\n  real(8), private :: w(2) = 0.25d0\ncontains\n  procedure :: set => opset\n  procedure :: get => opget\nend type opt",
            "",
        )],
        locals: &[("opo", "type(opt) :: opo(2)", "call opo(1)%set(0.3d0*{x}(1))\ncall opo(2)%set(0.4d0*{x}(n))")],
        procedures: &[
            "subroutine opset(this, u)
class(opt), intent(inout) :: this
real(8), intent(in) :: u
this%w(1) = cos(u*this%v)
this%v = sin(this%v + u)
end subroutine opset",
            "real(8) function opget(this, k)
class(opt), intent(in) :: this
integer, intent(in) :: k
opget = this%v*this%w(min(k, 2))
end function opget",
        ],
        statements: &[
            "call opo({1|2})%set({e})",
            "{t} = sin(opo({1|2})%get({p})*{l})",
            "opo(1) = opo(2)\ncall opo(2)%set({t})",
            "do {m} = 1, 2\ncall opo({m})%set({t})\n{t} = sin({t} + opo(3-{m})%get(1))\nend do",
        ],
        observed: &["opo(1)%get(1)", "opo(2)%get(2)"],
        ..NONE
    },
    Feature {
        name: "local_objects",
        module: &[
            ("olt", "type olt\n  real(8), allocatable :: d(:)\n  real(8) :: s = 0.5d0\nend type olt", ""),
            (
                "olf",
                "type olf\n  real(8), allocatable :: d(:)\n  real(8) :: s = 0.5d0\ncontains\n  final :: olone, olrow\nend type olf",
                "",
            ),
        ],
        procedures: &[
            "subroutine olone(o)
type(olf), intent(inout) :: o
if (allocated(o%d)) deallocate(o%d)
end subroutine olone",
            "subroutine olrow(o)
type(olf), intent(inout) :: o(:)
integer :: i
do i = 1, size(o)
if (allocated(o(i)%d)) deallocate(o(i)%d)
end do
end subroutine olrow",
            "subroutine olscalar(u, r, k)
real(8), intent(in) :: u
real(8), intent(inout) :: r
integer, intent(in) :: k
type(olt) :: o
allocate(o%d(0:k))
o%d = u
o%d(k) = sin(r)
r = cos(r*o%s + sum(o%d)/(k + 1))
if (k > 1) o%s = r
r = sin(r + o%s*o%d(0))
end subroutine olscalar",
            "subroutine olarrays(u, r, k)
real(8), intent(in) :: u
real(8), intent(inout) :: r
integer, intent(in) :: k
type(olt) :: a(0:k)
type(olf) :: b(2), c(k)
integer :: i
do i = 0, k
a(i)%d = [u, r, sin(u*i)]
end do
allocate(b(2)%d(2:3))
b(2)%d = cos(r)
do i = 1, k
allocate(c(i)%d(i))
c(i)%d = u*r
c(i)%s = sin(a(i-1)%d(2) + c(i)%d(1))
end do
b(1)%s = a(k)%d(3)*b(2)%d(3)
r = sin(r*b(1)%s + sum(c%s))
end subroutine olarrays",
        ],
        statements: &[
            "call olscalar(({e}), {t}, {p})",
            "call olarrays(({e}), {t}, {p})",
            "do {m} = 1, n\ncall {olscalar|olarrays}(({e}), {t}, {m})\n{A}({m}) = sin({t})\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "copied_objects",
        module: &[
            ("oci", "type oci\n  real(8), allocatable :: d(:)\n  real(8) :: s = 0.5d0\nend type oci", ""),
            ("oct", "type oct\n  type(oci), allocatable :: k(:)\n  type(oci) :: one\nend type oct", ""),
        ],
        locals: &[
            ("oca", "type(oct), allocatable :: oca(:)", "allocate(oca(2))\ncall ocstart(oca, 0.3d0*{x}(1))"),
            ("ocb", "type(oct), allocatable :: ocb(:)", "allocate(ocb(0:1))\ncall ocstart(ocb, 0.4d0*{x}(n))"),
        ],
        procedures: &[
            "subroutine ocstart(o, u)
type(oct), intent(inout) :: o(:)
real(8), intent(in) :: u
integer :: i
do i = 1, size(o)
allocate(o(i)%k(2), o(i)%one%d(2))
allocate(o(i)%k(1)%d(2), o(i)%k(2)%d(3))
o(i)%k(1)%d = u
o(i)%k(2)%d = u*i
o(i)%one%d = sin(u)
end do
end subroutine ocstart",
            "subroutine ocstep(o, u)
type(oct), intent(inout) :: o(:)
real(8), intent(in) :: u
integer :: i, j
do i = 1, size(o)
do j = 1, size(o(i)%k)
o(i)%k(j)%d(:) = sin(o(i)%k(j)%d*u + o(i)%one%s)
end do
o(i)%one%d(:) = cos(o(i)%one%d + o(i)%k(1)%d)
o(i)%one%s = sin(u + o(i)%one%d(2))
end do
end subroutine ocstep",
        ],
        statements: &[
            "oca = ocb",
            "ocb = oca\n{t} = sin({t} + ocb(1)%k(2)%d(3))",
            "call ocstep({oca|ocb}, ({e}))",
            "oca(2) = ocb(0)\n{t} = sin({t}*oca(2)%one%d(1))",
            "oca(1)%k(:) = ocb(1)%k\n{t} = cos({t}*oca(1)%k(1)%d(2))",
            "oca({1|2})%one%d({1|2}) = sin({e})",
            "do {m} = 1, n\ncall ocstep(ocb, {t})\noca = ocb\n{t} = sin({t} + oca(2)%one%s)\nend do",
            "!$ad checkpoint schedule({revolve|two-level}) snapshots(2)\ndo {m} = 1, n\ncall ocstep(oca, 0.9d0)\nend do\n{t} = sin({t} + oca(1)%one%s)",
        ],
        observed: &["oca(1)%k(1)%d(2)", "oca(2)%one%d(1)", "ocb(1)%k(2)%d(1)", "ocb(0)%one%s"],
        ..NONE
    },
    Feature {
        name: "growing_text",
        locals: &[("ogt", "character(:), allocatable :: ogt", "ogt = ''")],
        procedures: &["subroutine ogwork(p, r)
character(*), intent(in) :: p
real(8), intent(inout) :: r
integer :: k
do k = 1, min(len(p), 6)
select case (p(k:k))
case ('h')
r = sin(r*1.5d0)
case ('l')
r = cos(r + k)
end select
end do
end subroutine ogwork"],
        statements: &[
            "if (len(ogt) < 20) ogt = ogt//'{h|l|hh|lx}'\n{t} = sin({t}*(1 + len(ogt)))",
            "call ogwork(ogt, {t})",
            "if ({c}) ogt = 'h'//ogt(:len(ogt)/2)\ncall ogwork(ogt, {t})",
            "do {m} = 1, n\nif (len(ogt) > 3) ogt = ogt(2:)\nogt = ogt//'{h|l|}'\ncall ogwork(ogt, {t})\nend do",
            "if (index(ogt, 'l') > {p}) {t} = sin({e})",
        ],
        observed: &["x(1)*len(ogt)"],
        ..NONE
    },
    Feature {
        name: "passed_text",
        locals: &[("oxt", "character(:), allocatable :: oxt", "oxt = 'ab'")],
        procedures: &[
            "function oxdeferred(k) result(t)
integer, intent(in) :: k
character(:), allocatable :: t
t = repeat('a', k)
end function oxdeferred",
            "pure function oxtrim(s) result(t)
character(*), intent(in) :: s
character(len_trim(s)) :: t
t = s
end function oxtrim",
            "pure integer function oxlen(t)
character(*), intent(in) :: t
oxlen = len(t)
end function oxlen",
            "subroutine oxwork(r, t)
real(8), intent(inout) :: r
character(*), intent(in) :: t
r = sin(r*(1 + len(t)))
end subroutine oxwork",
        ],
        statements: &[
            "call oxwork({t}, {oxt|oxdeferred(2)|oxdeferred({i})|oxtrim(oxt//'  ')|oxtrim(oxdeferred(3)//' ')|oxt(2:)})",
            "{t} = sin({t} + oxlen({oxt|oxdeferred({p})|oxtrim(oxt//' ')}))",
            "oxt = oxdeferred({1|2|3})\ncall oxwork({t}, oxt)",
            "if (oxdeferred({p}) == 'aa') {t} = cos({e})",
            "do {m} = 0, n\ncall oxwork({t}, oxdeferred({m}))\nif (len(oxt) < 9) oxt = oxt//'c'\n{t} = cos({t} + oxlen(oxtrim(oxt)))\nend do",
        ],
        observed: &["x(1)*len(oxt)"],
        ..NONE
    },
    Feature {
        name: "owned_target",
        module: &[
            ("ofk", "integer :: ofk = 1", "ofk = 1"),
            ("oft", "type oft\n  real(8), pointer :: p(:) => null()\ncontains\n  final :: ofend\nend type oft", ""),
        ],
        procedures: &[
            "subroutine ofend(o)
type(oft), intent(inout) :: o
if (associated(o%p)) then
deallocate(o%p)
ofk = 3 - ofk
end if
end subroutine ofend",
            "subroutine ofwork(u, r, k)
real(8), intent(in) :: u
real(8), intent(inout) :: r
integer, intent(in) :: k
type(oft) :: o
if (k > 1) then
allocate(o%p(k))
o%p = sin(u*r)
r = cos(r + o%p(k)*u)
end if
end subroutine ofwork",
        ],
        statements: &[
            "call ofwork(({e}), {t}, {p})\nif (ofk == 1) {t} = sin({t} + {l})",
            "do {m} = 1, n\ncall ofwork(({e}), {t}, {m})\n{t} = sin({t}*ofk)\nend do",
        ],
        observed: &["x(1)*ofk"],
        ..NONE
    },
    Feature {
        name: "pure_host",
        locals: &[("ohs", "real(8) :: ohs", "ohs = 0.4d0*{x}(n)"), ("ohv", "real(8) :: ohv({n})", "ohv = 0.6d0*{x}")],
        internal: &["pure real(8) function ohf(u)
  real(8), intent(in) :: u
  ohf = sin(u*ohs) + ohv(1)
end function ohf
elemental real(8) function ohe(u)
  real(8), intent(in) :: u
  ohe = cos(u + ohs)
end function ohe
pure subroutine ohp(u, r)
  real(8), intent(in) :: u
  real(8), intent(inout) :: r
  r = sin(r + u*ohs)
end subroutine ohp"],
        arrays: &["ohv"],
        statements: &[
            "{t} = ohf({e})",
            "{A} = ohe({a})",
            "ohv = ohe({a})*ohs",
            "call ohp(({e}), {t})\nohs = sin({t} + {l})",
            "do concurrent ({m} = 1:n)\nohv({m}) = ohe({A}({m}))*ohs\nend do",
        ],
        observed: &["ohs"],
        ..NONE
    },
    Feature {
        name: "specification_function",
        module: &[("obk", "integer :: obk = 1", "obk = 1")],
        procedures: &[
            "pure integer function obsize(k)
integer, intent(in) :: k
obsize = k + obk
end function obsize",
            "subroutine obwork(k, u, r)
integer, intent(in) :: k
real(8), intent(in) :: u
real(8), intent(inout) :: r
real(8) :: w(obsize(k)), v(-obsize(1):obk)
w = sin(u*r)
v = cos(u)
w(size(w)) = r
v(obk) = r*w(1)
r = sin(sum(w)/size(w) + v(obk)*v(lbound(v, 1)))
end subroutine obwork",
        ],
        statements: &[
            "call obwork({p}, ({e}), {t})",
            "obk = mod({k}, 3) + 1",
            "do {m} = 1, n\nobk = mod({m}, 2) + 1\ncall obwork({m}, ({e}), {t})\nend do",
        ],
        observed: &["x(1)*obk"],
        ..NONE
    },
    Feature {
        name: "select_rank",
        procedures: &["subroutine orwork(a, r)
real(8), intent(in) :: a(..)
real(8), intent(inout) :: r
select rank (a)
rank (0)
r = sin(r + a)
rank (1)
r = cos(r*a(1) + sum(a))
rank default
r = 0.5d0
end select
end subroutine orwork"],
        statements: &["call orwork(({e}), {t})", "call orwork({A}, {t})"],
        refused: &["C0401"],
        ..NONE
    },
    Feature {
        name: "object_lists",
        module: &[("xlb", "type xlb\n  real(8), allocatable :: v(:)\nend type xlb", "")],
        locals: &[
            (
                "xla",
                "type(xlb), allocatable :: xla(:)",
                "allocate(xla(2))\nxla(1)%v = [0.3d0*{x}(1), 0.4d0]\nxla(2)%v = [{x}(n)]",
            ),
            ("xlo", "type(xlb) :: xlo", "xlo%v = [0.5d0*{x}(1)]"),
        ],
        statements: &[
            "if (size(xla) < 4) xla = [xla, xlo]",
            "xla = [xlo, xla(1:1)]",
            "xla = [xla(size(xla):1:-1)]",
            "xla(1:2) = xla(2:1:-1)",
            "xla = xla([2, 1])",
            "xlo = xla(1)\nxlo%v = sin(xlo%v*{e})",
            "xla(1)%v = cos(xla(2)%v*{l})",
            "{t} = sin({t} + sum(xla(size(xla))%v))",
            "do {m} = 1, 2\nif (size(xla) < 5) xla = [xla, xla({m}), xlo]\nxla({m})%v = sin(xla(2)%v + {e})\nend do",
        ],
        observed: &["sum(xla(1)%v)", "sum(xla(size(xla))%v)*size(xla)"],
        ..NONE
    },
    Feature {
        name: "lists_in_calls",
        module: &[
            ("xcb", "type xcb\n  real(8), allocatable :: v(:)\n  integer :: k = 1\nend type xcb", ""),
            ("xcl", "type(xcb), allocatable :: xcl(:)", "xcl = [xcb([0.4d0], 2), xcb([0.3d0, 0.7d0])]"),
        ],
        locals: &[
            (
                "xca",
                "type(xcb), allocatable :: xca(:)",
                "allocate(xca(3))\nxca(1)%v = [{x}(1)]\nxca(2)%v = [0.2d0, {x}(n)]\nxca(3)%v = [0.5d0]",
            ),
            ("xck", "integer :: xck", "xck = 1"),
        ],
        procedures: &[
            "elemental function xchalf(a) result(r)
type(xcb), intent(in) :: a
type(xcb) :: r
r%v = [a%v(1)*0.5d0, sin(a%v)]
if (size(r%v) > 3) r%v = r%v(3:4)
end function xchalf",
            "subroutine xcmove(a, k, u)
type(xcb), intent(inout) :: a
integer, intent(inout) :: k
real(8), intent(in) :: u
k = mod(k, 2) + 1
a%v = [u, a%v(1)*u]
end subroutine xcmove",
            "subroutine xcpush(u)
real(8), intent(in) :: u
type(xcb) :: one
one%v = [u, sin(u)]
one%k = size(xcl)
if (size(xcl) < 4) then
xcl = [xcl, one]
else
xcl = [one, xcl(3:4)]
end if
end subroutine xcpush",
            "subroutine xcgrow(q, u)
type(xcb), allocatable, intent(inout) :: q(:)
real(8), intent(in) :: u
type(xcb), allocatable :: w(:)
if (size(q) > 3) return
allocate(w(size(q) + 1))
w(2:) = q
w(1)%v = [u, q(1)%v(1)*u]
call move_alloc(w, q)
end subroutine xcgrow",
            "subroutine xcswap(a, b)
type(xcb), intent(inout) :: a, b
type(xcb) :: w
w = a
a = b
b = w
a%v = sin(a%v*b%v(1))
end subroutine xcswap",
            "subroutine xcmend(q, u)
type(xcb), intent(inout) :: q(:)
real(8), intent(in) :: u
integer :: i
do i = 1, size(q)
if (size(q(i)%v) < 3) then
q(i)%v = [q(i)%v, u]
else
q(i)%v = [cos(q(i)%v(3)*u)]
end if
q(i)%k = q(i)%k + 1
end do
end subroutine xcmend",
            "function xcmake(u, k) result(q)
real(8), intent(in) :: u
integer, intent(in) :: k
type(xcb), allocatable :: q(:)
integer :: i
allocate(q(2 + mod(k, 2)))
do i = 1, size(q)
q(i)%v = [u*i]
end do
end function xcmake",
            "subroutine xcfill(q, u)
type(xcb), intent(out) :: q(:)
real(8), intent(in) :: u
integer :: i
do i = 1, size(q)
allocate(q(i)%v(mod(i, 2) + 1), source=sin(u*i))
end do
end subroutine xcfill",
        ],
        statements: &[
            "call xcpush(({e}))",
            "call xcgrow(xcl, ({e}))",
            "call xcgrow(xca, ({e}))",
            "call xcswap(xca(1), xca(2))",
            "call xcswap(xcl(2), xca(1))",
            "call xcmend(xca, ({e}))",
            "call xcmend(xca(2:), ({l}))",
            "call xcmend(xcl, ({e}))",
            "xca = xcmake(({e}), {k})",
            "xca = xchalf(xca)",
            "xca(1:2) = xchalf(xca(2:1:-1))",
            "call xcmove(xca(xck), xck, ({e}))",
            "do {m} = 1, size(xca)\nif (size(xca) > 2) xca = xca(1:2)\nxca(1)%v = sin(xca(2)%v + {l})\nend do",
            "do {m} = size(xca), 1, -1\ncall xcgrow(xca, ({l}))\n{t} = cos({t} + xca({m})%v(1))\nend do",
            "call xcfill(xca, ({e}))",
            "call xcfill(xca(1:2), ({e}))",
            "do {m} = 1, 3\ncall xcgrow(xca, ({e}))\ncall xcpush(xca({1|2})%v(1))\nend do",
            "xca(1) = xca(2)\nxcl(2) = xca(size(xca))",
            "{t} = sin({t} + sum(xca(size(xca))%v)*xca(1)%k)",
            "xcl(1)%v = cos(xca(2)%v*{l})\nif (xcl(2)%k > 2) xcl(2)%v(1) = sin({e})",
        ],
        observed: &["sum(xca(1)%v)", "sum(xca(2)%v)*size(xca)", "sum(xcl(1)%v)*xcl(2)%k", "sum(xcl(size(xcl))%v)"],
        ..NONE
    },
    Feature {
        name: "components_left_alone",
        module: &[(
            "olp",
            "type olp\n  real(8) :: s = 0.3d0, v = 0.2d0\n  real(8), allocatable :: w(:)\n  integer, allocatable :: near(:)\nend type olp",
            "",
        )],
        locals: &[(
            "ola",
            "type(olp) :: ola(2)",
            "ola%s = {x}(1)\nola%v = {x}(n)\nola(1)%w = [{x}(1), 0.4d0]\nola(2)%w = [{x}(n)]\nola(2)%near = [1, 2]",
        )],
        procedures: &[
            "subroutine olnear(q, k)
type(olp), intent(inout) :: q(:)
integer, intent(in) :: k
integer :: i
do i = 1, size(q)
if (.not. allocated(q(i)%near)) allocate(q(i)%near(0))
q(i)%near = [q(i)%near(1:min(1, size(q(i)%near))), k, i]
end do
end subroutine olnear",
            "subroutine olpush(q, u, r)
type(olp), intent(inout) :: q
real(8), intent(in) :: u
real(8), intent(out) :: r
r = sin(q%s*u)
if (allocated(q%near)) then
deallocate(q%near)
else
q%near = [1]
end if
end subroutine olpush",
            "subroutine olwide(q, u)
type(olp), intent(inout) :: q
real(8), intent(in) :: u
q%w = [sin(q%w(1)*u), u]
q%near = [size(q%w), 2]
end subroutine olwide",
        ],
        statements: &[
            "call olnear(ola, {k})",
            "call olnear(ola({1|2}:2), {k})",
            "call olpush(ola({1|2}), ({e}), {t})",
            "call olwide(ola({1|2}), ({e}))",
            "do {m} = 1, 3\ncall olpush(ola({1|2}), ({l}), {t})\nola%v = sin(ola%v*{t} + {l})\nend do",
            "ola({1|2})%v = cos({e})\nola({1|2})%s = sin(ola(1)%v*ola(2)%s)",
            "{t} = sin({t}*ola({1|2})%v + sum(ola({1|2})%w))",
            "if (allocated(ola(1)%near)) {t} = sin({t}*size(ola(1)%near)*ola(1)%s)",
        ],
        observed: &["sum(ola%v*ola%s)", "sum(ola(1)%w)*ola(2)%v", "sum(ola(2)%w)*ola(1)%s"],
        ..NONE
    },
];

//! Names: hidden, renamed, the same in several modules, and those of statements and intrinsics.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "hidden",
        module: &[("hvt", "real(8) :: hvt", "hvt = 0.3d0*x(1)"), ("hvk", "integer :: hvk = 1", "hvk = 1")],
        procedures: &[
            "subroutine hvchange(r)
real(8), intent(inout) :: r
r = sin(r*hvt + hvk)
hvt = cos(hvt + r)
hvk = 3 - hvk
end subroutine hvchange",
            "subroutine hvwork(r)
real(8), intent(inout) :: r
real(8) :: hvt
integer :: hvk
hvt = 0.5d0
hvk = 2
call hvchange(r)
r = r*hvt*hvk
call hvchange(r)
end subroutine hvwork",
        ],
        statements: &["call hvwork({t})", "call hvwork({t})\n{v} = sin({v} + {t})\ncall hvchange({v})"],
        observed: &["hvt*hvk"],
        ..NONE
    },
    Feature {
        name: "hidden_other",
        outside: &[(
            "_ho",
            "module @_ho
  implicit none
  real(8) :: hot = 1d0
  integer :: hoi = 1
contains
  subroutine hobar(x)
    real(8), intent(inout) :: x
    x = sin(x*hot + hoi)
    hot = cos(hot + x)
    hoi = 3 - hoi
  end subroutine hobar
  subroutine hostart(u)
    real(8), intent(in) :: u
    hot = u
    hoi = 1
  end subroutine hostart
end module @_ho
",
        )],
        module: &[
            ("hobar", "use @_ho, only: hobar, hostart", "call hostart(0.4d0*x(1))"),
            ("hot", "real(8) :: hot", "hot = 0.7d0*x(n)"),
        ],
        procedures: &["subroutine howork(r)
real(8), intent(inout) :: r
real(8) :: hoi
hoi = 0.5d0*r
call hobar(r)
r = sin(r + hoi*hot)
hot = cos(hot*r)
call hobar(r)
end subroutine howork"],
        statements: &["call howork({t})", "call hobar({t})", "hot = sin(hot + {e})\ncall howork({t})"],
        observed: &["hot"],
        ..NONE
    },
    Feature {
        name: "protected",
        outside: &[(
            "_pt",
            "module @_pt
  implicit none
  real(8), protected :: ptp = 0.5d0
  integer, protected :: ptk = 1
contains
  subroutine ptset(a, k)
    real(8), intent(in) :: a
    integer, intent(in) :: k
    ptp = sin(ptp*a) + 0.1d0*a
    ptk = k
  end subroutine ptset
  subroutine ptstart(a)
    real(8), intent(in) :: a
    ptp = a
    ptk = 1
  end subroutine ptstart
end module @_pt
",
        )],
        module: &[
            ("ptset", "use @_pt, only: ptset, ptstart, ptp, ptk", "call ptstart(0.4d0*x(1))"),
            ("ptp", "", "call ptstart(0.4d0*x(1))"),
        ],
        observed: &["ptp*ptk"],
        statements: &[
            "call ptset(({e}), {1|2|3})\n{t} = sin({t}*ptp)",
            "{t} = sin({t} + ptp*ptk)\ncall ptset(({e}), 2)",
            "call ptset(({e}), {i})\n{t} = sin({t} + {A}(min(ptk, n)))",
        ],
        ..NONE
    },
    Feature {
        name: "renamed_procedures",
        outside: &[(
            "_ra",
            "module @_ra
  implicit none
contains
  subroutine rag(a)
    real(8), intent(inout) :: a
    a = sin(a)*a
  end subroutine rag
end module @_ra
module @_rb
  implicit none
  real(8) :: rbs = 0.5d0
contains
  subroutine rag(a)
    real(8), intent(inout) :: a
    a = cos(a*rbs)
    rbs = sin(rbs + a)
  end subroutine rag
end module @_rb
",
        )],
        module: &[("rag", "use @_ra", ""), ("rag3", "use @_rb, only: rag3 => rag, rbx => rbs", "rbx = 0.4d0*x(1)")],
        statements: &["call rag({t})", "call rag3({t})\ncall rag({t})", "rbx = sin({e})\ncall rag3({t})"],
        observed: &["rbx"],
        ..NONE
    },
    Feature {
        name: "statement_names",
        procedures: &[
            "elemental real(8) function snf(a, b) result(close)
real(8), intent(in) :: a, b
real(8) :: read, return
read = a
if (a > b) then
close = sin(a - b)
else
return = b - read
close = cos(return)
end if
end function snf",
            "subroutine sns(do, if)
real(8), intent(inout) :: do
real(8), intent(in) :: if
real(8) :: then, allocate(2), end, use
integer :: rewind
then = if
allocate(1) = sin(do*then)
allocate(2) = if
end = 0d0
do rewind = 1, 2
end = end + allocate(rewind)
end do
use = cos(end)
do = use*do
end subroutine sns",
        ],
        statements: &["{t} = snf({e}, {l})", "call sns({t}, ({e}))", "{A} = snf({A}, {l})"],
        ..NONE
    },
    Feature {
        name: "intrinsic_names",
        procedures: &[
            "subroutine ina(n, merge, size)
integer, intent(in) :: n
real(8), intent(inout) :: merge(:)
real(8), intent(inout) :: size
integer :: lbound, ubound, j
real(8) :: spread(3), huge
lbound = 1
ubound = n
huge = sin(size)
spread = huge
do j = lbound, ubound
merge(j) = sin(merge(j)*spread(2)) + merge(lbound)*0.1d0
if (merge(j) > 0.4d0) huge = cos(huge*merge(j))
end do
size = size*cos(huge)
merge(lbound:n) = merge(lbound:n)*size
end subroutine ina",
            "subroutine inb(sum, max)
real(8), intent(in) :: sum(:)
real(8), intent(inout) :: max
real(8) :: tiny, epsilon, shape(2)
integer :: allocated, present
tiny = max
allocated = 1
shape = tiny
do present = 1, ubound(sum, 1)
epsilon = sin(sum(present)*tiny)
shape(allocated) = shape(2)*epsilon
allocated = 3 - allocated
tiny = cos(shape(1) + epsilon)
end do
max = tiny
end subroutine inb",
        ],
        statements: &["call ina(n, {A}, {t})", "call inb({A}, {t})"],
        ..NONE
    },
    Feature {
        name: "intrinsic_hidden_in_host",
        locals: &[
            ("adjustl", "integer :: adjustl, verify", "adjustl = 1\nverify = n"),
            ("epsilon", "real(8) :: epsilon", "epsilon = 0.3d0*{x}(1)"),
        ],
        statements: &[
            "{t} = sin({A}(adjustl)*{e} + {A}(verify))",
            "adjustl = mod({k}, n) + 1\n{A}(adjustl) = sin(epsilon + {e})",
            "epsilon = cos(epsilon*{e})\n{t} = sin({t} + epsilon*adjustl)",
            "do {m} = adjustl, n\n{A}({m}) = sin({A}({m}) + {A}(adjustl))\nend do",
        ],
        observed: &["epsilon", "x(adjustl)"],
        ..NONE
    },
    Feature {
        name: "host_of_internals",
        locals: &[
            ("hia", "real(8) :: hia, hib", "hia = 0d0"),
            ("hij", "integer :: hij", "hij = 1"),
            ("hiv", "real(8) :: hiv({n})", "hiv = 0.4d0*{x}"),
        ],
        internal: &["subroutine hione()
  hia = hiv(hij)
  hiv(hij) = sin(hiv(hij)*1.1d0)
end subroutine hione
subroutine hitwo()
  if (hiv(hij) > 0.3d0) hiv(hij) = hia*hiv(1)
end subroutine hitwo
subroutine hifour(u)
  real(8), intent(inout) :: u
  call hidouble(u)
  u = sin(u + hiv(hij))
end subroutine hifour"],
        procedures: &["subroutine hidouble(u)
real(8), intent(inout) :: u
u = cos(2*u)
end subroutine hidouble"],
        arrays: &["hiv"],
        positions: &["hij"],
        statements: &[
            "do hij = 1, n\ncall hione()\ncall hitwo()\nend do\nhij = 1",
            "hij = {p}\ncall hione()\n{t} = sin({t} + hiv(hij))",
            "call hione()\nhiv({i}) = cos({e})\ncall hitwo()",
            "call hifour({t})",
        ],
        observed: &["hiv(1)"],
        ..NONE
    },
    Feature {
        name: "internal_storage",
        locals: &[("isto", "real(8) :: isto", "isto = 0.3d0*{x}(1)")],
        internal: &[
            "subroutine isput(u)
  real(8), intent(inout) :: u
  real(8) :: a(2), c
  equivalence (a(1), c)
  a = isfun(u)
  c = c*u
  isto = sin(a(1) + isto)
  u = cos(a(2)*isto)
end subroutine isput",
            "real(8) function isfun(v)
  real(8), intent(in) :: v
  real(8) :: w(4), w2, pq
  integer :: k(2), kk
  character(20) :: b
  equivalence (w2, w(2)), (k(2), kk)
  namelist /isn/ pq
  data k /2, 1/
  b = ' &isn pq=0.5 /'
  read (b, isn)
  w = v*isto*pq
  w2 = w2*w(k(1)) + sin(w(kk))
  isfun = cos(sum(w))
end function isfun",
        ],
        statements: &[
            "{t} = sin({t} + isfun({l}))",
            "call isput({t})",
            "do {m} = 1, n\nif (isfun({A}({m})) > 0.1d0) call isput({A}({m}))\nend do",
        ],
        observed: &["isto"],
        ..NONE
    },
    Feature {
        name: "internal_shadows",
        locals: &[("isv", "real(8) :: isv", "isv = 0.4d0*{x}(n)")],
        module: &[("ism", "real(8) :: ism", "ism = 0.2d0*x(1)")],
        internal: &["subroutine isone(u)
  real(8), intent(inout) :: u
  real(8) :: ism
  ism = sin(u)
  call istwo(u)
  u = u*ism + isv
  isv = cos(isv*u)
end subroutine isone"],
        procedures: &["subroutine istwo(isv)
real(8), intent(inout) :: isv
isv = sin(isv*ism)
ism = cos(ism + isv)
end subroutine istwo"],
        statements: &["call isone({t})", "isv = sin({e})\ncall isone({t})", "ism = sin({e})\ncall isone({t})"],
        observed: &["isv", "ism"],
        ..NONE
    },
    Feature {
        name: "modules_used_twice",
        outside: &[(
            "_mu",
            "module @_mu
  implicit none
  real(8) :: mug = 1d0
  real(8) :: muh = 0.5d0
contains
  subroutine mustart(u)
    real(8), intent(in) :: u
    mug = u
    muh = 0.5d0
  end subroutine mustart
end module @_mu
",
        )],
        module: &[("mustart", "use @_mu, only: mustart, muh", "call mustart(0.4d0*x(1))")],
        procedures: &[
            "subroutine muwork(r)
use @_mu, only: mue => mug
use @_mu
real(8), intent(inout) :: r
r = sin(r + mue*muh)
mue = cos(mue*r)
end subroutine muwork",
            "subroutine muother(r)
use @_mu
use @_mu, muh => mug, mui => muh
real(8), intent(inout) :: r
r = cos(r*muh)
mui = sin(mui + r*muh)
end subroutine muother",
        ],
        statements: &["call muwork({t})", "call muother({t})", "muh = sin(muh + {e})\ncall muwork({t})"],
        observed: &["muh"],
        ..NONE
    },
];

//! Allocation: with status variables, in modules, in steps.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "allocate_stat",
        locals: &[("mst", "integer :: mst", "mst = 0"), ("msa", "real(8), allocatable :: msa(:)", "msa = 0.3d0*{x}")],
        statements: &[
            "allocate(msa(n), stat=mst)\nif (mst /= 0) {t} = sin({t} + msa({i}))",
            "deallocate(msa, stat=mst)\nallocate(msa(n), stat=mst)\nif (mst == 0) msa = sin({a})\n{t} = sin({t} + msa({i}))",
            "if ({c}) deallocate(msa)\nallocate(msa(n), stat=mst)\nif (mst == 0) msa = cos({e})
{t} = sin({t} + sum(msa))",
            "msa({i}) = sin({e})\n{t} = cos({t}*sum(msa))",
        ],
        observed: &["sum(msa)"],
        ..NONE
    },
    Feature {
        name: "loop_over_size",
        locals: &[("mza", "real(8), allocatable :: mza(:)", "mza = 0.3d0*{x}")],
        statements: &[
            "do {m} = 1, size(mza)\nif (size(mza) > 1) mza = cos(mza(:size(mza) - 1)*{l})\n{t} = sin({t} + mza(1))\nend do",
            "do {m} = lbound(mza, 1), ubound(mza, 1)\nif (size(mza) < 6) mza = [mza, sin({e})]\n{t} = sin({t} + mza({m}))\nend do",
            "do {m} = size(mza), 1, -1\nif ({c}) mza = [mza(1), cos({l})]\n{t} = cos({t}*mza(1))\nend do",
        ],
        observed: &["sum(mza)*size(mza)"],
        ..NONE
    },
    Feature {
        name: "allocate_passed",
        procedures: &[
            "subroutine mpopt(r, o)
real(8), intent(inout) :: r
real(8), intent(in), optional :: o(:)
r = sin(r + 0.3d0)
if (present(o)) r = r*sum(o)
end subroutine mpopt",
            "subroutine mpask(r, o)
real(8), intent(inout) :: r
real(8), intent(in), allocatable :: o(:)
if (allocated(o)) then
r = cos(r*size(o))
else
r = sin(r)
end if
end subroutine mpask",
            "subroutine mpown(r, v)
real(8), intent(inout) :: r
real(8), intent(in) :: v(:)
real(8), allocatable :: w(:), u(:)
character(:), allocatable :: t
call mpopt(r, w)
w = v*r
allocate(u(2))
allocate(character(3) :: t)
call mpopt(r, w)
call mpask(r, u)
r = r + 0.1d0*len(t)*r**2
deallocate(w, u, t)
call mpopt(r, w)
call mpask(r, u)
t = 'ab'
r = r + 0.1d0*len(t)*r**2
end subroutine mpown",
        ],
        statements: &["call mpown({t}, {a})", "do {m} = 1, 2\ncall mpown({t}, {a}*{m})\nend do"],
        ..NONE
    },
    Feature {
        name: "allocate_module",
        module: &[("mma", "real(8), allocatable :: mma(:)", "if (allocated(mma)) deallocate(mma)")],
        procedures: &[
            "subroutine mmset(u)
real(8), intent(in) :: u
integer :: st
allocate(mma(3), stat=st)
if (st == 0) mma = u
mma(1) = sin(mma(1) + mma(3))
end subroutine mmset",
            "subroutine mmend(r)
real(8), intent(inout) :: r
if (allocated(mma)) then
r = sin(r + sum(mma))
deallocate(mma)
end if
end subroutine mmend",
            "subroutine mmgrow(k)
integer, intent(in) :: k
real(8), allocatable :: old(:)
if (.not. allocated(mma)) return
call move_alloc(mma, old)
allocate(mma(size(old) + k))
mma = 0.3d0
mma(:size(old)) = sin(old)
end subroutine mmgrow",
        ],
        statements: &[
            "call mmset(({e}))",
            "call mmend({t})",
            "do {m} = 1, 2\ncall mmset(({e}))\nend do\n{t} = sin({t} + sum(mma))",
            "call mmset(({e}))\ncall mmgrow({1|2})\ncall mmend({t})",
            "if (allocated(mma)) {t} = sin({t}*mma(2))",
        ],
        ..NONE
    },
    Feature {
        name: "allocate_in_steps",
        locals: &[
            ("mta", "real(8), allocatable :: mta(:)", "mta = 0.3d0*{x}"),
            ("mtb", "real(8), allocatable :: mtb(:)", "allocate(mtb(2))\nmtb = 0.2d0*{x}(1)"),
        ],
        statements: &[
            "do {m} = 1, n\nif (size(mta) > 5) then\ndeallocate(mta)\nallocate(mta({m}))\nmta = sin({e})\nend if
mta = [mta, {t}]\n{t} = sin({t} + sum(mta))\nend do",
            "call move_alloc(mta, mtb)\nallocate(mta(n))\nmta = sin({a})*mtb(1)",
            "do {m} = 1, n\ndeallocate(mtb)\nallocate(mtb({m}))\nmtb = sin({t} + {m})\n{t} = cos(sum(mtb)*{l})\nend do",
            "deallocate(mtb)\nallocate(mtb(0:{p}))\nmtb = sin({e})\n{t} = sin({t} + mtb({p}-1)*mtb(0))",
            "{t} = sin(mta(size(mta))*mtb(1) + {l})",
        ],
        observed: &["sum(mta)", "sum(mtb)"],
        ..NONE
    },
    Feature {
        name: "allocate_scalar",
        locals: &[("mqa", "real(8), allocatable :: mqa", "mqa = 0.5d0*{x}(1)")],
        statements: &[
            "mqa = sin(mqa*{e})",
            "{t} = cos(mqa + {e})",
            "deallocate(mqa)\nallocate(mqa)\nmqa = sin({e})",
            "deallocate(mqa)\nallocate(mqa, source=sin({e}))",
        ],
        observed: &["mqa"],
        ..NONE
    },
];

//! Loops that directives of OpenMP and OpenACC, or `do concurrent`, share out, and through which derivatives pass.

use super::{Feature, NONE};

pub(super) const TABLES: &[super::Entity] = &[
    ("sla", "real(8) :: sla(6)", "sla = 0.4d0\nsla(2) = 0.3d0*{x}(1)\nsla(5) = 0.2d0 + 0.1d0*{x}(n)"),
    ("slb", "real(8) :: slb(6)", "slb = 0.5d0\nslb(1) = 0.1d0*{x}(1)"),
    ("slw", "real(8) :: slw(3)", "slw = 0.6d0"),
    ("slc", "real(8) :: slc(6, 3)", "slc = 0.3d0\nslc(2, :) = 0.2d0 + 0.1d0*{x}(1)"),
    ("sls", "real(8) :: sls", "sls = 0.3d0"),
    ("slp", "integer :: slp(6)", "slp = [3, 1, 6, 2, 5, 4]"),
    ("slk", "integer :: slk", "slk = 1"),
    ("slq", "integer :: slq", "slq = 1"),
    ("sln", "integer :: sln", "sln = 1"),
];

/// Those without a value at first stand in one statement only.
const WORK: &[super::Entity] = &[
    ("swa", "real(8) :: swa(6)", "swa = 0.4d0\nswa(2) = 0.3d0*{x}(1)\nswa(5) = 0.2d0 + 0.1d0*{x}(n)"),
    ("swb", "real(8) :: swb(6)", "swb = 0.5d0\nswb(1) = 0.1d0*{x}(1)"),
    ("swx", "real(8) :: swx(6)", ""),
    ("swy", "real(8) :: swy(3)", ""),
    ("swz", "real(8) :: swz(3)", ""),
    ("swi", "integer :: swi(2)", ""),
    ("swv", "real(8) :: swv(3)", "swv = 0.6d0"),
    ("swk", "integer :: swk", "swk = 1"),
    ("slj", "integer :: slj", "slj = 1"),
];

pub(super) const PROCEDURES: &[&str] = &[
    "pure subroutine slone(a, b, c)
real(8), intent(in) :: a, c
real(8), intent(out) :: b
real(8) :: d
d = sin(a)*c
b = d*d + 0.3d0*a
end subroutine slone",
    "pure subroutine slnear(a, b, c, d)
real(8), intent(in) :: a, b, c
real(8), intent(out) :: d
d = sin(a*b)*c + max(a - b, 0.1d0*c)
end subroutine slnear",
    "subroutine slmany(k, a, c)
integer, intent(in) :: k
real(8), intent(inout) :: a(k)
real(8), intent(in) :: c
integer :: j
do j = 2, k
a(j) = sin(a(j)*a(j - 1)) + c
end do
end subroutine slmany",
    "pure subroutine slopen(a, b, c)
real(8), intent(inout) :: a
real(8), intent(out) :: b
real(8), intent(in) :: c
integer :: j
b = c
j = 0
do
if (abs(a) < 0.1d0 .or. j >= 3) exit
j = j + 1
b = sin(b*a) + 0.2d0
if (b < 0.3d0) cycle
a = 0.6d0*a*b
end do
end subroutine slopen",
];

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "shared_own_elements",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "!$omp parallel do {|schedule(static, 2) |schedule(dynamic) |num_threads(2) }private(sls)
do {m} = 1, 6
sls = sin(sla({m}))*{t}
slb({m}) = {slb({m}) + |}sls*sla({m}) + {l}
end do
sls = 0.2d0",
            "!$omp parallel do
do {m} = 2, 5
slb({m}) = sla({m})*0.5d0 + {0.1d0|0.2d0*sla({m})}*sla({m} {-|+} 1)
end do
{t} = sin({t}*slb({1|2|5}))",
            "!$omp parallel do {default(shared) |}private(slk)
do {m} = 1, {6|3|0}
slk = slp({m})
slb(slk) = sin(sla({m}) + slb(slk)*{t})
end do",
            "!$omp parallel do
do {m} = 1, 6
slb(slp({m})) = sla({m})*{t}
slb(slp({m})) = sin(slb(slp({m}))) + sla(slp({m}))
end do",
            "!$omp parallel do private(slk, slw)
do {m} = 1, 6
do slk = 1, 3
slw(slk) = sla({m})*slk + {t}
end do
do slk = 2, 3
slw(slk) = sin(slw(slk)*slw(slk - 1))
end do
if (slw(3) > {l}) then
slb({m}) = slw(3)
else
slb({m}) = slb({m})*slw(2)
end if
end do
slw = 0.5d0",
            "!$omp parallel do
do {m} = 1, 6
call slone(sla({m}), slb({m}), {t})
end do",
            "!$omp parallel do
do {m} = 1, 5, 2
sla({m}) = sin(sla({m} + 1)*{t} + {l})
end do",
            "do slk = 1, {p}
!$omp parallel do
do {m} = 2, 5
slb({m}) = sla({m}) + 0.1d0*sla({m})*(sla({m} + 1) - sla({m} - 1))
end do
!$omp parallel do
do {m} = 2, 5
sla({m}) = slb({m})
end do
end do",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_sums",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "sls = {0|{t}}
!$omp parallel do reduction(+: sls)
do {m} = 1, {6|4|0}
sls = sls + sla({m})*sin({t} + slb({m}))
end do
{t} = sin(sls*0.3d0)",
            "sls = {0.1d0|{t}}
!$omp parallel do reduction(max: sls)
do {m} = 1, 6
{if (mod({m}, 4) == {p}) cycle; |}sls = max(sls, sla({m})*slb({m}) + 0.01d0*{m})
end do
{t} = sin(sls + {t})",
            "sls = {0.1d0|{t}}
!$omp parallel do reduction(min: sls)
do {m} = 1, 6
sls = min(sls, sla({m})*slb({m}) + 0.01d0*{m})
end do
{t} = sin(sls + {t})",
            "!$omp parallel do private(slq)
do {m} = 1, 6
slb({m}) = {0|{t}}
!$omp simd
do slq = 1, {6|{m}|0}
slb({m}) = slb({m}) + sin(sla(slq)*{m})
end do
slb({m}) = cos(slb({m}))
end do",
            "sls = 1 + {t}
!$omp parallel do reduction(*: sls)
do {m} = 1, {6|2|0}
{if (mod({m}, 4) == {p}) cycle; |}sls = sls*(0.7d0 + 0.2d0*sin(sla({m})))
end do
{t} = sin(sls)",
            "=!$omp parallel private(sls)
sls = {-1d1|1d0}
!$omp do
do {m} = 1, {6|0}
{if (mod({m}, 3) == {p}) cycle; |}{sls = max(sls, sla({m})*{t} + 0.01d0*{m})|if (slb({m})**2 + 0.02d0*{m} > sls) sls = slb({m})**2 + 0.02d0*{m}}
end do
=!$omp end do
=!$omp critical
slb(3) = max(slb(3), sls)
=!$omp end critical
=!$omp end parallel
sls = 0.2d0",
            "!$omp parallel do private(slk)
do {m} = 1, 6
slk = mod({m} + {p}, 3) + 1
!$omp atomic
slw(slk) = slw(slk) + sin(sla({m}))*{t}
end do
slb(2) = slw(1)*slw(2)
slw = 0.5d0",
            "!$omp parallel do reduction(+: slw)
do {m} = 1, 6
slw(mod({m}, 3) + 1) = slw(mod({m}, 3) + 1) + sla({m})*{t}
end do
slb(3) = sin(slw(1) + slw(3))
slw = 0.4d0",
            "!$omp parallel do lastprivate(sls)
do {m} = 1, {6|3}
sls = sin(sla({m}))*{t}
slb({m}) = sls*sls
end do
{t} = sin(sls + {l})",
            "=!$omp parallel private(sls)
sls = 0
!$omp do
do {m} = 1, 6
sls = sls + sin(sla({m})*{t})
end do
=!$omp end do
=!$omp critical
slb(1) = slb(1) + sls
=!$omp end critical
=!$omp end parallel
slb(1) = sin(slb(1))
sls = 0.2d0",
        ],
        observed: &["sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_regions",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "=!$omp parallel private({m})
!$omp do
do {m} = 1, 6
slb({m}) = sla({m})**2 + {t}
end do
=!$omp end do {|nowait
=!$omp barrier}
=!$omp single
slb(1) = sin(slb(1))*{l}
=!$omp end single
!$omp do
do {m} = 1, 6
sla({m}) = sin(slb({m})*slb(7 - {m}))
end do
=!$omp end do
=!$omp end parallel",
            "=!$omp parallel
=!$omp single
do {m} = 1, 6
=!$omp task firstprivate({m})
slb({m}) = sin(sla({m})*{t})
=!$omp end task
end do
=!$omp end single
=!$omp end parallel",
            "=!$omp parallel sections
=!$omp section
sla(1) = sin({t}*slb(2))
=!$omp section
sla(2) = slb(1)*{t} + {l}
=!$omp end parallel sections",
            "=!$omp parallel workshare
slb(2:5) = sin(sla(1:4))*{t}
sla(1:2) = slb(3:4)
=!$omp end parallel workshare",
            "!$omp parallel do ordered
do {m} = 2, 6
=!$omp ordered
slb({m}) = sin(slb({m} - 1)*sla({m}))
=!$omp end ordered
end do",
            "!$acc parallel loop {|gang vector }{|copy(slb) copyin(sla)}
do {m} = 1, 6
slb({m}) = sin(sla({m}))*{t} + slb({m})
end do",
            "=!$acc data copy(slb) copyin(sla)
=!$acc kernels
do {m} = 1, 6
slb({m}) = sla({m})*sla({m}) + {l}
end do
=!$acc end kernels
!$acc parallel loop
do {m} = 2, 5
slb({m}) = sin(slb({m})) + sla({m} + 1)*sla({m} - 1)
end do
=!$acc end data",
            "do concurrent ({m} = 1:6)
slb({m}) = sin(sla({m})*{t}) + {l}
end do",
            "do concurrent ({m} = 1:6, sla({m}) > {l})
slb({m}) = sla({m})*sla(7 - {m})
end do",
            "=!$omp target map(tofrom: slb) map(to: sla)
!$omp {parallel do|teams distribute parallel do}
do {m} = 1, 6
slb({m}) = slb({m})*sin(sla({m}))
end do
=!$omp end target",
            "!$omp simd
do {m} = 1, 6
slb({m}) = slb({m}) + sin(sla({m}) + {t})
end do",
            "!$omp parallel do
do {m} = 1, 3
call slmany(2, sla(2*{m} - 1:2*{m}), {t})
end do",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_open_loops",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "!$omp parallel do {|schedule(dynamic) |schedule(static, 1) }private(sls, slk)
do {m} = 1, {6|3|0}
sls = sla({m}) + {l}
slk = 0
do while (slk < {3|0|5} .and. abs(sls) > 0.05d0)
slk = slk + 1
sls = 0.8d0*sls*cos(sls*{t})
end do
slb({m}) = sls*slb({m})
end do
sls = 0.3d0
slk = 1",
            "!$omp parallel do {|schedule(dynamic) }private(slk)
do {m} = {1, 6|6, 1, -1|2, 6, 2}
slk = {0|1}
do while (slk < 3 .and. sla({m}) > 0.02d0)
slk = slk + 1
{sla({m}) = 0.7d0*sin(sla({m}))|slb({m}) = slb({m})*sla({m})
sla({m}) = 0.6d0*sla({m})*cos(slb({m}))}
end do
end do
slk = 1",
            "do slk = 1, {p}
!$omp parallel do private(sls, sln)
do {m} = {1|slk}, 6
sls = slb({m})
do sln = 1, mod(slp({m}) + slk, 3)
sls = sin(sls*sla({m}))
if (sls > {0.5d0|{l}}) exit
slb({m}) = sls*{t}
end do
sla({m}) = sla({m})*0.5d0 + sls
end do
end do
sls = 0.3d0
sln = 1",
            "!$omp parallel do {|schedule(dynamic)}
do {m} = 1, 6
call slopen(sla({m}), slb({m}), {t})
end do",
            "slk = 0
do while (slk < {2|0|3})
slk = slk + 1
!$omp parallel do private(sln, sls)
do {m} = 1, 6
sln = slk
sls = 0
do while (sln < 4)
sln = sln + 1
if (mod(sln + slp({m}), 2) == 0) cycle
sls = sls + sin(sla({m})*sls + {t})
end do
slb({m}) = slb({m}) + 0.2d0*sls
sla({m}) = 0.9d0*sla({m}) + 0.1d0*slb({m})
end do
end do
sls = 0.2d0
sln = 1
slk = 1",
            "do concurrent ({m} = 1:6)
sla({m}) = sla({m})*{t}
do while (sla({m}) > 0.1d0)
sla({m}) = 0.5d0*sla({m})*sin(sla({m}) + 0.3d0)
end do
end do",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_neighbours",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "!$omp parallel do {|schedule(dynamic) |schedule(static, 1) }private(slw)
do {m} = {2, 5|5, 2, -1|2, 5, 2|5, 6|6, 5}
slw(1) = sla({m} - 1)*{t}
slw(2) = sla({m}) + 0.2d0*sla(min({m} + 1, 6))
slw(3) = sin(slw(1)*slw(2))
slb({m}) = slb({m}){| + slb({m})*slw(2)} + slw(3)*slw(1)
end do
slw = 0.5d0",
            "!$omp parallel do private(sls, slw)
do {m} = {1, 6|3, 4|6, 1, -3}
sls = sla({m}){*sla(7 - {m})|}
slw(1) = {sls*sls|sla(max({m} - 1, 1))}
if ({m} > {p}) then
slb({m}) = sin(slw(1)*sla({m}))
else
slb({m}) = slb({m})*cos(sls)
end if
end do
sls = 0.3d0
slw = 0.5d0",
            "!$omp parallel do collapse(2) private(sls)
do slk = 1, {3|2|1}
do {m} = 2, 5
sls = sla({m} + 1) - sla({m} {-|+} 1)*{t}
sls = sin(sls)*cos(sls)
slc({m}, slk) = slc({m}, slk)*{0.5d0|sls} + sls
if (slk == {1|2}) slb({m}) = sls + {l}
end do
end do
slk = 1
sls = 0.3d0",
            "!$omp parallel do private(sls)
do slk = {1, 3|3, 1, -1}
do {m} = 2, 5
sls = slc({m}, slk)*slc({m} - 1, slk)
slc({m}, slk) = sin(sls)*cos(sls) + {t}
end do
end do
slk = 1
sls = 0.3d0",
            "do slk = 0, 1
!$omp parallel do
do {m} = 2 + slk, 5, 2
slb({m}) = 0.4d0*sin(slb({m} - 1) + {slb({m} + 1)|sla({m})*slb({m} + 1)})*slb({m})
end do
end do
slk = 1",
            "!$omp parallel do private(sls)
do {m} = 2, 5
sls = sin(sla({m} + 1)*sla({m} - 1))
call slone(sls, slb({m}), sla({m}))
end do
sls = 0.3d0",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])", "sum(slc*slc)"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_strategies",
        locals: TABLES,
        statements: &[
            "!$ad parallel strategy({atomic|reduction|serial|gather|atomic: sla|reduction: sla})
!$omp parallel do
do {m} = 2, 5
slb({m}) = sla({m} - 1)*sla({m} + 1) + {t}
end do",
            "!$ad parallel strategy({shared: sla|atomic|reduction: sla}) strategy({gather|atomic})
!$omp parallel do {|schedule(static, 1)}
do {m} = 1, 6
slb({m}) = sin(sla(slp({m}))*0.4d0)*{t}
end do",
            "!$ad parallel strategy({serial: sls|atomic: slb})
!$omp parallel do private(sls)
do {m} = 1, {6|0}
sls = slb(1 + mod(slp({m}), 3))
sla({m}) = sls*sls + {t}*sla({m})
end do
sls = 0.1d0",
            "do concurrent ({m} = 1:{6|0|3})
slb({m}) = sin(sla({m})*{t}) + sla(2)*sls
end do",
            "do concurrent ({m} = 6:1:-2, sla({m}) > {l})
slb({m}) = slb({m})*{t} + sls
end do",
            "do concurrent ({m} = 1:6)
sla({m}) = sla({m})*{t}
do slk = 1, 3
sla({m}) = sin(sla({m})*sls)
end do
end do
slk = 1",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_work_arrays",
        locals: WORK,
        procedures: &["pure subroutine slvec(a, r, c)
real(8), intent(in) :: a(:), c
real(8), intent(out) :: r(:)
r = 0.3d0*c
r = sin(a*c) + 0.1d0
r(1) = r(2)*a(size(a))
end subroutine slvec"],
        statements: &[
            "do concurrent ({m} = 1:{6|0|5})
do slj = 1, {6|{m}}
swx(slj) = sin(swa({m})*slj) + {t}
end do
do slj = 2, {m}
swx(slj) = swx(slj)*{swx(slj - 1)|sin(swx(slj))}
end do
swb({m}) = {sin(swb({m}))*|}swx({m}) + {l}
end do
slj = 1",
            "do slj = 1, {p}
do concurrent ({m} = 2:5)
swy = [swb({m} - 1), swb({m}), swb({m} + 1)]
call slvec(swy, swz, {t})
swy = swz
call slvec(swy, swz, swa({m}))
swa({m}) = sin(swa({m})*swy(1) + swz({1|2|3}))
end do
do concurrent ({m} = 2:{5|4|1})
swb({m}) = 0.9d0*swb({m}) + 0.1d0*swa({m})
end do
end do
slj = 1",
            "do concurrent ({m} = 1:6)
swi(1) = max(1, {m} - 1)
swi(2) = 7 - {m}
swb({m}) = swb({m}) + {swa(swi(1))*|}swa(swi(2))*{t}
end do",
            "do slj = 1, {p}
!$omp parallel do private(swv, swk)
do {m} = 1, {6|5|0}
do swk = 1, 3
swv(swk) = swb({m})*swk
end do
do swk = 3, {1|2}, -1
swv(swk) = {sin(swv(swk)*swv(4 - swk))|swv(swk)*swv(1)} + swa({m})
end do
swb({m}) = 0.5d0*sin(swv(1)*swv(3))*{t}
end do
end do
swv = 0.5d0
swk = 1
slj = 1",
        ],
        observed: &["sum(swa*[1, 2, 3, 4, 5, 6])", "sum(swb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
];

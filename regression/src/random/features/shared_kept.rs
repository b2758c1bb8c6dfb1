//! Sections, tasks and array statements that threads share out, and loops whose derivatives are hard to keep parallel.

use super::shared_loops::{PROCEDURES, TABLES};
use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "shared_side_by_side",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "=!$omp parallel
=!$omp workshare
sla = sla*{t} + 0.1d0*slb
where (sla > {l})
slb = sin(sla)*0.5d0
elsewhere
slb = slb*sla
end where
sls = sum(sla*slb)
=!$omp end workshare
=!$omp end parallel
{t} = sin(sls*0.2d0)",
            "=!$omp parallel sections
=!$omp section
do {m} = 2, 6
sla({m}) = sin(sla({m})*sla({m} - 1)) + 0.2d0
end do
=!$omp section
do slk = 1, {6|5|0}
slb(slk) = slb(slk)*{t} + 0.1d0*slc(slk, 1)
end do
=!$omp end parallel sections
{t} = sin({t}*sla(6)*slb(5))",
            "=!$omp parallel
=!$omp single
=!$omp task
call slmany(6, sla, 0.3d0)
=!$omp end task
=!$omp task
call slmany(6, slb, 0.1d0)
=!$omp end task
=!$omp taskwait
{t} = sin({t}*sla(6)*slb(5))
=!$omp end single
=!$omp end parallel",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_kept",
        locals: TABLES,
        procedures: PROCEDURES,
        statements: &[
            "do concurrent ({m} = 1:6)
slb(slp({m})) = slb(slp({m}))*sla({m}) + {t}
end do",
            "!$omp parallel do
do {m} = 2, 5
call slnear(sla({m} - 1), sla({m}), sla({m} + 1), slb({m}))
end do",
            "do concurrent ({m} = 2:5)
call slnear(sla({m} - 1), sla({m}), sla({m} + 1), slb({m}))
end do",
            "do slk = {1|2}, 5
!$omp parallel do{| schedule(dynamic)}
do {m} = max(1, slk - {2|3}), min({6|5}, {slk + 1|slp(slk)})
sla({m}) = sin(sla({m})*{t}) + sla({m})*slc({m}, 1)
if (sla({m}) > {l}) slc({m}, 1) = cos(slc({m}, 1)*sla({m}))
end do
end do
slk = 1",
            "do slk = 1, 3
!$omp parallel do private(sls, slq)
do {m} = {1 + mod(slk, 2), 6, 2|slp(slk), 1, -2|sln, slp(slk)}
sls = slc({m}, slk)
do slq = 1, {2|3}
slc({m}, slq) = sin(slc({m}, slq)*sls)*0.7d0 + {t}
end do
end do
sln = 1 + mod(slk, 3)
end do
sls = 0.2d0
sln = 1
slk = 1
slq = 1",
            "do slk = 1, {p}
!$omp parallel do private(sls)
do {m} = 1, 6
sls = sla({m})**2
if (sls > 0.2d0) sls = 0.3d0*sls
sla({m}) = sls*slb({m}) + 0.3d0
end do
end do
sls = 0.2d0",
            "slk = 1
!$omp parallel do reduction(max: slk)
do {m} = 1, 6
slb({m}) = sin(sla({m}))*{t}
if (slb({m}) > 0.2d0) slk = max(slk, {m})
end do
{t} = {t}*sla(slk)",
            "!$omp parallel do collapse(2) private(sls)
do slk = 2, 2
do {m} = 2, 5
sls = exp(0.1d0*(slc({m} - 1, slk) + slc({m} + 1, slk) + slc({m}, slk - 1) + slc({m}, slk + 1)))
sla({m}) = slc({m}, slk)*sls
end do
end do
sls = 0.2d0",
        ],
        observed: &["sum(sla*[1, 2, 3, 4, 5, 6])", "sum(slb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_objects",
        module: &[
            ("sol", "type sol\n  real(8) :: h(2)\n  real(8) :: c\nend type sol", ""),
            ("soc", "type soc\n  real(8) :: w(3)\n  real(8) :: q\n  type(sol) :: in(2)\nend type soc", ""),
        ],
        locals: &[
            ("sou", "real(8) :: sou(3, 6)", "sou = spread([0.3d0*{x}(1), 0.2d0, 0.4d0*{x}(n)], 2, 6)"),
            ("sop", "type(soc) :: sop", ""),
            ("soq", "type(soc) :: soq(2)", ""),
            ("sok", "integer :: sok", ""),
            ("soa", "real(8), allocatable :: soa(:)", ""),
        ],
        procedures: &["subroutine sowarm(o, u, f)
  type(soc), intent(inout) :: o
  real(8), intent(in) :: u(3), f
  o%w = u*f
  o%q = o%w(1)*o%w(3)
  o%in(1)%h = o%w(2:3)
  o%in(2)%h = sin(o%w(:2) + o%q)
end subroutine sowarm"],
        statements: &[
            "!$omp parallel do {|schedule(dynamic) }private(sop, sok)
do {m} = 1, {6|5|0}
call sowarm(sop, sou(:, {m}), {t})
do sok = 1, 2
sop%in(sok)%c = sop%in(sok)%h(1)*sop%in(3 - sok)%h(2)
end do
if (sop%q > {l}) sop%w = sop%w*sop%in(2)%c
sou(:, {m}) = sin(sop%w + sop%in(1)%c{*sop%q|})
end do",
            "do sok = 1, {p}
!$omp parallel do private(soq)
do {m} = 1, 6
call sowarm(soq(1), sou(:, {m}), {l})
soq(2) = soq(1)
soq(2)%w({1|2}) = soq(1)%q*soq(2)%w(3)
sou(:, {m}) = sin(soq(2)%w + {t}*soq(1)%w)
end do
end do",
            "=!$omp parallel private(soa, sok)
=allocate (soa({3|0:3}))
=!$omp do
do {m} = 1, 6
do sok = 1, 3
soa(sok) = sou(sok, {m})*{t}
end do
do sok = 2, 3
soa(sok) = sin(soa(sok - 1)*soa(sok) + {l})
end do
sou(:, {m}) = {sou(:, {m})*|}soa(1:3)
end do
=deallocate (soa)
=!$omp end parallel",
        ],
        observed: &["sum(matmul(sou, [1, 2, 3, 4, 5, 6])*[3, 1, 2])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_handed",
        locals: TABLES,
        procedures: &[
            "pure subroutine slcell(a, b, w, c, r)
real(8), intent(in) :: a, b, w(3), c
real(8), intent(out) :: r
r = sin(w(1)*a*c) + w(3)*b*w(2)
end subroutine slcell",
            "subroutine slpair(a, c)
real(8), intent(inout) :: a(:)
real(8), intent(in) :: c
a(2) = sin(a(2)*a(1)) + c
a(1) = a(1)*c
end subroutine slpair",
            "pure real(8) function slpart(a)
real(8), intent(in) :: a(:)
slpart = sin(sum(a*a(size(a):1:-1)))
end function slpart",
        ],
        statements: &[
            "do concurrent ({m} = 1:{6|0|5})
slb({m}) = sin(sla(slp({m}))*sla({m}))*{t}
if ({m} < 6 .and. sla({m}) > {l}) then
slb({m}) = slb({m}) + sin(sla({m} + 1)*sla(slp({m} + 1)))
end if
end do",
            "do concurrent ({m} = {1:6|6:1:-2|2:5:3}, sla({m}) < {l})
sls = 0
do slk = 1, {3|2|0}
sln = slp(1 + mod({m}*slk, 6))
sls = sls + sin(sla(sln)*{t})*sla(slk)
end do
slb({m}) = cos(sls)*slb({m})
end do
sls = 0.2d0
slk = 1
sln = 1",
            "do concurrent ({m} = 1:6, slk = 1:3{|, slk /= {m}})
slc({m}, slk) = sin(sla(slp({m}))*slw(slk)) + {t}*slb(7 - {m})
end do
slk = 1",
            "do concurrent ({m} = 1:{6|4})
call slcell(sla({m}), sla({7 - {m}|slp({m})}), slw, sls, slb({m}))
end do",
            "!$omp parallel do
do {m} = 1, {6|5|0}
slb({m}) = sin(sla(max({m} - 1, {1|2|3}))*sla(min(6, {m} + {1|2})))*{t} + sla({m})
end do",
            "do concurrent ({m} = {1:6|6:1:-1|2:6:2})
slb({m}) = slb({m}) + sin(sla(max({m} - 2, 1)))*sla(min(max({m} - 1, 2) + 1, {6|5}))
end do",
            "!$omp parallel do
do {m} = 1, {3|2}
call slpair(sla(2*{m} - 1:2*{m}), {t})
end do",
            "!$omp parallel do
do {m} = 1, 6
slb({m}) = slpart(sla(max(1, {m} - 1):min(6, {m} + {1|2})))*sla(max({m} - 1, 1))
end do",
        ],
        observed: &[
            "sum(sla*[1, 2, 3, 4, 5, 6])",
            "sum(slb*[2, 1, 4, 3, 6, 5])",
            "sum(slc(:, 2)*[1, 3, 2, 4, 6, 5])",
            "slw(1) - slw(2)*slw(3)",
        ],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_pointers",
        locals: &[
            ("spa", "real(8), target :: spa(6)", "spa = 0.4d0\nspa(2) = 0.3d0*{x}(1)\nspa(5) = 0.2d0 + 0.1d0*{x}(n)"),
            ("spb", "real(8), target :: spb(6)", "spb = 0.5d0\nspb(1) = 0.1d0*{x}(1)"),
            ("spo", "real(8), pointer :: spo(:)", "spo => spa"),
            ("spn", "real(8), pointer :: spn(:)", "spn => spb"),
            ("spt", "real(8), pointer :: spt(:)", "spt => spa"),
            ("slz", "real(8) :: slz(6)", "slz = 0.2d0"),
            ("spk", "integer :: spk", "spk = 1"),
        ],
        statements: &[
            "spo => {spa|spb}
spn => spa
if (associated(spo, spa)) spn => spb
do spk = 1, {1|2|3}
!$omp parallel do
do {m} = 2, 5
spn({m}) = sin(spo({m}) + {t}*(spo({m} - 1) - spo({m} + {1|0}))*spo({m}))
end do
spt => spo
spo => spn
spn => spt
end do
spk = 1",
            "spo => {spa|spb}
spn => {spa|spb}
!$omp parallel do{| schedule(dynamic)}
do {m} = 1, {6|0}
spn({m}) = {sin(spo({m})*{t})|spo({m})*spo({m}) + 0.1d0*spn({m})}
if (spo({m}) > {l}) spn({m}) = cos(spn({m}))*spo({m})
end do",
            "spo => {spa|spb}
spt => {spa|spb}
!$omp parallel do
do {m} = 2, 5
slz({m}) = sin(spo({m} + 1)*spt({m} - 1))*{t} + spt({m})
end do",
        ],
        observed: &["sum(slz)", "sum(spa*[1, 2, 3, 4, 5, 6])", "sum(spb*[2, 1, 4, 3, 6, 5])"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
    Feature {
        name: "shared_components",
        module: &[(
            "sct",
            "type sct\n  real(8), allocatable :: v(:)\n  real(8) :: w(6)\n  real(8) :: c\nend type sct",
            "",
        )],
        locals: &[
            (
                "sco",
                "type(sct) :: sco(2)",
                "allocate(sco(1)%v(0:7), sco(2)%v(0:7))
sco(1)%v = 0.3d0*{x}(1)
sco(2)%v = 0.2d0
sco(1)%w = 0.1d0*{x}(n)
sco(2)%w = 0.4d0
sco%c = 0.5d0",
            ),
            ("scp", "integer :: scp(6)", "scp = [3, 1, 6, 2, 5, 4]"),
            ("sck", "integer :: sck", "sck = 1"),
        ],
        statements: &[
            "do sck = 1, 2
!$omp parallel do
do {m} = 1, {6|0}
sco(sck)%w({m}) = sin(sco({sck|3 - sck})%v({m} - 1)*sco(sck)%v({m} + 1) + sco(sck)%w({m})*{t})
end do
end do
sck = 1",
            "!$omp parallel do{| schedule(dynamic)}
do {m} = 1, 6
sco(1)%w({m}) = sco(1)%w({m})*0.7d0 + {sco(2)%c|sco(1)%c}*sco(1)%v(scp({m}))
sco(2)%v({m}) = sin(sco(1)%w({m})*sco(2)%v({m}))*{t}
end do",
            "do concurrent ({m} = 1:6)
sco(2)%w({m}) = sin(sco({1|2})%v(scp({m}))*sco(1)%w({m}))*sco(1)%c
end do",
        ],
        observed: &["sum(sco(1)%w*[1, 2, 3, 4, 5, 6])", "sum(sco(2)%w*[2, 1, 4, 3, 6, 5])", "sum(sco(2)%v)"],
        refused: &["C0408", "C0409", "C0411"],
        ..NONE
    },
];

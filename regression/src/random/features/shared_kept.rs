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
];

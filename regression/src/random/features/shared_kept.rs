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
];

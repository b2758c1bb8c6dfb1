//! Directives of OpenMP and OpenACC for statements in which derivatives have no part.

use super::{Feature, NONE};

const TABLES: &[super::Entity] = &[
    ("pra", "real(8) :: pra(4)", "pra = 0.4d0"),
    ("prk", "integer :: prk(4)", "prk = 1"),
    ("prs", "real(8) :: prs", "prs = 0.3d0"),
    ("prn", "integer :: prn", "prn = 2"),
];

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "parallel_tables",
        locals: TABLES,
        statements: &[
            "!$omp parallel do {|schedule(static, 2) |num_threads(prn) }private(prs)
do {m} = 1, 4
prs = 0.3d0*{m}
pra({m}) = cos(prs + {p})
end do
{t} = sin({t}*pra({1|2|4}) + {e})",
            "=!$omp parallel
!$omp do
do {m} = 1, 4
prk({m}) = 1 + mod({m} + {p}, n)
end do
=!$omp end do {|nowait}
=!$omp single
pra(1) = 0.7d0
=!$omp end single
=!$omp end parallel
{A}(prk({1|3})) = sin({A}(prk(2))*pra(1) + {l})",
            "!$omp {simd|parallel do} reduction(+: prs)
do {m} = 1, {3|4|0}
prs = prs + 0.1d0*pra({m})
end do
prs = sin(prs)
{t} = sin({t}*prs + {e})",
            "{t} = {t}*pra(2)
=!$omp parallel workshare
pra(2:4) = 0.5d0*pra(2:4)
pra(1) = 0.2d0
=!$omp end parallel workshare
{A}({i}) = sin({A}({i}) + pra({1|3})*{l})",
        ],
        observed: &["sum(pra)", "prs"],
        refused: &["C0408", "C0411"],
        ..NONE
    },
    Feature {
        name: "parallel_choices",
        locals: TABLES,
        statements: &[
            "!$omp parallel do lastprivate(prn)
do {m} = 1, {2|4|3}
prn = {m}
end do
if (prn > 2) then
{D}
else
{t} = sin({t} + prn*{l})
end if",
            "prn = 0
!$acc parallel loop reduction(+: prn)
do {m} = 1, 4
if (prk({m}) > {p}) cycle
prn = prn + 1
end do
{t} = sin({t} + prn*{e})
prn = 1",
            "!$omp parallel do
do {m} = 1, 4
=!$omp critical
prk(1) = max(prk(1), mod({m}*{p}, n) + 1)
=!$omp end critical
end do
{t} = sin({t} + {A}(min(prk(1), n)))
prk(1) = 1",
            "=!$acc data copy(pra)
=!$acc kernels
do {m} = 1, 4
pra({m}) = sin(pra({m}) + 0.1d0*{m})
end do
=!$acc end kernels
=!$acc end data
{t} = sin({t} + pra(3)*{e})",
        ],
        observed: &["prn*0.1d0", "pra(3)"],
        refused: &["C0408", "C0411"],
        ..NONE
    },
    Feature {
        name: "conditional_lines",
        locals: &[("pcx", "real(8) :: pcx", "pcx = 0.4d0"), ("pcy", "integer :: pcy", "pcy = 1")],
        statements: &[
            "!$ {t} = sin({t}*{e})",
            "pcy = 1
!$ pcy = min(n, 2)
{t} = sin({t}*{A}(pcy))",
            "pcx = sin({e})
=!$ if ({c}) then
=!$ pcx = sin(pcx*{l})
=!$ else
=!$ {A}({i}) = sin({A}({i})*{l})
=!$ end if
{t} = sin({t}*pcx)",
            "=!$ do {m} = 1, n
=!$ {A}({m}) = sin({A}({m})*pcx + {l})
=!$ end do",
            "!$ {A} = sin({A}*{b})
!$ where ({A} > 0.3d0) {A} = 0.5d0*{A}
{t} = sin({t}*{A}({p}))",
            "!$omp {parallel do|simd} reduction(+: pcy)
do {m} = 1, 3
!$ pcy = pcy + {m}
end do
{t} = sin({t} + 0.1d0*pcy)
pcy = 1",
        ],
        observed: &["pcx", "pcy*0.1d0"],
        refused: &["C0408", "C0411", "C0416"],
        ..NONE
    },
];

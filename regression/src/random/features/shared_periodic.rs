//! Neighbours across the ends of shared loops, boundaries in their branches, iterations that wait for others, and regions of one
//! thread of a device.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_periodic",
    locals: &[
        ("pda", "real(8) :: pda(9)", "pda = 0.5d0\npda(2:7) = 0.3d0*{x}(1)"),
        ("pdb", "real(8) :: pdb(9)", "pdb = 0.4d0\npdb(3:4) = 0.2d0*{x}(n)"),
        ("pdc", "real(8) :: pdc(5, 4)", "pdc = 0.3d0\npdc(2:3, :) = 0.4d0*{x}(1)"),
        ("pdd", "real(8) :: pdd(5, 4)", "pdd = 0.6d0\npdd(:, 2) = 0.1d0*{x}(n)"),
        ("pds", "real(8) :: pds", "pds = 0.2d0"),
        ("pdp", "integer :: pdp", "pdp = 1"),
        ("pdm", "integer :: pdm", "pdm = 1"),
        ("pdj", "integer :: pdj", "pdj = 1"),
        ("pdk", "integer :: pdk", "pdk = 1"),
    ],
    procedures: &[
        "pure real(8) function pdflux(l, r)
!$acc routine seq
real(8), intent(in) :: l, r
pdflux = l*r - 0.3d0*sin(r - l)
end function pdflux",
    ],
    statements: &[
        "!$omp parallel do private(pdp, pdm)
do {m} = {1, 9|1, 8|9, 1, -1|1, 9, 2|5, 4}
pdp = {m} + {1|2}
{pdm = merge(9, {m} - 1, {m} == 1)|pdm = mod({m} + 7, 9) + 1|pdm = modulo({m} - 3, 9) + 1|pdm = mod({m}, 5) + 1|pdm = {m}/2 + 1|pdm = 10 - {m}}
if (pdp > 9) pdp = {1|pdp - 9}
pda({m}) = pda({m})*{pdb(pdp)|sin(pdb(pdp))} + {pdb(pdm)*{t}|exp(0.1d0*pdb(pdm))|pdflux(pdb({m}), pdb(pdm))}
end do
pdp = 1
pdm = 1",
        "!$omp parallel do private(pdp)
do {m} = 1, {9|1}
if ({m} {== 9|>= 9|> 6}) then
pdp = 1
else
pdp = {m} + 1
end if
{if (pda({m}) > 0.2d0) then|if ({m} /= 4) then}
pda({m}) = pda({m}) + pdb({m})*{pdb(pdp)|pdflux(pdb(pdp), pdb({m}))}
end if
end do
pdp = 1",
        "!$omp parallel do private(pdk, pdp, pdj) {collapse(2)|}
do {m} = 1, 4
do pdk = 1, {5|0}
pdp = mod({m}, 4) + 1
pdj = pdk - 1
if (pdk == 1) pdj = 5
pdd(pdk, {m}) = pdd(pdk, {m}) + {pdc(pdj, {m})|pdc(pdk, {m})}*{t} + {pdc(pdk, pdp)**2|sin(pdc(pdj, pdp))}
end do
end do
pdp = 1
pdj = 1",
        "do concurrent ({m} = 1:9)
pda({m}) = pda({m}) + sin(pdb({m}))*pdb({mod({m}, 9) + 1|merge(1, {m} + 1, {m} >= 9)|10 - {m}})
end do",
        "do concurrent ({m} = {1:9:2|2:9:2|1:9|9:1:-2|3:9:3})
pda({m}) = {pdb(max({m} - {1|2|3}, 1))|sin(pdb(max({m} - {1|2}, {1|2})))}*pda({m}) {+ pdb(min({m} + {1|2}, 9))|}
end do",
        "=!$omp target teams distribute parallel do
do {m} = {1, 9|1, 9, 2|2, 9, 2|9, 1, -2|4, 3}
pda({m}) = pda({m})*pdb(max({m} - {1|2|3}, 1)) + {pdb(min({m} + {1|2}, 9))**2|{t}}
end do",
        "do concurrent ({m} = {2:8:2|3:9:2|2:9:3})
pda({m}) = pda({m})*pdb({m}/2) {+ pdb({m}/2 + 1)|}
end do",
        "!$omp parallel do
do {m} = 1, {9|5}
{if ({m} == 1) then|if ({m} == 1 .or. {m} == 3) then}
pda({m}) = pda({m})*{pdb(1)|pdb(2)*pdb(1)}
else if (9 == {m}) then
pda(9) = pda({m})*{t} + pdb(9) - pdb(8)
else if ({m} /= 5) then
pda({m}) = pda({m}) + 0.3d0*(pdb({m} - 1) + pdb({m} + 1))
else
pda(5) = pda({m})*pdb(6)*pdb({4|1})
end if
end do",
        "!$omp parallel do private(pdk)
do {m} = 1, 4
do pdk = 1, 4
if ({m} == 1) then
pdd(pdk, {m}) = pdd(pdk, 1) + pdc(pdk, {2|1})*{pdc(1, 1)|pdc(pdk, 1)}
else if ({m} == 4) then
pdd(pdk, 4) = pdc(4, 4)*pdc(pdk, 3)
else
pdd(pdk, {m}) = pdd(pdk, {m})*pdc(pdk, {m} - 1)
end if
end do
end do",
        "!$omp parallel do ordered(1) private(pds)
do {m} = 2, {9|1}
pds = sin(pdb({m}))*{t}
=!$omp ordered depend(sink: {m} - 1)
pda({m}) = pda({m}) + {pds*pda({m} - 1)|0.5d0*pda({m} - 1)}
{pds = pds*pda({m})|}
=!$omp ordered depend(source)
pdb({m}) = pdb({m})*pds
end do
pds = 0.2d0",
        "=!$acc data copy(pda, pdb)
=!$acc parallel loop
do {m} = 1, 9
pda({m}) = sin(pda({m}))*pdb({m})
end do
=!$acc serial {copy(pds)|}
pda(1) = pda(1)*pda(2) {+ {t}|}
{pdb(9) = pda(9)**2|if (pda(9) > 0.1d0) pdb(9) = pda(9)*pdb(1)}
{do pdk = 2, 4
pda(pdk) = pda(pdk) + 0.5d0*pda(pdk - 1)
end do|}
=!$acc end serial
=!$acc parallel loop
do {m} = 1, 9
pdb({m}) = pdb({m})*pda({m})
end do
=!$acc end data",
    ],
    observed: &[
        "sum(pda*[1, 2, 3, 4, 5, 6, 7, 8, 9])",
        "sum(pdb*[2, 1, 4, 3, 6, 5, 8, 7, 9])",
        "sum(pdd(1, :)) - 2*sum(pdd(:, 2)) + sum(pdc)",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

//! Shared loops of which threads run some statements by turns, or whose iterations are shared out once more, among the lanes
//! of a vector; tables that iterations change; columns that they pass to functions.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_exclusive",
    locals: &[
        ("exa", "real(8) :: exa(6)", "exa = [0.3d0, 0.5d0, 0.2d0, 0.7d0, 0.4d0, 0.6d0]*{x}(1)"),
        ("exb", "real(8) :: exb(7)", "exb = 0.5d0\nexb(1) = 0.4d0 + 0.1d0*{x}(n)"),
        ("exc", "real(8) :: exc(6, 3)", "exc = 0.3d0\nexc(2, :) = 0.2d0 + 0.1d0*{x}(1)"),
        ("exr", "real(8) :: exr(6)", "exr = 1"),
        ("exs", "real(8) :: exs", "exs = 0.3d0"),
        ("ext", "real(8) :: ext", "ext = 0.2d0"),
        ("exq", "integer :: exq(6)", "exq = [3, 1, 6, 2, 5, 4]"),
        ("exk", "integer :: exk", "exk = 1"),
        ("exn", "integer :: exn", "exn = 1"),
    ],
    procedures: &[
        "pure real(8) function expair(l, r)
real(8), intent(in) :: l(3), r(0:2)
expair = sin(l(1)*r(2)) + cos(l(3))*r(0)*0.5d0
end function expair",
        "subroutine exrows(q, at, y)
real(8), intent(in) :: q(:, :)
integer, intent(in) :: at(:)
real(8), intent(inout) :: y(:)
integer :: i
!$omp parallel do
do i = 1, size(at)
y(i) = y(i)*expair(q(at(i), :), q(1 + i/4, :))
end do
end subroutine exrows",
    ],
    statements: &[
        "!$omp parallel do ordered{| schedule(static, 1)| schedule(dynamic)} private(ext)
do {m} = 1, {6|0|5}
ext = sin(exa({m}))*{t}
=!$omp ordered
exs = {0.5d0*exs + sin(ext)|exs*cos(ext)|sin(exs + ext)}
{ext = sin(ext + exs)|exb(1 + mod({m}, 3)) = sin(exb(1 + mod({m}, 3)))*cos(ext)|}
=!$omp end ordered
exc({m}, 1) = sin(exc({m}, 1)*ext{| + exa({m})})
end do
ext = 0.2d0",
        "exn = 0
!$omp parallel do private(ext, exk) num_threads(1)
do {m} = {1, 6|6, 1, -1}
ext = exa({m})*{t}
exk = {m}
if (ext > {0.1d0|{l}}) then
exc({m}, 2) = sin(ext)
=!$omp critical
exs = sin(exs + ext)
exn = exn + 1
exk = exn
=!$omp end critical
exc({m}, 1) = sin(exc({m}, 1)*ext + exa(exk))
{else
exc({m}, 2) = cos(ext)
|}end if
end do
exn = 1
exk = 1
ext = 0.2d0",
        "exn = 0
!$omp parallel do private(exk) num_threads(1)
do {m} = 1, 6
if (exa({m}) > {0.2d0|-9d0|9d0}) then
=!$omp atomic capture
exn = exn + 1
exk = exn
=!$omp end atomic
exb(exk) = sin(exa({m})*{t})
end if
end do
exn = 1
exk = 1",
        "exs = -9
exk = 1
!$omp parallel do num_threads(1)
do {m} = 1, 6
exc({m}, 1) = sin(exc({m}, 1)*exa({m}))
=!$omp critical
if (exa({m})*cos(exa({m})) > exs) then
exs = exa({m})*cos(exa({m}))
exk = {m}
end if
=!$omp end critical
end do
{t} = sin({t}*exs + exb(exk))
exs = 0.2d0
exk = 1",
        "!$omp parallel do reduction(max: exb) private(exk)
do {m} = 1, 6
exk = 1 + mod({m}, 3)
exb(exk) = max(exb(exk), sin(exa({m})*{t}))
exc({m}, 3) = sin(exc({m}, 3)*exa({m}))
end do
exk = 1",
        "!$omp parallel do private(exk)
do {m} = 1, 6
exk = 1 + mod({m}, {3|6})
=!$omp atomic{| update}
exb(exk) = exb(exk)*{cos(exa({m})*0.3d0)|(1 + 0.1d0*sin(exa({m})))}
exc({m}, 2) = sin(exc({m}, 2)*exa(exk))
end do
exk = 1
ext = 0.2d0",
        "exs = 0
!$omp parallel do simd reduction(inscan, +: exs)
do {m} = 1, {6|5|0}
exs = exs + sin(exa({m}))**2*0.1d0
=!$omp scan inclusive(exs)
exb({m}) = exb({m})*sin(exs){| + {t}*0.1d0}
end do",
        "exs = 0.4d0
!$omp parallel do private(ext, exk) num_threads(1)
do {m} = 1, 6
ext = sin(exa({m}))
=!$omp critical
exs = exs*0.9d0 + ext*0.1d0
=!$omp end critical
ext = ext*{t}
=!$omp critical
{exs = sin(exs)|exk = 1}
exc({m}, 1) = exs
=!$omp end critical
exc({m}, 1) = sin(exc({m}, 1)*ext)
end do
exk = 1
ext = 0.2d0",
        "!$omp parallel do private(exk)
do {m} = 1, 6
!$omp simd
do exk = 1, {3|2|0}
exc({m}, exk) = sin(exc({m}, exk)*exa({1 + mod({m}, 2)|exq({m})|2}))
end do
end do
exk = 1",
        "!$omp parallel do
do {m} = 1, 6
exb(exq({m})) = sin(exb(exq({m}))*exa({m}))
exq({m}) = 7
exc({m}, 1) = sin(exc({m}, 1)*exb(exq({m})))
end do
exq = [3, 1, 6, 2, 5, 4]",
        "exr = [3, 1, 6, 2, 5, 4]
do {m} = 1, 6
exb(nint(exr({m}))) = sin(exb(nint(exr({m})))*exa({m}))
exr({m}) = 7
exc({m}, 1) = sin(exc({m}, 1)*exb(nint(exr({m}))))
end do",
        "call exrows(exc, exq, {exb(1:6)|exa})",
    ],
    observed: &["sum(exa)", "sum(exb*[2, 1, 4, 3, 6, 5, 7])", "sum(exc(:, 1) - exc(:, 2)*exc(:, 3))", "exs"],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

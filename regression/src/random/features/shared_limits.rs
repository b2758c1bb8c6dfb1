//! Calls that get arrays whole and the limits of the elements that they work on, in loops over chunks and in others; work
//! arrays that are begun apart, tasks that get copies, and extreme values with their places.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_limits",
    module: &[("lmg", "real(8) :: lmg(0:13)", "lmg = 0.4d0\nlmg(3:6) = 0.3d0*x(1)")],
    locals: &[
        ("lma", "real(8) :: lma(12)", "lma = 0.5d0\nlma(2:7) = 0.3d0*{x}(1)"),
        ("lmb", "real(8) :: lmb(4, 12)", "lmb = 0.6d0\nlmb(2, 3:8) = 0.2d0*{x}(n)"),
        ("lmw", "real(8) :: lmw(0:5)", "lmw = 0.2d0"),
        ("lmv", "real(8) :: lmv", "lmv = 0.3d0"),
        ("lmm", "real(8) :: lmm", "lmm = 0.1d0"),
        ("lmk", "integer :: lmk", "lmk = 1"),
        ("lmh", "integer :: lmh", "lmh = 2"),
    ],
    procedures: &[
        "pure subroutine lmwork(a, lo, hi, v)
real(8), intent(inout) :: a(:)
integer, intent(in) :: lo, hi
real(8), intent(in) :: v
integer :: i
do i = lo, hi
a(i) = sin(a(i)*v) + 0.2d0*a(i)
end do
end subroutine lmwork",
        "pure subroutine lmpart(a, lo, hi, v)
real(8), intent(inout) :: a(0:)
integer, intent(in) :: lo, hi
real(8), intent(in) :: v
integer :: i
do i = hi, lo, -1
if (i <= size(a)) a(i - 1) = a(i - 1)*v + 0.3d0
end do
do i = lo, min(hi, size(a)), 2
a(i - 1) = 0.5d0*a(i - 1)**2
end do
end subroutine lmpart",
        "pure subroutine lmrows(b, js, je, v)
real(8), intent(inout) :: b(:, :)
integer, intent(in) :: js, je
real(8), intent(in) :: v
integer :: i, j
do j = js, je
do i = 2, size(b, 1)
b(i, j) = sin(b(i, j))*v + 0.3d0*b(i - 1, j)**2
end do
end do
end subroutine lmrows",
        "subroutine lmmodule(lo, hi, v)
integer, intent(in) :: lo, hi
real(8), intent(in) :: v
integer :: i
do i = lo, hi
lmg(i + 1) = sin(lmg(i + 1))*v
end do
end subroutine lmmodule",
        "pure subroutine lmtwice(a, k, v)
real(8), intent(inout) :: a(:)
integer, intent(in) :: k
real(8), intent(in) :: v
call lmwork(a, k, k + 1, v)
call lmpart(a, k + 1, k + 2, v)
end subroutine lmtwice",
    ],
    statements: &[
        "!$omp parallel do
do {m} = 1, {12, 3|10, 4|0, 2|8, 5}
call {lmwork|lmpart}(lma, {m}, {m} + {2|1}, {t})
end do",
        "!$omp parallel do private(lmk, lmh)
do {m} = 1, {4|3}
lmk = 3*({m} - 1) + 1
lmh = min(3*{m}, {12|size(lmb, 2)|8})
call lmrows(lmb, lmk, lmh, {t})
{call lmrows(lmb, lmk, lmh, {t})|}
end do
lmk = 1
lmh = 2",
        "do lmk = 1, {p}
call {lmwork|lmpart}(lma, {lmk, 5|lmk + 1, lmk + 2|4, lmk|7 - lmk, 8}, {t})
{call lmmodule(lmk, {lmk + 2|5|0}, {t})|call lmtwice(lma, {lmk|9}, {t})}
end do
lmk = 1",
        "!$omp parallel do
do {m} = {1, 3|3, 1, -1}
call lmmodule(4*{m} - 4, 4*{m} - {2|1}, {t})
end do",
        "do lmk = 1, {p}
!$omp parallel do private(lmw, lmh)
do {m} = 1, {12|5|0}
lmw(0) = {t}
{lmw(5) = lma({m})|}
do lmh = 1, {5|4}
lmw(lmh) = lmb(2, {m})*sin(lmw(lmh - 1)) + 0.1d0*lmw(lmh - 1)
end do
{lmw(2) = sin(lmw(2)*lmw(4))|do lmh = 3, 0, -1
lmw(lmh) = lmw(lmh)*0.5d0 + lmw(lmh + 1)**2
end do}
lmb(2, {m}) = 0.5d0*lmw({0|3}) + 0.2d0*lmw({4|1})
end do
end do
lmk = 1
lmh = 2
lmw = 0.2d0",
        "=!$omp parallel
=!$omp single
do {m} = 1, {12|7}
lmv = 0.6d0*lmv + 0.1d0*{t}
lmh = mod(lmh*5, 7) + 1
=!$omp task firstprivate(lmv, lmh, {m}) shared(lma)
{lmv = lmv*lma({m})|}
lma({m}) = 0.5d0*lma({m}) + sin(lmv)*lmh*0.1d0
=!$omp end task
{lmv = lmv + 0.1d0|}
end do
=!$omp end single
=!$omp end parallel
lmh = 2",
        "lmm = -1
lmk = 1
!$omp parallel do private(lmv)
do {m} = 1, {12|9}
lmv = lma({m})*{t}
if (lmv > lmm) then
=!$omp critical
if (lmv > lmm) then
lmm = lmv
lmk = {m}
end if
=!$omp end critical
end if
end do
lma(1) = 0.5d0*lma(1) + 0.1d0*sin(lmm) + 0.2d0*lma(lmk)
lmm = 0.1d0
lmk = 1
lmv = 0.3d0",
    ],
    observed: &[
        "sum(lma*[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])",
        "sum(lmb(2, :)*lmb(3, :)) + sum(lmb(4, :))",
        "sum(lmg*[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

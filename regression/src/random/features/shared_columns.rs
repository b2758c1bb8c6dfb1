//! Shared loops that pass whole arrays to procedures, with the place of an iteration's part in them; arrays of the module of
//! which procedures find such a part by themselves.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_columns",
    module: &[
        ("sqm", "real(8) :: sqm(4, 0:6)", "sqm = 0.4d0\nsqm(2, 1:6) = 0.2d0 + 0.1d0*x(1)"),
        ("sqv", "real(8), allocatable :: sqv(:)", "if (.not. allocated(sqv)) allocate (sqv(6))\nsqv = 0.5d0"),
    ],
    locals: &[
        ("sqa", "real(8) :: sqa(3, 6)", "sqa = 0.3d0\nsqa(2, :) = 0.2d0 + 0.1d0*{x}(1)"),
        ("sqb", "real(8) :: sqb(3, 6)", "sqb = 0.6d0\nsqb(1, 2) = 0.4d0*{x}(n)"),
        ("sqc", "real(8) :: sqc(6, 3)", "sqc = 0.5d0\nsqc(:, 3) = 0.3d0*{x}(1)"),
        ("sqr", "real(8) :: sqr(6)", "sqr = 0.7d0"),
        ("sqp", "integer :: sqp(6)", "sqp = [3, 1, 6, 2, 5, 4]"),
        ("sqk", "integer :: sqk", "sqk = 1"),
    ],
    procedures: &[
        "subroutine sqcolumn(j, n, k, a, b, r)
integer, intent(in) :: j, n, k
real(8), intent(inout) :: a(n, k), r(k)
real(8), intent(in) :: b(n, k)
integer :: i
do i = 2, n
a(i, j) = sin(a(i, j)*b(i, j)) + 0.1d0*a(i - 1, j)
r(j) = r(j)*cos(a(i, j))
end do
end subroutine sqcolumn",
        "subroutine sqrow(j, a, r, w)
integer, intent(in) :: j
real(8), intent(inout) :: a(0:, :), r(:)
real(8), intent(in) :: w
a(j, 1) = sin(a(j, 2)*w)*a(j, 1)
if (a(j, 1) > 0.1d0) r(j + 1) = r(j + 1)*a(j, 3)
a(j, 3) = a(j, 3) + w*a(j, 1)
end subroutine sqrow",
        "subroutine sqboth(k, a, b, c, r, w)
integer, intent(in) :: k
real(8), intent(inout) :: a(:, :), c(:, :), r(:)
real(8), intent(in) :: b(:, :), w
call sqcolumn(k, size(a, 1), size(a, 2), a, b, r)
call sqrow(k - 1, c, r, w)
call sqown(k)
end subroutine sqboth",
        "subroutine sqown(j)
integer, intent(in) :: j
sqv(j) = sqv(j)*sqm(1, j)
sqm(:, j) = sin(sqm(:, j))*sqv(j)
end subroutine sqown",
        "pure real(8) function sqmean(j, b)
integer, intent(in) :: j
real(8), intent(in) :: b(3, *)
sqmean = b(1, j)*sqm(2, j) + b(3, 1)*0.2d0
end function sqmean",
        "subroutine sqbeside(j, r)
integer, intent(in) :: j
real(8), intent(inout) :: r(*)
r(j) = r(j)*sqm(1, j - 1) + 0.1d0*sqm(2, 0)*sqm(3, j)
end subroutine sqbeside",
    ],
    statements: &[
        "!$omp parallel do
do {m} = 1, {6|5|0}
call sqcolumn({m}, 3, 6, sqa, sqb, sqr)
end do",
        "!$omp parallel do{| schedule(static, 1)}
do {m} = {1, 6|6, 1, -1}
call sqrow({m} - 1, sqc, sqr, {t})
sqr({m}) = sin(sqr({m})*sqc({m}, 1))
end do",
        "!$omp parallel do private(sqk)
do {m} = 1, 6
sqk = {7 - {m}|{m}|sqp({m})}
call sqcolumn(sqk, 3, 6, sqa, sqb, sqr)
sqb(:, sqk) = sqb(:, sqk)*sqr(sqk)
end do
sqk = 1",
        "!$omp parallel do
do {m} = 1, 6
call sqboth({m}, sqa, sqb, sqc, sqr, {t})
end do",
        "do sqk = 1, {p}
!$omp parallel do
do {m} = 1, 6
{sqm(2, {m}) = sqm(2, {m})|sqm(1:3, {m}) = sqm(1:3, {m})}*sqr({m})
call sqown({m})
end do
!$omp parallel do
do {m} = 1, 6
call sqbeside({m}, sqr)
sqc({m}, 2) = sqc({m}, 2)*sqmean({m}, sqb)
end do
end do
sqk = 1",
        "!$omp parallel do
do {m} = 1, 6
if (sqa(1, {m}) > {0.2d0|{l}}) call sqown({m})
sqr({m}) = sqr({m})*sin(sqv({m}){| + {t}})
end do",
    ],
    observed: &[
        "sum(sqa - sqb*sqb)",
        "sum(sqc(:, 1) - sqc(:, 2)*sqc(:, 3))",
        "sum(sqr*[2, 1, 4, 3, 6, 5])",
        "sum(sqm(1, 1:6)*[1, 2, 3, 4, 5, 6]) + sum(sqm(2:, :)*0.3d0)",
        "sum(sqv*[2, 1, 4, 3, 6, 5])",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

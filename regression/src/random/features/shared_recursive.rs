//! Procedures that call themselves in tasks, on parts of arrays; counters of shared loops, sums before an iteration's own part,
//! and extremes that threads find one after the other.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_recursive",
    locals: &[
        ("sra", "real(8) :: sra(9)", "sra = 0.5d0\nsra(2:7) = 0.3d0*{x}(1)"),
        ("srb", "real(8) :: srb(0:8)", "srb = 0.4d0\nsrb(3) = 0.2d0*{x}(n)"),
        ("srw", "real(8) :: srw(2)", "srw = [0.3d0, 0.6d0]*{x}(1)"),
        ("srs", "real(8) :: srs", "srs = 0.2d0"),
        ("srk", "integer :: srk", "srk = 1"),
    ],
    procedures: &[
        "recursive subroutine srhalves(n, a, b, w)
integer, intent(in) :: n
real(8), intent(in) :: a(n), w(2)
real(8), intent(inout) :: b(n)
integer :: h
if (n < 3) then
b = sin(b*w(1)) + a*w(2)
else
h = n/2
!$omp task shared(a, b, w) if(n > 4)
call srhalves(h, a(1:h), b(1:h), w)
!$omp end task
!$omp task shared(a, b, w)
call srhalves(n - h, a(h + 1:n), b(h + 1:n), w)
!$omp end task
!$omp taskwait
b(h) = b(h)*b(h + 1)
end if
end subroutine srhalves",
        "recursive subroutine srsweep(a, v, s)
real(8), intent(inout) :: a(:)
real(8), intent(in) :: v
real(8), intent(out) :: s
real(8) :: l, r
integer :: h
if (size(a) < 3) then
s = sum(a**2)*v
a = 0.5d0*a + v*0.1d0
return
end if
h = size(a)/3
!$omp task shared(a, v, l)
call srsweep(a(:h), v, l)
!$omp end task
call srsweep(a(h + 1:), v, r)
!$omp taskwait
s = l*0.3d0 + sin(r)
end subroutine srsweep",
        "recursive function sredges(n, a) result(s)
integer, intent(in) :: n
real(8), intent(in) :: a(n)
real(8) :: s, l, r
integer :: h
if (n < 3) then
s = a(n)*sin(a(1))
return
end if
h = n/2 + 1
!$omp task shared(a, l)
l = sredges(h, a(1:h))
!$omp end task
!$omp task shared(a, r)
r = sredges(n - h + 1, a(h:n))
!$omp end task
!$omp taskwait
s = 0.5d0*l + r*0.2d0
end function sredges",
    ],
    statements: &[
        "=!$omp parallel
=!$omp single
call srhalves({9|2|1}, sra, srb, srw)
=!$omp end single
=!$omp end parallel",
        "=!$omp parallel
=!$omp master
call srhalves({8|3}, sra, srb, srw)
=!$omp end master
=!$omp end parallel",
        "do srk = 1, {2|1|0}
=!$omp parallel
=!$omp single
call srsweep({sra|srb}, {t}, srs)
=!$omp end single
=!$omp end parallel
{t} = sin(srs*0.3d0)
end do
srk = 1",
        "=!$omp parallel
=!$omp single
srs = sredges({9|3}, {sra|srb})
=!$omp end single
=!$omp end parallel
{t} = sin(srs*{t})",
        "srk = {0|1|2}
!$omp parallel do linear(srk: 2)
do {m} = 1, {3|0|2}
sra(srk + 1) = sin(sra(srk + 1)*{t})
srk = srk + 2
{srb(srk) = srb(srk)*{t}|}
end do
{sra(1) = sra(1)*srk*0.3d0|}
srk = 1",
        "srk = {0|1|2}
!$omp parallel do linear(srk: 1)
do {m} = {1, 5, 2|5, 1, -2|3, 1, -1}
sra(srk + 1) = sin(sra(srk + 1)*{t})
srk = srk + 1
{srb(srk) = srb(srk)*{t}|}
end do
{sra(1) = sra(1)*srk*0.3d0|}
srk = 1",
        "srs = 0.1d0
!$omp parallel do reduction(inscan, +: srs)
do {m} = 1, {9|1|0}
sra({m}) = 0.5d0*sra({m}) + {0.1d0*srs|sin(srs)*{t}}
=!$omp scan exclusive(srs)
srs = srs + {0.2d0*srb({m} - 1)|sin(srb({m} - 1)*{t})}
end do
{t} = sin({t}*srs)",
        "srs = {-1|2}
!$omp parallel do
do {m} = 1, {9|1}
=!$omp atomic
srs = {max(srs, sra({m}))|min(sin(sra({m})), srs)}
end do
{t} = sin({t}*srs)",
        "srs = 0.1d0
!$omp parallel do
do {m} = 1, {9|0}
{srb({m} - 1) = srb({m} - 1)*{t}|}
=!$omp critical
{if (sra({m}) > srs) srs = sra({m})|srs = max(srs, sra({m}), 0.3d0*srb({m} - 1))}
=!$omp end critical
end do
{t} = sin({t}*srs)",
    ],
    observed: &["sum(sra*[1, 2, 3, 4, 5, 6, 7, 8, 9])", "sum(srb*[2, 1, 4, 3, 6, 5, 8, 7, 9])"],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

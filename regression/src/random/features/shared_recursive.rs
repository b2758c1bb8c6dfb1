//! Procedures that call themselves in tasks, on parts of arrays; counters of shared loops, sums before an iteration's own part,
//! and extremes that threads find one after the other.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_recursive",
    locals: &[
        ("rta", "real(8) :: rta(9)", "rta = 0.5d0\nrta(2:7) = 0.3d0*{x}(1)"),
        ("rtb", "real(8) :: rtb(0:8)", "rtb = 0.4d0\nrtb(3) = 0.2d0*{x}(n)"),
        ("rtw", "real(8) :: rtw(2)", "rtw = [0.3d0, 0.6d0]*{x}(1)"),
        ("rts", "real(8) :: rts", "rts = 0.2d0"),
        ("rtk", "integer :: rtk", "rtk = 1"),
    ],
    procedures: &[
        "recursive subroutine rthalves(n, a, b, w)
integer, intent(in) :: n
real(8), intent(in) :: a(n), w(2)
real(8), intent(inout) :: b(n)
integer :: h
if (n < 3) then
b = sin(b*w(1)) + a*w(2)
else
h = n/2
!$omp task shared(a, b, w) if(n > 4)
call rthalves(h, a(1:h), b(1:h), w)
!$omp end task
!$omp task shared(a, b, w)
call rthalves(n - h, a(h + 1:n), b(h + 1:n), w)
!$omp end task
!$omp taskwait
b(h) = b(h)*b(h + 1)
end if
end subroutine rthalves",
        "recursive subroutine rtsweep(a, v, s)
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
call rtsweep(a(:h), v, l)
!$omp end task
call rtsweep(a(h + 1:), v, r)
!$omp taskwait
s = l*0.3d0 + sin(r)
end subroutine rtsweep",
        "recursive function rtedges(n, a) result(s)
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
l = rtedges(h, a(1:h))
!$omp end task
!$omp task shared(a, r)
r = rtedges(n - h + 1, a(h:n))
!$omp end task
!$omp taskwait
s = 0.5d0*l + r*0.2d0
end function rtedges",
    ],
    statements: &[
        "=!$omp parallel
=!$omp single
call rthalves({9|2|1}, rta, rtb, rtw)
=!$omp end single
=!$omp end parallel",
        "=!$omp parallel
=!$omp master
call rthalves({8|3}, rta, rtb, rtw)
=!$omp end master
=!$omp end parallel",
        "do rtk = 1, {2|1|0}
=!$omp parallel
=!$omp single
call rtsweep({rta|rtb}, {t}, rts)
=!$omp end single
=!$omp end parallel
{t} = sin(rts*0.3d0)
end do
rtk = 1",
        "=!$omp parallel
=!$omp single
rts = rtedges({9|3}, {rta|rtb})
=!$omp end single
=!$omp end parallel
{t} = sin(rts*{t})",
        "rtk = {0|1|2}
!$omp parallel do linear(rtk: 2)
do {m} = 1, {3|0|2}
rta(rtk + 1) = sin(rta(rtk + 1)*{t})
rtk = rtk + 2
{rtb(rtk) = rtb(rtk)*{t}|}
end do
{rta(1) = rta(1)*rtk*0.3d0|}
rtk = 1",
        "rtk = {0|1|2}
!$omp parallel do linear(rtk: 1)
do {m} = {1, 5, 2|5, 1, -2|3, 1, -1}
rta(rtk + 1) = sin(rta(rtk + 1)*{t})
rtk = rtk + 1
{rtb(rtk) = rtb(rtk)*{t}|}
end do
{rta(1) = rta(1)*rtk*0.3d0|}
rtk = 1",
        "rts = 0.1d0
!$omp parallel do reduction(inscan, +: rts)
do {m} = 1, {9|1|0}
rta({m}) = 0.5d0*rta({m}) + {0.1d0*rts|sin(rts)*{t}}
=!$omp scan exclusive(rts)
rts = rts + {0.2d0*rtb({m} - 1)|sin(rtb({m} - 1)*{t})}
end do
{t} = sin({t}*rts)",
        "rts = {-1|2}
!$omp parallel do
do {m} = 1, {9|1}
=!$omp atomic
rts = {max(rts, rta({m}))|min(sin(rta({m})), rts)}
end do
{t} = sin({t}*rts)",
        "rts = 0.1d0
!$omp parallel do
do {m} = 1, {9|0}
{rtb({m} - 1) = rtb({m} - 1)*{t}|}
=!$omp critical
{if (rta({m}) > rts) rts = rta({m})|rts = max(rts, rta({m}), 0.3d0*rtb({m} - 1))}
=!$omp end critical
end do
{t} = sin({t}*rts)",
    ],
    observed: &["sum(rta*[1, 2, 3, 4, 5, 6, 7, 8, 9])", "sum(rtb*[2, 1, 4, 3, 6, 5, 8, 7, 9])"],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

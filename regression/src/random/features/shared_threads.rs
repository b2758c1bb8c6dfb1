//! Variables of modules and common blocks of which each thread has its own, and others that procedures use which are called in
//! shared loops.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_threads",
    module: &[
        ("thw", "real(8), save :: thw(4) = 0\n!$omp threadprivate(thw)", ""),
        ("ths", "real(8), save :: ths = 0\n!$omp threadprivate(ths)", ""),
        ("thv", "real(8), save :: thv(2) = 0.5d0\n!$omp threadprivate(thv)", "thv = [0.4d0 + 0.1d0*x(1), 0.3d0]"),
        ("thp", "real(8), save :: thp = 0.3d0", "thp = 0.3d0 + 0.1d0*x(n)"),
        ("thcc", "real(8) :: thcw(2), thcc\ncommon /thblk/ thcw, thcc\n!$omp threadprivate(/thblk/)", ""),
        ("thr", "real(8), save :: thr(3) = 0.2d0", "thr = [0.2d0, 0.3d0*x(1), 0.1d0]"),
    ],
    locals: &[
        ("tha", "real(8) :: tha(6)", "tha = [0.3d0, 0.5d0, 0.2d0, 0.7d0, 0.4d0, 0.6d0]*{x}(1)"),
        ("thb", "real(8) :: thb(6)", "thb = 0.5d0\nthb(1) = 0.4d0 + 0.1d0*{x}(n)"),
        ("tht", "real(8) :: tht", "tht = 0.2d0"),
    ],
    procedures: &[
        "subroutine thfill(u, k0)
real(8), intent(in) :: u
integer, intent(in) :: k0
integer :: k
do k = 1, 4
if (mod(k + k0, 2) == 0) then
thw(k) = sin(u*k)
else
thw(k) = cos(u)/k
end if
end do
ths = thw(1)*u
end subroutine thfill",
        "subroutine thsolve(a, n)
integer, intent(in) :: n
real(8), intent(inout) :: a(n)
integer :: k
do k = 2, n
a(k) = sin(a(k) + 0.3d0*a(k-1)*a(k))
end do
end subroutine thsolve",
        "subroutine thcolumn(u, r, k)
real(8), intent(in) :: u
real(8), intent(out) :: r
integer, intent(in) :: k
call thfill(u, k)
call thsolve(thw, 4)
r = thw(4) + 0.5d0*ths
end subroutine thcolumn",
        "real(8) function thtuned(u)
real(8), intent(in) :: u
thtuned = sin(u*thp) + thr(2)*cos(u)
end function thtuned",
        "real(8) function thheld(u)
real(8), intent(in) :: u
thheld = sin(thv(1)*u + thv(2))
end function thheld",
        "subroutine thcommon(a, b)
real(8), intent(inout) :: a(6)
real(8), intent(in) :: b(6)
integer :: i, k
thcc = sin(b(1))
!$omp parallel do copyin(thcw, thcc) private(k)
do i = 1, 6
do k = 1, 2
thcw(k) = a(i)*thcc*k
end do
call thused(b(i), a(i))
end do
thcw = 0
end subroutine thcommon",
        "subroutine thused(u, r)
real(8), intent(in) :: u
real(8), intent(inout) :: r
r = sin(r + thcw(1)*u + thcw(2)**2*thcc)
end subroutine thused",
    ],
    statements: &[
        "!$omp parallel do{| schedule(static, 1)| schedule(dynamic)}
do {m} = {1, 6|6, 1, -1|1, 0}
call thcolumn(tha({m})*{t}, thb({m}), {m})
{thb({m}) = sin(thb({m}) + thw(2))|}
end do",
        "!$omp parallel do private(tht)
do {m} = 1, 6
call thcolumn(thb({m}), tht, {1|{m}})
tha({m}) = sin(tha({m})*tht + thtuned(tha({m})){| + thp*0.1d0})
end do
tht = 0.2d0",
        "!$omp parallel do
do {m} = 1, 6
thw = [tha({m}), {t}, 1d0, sin(thb({m}))]
call thsolve({thw, 4|thw(2:4), 3|thw(1:3), 3})
thb({m}) = sin(thb({m}) + {sum(thw)|dot_product(thw, thw)|thw(3)})
end do",
        "{thp = sin(thp + 0.1d0*{t})|thr(2) = sin({t})|}
!$omp parallel do
do {m} = 1, 6
thb({m}) = sin(thb({m})*{thtuned(tha({m}))|thp|thr(1 + mod({m}, 3))|thtuned(thtuned(tha({m})))})
end do
{t} = sin({t} + {thp|sum(thr)|thtuned(thb(2))})",
        "{thv(1) = sin({t})|thv = [0.3d0, {t}]|}
!$omp parallel do copyin(thv)
do {m} = 1, 6
tha({m}) = sin(tha({m}) + thheld(thb({m})){| + thv(2)*0.1d0})
end do",
        "tht = 0
!$omp parallel do reduction(+: tht)
do {m} = 1, 6
tht = tht + thtuned(tha({m}))*0.1d0
end do
{t} = sin({t} + tht)
tht = 0.2d0",
        "call thcommon({tha, thb|thb, tha})",
        "=!$omp parallel
!$omp do
do {m} = 1, 6
call thcolumn(tha({m}), thb({m}), {m})
end do
!$omp do
do {m} = 1, {5|6|0}
thb({m}) = sin(thb({m}) + thtuned({tha({m})|{t}}))
end do
=!$omp end parallel",
        "!$omp parallel do num_threads(1)
do {m} = 1, 6
call thfill(tha({m}), {m})
thb({m}) = sin(thw(2)*thb({m}))
end do
{t} = sin({t} + {thw(3)|ths})",
    ],
    ..NONE
}];

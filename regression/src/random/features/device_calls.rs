//! Calls between loops for a device: of libraries, which work on the host, of procedures that call themselves or each other, of such
//! that work on an array on both sides with updates between, and of such that put arrays of modules on the device and take them off.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "device_calls",
    module: &[
        ("dcm", "real(8), save :: dcm(6)", "dcm = 0.4d0"),
        ("dcl", "real(8), save :: dcl(6)", "dcl = 0.3d0"),
    ],
    locals: &[
        ("dca", "real(8) :: dca(6)", "dca = 0.5d0*{x}(1)"),
        ("dcb", "real(8), allocatable :: dcb(:)", "allocate(dcb(6))\ndcb = 0.3d0\ndcb(2:3) = 0.2d0*{x}(n)"),
    ],
    procedures: &[
        "recursive subroutine dcagain(u, k)
real(8), intent(inout) :: u(6)
integer, intent(in) :: k
integer :: i
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = 0.7d0*sin(u(i)) + 0.1d0
end do
if (k > 0) call dcagain(u, k - 1)
end subroutine dcagain",
        "recursive subroutine dcturn(u, v, k)
real(8), intent(inout) :: u(6), v(6)
integer, intent(in) :: k
integer :: i
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = 0.5d0*u(i)*v(7 - i) + 0.2d0
end do
if (k > 0) then
call dcturn(v, u, k - 1)
v(1) = v(1)*u(2)
end if
end subroutine dcturn",
        "subroutine dcends(u, s)
real(8), intent(inout) :: u(6)
real(8), intent(inout) :: s
integer :: i
real(8), allocatable :: t(:)
allocate(t(6))
!$omp target teams distribute parallel do
do i = 1, 6
t(i) = u(i)*u(7 - i)
end do
if (s > 0.3d0) then
deallocate(t)
allocate(t(8), source=0.2d0)
end if
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = u(i) + 0.1d0*t(i)
end do
s = 0.5d0*s + 0.1d0*t(2)
end subroutine dcends",
        "subroutine dcsides(u, s)
real(8), intent(inout) :: u(6)
real(8), intent(inout) :: s
integer :: i
u(1) = 0.9d0*u(1)
=!$omp target data map(tofrom: u)
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = sin(u(i)) + 0.1d0
end do
=!$omp target update from(u(1:2))
u(2) = u(2)*u(1)
s = 0.6d0*s + 0.2d0*u(2)
=!$omp target update to(u(2:2))
=!$omp end target data
if (s > 0.4d0) return
u(6) = 0.8d0*u(6)
end subroutine dcsides",
        "subroutine dcdown(u)
real(8), intent(inout) :: u(6)
=!$omp target update from(u)
end subroutine dcdown",
        "subroutine dcup(u)
real(8), intent(inout) :: u(6)
=!$omp target update to(u)
end subroutine dcup",
        "subroutine dcboth(u, k)
real(8), intent(inout) :: u(6)
integer, intent(in) :: k
integer :: i, j
do j = 1, 3
if (j > k) exit
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = 0.6d0*u(i) + 0.1d0*u(i)**2
end do
if (j == 2) cycle
call dcdown(u)
u(j) = u(j)*u(6)
u(6) = 0.5d0*u(6)
=!$omp target update to(u(j:j))
=!$omp target update to(u(6:6))
end do
end subroutine dcboth",
        "recursive subroutine dceven(u, v, k)
real(8), intent(inout) :: u(6), v(6)
integer, intent(in) :: k
integer :: i
!$omp target teams distribute parallel do
do i = 1, 6
u(i) = 0.5d0*sin(u(i)*v(i)) + 0.3d0*u(i)
end do
=!$omp target update from(u)
u(1) = 0.5d0*u(1) + 0.3d0*u(6)*u(1)
=!$omp target update to(u(1:1))
if (k > 0) call dcodd(v, u, k - 1)
!$omp target teams distribute parallel do
do i = 1, 6
v(i) = v(i)*(0.5d0 + 0.3d0*u(7 - i))
end do
end subroutine dceven",
        "recursive subroutine dcodd(a, b, k)
real(8), intent(inout) :: a(6), b(6)
integer, intent(in) :: k
integer :: i
=!$omp target update from(a, b)
do i = 1, 6
a(i) = 0.6d0*a(i) + 0.3d0*b(i)*a(i)
end do
=!$omp target update to(a)
if (k > 0) call dceven(b, a, k - 1)
!$omp target teams distribute parallel do
do i = 1, 6
b(i) = b(i)*(0.5d0 + 0.3d0*a(i))
end do
end subroutine dcodd",
        "subroutine dcif(u, k)
real(8), intent(inout) :: u(6)
integer, intent(in) :: k
integer :: i
=!$omp target update from(u)
!$omp target teams distribute parallel do if(k > 1)
do i = 1, 6
u(i) = 0.7d0*u(i) + 0.1d0*u(i)**2
end do
=!$omp target update from(u) if(k > 1)
u(2) = u(2)*u(5)
=!$omp target update to(u)
end subroutine dcif",
        "subroutine dcput()
=!$omp target enter data map(to: dcl)
end subroutine dcput",
        "subroutine dcbegin(u)
real(8), intent(in) :: u(6)
integer :: i
do i = 1, 6
dcl(i) = sin(u(i))
dcl(i) = dcl(i)*(1 + 0.2d0*dcl(i))
end do
call dcput()
end subroutine dcbegin",
        "subroutine dcwork()
integer :: i
!$omp target teams distribute parallel do
do i = 1, 6
dcl(i) = 0.5d0*dcl(i) + 0.3d0*dcl(i)**2
end do
end subroutine dcwork",
        "subroutine dcfinish(u)
real(8), intent(inout) :: u(6)
integer :: i
=!$omp target exit data map(from: dcl)
do i = 1, 6
u(i) = 0.4d0*u(i) + dcl(i)
dcl(i) = dcl(i)*u(i)
u(i) = u(i) - 0.1d0*dcl(i)**2
end do
end subroutine dcfinish",
    ],
    statements: &[
        "=!$omp target teams distribute parallel do
do {m} = 1, 6
{dca({m}) = 0.4d0*dcb(7 - {m})|dcb({m}) = 0.4d0*dcm(max({m} - 1, 1))|dcm({m}) = 0.4d0*dca(min({m} + 1, 6))} + 0.1d0*{{l}|{t}}
end do",
        "=!$omp target teams distribute parallel do
do {m} = {1|2}, 6, {1|2}
{dcb({m}) = dcb({m})*dca({m})|dcm({m}) = dcm({m})*dcb({m}) + 0.1d0|dca({m}) = sin(dca({m}))}
end do",
        "call dscal(6, 0.5d0, {dca|dcb|dcm}, 1)",
        "call daxpy(6, 0.25d0, {dca|dcm}, 1, dcb, 1)",
        "call dcagain({dca|dcb|dcm}, {0|1|2})",
        "call dcturn({dca, dcb|dcb, dcm|dcm, dca}, {0|1|2})",
        "call dcends({dca|dcb|dcm}, {t})",
        "call dcsides({dca|dcb|dcm}, {t})",
        "=!$omp target data map(tofrom: dca)
call dcboth(dca, {1|2|3})
=call dcdown(dca)
dca({p}) = dca({p})*{t}
=call dcup(dca)
=!$omp target teams distribute parallel do
do {m} = 1, 6
dca({m}) = 0.5d0*dca({m}) + 0.2d0*sin(dca({m}))
end do
=!$omp end target data",
        "=!$omp target data map(tofrom: dcm)
call dcboth(dcm, {1|2|3})
=call dcdown(dcm)
dcm({p}) = dcm({p})*{t}
=call dcup(dcm)
=!$omp target teams distribute parallel do
do {m} = 1, 6
dcm({m}) = 0.5d0*dcm({m}) + 0.2d0*sin(dcm({m}))
end do
=!$omp end target data",
        "=call dcbegin({dca|dcb})
{call dcwork()|continue}
call dcwork()
=call dcfinish({dca|dcm})",
        "=call dcbegin({dca|dcb})
{call dceven(dcl, dca, {1|2})|call dceven(dcm, dcl, {1|2|3})|call dcodd(dca, dcl, {0|1|2})}
=call dcfinish({dca|dcm})",
        "=call dcbegin({dca|dcb})
call dcif(dcl, {1|2})
call dcwork()
=call dcfinish({dca|dcm})",
        "dca({p}) = {dcb(2)|dcm({p})|dca({p})*{t}}",
        "if ({t} > 0.4d0) then
deallocate(dcb)
allocate(dcb(6))
dcb = dca
end if",
    ],
    observed: &["sum(dca*[1, 2, 3, 4, 5, 6])", "sum(dcb*[2, 1, 4, 3, 6, 5])", "sum(dcm*[3, 1, 2, 5, 4, 6])"],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

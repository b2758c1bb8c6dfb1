//! Objects whose components have memory of their own, in loops for a device.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "device_objects",
    module: &[
        (
            "dot",
            "type dot\n  integer :: n = 6\n  real(8) :: c = 0.5d0\n  real(8) :: w(3) = 0.25d0\n  real(8), allocatable :: h(:), q(:)\nend type dot",
            "",
        ),
        (
            "dog",
            "type(dot), save :: dog",
            "if (allocated(dog%h)) deallocate(dog%h, dog%q)\nallocate(dog%h(6), dog%q(0:6))\ndog%h = 0.4d0\ndog%q = 0.3d0\ndog%c = 0.6d0\ndog%w = 0.2d0",
        ),
    ],
    locals: &[
        (
            "doo",
            "type(dot) :: doo",
            "allocate(doo%h(6), doo%q(6))\ndoo%h = 0.5d0*{x}(1)\ndoo%q = 0.3d0\ndoo%q(2:3) = 0.2d0*{x}(n)",
        ),
        ("dok", "integer :: dok", "dok = 1"),
    ],
    procedures: &[
        "subroutine dosmooth(h)
real(8), intent(inout) :: h(:)
integer :: i
!$omp target teams distribute parallel do
do i = 1, size(h)
h(i) = 0.5d0*sin(h(i)) + 0.1d0
end do
end subroutine dosmooth",
        "subroutine dowhole(o, u)
type(dot), intent(inout) :: o
real(8), intent(in) :: u
o%h = o%h*o%c + 0.1d0*u
o%c = sin(o%c + u)
end subroutine dowhole",
        "subroutine dogiven(o, p, k)
type(dot), intent(inout) :: o
type(dot), intent(in) :: p
integer, intent(in) :: k
integer :: i
!$omp target teams distribute parallel do
do i = 1, min(k, o%n)
o%h(i) = o%h(i)*p%h(i) + p%c*p%w(1 + mod(i, 3))
end do
o%c = 0.5d0*o%c*o%h(1)
if (o%c > 0.01d0) then
!$omp target teams distribute parallel do
do i = 2, o%n
o%q(i) = o%q(i) + 0.3d0*p%h(i - 1)*p%h(i)
end do
end if
end subroutine dogiven",
    ],
    scalars: &["doo%c"],
    statements: &[
        "=!$omp target teams distribute parallel do
do {m} = 1, {doo%n|6|0}
doo%h({m}) = doo%h({m})*{doo%c|doo%w(1 + mod({m}, 3))|{t}} + {dog%h({m})|sin(dog%q({m}))|doo%q({m})}
end do",
        "=!$omp target teams distribute parallel do
do {m} = 2, {dog%n|5|2}
{dog%q({m})|doo%q({m})} = 0.5d0*{dog%h({m} - 1)*dog%h({m})|doo%h({m})*doo%h(7 - {m})} + 0.1d0*{l}
end do",
        "doo%c = sin({e})
=!$omp target teams distribute parallel do
do {m} = 1, 6
doo%q({m}) = doo%q({m})*doo%c
{dog%h({m}) = dog%h({m}) + 0.2d0*doo%q({m})|}
end do
doo%c = 0.5d0*doo%c*doo%q({1|6})",
        "call dosmooth({doo%h|dog%h|dog%q(1:4)|doo%q})",
        "call dowhole({doo|dog}, ({e}))",
        "call dogiven(doo, dog, {p})",
        "call dogiven(dog, doo, {6|0|9})",
        "deallocate(doo%q)\nallocate(doo%q({6|8}))\ndoo%q = {e}\ndoo%q(2) = doo%h({3|1})",
        "if (allocated(dog%q)) deallocate(dog%q)\nallocate(dog%q(0:6), source=0.25d0)\ndog%q(1:6) = doo%h",
        "do {m} = 1, {2|n}
=!$omp target teams distribute parallel do
do dok = 1, 6
doo%h(dok) = doo%h(dok)*{dog%h(7 - dok)|doo%q(dok)*dog%c}
end do
{dog%h({p}) = doo%h(1)|call dosmooth(doo%q)|doo%w(2) = doo%h({p})*{t}|}
end do",
    ],
    observed: &[
        "sum(doo%h*[1, 2, 3, 4, 5, 6])",
        "sum(doo%q(1:6)*[2, 1, 4, 3, 6, 5]) + doo%c",
        "sum(dog%h*[3, 1, 2, 5, 4, 6]) + dog%c + sum(dog%q(1:6)*[1, 2, 1, 3, 1, 4])",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];

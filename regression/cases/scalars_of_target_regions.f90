! head: m::f(y)/(x)
! size: n=4
! threads: 2
! Scalars that a target region doesn't name are copies there, but for those that are mapped by default or declared for devices.
module m
  implicit none
  real(8) :: declared
  !$omp declare target(declared)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: mapped, copied
    real(8), target :: aimed_at
    mapped = x(1)
    copied = x(1)
    aimed_at = x(2)
    declared = x(4)
    !$omp target map(to: x) map(tofrom: y) defaultmap(ToFrom: Scalar)
    mapped = mapped*x(2)
    y(1) = mapped
    !$omp end target
    !$omp target map(to: x) map(tofrom: y)
    copied = copied*x(2)
    y(3) = copied*x(3)
    aimed_at = aimed_at*x(3)
    declared = declared*x(3)
    !$omp end target
    !$omp target update from(declared)
    y(2) = mapped
    y(4) = copied + declared*x(1) + aimed_at**2
  end subroutine f
end module m

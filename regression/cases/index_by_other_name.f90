! Subscripts whose variables change by another name between two references to an element: by equivalence, through a
! pointer, in a common block, in a called procedure.
! head: m::by_equivalence(z)/(x)
! head: m::by_pointer(z)/(x)
! head: m::by_common(z)/(x)
! head: m::in_callee(z)/(x)
! head: m::work_array(z)/(x)
! size: n=6
module m
  implicit none
  integer, target :: place
contains
  subroutine by_equivalence(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: z(n)
    integer :: i, k, j
    equivalence (k, j)
    z = 0.7d0*x
    k = 1
    do i = 1, n - 1
      z(k) = sin(x(1))
      j = mod(k, n) + 1
      z(k) = cos(z(k)*1.1d0)
    end do
  end subroutine by_equivalence

  subroutine by_pointer(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: z(n)
    integer, target :: k
    integer, pointer :: j
    integer :: i
    j => k
    z = 0.7d0*x
    k = 1
    do i = 1, n - 1
      z(k) = sin(x(1))
      j = mod(k, n) + 1
      z(k) = cos(z(k)*1.1d0)
    end do
  end subroutine by_pointer

  subroutine by_common(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: z(n)
    integer :: i, k
    common // k
    z = 0.7d0*x
    k = 1
    do i = 1, n - 1
      z(k) = sin(x(1))
      call advance(n)
      z(k) = cos(z(k)*1.1d0)
    end do
  end subroutine by_common

  subroutine advance(n)
    integer, intent(in) :: n
    integer :: now
    common now
    now = mod(now, n) + 1
  end subroutine advance

  subroutine in_callee(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: z(n)
    integer, pointer :: k
    integer :: i
    k => place
    z = 0.7d0*x
    k = 1
    do i = 1, n - 1
      z(k) = sin(x(1))
      call onward(n)
      z(k) = cos(z(k)*1.1d0)
    end do
  end subroutine in_callee

  subroutine onward(n)
    integer, intent(in) :: n
    place = mod(place, n) + 1
  end subroutine onward

  subroutine work_array(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: z(n)
    real(8) :: w(n)
    integer :: i, k, j
    equivalence (k, j)
    w = 0.3d0*x
    do i = 1, n - 1
      k = i
      w(k) = sin(x(i))
      j = i + 1
      z(i) = w(k)*w(i)
    end do
    z(n) = w(n)*x(n)
  end subroutine work_array
end module m

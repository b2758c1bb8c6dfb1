! head: whole(y)/(x)
! head: relying(y)/(x)
! head: measured(y)/(x)
! size: n=6
! acc: host
! Arrays of a module that one procedure puts on the device and another takes from there, and procedures that rely on finding their
! arguments there while nothing else uses these on the device.
module set_up
  implicit none
  real(8) :: table(20)
contains
  subroutine begin(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    table(1:n) = x*0.5d0
    !$acc enter data copyin(table)
  end subroutine begin

  subroutine work(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = sin(u(i))*table(i)
    end do
  end subroutine work

  subroutine finish()
    !$acc exit data delete(table)
  end subroutine finish

  subroutine whole(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call begin(n, x)
    y = x
    call work(n, y)
    call finish()
  end subroutine whole

  subroutine relying(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: c(n), d(n), part(3)
    part = x(1)
    c = 0.5d0 + 0.2d0*x
    d = cos(x)*0.6d0
    !$acc data copy(c, d)
    call mix(n, d, c, 2)
    !$acc end data
    y = c + d*part(2)
  end subroutine relying

  subroutine mix(n, u, v, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: u(n), v(n)
    real(8) :: t(n)
    integer :: i
    !$acc data create(t) present(u, v)
    !$acc parallel loop
    do i = 1, n
      t(i) = u(i)*v(n + 1 - i)
    end do
    if (k > 1) then
      !$acc parallel loop
      do i = 1, n
        u(i) = u(i) + 0.1d0*t(max(i - 1, 1))
      end do
    end if
    !$acc parallel loop
    do i = 1, n
      v(i) = 0.8d0*v(i) + 0.2d0*sin(t(i))
    end do
    !$acc end data
  end subroutine mix

  ! A function that relies on its argument there, in an expression.
  subroutine measured(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i
    a = x*x
    !$acc data copy(a)
    !$acc parallel loop
    do i = 1, n
      a(i) = a(i) + 0.3d0*sin(a(i))
    end do
    y = size_of(n, a)
    !$acc end data
    y = y*a
  end subroutine measured

  real(8) function size_of(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    !$acc update self(u)
    size_of = sum(u*u)
  end function size_of
end module set_up

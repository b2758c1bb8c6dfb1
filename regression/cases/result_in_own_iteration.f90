! Assignments whose adjoints use their results, in iterations that run again: they start from what was there before.
! head: m::quotient(y)/(x)
! head: m::exponential(y)/(x)
! head: m::root(y)/(x)
! head: m::in_if(y)/(x)
! head: m::of_scalar(y)/(x)
! head: m::two_levels(y)/(x)
! head: m::in_component(y)/(x)
! size: n=5
module m
  implicit none
  type pair
    real(8) :: s, v(8)
  end type pair
contains
  subroutine quotient(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n)
    y = 0.7d0*x
    a = 0.3d0*x
    each: do i = 1, n
      a(i) = a(i)/(1d0 + x(i)**2)
      if (i > 2) cycle each
    end do each
    y = y + (a + y(n:1:-1))
  end subroutine quotient

  subroutine exponential(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n)
    a = 0.3d0*x
    do i = 1, n
      a(i) = exp(a(i)*x(i))
      if (i > 2) cycle
      a(i) = a(i)*x(1)
    end do
    y = a*a(n:1:-1)
  end subroutine exponential

  subroutine root(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n)
    a = 2 + x
    do i = 1, n
      a(i) = sqrt(a(i) + x(i)**2)
      if (i > 2) cycle
    end do
    y = a
  end subroutine root

  subroutine in_if(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: a(n)
    a = 2 + x
    do i = 1, n
      k = mod(2*i, n) + 1
      if (x(i) > -5d0) then
        a(k) = a(k)/(1d0 + x(i)**2)
      end if
      if (k > 2) cycle
      k = 1
    end do
    y = a
  end subroutine in_if

  subroutine of_scalar(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s
    s = 1 + x(1)
    do i = 1, n
      s = s/(1d0 + x(i)**2)
      if (i > 2) cycle
      s = exp(0.1d0*s)
    end do
    y = s*x
  end subroutine of_scalar

  subroutine two_levels(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    real(8) :: a(n, n)
    a = 0.5d0
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j)/(1d0 + x(i)**2*x(j))
        if (i > j) cycle
        a(i, j) = exp(-a(i, j))
      end do
    end do
    y = sum(a, dim=1)*a(:, 1)
  end subroutine two_levels

  subroutine in_component(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    type(pair) :: p
    p%s = x(1)
    p%v = 1 + x(1)
    do i = 1, n
      p%v(i) = p%v(i)/(1d0 + p%s*x(i))
      p%s = p%s/(2 + x(i))
      if (i > 2) cycle
      p%s = sqrt(p%s + 1)
    end do
    y = p%v(1:n)*p%s
  end subroutine in_component
end module m

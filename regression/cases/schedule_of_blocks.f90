! Arrays of derived types that a time loop changes under a schedule: components of all elements, array components, arrays
! of types in them, and a module variable.
! head: m::f(y)/(x)
! head: m::h(y)/(x)
! head: m::p(y)/(x)
! size: n=5
module m
  implicit none
  type :: inner
    real(8) :: u
    real(8) :: w(2)
  end type
  type :: block
    real(8) :: v(4)
    type(inner) :: q(3)
    real(8) :: s
    integer :: n = 0
  end type
  type :: tree
    type(block) :: b(2)
    real(8) :: t = 0
  end type
  type(tree) :: g
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(block) :: c(3)
    integer :: i, j, k
    do i = 1, 3
      c(i)%v = x*i
      c(i)%s = x(i)
      do j = 1, 3
        c(i)%q(j)%u = x(j)
        c(i)%q(j)%w = x(1:2)
      end do
    end do
!$ad checkpoint schedule(revolve) snapshots(2)
    do k = 1, 7
      do i = 1, 3
        do j = 2, 4
          c(i)%v(j) = 0.5d0*c(i)%v(j)*c(i)%v(j-1) + c(1+mod(i,3))%s
        end do
        c(i)%s = sin(c(i)%s*c(i)%v(2))
        c(i)%n = c(i)%n + 1
        do j = 1, 3
          c(i)%q(j)%u = c(i)%q(j)%u*cos(c(i)%q(j)%u)*c(i)%n
          c(i)%q(j)%w(2) = c(i)%q(j)%w(1)*c(i)%q(j)%u
          c(i)%q(j)%w(1) = c(i)%q(j)%w(2)**2
        end do
      end do
    end do
    y = sum(c%s) + sum(c(2)%q%u) + c(3)%v(4) + sum(c(1)%q(3)%w)
  end subroutine
  subroutine h(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    integer :: i, j, k
    do i = 1, 2
      g%b(i)%v = x*i
      g%b(i)%s = x(i)
      g%b(i)%q%u = x(1:3)
    end do
!$ad checkpoint schedule(revolve) snapshots(2)
    do k = 1, 7
      do i = 1, 2
        g%b(i)%s = sin(g%b(i)%s*g%b(3-i)%v(2))
        g%b(i)%q(1+mod(k,3))%u = g%b(i)%q(1+mod(k,3))%u*g%b(i)%s
        g%b(i)%v(1+mod(k,4)) = g%b(i)%s**2
      end do
      g%t = g%t + g%b(1)%s
    end do
    y = g%t + sum(g%b%s) + sum(g%b(2)%q%u)+ sum(g%b(1)%v)
  end subroutine
  subroutine p(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(block) :: c(n)
    integer :: i, k
    do i = 1, n
      c(i)%v = x*i
      c(i)%s = x(2)
    end do
!$ad checkpoint schedule(revolve) snapshots(2)
    do k = 1, 7
      where (c%s > 0.1d0)
        c%s = c%s*0.9d0
      elsewhere
        c%s = c%s + c%v(1)
      end where
      do i = 1, n - 1
        if (mod(i + k, 2) == 0) c(i)%v = c(i+1)%v*c(i)%s
      end do
    end do
    y = sum(c%s) + c(1)%v(2) + c(n)%v(4)
  end subroutine
end module

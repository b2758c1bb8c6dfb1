! head: m::f(y)/(x)
! head: m::both(y)/(x)
! size: n=12
! threads: 4
! Procedures add to numbers of the objects that they are given, in all iterations.
module m
  implicit none
  type, abstract :: eos
  contains
    procedure(p_if), deferred :: p
  end type eos
  abstract interface
    function p_if(self, r) result(p)
      import :: eos
      class(eos), intent(in) :: self
      real(8), intent(in) :: r
      real(8) :: p
    end function p_if
  end interface
  type, extends(eos) :: gas
    real(8) :: g = 1.4d0
  contains
    procedure :: p => p_gas
  end type gas
  type :: rates
    real(8) :: growth = 0, loss = 0
    integer :: steps = 2
  end type rates
contains
  function p_gas(self, r) result(p)
    class(gas), intent(in) :: self
    real(8), intent(in) :: r
    real(8) :: p
    p = r**self%g
  end function p_gas

  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(gas) :: e
    integer :: i
    e%g = 1.2d0 + 0.1d0*x(1)
    !$omp parallel do
    do i = 1, n
      y(i) = e%p(x(i))/x(i)
    end do
  end subroutine f

  subroutine exchange(a, b, x, y)
    type(rates), intent(in) :: a, b
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: k
    y = a%growth*x
    do k = 1, b%steps
      y = y - b%loss*y**2 + a%loss*x
    end do
  end subroutine exchange

  subroutine both(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(rates) :: r, s
    integer :: i
    r%growth = x(1)
    r%loss = 0.1d0*x(2)
    s = r
    s%growth = s%growth**2
    !$omp parallel do
    do i = 1, n
      call exchange(r, s, x(i), y(i))
      if (x(i) > 0.5d0) call exchange(s, r, x(n+1-i), y(i))
    end do
    y(1) = y(1)*r%growth
  end subroutine both
end module m

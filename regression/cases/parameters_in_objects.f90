! head: m::f(y)/(x)
! threads: 4
! A function adds to a number of the object it is given, in all iterations.
module m
  implicit none
  type, abstract :: eos
  contains
    procedure(p_if), deferred :: p
  end type
  abstract interface
    function p_if(self, r) result(p)
      import :: eos
      class(eos), intent(in) :: self
      real(8), intent(in) :: r
      real(8) :: p
    end function
  end interface
  type, extends(eos) :: gas
    real(8) :: g = 1.4d0
  contains
    procedure :: p => p_gas
  end type
contains
  function p_gas(self, r) result(p)
    class(gas), intent(in) :: self
    real(8), intent(in) :: r
    real(8) :: p
    p = r**self%g
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x(12)
    real(8), intent(out) :: y(12)
    type(gas) :: e
    integer :: i
    e%g = 1.2d0 + 0.1d0*x(1)
    !$omp parallel do
    do i = 1, 12
      y(i) = e%p(x(i))/x(i)
    end do
  end subroutine
end module

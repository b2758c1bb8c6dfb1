! head: m::f(a,b)/(t,u)
! threads: 4
! Sections that call procedures, which add to one derivative.
module m
contains
  subroutine rad(t, a)
    real(8), intent(in) :: t(:)
    real(8), intent(out) :: a(:)
    a = t**2
  end subroutine
  subroutine conv(t, b)
    real(8), intent(in) :: t(:)
    real(8), intent(out) :: b(:)
    b = exp(t)
  end subroutine
  subroutine f(t, u, a, b)
    real(8), intent(in) :: t(:), u(:)
    real(8), intent(out) :: a(:), b(:)
    !$omp parallel sections
    !$omp section
    call rad(t, a)
    !$omp section
    call conv(t, b)
    !$omp end parallel sections
  end subroutine
end module

! head: m::f(y)/(x)
! size: n=8
! threads: 2
! Called procedures leave work to a device, for which their callers wait.
module m
  implicit none
  real(8) :: a(8), b(8), c(8)
contains
  subroutine scale()
    integer :: i
    !$omp target teams distribute parallel do map(to: a) map(tofrom: b) nowait
    do i = 1, 8
      b(i) = b(i)*a(i)
    end do
  end subroutine scale

  ! Nothing in it depends on the inputs.
  subroutine weights()
    call filled()
  end subroutine weights

  subroutine filled()
    integer :: i
    !$omp target parallel do map(from: c) nowait
    do i = 1, 8
      c(i) = 0.1d0*i
    end do
  end subroutine filled

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    a = x
    b = x
    call scale()
    call weights()
    !$omp taskwait
    y = c*b**2
  end subroutine f
end module m

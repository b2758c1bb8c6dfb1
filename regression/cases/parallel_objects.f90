! head: m::s(x,y)/(x,y)
! size: n=1,7
! threads: 4
! Objects in arrays that are read by index tables: iterations add to components of the same object.
module m
  implicit none
  type inner
    real(8) :: f(3)
  end type
  type part
    real(8) :: p, m
    type(inner) :: own
  end type
contains
  subroutine s(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(n)
    type(part) :: ps(n), all
    integer :: i, j, k, list(n)
    all%p = x(1)
    all%own%f = y(1)*[1d0, 2d0, 3d0]
    !$omp parallel do private(k)
    do i = 1, n
      ps(i)%p = x(i)*y(i)
      ps(i)%m = x(i)*x(i)
      list(i) = 1 + mod(3*i, n)
      do k = 1, 3
        ps(i)%own%f(k) = k*x(i) + y(i)
      end do
    end do
    !$omp parallel do private(j)
    do i = 1, n
      j = list(i)
      x(i) = ps(j)%p*ps(i)%m + ps(i)%p + all%p*ps(i)%m
      y(i) = ps(j)%own%f(2)*ps(i)%own%f(1) + ps(j)%own%f(1 + mod(i, 3))*all%own%f(1 + mod(i, 3))
    end do
  end subroutine
end module

! head: values(y)/(x,b)
! head: pairs(y,s)/(x,b)
! head: shared(y)/(x,b,w)
! size: n=37
! threads: 4
! Loops for vector operations that call procedures: with sums, private variables and small arrays.
module simd_calls
  implicit none
  real(8) :: scale = 0.7d0
contains
  pure real(8) function kernel(a, b)
    !$omp declare simd(kernel) uniform(b)
    real(8), intent(in) :: a, b
    kernel = a*exp(-b*a) + sqrt(a*a + b)*scale
  end function

  subroutine both(a, b, r)
    real(8), intent(in) :: a, b
    real(8), intent(inout) :: r(2)
    r(1) = r(1)*a + b
    r(2) = sin(r(1)*b)
  end subroutine

  subroutine values(n, x, b, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), b
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp simd
    do i = 1, n
      y(i) = kernel(x(i), b)*kernel(b, x(i))
    end do
  end subroutine

  subroutine pairs(n, x, b, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), b(n)
    real(8), intent(out) :: y(n), s
    real(8) :: r(2), t
    integer :: i
    s = 0
    !$omp simd private(r, t) reduction(+: s)
    do i = 1, n
      r = [x(i), b(i)]
      call both(x(i), b(i), r)
      t = kernel(r(1)**2, 0.5d0)
      y(i) = t*r(2)
      s = s + t*y(i)
    end do
  end subroutine

  subroutine shared(n, x, b, w, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), b, w(n)
    real(8), intent(out) :: y(n)
    real(8) :: t
    integer :: i
    !$omp parallel do simd private(t) if(simd: n > 4)
    do i = 1, n
      t = kernel(x(i), w(i))
      if (t > 0.4d0) t = t*kernel(b, t)
      y(i) = t**2
    end do
  end subroutine
end module

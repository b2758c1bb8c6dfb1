! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Sums over iterations, of scalars and arrays: by clauses, atomic updates and critical sections.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: s, t, p, h(4), g(3)
    s = x(1)
    t = 0
    h = 0
    g = x(2)
    !$omp parallel do reduction(+: s) reduction(-: t)
    do i = 1, n
      s = s + x(i)**2
      t = t - sin(x(i))
    end do
    !$omp parallel do reduction(+: h) private(k)
    do i = 1, n
      k = mod(i, 4) + 1
      h(k) = h(k) + x(i)*s
    end do
    !$omp parallel do private(k)
    do i = 1, n
      k = mod(i, 3) + 1
      !$omp atomic
      g(k) = g(k) + x(i)*h(k)
      !$omp atomic update
      t = t + cube(x(i))
    end do
    !$omp parallel private(p)
    p = 0
    !$omp do
    do i = 1, n
      p = p + x(i)*t
    end do
    !$omp end do
    !$omp critical (sums)
    s = s + p
    !$omp end critical (sums)
    !$omp end parallel
    !$omp parallel do
    do i = 1, n
      y(i) = s*x(i) + t*h(mod(i, 4) + 1)*g(mod(i, 3) + 1)
    end do
  end subroutine f

  pure real(8) function cube(a)
    real(8), intent(in) :: a
    cube = a*a*a
  end function cube
end module m

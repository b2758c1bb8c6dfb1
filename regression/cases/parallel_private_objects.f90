! head: m::f(y)/(x)
! size: n=9 nt=2
! threads: 4
! Objects of which each iteration has its own: with arrays in them, in arrays, inherited, copied as wholes, passed to
! procedures, declared in blocks, and overwritten in time steps.
module m
  implicit none
  type cell
    real(8) :: t(3)
    real(8) :: q
    integer :: level
  end type
  type, extends(cell) :: column
    type(cell) :: layers(2)
    real(8) :: flux
  end type
contains
  subroutine warm(c, v)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: v(3)
    c%t = v**2
    c%q = 1/(1 + sum(c%t))
    c%t = c%t*c%q
    c%level = 2
  end subroutine
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(3, n)
    real(8), intent(out) :: y(3, n)
    type(cell) :: me, all(n), pair(2)
    type(column) :: col
    real(8) :: z(3, n)
    integer :: i, it, k
    z = x
    do it = 1, nt
      !$omp parallel do private(me)
      do i = 1, n
        call warm(me, z(:, i))
        if (me%q > 0.4d0) me%q = me%q**2
        z(:, i) = sin(me%t)*me%q + z(:, i)
      end do
    end do
    !$omp parallel do
    do i = 1, n
      all(i)%t = z(:, i)
      all(i)%q = z(1, i)*z(2, i)
    end do
    !$omp parallel do private(me, pair, k)
    do i = 1, n
      me = all(i)
      do k = 1, 2
        pair(k)%t = me%t*k
        pair(k)%q = me%q + x(k, i)
      end do
      me = pair(1)
      me%t(2) = me%t(2)*pair(2)%t(3)
      y(:, i) = me%t*me%q + pair(2)%t*pair(2)%q
    end do
    !$omp parallel do private(col, k)
    do i = 1, n
      col%t = x(:, i)
      col%q = 0
      do k = 1, 2
        col%layers(k)%t = col%t**k
        col%layers(k)%q = col%layers(k)%t(2)
        col%q = col%q + col%layers(k)%q**2
      end do
      col%flux = col%q*col%t(1)
      y(:, i) = y(:, i) + col%flux*col%layers(2)%t
    end do
    do concurrent (i = 1:n)
      block
        type(cell) :: own
        own%t = sin(y(:, i))
        own%q = own%t(1)*own%t(2)
        own%t(1) = own%q**2
        y(:, i) = y(:, i) + own%t*own%q
      end block
    end do
  end subroutine
end module

! head: m::f(y, cost)/(x, a)
! head: m::orbits(p, q)/(p, q, tmax)
! size: n=9
! threads: 4
! Iterations with loops of which nobody knows how often they run: what these save goes to tapes, of which each iteration has
! its own, in the iteration alone or from the forward to the backward sweep; in a procedure that is called, and around a
! parallel loop.
module m
  implicit none
  type cell
    real(8) :: v
    integer :: steps
  end type cell
contains
  subroutine f(n, x, a, y, cost)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), a(n)
    real(8), intent(out) :: y(n), cost
    real(8) :: v, r, t
    type(cell) :: c(n)
    integer :: i, k, s
    cost = 0
    ! Newton's method: an iteration runs again right before its adjoint.
    !$omp parallel do private(v, r) reduction(+: cost) schedule(dynamic)
    do i = 1, n
      v = x(i)
      r = 1
      do while (abs(r) > 1d-9)
        r = (v**3 + v*a(i)**2 - 2d0)/(3*v**2 + a(i)**2)
        v = v - r
      end do
      y(i) = v
      cost = cost + v**2
    end do
    ! Each iteration changes its own elements, in steps of its own, again and again.
    do s = 1, 3
      !$omp parallel do private(t)
      do i = s, n
        t = 0
        do while (t < 0.3d0*s)
          if (mod(i, 4) == 0) exit
          t = t + 0.15d0 + 0.01d0*i
          x(i) = x(i) + t*sin(x(i)*y(i))
          y(i) = y(i)*cos(x(i))
        end do
      end do
    end do
    ! Values of a type, and branches in loops that are left.
    !$omp parallel do private(k)
    do i = n, 1, -2
      c(i) = cell(x(i), 0)
      k = 0
      do
        k = k + 1
        if (k > mod(i, 3) + 1) exit
        if (c(i)%v > 0.8d0) then
          c(i) = cell(0.7d0*c(i)%v**2, c(i)%steps + 1)
        else
          if (k == 2) cycle
          c(i)%v = c(i)%v*a(i) + 0.3d0
        end if
      end do
      a(i) = c(i)%v*a(i)
    end do
    !$omp parallel do
    do i = 1, n
      call relax(x(i), y(i), a(i))
    end do
    ! Nobody knows how often the parallel loop runs.
    t = 0
    do while (t < 1)
      !$omp parallel do private(v)
      do i = 1, n - 1
        v = x(i)
        do while (v > 0.2d0)
          v = v*(0.5d0 + 0.1d0*sin(y(i)))
        end do
        y(i) = y(i) + v*a(i)
      end do
      t = t + 0.4d0
    end do
  end subroutine f

  subroutine relax(x, y, a)
    real(8), intent(inout) :: x, y
    real(8), intent(in) :: a
    integer :: k
    do k = 1, 20
      if (abs(x) < 0.3d0) return
      x = 0.8d0*x*cos(0.2d0*y)
      y = y + 0.1d0*x*a
    end do
  end subroutine relax
  subroutine rhs(p, d)
    real(8), intent(in) :: p(2)
    real(8), intent(out) :: d(2)
    d(1) = p(1)*p(2)
    d(2) = -p(2)**2
  end subroutine rhs
  ! Work arrays of an iteration are saved as wholes, under conditions too, in loops that may have no iteration.
  subroutine orbits(n, p, q, tmax)
    integer, intent(in) :: n
    real(8), intent(inout) :: p(2, n), q(n)
    real(8), intent(in) :: tmax
    real(8) :: k1(2), k2(2), t, y(2), z(3)
    integer :: i, k, s
    do s = 1, 2
      !$omp parallel do private(k1, k2, t, y, z, k) schedule(dynamic)
      do i = 1, n
        y = p(:, i)
        z = q(i)
        t = 0
        do while (t < 0.1d0*mod(i + s, 4))
          call rhs(y, k1)
          call rhs(y + 0.1d0*k1, k2)
          if (mod(i, 2) == 0) then
            do k = 2, 3
              z(k) = z(k)*y(1) + z(k - 1)**2
            end do
          end if
          y = y + 0.1d0*(k1 + k2)*z(3)
          t = t + 0.1d0
        end do
        p(:, i) = y*tmax
        q(i) = z(2)*z(3)
      end do
    end do
  end subroutine orbits
end module m

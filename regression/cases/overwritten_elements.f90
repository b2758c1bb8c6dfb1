! Factorisations and recurrences in place: which of the overwritten elements are needed depends on the loops.
module m
  implicit none
contains
  subroutine f(n, steps, x, y)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n, n), u(0:n + 1), v(n), w(n), z(n)
    integer :: i, j, k, t, p
    do j = 1, n
      do i = 1, n
        a(i, j) = x(i)*x(j) + 0.1d0*x(i)
      end do
      a(j, j) = a(j, j) + 4d0
    end do
    b = a
    ! Elimination: what is needed lies in rows and columns that are done.
    do k = 1, n - 1
      do i = k + 1, n
        a(i, k) = a(i, k)/a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
    ! The same upwards, with the row k itself included: its elements are still needed.
    do k = n, 2, -1
      do j = 1, k
        do i = 1, k - 1
          b(i, j) = b(i, j) - 0.01d0*b(i, k)*b(k, j)
        end do
      end do
    end do
    u = 0.5d0
    do i = 1, n
      u(i) = x(i)
    end do
    ! Forward, each element once; then in time, where all are overwritten.
    do i = 1, n
      u(i + 1) = 0.3d0*u(i)**2 + u(i + 1)
    end do
    do t = 1, steps
      do i = n, 1, -1
        u(i) = 0.3d0*u(i)*u(i - 1) + sin(u(i + 1))
      end do
    end do
    do i = 1, n
      v(i) = x(i)
      w(i) = x(n + 1 - i)
      z(i) = x(i) + 0.2d0
    end do
    ! Every second element; the other half is needed.
    do i = 2, n - 1, 2
      v(i) = v(i - 1)*v(i + 1)
    end do
    do i = n - 1, 2, -2
      v(i) = v(i - 1)*v(i)
    end do
    ! An index that changes from step to step.
    p = 1
    do t = 1, steps
      do i = p + 1, n
        w(i) = w(i)*w(p) + 0.1d0
      end do
      p = mod(p, 2) + 1
      w(p) = w(p)**2
    end do
    k = 0
    do while (k < n - 1)
      k = k + 1
      z(k + 1) = sin(z(k + 1)*z(k))
      if (z(k) > 0.5d0) z(k) = z(k) + (z(k) - 0.5d0)**2
    end do
    do i = 1, n
      y(i) = u(i) + v(i) + w(i) + z(i)
      do j = 1, n
        y(i) = y(i) + a(i, j)**2 + b(j, i)**2
      end do
    end do
  end subroutine f
end module m

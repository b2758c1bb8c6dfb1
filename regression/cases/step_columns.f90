! Time steps whose adjoints use the state at their start, with few and with many elements.
module m
  implicit none
contains
  ! Upwind: the adjoint of the copy reads what is copied before it is overwritten.
  subroutine upwind(n, steps, c, u)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: u(n)
    real(8) :: un(n)
    integer :: i, it
    do it = 1, steps
      do i = 2, n
        un(i) = u(i) - c(i)*(u(i) - u(i-1))
      end do
      do i = 2, n
        u(i) = un(i)
      end do
    end do
  end subroutine upwind

  ! The other way round it would read what is overwritten already. Steps of two, bounds of its own.
  subroutine downwind(n, steps, c, u)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c(-1:n-2)
    real(8), intent(inout) :: u(-1:n-2)
    real(8) :: un(-1:n-2)
    integer :: i, it
    do it = 2*steps, 1, -2
      do i = n - 4, -1, -1
        un(i) = u(i) - 0.001d0*it*c(i)*u(i)*(u(i+1) - u(i))
      end do
      do i = -1, n - 4
        u(i) = un(i)
      end do
    end do
  end subroutine downwind

  ! A plane with a frame that stays; the steps add to the element itself.
  subroutine plane(n, l, steps, c, u)
    integer, intent(in) :: n, l, steps
    real(8), intent(in) :: c(n, l)
    real(8), intent(inout) :: u(n, l)
    real(8) :: w(n, l)
    integer :: i, j, it
    do it = 1, steps
      do j = 2, l - 1
        do i = 3, n - 1
          w(i, j) = u(i-1, j)*u(i+1, j) - c(i, j)*u(i, j-1) + sin(u(i, j+1))
        end do
      end do
      do j = 2, l - 1
        do i = 3, n - 1
          u(i, j) = u(i, j) + 0.05d0*w(i, j)
        end do
      end do
    end do
  end subroutine plane

  ! Other sections are computed than copied, what a step sums is used by its adjoint, and another work array is used later.
  subroutine kept(n, steps, c, u, total)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: u(n)
    real(8), intent(out) :: total
    real(8) :: un(n), part
    integer :: i, it
    total = 1d0
    un = c
    do it = 1, steps
      part = 0d0
      do i = 1, n
        part = part + u(i)**2/n
      end do
      total = total*(1d0 + 0.01d0*part)
      do i = 2, n - 1
        un(i) = u(i) - 0.1d0*c(i)*(u(i)**2 - u(i-1)*u(i+1))
      end do
      do i = 1, n
        u(i) = un(i)
      end do
    end do
    do i = 1, n
      u(i) = u(i)*un(i)
    end do
  end subroutine kept

  ! Each half step overwrites what the other reads, but for the frame.
  subroutine halves(n, l, steps, a, b)
    integer, intent(in) :: n, l, steps
    real(8), intent(inout) :: a(n, l), b(n, l)
    integer :: i, j, it
    do it = 1, steps
      do j = 2, l - 1
        do i = 2, n - 1
          b(i, j) = 0.3d0*(a(i, j) + a(i-1, j) + a(i+1, j) + a(i, j+1) - a(i, j-1))
        end do
      end do
      do j = 2, l - 1
        do i = 2, n - 1
          a(i, j) = 0.2d0*(b(i, j) + b(i-1, j) + b(i+1, j) - b(i, j+1) + b(i, j-1))
        end do
      end do
    end do
  end subroutine halves

  ! In place, line by line.
  subroutine lines(n, l, steps, c, a)
    integer, intent(in) :: n, l, steps
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: a(n, l)
    integer :: i, j, it
    do it = 1, steps
      do j = 2, l - 1
        do i = 2, n - 1
          a(i, j) = a(i, j) + c(i)*(a(i-1, j-1) + 2*a(i, j-1) + a(i+1, j-1) + a(i+1, j) &
              - a(i-1, j+1) + a(i, j+1) + a(i+1, j+1))
        end do
        do i = 2, n - 1
          a(i, j) = (a(i, j) + a(i-1, j))/9d0
        end do
        do i = n - 1, 2, -1
          a(i, j) = a(i, j) + 0.5d0*a(i-1, j) + c(i)*a(i+1, j+1)
        end do
        do i = 2, n - 1
          a(i, j) = a(i, j) + 0.5d0*a(i+1, j) + 0.1d0*a(i-1, j) - a(i, j-1)
        end do
      end do
    end do
  end subroutine lines

  ! Two states with bounds of their own that each step computes from both and copies back; steps go down.
  subroutine waves(n, l, steps, c, h, v)
    integer, intent(in) :: n, l, steps
    real(8), intent(in) :: c(0:n)
    real(8), intent(inout) :: h(0:n, -1:l), v(0:n, -1:l)
    real(8) :: hn(0:n, -1:l), vn(0:n, -1:l)
    integer :: i, j, it
    do it = steps, 3, -1
      do j = -1, l - 1
        do i = 1, n
          hn(i, j) = h(i, j) - 0.1d0*c(i)*(v(i, j+1) - v(i-1, j))*h(i, j)
        end do
      end do
      do j = 0, l
        do i = 0, n
          vn(i, j) = v(i, j) - 0.01d0*it*h(i, j-1)*v(i, j)
        end do
      end do
      do j = -1, l - 1
        do i = 1, n
          h(i, j) = hn(i, j)
        end do
      end do
      do j = 0, l
        do i = 0, n
          v(i, j) = vn(i, j)
        end do
      end do
    end do
    do i = 0, n
      h(i, -1) = h(i, -1)*v(i, l)
    end do
  end subroutine waves

  ! Nothing after the steps uses the state.
  subroutine upwind_sum(n, steps, c, u, total)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c(n), u(n)
    real(8), intent(out) :: total
    real(8) :: q(n), qn(n)
    integer :: i, it
    q = u
    total = 0d0
    do it = 0, steps
      do i = 2, n
        qn(i) = q(i) - c(i)*q(i)*(q(i) - q(i-1))
      end do
      do i = 2, n
        q(i) = qn(i)
      end do
      total = total + q(n)*q(1)
    end do
  end subroutine upwind_sum
end module m

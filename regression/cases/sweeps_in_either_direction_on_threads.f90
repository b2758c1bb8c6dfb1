! Columns that are swept upwards or downwards, as a flag says: nothing has to be saved, so that the loops over columns stay
! shared out. Indices that are set in the sweep are used behind it.
! head: m::f(y)/(x, t)
! size: n=4 m=6
! threads: 4
module m
  implicit none
  integer, parameter :: width = 4
contains
  subroutine transmitted(n, m, upwards, x, t, y)
    integer, intent(in) :: n, m
    logical, intent(in) :: upwards
    real(8), intent(in) :: x(n), t(n, m)
    real(8), intent(out) :: y(n, m + 1)
    integer :: i, k
    if (upwards) then
      !$omp parallel do
      do i = 1, n
        y(i, 1) = x(i)
        do k = 2, m + 1
          y(i, k) = y(i, k - 1)*exp(-t(i, k - 1))
        end do
      end do
    else
      !$omp parallel do
      do i = 1, n
        y(i, m + 1) = x(i)
        do k = m, 1, -1
          y(i, k) = y(i, k + 1)*exp(-t(i, k))
        end do
      end do
    end if
  end subroutine transmitted

  ! The layers are numbered from either end.
  subroutine absorbed(n, m, upwards, t, y, a)
    integer, intent(in) :: n, m
    logical, intent(in) :: upwards
    real(8), intent(in) :: t(n, m)
    real(8), intent(inout) :: y(n, m + 1)
    real(8), intent(out) :: a(n)
    integer :: i, k, layer, from, to
    real(8) :: part
    !$omp parallel do private(layer, from, to, part)
    do i = 1, n
      do k = 1, m
        if (upwards) then
          layer = k
          from = layer
          to = layer + 1
        else
          layer = m - k + 1
          from = layer + 1
          to = layer
        end if
        part = y(i, from)*t(i, layer)
        y(i, to) = y(i, to) + sin(part)
      end do
      a(i) = y(i, to)*y(i, from)
    end do
  end subroutine absorbed

  ! A stencil whose elements are picked in an inner loop, by named constants.
  subroutine spread(n, m, y, z)
    integer, intent(in) :: n, m
    real(8), intent(in) :: y(n, m + 1)
    real(8), intent(out) :: z(n, m)
    integer :: i, k, s, v
    real(8) :: near(4), both(2), mean
    !$omp parallel do collapse(2) private(near, both, mean, s, v)
    do k = 3, m - 1
      do i = 1, n
        do v = 1, 2
          do s = 1, width
            near(s) = y(i, k - 3 + s)*v
          end do
          both(v) = near(1)*near(4) - near(2)*near(3)
        end do
        mean = both(1) + both(2)
        z(i, k) = mean*mean*y(i, k)
      end do
    end do
  end subroutine spread

  subroutine f(n, m, x, t, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n), t(n, m)
    real(8), intent(out) :: y(n)
    real(8) :: up(n, m + 1), down(n, m + 1), a(n), b(n), z(n, m)
    integer :: k
    call transmitted(n, m, .true., x, t, up)
    call transmitted(n, m, .false., x, t, down)
    call absorbed(n, m, .true., t, up, a)
    call absorbed(n, m, .false., t, down, b)
    z = 0.1d0
    call spread(n, m, up, z)
    y = a*b
    do k = 1, m
      y = y + z(:, k)*down(:, k)
    end do
  end subroutine f
end module m

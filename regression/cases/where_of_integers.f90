! head: m::f(y)/(x)
! where that assigns integers, conditions and texts, which steer what follows
module m
  implicit none
  type flags
    integer :: k(4)
    logical :: l(4)
    character(2) :: c(4)
  end type flags
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    integer :: level(4), j, turned(4)
    type(flags) :: o
    real(8) :: a(4, 3)
    logical :: done(4)
    do j = 1, 3
      a(:, j) = x*j
    end do
    level = 0
    done = .false.
    o%k = 2
    o%l = .true.
    o%c = 'ab'
    turned = [4, 3, 2, 1]
    do j = 1, 3
      where (level == 0 .and. a(:, j) > 0.8d0) level = j
    end do
    do j = 1, 3
      where (.not. done .and. a(:, j) > 0.8d0)
        level = j
        done = .true.
        y = a(:, j)**2
        o%k = level + o%k(turned)
      elsewhere (done)
        level = max(level, 1)
        o%c = 'cd'
      elsewhere
        o%l = level == 0
        level = min(level(turned), 3)
        y = x
      end where
    end do
    where (level == 0) level = count(done)
    where (level < 1) level = 1
    where (o%c == 'cd') y = y*2
    do j = 1, 4
      y(j) = y(j) + a(j, min(3, level(j)))**2*merge(2d0, 1d0, o%l(j))*o%k(j)
    end do
  end subroutine f
end module m

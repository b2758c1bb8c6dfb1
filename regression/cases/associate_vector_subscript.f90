! head: m::section(y)/(x)
! head: m::value(y)/(x)
! A name of `associate` for a section with a vector subscript stands for its value, of which sections are used.
module m
  implicit none
contains
  subroutine section(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(2)
    integer :: ix(3)
    ix = [1, 3, 5]
    associate (v => x(ix))
      y = v(1:2)*v(3)
    end associate
  end subroutine section

  subroutine value(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(3)
    integer :: ix(3), i
    real(8) :: a(5)
    ix = [5, 1, 3]
    a = x
    associate (v => a(ix), w => a(5:1:-2))
      y = v*w
      ix = 2
      w = v(3:1:-1)
      do i = 1, 2
        y(i) = y(i)*v(i) + w(i + 1)
      end do
      y(2:3) = y(2:3) + w(1:2)*v(2:3)
    end associate
  end subroutine value
end module m

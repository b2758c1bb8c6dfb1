! head: m::f(y)/(x)
! Procedures without statements, which still give their intent(out) dummies default values and free their memory.
module m
  implicit none
  type :: store
    real(8) :: v(4) = 0
    integer :: n = 0
    real(8), allocatable :: a(:)
  end type
contains
  subroutine clear(self)
    class(store), intent(out) :: self
  end subroutine
  subroutine clear_type(self)
    type(store), intent(out) :: self
  end subroutine
  subroutine free(a)
    real(8), allocatable, intent(out) :: a(:)
  end subroutine
  subroutine push(self, v)
    class(store), intent(inout) :: self
    real(8), intent(in) :: v
    self%n = self%n + 1
    self%v(self%n) = v
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    type(store) :: s
    real(8), allocatable :: w(:)
    integer :: i, k
    y = 0
    do k = 1, 2
      call clear(s)
      if (.not. allocated(s%a)) allocate(s%a(k))
      s%a = x(k)
      do i = 1, 3
        call push(s, x(i)**2)
      end do
      y(1) = y(1) + product(s%v(:s%n))*sum(s%a)
      call clear_type(s)
      call push(s, x(k))
      y(2) = y(2) + sum(s%v)*s%n
      call free(w)
      if (.not. allocated(w)) allocate(w(k + 1))
      w = x(:k+1)**2
      y(2) = y(2) + product(w)*size(w)
    end do
  end subroutine
end module

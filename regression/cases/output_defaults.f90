! Outputs whose components are freed and get default values where they are passed.
module m
  implicit none
  type inner
    real(8) :: w(2) = [0.5d0, 1.5d0]
    integer :: k = 2
  end type inner
  type part
    real(8), allocatable :: v(:)
    real(8) :: s = 2.0d0
    type(inner) :: in
  end type part
contains
  subroutine g(n, x, p)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(part), intent(out) :: p
    p%s = p%s*x(1)*x(2)
    p%in%w(p%in%k) = p%in%w(2)*x(3)**2
    if (.not. allocated(p%v)) then
      allocate(p%v(2))
      p%v = x(1)**2
    else
      p%v = x(3)
    end if
  end subroutine g


  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(part) :: p
    real(8) :: s
    integer :: i
    y = x
    do i = 1, n
      p%s = y(i)**2
      p%in%w = y(i)
      p%in%k = 1
      p%v = [x(i), x(1), y(i)]
      y(i) = sum(p%v)*p%s*p%in%w(1)
      call g(n, y, p)
      y(i) = y(i)*p%s*sum(p%v) + p%in%w(2) + p%in%w(1)*x(i)
    end do
    do i = 1, n
      block
        type(inner) :: b
        b%w(1) = b%w(1)*x(i)
        s = b%w(1) + b%w(2)*x(i)**2
        y(i) = y(i) + s
      end block
    end do
  end subroutine f
end module m

! head: m::f(y)/(x)
! head: m::g(y)/(x)
! a part of a text of deferred length is assigned, once and in a loop
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(1)
    character(:), allocatable :: log
    log = '12345678'
    y(1) = x(1)*index(log, '2')
    log(1:4) = '4321'
    y(1) = y(1)*x(2)**2*index(log, '2')
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(1)
    character(:), allocatable :: log
    integer :: i
    log = '12345678'
    y(1) = 0
    do i = 1, 2
      log(i:i) = 'a'
      y(1) = y(1)*x(1) + x(i)*index(log, '2')
    end do
  end subroutine g
end module m

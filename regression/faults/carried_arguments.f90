! Each call reads the element that the call before it has changed: compiled apart from carried_arguments_main.f90,
! which prints 1 2 6 42 1806 3263442.
! flang 22.1.8 at -O2 and -O3 prints 1 2 2 2 2 6.
module carried_arguments
  implicit none
contains
  subroutine g(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b*a + a*a
  end subroutine g

  subroutine f(n, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n - 1
      call g(y(i), y(i+1))
    end do
  end subroutine f
end module carried_arguments

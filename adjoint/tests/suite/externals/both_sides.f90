module model
  implicit none
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    integer :: i
    a = 0.5d0*x
    b = cos(x)
    i = 0
    do while (i < 3)
      call step(n, a, b)
      if (i == 1) b = a*b
      a = a + sin(b)
      i = i + 1
    end do
    call step(n, b, a)
    y = a*b
  end subroutine
end module

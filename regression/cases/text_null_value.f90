module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a
    character(len=30) :: str
    a = x(1)**2
    write (str, *) n
    str = ','
    read (str, *) a
    y = x*a
  end subroutine f
end module m

module m
  implicit none
contains
  character(len=30) function text(a)
    real(8), intent(in) :: a
    write (text, '(f20.10)') a
  end function text
  real(8) function number(t)
    character(len=*), intent(in) :: t
    read (t, *) number
  end function number
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    character(len=30) :: str, other
    real(8) :: a, b
    str = trim(text(x(1)))
    print *, trim(str)
    write (other, *) 2.5d0*n
    read (other, *) a
    y = x*a
    y = y*number('  3.0')
  end subroutine f
end module m

module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    integer :: k
    character(len=80) :: text
    namelist /params/ s, k
    text = '&params s = 1.5 k = 2 /'
    s = 1.0d0
    k = 1
    read(text, nml=params)
    y = s*x**k
    if (y(1) > 1.0d6) write(*, params)
  end subroutine f
end module m

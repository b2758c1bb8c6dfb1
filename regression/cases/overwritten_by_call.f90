module m
  implicit none
contains
  ! c becomes a constant: what was stored in the actual argument loses its derivative.
  subroutine g(a,b,c)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    real(8), intent(out) :: c
    c = 0.7d0*a
    b = b**2
  end subroutine g
  subroutine clear(c)
    real(8), intent(out) :: c
    c = 0.1d0
  end subroutine clear
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: h(n), k(n), s, t
    h = x
    k = sin(x)
    s = x(1)
    t = x(2)
    call g(0.3d0,s,h(2))
    call clear(k(1))
    call clear(t)
    y = s*h + k + t*x
  end subroutine f
end module m

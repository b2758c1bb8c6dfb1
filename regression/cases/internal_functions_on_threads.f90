! head: m::f(fp,fm)/(g,al)
! threads: 4
! An internal function that uses nothing of its host's.
module m
contains
  pure real(8) function w5(a,b)
    real(8), intent(in) :: a, b
    w5 = a*b/(1+b**2)
  end function
  subroutine f(g, fp, fm, n, al)
    integer, intent(in) :: n
    real(8), intent(in) :: g(0:n+1), al
    real(8), intent(inout) :: fp(0:n), fm(0:n)
    integer :: i
    !$omp parallel do
    do i = 0, n
      fp(i) = w5(h(g(i),al), h(g(i+1),al))
      fm(i) = w5(h(g(i+1),-al), h(g(i),-al))
    end do
  contains
    pure real(8) function h(v, s)
      real(8), intent(in) :: v, s
      h = 0.5d0*(0.5d0*v**2 + s*v)
    end function
  end subroutine
end module

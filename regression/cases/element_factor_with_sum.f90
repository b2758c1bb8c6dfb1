! head: m::run(f)/(p,r)
! elements that a loop leaves alone are factors of what it sums
module m
  implicit none
contains
  subroutine run(p, r, f)
    real(8), intent(in) :: p(2), r(3)
    real(8), intent(out) :: f(3)
    f = p(1)*r + sum(r)
  end subroutine
end module

! head: m::run(f)/(p,r)
! elements that a loop leaves alone are factors of what it sums
module m
  implicit none
contains
  subroutine run(p, r, f)
    real(8), intent(in) :: p(2), r(3)
    real(8), intent(out) :: f(3)
    integer :: i
    real(8) :: s
    s = 0
    do i = 1, 3
      s = s + r(i)
    end do
    do i = 1, 3
      f(i) = p(1)*r(i) + s
    end do
  end subroutine
end module

! head: h20::f(y)/(x)
! A common block carries a value between two procedures of a module.
module h20
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call put(x)
    call get(y)
  end subroutine f
  subroutine put(a)
    real(8), intent(in) :: a
    real(8) :: z
    common /blk/ z
    z = a
  end subroutine put
  subroutine get(a)
    real(8), intent(out) :: a
    real(8) :: z
    common /blk/ z
    a = z
  end subroutine get
end module h20

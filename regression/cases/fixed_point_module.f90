! head: m::f(j)/(p)
! size: n=7
! The state is a variable of the module.
module m
  implicit none
  real(8) :: state(20)
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: err
    integer :: it
    state(1:n) = 0.0d0
    !$ad fixed-point
    do it = 1, 300
      call sweep(n, p, err)
      if (err < 1.0d-15) exit
    end do
    j = sum(state(1:n)**2)
  end subroutine f
  subroutine sweep(n, p, err)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: err
    real(8) :: new
    integer :: i
    err = 0.0d0
    do i = 1, n
      new = 0.3d0*cos(state(i)) + 0.2d0*state(max(i-1,1)) + p(i)
      err = max(err, abs(new - state(i)))
      state(i) = new
    end do
  end subroutine sweep
end module m

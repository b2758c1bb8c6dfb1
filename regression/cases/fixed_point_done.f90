! head: m::f(j)/(p)
! size: n=7
! refused: C0409 at 17
! An iteration that assigns nothing once it has converged.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    logical :: done
    u = 0.0d0
    done = .false.
    !$ad fixed-point
    do while (.not. done)
      v = 0.3d0*sin(u) + p - u
      done = maxval(abs(v)) < 1.0d-14
      if (.not. done) u = u + v
    end do
    j = sum(u**2)
  end subroutine f

end module m

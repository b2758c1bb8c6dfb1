module model
  implicit none
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), v(n)
    real(8), external :: energy
    integer :: k
    u = x
    v = x
    call clear(n, v)
    do k = 1, 3
      call log_state(n, u)
      call smooth(n, 0.3d0, u, v)
      u = v*sin(u) + 0.1d0*energy(n, v)
    end do
    call smooth(n, x(1), [(1d0*k, k = 1, n)], v)
    call scale_by(n, 2d0, v)
    call scale_by(2, 0.5d0, u)
    y = u + v*energy(n, u)
  end subroutine
end module

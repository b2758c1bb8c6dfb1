! picard_cg: nonlinear diffusion, u - div(k(u) grad u) = s with k(u) = 1/(1 + u**2/8), on a square with u = 0 around it: a
! fixed-point loop freezes k, and a conjugate-gradient solver finds the next u; f = sum((u - data)**2)
module conjugate_gradients
  use iso_c_binding, only: c_int, c_double
  implicit none
contains

  ! q = A p, with the conductivities of the faces to the west and to the south.
  subroutine apply(n, west, south, p, q)
    integer(c_int), intent(in)  :: n
    real(c_double), intent(in)  :: west(n+1,n), south(n,n+1), p(0:n+1,0:n+1)
    real(c_double), intent(out) :: q(n,n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        q(i,j) = p(i,j) + west(i,j)*(p(i,j) - p(i-1,j)) + west(i+1,j)*(p(i,j) - p(i+1,j)) &
               + south(i,j)*(p(i,j) - p(i,j-1)) + south(i,j+1)*(p(i,j) - p(i,j+1))
      end do
    end do
  end subroutine

  function dot(n, x, y) result(s)
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: x(n,n), y(n,n)
    real(c_double) :: s
    integer :: i, j
    s = 0d0
    do j = 1, n
      do i = 1, n
        s = s + x(i,j)*y(i,j)
      end do
    end do
  end function

  subroutine axpy(n, alpha, x, y)
    integer(c_int), intent(in)    :: n
    real(c_double), intent(in)    :: alpha, x(n,n)
    real(c_double), intent(inout) :: y(n,n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        y(i,j) = y(i,j) + alpha*x(i,j)
      end do
    end do
  end subroutine

  ! Solves A x = b from the x that is given.
  subroutine solve(n, west, south, b, x, tolerance, most)
    integer(c_int), intent(in)    :: n, most
    real(c_double), intent(in)    :: west(n+1,n), south(n,n+1), b(n,n), tolerance
    real(c_double), intent(inout) :: x(0:n+1,0:n+1)
    real(c_double), allocatable :: r(:,:), p(:,:), q(:,:)
    real(c_double) :: rr, former, alpha
    integer :: it
    allocate(r(n,n), p(0:n+1,0:n+1), q(n,n))
    call apply(n, west, south, x, q)
    r = b - q
    p = 0d0
    p(1:n,1:n) = r
    rr = dot(n, r, r)
    it = 0
    do while (rr > tolerance**2 .and. it < most)
      it = it + 1
      call apply(n, west, south, p, q)
      alpha = rr/dot(n, p(1:n,1:n), q)
      call axpy(n, alpha, p(1:n,1:n), x(1:n,1:n))
      call axpy(n, -alpha, q, r)
      former = rr
      rr = dot(n, r, r)
      p(1:n,1:n) = r + (rr/former)*p(1:n,1:n)
    end do
  end subroutine

  subroutine conductivities(n, u, west, south)
    integer(c_int), intent(in)  :: n
    real(c_double), intent(in)  :: u(0:n+1,0:n+1)
    real(c_double), intent(out) :: west(n+1,n), south(n,n+1)
    integer :: i, j
    do j = 1, n
      do i = 1, n + 1
        west(i,j) = 50d0/(1d0 + 0.125d0*(0.5d0*(u(i-1,j) + u(i,j)))**2)
      end do
    end do
    do j = 1, n + 1
      do i = 1, n
        south(i,j) = 50d0/(1d0 + 0.125d0*(0.5d0*(u(i,j-1) + u(i,j)))**2)
      end do
    end do
  end subroutine
end module

subroutine kernel(n, outer, most, source, data, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use conjugate_gradients, only: conductivities, solve
  implicit none
  integer(c_int), intent(in)  :: n, outer, most
  real(c_double), intent(in)  :: source(n,n), data(n,n)
  real(c_double), intent(out) :: f
  real(c_double) :: u(0:n+1,0:n+1), west(n+1,n), south(n,n+1)
  integer :: it, i, j
  u = 0d0
  do it = 1, outer
    call conductivities(n, u, west, south)
    call solve(n, west, south, source, u, 1d-8, most)
  end do
  f = 0d0
  do j = 1, n
    do i = 1, n
      f = f + (u(i,j) - data(i,j))**2
    end do
  end do
end subroutine

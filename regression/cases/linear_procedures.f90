! Procedures whose derivatives directives tell, and transforms of FFTPACK, for which slow ones of the same names stand here.
! head: m::run(y)/(x)
! size: n=4
module hand
  use, intrinsic :: iso_c_binding, only: c_int, c_double, c_double_complex
  implicit none
contains
  subroutine initialise(n, wsave) bind(c, name='zffti_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(out) :: wsave(4*n+15)
    wsave = 8*atan(1d0)/n
  end subroutine initialise

  subroutine forward(n, c, wsave) bind(c, name='zfftf_')
    integer(c_int), intent(in) :: n
    complex(c_double_complex), intent(inout) :: c(n)
    real(c_double), intent(in) :: wsave(4*n+15)
    integer :: j, k
    c = [(sum([(c(j)*exp(cmplx(0d0, -wsave(1)*(j-1)*k, 8)), j=1, n)]), k=0, n - 1)]
  end subroutine forward

  subroutine backward(n, c, wsave) bind(c, name='zfftb_')
    integer(c_int), intent(in) :: n
    complex(c_double_complex), intent(inout) :: c(n)
    real(c_double), intent(in) :: wsave(4*n+15)
    integer :: j, k
    c = [(sum([(c(j)*exp(cmplx(0d0, wsave(1)*(j-1)*k, 8)), j=1, n)]), k=0, n - 1)]
  end subroutine backward

  subroutine times(n, w, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: w, x(n)
    real(8), intent(out) :: y(n)
    !$ad external tangent(times_d) adjoint(times_b)
    y = w*x
  end subroutine times

  subroutine times_d(n, w, w_d, x, x_d, y, y_d)
    integer, intent(in) :: n
    real(8) :: w, w_d, x(n), x_d(n), y(n), y_d(n)
    y = w*x
    y_d = w_d*x + w*x_d
  end subroutine times_d

  subroutine times_b(n, w, w_b, x, x_b, y, y_b)
    integer, intent(in) :: n
    real(8) :: w, w_b, x(n), x_b(n), y(n), y_b(n)
    w_b = w_b + sum(x*y_b)
    x_b = x_b + w*y_b
    y_b = 0
  end subroutine times_b

  subroutine smooth(dt, x, y, steps)
    real(8), intent(in) :: dt, x(:)
    real(8), intent(out) :: y(size(x))
    integer, intent(inout) :: steps
    integer :: i
    !$ad external linear(x, y) self-adjoint
    do i = 1, size(x)
      y(i) = dt*steps*(sum(x) - x(i))
    end do
    steps = steps + 1
  end subroutine smooth

  function half(x)
    real(8), intent(in) :: x
    real(8) :: half
    !$ad external self-adjoint
    half = x/2
  end function half
end module hand

module m
  use hand
  implicit none
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), v(n), wsave(4*n+15)
    complex(8) :: c(n)
    integer :: i, steps
    steps = 1
    call times(n, x(1), x, u)
    call times(n, 2d0, u, v)
    v(1) = half(v(2))*half(u(1))
    do i = 1, 2
      call smooth(0.1d0, v, u, steps)
      v = u*x*steps
      call zffti(n, wsave)
      c = cmplx(v, u**2, 8)
      call zfftf(n, c, wsave)
      c = c*conjg(c) + c
      call zfftb(n, c, wsave)
      v = v + real(c)/n**3 + aimag(c)/n
    end do
    y = v
  end subroutine run
end module m

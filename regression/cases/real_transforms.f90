! Real transforms of FFTPACK, and one by a plan of FFTW, for which slow ones of the same names stand here, by their definitions.
! head: m::run(y)/(x)
! size: n=6
module hand
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_double_complex
  implicit none
contains
  subroutine initialise(n, wsave) bind(c, name='dffti_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(out) :: wsave(*)
    wsave(1) = 4*atan(1d0)/n
  end subroutine initialise

  subroutine forward(n, x, wsave) bind(c, name='dfftf_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    real(8) :: y(n)
    integer :: i, k
    y(1) = sum(x)
    do k = 2, (n + 1)/2
      y(2*k-2) = sum([(x(i)*cos((k-1)*(i-1)*2*wsave(1)), i=1, n)])
      y(2*k-1) = -sum([(x(i)*sin((k-1)*(i-1)*2*wsave(1)), i=1, n)])
    end do
    if (mod(n, 2) == 0) y(n) = sum([((-1)**(i-1)*x(i), i=1, n)])
    x = y
  end subroutine forward

  subroutine backward(n, x, wsave) bind(c, name='dfftb_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    real(8) :: y(n)
    integer :: i, k
    do i = 1, n
      y(i) = x(1)
      if (mod(n, 2) == 0) y(i) = y(i) + (-1)**(i-1)*x(n)
      do k = 2, (n + 1)/2
        y(i) = y(i) + 2*x(2*k-2)*cos((k-1)*(i-1)*2*wsave(1)) - 2*x(2*k-1)*sin((k-1)*(i-1)*2*wsave(1))
      end do
    end do
    x = y
  end subroutine backward

  subroutine initialise_cosine(n, wsave) bind(c, name='dcosti_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(out) :: wsave(*)
    wsave(1) = 4*atan(1d0)/(n - 1)
  end subroutine initialise_cosine

  subroutine cosine(n, x, wsave) bind(c, name='dcost_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    integer :: i, k
    x = [(x(1) + (-1)**(i-1)*x(n) + sum([(2*x(k)*cos((k-1)*(i-1)*wsave(1)), k=2, n - 1)]), i=1, n)]
  end subroutine cosine

  subroutine initialise_quarters(n, wsave) bind(c, name='dcosqi_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(out) :: wsave(*)
    wsave(1) = 2*atan(1d0)/n
  end subroutine initialise_quarters

  subroutine quarter_cosine(n, x, wsave) bind(c, name='dcosqf_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    integer :: i, k
    x = [(x(1) + sum([(2*x(k)*cos((2*i-1)*(k-1)*wsave(1)), k=2, n)]), i=1, n)]
  end subroutine quarter_cosine

  subroutine cosine_of_quarters(n, x, wsave) bind(c, name='dcosqb_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    integer :: i, k
    x = [(sum([(4*x(k)*cos((2*k-1)*(i-1)*wsave(1)), k=1, n)]), i=1, n)]
  end subroutine cosine_of_quarters

  subroutine initialise_sines(n, wsave) bind(c, name='dsinqi_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(out) :: wsave(*)
    wsave(1) = 2*atan(1d0)/n
  end subroutine initialise_sines

  subroutine quarter_sine(n, x, wsave) bind(c, name='dsinqf_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    integer :: i, k
    x = [((-1)**(i-1)*x(n) + sum([(2*x(k)*sin((2*i-1)*k*wsave(1)), k=1, n - 1)]), i=1, n)]
  end subroutine quarter_sine

  subroutine sine_of_quarters(n, x, wsave) bind(c, name='dsinqb_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(inout) :: x(n)
    real(c_double), intent(in) :: wsave(*)
    integer :: i, k
    x = [(sum([(4*x(k)*sin((2*k-1)*i*wsave(1)), k=1, n)]), i=1, n)]
  end subroutine sine_of_quarters

  ! A plan is the number of values here, with the sign of the exponent.
  subroutine execute(plan, x, y) bind(c, name='dfftw_execute_dft_')
    integer(c_int64_t), intent(in) :: plan
    complex(c_double_complex), intent(in) :: x(*)
    complex(c_double_complex), intent(out) :: y(*)
    integer :: i, k, n
    n = int(abs(plan))
    do k = 1, n
      y(k) = sum([(x(i)*exp(cmplx(0d0, sign(8*atan(1d0)/n, real(plan, 8))*(i-1)*(k-1), 8)), i=1, n)])
    end do
  end subroutine execute
end module hand

module fourier
  implicit none
contains
  subroutine transform(n, plan, back, x, y)
    integer, intent(in) :: n
    integer(8), intent(in) :: plan, back
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    !$ad external linear(x, y) transpose(transform_back)
    !$ad inactive
    call dfftw_execute_dft(plan, x, y)
  end subroutine transform

  subroutine transform_back(n, plan, back, x, y)
    integer, intent(in) :: n
    integer(8), intent(in) :: plan, back
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    call dfftw_execute_dft(back, x, y)
  end subroutine transform_back
end module fourier

module m
  use fourier
  implicit none
contains
  ! Each transform of an even number of values, and of an odd one.
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n), w(4*n+15)
    complex(8) :: c(n), d(n)
    integer :: k
    y = x
    do k = n, n - 1, -1
      call dffti(k, w)
      call dfftf(k, y, w)
      y = sin(0.3d0*y + x)
      call dfftb(k, y, w)
      t = sin(0.3d0*y)
      call dcosti(k, w)
      call dcost(k, t, w)
      t = 0.2d0*t*x
      call dcosqi(k, w)
      call dcosqf(k, t, w)
      t = sin(0.2d0*t)
      call dcosqb(k, t(n-k+1), w)
      t = 0.2d0*t*x
      call dsinqi(k, w)
      call dsinqf(k, t, w)
      t = sin(0.2d0*t)
      call dsinqb(k, t, w)
      y = 0.2d0*sin(0.2d0*t)*y + 0.1d0*t
    end do
    call one(n, x, t)
    c = cmplx(x, t, 8)
    call transform(n, -int(n, 8), int(n, 8), c, d)
    y = y + t + real(d**2)
  end subroutine run

  subroutine one(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(20)
    y = x**2
    call dffti(1, w)
    call dfftf(1, y, w)
    call dfftb(1, y(2), w)
    call dcosqi(1, w)
    call dcosqf(1, y(3), w)
    call dcosqb(1, y(4), w)
    call dsinqi(1, w)
    call dsinqf(1, y(5), w)
    call dsinqb(1, y(6), w)
    y = y**2
  end subroutine one
end module m

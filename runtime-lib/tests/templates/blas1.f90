! Derivatives of BLAS procedures of vectors (level 1). Derivative dummies are optional: what isn't asked for isn't
! computed. Where BLAS returns at once, derivatives stay as they are, too.
module costate_blas1_?
  use costate_linear_algebra_?
  implicit none
  private
  public :: costate_?axpy_d, costate_?axpy_b, costate_?scal_d, costate_?scal_b, costate_?copy_d, costate_?copy_b
  public :: costate_?swap_d, costate_?swap_b, costate_?dot{|u}_d, costate_?dot{|u}_b, costate_$nrm2_d, costate_$nrm2_b
  public :: costate_$asum_d, costate_$asum_b{, costate_?rot_d, costate_?rot_b, costate_?rotm_d, costate_?rotm_b|}
{|
  public :: costate_?dotc_d, costate_?dotc_b, costate_@scal_d, costate_@scal_b
}
  real(wp), external :: $nrm2
{
  public :: costate_?rotg_d, costate_?rotg_b
|}
contains

  ! y = y + alpha*x
  subroutine costate_?axpy_d(n, alpha, x, incx, y, incy, alpha_d, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: alpha, x(*)
    {real|complex}(wp), intent(inout) :: y(*)
    {real|complex}(wp), intent(in), optional :: alpha_d, x_d(*)
    {real|complex}(wp), intent(inout) :: y_d(*)
    if (present(x_d)) call ?axpy(n, alpha, x_d, incx, y_d, incy)
    if (present(alpha_d)) call ?axpy(n, alpha_d, x, incx, y_d, incy)
    call ?axpy(n, alpha, x, incx, y, incy)
  end subroutine

  subroutine costate_?axpy_b(n, alpha, x, incx, y, incy, alpha_b, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: alpha, x(*), y(*), y_b(*)
    {real|complex}(wp), intent(inout), optional :: alpha_b, x_b(*)
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, y_b, incy))
    if (present(x_b)) call ?axpy(n, conj(alpha), y_b, incy, x_b, incx)
  end subroutine

  ! x = alpha*x
  subroutine costate_?scal_d(n, alpha, x, incx, alpha_d, x_d)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: alpha
    {real|complex}(wp), intent(inout) :: x(*), x_d(*)
    {real|complex}(wp), intent(in), optional :: alpha_d
    if (incx <= 0) return
    call ?scal(n, alpha, x_d, incx)
    if (present(alpha_d)) call ?axpy(n, alpha_d, x, incx, x_d, incx)
    call ?scal(n, alpha, x, incx)
  end subroutine

  subroutine costate_?scal_b(n, alpha, x, incx, alpha_b, x_b)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: alpha, x(*)
    {real|complex}(wp), intent(inout), optional :: alpha_b
    {real|complex}(wp), intent(inout) :: x_b(*)
    if (incx <= 0) return
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, x_b, incx))
    call ?scal(n, conj(alpha), x_b, incx)
  end subroutine

  ! y = x
  subroutine costate_?copy_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: x(*)
    {real|complex}(wp), intent(inout) :: y(*), y_d(*)
    {real|complex}(wp), intent(in), optional :: x_d(*)
    if (present(x_d)) then
      call ?copy(n, x_d, incx, y_d, incy)
    else
      call multiply(n, zero, y_d, incy)
    end if
    call ?copy(n, x, incx, y, incy)
  end subroutine

  subroutine costate_?copy_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: x(*), y(*)
    {real|complex}(wp), intent(inout), optional :: x_b(*)
    {real|complex}(wp), intent(inout) :: y_b(*)
    integer :: last
    if (n <= 0) return
    if (present(x_b)) then
      if (incy == 0) then
        ! One element, which is assigned again and again.
        last = first(n, incx) + (n-1)*incx
        x_b(last) = x_b(last) + y_b(1)
      else
        call ?axpy(n, one, y_b, incy, x_b, incx)
      end if
    end if
    call multiply(n, zero, y_b, incy)
  end subroutine

  ! x and y change places.
  subroutine costate_?swap_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(inout) :: x(*), y(*)
    {real|complex}(wp), intent(inout) :: x_d(*), y_d(*)
    call refuse_repeated(incx, incy)
    call ?swap(n, x_d, incx, y_d, incy)
    call ?swap(n, x, incx, y, incy)
  end subroutine

  subroutine costate_?swap_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: x(*), y(*)
    {real|complex}(wp), intent(inout) :: x_b(*), y_b(*)
    call refuse_repeated(incx, incy)
    call ?swap(n, x_b, incx, y_b, incy)
  end subroutine

  ! x*y
  subroutine costate_?dot{|u}_d(n, x, incx, y, incy, f, x_d, y_d, f_d)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: x(*), y(*)
    {real|complex}(wp), intent(out) :: f, f_d
    {real|complex}(wp), intent(in), optional :: x_d(*), y_d(*)
    f_d = 0
    if (present(x_d)) f_d = f_d + dot_product(conj(elements(n, x_d, incx)), elements(n, y, incy))
    if (present(y_d)) f_d = f_d + dot_product(conj(elements(n, x, incx)), elements(n, y_d, incy))
    f = dot_product(conj(elements(n, x, incx)), elements(n, y, incy))
  end subroutine

  subroutine costate_?dot{|u}_b(n, x, incx, y, incy, x_b, y_b, f_b)
    integer, intent(in) :: n, incx, incy
    {real|complex}(wp), intent(in) :: x(*), y(*)
    {real|complex}(wp), intent(inout), optional :: x_b(*), y_b(*)
    {real|complex}(wp), intent(inout) :: f_b
    if (present(x_b)) call {?axpy(n, f_b, y, incy|add(n, f_b, conjg(elements(n, y, incy))}, x_b, incx)
    if (present(y_b)) call {?axpy(n, f_b, x, incx|add(n, f_b, conjg(elements(n, x, incx))}, y_b, incy)
    f_b = 0
  end subroutine

{|
  ! x^H*y
  subroutine costate_?dotc_d(n, x, incx, y, incy, f, x_d, y_d, f_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(out) :: f, f_d
    complex(wp), intent(in), optional :: x_d(*), y_d(*)
    f_d = 0
    if (present(x_d)) f_d = f_d + dot_product(elements(n, x_d, incx), elements(n, y, incy))
    if (present(y_d)) f_d = f_d + dot_product(elements(n, x, incx), elements(n, y_d, incy))
    f = dot_product(elements(n, x, incx), elements(n, y, incy))
  end subroutine

  subroutine costate_?dotc_b(n, x, incx, y, incy, x_b, y_b, f_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(inout), optional :: x_b(*), y_b(*)
    complex(wp), intent(inout) :: f_b
    if (present(x_b)) call ?axpy(n, conjg(f_b), y, incy, x_b, incx)
    if (present(y_b)) call ?axpy(n, f_b, x, incx, y_b, incy)
    f_b = 0
  end subroutine

  ! x = alpha*x with a real alpha
  subroutine costate_@scal_d(n, alpha, x, incx, alpha_d, x_d)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    complex(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: alpha_d
    if (incx <= 0) return
    call @scal(n, alpha, x_d, incx)
    if (present(alpha_d)) call ?axpy(n, cmplx(alpha_d, kind=wp), x, incx, x_d, incx)
    call @scal(n, alpha, x, incx)
  end subroutine

  subroutine costate_@scal_b(n, alpha, x, incx, alpha_b, x_b)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    complex(wp), intent(in) :: x(*)
    real(wp), intent(inout), optional :: alpha_b
    complex(wp), intent(inout) :: x_b(*)
    if (incx <= 0) return
    if (present(alpha_b)) alpha_b = alpha_b + real(dot_product(elements(n, x, incx), elements(n, x_b, incx)), wp)
    call @scal(n, alpha, x_b, incx)
  end subroutine

}
  ! The Euclidean norm. At zero its derivative is taken to be zero.
  subroutine costate_$nrm2_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = $nrm2(n, x, incx)
    f_d = 0
    if (f > 0) f_d = {|real(}dot_product(elements(n, x, incx)/f, elements(n, x_d, incx)){|, wp)}
  end subroutine

  subroutine costate_$nrm2_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: x(*)
    {real|complex}(wp), intent(inout) :: x_b(*)
    real(wp), intent(inout) :: f_b
    real(wp) :: f
    f = $nrm2(n, x, incx)
    if (f > 0) call add(n, {f_b|cmplx(f_b, kind=wp)}, elements(n, x, incx)/f, x_b, incx)
    f_b = 0
  end subroutine

  ! The sum of absolute values{|, of real and imaginary parts}, of which each has the derivative that abs has in generated
  ! code.
  subroutine costate_$asum_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = 0
    f_d = 0
    if (incx <= 0) return
    f = {sum(abs(elements(n, x, incx)))|sum(abs(real(elements(n, x, incx))) + abs(aimag(elements(n, x, incx))))}
    f_d = {|real(}dot_product(signs(elements(n, x, incx)), elements(n, x_d, incx)){|, wp)}
  end subroutine

  subroutine costate_$asum_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    {real|complex}(wp), intent(in) :: x(*)
    {real|complex}(wp), intent(inout) :: x_b(*)
    real(wp), intent(inout) :: f_b
    if (incx > 0) call add(n, {f_b|cmplx(f_b, kind=wp)}, signs(elements(n, x, incx)), x_b, incx)
    f_b = 0
  end subroutine

  elemental {real|complex}(wp) function signs(x)
    {real|complex}(wp), intent(in) :: x
    signs = {sign(one, x)|cmplx(sign(1.0_wp, real(x)), sign(1.0_wp, aimag(x)), wp)}
  end function

{
  ! x, y = c*x + s*y, c*y - s*x
  subroutine costate_?rot_d(n, x, incx, y, incy, c, s, x_d, y_d, c_d, s_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(inout) :: x(*), y(*), x_d(*), y_d(*)
    real(wp), intent(in) :: c, s
    real(wp), intent(in), optional :: c_d, s_d
    call refuse_repeated(incx, incy)
    call ?rot(n, x_d, incx, y_d, incy, c, s)
    if (present(c_d)) then
      call ?axpy(n, c_d, x, incx, x_d, incx)
      call ?axpy(n, c_d, y, incy, y_d, incy)
    end if
    if (present(s_d)) then
      call ?axpy(n, s_d, y, incy, x_d, incx)
      call ?axpy(n, -s_d, x, incx, y_d, incy)
    end if
    call ?rot(n, x, incx, y, incy, c, s)
  end subroutine

  subroutine costate_?rot_b(n, x, incx, y, incy, c, s, x_b, y_b, c_b, s_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*), c, s
    real(wp), intent(inout) :: x_b(*), y_b(*)
    real(wp), intent(inout), optional :: c_b, s_b
    call refuse_repeated(incx, incy)
    if (present(c_b)) c_b = c_b + dot_product(elements(n, x, incx), elements(n, x_b, incx)) &
      + dot_product(elements(n, y, incy), elements(n, y_b, incy))
    if (present(s_b)) s_b = s_b + dot_product(elements(n, y, incy), elements(n, x_b, incx)) &
      - dot_product(elements(n, x, incx), elements(n, y_b, incy))
    call ?rot(n, x_b, incx, y_b, incy, c, -s)
  end subroutine

  ! The modified rotation of param, whose first element says which elements of the matrix the others are (Lawson et al. 1979), with
  ! all elements: h11, h21, h12, h22 behind the flag of all.
  pure function rotation(param) result(h)
    real(wp), intent(in) :: param(5)
    real(wp) :: h(5)
    h = merge(param, [-1.0_wp, 1.0_wp, -1.0_wp, 1.0_wp, 1.0_wp], is_given(param))
    h(1) = -1
  end function

  ! Which elements of param are elements of the matrix.
  pure function is_given(param)
    real(wp), intent(in) :: param(5)
    logical :: is_given(5)
    is_given = [.false., param(1) == -1 .or. param(1) == 1, param(1) == -1 .or. param(1) == 0, &
      param(1) == -1 .or. param(1) == 0, param(1) == -1 .or. param(1) == 1]
  end function

  subroutine costate_?rotm_d(n, x, incx, y, incy, param, x_d, y_d, param_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(inout) :: x(*), y(*), x_d(*), y_d(*)
    real(wp), intent(in) :: param(5)
    real(wp), intent(in), optional :: param_d(5)
    real(wp) :: h_d(5)
    call refuse_repeated(incx, incy)
    call ?rotm(n, x_d, incx, y_d, incy, param)
    if (present(param_d)) then
      h_d = merge(param_d, 0.0_wp, is_given(param))
      call ?axpy(n, h_d(2), x, incx, x_d, incx)
      call ?axpy(n, h_d(3), x, incx, y_d, incy)
      call ?axpy(n, h_d(4), y, incy, x_d, incx)
      call ?axpy(n, h_d(5), y, incy, y_d, incy)
    end if
    call ?rotm(n, x, incx, y, incy, param)
  end subroutine

  subroutine costate_?rotm_b(n, x, incx, y, incy, param, x_b, y_b, param_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*), param(5)
    real(wp), intent(inout) :: x_b(*), y_b(*)
    real(wp), intent(inout), optional :: param_b(5)
    real(wp) :: h(5)
    call refuse_repeated(incx, incy)
    if (present(param_b)) then
      h = 0
      h(2) = dot_product(elements(n, x, incx), elements(n, x_b, incx))
      h(3) = dot_product(elements(n, x, incx), elements(n, y_b, incy))
      h(4) = dot_product(elements(n, y, incy), elements(n, x_b, incx))
      h(5) = dot_product(elements(n, y, incy), elements(n, y_b, incy))
      where (is_given(param)) param_b = param_b + h
    end if
    ! The matrix without elements of its own is that of no rotation.
    if (param(1) == -2) return
    h = rotation(param)
    call ?rotm(n, x_b, incx, y_b, incy, h([1, 2, 4, 3, 5]))
  end subroutine
|}
{

  ! The rotation that takes (a, b) to (r, 0): r and what tells the rotation stand in the places of a and b.
  subroutine costate_?rotg_d(a, b, c, s, a_d, b_d, c_d, s_d)
    real(wp), intent(inout) :: a, b, a_d, b_d
    real(wp), intent(out) :: c, s, c_d, s_d
    real(wp) :: turn
    logical :: flat
    flat = abs(a) > abs(b)
    call ?rotg(a, b, c, s)
    if (a == 0) then
      call spoil(a_d)
      call spoil(b_d)
      call spoil(c_d)
      call spoil(s_d)
      return
    end if
    turn = (s*a_d - c*b_d)/a
    a_d = c*a_d + s*b_d
    c_d = s*turn
    s_d = -c*turn
    if (flat) then
      b_d = s_d
    else if (c /= 0) then
      b_d = -c_d/c**2
    else
      call spoil(b_d)
    end if
  end subroutine

  subroutine costate_?rotg_b(a, b, c, s, a_b, b_b, c_b, s_b)
    real(wp), intent(in) :: a, b, c, s
    real(wp), intent(inout) :: a_b, b_b, c_b, s_b
    real(wp) :: r, z, co, si, turn_b
    r = a
    z = b
    call ?rotg(r, z, co, si)
    if (r == 0) then
      if (a_b /= 0 .or. b_b /= 0 .or. c_b /= 0 .or. s_b /= 0) call unknown('?rotg of zeros')
      return
    end if
    if (abs(a) > abs(b)) then
      s_b = s_b + b_b
    else if (co /= 0) then
      c_b = c_b - b_b/co**2
    else if (b_b /= 0) then
      call unknown('what ?rotg leaves in b where a is zero')
    end if
    turn_b = (si*c_b - co*s_b)/r
    b_b = si*a_b - co*turn_b
    a_b = co*a_b + si*turn_b
    c_b = 0
    s_b = 0
  end subroutine
|}
end module

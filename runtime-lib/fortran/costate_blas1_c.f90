! Made from tests/templates/blas1.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures of vectors (level 1). Derivative dummies are optional: what isn't asked for isn't
! computed. Where BLAS returns at once, derivatives stay as they are, too.
module costate_blas1_c
  use costate_linear_algebra_c
  implicit none
  private
  public :: costate_caxpy_d, costate_caxpy_b, costate_cscal_d, costate_cscal_b, costate_ccopy_d, costate_ccopy_b
  public :: costate_cswap_d, costate_cswap_b, costate_cdotu_d, costate_cdotu_b, costate_scnrm2_d, costate_scnrm2_b
  public :: costate_scasum_d, costate_scasum_b
  public :: costate_cdotc_d, costate_cdotc_b, costate_csscal_d, costate_csscal_b
  real(wp), external :: scnrm2
contains

  ! y = y + alpha*x
  subroutine costate_caxpy_d(n, alpha, x, incx, y, incy, alpha_d, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: alpha, x(*)
    complex(wp), intent(inout) :: y(*)
    complex(wp), intent(in), optional :: alpha_d, x_d(*)
    complex(wp), intent(inout) :: y_d(*)
    if (present(x_d)) call caxpy(n, alpha, x_d, incx, y_d, incy)
    if (present(alpha_d)) call caxpy(n, alpha_d, x, incx, y_d, incy)
    call caxpy(n, alpha, x, incx, y, incy)
  end subroutine

  subroutine costate_caxpy_b(n, alpha, x, incx, y, incy, alpha_b, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: alpha, x(*), y(*), y_b(*)
    complex(wp), intent(inout), optional :: alpha_b, x_b(*)
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, y_b, incy))
    if (present(x_b)) call caxpy(n, conjg(alpha), y_b, incy, x_b, incx)
  end subroutine

  ! x = alpha*x
  subroutine costate_cscal_d(n, alpha, x, incx, alpha_d, x_d)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: alpha
    complex(wp), intent(inout) :: x(*), x_d(*)
    complex(wp), intent(in), optional :: alpha_d
    if (incx <= 0) return
    call cscal(n, alpha, x_d, incx)
    if (present(alpha_d)) call caxpy(n, alpha_d, x, incx, x_d, incx)
    call cscal(n, alpha, x, incx)
  end subroutine

  subroutine costate_cscal_b(n, alpha, x, incx, alpha_b, x_b)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: alpha, x(*)
    complex(wp), intent(inout), optional :: alpha_b
    complex(wp), intent(inout) :: x_b(*)
    if (incx <= 0) return
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, x_b, incx))
    call cscal(n, conjg(alpha), x_b, incx)
  end subroutine

  ! y = x
  subroutine costate_ccopy_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*)
    complex(wp), intent(inout) :: y(*), y_d(*)
    complex(wp), intent(in), optional :: x_d(*)
    if (present(x_d)) then
      call ccopy(n, x_d, incx, y_d, incy)
    else
      call multiply(n, zero, y_d, incy)
    end if
    call ccopy(n, x, incx, y, incy)
  end subroutine

  subroutine costate_ccopy_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(inout), optional :: x_b(*)
    complex(wp), intent(inout) :: y_b(*)
    integer :: last
    if (n <= 0) return
    if (present(x_b)) then
      if (incy == 0) then
        ! One element, which is assigned again and again.
        last = first(n, incx) + (n-1)*incx
        x_b(last) = x_b(last) + y_b(1)
      else
        call caxpy(n, one, y_b, incy, x_b, incx)
      end if
    end if
    call multiply(n, zero, y_b, incy)
  end subroutine

  ! x and y change places.
  subroutine costate_cswap_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(inout) :: x(*), y(*)
    complex(wp), intent(inout) :: x_d(*), y_d(*)
    call refuse_repeated(incx, incy)
    call cswap(n, x_d, incx, y_d, incy)
    call cswap(n, x, incx, y, incy)
  end subroutine

  subroutine costate_cswap_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(inout) :: x_b(*), y_b(*)
    call refuse_repeated(incx, incy)
    call cswap(n, x_b, incx, y_b, incy)
  end subroutine

  ! x*y
  subroutine costate_cdotu_d(n, x, incx, y, incy, f, x_d, y_d, f_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(out) :: f, f_d
    complex(wp), intent(in), optional :: x_d(*), y_d(*)
    f_d = 0
    if (present(x_d)) f_d = f_d + dot_product(conjg(elements(n, x_d, incx)), elements(n, y, incy))
    if (present(y_d)) f_d = f_d + dot_product(conjg(elements(n, x, incx)), elements(n, y_d, incy))
    f = dot_product(conjg(elements(n, x, incx)), elements(n, y, incy))
  end subroutine

  subroutine costate_cdotu_b(n, x, incx, y, incy, x_b, y_b, f_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(inout), optional :: x_b(*), y_b(*)
    complex(wp), intent(inout) :: f_b
    if (present(x_b)) call add(n, f_b, conjg(elements(n, y, incy)), x_b, incx)
    if (present(y_b)) call add(n, f_b, conjg(elements(n, x, incx)), y_b, incy)
    f_b = 0
  end subroutine

  ! x^H*y
  subroutine costate_cdotc_d(n, x, incx, y, incy, f, x_d, y_d, f_d)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(out) :: f, f_d
    complex(wp), intent(in), optional :: x_d(*), y_d(*)
    f_d = 0
    if (present(x_d)) f_d = f_d + dot_product(elements(n, x_d, incx), elements(n, y, incy))
    if (present(y_d)) f_d = f_d + dot_product(elements(n, x, incx), elements(n, y_d, incy))
    f = dot_product(elements(n, x, incx), elements(n, y, incy))
  end subroutine

  subroutine costate_cdotc_b(n, x, incx, y, incy, x_b, y_b, f_b)
    integer, intent(in) :: n, incx, incy
    complex(wp), intent(in) :: x(*), y(*)
    complex(wp), intent(inout), optional :: x_b(*), y_b(*)
    complex(wp), intent(inout) :: f_b
    if (present(x_b)) call caxpy(n, conjg(f_b), y, incy, x_b, incx)
    if (present(y_b)) call caxpy(n, f_b, x, incx, y_b, incy)
    f_b = 0
  end subroutine

  ! x = alpha*x with a real alpha
  subroutine costate_csscal_d(n, alpha, x, incx, alpha_d, x_d)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    complex(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: alpha_d
    if (incx <= 0) return
    call csscal(n, alpha, x_d, incx)
    if (present(alpha_d)) call caxpy(n, cmplx(alpha_d, kind=wp), x, incx, x_d, incx)
    call csscal(n, alpha, x, incx)
  end subroutine

  subroutine costate_csscal_b(n, alpha, x, incx, alpha_b, x_b)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    complex(wp), intent(in) :: x(*)
    real(wp), intent(inout), optional :: alpha_b
    complex(wp), intent(inout) :: x_b(*)
    if (incx <= 0) return
    if (present(alpha_b)) alpha_b = alpha_b + real(dot_product(elements(n, x, incx), elements(n, x_b, incx)), wp)
    call csscal(n, alpha, x_b, incx)
  end subroutine

  ! The Euclidean norm. At zero its derivative is taken to be zero.
  subroutine costate_scnrm2_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = scnrm2(n, x, incx)
    f_d = 0
    if (f > 0) f_d = real(dot_product(elements(n, x, incx)/f, elements(n, x_d, incx)), wp)
  end subroutine

  subroutine costate_scnrm2_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: x(*)
    complex(wp), intent(inout) :: x_b(*)
    real(wp), intent(inout) :: f_b
    real(wp) :: f
    f = scnrm2(n, x, incx)
    if (f > 0) call add(n, cmplx(f_b, kind=wp), elements(n, x, incx)/f, x_b, incx)
    f_b = 0
  end subroutine

  ! The sum of absolute values, of real and imaginary parts, of which each has the derivative that abs has in generated
  ! code.
  subroutine costate_scasum_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = 0
    f_d = 0
    if (incx <= 0) return
    f = sum(abs(real(elements(n, x, incx))) + abs(aimag(elements(n, x, incx))))
    f_d = real(dot_product(signs(elements(n, x, incx)), elements(n, x_d, incx)), wp)
  end subroutine

  subroutine costate_scasum_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    complex(wp), intent(in) :: x(*)
    complex(wp), intent(inout) :: x_b(*)
    real(wp), intent(inout) :: f_b
    if (incx > 0) call add(n, cmplx(f_b, kind=wp), signs(elements(n, x, incx)), x_b, incx)
    f_b = 0
  end subroutine

  elemental complex(wp) function signs(x)
    complex(wp), intent(in) :: x
    signs = cmplx(sign(1.0_wp, real(x)), sign(1.0_wp, aimag(x)), wp)
  end function

end module

! Made from tests/templates/blas2.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures of matrices and vectors (level 2). Derivative dummies are optional: what isn't asked for isn't
! computed. Where BLAS returns at once, derivatives stay as they are, too.
module costate_blas2_s
  use costate_linear_algebra_s
  implicit none
  private
  public :: costate_sgemv_d, costate_sgemv_b, costate_sger_d, costate_sger_b, costate_ssymv_d, costate_ssymv_b
  public :: costate_ssyr_d, costate_ssyr_b, costate_ssyr2_d, costate_ssyr2_b
  public :: costate_strmv_d, costate_strmv_b, costate_strsv_d, costate_strsv_b
contains

  ! y = alpha*op(A)*x + beta*y
  subroutine costate_sgemv_d(trans, m, n, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    integer :: length
    if (m <= 0 .or. n <= 0) return
    length = merge(n, m, transposed(trans))
    call multiply(length, beta, y_d, incy)
    if (present(x_d)) call sgemv(trans, m, n, alpha, a, lda, x_d, incx, one, y_d, incy)
    if (present(a_d)) call sgemv(trans, m, n, alpha, a_d, lda, x, incx, one, y_d, incy)
    if (present(alpha_d)) call sgemv(trans, m, n, alpha_d, a, lda, x, incx, one, y_d, incy)
    if (present(beta_d)) call saxpy(length, beta_d, y, incy, y_d, incy)
    call sgemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_sgemv_b(trans, m, n, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta, y(*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), x_b(*), beta_b
    real(wp), intent(inout) :: y_b(*)
    real(wp), allocatable :: product(:)
    integer :: length
    if (m <= 0 .or. n <= 0) return
    length = merge(n, m, transposed(trans))
    if (present(alpha_b)) then
      allocate(product(length), source=zero)
      call sgemv(trans, m, n, one, a, lda, x, incx, zero, product, 1)
      alpha_b = alpha_b + dot_product(product, elements(length, y_b, incy))
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(length, y, incy), elements(length, y_b, incy))
    if (present(x_b)) call add_adjoint_times(trans, m, n, alpha, a, lda, y_b, incy, x_b, incx)
    if (present(a_b)) then
      if (is_letter(trans, 'N')) then
        call sger(m, n, alpha, y_b, incy, x, incx, a_b, lda)
      else
        call sger(m, n, alpha, x, incx, y_b, incy, a_b, lda)
      end if
    end if
    call multiply(length, beta, y_b, incy)
  end subroutine

  ! x = x + alpha*op(A)^H*y
  subroutine add_adjoint_times(trans, m, n, alpha, a, lda, y, incy, x, incx)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), y(*)
    real(wp), intent(inout) :: x(*)
    call sgemv(adjoint_of(trans), m, n, alpha, a, lda, y, incy, one, x, incx)
  end subroutine

  ! A = A + alpha*x*y^T
  subroutine costate_sger_d(m, n, alpha, x, incx, y, incy, a, lda, alpha_d, x_d, y_d, a_d)
    integer, intent(in) :: m, n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*)
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    real(wp), intent(in), optional :: alpha_d, x_d(*), y_d(*)
    if (present(x_d)) call sger(m, n, alpha, x_d, incx, y, incy, a_d, lda)
    if (present(y_d)) call sger(m, n, alpha, x, incx, y_d, incy, a_d, lda)
    if (present(alpha_d)) call sger(m, n, alpha_d, x, incx, y, incy, a_d, lda)
    call sger(m, n, alpha, x, incx, y, incy, a, lda)
  end subroutine

  subroutine costate_sger_b(m, n, alpha, x, incx, y, incy, a, lda, alpha_b, x_b, y_b, a_b)
    integer, intent(in) :: m, n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*), a(lda,*), a_b(lda,*)
    real(wp), intent(inout), optional :: alpha_b, x_b(*), y_b(*)
    real(wp), allocatable :: product(:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      allocate(product(m), source=zero)
      call sgemv('N', m, n, one, a_b, lda, y, incy, zero, product, 1)
      alpha_b = alpha_b + dot_product(elements(m, x, incx), product)
    end if
    if (present(x_b)) call sgemv('N', m, n, alpha, a_b, lda, y, incy, one, x_b, incx)
    if (present(y_b)) call sgemv('T', m, n, alpha, a_b, lda, x, incx, one, y_b, incy)
  end subroutine

  ! y = alpha*A*x + beta*y with a symmetric A, of which one triangle is stored
  subroutine costate_ssymv_d(uplo, n, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    call multiply(n, beta, y_d, incy)
    if (present(x_d)) call ssymv(uplo, n, alpha, a, lda, x_d, incx, one, y_d, incy)
    if (present(a_d)) call ssymv(uplo, n, alpha, a_d, lda, x, incx, one, y_d, incy)
    if (present(alpha_d)) call ssymv(uplo, n, alpha_d, a, lda, x, incx, one, y_d, incy)
    if (present(beta_d)) call saxpy(n, beta_d, y, incy, y_d, incy)
    call ssymv(uplo, n, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_ssymv_b(uplo, n, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta, y(*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), x_b(*), beta_b
    real(wp), intent(inout) :: y_b(*)
    real(wp) :: product(max(n, 0)), xs(max(n, 0)), ys(max(n, 0))
    integer :: j, from, to
    ys = elements(n, y_b, incy)
    xs = elements(n, x, incx)
    if (present(alpha_b)) then
      product = 0
      call ssymv(uplo, n, one, a, lda, x, incx, zero, product, 1)
      alpha_b = alpha_b + dot_product(product, ys)
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(n, y, incy), ys)
    if (present(x_b)) call ssymv(uplo, n, alpha, a, lda, y_b, incy, one, x_b, incx)
    if (present(a_b)) then
      do j = 1, n
        call rows(uplo, 'U', n, j, from, to)
        a_b(from:to,j) = a_b(from:to,j) + alpha*(ys(from:to)*xs(j) + xs(from:to)*ys(j))
        a_b(j,j) = a_b(j,j) + alpha*xs(j)*ys(j)
      end do
    end if
    call multiply(n, beta, y_b, incy)
  end subroutine

  ! The triangle of A = A + alpha*x*x^T
  subroutine costate_ssyr_d(uplo, n, alpha, x, incx, a, lda, alpha_d, x_d, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, lda
    real(wp), intent(in) :: alpha
    real(wp), intent(in) :: x(*)
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    real(wp), intent(in), optional :: alpha_d
    real(wp), intent(in), optional :: x_d(*)
    if (present(x_d)) call ssyr2(uplo, n, alpha, x, incx, x_d, incx, a_d, lda)
    if (present(alpha_d)) call ssyr(uplo, n, alpha_d, x, incx, a_d, lda)
    call ssyr(uplo, n, alpha, x, incx, a, lda)
  end subroutine

  subroutine costate_ssyr_b(uplo, n, alpha, x, incx, a, lda, alpha_b, x_b, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, lda
    real(wp), intent(in) :: alpha
    real(wp), intent(in) :: x(*), a(lda,*)
    real(wp), intent(inout), optional :: alpha_b
    real(wp), intent(inout), optional :: x_b(*)
    real(wp), intent(inout) :: a_b(lda,*)
    real(wp) :: xs(max(n, 0))
    xs = elements(n, x, incx)
    if (present(alpha_b)) alpha_b = alpha_b + triangle_form(uplo, n, xs, xs, a_b, lda)
    if (present(x_b)) call add_doubled_times(uplo, n, alpha, a_b, lda, xs, x_b, incx)
  end subroutine

  ! The triangle of A = A + alpha*x*y^T + alpha*y*x^T
  subroutine costate_ssyr2_d(uplo, n, alpha, x, incx, y, incy, a, lda, alpha_d, x_d, y_d, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*)
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    real(wp), intent(in), optional :: alpha_d, x_d(*), y_d(*)
    if (present(x_d)) call ssyr2(uplo, n, alpha, x_d, incx, y, incy, a_d, lda)
    if (present(y_d)) call ssyr2(uplo, n, alpha, x, incx, y_d, incy, a_d, lda)
    if (present(alpha_d)) call ssyr2(uplo, n, alpha_d, x, incx, y, incy, a_d, lda)
    call ssyr2(uplo, n, alpha, x, incx, y, incy, a, lda)
  end subroutine

  subroutine costate_ssyr2_b(uplo, n, alpha, x, incx, y, incy, a, lda, alpha_b, x_b, y_b, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*), a(lda,*)
    real(wp), intent(inout), optional :: alpha_b, x_b(*), y_b(*)
    real(wp), intent(inout) :: a_b(lda,*)
    real(wp) :: xs(max(n, 0)), ys(max(n, 0))
    xs = elements(n, x, incx)
    ys = elements(n, y, incy)
    if (present(alpha_b)) alpha_b = alpha_b + triangle_form(uplo, n, xs, ys, a_b, lda) &
      + triangle_form(uplo, n, ys, xs, a_b, lda)
    if (present(x_b)) call add_doubled_times(uplo, n, alpha, a_b, lda, ys, x_b, incx)
    if (present(y_b)) call add_doubled_times(uplo, n, alpha, a_b, lda, xs, y_b, incy)
  end subroutine

  ! x^T*A*y with the elements of A's triangle alone.
  pure real(wp) function triangle_form(uplo, n, x, y, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: x(*), y(*), a(lda,*)
    integer :: j, from, to
    triangle_form = 0
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      triangle_form = triangle_form + dot_product(x(from:to), a(from:to,j))*y(j)
    end do
  end function

  ! y = y + alpha*(A + A^T)*x with a triangle and its mirror image
  subroutine add_doubled_times(uplo, n, alpha, a, lda, x, y, incy)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*)
    real(wp), intent(inout) :: y(*)
    integer :: j
    call ssymv(uplo, n, alpha, a, lda, x, 1, one, y, incy)
    ! There the diagonal stands once.
    call add(n, alpha, [(a(j,j)*x(j), j = 1, n)], y, incy)
  end subroutine

  ! x = op(A)*x with a triangular A
  subroutine costate_strmv_d(uplo, trans, diag, n, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call strmv(uplo, trans, diag, n, a, lda, x_d, incx)
    if (present(a_d)) then
      call triangle_times(uplo, trans, diag, n, a_d, lda, elements(n, x, incx), change)
      call add(n, one, change, x_d, incx)
    end if
    call strmv(uplo, trans, diag, n, a, lda, x, incx)
  end subroutine

  subroutine costate_strmv_b(uplo, trans, diag, n, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    if (present(a_b)) call triangle_of_product(uplo, trans, diag, n, 1.0_wp, &
      elements(n, x_b, incx), elements(n, x, incx), a_b, lda)
    call strmv(uplo, adjoint_of(trans), diag, n, a, lda, x_b, incx)
  end subroutine

  ! y = op(A)*x by the triangle of A alone, without a diagonal of ones: the derivative of that is zero.
  subroutine triangle_times(uplo, trans, diag, n, a, lda, x, y)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(out) :: y(*)
    integer :: j, from, to
    y(1:n) = 0
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      if (transposed(trans)) then
        y(j) = dot_product(a(from:to,j), x(from:to))
      else
        y(from:to) = y(from:to) + a(from:to,j)*x(j)
      end if
    end do
  end subroutine

  ! A = A + factor*y*x^H in a triangle; what that is for op(A).
  subroutine triangle_of_product(uplo, trans, diag, n, factor, y, x, a, lda)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: factor
    real(wp), intent(in) :: y(*), x(*)
    real(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      if (is_letter(trans, 'N')) then
        a(from:to,j) = a(from:to,j) + factor*y(from:to)*x(j)
      else
        a(from:to,j) = a(from:to,j) + factor*x(from:to)*y(j)
      end if
    end do
  end subroutine

  ! x = op(A)^-1*x with a triangular A
  subroutine costate_strsv_d(uplo, trans, diag, n, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call strsv(uplo, trans, diag, n, a, lda, x, incx)
    if (present(a_d)) then
      call triangle_times(uplo, trans, diag, n, a_d, lda, elements(n, x, incx), change)
      call add(n, -one, change, x_d, incx)
    end if
    call strsv(uplo, trans, diag, n, a, lda, x_d, incx)
  end subroutine

  subroutine costate_strsv_b(uplo, trans, diag, n, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    real(wp) :: solution(max(n, 0))
    call strsv(uplo, adjoint_of(trans), diag, n, a, lda, x_b, incx)
    if (present(a_b)) then
      solution = elements(n, x, incx)
      call strsv(uplo, trans, diag, n, a, lda, solution, 1)
      call triangle_of_product(uplo, trans, diag, n, -1.0_wp, elements(n, x_b, incx), solution, a_b, lda)
    end if
  end subroutine
end module

! Made from tests/templates/blas.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures; d stands for the letter of the type. Derivative dummies are optional: what isn't asked for
! isn't computed. Where BLAS returns at once, derivatives stay as they are, too. Formulas: M. Giles, An extended collection of
! matrix derivative results for forward and reverse mode algorithmic differentiation, Oxford 2008.
module costate_blas_d
  implicit none
  private
  integer, parameter :: wp = kind(1d0)
  public :: costate_daxpy_d, costate_daxpy_b, costate_dscal_d, costate_dscal_b, costate_dcopy_d, costate_dcopy_b
  public :: costate_dswap_d, costate_dswap_b, costate_ddot_d, costate_ddot_b, costate_dnrm2_d, costate_dnrm2_b
  public :: costate_dasum_d, costate_dasum_b, costate_drot_d, costate_drot_b
  public :: costate_dgemv_d, costate_dgemv_b, costate_dger_d, costate_dger_b, costate_dsymv_d, costate_dsymv_b
  public :: costate_dtrmv_d, costate_dtrmv_b, costate_dtrsv_d, costate_dtrsv_b
  public :: costate_dgemm_d, costate_dgemm_b, costate_dsymm_d, costate_dsymm_b, costate_dsyrk_d, costate_dsyrk_b
  public :: costate_dtrmm_d, costate_dtrmm_b, costate_dtrsm_d, costate_dtrsm_b
  real(wp), external :: dnrm2
contains

  ! An element that is assigned again and again depends on the order in which the library does that.
  subroutine refuse_repeated(incx, incy)
    integer, intent(in) :: incx, incy
    if (incx == 0 .or. incy == 0) error stop 'costate: the derivative isn''t known: dswap or drot with an increment of zero'
  end subroutine

  ! Where the first element of a vector stands: with a negative stride it is the last one in memory.
  pure integer function first(n, inc)
    integer, intent(in) :: n, inc
    first = merge(1, 1 - (n-1)*inc, inc >= 0)
  end function

  ! The elements of a vector in order.
  pure function elements(n, x, inc) result(v)
    integer, intent(in) :: n, inc
    real(wp), intent(in) :: x(*)
    real(wp) :: v(max(n, 0))
    integer :: i
    do i = 1, n
      v(i) = x(first(n, inc) + (i-1)*inc)
    end do
  end function

  ! x = x + factor*v
  pure subroutine add(n, factor, v, x, inc)
    integer, intent(in) :: n, inc
    real(wp), intent(in) :: factor, v(*)
    real(wp), intent(inout) :: x(*)
    integer :: i, at
    do i = 1, n
      at = first(n, inc) + (i-1)*inc
      x(at) = x(at) + factor*v(i)
    end do
  end subroutine

  ! x = factor*x, and zero where the factor is, whatever x was.
  pure subroutine multiply(n, factor, x, inc)
    integer, intent(in) :: n, inc
    real(wp), intent(in) :: factor
    real(wp), intent(inout) :: x(*)
    integer :: i, at
    do i = 1, n
      at = first(n, inc) + (i-1)*inc
      if (factor == 0) then
        x(at) = 0
      else
        x(at) = factor*x(at)
      end if
    end do
  end subroutine

  logical function upper(letter)
    character, intent(in) :: letter
    upper = letter == 'U' .or. letter == 'u'
  end function

  logical function transposed(letter)
    character, intent(in) :: letter
    transposed = .not. (letter == 'N' .or. letter == 'n')
  end function

  logical function left(letter)
    character, intent(in) :: letter
    left = letter == 'L' .or. letter == 'l'
  end function

  logical function unit_diagonal(letter)
    character, intent(in) :: letter
    unit_diagonal = letter == 'U' .or. letter == 'u'
  end function

  character function other(letter)
    character, intent(in) :: letter
    other = merge('N', 'T', transposed(letter))
  end function

  ! The first and the last row of column j in a triangle, without the diagonal where that is one by definition.
  subroutine rows(uplo, diag, n, j, from, to)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, j
    integer, intent(out) :: from, to
    integer :: beside
    beside = merge(1, 0, unit_diagonal(diag))
    from = merge(1, j + beside, upper(uplo))
    to = merge(j - beside, n, upper(uplo))
  end subroutine

  ! y = y + alpha*x
  subroutine costate_daxpy_d(n, alpha, x, incx, y, incy, alpha_d, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, x(*)
    real(wp), intent(inout) :: y(*)
    real(wp), intent(in), optional :: alpha_d, x_d(*)
    real(wp), intent(inout) :: y_d(*)
    if (present(x_d)) call daxpy(n, alpha, x_d, incx, y_d, incy)
    if (present(alpha_d)) call daxpy(n, alpha_d, x, incx, y_d, incy)
    call daxpy(n, alpha, x, incx, y, incy)
  end subroutine

  subroutine costate_daxpy_b(n, alpha, x, incx, y, incy, alpha_b, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, x(*), y(*), y_b(*)
    real(wp), intent(inout), optional :: alpha_b, x_b(*)
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, y_b, incy))
    if (present(x_b)) call daxpy(n, alpha, y_b, incy, x_b, incx)
  end subroutine

  ! x = alpha*x
  subroutine costate_dscal_d(n, alpha, x, incx, alpha_d, x_d)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: alpha_d
    if (incx <= 0) return
    call dscal(n, alpha, x_d, incx)
    if (present(alpha_d)) call daxpy(n, alpha_d, x, incx, x_d, incx)
    call dscal(n, alpha, x, incx)
  end subroutine

  subroutine costate_dscal_b(n, alpha, x, incx, alpha_b, x_b)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha, x(*)
    real(wp), intent(inout), optional :: alpha_b
    real(wp), intent(inout) :: x_b(*)
    if (incx <= 0) return
    if (present(alpha_b)) alpha_b = alpha_b + dot_product(elements(n, x, incx), elements(n, x_b, incx))
    call dscal(n, alpha, x_b, incx)
  end subroutine

  ! y = x
  subroutine costate_dcopy_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*)
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: x_d(*)
    if (present(x_d)) then
      call dcopy(n, x_d, incx, y_d, incy)
    else
      call multiply(n, 0.0_wp, y_d, incy)
    end if
    call dcopy(n, x, incx, y, incy)
  end subroutine

  subroutine costate_dcopy_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*)
    real(wp), intent(inout), optional :: x_b(*)
    real(wp), intent(inout) :: y_b(*)
    integer :: last
    if (n <= 0) return
    if (present(x_b)) then
      if (incy == 0) then
        ! One element, which is assigned again and again.
        last = first(n, incx) + (n-1)*incx
        x_b(last) = x_b(last) + y_b(1)
      else
        call daxpy(n, 1.0_wp, y_b, incy, x_b, incx)
      end if
    end if
    call multiply(n, 0.0_wp, y_b, incy)
  end subroutine

  ! x and y change places.
  subroutine costate_dswap_d(n, x, incx, y, incy, x_d, y_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(inout) :: x(*), y(*)
    real(wp), intent(inout) :: x_d(*), y_d(*)
    call refuse_repeated(incx, incy)
    call dswap(n, x_d, incx, y_d, incy)
    call dswap(n, x, incx, y, incy)
  end subroutine

  subroutine costate_dswap_b(n, x, incx, y, incy, x_b, y_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*)
    real(wp), intent(inout) :: x_b(*), y_b(*)
    call refuse_repeated(incx, incy)
    call dswap(n, x_b, incx, y_b, incy)
  end subroutine

  ! x*y
  subroutine costate_ddot_d(n, x, incx, y, incy, f, x_d, y_d, f_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*)
    real(wp), intent(out) :: f, f_d
    real(wp), intent(in), optional :: x_d(*), y_d(*)
    f_d = 0
    if (present(x_d)) f_d = f_d + dot_product(elements(n, x_d, incx), elements(n, y, incy))
    if (present(y_d)) f_d = f_d + dot_product(elements(n, x, incx), elements(n, y_d, incy))
    f = dot_product(elements(n, x, incx), elements(n, y, incy))
  end subroutine

  subroutine costate_ddot_b(n, x, incx, y, incy, x_b, y_b, f_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*)
    real(wp), intent(inout), optional :: x_b(*), y_b(*)
    real(wp), intent(inout) :: f_b
    if (present(x_b)) call daxpy(n, f_b, y, incy, x_b, incx)
    if (present(y_b)) call daxpy(n, f_b, x, incx, y_b, incy)
    f_b = 0
  end subroutine

  ! The Euclidean norm. At zero its derivative is taken to be zero.
  subroutine costate_dnrm2_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = dnrm2(n, x, incx)
    f_d = 0
    if (f > 0) f_d = dot_product(elements(n, x, incx)/f, elements(n, x_d, incx))
  end subroutine

  subroutine costate_dnrm2_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: x(*)
    real(wp), intent(inout) :: x_b(*), f_b
    real(wp) :: f
    f = dnrm2(n, x, incx)
    if (f > 0) call add(n, f_b, elements(n, x, incx)/f, x_b, incx)
    f_b = 0
  end subroutine

  ! The sum of absolute values, of which each has the derivative that abs has in generated code.
  subroutine costate_dasum_d(n, x, incx, f, x_d, f_d)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: x(*), x_d(*)
    real(wp), intent(out) :: f, f_d
    f = 0
    f_d = 0
    if (incx <= 0) return
    f = sum(abs(elements(n, x, incx)))
    f_d = dot_product(signs(elements(n, x, incx)), elements(n, x_d, incx))
  end subroutine

  subroutine costate_dasum_b(n, x, incx, x_b, f_b)
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: x(*)
    real(wp), intent(inout) :: x_b(*), f_b
    if (incx > 0) call add(n, f_b, signs(elements(n, x, incx)), x_b, incx)
    f_b = 0
  end subroutine

  elemental real(wp) function signs(x)
    real(wp), intent(in) :: x
    signs = sign(1.0_wp, x)
  end function

  ! x, y = c*x + s*y, c*y - s*x
  subroutine costate_drot_d(n, x, incx, y, incy, c, s, x_d, y_d, c_d, s_d)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(inout) :: x(*), y(*), x_d(*), y_d(*)
    real(wp), intent(in) :: c, s
    real(wp), intent(in), optional :: c_d, s_d
    call refuse_repeated(incx, incy)
    call drot(n, x_d, incx, y_d, incy, c, s)
    if (present(c_d)) then
      call daxpy(n, c_d, x, incx, x_d, incx)
      call daxpy(n, c_d, y, incy, y_d, incy)
    end if
    if (present(s_d)) then
      call daxpy(n, s_d, y, incy, x_d, incx)
      call daxpy(n, -s_d, x, incx, y_d, incy)
    end if
    call drot(n, x, incx, y, incy, c, s)
  end subroutine

  subroutine costate_drot_b(n, x, incx, y, incy, c, s, x_b, y_b, c_b, s_b)
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: x(*), y(*), c, s
    real(wp), intent(inout) :: x_b(*), y_b(*)
    real(wp), intent(inout), optional :: c_b, s_b
    call refuse_repeated(incx, incy)
    if (present(c_b)) c_b = c_b + dot_product(elements(n, x, incx), elements(n, x_b, incx)) &
      + dot_product(elements(n, y, incy), elements(n, y_b, incy))
    if (present(s_b)) s_b = s_b + dot_product(elements(n, y, incy), elements(n, x_b, incx)) &
      - dot_product(elements(n, x, incx), elements(n, y_b, incy))
    call drot(n, x_b, incx, y_b, incy, c, -s)
  end subroutine

  ! y = alpha*op(A)*x + beta*y
  subroutine costate_dgemv_d(trans, m, n, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    integer :: length
    if (m <= 0 .or. n <= 0) return
    length = merge(n, m, transposed(trans))
    call multiply(length, beta, y_d, incy)
    if (present(x_d)) call dgemv(trans, m, n, alpha, a, lda, x_d, incx, 1.0_wp, y_d, incy)
    if (present(a_d)) call dgemv(trans, m, n, alpha, a_d, lda, x, incx, 1.0_wp, y_d, incy)
    if (present(alpha_d)) call dgemv(trans, m, n, alpha_d, a, lda, x, incx, 1.0_wp, y_d, incy)
    if (present(beta_d)) call daxpy(length, beta_d, y, incy, y_d, incy)
    call dgemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_dgemv_b(trans, m, n, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
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
      allocate(product(length), source=0.0_wp)
      call dgemv(trans, m, n, 1.0_wp, a, lda, x, incx, 0.0_wp, product, 1)
      alpha_b = alpha_b + dot_product(product, elements(length, y_b, incy))
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(length, y, incy), elements(length, y_b, incy))
    if (present(x_b)) call dgemv(other(trans), m, n, alpha, a, lda, y_b, incy, 1.0_wp, x_b, incx)
    if (present(a_b)) then
      if (transposed(trans)) then
        call dger(m, n, alpha, x, incx, y_b, incy, a_b, lda)
      else
        call dger(m, n, alpha, y_b, incy, x, incx, a_b, lda)
      end if
    end if
    call multiply(length, beta, y_b, incy)
  end subroutine

  ! A = A + alpha*x*y^T
  subroutine costate_dger_d(m, n, alpha, x, incx, y, incy, a, lda, alpha_d, x_d, y_d, a_d)
    integer, intent(in) :: m, n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*)
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    real(wp), intent(in), optional :: alpha_d, x_d(*), y_d(*)
    if (present(x_d)) call dger(m, n, alpha, x_d, incx, y, incy, a_d, lda)
    if (present(y_d)) call dger(m, n, alpha, x, incx, y_d, incy, a_d, lda)
    if (present(alpha_d)) call dger(m, n, alpha_d, x, incx, y, incy, a_d, lda)
    call dger(m, n, alpha, x, incx, y, incy, a, lda)
  end subroutine

  subroutine costate_dger_b(m, n, alpha, x, incx, y, incy, a, lda, alpha_b, x_b, y_b, a_b)
    integer, intent(in) :: m, n, incx, incy, lda
    real(wp), intent(in) :: alpha, x(*), y(*), a(lda,*), a_b(lda,*)
    real(wp), intent(inout), optional :: alpha_b, x_b(*), y_b(*)
    real(wp), allocatable :: product(:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      allocate(product(m), source=0.0_wp)
      call dgemv('N', m, n, 1.0_wp, a_b, lda, y, incy, 0.0_wp, product, 1)
      alpha_b = alpha_b + dot_product(elements(m, x, incx), product)
    end if
    if (present(x_b)) call dgemv('N', m, n, alpha, a_b, lda, y, incy, 1.0_wp, x_b, incx)
    if (present(y_b)) call dgemv('T', m, n, alpha, a_b, lda, x, incx, 1.0_wp, y_b, incy)
  end subroutine

  ! y = alpha*A*x + beta*y with a symmetric A, of which one triangle is stored
  subroutine costate_dsymv_d(uplo, n, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    call multiply(n, beta, y_d, incy)
    if (present(x_d)) call dsymv(uplo, n, alpha, a, lda, x_d, incx, 1.0_wp, y_d, incy)
    if (present(a_d)) call dsymv(uplo, n, alpha, a_d, lda, x, incx, 1.0_wp, y_d, incy)
    if (present(alpha_d)) call dsymv(uplo, n, alpha_d, a, lda, x, incx, 1.0_wp, y_d, incy)
    if (present(beta_d)) call daxpy(n, beta_d, y, incy, y_d, incy)
    call dsymv(uplo, n, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_dsymv_b(uplo, n, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
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
      call dsymv(uplo, n, 1.0_wp, a, lda, x, incx, 0.0_wp, product, 1)
      alpha_b = alpha_b + dot_product(product, ys)
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(n, y, incy), ys)
    if (present(x_b)) call dsymv(uplo, n, alpha, a, lda, y_b, incy, 1.0_wp, x_b, incx)
    if (present(a_b)) then
      do j = 1, n
        call rows(uplo, 'N', n, j, from, to)
        a_b(from:to,j) = a_b(from:to,j) + alpha*(ys(from:to)*xs(j) + xs(from:to)*ys(j))
        a_b(j,j) = a_b(j,j) - alpha*xs(j)*ys(j)
      end do
    end if
    call multiply(n, beta, y_b, incy)
  end subroutine

  ! x = op(A)*x with a triangular A
  subroutine costate_dtrmv_d(uplo, trans, diag, n, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call dtrmv(uplo, trans, diag, n, a, lda, x_d, incx)
    if (present(a_d)) then
      call triangle_times(uplo, trans, diag, n, a_d, lda, elements(n, x, incx), change)
      call add(n, 1.0_wp, change, x_d, incx)
    end if
    call dtrmv(uplo, trans, diag, n, a, lda, x, incx)
  end subroutine

  subroutine costate_dtrmv_b(uplo, trans, diag, n, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    if (present(a_b)) call triangle_of_product(uplo, trans, diag, n, 1.0_wp, elements(n, x_b, incx), elements(n, x, incx), a_b, lda)
    call dtrmv(uplo, other(trans), diag, n, a, lda, x_b, incx)
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

  ! A = A + factor*y*x^T in a triangle, for op(A) = A, or its transpose.
  subroutine triangle_of_product(uplo, trans, diag, n, factor, y, x, a, lda)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: factor, y(*), x(*)
    real(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      if (transposed(trans)) then
        a(from:to,j) = a(from:to,j) + factor*x(from:to)*y(j)
      else
        a(from:to,j) = a(from:to,j) + factor*y(from:to)*x(j)
      end if
    end do
  end subroutine

  ! x = op(A)^-1*x with a triangular A
  subroutine costate_dtrsv_d(uplo, trans, diag, n, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call dtrsv(uplo, trans, diag, n, a, lda, x, incx)
    if (present(a_d)) then
      call triangle_times(uplo, trans, diag, n, a_d, lda, elements(n, x, incx), change)
      call add(n, -1.0_wp, change, x_d, incx)
    end if
    call dtrsv(uplo, trans, diag, n, a, lda, x_d, incx)
  end subroutine

  subroutine costate_dtrsv_b(uplo, trans, diag, n, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    real(wp) :: solution(max(n, 0))
    call dtrsv(uplo, other(trans), diag, n, a, lda, x_b, incx)
    if (present(a_b)) then
      solution = elements(n, x, incx)
      call dtrsv(uplo, trans, diag, n, a, lda, solution, 1)
      call triangle_of_product(uplo, trans, diag, n, -1.0_wp, elements(n, x_b, incx), solution, a_b, lda)
    end if
  end subroutine

  ! C = beta*C, and zero where beta is.
  subroutine scale(m, n, beta, c, ldc)
    integer, intent(in) :: m, n, ldc
    real(wp), intent(in) :: beta
    real(wp), intent(inout) :: c(ldc,*)
    integer :: j
    do j = 1, n
      call multiply(m, beta, c(1,j), 1)
    end do
  end subroutine

  ! The sum of products of the elements of two matrices.
  real(wp) function inner(m, n, a, lda, b, ldb)
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: a(lda,*), b(ldb,*)
    integer :: j
    inner = 0
    do j = 1, n
      inner = inner + dot_product(a(1:m,j), b(1:m,j))
    end do
  end function

  ! C = alpha*op(A)*op(B) + beta*C
  subroutine costate_dgemm_d(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call dgemm(transa, transb, m, n, k, alpha, a_d, lda, b, ldb, 1.0_wp, c_d, ldc)
    if (present(b_d)) call dgemm(transa, transb, m, n, k, alpha, a, lda, b_d, ldb, 1.0_wp, c_d, ldc)
    if (present(alpha_d)) call dgemm(transa, transb, m, n, k, alpha_d, a, lda, b, ldb, 1.0_wp, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call daxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call dgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_dgemm_b(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: product(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      allocate(product(m,n), source=0.0_wp)
      call dgemm(transa, transb, m, n, k, 1.0_wp, a, lda, b, ldb, 0.0_wp, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      if (transposed(transa)) then
        call dgemm(transb, 'T', k, m, n, alpha, b, ldb, c_b, ldc, 1.0_wp, a_b, lda)
      else
        call dgemm('N', other(transb), m, k, n, alpha, c_b, ldc, b, ldb, 1.0_wp, a_b, lda)
      end if
    end if
    if (present(b_b)) then
      if (transposed(transb)) then
        call dgemm('T', transa, n, k, m, alpha, c_b, ldc, a, lda, 1.0_wp, b_b, ldb)
      else
        call dgemm(other(transa), 'N', k, n, m, alpha, a, lda, c_b, ldc, 1.0_wp, b_b, ldb)
      end if
    end if
    call scale(m, n, beta, c_b, ldc)
  end subroutine

  ! C = alpha*A*B + beta*C, or with B*A, where A is symmetric
  subroutine costate_dsymm_d(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call dsymm(side, uplo, m, n, alpha, a_d, lda, b, ldb, 1.0_wp, c_d, ldc)
    if (present(b_d)) call dsymm(side, uplo, m, n, alpha, a, lda, b_d, ldb, 1.0_wp, c_d, ldc)
    if (present(alpha_d)) call dsymm(side, uplo, m, n, alpha_d, a, lda, b, ldb, 1.0_wp, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call daxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call dsymm(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_dsymm_b(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: product(:,:)
    integer :: order
    if (m <= 0 .or. n <= 0) return
    order = merge(m, n, left(side))
    if (present(alpha_b)) then
      allocate(product(m,n), source=0.0_wp)
      call dsymm(side, uplo, m, n, 1.0_wp, a, lda, b, ldb, 0.0_wp, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
      deallocate(product)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      allocate(product(order,order), source=0.0_wp)
      if (left(side)) then
        call dgemm('N', 'T', m, m, n, alpha, c_b, ldc, b, ldb, 0.0_wp, product, order)
      else
        call dgemm('T', 'N', n, n, m, alpha, b, ldb, c_b, ldc, 0.0_wp, product, order)
      end if
      call add_symmetric(uplo, order, product, a_b, lda)
    end if
    if (present(b_b)) call dsymm(side, uplo, m, n, alpha, a, lda, c_b, ldc, 1.0_wp, b_b, ldb)
    call scale(m, n, beta, c_b, ldc)
  end subroutine

  ! The derivative of a symmetric matrix goes to the triangle that is stored: elements beside the diagonal stand for two.
  subroutine add_symmetric(uplo, n, product, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: product(n,n)
    real(wp), intent(inout) :: a(lda,*)
    integer :: i, j, from, to
    do j = 1, n
      call rows(uplo, 'U', n, j, from, to)
      do i = from, to
        a(i,j) = a(i,j) + product(i,j) + product(j,i)
      end do
      a(j,j) = a(j,j) + product(j,j)
    end do
  end subroutine

  ! The triangle of C = alpha*A*A^T + beta*C, or with A^T*A
  subroutine costate_dsyrk_d(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, a(lda,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), beta_d
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call multiply(to - from + 1, beta, c_d(from,j), 1)
      if (present(beta_d)) c_d(from:to,j) = c_d(from:to,j) + beta_d*c(from:to,j)
    end do
    if (present(a_d)) call dsyr2k(uplo, trans, n, k, alpha, a, lda, a_d, lda, 1.0_wp, c_d, ldc)
    if (present(alpha_d)) call dsyrk(uplo, trans, n, k, alpha_d, a, lda, 1.0_wp, c_d, ldc)
    call dsyrk(uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
  end subroutine

  subroutine costate_dsyrk_b(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, a(lda,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: both(:,:), product(:,:)
    integer :: j, from, to
    if (n <= 0) return
    if (present(alpha_b)) then
      allocate(product(n,n), source=0.0_wp)
      call dsyrk(uplo, trans, n, k, 1.0_wp, a, lda, 0.0_wp, product, n)
      do j = 1, n
        call rows(uplo, 'N', n, j, from, to)
        alpha_b = alpha_b + dot_product(product(from:to,j), c_b(from:to,j))
      end do
    end if
    if (present(a_b)) then
      ! The triangle and its mirror image, with the diagonal twice.
      allocate(both(n,n), source=0.0_wp)
      do j = 1, n
        call rows(uplo, 'N', n, j, from, to)
        both(from:to,j) = both(from:to,j) + c_b(from:to,j)
        both(j,from:to) = both(j,from:to) + c_b(from:to,j)
      end do
      if (transposed(trans)) then
        call dgemm('N', 'N', k, n, n, alpha, a, lda, both, n, 1.0_wp, a_b, lda)
      else
        call dgemm('N', 'N', n, k, n, alpha, both, n, a, lda, 1.0_wp, a_b, lda)
      end if
    end if
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      if (present(beta_b)) beta_b = beta_b + dot_product(c(from:to,j), c_b(from:to,j))
      call multiply(to - from + 1, beta, c_b(from,j), 1)
    end do
  end subroutine

  ! B = alpha*op(A)*B, or B*op(A), with a triangular A
  subroutine costate_dtrmm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    real(wp), allocatable :: once(:,:)
    call dtrmm(side, uplo, transa, diag, m, n, alpha, a, lda, b_d, ldb)
    if (m <= 0 .or. n <= 0) return
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, alpha, a_d, lda, b(1:m,1:n), b_d, ldb)
    if (present(alpha_d)) then
      once = b(1:m,1:n)
      call dtrmm(side, uplo, transa, diag, m, n, alpha_d, a, lda, once, m)
      b_d(1:m,1:n) = b_d(1:m,1:n) + once
    end if
    call dtrmm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
  end subroutine

  subroutine costate_dtrmm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: once(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      once = b(1:m,1:n)
      call dtrmm(side, uplo, transa, diag, m, n, 1.0_wp, a, lda, once, m)
      alpha_b = alpha_b + inner(m, n, once, m, b_b, ldb)
    end if
    if (present(a_b)) call add_to_triangle(side, uplo, transa, diag, m, n, alpha, b_b, ldb, b, ldb, a_b, lda)
    call dtrmm(side, uplo, other(transa), diag, m, n, alpha, a, lda, b_b, ldb)
  end subroutine

  ! c = c + factor*op(A)*b, or b*op(A), by the triangle of A alone, without a diagonal of ones.
  subroutine add_triangle_times(side, uplo, transa, diag, m, n, factor, a, lda, b, c, ldc)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldc
    real(wp), intent(in) :: factor, a(lda,*), b(m,n)
    real(wp), intent(inout) :: c(ldc,*)
    real(wp), allocatable :: full(:,:)
    integer :: order, j, from, to
    order = merge(m, n, left(side))
    allocate(full(order,order), source=0.0_wp)
    do j = 1, order
      call rows(uplo, diag, order, j, from, to)
      full(from:to,j) = a(from:to,j)
    end do
    if (left(side)) then
      call dgemm(transa, 'N', m, n, m, factor, full, order, b, m, 1.0_wp, c, ldc)
    else
      call dgemm('N', transa, m, n, n, factor, b, m, full, order, 1.0_wp, c, ldc)
    end if
  end subroutine

  ! The triangle of A = A + factor*c*b^T, or b^T*c, where A or its transpose stands to the left of b, or to its right.
  subroutine add_to_triangle(side, uplo, transa, diag, m, n, factor, c, ldc, b, ldb, a, lda)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb, ldc
    real(wp), intent(in) :: factor, c(ldc,*), b(ldb,*)
    real(wp), intent(inout) :: a(lda,*)
    real(wp), allocatable :: full(:,:)
    integer :: order, j, from, to
    order = merge(m, n, left(side))
    allocate(full(order,order), source=0.0_wp)
    if (left(side)) then
      if (transposed(transa)) then
        call dgemm('N', 'T', m, m, n, factor, b, ldb, c, ldc, 0.0_wp, full, order)
      else
        call dgemm('N', 'T', m, m, n, factor, c, ldc, b, ldb, 0.0_wp, full, order)
      end if
    else if (transposed(transa)) then
      call dgemm('T', 'N', n, n, m, factor, c, ldc, b, ldb, 0.0_wp, full, order)
    else
      call dgemm('T', 'N', n, n, m, factor, b, ldb, c, ldc, 0.0_wp, full, order)
    end if
    do j = 1, order
      call rows(uplo, diag, order, j, from, to)
      a(from:to,j) = a(from:to,j) + full(from:to,j)
    end do
  end subroutine

  ! B = alpha*op(A)^-1*B, or B*op(A)^-1, with a triangular A
  subroutine costate_dtrsm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    if (m <= 0 .or. n <= 0) return
    call scale(m, n, alpha, b_d, ldb)
    if (present(alpha_d)) b_d(1:m,1:n) = b_d(1:m,1:n) + alpha_d*b(1:m,1:n)
    call dtrsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, -1.0_wp, a_d, lda, b(1:m,1:n), b_d, ldb)
    call dtrsm(side, uplo, transa, diag, m, n, 1.0_wp, a, lda, b_d, ldb)
  end subroutine

  subroutine costate_dtrsm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: solution(:,:)
    if (m <= 0 .or. n <= 0) return
    call dtrsm(side, uplo, other(transa), diag, m, n, 1.0_wp, a, lda, b_b, ldb)
    if (present(alpha_b)) alpha_b = alpha_b + inner(m, n, b, ldb, b_b, ldb)
    if (present(a_b)) then
      solution = b(1:m,1:n)
      call dtrsm(side, uplo, transa, diag, m, n, alpha, a, lda, solution, m)
      call add_to_triangle(side, uplo, transa, diag, m, n, -1.0_wp, b_b, ldb, solution, m, a_b, lda)
    end if
    call scale(m, n, alpha, b_b, ldb)
  end subroutine
end module

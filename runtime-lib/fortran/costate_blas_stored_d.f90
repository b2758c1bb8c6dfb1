! Made from tests/templates/blas_stored.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures of matrices that are stored as bands, or as packed triangles (level 2). Derivative dummies are
! optional as in costate_blas2_d. A packed triangle is as large as half of a matrix: what is done with it is done with the matrix.
module costate_blas_stored_d
  use costate_linear_algebra_d
  use costate_blas2_d
  implicit none
  private
  public :: costate_dgbmv_d, costate_dgbmv_b, costate_dsbmv_d, costate_dsbmv_b
  public :: costate_dtbmv_d, costate_dtbmv_b, costate_dtbsv_d, costate_dtbsv_b
  public :: costate_dspmv_d, costate_dspmv_b, costate_dspr_d, costate_dspr_b
  public :: costate_dspr2_d, costate_dspr2_b
  public :: costate_dtpmv_d, costate_dtpmv_b, costate_dtpsv_d, costate_dtpsv_b
  public :: unpacked, pack_into
contains

  ! y = alpha*op(A)*x + beta*y with a band A: element (i,j) stands in row ku + 1 + i - j of column j.
  subroutine costate_dgbmv_d(trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, kl, ku, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    integer :: length
    if (m <= 0 .or. n <= 0) return
    length = merge(n, m, transposed(trans))
    call multiply(length, beta, y_d, incy)
    if (present(x_d)) call dgbmv(trans, m, n, kl, ku, alpha, a, lda, x_d, incx, one, y_d, incy)
    if (present(a_d)) call dgbmv(trans, m, n, kl, ku, alpha, a_d, lda, x, incx, one, y_d, incy)
    if (present(alpha_d)) call dgbmv(trans, m, n, kl, ku, alpha_d, a, lda, x, incx, one, y_d, incy)
    if (present(beta_d)) call daxpy(length, beta_d, y, incy, y_d, incy)
    call dgbmv(trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_dgbmv_b(trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, kl, ku, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta, y(*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), x_b(*), beta_b
    real(wp), intent(inout) :: y_b(*)
    real(wp), allocatable :: product(:), xs(:), ys(:)
    integer :: length, width, j, from, to, d
    if (m <= 0 .or. n <= 0) return
    length = merge(n, m, transposed(trans))
    width = merge(m, n, transposed(trans))
    ys = elements(length, y_b, incy)
    if (present(alpha_b)) then
      allocate(product(length), source=zero)
      call dgbmv(trans, m, n, kl, ku, one, a, lda, x, incx, zero, product, 1)
      alpha_b = alpha_b + dot_product(product, ys)
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(length, y, incy), ys)
    if (present(x_b)) then
      call dgbmv(adjoint_of(trans), m, n, kl, ku, alpha, a, lda, y_b, incy, one, x_b, incx)
    end if
    if (present(a_b)) then
      xs = elements(width, x, incx)
      do j = 1, n
        from = max(1, j - ku)
        to = min(m, j + kl)
        d = ku + 1 - j
        if (is_letter(trans, 'N')) then
          a_b(d+from:d+to,j) = a_b(d+from:d+to,j) + alpha*xs(j)*ys(from:to)
        else
          a_b(d+from:d+to,j) = a_b(d+from:d+to,j) + alpha*ys(j)*xs(from:to)
        end if
      end do
    end if
    call multiply(length, beta, y_b, incy)
  end subroutine

  ! The first and the last row of column j of a triangular band, without the diagonal where that is one by definition; row i
  ! stands in row d + i.
  pure subroutine band_rows(uplo, diag, n, k, j, from, to, d)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, k, j
    integer, intent(out) :: from, to, d
    call rows(uplo, diag, n, j, from, to)
    from = max(from, j - k)
    to = min(to, j + k)
    d = merge(k, 0, upper(uplo)) + 1 - j
  end subroutine

  ! y = alpha*A*x + beta*y with a symmetric band A, of which one triangle is stored
  subroutine costate_dsbmv_d(uplo, n, k, alpha, a, lda, x, incx, beta, y, incy, alpha_d, a_d, x_d, beta_d, y_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, k, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), x_d(*), beta_d
    call multiply(n, beta, y_d, incy)
    if (present(x_d)) call dsbmv(uplo, n, k, alpha, a, lda, x_d, incx, one, y_d, incy)
    if (present(a_d)) call dsbmv(uplo, n, k, alpha, a_d, lda, x, incx, one, y_d, incy)
    if (present(alpha_d)) call dsbmv(uplo, n, k, alpha_d, a, lda, x, incx, one, y_d, incy)
    if (present(beta_d)) call daxpy(n, beta_d, y, incy, y_d, incy)
    call dsbmv(uplo, n, k, alpha, a, lda, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_dsbmv_b(uplo, n, k, alpha, a, lda, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, k, lda, incx, incy
    real(wp), intent(in) :: alpha, a(lda,*), x(*), beta, y(*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), x_b(*), beta_b
    real(wp), intent(inout) :: y_b(*)
    real(wp) :: product(max(n, 0)), xs(max(n, 0)), ys(max(n, 0))
    integer :: j, from, to, d
    ys = elements(n, y_b, incy)
    xs = elements(n, x, incx)
    if (present(alpha_b)) then
      product = 0
      call dsbmv(uplo, n, k, one, a, lda, x, incx, zero, product, 1)
      alpha_b = alpha_b + dot_product(product, ys)
    end if
    if (present(beta_b)) beta_b = beta_b + dot_product(elements(n, y, incy), ys)
    if (present(x_b)) call dsbmv(uplo, n, k, alpha, a, lda, y_b, incy, one, x_b, incx)
    if (present(a_b)) then
      do j = 1, n
        call band_rows(uplo, 'U', n, k, j, from, to, d)
        a_b(d+from:d+to,j) = a_b(d+from:d+to,j) &
          + alpha*(ys(from:to)*xs(j) + xs(from:to)*ys(j))
        a_b(d+j,j) = a_b(d+j,j) + alpha*xs(j)*ys(j)
      end do
    end if
    call multiply(n, beta, y_b, incy)
  end subroutine

  ! x = op(A)*x with a triangular band A
  subroutine costate_dtbmv_d(uplo, trans, diag, n, k, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call dtbmv(uplo, trans, diag, n, k, a, lda, x_d, incx)
    if (present(a_d)) then
      call band_times(uplo, trans, diag, n, k, a_d, lda, elements(n, x, incx), change)
      call add(n, one, change, x_d, incx)
    end if
    call dtbmv(uplo, trans, diag, n, k, a, lda, x, incx)
  end subroutine

  subroutine costate_dtbmv_b(uplo, trans, diag, n, k, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    if (present(a_b)) call band_of_product(uplo, trans, diag, n, k, 1.0_wp, &
      elements(n, x_b, incx), elements(n, x, incx), a_b, lda)
    call dtbmv(uplo, adjoint_of(trans), diag, n, k, a, lda, x_b, incx)
  end subroutine

  ! y = op(A)*x by the triangle of the band alone, without a diagonal of ones: the derivative of that is zero.
  subroutine band_times(uplo, trans, diag, n, k, a, lda, x, y)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(out) :: y(*)
    integer :: j, from, to, d
    y(1:n) = 0
    do j = 1, n
      call band_rows(uplo, diag, n, k, j, from, to, d)
      if (transposed(trans)) then
        y(j) = dot_product(a(d+from:d+to,j), x(from:to))
      else
        y(from:to) = y(from:to) + a(d+from:d+to,j)*x(j)
      end if
    end do
  end subroutine

  ! A = A + factor*y*x^H in a triangular band; what that is for op(A).
  subroutine band_of_product(uplo, trans, diag, n, k, factor, y, x, a, lda)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda
    real(wp), intent(in) :: factor
    real(wp), intent(in) :: y(*), x(*)
    real(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to, d
    do j = 1, n
      call band_rows(uplo, diag, n, k, j, from, to, d)
      if (is_letter(trans, 'N')) then
        a(d+from:d+to,j) = a(d+from:d+to,j) + factor*y(from:to)*x(j)
      else
        a(d+from:d+to,j) = a(d+from:d+to,j) + factor*x(from:to)*y(j)
      end if
    end do
  end subroutine

  ! x = op(A)^-1*x with a triangular band A
  subroutine costate_dtbsv_d(uplo, trans, diag, n, k, a, lda, x, incx, a_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda, incx
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: a_d(lda,*)
    real(wp) :: change(max(n, 0))
    call dtbsv(uplo, trans, diag, n, k, a, lda, x, incx)
    if (present(a_d)) then
      call band_times(uplo, trans, diag, n, k, a_d, lda, elements(n, x, incx), change)
      call add(n, -one, change, x_d, incx)
    end if
    call dtbsv(uplo, trans, diag, n, k, a, lda, x_d, incx)
  end subroutine

  subroutine costate_dtbsv_b(uplo, trans, diag, n, k, a, lda, x, incx, a_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, k, lda, incx
    real(wp), intent(in) :: a(lda,*), x(*)
    real(wp), intent(inout), optional :: a_b(lda,*)
    real(wp), intent(inout) :: x_b(*)
    real(wp) :: solution(max(n, 0))
    call dtbsv(uplo, adjoint_of(trans), diag, n, k, a, lda, x_b, incx)
    if (present(a_b)) then
      solution = elements(n, x, incx)
      call dtbsv(uplo, trans, diag, n, k, a, lda, solution, 1)
      call band_of_product(uplo, trans, diag, n, k, -1.0_wp, elements(n, x_b, incx), solution, a_b, lda)
    end if
  end subroutine

  ! A packed triangle as that of a matrix, and back.
  pure function unpacked(uplo, n, ap) result(a)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    real(wp), intent(in) :: ap(*)
    real(wp) :: a(n,n)
    integer :: j, from, to, before
    a = 0
    before = 0
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      a(from:to,j) = ap(before+1:before+1+to-from)
      before = before + 1 + to - from
    end do
  end function

  pure subroutine pack_into(uplo, n, a, ap)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n,n)
    real(wp), intent(inout) :: ap(*)
    integer :: j, from, to, before
    before = 0
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      ap(before+1:before+1+to-from) = a(from:to,j)
      before = before + 1 + to - from
    end do
  end subroutine

  ! y = alpha*A*x + beta*y with a packed symmetric A
  subroutine costate_dspmv_d(uplo, n, alpha, ap, x, incx, beta, y, incy, alpha_d, ap_d, x_d, beta_d, y_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, ap(*), x(*), beta
    real(wp), intent(inout) :: y(*), y_d(*)
    real(wp), intent(in), optional :: alpha_d, ap_d(*), x_d(*), beta_d
    call multiply(n, beta, y_d, incy)
    if (present(x_d)) call dspmv(uplo, n, alpha, ap, x_d, incx, one, y_d, incy)
    if (present(ap_d)) call dspmv(uplo, n, alpha, ap_d, x, incx, one, y_d, incy)
    if (present(alpha_d)) call dspmv(uplo, n, alpha_d, ap, x, incx, one, y_d, incy)
    if (present(beta_d)) call daxpy(n, beta_d, y, incy, y_d, incy)
    call dspmv(uplo, n, alpha, ap, x, incx, beta, y, incy)
  end subroutine

  subroutine costate_dspmv_b(uplo, n, alpha, ap, x, incx, beta, y, incy, alpha_b, ap_b, x_b, beta_b, y_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, ap(*), x(*), beta, y(*)
    real(wp), intent(inout), optional :: alpha_b, ap_b(*), x_b(*), beta_b
    real(wp), intent(inout) :: y_b(*)
    real(wp), allocatable :: a(:,:), a_b(:,:)
    if (n <= 0) return
    a = unpacked(uplo, n, ap)
    ! What has no memory counts as absent.
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_dsymv_b(uplo, n, alpha, a, n, x, incx, beta, y, incy, alpha_b, a_b, x_b, beta_b, y_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! The packed triangle of A = A + alpha*x*x^T
  subroutine costate_dspr_d(uplo, n, alpha, x, incx, ap, alpha_d, x_d, ap_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    real(wp), intent(in) :: x(*)
    real(wp), intent(inout) :: ap(*), ap_d(*)
    real(wp), intent(in), optional :: alpha_d
    real(wp), intent(in), optional :: x_d(*)
    if (present(x_d)) call dspr2(uplo, n, alpha, x, incx, x_d, incx, ap_d)
    if (present(alpha_d)) call dspr(uplo, n, alpha_d, x, incx, ap_d)
    call dspr(uplo, n, alpha, x, incx, ap)
  end subroutine

  subroutine costate_dspr_b(uplo, n, alpha, x, incx, ap, alpha_b, x_b, ap_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: alpha
    real(wp), intent(in) :: x(*), ap(*)
    real(wp), intent(inout), optional :: alpha_b
    real(wp), intent(inout), optional :: x_b(*)
    real(wp), intent(inout) :: ap_b(*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    ! The values of the matrix aren't used.
    call costate_dsyr_b(uplo, n, alpha, x, incx, unpacked(uplo, n, ap), n, alpha_b, x_b, a_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! The packed triangle of A = A + alpha*x*y^T + alpha*y*x^T
  subroutine costate_dspr2_d(uplo, n, alpha, x, incx, y, incy, ap, alpha_d, x_d, y_d, ap_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, x(*), y(*)
    real(wp), intent(inout) :: ap(*), ap_d(*)
    real(wp), intent(in), optional :: alpha_d, x_d(*), y_d(*)
    if (present(x_d)) call dspr2(uplo, n, alpha, x_d, incx, y, incy, ap_d)
    if (present(y_d)) call dspr2(uplo, n, alpha, x, incx, y_d, incy, ap_d)
    if (present(alpha_d)) call dspr2(uplo, n, alpha_d, x, incx, y, incy, ap_d)
    call dspr2(uplo, n, alpha, x, incx, y, incy, ap)
  end subroutine

  subroutine costate_dspr2_b(uplo, n, alpha, x, incx, y, incy, ap, alpha_b, x_b, y_b, ap_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, incx, incy
    real(wp), intent(in) :: alpha, x(*), y(*), ap(*)
    real(wp), intent(inout), optional :: alpha_b, x_b(*), y_b(*)
    real(wp), intent(inout) :: ap_b(*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_dsyr2_b(uplo, n, alpha, x, incx, y, incy, unpacked(uplo, n, ap), n, alpha_b, x_b, y_b, a_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! x = op(A)*x with a packed triangle A
  subroutine costate_dtpmv_d(uplo, trans, diag, n, ap, x, incx, ap_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: ap(*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: ap_d(*)
    real(wp), allocatable :: own(:), change(:), a_d(:,:)
    if (n <= 0) return
    own = elements(n, x, incx)
    change = elements(n, x_d, incx)
    if (present(ap_d)) a_d = unpacked(uplo, n, ap_d)
    call costate_dtrmv_d(uplo, trans, diag, n, unpacked(uplo, n, ap), n, own, 1, a_d, change)
    call dtpmv(uplo, trans, diag, n, ap, x, incx)
    call multiply(n, zero, x_d, incx)
    call add(n, one, change, x_d, incx)
  end subroutine

  subroutine costate_dtpmv_b(uplo, trans, diag, n, ap, x, incx, ap_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: ap(*), x(*)
    real(wp), intent(inout), optional :: ap_b(*)
    real(wp), intent(inout) :: x_b(*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_dtrmv_b(uplo, trans, diag, n, unpacked(uplo, n, ap), n, x, incx, a_b, x_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! x = op(A)^-1*x with a packed triangle A
  subroutine costate_dtpsv_d(uplo, trans, diag, n, ap, x, incx, ap_d, x_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: ap(*)
    real(wp), intent(inout) :: x(*), x_d(*)
    real(wp), intent(in), optional :: ap_d(*)
    real(wp), allocatable :: own(:), change(:), a_d(:,:)
    if (n <= 0) return
    own = elements(n, x, incx)
    change = elements(n, x_d, incx)
    if (present(ap_d)) a_d = unpacked(uplo, n, ap_d)
    call costate_dtrsv_d(uplo, trans, diag, n, unpacked(uplo, n, ap), n, own, 1, a_d, change)
    call dtpsv(uplo, trans, diag, n, ap, x, incx)
    call multiply(n, zero, x_d, incx)
    call add(n, one, change, x_d, incx)
  end subroutine

  subroutine costate_dtpsv_b(uplo, trans, diag, n, ap, x, incx, ap_b, x_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, incx
    real(wp), intent(in) :: ap(*), x(*)
    real(wp), intent(inout), optional :: ap_b(*)
    real(wp), intent(inout) :: x_b(*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_dtrsv_b(uplo, trans, diag, n, unpacked(uplo, n, ap), n, x, incx, a_b, x_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine
end module

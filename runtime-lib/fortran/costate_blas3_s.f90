! Made from tests/templates/blas3.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures of matrices (level 3). Derivative dummies are optional: what isn't asked for isn't
! computed. Where BLAS returns at once, derivatives stay as they are, too. Formulas: M. Giles, An
! extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation, Oxford 2008.
module costate_blas3_s
  use costate_linear_algebra_s
  implicit none
  private
  public :: costate_sgemm_d, costate_sgemm_b, costate_ssymm_d, costate_ssymm_b
  public :: costate_ssyrk_d, costate_ssyrk_b, costate_ssyr2k_d, costate_ssyr2k_b
  public :: costate_strmm_d, costate_strmm_b, costate_strsm_d, costate_strsm_b
contains

  ! C = alpha*op(A)*op(B) + beta*C
  subroutine costate_sgemm_d(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call sgemm(transa, transb, m, n, k, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call sgemm(transa, transb, m, n, k, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call sgemm(transa, transb, m, n, k, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call saxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call sgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_sgemm_b(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: product(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      allocate(product(m,n), source=zero)
      call sgemm(transa, transb, m, n, k, one, a, lda, b, ldb, zero, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      if (is_letter(transa, 'N')) then
        call add_product('N', adjoint_of(transb), m, k, n, alpha, c_b, ldc, b, ldb, a_b, lda)
      else
        call add_product(transb, 'C', k, m, n, alpha, b, ldb, c_b, ldc, a_b, lda)
      end if
    end if
    if (present(b_b)) then
      if (is_letter(transb, 'N')) then
        call add_product(adjoint_of(transa), 'N', k, n, m, alpha, a, lda, c_b, ldc, b_b, ldb)
      else
        call add_product('C', transa, n, k, m, alpha, c_b, ldc, a, lda, b_b, ldb)
      end if
    end if
    call scale(m, n, beta, c_b, ldc)
  end subroutine

  ! C = C + alpha*op(A)*op(B)
  subroutine add_product(transa, transb, m, n, k, alpha, a, lda, b, ldb, c, ldc)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(inout) :: c(ldc,*)
    call sgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, one, c, ldc)
  end subroutine

  ! C = alpha*A*B + beta*C, or with B*A, where A is symmetric
  subroutine costate_ssymm_d(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call ssymm(side, uplo, m, n, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call ssymm(side, uplo, m, n, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call ssymm(side, uplo, m, n, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call saxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call ssymm(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_ssymm_b(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_b, a_b, b_b, beta_b, c_b)
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
      allocate(product(m,n), source=zero)
      call ssymm(side, uplo, m, n, one, a, lda, b, ldb, zero, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
      deallocate(product)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      allocate(product(order,order), source=zero)
      if (left(side)) then
        call sgemm('N', 'C', m, m, n, alpha, c_b, ldc, b, ldb, zero, product, order)
      else
        call sgemm('C', 'N', n, n, m, alpha, b, ldb, c_b, ldc, zero, product, order)
      end if
      call add_symmetric(uplo, order, product, a_b, lda)
      deallocate(product)
    end if
    if (present(b_b)) call ssymm(side, uplo, m, n, alpha, a, lda, c_b, ldc, one, b_b, ldb)
    call scale(m, n, beta, c_b, ldc)
  end subroutine

  ! The derivative of a symmetric matrix goes to the triangle that is stored: elements beside the diagonal stand for two.
  subroutine add_symmetric(uplo, n, product, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: product(n,n)
    real(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'U', n, j, from, to)
      a(from:to,j) = a(from:to,j) + product(from:to,j) + product(j,from:to)
      a(j,j) = a(j,j) + product(j,j)
    end do
  end subroutine

  ! The triangle of C = alpha*A*A^T + beta*C, or with A^T*A
  subroutine costate_ssyrk_d(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, a(lda,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), beta_d
    call scale_triangle(uplo, n, beta, c, ldc, beta_d, c_d)
    if (present(a_d)) call ssyr2k(uplo, trans, n, k, alpha, a, lda, a_d, lda, one, c_d, ldc)
    if (present(alpha_d)) call ssyrk(uplo, trans, n, k, alpha_d, a, lda, one, c_d, ldc)
    call ssyrk(uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
  end subroutine

  subroutine costate_ssyrk_b(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, a(lda,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: product(:,:)
    if (n <= 0) return
    if (present(alpha_b)) then
      allocate(product(n,n), source=zero)
      call ssyrk(uplo, trans, n, k, one, a, lda, zero, product, n)
      alpha_b = alpha_b + inner_triangle(uplo, n, product, n, c_b, ldc)
    end if
    if (present(a_b)) call add_doubled_times(uplo, trans, n, k, alpha, c_b, ldc, a, lda, a_b, lda)
    call scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
  end subroutine

  ! The triangle of C = alpha*A*B^T + alpha*B*A^T + beta*C, or with A^T*B and B^T*A
  subroutine costate_ssyr2k_d(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    call scale_triangle(uplo, n, beta, c, ldc, beta_d, c_d)
    if (present(a_d)) call ssyr2k(uplo, trans, n, k, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call ssyr2k(uplo, trans, n, k, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call ssyr2k(uplo, trans, n, k, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    call ssyr2k(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_ssyr2k_b(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: product(:,:)
    if (n <= 0) return
    if (present(alpha_b)) then
      allocate(product(n,n), source=zero)
      call ssyr2k(uplo, trans, n, k, one, a, lda, b, ldb, zero, product, n)
      alpha_b = alpha_b + inner_triangle(uplo, n, product, n, c_b, ldc)
    end if
    if (present(a_b)) call add_doubled_times(uplo, trans, n, k, alpha, c_b, ldc, b, ldb, a_b, lda)
    if (present(b_b)) call add_doubled_times(uplo, trans, n, k, alpha, c_b, ldc, a, lda, b_b, ldb)
    call scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
  end subroutine

  ! C' = beta*C' + beta'*C in a triangle.
  subroutine scale_triangle(uplo, n, beta, c, ldc, beta_d, c_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, ldc
    real(wp), intent(in) :: beta, c(ldc,*)
    real(wp), intent(in), optional :: beta_d
    real(wp), intent(inout) :: c_d(ldc,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call scale(to - from + 1, 1, beta, c_d(from,j), ldc)
      if (present(beta_d)) c_d(from:to,j) = c_d(from:to,j) + beta_d*c(from:to,j)
    end do
  end subroutine

  subroutine scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, ldc
    real(wp), intent(in) :: beta, c(ldc,*)
    real(wp), intent(inout), optional :: beta_b
    real(wp), intent(inout) :: c_b(ldc,*)
    integer :: j, from, to
    if (present(beta_b)) beta_b = beta_b + inner_triangle(uplo, n, c, ldc, c_b, ldc)
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call scale(to - from + 1, 1, beta, c_b(from,j), ldc)
    end do
  end subroutine

  ! The sum of products of the elements of two triangles.
  pure real(wp) function inner_triangle(uplo, n, a, lda, b, ldb)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, ldb
    real(wp), intent(in) :: a(lda,*), b(ldb,*)
    integer :: j, from, to
    inner_triangle = 0
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      inner_triangle = inner_triangle + dot_product(a(from:to,j), b(from:to,j))
    end do
  end function

  ! B = B + alpha*(C + C^T)*A, or A*(C + C^T), with a triangle C.
  subroutine add_doubled_times(uplo, trans, n, k, alpha, c, ldc, a, lda, b, ldb)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    real(wp), intent(in) :: alpha, c(ldc,*), a(lda,*)
    real(wp), intent(inout) :: b(ldb,*)
    real(wp), allocatable :: both(:,:)
    integer :: j, from, to
    allocate(both(n,n), source=zero)
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      both(from:to,j) = both(from:to,j) + c(from:to,j)
      both(j,from:to) = both(j,from:to) + c(from:to,j)
    end do
    if (transposed(trans)) then
      call add_product('N', 'N', k, n, n, alpha, a, lda, both, n, b, ldb)
    else
      call add_product('N', 'N', n, k, n, alpha, both, n, a, lda, b, ldb)
    end if
  end subroutine

  ! B = alpha*op(A)*B, or B*op(A), with a triangular A
  subroutine costate_strmm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    real(wp), allocatable :: once(:,:)
    call strmm(side, uplo, transa, diag, m, n, alpha, a, lda, b_d, ldb)
    if (m <= 0 .or. n <= 0) return
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, alpha, a_d, lda, b(1:m,1:n), b_d, ldb)
    if (present(alpha_d)) then
      once = b(1:m,1:n)
      call strmm(side, uplo, transa, diag, m, n, alpha_d, a, lda, once, m)
      b_d(1:m,1:n) = b_d(1:m,1:n) + once
    end if
    call strmm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
  end subroutine

  subroutine costate_strmm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: once(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      once = b(1:m,1:n)
      call strmm(side, uplo, transa, diag, m, n, one, a, lda, once, m)
      alpha_b = alpha_b + inner(m, n, once, m, b_b, ldb)
    end if
    if (present(a_b)) call add_to_triangle(side, uplo, transa, diag, m, n, alpha, b_b, ldb, b, ldb, a_b, lda)
    call multiply_adjoint(side, uplo, transa, diag, m, n, alpha, a, lda, b_b, ldb)
  end subroutine

  ! B = alpha*op(A)^-1*B, or B*op(A)^-1, with a triangular A
  subroutine costate_strsm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    real(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    if (m <= 0 .or. n <= 0) return
    call scale(m, n, alpha, b_d, ldb)
    if (present(alpha_d)) b_d(1:m,1:n) = b_d(1:m,1:n) + alpha_d*b(1:m,1:n)
    call strsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, -one, a_d, lda, b(1:m,1:n), b_d, ldb)
    call strsm(side, uplo, transa, diag, m, n, one, a, lda, b_d, ldb)
  end subroutine

  subroutine costate_strsm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    real(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: solution(:,:)
    if (m <= 0 .or. n <= 0) return
    call solve_adjoint(side, uplo, transa, diag, m, n, one, a, lda, b_b, ldb)
    if (present(alpha_b)) alpha_b = alpha_b + inner(m, n, b, ldb, b_b, ldb)
    if (present(a_b)) then
      solution = b(1:m,1:n)
      call strsm(side, uplo, transa, diag, m, n, alpha, a, lda, solution, m)
      call add_to_triangle(side, uplo, transa, diag, m, n, -one, b_b, ldb, solution, m, a_b, lda)
    end if
    call scale(m, n, alpha, b_b, ldb)
  end subroutine
end module

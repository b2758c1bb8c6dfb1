! Made from tests/templates/blas3.f90 by tests/linear_algebra_text.rs.
! Derivatives of BLAS procedures of matrices (level 3). Derivative dummies are optional: what isn't asked for isn't
! computed. Where BLAS returns at once, derivatives stay as they are, too. Formulas: M. Giles, An
! extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation, Oxford 2008.
module costate_blas3_c
  use costate_linear_algebra_c
  implicit none
  private
  public :: costate_cgemm_d, costate_cgemm_b, costate_csymm_d, costate_csymm_b
  public :: costate_csyrk_d, costate_csyrk_b, costate_csyr2k_d, costate_csyr2k_b
  public :: costate_ctrmm_d, costate_ctrmm_b, costate_ctrsm_d, costate_ctrsm_b
  public :: costate_chemm_d, costate_chemm_b, costate_cherk_d, costate_cherk_b, costate_cher2k_d, costate_cher2k_b
contains

  ! C = alpha*op(A)*op(B) + beta*C
  subroutine costate_cgemm_d(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call cgemm(transa, transb, m, n, k, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call cgemm(transa, transb, m, n, k, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call cgemm(transa, transb, m, n, k, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call caxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call cgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine costate_cgemm_b(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: product(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      allocate(product(m,n), source=zero)
      call cgemm(transa, transb, m, n, k, one, a, lda, b, ldb, zero, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      if (is_letter(transa, 'N')) then
        call add_product('N', adjoint_of(transb), m, k, n, conjg(alpha), c_b, ldc, b, ldb, a_b, lda)
      else if (is_letter(transa, 'T')) then
        call add_product(conjugate_of(transb), 'T', k, m, n, conjg(alpha), b, ldb, c_b, ldc, a_b, lda)
      else
        call add_product(transb, 'C', k, m, n, alpha, b, ldb, c_b, ldc, a_b, lda)
      end if
    end if
    if (present(b_b)) then
      if (is_letter(transb, 'N')) then
        call add_product(adjoint_of(transa), 'N', k, n, m, conjg(alpha), a, lda, c_b, ldc, b_b, ldb)
      else if (is_letter(transb, 'T')) then
        call add_product('T', conjugate_of(transa), n, k, m, conjg(alpha), c_b, ldc, a, lda, b_b, ldb)
      else
        call add_product('C', transa, n, k, m, alpha, c_b, ldc, a, lda, b_b, ldb)
      end if
    end if
    call scale(m, n, conjg(beta), c_b, ldc)
  end subroutine

  ! C = C + alpha*op(A)*op(B), also with the conjugates of A or B
  recursive subroutine add_product(transa, transb, m, n, k, alpha, a, lda, b, ldb, c, ldc)
    character, intent(in) :: transa, transb
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    complex(wp), intent(inout) :: c(ldc,*)
    if (is_letter(transa, 'R')) then
      call add_product('N', transb, m, n, k, alpha, conjg(a(1:m,1:k)), max(1, m), b, ldb, c, ldc)
      return
    else if (is_letter(transb, 'R')) then
      call add_product(transa, 'N', m, n, k, alpha, a, lda, conjg(b(1:k,1:n)), max(1, k), c, ldc)
      return
    end if
    call cgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, one, c, ldc)
  end subroutine

  ! C = alpha*A*B + beta*C, or with B*A, where A is symmetric or Hermitian
  subroutine symmetric_d(hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_d, a_d, b_d, beta_d, c_d)
    logical, intent(in) :: hermitian
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    integer :: j
    call scale(m, n, beta, c_d, ldc)
    if (present(a_d)) call either_product(hermitian, side, uplo, m, n, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call either_product(hermitian, side, uplo, m, n, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call either_product(hermitian, side, uplo, m, n, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    if (present(beta_d)) then
      do j = 1, n
        call caxpy(m, beta_d, c(1,j), 1, c_d(1,j), 1)
      end do
    end if
    call either_product(hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine symmetric_b(hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_b, a_b, b_b, beta_b, c_b)
    logical, intent(in) :: hermitian
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: product(:,:)
    integer :: order
    if (m <= 0 .or. n <= 0) return
    order = merge(m, n, left(side))
    if (present(alpha_b)) then
      allocate(product(m,n), source=zero)
      call either_product(hermitian, side, uplo, m, n, one, a, lda, b, ldb, zero, product, m)
      alpha_b = alpha_b + inner(m, n, product, m, c_b, ldc)
      deallocate(product)
    end if
    if (present(beta_b)) beta_b = beta_b + inner(m, n, c, ldc, c_b, ldc)
    if (present(a_b)) then
      allocate(product(order,order), source=zero)
      if (left(side)) then
        call cgemm('N', 'C', m, m, n, conjg(alpha), c_b, ldc, b, ldb, zero, product, order)
      else
        call cgemm('C', 'N', n, n, m, conjg(alpha), b, ldb, c_b, ldc, zero, product, order)
      end if
      call add_symmetric(hermitian, uplo, order, product, a_b, lda)
      deallocate(product)
    end if
    if (present(b_b) .and. hermitian) then
      call chemm(side, uplo, m, n, conjg(alpha), a, lda, c_b, ldc, one, b_b, ldb)
    else if (present(b_b)) then
      ! With the conjugate of A.
      allocate(product(m,n), source=conjg(b_b(1:m,1:n)))
      call csymm(side, uplo, m, n, alpha, a, lda, conjg(c_b(1:m,1:n)), m, one, product, m)
      b_b(1:m,1:n) = conjg(product)
    end if
    call scale(m, n, conjg(beta), c_b, ldc)
  end subroutine

  subroutine either_product(hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
    logical, intent(in) :: hermitian
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*)
    if (hermitian) then
      call chemm(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
    else
      call csymm(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
    end if
  end subroutine

  subroutine costate_csymm_d(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    call symmetric_d(.false., side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
  end subroutine

  subroutine costate_csymm_b(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(in) :: c(ldc,*)
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    call symmetric_b(.false., side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
  end subroutine

  subroutine costate_chemm_d(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    call symmetric_d(.true., side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
  end subroutine

  subroutine costate_chemm_b(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: side, uplo
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(in) :: c(ldc,*)
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    call symmetric_b(.true., side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
  end subroutine

  ! The derivative of a symmetric matrix goes to the triangle that is stored: elements beside the diagonal stand for two.
  subroutine add_symmetric(hermitian, uplo, n, product, a, lda)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: product(n,n)
    complex(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'U', n, j, from, to)
      if (hermitian) then
        a(from:to,j) = a(from:to,j) + product(from:to,j) + conjg(product(j,from:to))
        a(j,j) = a(j,j) + real(product(j,j), wp)
        cycle
      end if
      a(from:to,j) = a(from:to,j) + product(from:to,j) + product(j,from:to)
      a(j,j) = a(j,j) + product(j,j)
    end do
  end subroutine

  ! The triangle of C = alpha*A*A^T + beta*C, or with A^T*A; A^H in place of A^T for a Hermitian C
  subroutine rank_k_d(hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), beta_d
    call scale_triangle(hermitian, uplo, n, beta, c, ldc, beta_d, c_d)
    if (present(a_d)) call update_2k(hermitian, uplo, trans, n, k, alpha, a, lda, a_d, lda, one, c_d, ldc)
    if (present(alpha_d)) call update_k(hermitian, uplo, trans, n, k, alpha_d, a, lda, one, c_d, ldc)
    call update_k(hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
  end subroutine

  subroutine rank_k_b(hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), beta, c(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: product(:,:)
    if (n <= 0) return
    if (hermitian) call make_diagonal_real(n, c_b, ldc)
    if (present(alpha_b)) then
      allocate(product(n,n), source=zero)
      call update_k(hermitian, uplo, trans, n, k, one, a, lda, zero, product, n)
      alpha_b = alpha_b + inner_triangle(uplo, n, product, n, c_b, ldc)
    end if
    if (present(a_b)) call add_doubled_times(hermitian, uplo, trans, n, k, alpha, c_b, ldc, a, lda, a_b, lda)
    call scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
  end subroutine

  ! The triangle of C = alpha*A*B^T + alpha*B*A^T + beta*C, or with A^T*B and B^T*A; for a Hermitian C alpha*A*B^H and what is
  ! conjugate to it
  subroutine rank_2k_d(hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_d, a_d, b_d, beta_d, c_d)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    call scale_triangle(hermitian, uplo, n, beta, c, ldc, beta_d, c_d)
    if (present(a_d)) call update_2k(hermitian, uplo, trans, n, k, alpha, a_d, lda, b, ldb, one, c_d, ldc)
    if (present(b_d)) call update_2k(hermitian, uplo, trans, n, k, alpha, a, lda, b_d, ldb, one, c_d, ldc)
    if (present(alpha_d)) call update_2k(hermitian, uplo, trans, n, k, alpha_d, a, lda, b, ldb, one, c_d, ldc)
    call update_2k(hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  end subroutine

  subroutine rank_2k_b(hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &
    alpha_b, a_b, b_b, beta_b, c_b)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta, c(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: product(:,:)
    complex(wp) :: of_a, of_b
    if (n <= 0) return
    of_a = alpha
    of_b = alpha
    if (hermitian) then
      call make_diagonal_real(n, c_b, ldc)
      if (transposed(trans)) of_b = conjg(alpha)
      if (.not. transposed(trans)) of_a = conjg(alpha)
    end if
    if (present(alpha_b)) then
      allocate(product(n,n), source=zero)
      if (hermitian) then
        call cgemm(trans, adjoint_of(trans), n, n, k, one, a, lda, b, ldb, zero, product, n)
        alpha_b = alpha_b + inner_triangle(uplo, n, product, n, c_b, ldc) &
          + conjg(inner_triangle(uplo, n, conjg(transpose(product)), n, c_b, ldc))
      else
      call csyr2k(uplo, trans, n, k, one, a, lda, b, ldb, zero, product, n)
      alpha_b = alpha_b + inner_triangle(uplo, n, product, n, c_b, ldc)
      end if
    end if
    if (present(a_b)) call add_doubled_times(hermitian, uplo, trans, n, k, of_a, c_b, ldc, b, ldb, a_b, lda)
    if (present(b_b)) call add_doubled_times(hermitian, uplo, trans, n, k, of_b, c_b, ldc, a, lda, b_b, ldb)
    call scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
  end subroutine

  ! C' = beta*C' + beta'*C in a triangle.
  subroutine scale_triangle(hermitian, uplo, n, beta, c, ldc, beta_d, c_d)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo
    integer, intent(in) :: n, ldc
    complex(wp), intent(in) :: beta, c(ldc,*)
    complex(wp), intent(in), optional :: beta_d
    complex(wp), intent(inout) :: c_d(ldc,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call scale(to - from + 1, 1, beta, c_d(from,j), ldc)
      if (present(beta_d)) c_d(from:to,j) = c_d(from:to,j) + beta_d*c(from:to,j)
    end do
    if (hermitian) call make_diagonal_real(n, c_d, ldc)
  end subroutine

  subroutine scale_triangle_b(uplo, n, beta, c, ldc, beta_b, c_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, ldc
    complex(wp), intent(in) :: beta, c(ldc,*)
    complex(wp), intent(inout), optional :: beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    integer :: j, from, to
    if (present(beta_b)) beta_b = beta_b + inner_triangle(uplo, n, c, ldc, c_b, ldc)
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call scale(to - from + 1, 1, conjg(beta), c_b(from,j), ldc)
    end do
  end subroutine

  ! The sum of products of the elements of two triangles.
  pure complex(wp) function inner_triangle(uplo, n, a, lda, b, ldb)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, ldb
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    integer :: j, from, to
    inner_triangle = 0
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      inner_triangle = inner_triangle + dot_product(a(from:to,j), b(from:to,j))
    end do
  end function

  ! B = B + conjg(alpha)*(C + C^T)*conjg(A), or conjg(A)*(C + C^T), with a triangle C; alpha*(C + C^H)*A, or A*(C + C^H), for a
  ! Hermitian matrix.
  subroutine add_doubled_times(hermitian, uplo, trans, n, k, alpha, c, ldc, a, lda, b, ldb)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, c(ldc,*), a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*)
    complex(wp), allocatable :: both(:,:)
    integer :: j, from, to
    allocate(both(n,n), source=zero)
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      both(from:to,j) = both(from:to,j) + c(from:to,j)
      if (hermitian) then
        both(j,from:to) = both(j,from:to) + conjg(c(from:to,j))
        cycle
      end if
      both(j,from:to) = both(j,from:to) + c(from:to,j)
    end do
    if (transposed(trans)) then
      call add_product(merge('N', 'R', hermitian), 'N', k, n, n, merge(alpha, conjg(alpha), hermitian), a, lda, both, n, b, ldb)
    else
      call add_product('N', merge('N', 'R', hermitian), n, k, n, merge(alpha, conjg(alpha), hermitian), both, n, a, lda, b, ldb)
    end if
  end subroutine

  subroutine update_k(hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), beta
    complex(wp), intent(inout) :: c(ldc,*)
    if (hermitian) then
      call cherk(uplo, trans, n, k, real(alpha, wp), a, lda, real(beta, wp), c, ldc)
    else
      call csyrk(uplo, trans, n, k, alpha, a, lda, beta, c, ldc)
    end if
  end subroutine

  subroutine update_2k(hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    logical, intent(in) :: hermitian
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*)
    if (hermitian) then
      call cher2k(uplo, trans, n, k, alpha, a, lda, b, ldb, real(beta, wp), c, ldc)
    else
      call csyr2k(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    end if
  end subroutine

  subroutine costate_csyrk_d(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), beta_d
    call rank_k_d(.false., uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
  end subroutine

  subroutine costate_csyr2k_d(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*), beta_d
    call rank_2k_d(.false., uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
  end subroutine

  subroutine costate_csyrk_b(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), beta
    complex(wp), intent(in) :: c(ldc,*)
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), beta_b
    call rank_k_b(.false., uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
  end subroutine

  subroutine costate_csyr2k_b(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), beta
    complex(wp), intent(in) :: c(ldc,*)
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*), beta_b
    call rank_2k_b(.false., uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
  end subroutine

  ! Coefficients are real. A variable that isn't allocated stands for an argument that is absent.
  subroutine costate_cherk_d(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_d, a_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, beta
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    real(wp), intent(in), optional :: alpha_d, beta_d
    complex(wp), intent(in), optional :: a_d(lda,*)
    complex(wp), allocatable :: of_alpha, of_beta
    if (present(alpha_d)) of_alpha = cmplx(alpha_d, kind=wp)
    if (present(beta_d)) of_beta = cmplx(beta_d, kind=wp)
    call rank_k_d(.true., uplo, trans, n, k, cmplx(alpha, kind=wp), a, lda, cmplx(beta, kind=wp), c, ldc, &
      of_alpha, a_d, of_beta, c_d)
  end subroutine

  subroutine costate_cherk_b(uplo, trans, n, k, alpha, a, lda, beta, c, ldc, alpha_b, a_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldc
    real(wp), intent(in) :: alpha, beta
    complex(wp), intent(in) :: a(lda,*), c(ldc,*)
    real(wp), intent(inout), optional :: alpha_b, beta_b
    complex(wp), intent(inout), optional :: a_b(lda,*)
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: of_alpha, of_beta
    if (present(alpha_b)) of_alpha = zero
    if (present(beta_b)) of_beta = zero
    call rank_k_b(.true., uplo, trans, n, k, cmplx(alpha, kind=wp), a, lda, cmplx(beta, kind=wp), c, ldc, &
      of_alpha, a_b, of_beta, c_b)
    if (present(alpha_b)) alpha_b = alpha_b + real(of_alpha, wp)
    if (present(beta_b)) beta_b = beta_b + real(of_beta, wp)
  end subroutine

  subroutine costate_cher2k_d(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_d, a_d, b_d, beta_d, c_d)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    real(wp), intent(in) :: beta
    complex(wp), intent(inout) :: c(ldc,*), c_d(ldc,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*), b_d(ldb,*)
    real(wp), intent(in), optional :: beta_d
    complex(wp), allocatable :: of_beta
    if (present(beta_d)) of_beta = cmplx(beta_d, kind=wp)
    call rank_2k_d(.true., uplo, trans, n, k, alpha, a, lda, b, ldb, cmplx(beta, kind=wp), c, ldc, &
      alpha_d, a_d, b_d, of_beta, c_d)
  end subroutine

  subroutine costate_cher2k_b(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, alpha_b, a_b, b_b, beta_b, c_b)
    character, intent(in) :: uplo, trans
    integer, intent(in) :: n, k, lda, ldb, ldc
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*), c(ldc,*)
    real(wp), intent(in) :: beta
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*), b_b(ldb,*)
    real(wp), intent(inout), optional :: beta_b
    complex(wp), intent(inout) :: c_b(ldc,*)
    complex(wp), allocatable :: of_beta
    if (present(beta_b)) of_beta = zero
    call rank_2k_b(.true., uplo, trans, n, k, alpha, a, lda, b, ldb, cmplx(beta, kind=wp), c, ldc, &
      alpha_b, a_b, b_b, of_beta, c_b)
    if (present(beta_b)) beta_b = beta_b + real(of_beta, wp)
  end subroutine

  ! B = alpha*op(A)*B, or B*op(A), with a triangular A
  subroutine costate_ctrmm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    complex(wp), allocatable :: once(:,:)
    call ctrmm(side, uplo, transa, diag, m, n, alpha, a, lda, b_d, ldb)
    if (m <= 0 .or. n <= 0) return
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, alpha, a_d, lda, b(1:m,1:n), b_d, ldb)
    if (present(alpha_d)) then
      once = b(1:m,1:n)
      call ctrmm(side, uplo, transa, diag, m, n, alpha_d, a, lda, once, m)
      b_d(1:m,1:n) = b_d(1:m,1:n) + once
    end if
    call ctrmm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
  end subroutine

  subroutine costate_ctrmm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: once(:,:)
    if (m <= 0 .or. n <= 0) return
    if (present(alpha_b)) then
      once = b(1:m,1:n)
      call ctrmm(side, uplo, transa, diag, m, n, one, a, lda, once, m)
      alpha_b = alpha_b + inner(m, n, once, m, b_b, ldb)
    end if
    if (present(a_b)) call add_to_triangle(side, uplo, transa, diag, m, n, conjg(alpha), b_b, ldb, b, ldb, a_b, lda)
    call multiply_adjoint(side, uplo, transa, diag, m, n, conjg(alpha), a, lda, b_b, ldb)
  end subroutine

  ! B = alpha*op(A)^-1*B, or B*op(A)^-1, with a triangular A
  subroutine costate_ctrsm_d(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_d, a_d, b_d)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    complex(wp), intent(in), optional :: alpha_d, a_d(lda,*)
    if (m <= 0 .or. n <= 0) return
    call scale(m, n, alpha, b_d, ldb)
    if (present(alpha_d)) b_d(1:m,1:n) = b_d(1:m,1:n) + alpha_d*b(1:m,1:n)
    call ctrsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
    if (present(a_d)) call add_triangle_times(side, uplo, transa, diag, m, n, -one, a_d, lda, b(1:m,1:n), b_d, ldb)
    call ctrsm(side, uplo, transa, diag, m, n, one, a, lda, b_d, ldb)
  end subroutine

  subroutine costate_ctrsm_b(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb, alpha_b, a_b, b_b)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*), b(ldb,*)
    complex(wp), intent(inout), optional :: alpha_b, a_b(lda,*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: solution(:,:)
    if (m <= 0 .or. n <= 0) return
    call solve_adjoint(side, uplo, transa, diag, m, n, one, a, lda, b_b, ldb)
    if (present(alpha_b)) alpha_b = alpha_b + inner(m, n, b, ldb, b_b, ldb)
    if (present(a_b)) then
      solution = b(1:m,1:n)
      call ctrsm(side, uplo, transa, diag, m, n, alpha, a, lda, solution, m)
      call add_to_triangle(side, uplo, transa, diag, m, n, -one, b_b, ldb, solution, m, a_b, lda)
    end if
    call scale(m, n, conjg(alpha), b_b, ldb)
  end subroutine
end module

! Made from tests/templates/lapack_inverse.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's inverses, of its solver for matrices that are symmetric and indefinite, and of its solvers for
! packed triangles, which do what those for triangles of matrices do.
module costate_lapack_inverse_s
  use costate_linear_algebra_s
  use costate_blas_stored_s, only: unpacked, pack_into
  use costate_lapack_factors_s
  implicit none
  private
  public :: costate_sgetri_d, costate_sgetri_b, costate_spotri_d, costate_spotri_b, costate_strtri_d, costate_strtri_b
  public :: costate_ssysv_d, costate_ssysv_b
  public :: costate_spptrf_d, costate_spptrf_b, costate_spptrs_d, costate_spptrs_b, costate_sppsv_d, costate_sppsv_b
contains

  ! A^-1 from the factors of A
  subroutine costate_sgetri_d(n, a, lda, ipiv, work, lwork, info, a_d)
    integer, intent(in) :: n, lda, ipiv(*), lwork
    real(wp), intent(inout) :: a(lda,*), work(*), a_d(lda,*)
    integer, intent(out) :: info
    real(wp), allocatable :: f(:,:), l(:,:), u(:,:)
    f = a(1:n,1:n)
    call sgetri(n, a, lda, ipiv, work, lwork, info)
    if (n <= 0 .or. info /= 0 .or. lwork == -1) return
    ! A' = P*(L'*U + L*U')
    l = below(n, a_d(1:n,1:n))
    u = from_diagonal(n, a_d(1:n,1:n))
    call strmm('R', 'U', 'N', 'N', n, n, one, f, n, l, n)
    call strmm('L', 'L', 'N', 'U', n, n, one, f, n, u, n)
    l = l + u
    call permute(n, n, ipiv, l, n, .true.)
    a_d(1:n,1:n) = -matmul(a(1:n,1:n), matmul(l, a(1:n,1:n)))
  end subroutine

  subroutine costate_sgetri_b(n, a, lda, ipiv, work, lwork, info, a_b)
    integer, intent(in) :: n, lda, ipiv(*), lwork, info
    real(wp), intent(in) :: a(lda,*), work(*)
    real(wp), intent(inout) :: a_b(lda,*)
    real(wp), allocatable :: inverse(:,:), l(:,:), u(:,:), own(:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    inverse = a(1:n,1:n)
    allocate(own(n))
    call sgetri(n, inverse, n, ipiv, own, n, status)
    ! A singular matrix is left as it is.
    if (status /= 0) return
    inverse = transpose(inverse)
    l = -matmul(inverse, matmul(a_b(1:n,1:n), inverse))
    call permute(n, n, ipiv, l, n, .false.)
    u = l
    call strmm('R', 'U', 'C', 'N', n, n, one, a, lda, l, n)
    call strmm('L', 'L', 'C', 'U', n, n, one, a, lda, u, n)
    a_b(1:n,1:n) = below(n, l) + from_diagonal(n, u)
  end subroutine

  ! All of a symmetric matrix from its lower triangle.
  pure function mirrored(n, l) result(s)
    integer, intent(in) :: n
    real(wp), intent(in) :: l(n,n)
    real(wp) :: s(n,n)
    integer :: j
    s = l
    do j = 1, n
      s(j,j+1:n) = l(j+1:n,j)
    end do
  end function

  ! The triangle of A^-1 from the Cholesky factor of A
  subroutine costate_spotri_d(uplo, n, a, lda, info, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    real(wp), allocatable :: l(:,:), l_d(:,:), s(:,:)
    if (n > 0) l = triangle(uplo, n, a, lda)
    call spotri(uplo, n, a, lda, info)
    if (n <= 0 .or. info /= 0) return
    ! A' = L'*L^H + L*L'^H
    l_d = triangle(uplo, n, a_d, lda)
    l = matmul(l_d, transpose(l))
    l = l + transpose(l)
    s = mirrored(n, triangle(uplo, n, a, lda))
    call put_triangle(uplo, n, -matmul(s, matmul(l, s)), a_d, lda)
  end subroutine

  subroutine costate_spotri_b(uplo, n, a, lda, info, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, info
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: a_b(lda,*)
    real(wp), allocatable :: g(:,:), s(:,:)
    integer :: status, j
    if (n <= 0) return
    s = a(1:n,1:n)
    call spotri(uplo, n, s, n, status)
    if (status /= 0) return
    s = mirrored(n, triangle(uplo, n, s, n))
    ! The elements beside the diagonal stand for two.
    g = 0.5_wp*triangle(uplo, n, a_b, lda)
    do j = 1, n
      g(j,j) = 2*g(j,j)
    end do
    g = -2*matmul(s, matmul(mirrored(n, g), matmul(s, triangle(uplo, n, a, lda))))
    call put_triangle(uplo, n, g, a_b, lda)
  end subroutine

  ! The inverse of a triangular A
  subroutine costate_strtri_d(uplo, diag, n, a, lda, info, a_d)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, lda
    real(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    call strtri(uplo, diag, n, a, lda, info)
    if (n > 0 .and. info == 0) call minus_both_sides(uplo, 'N', diag, n, a, lda, a_d)
  end subroutine

  subroutine costate_strtri_b(uplo, diag, n, a, lda, info, a_b)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, lda, info
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: a_b(lda,*)
    if (n > 0 .and. info == 0) call minus_both_sides(uplo, 'C', diag, n, a, lda, a_b)
  end subroutine

  ! The triangle of B = -op(A)*B*op(A)
  subroutine minus_both_sides(uplo, trans, diag, n, a, lda, b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: a(lda,*)
    real(wp), intent(inout) :: b(lda,*)
    real(wp), allocatable :: m(:,:)
    integer :: j, from, to
    allocate(m(n,n), source=zero)
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      m(from:to,j) = b(from:to,j)
    end do
    call strmm('L', uplo, trans, diag, n, n, -one, a, lda, m, n)
    call strmm('R', uplo, trans, diag, n, n, one, a, lda, m, n)
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      b(from:to,j) = m(from:to,j)
    end do
  end subroutine

  ! X = A^-1*B with a symmetric A. The factors that it leaves have no derivative that is known.
  subroutine costate_ssysv_d(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb, lwork
    real(wp), intent(inout) :: a(lda,*), b(ldb,*), work(*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: ipiv(*), info
    integer :: status
    call ssysv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info)
    if (n <= 0 .or. info < 0 .or. lwork == -1) return
    if (info == 0 .and. nrhs > 0) then
      call ssymm('L', uplo, n, nrhs, -one, a_d, lda, b, ldb, one, b_d, ldb)
      call ssytrs(uplo, n, nrhs, a, lda, ipiv, b_d, ldb, status)
    end if
    call spoil_triangle(uplo, n, a_d, lda)
  end subroutine

  subroutine costate_ssysv_b(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb, lwork, info
    real(wp), intent(in) :: a(lda,*), b(ldb,*), work(*)
    real(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    real(wp), allocatable :: s(:,:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    call refuse_if_used(n, n, triangle(uplo, n, a_b, lda), n, 'factors that ssysv leaves')
    ! Where nothing was solved b is what it was.
    if (info > 0 .or. nrhs <= 0) return
    call ssytrs(uplo, n, nrhs, a, lda, ipiv, b_b, ldb, status)
    allocate(s(n,n), source=zero)
    call sgemm('N', 'C', n, n, nrhs, -one, b_b, ldb, b, ldb, zero, s, n)
    call put_triangle(uplo, n, folded(n, s), a_b, lda)
  end subroutine

  ! The Cholesky factor of a packed triangle
  subroutine costate_spptrf_d(uplo, n, ap, info, ap_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    real(wp), intent(inout) :: ap(*), ap_d(*)
    integer, intent(out) :: info
    real(wp), allocatable :: a(:,:), a_d(:,:)
    integer :: status
    a = unpacked(uplo, n, ap)
    a_d = unpacked(uplo, n, ap_d)
    call spptrf(uplo, n, ap, info)
    if (n <= 0) return
    call costate_spotrf_d(uplo, n, a, n, status, a_d)
    call pack_into(uplo, n, a_d, ap_d)
  end subroutine

  subroutine costate_spptrf_b(uplo, n, ap, info, ap_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, info
    real(wp), intent(in) :: ap(*)
    real(wp), intent(inout) :: ap_b(*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_spotrf_b(uplo, n, unpacked(uplo, n, ap), n, info, a_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! X = A^-1*B with the packed Cholesky factor of A
  subroutine costate_spptrs_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb
    real(wp), intent(in) :: ap(*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    real(wp), intent(in), optional :: ap_d(*)
    real(wp), allocatable :: own(:,:), a_d(:,:)
    own = b(1:n,1:nrhs)
    if (n > 0) then
      ! What has no memory counts as absent.
      if (present(ap_d)) a_d = unpacked(uplo, n, ap_d)
      call costate_spotrs_d(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_d, b_d)
      b(1:n,1:nrhs) = own
    end if
    call spptrs(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_spptrs_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    real(wp), intent(in) :: ap(*), b(ldb,*)
    real(wp), intent(inout), optional :: ap_b(*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_spotrs_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! The packed Cholesky factor of A, and X = A^-1*B
  subroutine costate_sppsv_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb
    real(wp), intent(inout) :: ap(*), b(ldb,*), ap_d(*), b_d(ldb,*)
    integer, intent(out) :: info
    real(wp), allocatable :: a(:,:), a_d(:,:), own(:,:)
    if (n > 0) then
      a = unpacked(uplo, n, ap)
      a_d = unpacked(uplo, n, ap_d)
      own = b(1:n,1:nrhs)
      call costate_sposv_d(uplo, n, nrhs, a, n, b, ldb, info, a_d, b_d)
      call pack_into(uplo, n, a_d, ap_d)
      b(1:n,1:nrhs) = own
    end if
    call sppsv(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_sppsv_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    real(wp), intent(in) :: ap(*), b(ldb,*)
    real(wp), intent(inout) :: ap_b(*), b_b(ldb,*)
    real(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_sposv_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine
end module

! Made from tests/templates/lapack_inverse.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's inverses, of its solver for matrices that are Hermitian and indefinite, and of its solvers for
! packed triangles, which do what those for triangles of matrices do.
module costate_lapack_inverse_z
  use costate_linear_algebra_z
  use costate_blas_stored_z, only: unpacked, pack_into
  use costate_lapack_factors_z
  implicit none
  private
  public :: costate_zgetri_d, costate_zgetri_b, costate_zpotri_d, costate_zpotri_b, costate_ztrtri_d, costate_ztrtri_b
  public :: costate_zhesv_d, costate_zhesv_b
  public :: costate_zpptrf_d, costate_zpptrf_b, costate_zpptrs_d, costate_zpptrs_b, costate_zppsv_d, costate_zppsv_b
contains

  ! A^-1 from the factors of A
  subroutine costate_zgetri_d(n, a, lda, ipiv, work, lwork, info, a_d)
    integer, intent(in) :: n, lda, ipiv(*), lwork
    complex(wp), intent(inout) :: a(lda,*), work(*), a_d(lda,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: f(:,:), l(:,:), u(:,:)
    f = a(1:n,1:n)
    call zgetri(n, a, lda, ipiv, work, lwork, info)
    if (n <= 0 .or. info /= 0 .or. lwork == -1) return
    ! A' = P*(L'*U + L*U')
    l = below(n, a_d(1:n,1:n))
    u = from_diagonal(n, a_d(1:n,1:n))
    call ztrmm('R', 'U', 'N', 'N', n, n, one, f, n, l, n)
    call ztrmm('L', 'L', 'N', 'U', n, n, one, f, n, u, n)
    l = l + u
    call permute(n, n, ipiv, l, n, .true.)
    a_d(1:n,1:n) = -matmul(a(1:n,1:n), matmul(l, a(1:n,1:n)))
  end subroutine

  subroutine costate_zgetri_b(n, a, lda, ipiv, work, lwork, info, a_b)
    integer, intent(in) :: n, lda, ipiv(*), lwork, info
    complex(wp), intent(in) :: a(lda,*), work(*)
    complex(wp), intent(inout) :: a_b(lda,*)
    complex(wp), allocatable :: inverse(:,:), l(:,:), u(:,:), own(:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    inverse = a(1:n,1:n)
    allocate(own(n))
    call zgetri(n, inverse, n, ipiv, own, n, status)
    ! A singular matrix is left as it is.
    if (status /= 0) return
    inverse = conjg(transpose(inverse))
    l = -matmul(inverse, matmul(a_b(1:n,1:n), inverse))
    call permute(n, n, ipiv, l, n, .false.)
    u = l
    call ztrmm('R', 'U', 'C', 'N', n, n, one, a, lda, l, n)
    call ztrmm('L', 'L', 'C', 'U', n, n, one, a, lda, u, n)
    a_b(1:n,1:n) = below(n, l) + from_diagonal(n, u)
  end subroutine

  ! All of a Hermitian matrix from its lower triangle.
  pure function mirrored(n, l) result(s)
    integer, intent(in) :: n
    complex(wp), intent(in) :: l(n,n)
    complex(wp) :: s(n,n)
    integer :: j
    s = l
    do j = 1, n
      s(j,j+1:n) = conjg(l(j+1:n,j))
      s(j,j) = real(l(j,j), wp)
    end do
  end function

  ! The triangle of A^-1 from the Cholesky factor of A
  subroutine costate_zpotri_d(uplo, n, a, lda, info, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: l(:,:), l_d(:,:), s(:,:)
    if (n > 0) l = triangle(uplo, n, a, lda)
    call zpotri(uplo, n, a, lda, info)
    if (n <= 0 .or. info /= 0) return
    ! A' = L'*L^H + L*L'^H
    l_d = triangle(uplo, n, a_d, lda)
    l = matmul(l_d, conjg(transpose(l)))
    l = l + conjg(transpose(l))
    s = mirrored(n, triangle(uplo, n, a, lda))
    call put_triangle(uplo, n, -matmul(s, matmul(l, s)), a_d, lda)
  end subroutine

  subroutine costate_zpotri_b(uplo, n, a, lda, info, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, info
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    complex(wp), allocatable :: g(:,:), s(:,:)
    integer :: status, j
    if (n <= 0) return
    s = a(1:n,1:n)
    call zpotri(uplo, n, s, n, status)
    if (status /= 0) return
    s = mirrored(n, triangle(uplo, n, s, n))
    ! The elements beside the diagonal stand for two.
    g = 0.5_wp*triangle(uplo, n, a_b, lda)
    do j = 1, n
      g(j,j) = 2*g(j,j)
    end do
    g = -2*matmul(s, matmul(mirrored(n, g), matmul(s, triangle(uplo, n, a, lda))))
    do j = 1, n
      g(j,j) = real(g(j,j), wp)
    end do
    call put_triangle(uplo, n, g, a_b, lda)
  end subroutine

  ! The inverse of a triangular A
  subroutine costate_ztrtri_d(uplo, diag, n, a, lda, info, a_d)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    call ztrtri(uplo, diag, n, a, lda, info)
    if (n > 0 .and. info == 0) call minus_both_sides(uplo, 'N', diag, n, a, lda, a_d)
  end subroutine

  subroutine costate_ztrtri_b(uplo, diag, n, a, lda, info, a_b)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, lda, info
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    if (n > 0 .and. info == 0) call minus_both_sides(uplo, 'C', diag, n, a, lda, a_b)
  end subroutine

  ! The triangle of B = -op(A)*B*op(A)
  subroutine minus_both_sides(uplo, trans, diag, n, a, lda, b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: b(lda,*)
    complex(wp), allocatable :: m(:,:)
    integer :: j, from, to
    allocate(m(n,n), source=zero)
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      m(from:to,j) = b(from:to,j)
    end do
    call ztrmm('L', uplo, trans, diag, n, n, -one, a, lda, m, n)
    call ztrmm('R', uplo, trans, diag, n, n, one, a, lda, m, n)
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      b(from:to,j) = m(from:to,j)
    end do
  end subroutine

  ! X = A^-1*B with a Hermitian A. The factors that it leaves have no derivative that is known.
  subroutine costate_zhesv_d(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb, lwork
    complex(wp), intent(inout) :: a(lda,*), b(ldb,*), work(*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: ipiv(*), info
    integer :: status
    call zhesv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info)
    if (n <= 0 .or. info < 0 .or. lwork == -1) return
    if (info == 0 .and. nrhs > 0) then
      call zhemm('L', uplo, n, nrhs, -one, a_d, lda, b, ldb, one, b_d, ldb)
      call zhetrs(uplo, n, nrhs, a, lda, ipiv, b_d, ldb, status)
    end if
    call spoil_triangle(uplo, n, a_d, lda)
  end subroutine

  subroutine costate_zhesv_b(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb, lwork, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*), work(*)
    complex(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    complex(wp), allocatable :: s(:,:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    call refuse_if_used(n, n, triangle(uplo, n, a_b, lda), n, 'factors that zhesv leaves')
    ! Where nothing was solved b is what it was.
    if (info > 0 .or. nrhs <= 0) return
    call zhetrs(uplo, n, nrhs, a, lda, ipiv, b_b, ldb, status)
    allocate(s(n,n), source=zero)
    call zgemm('N', 'C', n, n, nrhs, -one, b_b, ldb, b, ldb, zero, s, n)
    call put_triangle(uplo, n, folded(n, s), a_b, lda)
  end subroutine

  ! The Cholesky factor of a packed triangle
  subroutine costate_zpptrf_d(uplo, n, ap, info, ap_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    complex(wp), intent(inout) :: ap(*), ap_d(*)
    integer, intent(out) :: info
    complex(wp), allocatable :: a(:,:), a_d(:,:)
    integer :: status
    a = unpacked(uplo, n, ap)
    a_d = unpacked(uplo, n, ap_d)
    call zpptrf(uplo, n, ap, info)
    if (n <= 0) return
    call costate_zpotrf_d(uplo, n, a, n, status, a_d)
    call pack_into(uplo, n, a_d, ap_d)
  end subroutine

  subroutine costate_zpptrf_b(uplo, n, ap, info, ap_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, info
    complex(wp), intent(in) :: ap(*)
    complex(wp), intent(inout) :: ap_b(*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_zpotrf_b(uplo, n, unpacked(uplo, n, ap), n, info, a_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! X = A^-1*B with the packed Cholesky factor of A
  subroutine costate_zpptrs_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb
    complex(wp), intent(in) :: ap(*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    complex(wp), intent(in), optional :: ap_d(*)
    complex(wp), allocatable :: own(:,:), a_d(:,:)
    own = b(1:n,1:nrhs)
    if (n > 0) then
      ! What has no memory counts as absent.
      if (present(ap_d)) a_d = unpacked(uplo, n, ap_d)
      call costate_zpotrs_d(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_d, b_d)
      b(1:n,1:nrhs) = own
    end if
    call zpptrs(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_zpptrs_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    complex(wp), intent(in) :: ap(*), b(ldb,*)
    complex(wp), intent(inout), optional :: ap_b(*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_zpotrs_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! The packed Cholesky factor of A, and X = A^-1*B
  subroutine costate_zppsv_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb
    complex(wp), intent(inout) :: ap(*), b(ldb,*), ap_d(*), b_d(ldb,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: a(:,:), a_d(:,:), own(:,:)
    if (n > 0) then
      a = unpacked(uplo, n, ap)
      a_d = unpacked(uplo, n, ap_d)
      own = b(1:n,1:nrhs)
      call costate_zposv_d(uplo, n, nrhs, a, n, b, ldb, info, a_d, b_d)
      call pack_into(uplo, n, a_d, ap_d)
      b(1:n,1:nrhs) = own
    end if
    call zppsv(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_zppsv_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    complex(wp), intent(in) :: ap(*), b(ldb,*)
    complex(wp), intent(inout) :: ap_b(*), b_b(ldb,*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_zposv_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine
end module

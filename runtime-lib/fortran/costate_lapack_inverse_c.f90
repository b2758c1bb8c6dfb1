! Made from tests/templates/lapack_inverse.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's inverses, of its solver for matrices that are Hermitian and indefinite, and of its solvers for
! packed triangles, which do what those for triangles of matrices do.
module costate_lapack_inverse_c
  use costate_linear_algebra_c
  use costate_blas_stored_c, only: unpacked, pack_into
  use costate_lapack_factors_c
  implicit none
  private
  public :: costate_cgetri_d, costate_cgetri_b, costate_cpotri_d, costate_cpotri_b, costate_ctrtri_d, costate_ctrtri_b
  public :: costate_chesv_d, costate_chesv_b
  public :: costate_cpptrf_d, costate_cpptrf_b, costate_cpptrs_d, costate_cpptrs_b, costate_cppsv_d, costate_cppsv_b
contains

  ! A^-1 from the factors of A
  subroutine costate_cgetri_d(n, a, lda, ipiv, work, lwork, info, a_d)
    integer, intent(in) :: n, lda, ipiv(*), lwork
    complex(wp), intent(inout) :: a(lda,*), work(*), a_d(lda,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: f(:,:), l(:,:), u(:,:)
    f = a(1:n,1:n)
    call cgetri(n, a, lda, ipiv, work, lwork, info)
    if (n <= 0 .or. info /= 0 .or. lwork == -1) return
    ! A' = P*(L'*U + L*U')
    l = below(n, a_d(1:n,1:n))
    u = from_diagonal(n, a_d(1:n,1:n))
    call ctrmm('R', 'U', 'N', 'N', n, n, one, f, n, l, n)
    call ctrmm('L', 'L', 'N', 'U', n, n, one, f, n, u, n)
    l = l + u
    call permute(n, n, ipiv, l, n, .true.)
    a_d(1:n,1:n) = -matmul(a(1:n,1:n), matmul(l, a(1:n,1:n)))
  end subroutine

  subroutine costate_cgetri_b(n, a, lda, ipiv, work, lwork, info, a_b)
    integer, intent(in) :: n, lda, ipiv(*), lwork, info
    complex(wp), intent(in) :: a(lda,*), work(*)
    complex(wp), intent(inout) :: a_b(lda,*)
    complex(wp), allocatable :: inverse(:,:), l(:,:), u(:,:), own(:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    inverse = a(1:n,1:n)
    allocate(own(n))
    call cgetri(n, inverse, n, ipiv, own, n, status)
    ! A singular matrix is left as it is.
    if (status /= 0) return
    inverse = conjg(transpose(inverse))
    l = -matmul(inverse, matmul(a_b(1:n,1:n), inverse))
    call permute(n, n, ipiv, l, n, .false.)
    u = l
    call ctrmm('R', 'U', 'C', 'N', n, n, one, a, lda, l, n)
    call ctrmm('L', 'L', 'C', 'U', n, n, one, a, lda, u, n)
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
  subroutine costate_cpotri_d(uplo, n, a, lda, info, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: l(:,:), l_d(:,:), s(:,:)
    if (n > 0) l = triangle(uplo, n, a, lda)
    call cpotri(uplo, n, a, lda, info)
    if (n <= 0 .or. info /= 0) return
    ! A' = L'*L^H + L*L'^H
    l_d = triangle(uplo, n, a_d, lda)
    l = matmul(l_d, conjg(transpose(l)))
    l = l + conjg(transpose(l))
    s = mirrored(n, triangle(uplo, n, a, lda))
    call put_triangle(uplo, n, -matmul(s, matmul(l, s)), a_d, lda)
  end subroutine

  subroutine costate_cpotri_b(uplo, n, a, lda, info, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, info
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    complex(wp), allocatable :: g(:,:), s(:,:)
    integer :: status, j
    if (n <= 0) return
    s = a(1:n,1:n)
    call cpotri(uplo, n, s, n, status)
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
  subroutine costate_ctrtri_d(uplo, diag, n, a, lda, info, a_d)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    call ctrtri(uplo, diag, n, a, lda, info)
    if (n > 0 .and. info == 0) call minus_both_sides(uplo, 'N', diag, n, a, lda, a_d)
  end subroutine

  subroutine costate_ctrtri_b(uplo, diag, n, a, lda, info, a_b)
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
    call ctrmm('L', uplo, trans, diag, n, n, -one, a, lda, m, n)
    call ctrmm('R', uplo, trans, diag, n, n, one, a, lda, m, n)
    do j = 1, n
      call rows(uplo, diag, n, j, from, to)
      b(from:to,j) = m(from:to,j)
    end do
  end subroutine

  ! X = A^-1*B with a Hermitian A. The factors that it leaves have no derivative that is known.
  subroutine costate_chesv_d(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb, lwork
    complex(wp), intent(inout) :: a(lda,*), b(ldb,*), work(*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: ipiv(*), info
    integer :: status
    call chesv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info)
    if (n <= 0 .or. info < 0 .or. lwork == -1) return
    if (info == 0 .and. nrhs > 0) then
      call chemm('L', uplo, n, nrhs, -one, a_d, lda, b, ldb, one, b_d, ldb)
      call chetrs(uplo, n, nrhs, a, lda, ipiv, b_d, ldb, status)
    end if
    call spoil_triangle(uplo, n, a_d, lda)
  end subroutine

  subroutine costate_chesv_b(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork, info, a_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb, lwork, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*), work(*)
    complex(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    complex(wp), allocatable :: s(:,:)
    integer :: status
    if (n <= 0 .or. lwork == -1) return
    call refuse_if_used(n, n, triangle(uplo, n, a_b, lda), n, 'factors that chesv leaves')
    ! Where nothing was solved b is what it was.
    if (info > 0 .or. nrhs <= 0) return
    call chetrs(uplo, n, nrhs, a, lda, ipiv, b_b, ldb, status)
    allocate(s(n,n), source=zero)
    call cgemm('N', 'C', n, n, nrhs, -one, b_b, ldb, b, ldb, zero, s, n)
    call put_triangle(uplo, n, folded(n, s), a_b, lda)
  end subroutine

  ! The Cholesky factor of a packed triangle
  subroutine costate_cpptrf_d(uplo, n, ap, info, ap_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    complex(wp), intent(inout) :: ap(*), ap_d(*)
    integer, intent(out) :: info
    complex(wp), allocatable :: a(:,:), a_d(:,:)
    integer :: status
    a = unpacked(uplo, n, ap)
    a_d = unpacked(uplo, n, ap_d)
    call cpptrf(uplo, n, ap, info)
    if (n <= 0) return
    call costate_cpotrf_d(uplo, n, a, n, status, a_d)
    call pack_into(uplo, n, a_d, ap_d)
  end subroutine

  subroutine costate_cpptrf_b(uplo, n, ap, info, ap_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, info
    complex(wp), intent(in) :: ap(*)
    complex(wp), intent(inout) :: ap_b(*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_cpotrf_b(uplo, n, unpacked(uplo, n, ap), n, info, a_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! X = A^-1*B with the packed Cholesky factor of A
  subroutine costate_cpptrs_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
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
      call costate_cpotrs_d(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_d, b_d)
      b(1:n,1:nrhs) = own
    end if
    call cpptrs(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_cpptrs_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    complex(wp), intent(in) :: ap(*), b(ldb,*)
    complex(wp), intent(inout), optional :: ap_b(*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    if (present(ap_b)) a_b = unpacked(uplo, n, ap_b)
    call costate_cpotrs_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    if (present(ap_b)) call pack_into(uplo, n, a_b, ap_b)
  end subroutine

  ! The packed Cholesky factor of A, and X = A^-1*B
  subroutine costate_cppsv_d(uplo, n, nrhs, ap, b, ldb, info, ap_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb
    complex(wp), intent(inout) :: ap(*), b(ldb,*), ap_d(*), b_d(ldb,*)
    integer, intent(out) :: info
    complex(wp), allocatable :: a(:,:), a_d(:,:), own(:,:)
    if (n > 0) then
      a = unpacked(uplo, n, ap)
      a_d = unpacked(uplo, n, ap_d)
      own = b(1:n,1:nrhs)
      call costate_cposv_d(uplo, n, nrhs, a, n, b, ldb, info, a_d, b_d)
      call pack_into(uplo, n, a_d, ap_d)
      b(1:n,1:nrhs) = own
    end if
    call cppsv(uplo, n, nrhs, ap, b, ldb, info)
  end subroutine

  subroutine costate_cppsv_b(uplo, n, nrhs, ap, b, ldb, info, ap_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, ldb, info
    complex(wp), intent(in) :: ap(*), b(ldb,*)
    complex(wp), intent(inout) :: ap_b(*), b_b(ldb,*)
    complex(wp), allocatable :: a_b(:,:)
    if (n <= 0) return
    a_b = unpacked(uplo, n, ap_b)
    call costate_cposv_b(uplo, n, nrhs, unpacked(uplo, n, ap), n, b, ldb, info, a_b, b_b)
    call pack_into(uplo, n, a_b, ap_b)
  end subroutine
end module

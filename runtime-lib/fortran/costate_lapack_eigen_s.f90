! Made from tests/templates/lapack_eigen.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's symmetric eigenvalue problems. Adjoints compute eigenvectors again,
! from the matrix. Those of close eigenvalues have no derivative that could be computed. Formulas: M. Giles, An extended collection
! of matrix derivative results, Oxford 2008.
module costate_lapack_eigen_s
  use costate_linear_algebra_s
  implicit none
  private
  public :: costate_ssyev_d, costate_ssyev_b, costate_ssyevd_d, costate_ssyevd_b
contains

  pure logical function wants_vectors(jobz)
    character, intent(in) :: jobz
    wants_vectors = is_letter(jobz, 'V')
  end function

  ! Half of the digits are lost where eigenvalues are as close as that.
  pure logical function close(n, w, i, j)
    integer, intent(in) :: n, i, j
    real(wp), intent(in) :: w(n)
    close = abs(w(i) - w(j)) <= sqrt(epsilon(w))*max(abs(w(1)), abs(w(n)))
  end function

  ! The derivatives of eigenvalues, w' = diag(M), and of eigenvectors, V' = V*(M/(w_j - w_i)), with M = V^T*A'*V.
  subroutine eigen_d(jobz, uplo, n, v, w, a_d, lda, w_d)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: v(n,n), w(n)
    real(wp), intent(inout) :: a_d(lda,*), w_d(*)
    real(wp) :: m(n,n), product(n,n)
    logical :: unknown_column(n)
    integer :: i, j
    product = 0
    call ssymm('L', uplo, n, n, 1.0_wp, a_d, lda, v, n, 0.0_wp, product, n)
    m = 0
    call sgemm('T', 'N', n, n, n, 1.0_wp, v, n, product, n, 0.0_wp, m, n)
    do j = 1, n
      w_d(j) = m(j,j)
    end do
    if (.not. wants_vectors(jobz)) then
      call spoil_triangle(uplo, n, a_d, lda)
      return
    end if
    unknown_column = .false.
    do j = 1, n
      do i = 1, n
        if (i == j) then
          m(i,j) = 0
        else if (m(i,j) /= 0) then
          unknown_column(j) = unknown_column(j) .or. close(n, w, i, j)
          m(i,j) = m(i,j)/(w(j) - w(i))
        end if
      end do
    end do
    call sgemm('N', 'N', n, n, n, 1.0_wp, v, n, m, n, 0.0_wp, a_d, lda)
    do j = 1, n
      if (unknown_column(j)) call spoil(a_d(1:n,j))
    end do
  end subroutine

  subroutine spoil_triangle(uplo, n, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    real(wp), intent(inout) :: a(lda,*)
    integer :: j, from, to
    do j = 1, n
      call rows(uplo, 'N', n, j, from, to)
      call spoil(a(from:to,j))
    end do
  end subroutine

  subroutine spoil_all(jobz, uplo, n, a_d, lda, w_d)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda
    real(wp), intent(inout) :: a_d(lda,*), w_d(*)
    call spoil(w_d(1:n))
    call spoil_triangle(uplo, n, a_d, lda)
    if (wants_vectors(jobz)) call spoil(a_d(1:n,1:n))
  end subroutine

  ! The adjoint of A's triangle: that of A is V*F*V^T, where F has that of eigenvalues on its diagonal, and V^T*V_b/(w_j - w_i)
  ! beside it.
  subroutine eigen_b(jobz, uplo, n, v, w, a_b, lda, w_b)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: v(n,n), w(n)
    real(wp), intent(inout) :: a_b(lda,*), w_b(*)
    real(wp) :: f(n,n), s(n,n)
    integer :: i, j, from, to
    f = 0
    if (wants_vectors(jobz)) then
      call sgemm('T', 'N', n, n, n, 1.0_wp, v, n, a_b, lda, 0.0_wp, f, n)
      a_b(1:n,1:n) = 0
    else
      do j = 1, n
        call rows(uplo, 'N', n, j, from, to)
        if (any(a_b(from:to,j) /= 0)) call unknown('what the eigenvalues leave of the matrix')
      end do
    end if
    do j = 1, n
      do i = 1, j - 1
        ! Only rotations in the plane of both eigenvectors count.
        f(i,j) = f(i,j) - f(j,i)
        f(j,i) = 0
        if (f(i,j) == 0) cycle
        if (close(n, w, i, j)) call unknown('eigenvectors of eigenvalues that are close to each other')
        f(i,j) = f(i,j)/(w(j) - w(i))
      end do
      f(j,j) = w_b(j)
      w_b(j) = 0
    end do
    s = 0
    call sgemm('N', 'N', n, n, n, 1.0_wp, v, n, f, n, 0.0_wp, s, n)
    f = s
    call sgemm('N', 'T', n, n, n, 1.0_wp, f, n, v, n, 0.0_wp, s, n)
    do j = 1, n
      call rows(uplo, 'U', n, j, from, to)
      a_b(from:to,j) = s(from:to,j) + s(j,from:to)
      a_b(j,j) = s(j,j)
    end do
  end subroutine

  subroutine refuse_all(n, a_b, lda, w_b)
    integer, intent(in) :: n, lda
    real(wp), intent(in) :: a_b(lda,*), w_b(*)
    if (any(w_b(1:n) /= 0) .or. any(a_b(1:n,1:n) /= 0)) call unknown('eigenvalues that weren''t found')
  end subroutine

  ! Eigenvalues and eigenvectors of a symmetric matrix
  subroutine costate_ssyev_d(jobz, uplo, n, a, lda, w, work, lwork, info, a_d, w_d)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda, lwork
    real(wp), intent(inout) :: a(lda,*), w(*), work(*), a_d(lda,*), w_d(*)
    integer, intent(out) :: info
    real(wp), allocatable :: v(:,:)
    real(wp) :: again(max(n, 0))
    integer :: status
    if (.not. (lwork == -1) .and. n > 0) v = a(1:n,1:n)
    call ssyev(jobz, uplo, n, a, lda, w, work, lwork, info)
    if (lwork == -1 .or. info < 0 .or. n <= 0) return
    if (info > 0) then
      call spoil_all(jobz, uplo, n, a_d, lda, w_d)
      return
    end if
    if (wants_vectors(jobz)) then
      v = a(1:n,1:n)
    else
      call syev_vectors(uplo, n, v, again, status)
    end if
    call eigen_d(jobz, uplo, n, v, w(1:n), a_d, lda, w_d)
  end subroutine

  subroutine costate_ssyev_b(jobz, uplo, n, a, lda, w, work, lwork, info, a_b, w_b)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda, lwork, info
    real(wp), intent(in) :: a(lda,*), w(*), work(*)
    real(wp), intent(inout) :: a_b(lda,*), w_b(*)
    real(wp), allocatable :: v(:,:)
    real(wp) :: again(max(n, 0))
    integer :: status
    if (lwork == -1 .or. n <= 0) return
    v = a(1:n,1:n)
    call syev_vectors(uplo, n, v, again, status)
    if (status > 0) then
      call refuse_all(n, a_b, lda, w_b)
    else
      call eigen_b(jobz, uplo, n, v, again, a_b, lda, w_b)
    end if
  end subroutine

  subroutine syev_vectors(uplo, n, v, w, info)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    real(wp), intent(inout) :: v(n,n)
    real(wp), intent(out) :: w(n)
    integer, intent(out) :: info
    real(wp) :: work(64*n)
    call ssyev('V', uplo, n, v, n, w, work, size(work), info)
  end subroutine

  ! Eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer
  subroutine costate_ssyevd_d(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, a_d, w_d)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda, lwork, liwork
    real(wp), intent(inout) :: a(lda,*), w(*), work(*), a_d(lda,*), w_d(*)
    integer, intent(inout) :: iwork(*)
    integer, intent(out) :: info
    real(wp), allocatable :: v(:,:)
    real(wp) :: again(max(n, 0))
    integer :: status
    if (.not. (lwork == -1 .or. liwork == -1) .and. n > 0) v = a(1:n,1:n)
    call ssyevd(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info)
    if (lwork == -1 .or. liwork == -1 .or. info < 0 .or. n <= 0) return
    if (info > 0) then
      call spoil_all(jobz, uplo, n, a_d, lda, w_d)
      return
    end if
    if (wants_vectors(jobz)) then
      v = a(1:n,1:n)
    else
      call syevd_vectors(uplo, n, v, again, status)
    end if
    call eigen_d(jobz, uplo, n, v, w(1:n), a_d, lda, w_d)
  end subroutine

  subroutine costate_ssyevd_b(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, a_b, w_b)
    character, intent(in) :: jobz, uplo
    integer, intent(in) :: n, lda, lwork, liwork, info, iwork(*)
    real(wp), intent(in) :: a(lda,*), w(*), work(*)
    real(wp), intent(inout) :: a_b(lda,*), w_b(*)
    real(wp), allocatable :: v(:,:)
    real(wp) :: again(max(n, 0))
    integer :: status
    if (lwork == -1 .or. liwork == -1 .or. n <= 0) return
    v = a(1:n,1:n)
    call syevd_vectors(uplo, n, v, again, status)
    if (status > 0) then
      call refuse_all(n, a_b, lda, w_b)
    else
      call eigen_b(jobz, uplo, n, v, again, a_b, lda, w_b)
    end if
  end subroutine

  subroutine syevd_vectors(uplo, n, v, w, info)
    character, intent(in) :: uplo
    integer, intent(in) :: n
    real(wp), intent(inout) :: v(n,n)
    real(wp), intent(out) :: w(n)
    integer, intent(out) :: info
    real(wp) :: work(1 + 6*n + 2*n**2)
    integer :: iwork(3 + 5*n)
    call ssyevd('V', uplo, n, v, n, w, work, size(work), iwork, size(iwork), info)
  end subroutine
end module

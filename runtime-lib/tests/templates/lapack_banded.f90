! Derivatives of LAPACK's solvers with banded and tridiagonal matrices. Element (i,j) of a band
! stands in row kl + ku + 1 + i - j of column j. Factors are differentiated step by step of the elimination, with the pivots that
! the library has chosen: its values in each step are those that it leaves.
module costate_lapack_banded_?
  use costate_linear_algebra_?
  implicit none
  private
  public :: costate_?gbsv_d, costate_?gbsv_b, costate_?gbtrf_d, costate_?gbtrf_b, costate_?gbtrs_d, costate_?gbtrs_b
  public :: costate_?gttrf_d, costate_?gttrf_b, costate_?gttrs_d, costate_?gttrs_b
  public :: costate_?ptsv_d, costate_?ptsv_b, costate_?pttrf_d, costate_?pttrf_b, costate_?pttrs_d, costate_?pttrs_b
contains

  pure subroutine exchange(x, i, j)
    real(wp), intent(inout) :: x(*)
    integer, intent(in) :: i, j
    real(wp) :: kept
    kept = x(i)
    x(i) = x(j)
    x(j) = kept
  end subroutine

  ! Rows j and i of a band, from column j on.
  pure subroutine exchange_rows(n, kl, ku, j, i, ab, ldab)
    integer, intent(in) :: n, kl, ku, j, i, ldab
    real(wp), intent(inout) :: ab(ldab,*)
    integer :: c, d
    d = kl + ku + 1
    do c = j, min(j + kl + ku, n)
      call exchange(ab(1,c), d + j - c, d + i - c)
    end do
  end subroutine

  ! Elements that the matrix has not, but its factor has.
  pure subroutine clear_fill(n, kl, ku, ab, ldab)
    integer, intent(in) :: n, kl, ku, ldab
    real(wp), intent(inout) :: ab(ldab,*)
    integer :: i, j
    do j = 1, n
      do i = max(1, j - kl - ku), j - ku - 1
        ab(kl+ku+1+i-j,j) = 0
      end do
    end do
  end subroutine

  ! All elements of the band and its factors that lie in the matrix.
  pure logical function any_used(n, kl, ku, ab, ldab)
    integer, intent(in) :: n, kl, ku, ldab
    real(wp), intent(in) :: ab(ldab,*)
    integer :: i, j
    any_used = .false.
    do j = 1, n
      do i = max(1, j - kl - ku), min(n, j + kl)
        any_used = any_used .or. ab(kl+ku+1+i-j,j) /= 0
      end do
    end do
  end function

  pure subroutine spoil_band(n, kl, ku, ab, ldab)
    integer, intent(in) :: n, kl, ku, ldab
    real(wp), intent(inout) :: ab(ldab,*)
    integer :: i, j
    do j = 1, n
      do i = max(1, j - kl - ku), min(n, j + kl)
        call spoil(ab(kl+ku+1+i-j,j))
      end do
    end do
  end subroutine

  ! The derivative of the factors of a band, in the place of the band's.
  subroutine factors_d(n, kl, ku, ab, ldab, ipiv, ab_d)
    integer, intent(in) :: n, kl, ku, ldab, ipiv(*)
    real(wp), intent(in) :: ab(ldab,*)
    real(wp), intent(inout) :: ab_d(ldab,*)
    integer :: c, d, j, km, r
    d = kl + ku + 1
    call clear_fill(n, kl, ku, ab_d, ldab)
    do j = 1, n
      km = min(kl, n - j)
      call exchange_rows(n, kl, ku, j, ipiv(j), ab_d, ldab)
      ab_d(d+1:d+km,j) = (ab_d(d+1:d+km,j) - ab(d+1:d+km,j)*ab_d(d,j))/ab(d,j)
      do c = j + 1, min(j + kl + ku, n)
        r = d + j - c
        ab_d(r+1:r+km,c) = ab_d(r+1:r+km,c) - ab_d(d+1:d+km,j)*ab(r,c) - ab(d+1:d+km,j)*ab_d(r,c)
      end do
    end do
  end subroutine

  ! The adjoint of a band from that of its factors.
  subroutine factors_b(n, kl, ku, ab, ldab, ipiv, ab_b)
    integer, intent(in) :: n, kl, ku, ldab, ipiv(*)
    real(wp), intent(in) :: ab(ldab,*)
    real(wp), intent(inout) :: ab_b(ldab,*)
    integer :: c, d, j, km, r
    d = kl + ku + 1
    do j = n, 1, -1
      km = min(kl, n - j)
      do c = j + 1, min(j + kl + ku, n)
        r = d + j - c
        ab_b(d+1:d+km,j) = ab_b(d+1:d+km,j) - ab_b(r+1:r+km,c)*ab(r,c)
        ab_b(r,c) = ab_b(r,c) - dot_product(ab(d+1:d+km,j), ab_b(r+1:r+km,c))
      end do
      ab_b(d+1:d+km,j) = ab_b(d+1:d+km,j)/ab(d,j)
      ab_b(d,j) = ab_b(d,j) - dot_product(ab(d+1:d+km,j), ab_b(d+1:d+km,j))
      call exchange_rows(n, kl, ku, j, ipiv(j), ab_b, ldab)
    end do
    call clear_fill(n, kl, ku, ab_b, ldab)
  end subroutine

  ! x' of A*x = b or A^T*x = b from b', in its place, with derivatives of the factors; b and x are values before and after.
  subroutine solve_d(trans, n, kl, ku, ab, ldab, ipiv, b, x, b_d, ab_d)
    character, intent(in) :: trans
    integer, intent(in) :: n, kl, ku, ldab, ipiv(*)
    real(wp), intent(in) :: ab(ldab,*), ab_d(ldab,*), b(n), x(n)
    real(wp), intent(inout) :: b_d(*)
    real(wp) :: z(n)
    integer :: d, j, km
    d = kl + ku + 1
    if (transposed(trans)) then
      z = b
      call ?tbsv('U', 'T', 'N', n, kl + ku, ab, ldab, z, 1)
      call add_band_times(n, kl, ku, ab_d, ldab, .true., z, b_d)
      call ?tbsv('U', 'T', 'N', n, kl + ku, ab, ldab, b_d, 1)
      do j = n - 1, 1, -1
        km = min(kl, n - j)
        b_d(j) = b_d(j) - dot_product(ab(d+1:d+km,j), b_d(j+1:j+km)) - dot_product(ab_d(d+1:d+km,j), z(j+1:j+km))
        z(j) = z(j) - dot_product(ab(d+1:d+km,j), z(j+1:j+km))
        call exchange(b_d, j, ipiv(j))
        call exchange(z, j, ipiv(j))
      end do
    else
      z = x
      call ?tbmv('U', 'N', 'N', n, kl + ku, ab, ldab, z, 1)
      do j = 1, n - 1
        km = min(kl, n - j)
        call exchange(b_d, j, ipiv(j))
        b_d(j+1:j+km) = b_d(j+1:j+km) - ab(d+1:d+km,j)*b_d(j) - ab_d(d+1:d+km,j)*z(j)
      end do
      call add_band_times(n, kl, ku, ab_d, ldab, .false., x, b_d)
      call ?tbsv('U', 'N', 'N', n, kl + ku, ab, ldab, b_d, 1)
    end if
  end subroutine

  ! y = y - U*x, or with the transpose
  subroutine add_band_times(n, kl, ku, u, ldab, flipped, x, y)
    integer, intent(in) :: n, kl, ku, ldab
    real(wp), intent(in) :: u(ldab,*), x(*)
    real(wp), intent(inout) :: y(*)
    logical, intent(in) :: flipped
    integer :: d, j, from
    d = kl + ku + 1
    do j = 1, n
      from = max(1, j - kl - ku)
      if (flipped) then
        y(j) = y(j) - dot_product(u(d+from-j:d,j), x(from:j))
      else
        y(from:j) = y(from:j) - u(d+from-j:d,j)*x(j)
      end if
    end do
  end subroutine

  ! Adds -y*x^T to the triangular factor.
  subroutine subtract_product(n, kl, ku, y, x, u, ldab)
    integer, intent(in) :: n, kl, ku, ldab
    real(wp), intent(in) :: y(*), x(*)
    real(wp), intent(inout) :: u(ldab,*)
    integer :: d, j, from
    d = kl + ku + 1
    do j = 1, n
      from = max(1, j - kl - ku)
      u(d+from-j:d,j) = u(d+from-j:d,j) - y(from:j)*x(j)
    end do
  end subroutine

  ! The adjoint of b in the place of x's, and what it adds to that of the factors.
  subroutine solve_b(trans, n, kl, ku, ab, ldab, ipiv, x, x_b, ab_b)
    character, intent(in) :: trans
    integer, intent(in) :: n, kl, ku, ldab, ipiv(*)
    real(wp), intent(in) :: ab(ldab,*), x(n)
    real(wp), intent(inout) :: x_b(*), ab_b(ldab,*)
    real(wp) :: z(n)
    integer :: d, j, km
    d = kl + ku + 1
    z = x
    if (transposed(trans)) then
      do j = 1, n - 1
        km = min(kl, n - j)
        call exchange(x_b, j, ipiv(j))
        call exchange(z, j, ipiv(j))
        ab_b(d+1:d+km,j) = ab_b(d+1:d+km,j) - z(j+1:j+km)*x_b(j)
        x_b(j+1:j+km) = x_b(j+1:j+km) - ab(d+1:d+km,j)*x_b(j)
        z(j) = z(j) + dot_product(ab(d+1:d+km,j), z(j+1:j+km))
      end do
      call ?tbsv('U', 'N', 'N', n, kl + ku, ab, ldab, x_b, 1)
      call subtract_product(n, kl, ku, z, x_b, ab_b, ldab)
    else
      call ?tbsv('U', 'T', 'N', n, kl + ku, ab, ldab, x_b, 1)
      call subtract_product(n, kl, ku, x_b, x, ab_b, ldab)
      call ?tbmv('U', 'N', 'N', n, kl + ku, ab, ldab, z, 1)
      do j = n - 1, 1, -1
        km = min(kl, n - j)
        ab_b(d+1:d+km,j) = ab_b(d+1:d+km,j) - x_b(j+1:j+km)*z(j)
        x_b(j) = x_b(j) - dot_product(ab(d+1:d+km,j), x_b(j+1:j+km))
        call exchange(x_b, j, ipiv(j))
      end do
    end if
  end subroutine

  ! A = P*L*U of a square band
  subroutine costate_?gbtrf_d(m, n, kl, ku, ab, ldab, ipiv, info, ab_d)
    integer, intent(in) :: m, n, kl, ku, ldab
    real(wp), intent(inout) :: ab(ldab,*), ab_d(ldab,*)
    integer, intent(out) :: ipiv(*), info
    if (m /= n) call unknown('?gbtrf of a matrix that isn''t square')
    call ?gbtrf(m, n, kl, ku, ab, ldab, ipiv, info)
    if (info == 0) call factors_d(n, kl, ku, ab, ldab, ipiv, ab_d)
    if (info > 0) call spoil_band(n, kl, ku, ab_d, ldab)
  end subroutine

  subroutine costate_?gbtrf_b(m, n, kl, ku, ab, ldab, ipiv, info, ab_b)
    integer, intent(in) :: m, n, kl, ku, ldab, ipiv(*), info
    real(wp), intent(in) :: ab(ldab,*)
    real(wp), intent(inout) :: ab_b(ldab,*)
    if (m /= n) call unknown('?gbtrf of a matrix that isn''t square')
    if (info > 0) then
      if (any_used(n, kl, ku, ab_b, ldab)) call unknown('factors of a singular matrix')
    else
      call factors_b(n, kl, ku, ab, ldab, ipiv, ab_b)
    end if
  end subroutine

  ! X = op(A)^-1*B with the factors of a band
  subroutine costate_?gbtrs_d(trans, n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info, ab_d, b_d)
    character, intent(in) :: trans
    integer, intent(in) :: n, kl, ku, nrhs, ldab, ipiv(*), ldb
    real(wp), intent(in) :: ab(ldab,*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    real(wp), intent(in), optional :: ab_d(ldab,*)
    real(wp), allocatable :: before(:,:)
    integer :: k, status
    if (present(ab_d)) before = b(1:n,1:nrhs)
    call ?gbtrs(trans, n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info)
    if (.not. present(ab_d)) then
      call ?gbtrs(trans, n, kl, ku, nrhs, ab, ldab, ipiv, b_d, ldb, status)
      return
    end if
    do k = 1, nrhs
      call solve_d(trans, n, kl, ku, ab, ldab, ipiv, before(:,k), b(1:n,k), b_d(1,k), ab_d)
    end do
  end subroutine

  subroutine costate_?gbtrs_b(trans, n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info, ab_b, b_b)
    character, intent(in) :: trans
    integer, intent(in) :: n, kl, ku, nrhs, ldab, ipiv(*), ldb, info
    real(wp), intent(in) :: ab(ldab,*), b(ldb,*)
    real(wp), intent(inout), optional :: ab_b(ldab,*)
    real(wp), intent(inout) :: b_b(ldb,*)
    integer :: k, status
    if (.not. present(ab_b)) then
      call ?gbtrs(adjoint_of(trans), n, kl, ku, nrhs, ab, ldab, ipiv, b_b, ldb, status)
      return
    end if
    do k = 1, nrhs
      call solve_b(trans, n, kl, ku, ab, ldab, ipiv, b(1:n,k), b_b(1,k), ab_b)
    end do
  end subroutine

  ! The factors of a band, and X = A^-1*B
  subroutine costate_?gbsv_d(n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info, ab_d, b_d)
    integer, intent(in) :: n, kl, ku, nrhs, ldab, ldb
    real(wp), intent(inout) :: ab(ldab,*), b(ldb,*), ab_d(ldab,*), b_d(ldb,*)
    integer, intent(out) :: ipiv(*), info
    integer :: k
    call ?gbsv(n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info)
    if (info > 0) call spoil_band(n, kl, ku, ab_d, ldab)
    if (info /= 0) return
    call factors_d(n, kl, ku, ab, ldab, ipiv, ab_d)
    do k = 1, nrhs
      call solve_d('N', n, kl, ku, ab, ldab, ipiv, b(1:n,k), b(1:n,k), b_d(1,k), ab_d)
    end do
  end subroutine

  subroutine costate_?gbsv_b(n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb, info, ab_b, b_b)
    integer, intent(in) :: n, kl, ku, nrhs, ldab, ipiv(*), ldb, info
    real(wp), intent(in) :: ab(ldab,*), b(ldb,*)
    real(wp), intent(inout) :: ab_b(ldab,*), b_b(ldb,*)
    integer :: k
    if (info > 0) then
      ! Nothing was solved, and b is what it was.
      if (any_used(n, kl, ku, ab_b, ldab)) call unknown('factors of a singular matrix')
      return
    end if
    do k = 1, nrhs
      call solve_b('N', n, kl, ku, ab, ldab, ipiv, b(1:n,k), b_b(1,k), ab_b)
    end do
    call factors_b(n, kl, ku, ab, ldab, ipiv, ab_b)
  end subroutine

  ! Diagonals of a tridiagonal matrix and of its factors as a band with kl = ku = 1, and back.
  function as_band(n, dl, d, du, du2) result(ab)
    integer, intent(in) :: n
    real(wp), intent(in), optional :: dl(*), d(*), du(*), du2(*)
    real(wp) :: ab(4,n)
    ab = 0
    if (present(du2)) ab(1,3:n) = du2(1:n-2)
    if (present(du)) ab(2,2:n) = du(1:n-1)
    if (present(d)) ab(3,1:n) = d(1:n)
    if (present(dl)) ab(4,1:n-1) = dl(1:n-1)
  end function

  subroutine as_diagonals(n, ab, dl, d, du, du2)
    integer, intent(in) :: n
    real(wp), intent(in) :: ab(4,n)
    real(wp), intent(inout), optional :: dl(*), d(*), du(*), du2(*)
    if (present(du2)) du2(1:n-2) = ab(1,3:n)
    if (present(du)) du(1:n-1) = ab(2,2:n)
    if (present(d)) d(1:n) = ab(3,1:n)
    if (present(dl)) dl(1:n-1) = ab(4,1:n-1)
  end subroutine

  ! A = P*L*U of a tridiagonal matrix
  subroutine costate_?gttrf_d(n, dl, d, du, du2, ipiv, info, dl_d, d_d, du_d, du2_d)
    integer, intent(in) :: n
    real(wp), intent(inout) :: dl(*), d(*), du(*), du2(*), dl_d(*), d_d(*), du_d(*), du2_d(*)
    integer, intent(out) :: ipiv(*), info
    real(wp), allocatable :: ab_d(:,:)
    call ?gttrf(n, dl, d, du, du2, ipiv, info)
    if (n <= 0) return
    ab_d = as_band(n, dl_d, d_d, du_d, du2_d)
    if (info > 0) then
      call spoil(ab_d)
    else
      call factors_d(n, 1, 1, as_band(n, dl, d, du, du2), 4, ipiv, ab_d)
    end if
    call as_diagonals(n, ab_d, dl_d, d_d, du_d, du2_d)
  end subroutine

  subroutine costate_?gttrf_b(n, dl, d, du, du2, ipiv, info, dl_b, d_b, du_b, du2_b)
    integer, intent(in) :: n, ipiv(*), info
    real(wp), intent(in) :: dl(*), d(*), du(*), du2(*)
    real(wp), intent(inout) :: dl_b(*), d_b(*), du_b(*), du2_b(*)
    real(wp), allocatable :: ab_b(:,:)
    if (n <= 0) return
    ab_b = as_band(n, dl_b, d_b, du_b, du2_b)
    if (info > 0) then
      if (any(ab_b /= 0)) call unknown('factors of a singular matrix')
      return
    end if
    call factors_b(n, 1, 1, as_band(n, dl, d, du, du2), 4, ipiv, ab_b)
    call as_diagonals(n, ab_b, dl_b, d_b, du_b, du2_b)
  end subroutine

  ! X = op(A)^-1*B with the factors of a tridiagonal matrix
  subroutine costate_?gttrs_d(trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, info, dl_d, d_d, du_d, du2_d, b_d)
    character, intent(in) :: trans
    integer, intent(in) :: n, nrhs, ipiv(*), ldb
    real(wp), intent(in) :: dl(*), d(*), du(*), du2(*)
    real(wp), intent(in), optional :: dl_d(*), d_d(*), du_d(*), du2_d(*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    real(wp), allocatable :: before(:,:), ab(:,:), ab_d(:,:)
    integer :: k
    before = b(1:n,1:nrhs)
    call ?gttrs(trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, info)
    if (n <= 0) return
    ab = as_band(n, dl, d, du, du2)
    ab_d = as_band(n, dl_d, d_d, du_d, du2_d)
    do k = 1, nrhs
      call solve_d(trans, n, 1, 1, ab, 4, ipiv, before(:,k), b(1:n,k), b_d(1,k), ab_d)
    end do
  end subroutine

  subroutine costate_?gttrs_b(trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, info, dl_b, d_b, du_b, du2_b, b_b)
    character, intent(in) :: trans
    integer, intent(in) :: n, nrhs, ipiv(*), ldb, info
    real(wp), intent(in) :: dl(*), d(*), du(*), du2(*), b(ldb,*)
    real(wp), intent(inout), optional :: dl_b(*), d_b(*), du_b(*), du2_b(*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp), allocatable :: ab(:,:), ab_b(:,:)
    integer :: k
    if (n <= 0) return
    ab = as_band(n, dl, d, du, du2)
    ab_b = as_band(n, dl_b, d_b, du_b, du2_b)
    do k = 1, nrhs
      call solve_b(trans, n, 1, 1, ab, 4, ipiv, b(1:n,k), b_b(1,k), ab_b)
    end do
    call as_diagonals(n, ab_b, dl_b, d_b, du_b, du2_b)
  end subroutine

  ! The derivative of A = L*D*L^T of a definite tridiagonal matrix, in the place of that of its diagonals, and the adjoint.
  pure subroutine definite_d(n, d, e, d_d, e_d)
    integer, intent(in) :: n
    real(wp), intent(in) :: d(*), e(*)
    real(wp), intent(inout) :: d_d(*), e_d(*)
    integer :: i
    do i = 1, n - 1
      d_d(i+1) = d_d(i+1) - e(i)*(2*e_d(i) - e(i)*d_d(i))
      e_d(i) = (e_d(i) - e(i)*d_d(i))/d(i)
    end do
  end subroutine

  pure subroutine definite_b(n, d, e, d_b, e_b)
    integer, intent(in) :: n
    real(wp), intent(in) :: d(*), e(*)
    real(wp), intent(inout) :: d_b(*), e_b(*)
    integer :: i
    do i = n - 1, 1, -1
      e_b(i) = e_b(i)/d(i)
      d_b(i) = d_b(i) - e(i)*e_b(i) + e(i)**2*d_b(i+1)
      e_b(i) = e_b(i) - 2*e(i)*d_b(i+1)
    end do
  end subroutine

  ! L^T*x
  pure function lower_transposed(n, e, x) result(y)
    integer, intent(in) :: n
    real(wp), intent(in) :: e(*), x(n)
    real(wp) :: y(n)
    y = x
    y(:n-1) = y(:n-1) + e(1:n-1)*x(2:)
  end function

  ! A'*x = (L'*D*L^T + L*D'*L^T + L*D*L'^T)*x
  pure function changed_times(n, d, e, d_d, e_d, x) result(y)
    integer, intent(in) :: n
    real(wp), intent(in) :: d(*), e(*), x(n)
    real(wp), intent(in), optional :: d_d(*), e_d(*)
    real(wp) :: y(n), z(n)
    z = lower_transposed(n, e, x)
    y = 0
    if (present(d_d)) y = d_d(1:n)*z
    if (present(e_d)) y(:n-1) = y(:n-1) + d(1:n-1)*e_d(1:n-1)*x(2:)
    y(2:) = y(2:) + e(1:n-1)*y(:n-1)
    if (present(e_d)) y(2:) = y(2:) + e_d(1:n-1)*d(1:n-1)*z(:n-1)
  end function

  subroutine costate_?pttrf_d(n, d, e, info, d_d, e_d)
    integer, intent(in) :: n
    real(wp), intent(inout) :: d(*), e(*), d_d(*), e_d(*)
    integer, intent(out) :: info
    call ?pttrf(n, d, e, info)
    if (info == 0) call definite_d(n, d, e, d_d, e_d)
    if (info > 0) then
      call spoil(d_d(1:n))
      call spoil(e_d(1:n-1))
    end if
  end subroutine

  subroutine costate_?pttrf_b(n, d, e, info, d_b, e_b)
    integer, intent(in) :: n, info
    real(wp), intent(in) :: d(*), e(*)
    real(wp), intent(inout) :: d_b(*), e_b(*)
    if (info > 0) call refuse_diagonals(n, d_b, e_b)
    if (info == 0) call definite_b(n, d, e, d_b, e_b)
  end subroutine

  subroutine refuse_diagonals(n, d_b, e_b)
    integer, intent(in) :: n
    real(wp), intent(in) :: d_b(*), e_b(*)
    if (any(d_b(1:n) /= 0) .or. any(e_b(1:n-1) /= 0)) call unknown('factors of an indefinite matrix')
  end subroutine

  ! X = A^-1*B with A = L*D*L^T
  subroutine costate_?pttrs_d(n, nrhs, d, e, b, ldb, info, d_d, e_d, b_d)
    integer, intent(in) :: n, nrhs, ldb
    real(wp), intent(in) :: d(*), e(*)
    real(wp), intent(in), optional :: d_d(*), e_d(*)
    real(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    integer :: k, status
    call ?pttrs(n, nrhs, d, e, b, ldb, info)
    do k = 1, nrhs
      b_d(1:n,k) = b_d(1:n,k) - changed_times(n, d, e, d_d, e_d, b(1:n,k))
    end do
    call ?pttrs(n, nrhs, d, e, b_d, ldb, status)
  end subroutine

  subroutine costate_?pttrs_b(n, nrhs, d, e, b, ldb, info, d_b, e_b, b_b)
    integer, intent(in) :: n, nrhs, ldb, info
    real(wp), intent(in) :: d(*), e(*), b(ldb,*)
    real(wp), intent(inout), optional :: d_b(*), e_b(*)
    real(wp), intent(inout) :: b_b(ldb,*)
    real(wp) :: w(n), x(n)
    integer :: k, status
    if (n <= 0 .or. nrhs <= 0) return
    call ?pttrs(n, nrhs, d, e, b_b, ldb, status)
    do k = 1, nrhs
      w = lower_transposed(n, e, b_b(1:n,k))
      x = lower_transposed(n, e, b(1:n,k))
      if (present(d_b)) d_b(1:n) = d_b(1:n) - w*x
      if (present(e_b)) e_b(1:n-1) = e_b(1:n-1) - d(1:n-1)*(b_b(2:n,k)*x(:n-1) &
        + b(2:n,k)*w(:n-1))
    end do
  end subroutine

  ! The factors of a definite tridiagonal matrix, and X = A^-1*B
  subroutine costate_?ptsv_d(n, nrhs, d, e, b, ldb, info, d_d, e_d, b_d)
    integer, intent(in) :: n, nrhs, ldb
    real(wp), intent(inout) :: d(*), e(*), b(ldb,*), d_d(*), e_d(*), b_d(ldb,*)
    integer, intent(out) :: info
    integer :: k, status
    call ?ptsv(n, nrhs, d, e, b, ldb, info)
    if (info > 0) then
      call spoil(d_d(1:n))
      call spoil(e_d(1:n-1))
    end if
    if (info /= 0) return
    call definite_d(n, d, e, d_d, e_d)
    do k = 1, nrhs
      b_d(1:n,k) = b_d(1:n,k) - changed_times(n, d, e, d_d, e_d, b(1:n,k))
    end do
    call ?pttrs(n, nrhs, d, e, b_d, ldb, status)
  end subroutine

  subroutine costate_?ptsv_b(n, nrhs, d, e, b, ldb, info, d_b, e_b, b_b)
    integer, intent(in) :: n, nrhs, ldb, info
    real(wp), intent(in) :: d(*), e(*), b(ldb,*)
    real(wp), intent(inout) :: d_b(*), e_b(*), b_b(ldb,*)
    if (info > 0) then
      ! Nothing was solved, and b is what it was.
      call refuse_diagonals(n, d_b, e_b)
      return
    end if
    call costate_?pttrs_b(n, nrhs, d, e, b, ldb, info, d_b, e_b, b_b)
    call definite_b(n, d, e, d_b, e_b)
  end subroutine
end module

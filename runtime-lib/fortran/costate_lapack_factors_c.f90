! Made from tests/templates/lapack_factors.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's linear solvers. Most adjoints use factors and solutions as the
! procedure left them: systems with the transposed matrix are solved with the factors at hand. Formulas: M. Giles, An extended
! collection of matrix derivative results, Oxford 2008; I. Murray, Differentiation of the Cholesky decomposition, 2016.
module costate_lapack_factors_c
  use costate_linear_algebra_c
  implicit none
  private
  public :: costate_cgesv_d, costate_cgesv_b, costate_cgetrf_d, costate_cgetrf_b, costate_cgetrs_d, costate_cgetrs_b
  public :: costate_cpotrf_d, costate_cpotrf_b, costate_cpotrs_d, costate_cpotrs_b, costate_cposv_d, costate_cposv_b
  public :: costate_ctrtrs_d, costate_ctrtrs_b, costate_cgtsv_d, costate_cgtsv_b
  public :: below, from_diagonal, permute, triangle, put_triangle, folded, spoil_triangle
contains

  ! The part of a matrix below its diagonal, or the part from the diagonal on.
  pure function below(n, a) result(l)
    integer, intent(in) :: n
    complex(wp), intent(in) :: a(n,n)
    complex(wp) :: l(n,n)
    integer :: j
    l = 0
    do j = 1, n
      l(j+1:n,j) = a(j+1:n,j)
    end do
  end function

  pure function from_diagonal(n, a) result(u)
    integer, intent(in) :: n
    complex(wp), intent(in) :: a(n,n)
    complex(wp) :: u(n,n)
    integer :: j
    u = 0
    do j = 1, n
      u(1:j,j) = a(1:j,j)
    end do
  end function

  ! The rows in the order of the factorisation, A = P*L*U: b = P^T*b, or b = P*b.
  subroutine permute(n, m, ipiv, b, ldb, back)
    integer, intent(in) :: n, m, ipiv(*), ldb
    complex(wp), intent(inout) :: b(ldb,*)
    logical, intent(in) :: back
    call claswp(m, b, ldb, 1, n, ipiv, merge(-1, 1, back))
  end subroutine

  ! The derivative of the factors of A, in the place of A's: L' = L*below(M), U' = from_diagonal(M)*U, M = L^-1*P^T*A'*U^-1.
  subroutine factors_d(n, a, lda, ipiv, a_d)
    integer, intent(in) :: n, lda, ipiv(*)
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_d(lda,*)
    complex(wp), allocatable :: m(:,:), l(:,:), u(:,:)
    m = a_d(1:n,1:n)
    call permute(n, n, ipiv, m, n, .false.)
    call ctrsm('L', 'L', 'N', 'U', n, n, one, a, lda, m, n)
    call ctrsm('R', 'U', 'N', 'N', n, n, one, a, lda, m, n)
    l = below(n, m)
    u = from_diagonal(n, m)
    call ctrmm('L', 'L', 'N', 'U', n, n, one, a, lda, l, n)
    call ctrmm('R', 'U', 'N', 'N', n, n, one, a, lda, u, n)
    a_d(1:n,1:n) = l + u
  end subroutine

  ! The adjoint of A from that of its factors: P*L^-H*(below(L^H*L_b) + from_diagonal(U_b*U^H))*U^-H.
  subroutine factors_b(n, a, lda, ipiv, a_b)
    integer, intent(in) :: n, lda, ipiv(*)
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    complex(wp), allocatable :: l(:,:), u(:,:)
    if (all(a_b(1:n,1:n) == 0)) return
    l = below(n, a_b(1:n,1:n))
    u = from_diagonal(n, a_b(1:n,1:n))
    call ctrmm('L', 'L', 'C', 'U', n, n, one, a, lda, l, n)
    call ctrmm('R', 'U', 'C', 'N', n, n, one, a, lda, u, n)
    u = below(n, l) + from_diagonal(n, u)
    call ctrsm('L', 'L', 'C', 'U', n, n, one, a, lda, u, n)
    call ctrsm('R', 'U', 'C', 'N', n, n, one, a, lda, u, n)
    call permute(n, n, ipiv, u, n, .true.)
    a_b(1:n,1:n) = u
  end subroutine

  ! A = P*L*U of a square matrix
  subroutine costate_cgetrf_d(m, n, a, lda, ipiv, info, a_d)
    integer, intent(in) :: m, n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: ipiv(*), info
    if (m /= n) call unknown('cgetrf of a matrix that isn''t square')
    call cgetrf(m, n, a, lda, ipiv, info)
    if (info == 0 .and. n > 0) call factors_d(n, a, lda, ipiv, a_d)
    if (info > 0) call spoil(a_d(1:n,1:n))
  end subroutine

  subroutine costate_cgetrf_b(m, n, a, lda, ipiv, info, a_b)
    integer, intent(in) :: m, n, lda, ipiv(*), info
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    if (m /= n) call unknown('cgetrf of a matrix that isn''t square')
    if (info > 0) call refuse_if_used(n, n, a_b, lda, 'factors of a singular matrix')
    if (n > 0) call factors_b(n, a, lda, ipiv, a_b)
  end subroutine

  ! X = op(A)^-1*B with the factors of A
  subroutine costate_cgetrs_d(trans, n, nrhs, a, lda, ipiv, b, ldb, info, a_d, b_d)
    character, intent(in) :: trans
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    complex(wp), intent(in), optional :: a_d(lda,*)
    complex(wp), allocatable :: x(:,:), y(:,:), l(:,:), u(:,:)
    call cgetrs(trans, n, nrhs, a, lda, ipiv, b, ldb, info)
    if (n <= 0 .or. nrhs <= 0) return
    if (present(a_d)) then
      l = below(n, a_d(1:n,1:n))
      u = from_diagonal(n, a_d(1:n,1:n))
      x = b(1:n,1:nrhs)
      if (transposed(trans)) then
        ! A'^T*x = U'^T*L^T*P^T*x + U^T*L'^T*P^T*x, or with ^H for ^T
        call permute(n, nrhs, ipiv, x, n, .false.)
        y = matmul(turned(trans, l), x)
        call ctrmm('L', 'U', trans, 'N', n, nrhs, one, a, lda, y, n)
        call ctrmm('L', 'L', trans, 'U', n, nrhs, one, a, lda, x, n)
        y = y + matmul(turned(trans, u), x)
      else
        ! A'*x = P*(L'*U*x + L*U'*x)
        y = matmul(u, x)
        call ctrmm('L', 'L', 'N', 'U', n, nrhs, one, a, lda, y, n)
        call ctrmm('L', 'U', 'N', 'N', n, nrhs, one, a, lda, x, n)
        y = y + matmul(l, x)
        call permute(n, nrhs, ipiv, y, n, .true.)
      end if
      b_d(1:n,1:nrhs) = b_d(1:n,1:nrhs) - y
    end if
    call cgetrs(trans, n, nrhs, a, lda, ipiv, b_d, ldb, info)
  end subroutine

  subroutine costate_cgetrs_b(trans, n, nrhs, a, lda, ipiv, b, ldb, info, a_b, b_b)
    character, intent(in) :: trans
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    complex(wp), intent(inout), optional :: a_b(lda,*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: left(:,:), right(:,:), lower(:,:)
    integer :: status, j
    if (n <= 0 .or. nrhs <= 0) return
    if (is_letter(trans, 'T')) then
      b_b(1:n,1:nrhs) = conjg(b_b(1:n,1:nrhs))
      call cgetrs('N', n, nrhs, a, lda, ipiv, b_b, ldb, status)
      b_b(1:n,1:nrhs) = conjg(b_b(1:n,1:nrhs))
    else
      call cgetrs(adjoint_of(trans), n, nrhs, a, lda, ipiv, b_b, ldb, status)
    end if
    if (.not. present(a_b)) return
    ! That of A is -left*right^H, and A = P*L*U.
    if (transposed(trans)) then
      left = b(1:n,1:nrhs)
      right = b_b(1:n,1:nrhs)
    else
      left = b_b(1:n,1:nrhs)
      right = b(1:n,1:nrhs)
    end if
    if (is_letter(trans, 'T')) then
      left = conjg(left)
      right = conjg(right)
    end if
    call permute(n, nrhs, ipiv, left, n, .false.)
    lower = right
    call ctrmm('L', 'U', 'N', 'N', n, nrhs, one, a, lda, lower, n)
    do j = 1, n
      a_b(j+1:n,j) = a_b(j+1:n,j) - matmul(left(j+1:n,:), conjg(lower(j,:)))
    end do
    call ctrmm('L', 'L', 'C', 'U', n, nrhs, one, a, lda, left, n)
    do j = 1, n
      a_b(1:j,j) = a_b(1:j,j) - matmul(left(1:j,:), conjg(right(j,:)))
    end do
  end subroutine

  ! A^T, or A^H
  pure function turned(trans, a) result(t)
    character, intent(in) :: trans
    complex(wp), intent(in) :: a(:,:)
    complex(wp) :: t(size(a, 2),size(a, 1))
    t = transpose(a)
    if (is_letter(trans, 'C')) t = conjg(t)
  end function

  ! The factors of A, and X = A^-1*B
  subroutine costate_cgesv_d(n, nrhs, a, lda, ipiv, b, ldb, info, a_d, b_d)
    integer, intent(in) :: n, nrhs, lda, ldb
    complex(wp), intent(inout) :: a(lda,*), b(ldb,*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: ipiv(*), info
    integer :: status
    call cgesv(n, nrhs, a, lda, ipiv, b, ldb, info)
    if (info > 0) call spoil(a_d(1:n,1:n))
    if (info /= 0 .or. n <= 0) return
    if (nrhs > 0) then
      call cgemm('N', 'N', n, nrhs, n, -one, a_d, lda, b, ldb, one, b_d, ldb)
      call cgetrs('N', n, nrhs, a, lda, ipiv, b_d, ldb, status)
    end if
    call factors_d(n, a, lda, ipiv, a_d)
  end subroutine

  subroutine costate_cgesv_b(n, nrhs, a, lda, ipiv, b, ldb, info, a_b, b_b)
    integer, intent(in) :: n, nrhs, lda, ipiv(*), ldb, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    complex(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    integer :: status
    if (n <= 0) return
    if (info > 0) then
      ! Nothing was solved, and b is what it was.
      call refuse_if_used(n, n, a_b, lda, 'factors of a singular matrix')
      return
    end if
    call factors_b(n, a, lda, ipiv, a_b)
    if (nrhs <= 0) return
    call cgetrs('C', n, nrhs, a, lda, ipiv, b_b, ldb, status)
    call cgemm('N', 'C', n, n, nrhs, -one, b_b, ldb, b, ldb, one, a_b, lda)
  end subroutine

  ! The stored triangle as a lower one, and back: the upper one is conjugate to it.
  function triangle(uplo, n, a, lda) result(l)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: a(lda,*)
    complex(wp) :: l(n,n)
    integer :: j
    l = 0
    do j = 1, n
      if (upper(uplo)) then
        l(j,1:j) = conjg(a(1:j,j))
      else
        l(j:n,j) = a(j:n,j)
      end if
    end do
  end function

  subroutine put_triangle(uplo, n, l, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: l(n,n)
    complex(wp), intent(inout) :: a(lda,*)
    integer :: j
    do j = 1, n
      if (upper(uplo)) then
        a(1:j,j) = conjg(l(j,1:j))
      else
        a(j:n,j) = l(j:n,j)
      end if
    end do
  end subroutine

  ! The lower triangle with half of the diagonal.
  pure function half_lower(n, a) result(l)
    integer, intent(in) :: n
    complex(wp), intent(in) :: a(n,n)
    complex(wp) :: l(n,n)
    integer :: j
    l = below(n, a)
    do j = 1, n
      l(j,j) = 0.5_wp*real(a(j,j), wp)
    end do
  end function

  ! The stored triangle of a Hermitian matrix from all of its elements: those beside the diagonal stand for two.
  pure function folded(n, s) result(l)
    integer, intent(in) :: n
    complex(wp), intent(in) :: s(n,n)
    complex(wp) :: l(n,n)
    integer :: j
    l = 0
    do j = 1, n
      l(j+1:n,j) = s(j+1:n,j) + conjg(s(j,j+1:n))
      l(j,j) = real(s(j,j), wp)
    end do
  end function

  ! The derivative of the Cholesky factor, in the place of A's: L' = L*half_lower(L^-1*A'*L^-H).
  subroutine cholesky_d(uplo, n, a, lda, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_d(lda,*)
    complex(wp), allocatable :: l(:,:), m(:,:)
    integer :: j
    l = triangle(uplo, n, a, lda)
    m = triangle(uplo, n, a_d, lda)
    do j = 1, n
      m(j,j+1:n) = conjg(m(j+1:n,j))
      m(j,j) = real(m(j,j), wp)
    end do
    call ctrsm('L', 'L', 'N', 'N', n, n, one, l, n, m, n)
    call ctrsm('R', 'L', 'C', 'N', n, n, one, l, n, m, n)
    m = half_lower(n, m)
    call ctrmm('L', 'L', 'N', 'N', n, n, one, l, n, m, n)
    call put_triangle(uplo, n, m, a_d, lda)
  end subroutine

  ! The adjoint of A from that of its Cholesky factor, in blocks from the last one (Murray 2016).
  subroutine cholesky_b(uplo, n, a, lda, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    integer, parameter :: block = 48
    complex(wp), allocatable :: l(:,:), m(:,:)
    integer :: i, j, k, before, order, behind
    m = triangle(uplo, n, a_b, lda)
    if (all(m == 0)) return
    l = triangle(uplo, n, a, lda)
    do k = n, 1, -block
      j = max(1, k - block + 1)
      before = j - 1
      order = k - before
      behind = n - k
      if (behind > 0) then
        call ctrsm('R', 'L', 'N', 'N', behind, order, one, l(j,j), n, m(k+1,j), n)
        call cgemm('N', 'N', behind, before, order, -one, m(k+1,j), n, l(j,1), n, one, m(k+1,1), n)
        call cgemm('C', 'N', order, before, behind, -one, m(k+1,j), n, l(k+1,1), n, one, m(j,1), n)
        call cgemm('C', 'N', order, order, behind, -one, m(k+1,j), n, l(k+1,j), n, one, m(j,j), n)
      end if
      call cholesky_block_b(order, l(j:k,j:k), m(j,j), n)
      call chemm('L', 'L', order, before, -one, m(j,j), n, l(j,1), n, one, m(j,1), n)
      ! There the diagonal stands once.
      do i = j, k
        m(i,1:before) = m(i,1:before) - m(i,i)*l(i,1:before)
      end do
    end do
    call put_triangle(uplo, n, m, a_b, lda)
  end subroutine

  ! That of a lower triangle: L^-H*half_lower(L^H*L_b)*L^-1, folded.
  subroutine cholesky_block_b(n, l, l_b, ldl)
    integer, intent(in) :: n, ldl
    complex(wp), intent(in) :: l(n,n)
    complex(wp), intent(inout) :: l_b(ldl,*)
    complex(wp) :: m(n,n)
    m = triangle('L', n, l_b, ldl)
    call ctrmm('L', 'L', 'C', 'N', n, n, one, l, n, m, n)
    m = half_lower(n, m)
    call ctrsm('L', 'L', 'C', 'N', n, n, one, l, n, m, n)
    call ctrsm('R', 'L', 'N', 'N', n, n, one, l, n, m, n)
    l_b(1:n,1:n) = folded(n, m)
  end subroutine

  ! The Cholesky factor of a triangle
  subroutine costate_cpotrf_d(uplo, n, a, lda, info, a_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*), a_d(lda,*)
    integer, intent(out) :: info
    call cpotrf(uplo, n, a, lda, info)
    if (info == 0 .and. n > 0) call cholesky_d(uplo, n, a, lda, a_d)
    if (info > 0) call spoil_triangle(uplo, n, a_d, lda)
  end subroutine

  subroutine spoil_triangle(uplo, n, a, lda)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*)
    complex(wp) :: l(n,n)
    call spoil(l)
    call put_triangle(uplo, n, l, a, lda)
  end subroutine

  subroutine costate_cpotrf_b(uplo, n, a, lda, info, a_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, lda, info
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: a_b(lda,*)
    if (n > 0 .and. info > 0) call refuse_if_used(n, n, triangle(uplo, n, a_b, lda), n, 'factors of an indefinite matrix')
    if (n > 0) call cholesky_b(uplo, n, a, lda, a_b)
  end subroutine

  ! X = A^-1*B with the Cholesky factor of A
  subroutine costate_cpotrs_d(uplo, n, nrhs, a, lda, b, ldb, info, a_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    integer, intent(out) :: info
    complex(wp), intent(in), optional :: a_d(lda,*)
    complex(wp), allocatable :: l(:,:), l_d(:,:), x(:,:)
    call cpotrs(uplo, n, nrhs, a, lda, b, ldb, info)
    if (n <= 0 .or. nrhs <= 0) return
    if (present(a_d)) then
      ! A'*x = L'*L^H*x + L*L'^H*x
      l = triangle(uplo, n, a, lda)
      l_d = triangle(uplo, n, a_d, lda)
      x = b(1:n,1:nrhs)
      b_d(1:n,1:nrhs) = b_d(1:n,1:nrhs) - matmul(l_d, matmul(turned('C', l), x)) &
        - matmul(l, matmul(turned('C', l_d), x))
    end if
    call cpotrs(uplo, n, nrhs, a, lda, b_d, ldb, info)
  end subroutine

  subroutine costate_cpotrs_b(uplo, n, nrhs, a, lda, b, ldb, info, a_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    complex(wp), intent(inout), optional :: a_b(lda,*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    complex(wp), allocatable :: l(:,:), l_b(:,:), x(:,:), w(:,:)
    integer :: status
    if (n <= 0 .or. nrhs <= 0) return
    call cpotrs(uplo, n, nrhs, a, lda, b_b, ldb, status)
    if (.not. present(a_b)) return
    ! That of A is -w*x^H, and A = L*L^H: that of L is the lower triangle of -(w*x^H + x*w^H)*L.
    l = triangle(uplo, n, a, lda)
    l_b = triangle(uplo, n, a_b, lda)
    x = b(1:n,1:nrhs)
    w = b_b(1:n,1:nrhs)
    l_b = l_b - matmul(w, matmul(turned('C', x), l)) - matmul(x, matmul(turned('C', w), l))
    call put_triangle(uplo, n, l_b, a_b, lda)
  end subroutine

  ! The Cholesky factor of A, and X = A^-1*B
  subroutine costate_cposv_d(uplo, n, nrhs, a, lda, b, ldb, info, a_d, b_d)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb
    complex(wp), intent(inout) :: a(lda,*), b(ldb,*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: info
    integer :: status
    call cposv(uplo, n, nrhs, a, lda, b, ldb, info)
    if (info > 0) call spoil_triangle(uplo, n, a_d, lda)
    if (info /= 0 .or. n <= 0) return
    if (nrhs > 0) then
      call chemm('L', uplo, n, nrhs, -one, a_d, lda, b, ldb, one, b_d, ldb)
      call cpotrs(uplo, n, nrhs, a, lda, b_d, ldb, status)
    end if
    call cholesky_d(uplo, n, a, lda, a_d)
  end subroutine

  subroutine costate_cposv_b(uplo, n, nrhs, a, lda, b, ldb, info, a_b, b_b)
    character, intent(in) :: uplo
    integer, intent(in) :: n, nrhs, lda, ldb, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    complex(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    complex(wp), allocatable :: s(:,:)
    integer :: status
    if (n <= 0) return
    if (info > 0) then
      ! Nothing was solved, and b is what it was.
      call refuse_if_used(n, n, triangle(uplo, n, a_b, lda), n, 'factors of an indefinite matrix')
      return
    end if
    call cholesky_b(uplo, n, a, lda, a_b)
    if (nrhs <= 0) return
    call cpotrs(uplo, n, nrhs, a, lda, b_b, ldb, status)
    allocate(s(n,n), source=zero)
    call cgemm('N', 'C', n, n, nrhs, -one, b_b, ldb, b, ldb, zero, s, n)
    call put_triangle(uplo, n, triangle(uplo, n, a_b, lda) + folded(n, s), a_b, lda)
  end subroutine

  ! X = op(A)^-1*B with a triangular A
  subroutine costate_ctrtrs_d(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info, a_d, b_d)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, nrhs, lda, ldb
    complex(wp), intent(in) :: a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*), b_d(ldb,*)
    complex(wp), intent(in), optional :: a_d(lda,*)
    integer, intent(out) :: info
    integer :: status
    call ctrtrs(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info)
    ! With a zero on the diagonal nothing was solved, and b is what it was.
    if (info /= 0 .or. n <= 0 .or. nrhs <= 0) return
    if (present(a_d)) call add_triangle_times('L', uplo, trans, diag, n, nrhs, -one, a_d, lda, b(1:n,1:nrhs), b_d, ldb)
    call ctrtrs(uplo, trans, diag, n, nrhs, a, lda, b_d, ldb, status)
  end subroutine

  subroutine costate_ctrtrs_b(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info, a_b, b_b)
    character, intent(in) :: uplo, trans, diag
    integer, intent(in) :: n, nrhs, lda, ldb, info
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    complex(wp), intent(inout), optional :: a_b(lda,*)
    complex(wp), intent(inout) :: b_b(ldb,*)
    if (info /= 0 .or. n <= 0 .or. nrhs <= 0) return
    call solve_adjoint('L', uplo, trans, diag, n, nrhs, one, a, lda, b_b, ldb)
    if (present(a_b)) call add_to_triangle('L', uplo, trans, diag, n, nrhs, -one, b_b, ldb, b, ldb, a_b, lda)
  end subroutine

  ! X = A^-1*B with a tridiagonal A. What becomes of dl, d and du has no derivative that is known, nor has b where that fails.
  subroutine costate_cgtsv_d(n, nrhs, dl, d, du, b, ldb, info, dl_d, d_d, du_d, b_d)
    integer, intent(in) :: n, nrhs, ldb
    complex(wp), intent(inout) :: dl(*), d(*), du(*), b(ldb,*)
    integer, intent(out) :: info
    complex(wp), intent(inout) :: dl_d(*), d_d(*), du_d(*), b_d(ldb,*)
    complex(wp), allocatable :: l(:), m(:), u(:)
    integer :: k, status
    l = dl(1:n-1)
    m = d(1:n)
    u = du(1:n-1)
    call cgtsv(n, nrhs, dl, d, du, b, ldb, info)
    if (n <= 0 .or. info < 0) return
    if (info == 0) then
      do k = 1, nrhs
        b_d(1:n,k) = b_d(1:n,k) - d_d(1:n)*b(1:n,k)
        b_d(1:n-1,k) = b_d(1:n-1,k) - du_d(1:n-1)*b(2:n,k)
        b_d(2:n,k) = b_d(2:n,k) - dl_d(1:n-1)*b(1:n-1,k)
      end do
      call cgtsv(n, nrhs, l, m, u, b_d, ldb, status)
    else
      call spoil(b_d(1:n,1:nrhs))
    end if
    call spoil(dl_d(1:n-1))
    call spoil(d_d(1:n))
    call spoil(du_d(1:n-1))
  end subroutine

  subroutine costate_cgtsv_b(n, nrhs, dl, d, du, b, ldb, info, dl_b, d_b, du_b, b_b)
    integer, intent(in) :: n, nrhs, ldb, info
    complex(wp), intent(in) :: dl(*), d(*), du(*), b(ldb,*)
    complex(wp), intent(inout) :: dl_b(*), d_b(*), du_b(*), b_b(ldb,*)
    complex(wp), allocatable :: x(:), w(:)
    integer :: k
    logical :: singular
    if (n <= 0) return
    if (any(dl_b(1:n-1) /= 0) .or. any(d_b(1:n) /= 0) .or. any(du_b(1:n-1) /= 0)) then
      call unknown('what cgtsv leaves in dl, d and du')
    end if
    do k = 1, nrhs
      x = b(1:n,k)
      w = b_b(1:n,k)
      call solve_both(n, dl, d, du, x, w, singular)
      if (singular) then
        call refuse_if_used(n, nrhs, b_b, ldb, 'what cgtsv leaves of b where the matrix is singular')
        return
      end if
      d_b(1:n) = d_b(1:n) - w*conjg(x)
      du_b(1:n-1) = du_b(1:n-1) - w(1:n-1)*conjg(x(2:n))
      dl_b(1:n-1) = dl_b(1:n-1) - w(2:n)*conjg(x(1:n-1))
      b_b(1:n,k) = w
    end do
  end subroutine

  ! x = A^-1*x and w = A^-H*w with a tridiagonal A, in one elimination with the pivots that cgtsv takes. What both systems wait for
  ! are divisions, so that one loop takes hardly more time for the two than for one.
  pure subroutine solve_both(n, dl, d, du, x, w, singular)
    integer, intent(in) :: n
    complex(wp), intent(in) :: dl(n-1), d(n), du(n-1)
    complex(wp), intent(inout) :: x(n), w(n)
    logical, intent(out) :: singular
    ! In row i of the factors are 1/r(i), u(i) and v(i); l(i) is the multiplier of row i + 1.
    complex(wp) :: l(n), r(n), u(0:n), v(-1:n), pivot, next, kept
    logical :: exchanged(n)
    integer :: i
    pivot = d(1)
    u(0) = 0
    v(-1:0) = 0
    if (n > 1) u(1) = du(1)
    do i = 1, n - 1
      l(i) = dl(i)
      next = d(i+1)
      u(i+1) = 0
      if (i < n - 1) u(i+1) = du(i+1)
      v(i) = 0
      exchanged(i) = magnitude(pivot) < magnitude(l(i))
      if (exchanged(i)) then
        l(i) = pivot
        pivot = dl(i)
        kept = u(i)
        u(i) = next
        next = kept
        v(i) = u(i+1)
        u(i+1) = 0
        kept = x(i)
        x(i) = x(i+1)
        x(i+1) = kept
      end if
      singular = pivot == 0
      if (singular) return
      r(i) = 1/pivot
      l(i) = l(i)*r(i)
      pivot = next - l(i)*u(i)
      u(i+1) = u(i+1) - l(i)*v(i)
      x(i+1) = x(i+1) - l(i)*x(i)
      w(i) = (w(i) - conjg(u(i-1))*w(max(i-1, 1)) - conjg(v(i-2))*w(max(i-2, 1)))*conjg(r(i))
    end do
    singular = pivot == 0
    if (singular) return
    r(n) = 1/pivot
    w(n) = (w(n) - conjg(u(n-1))*w(max(n-1, 1)) - conjg(v(n-2))*w(max(n-2, 1)))*conjg(r(n))
    x(n) = x(n)*r(n)
    do i = n - 1, 1, -1
      x(i) = (x(i) - u(i)*x(i+1) - v(i)*x(min(i+2, n)))*r(i)
      w(i) = w(i) - conjg(l(i))*w(i+1)
      if (exchanged(i)) then
        kept = w(i)
        w(i) = w(i+1)
        w(i+1) = kept
      end if
    end do
  end subroutine

  ! By which cgtsv compares pivots.
  elemental real(wp) function magnitude(x)
    complex(wp), intent(in) :: x
    magnitude = abs(real(x, wp)) + abs(aimag(x))
  end function
end module

! Made from tests/templates/linear_algebra.f90 by tests/linear_algebra_text.rs.
! What derivatives of BLAS and LAPACK procedures have in common.
module costate_linear_algebra_c
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  public
  integer, parameter :: wp = kind(1e0)
  complex(wp), parameter :: zero = 0, one = 1
  private :: ieee_value, ieee_quiet_nan
contains

  ! Where the derivative isn't known and somebody asks for it the program stops, so that it isn't wrong without a word.
  subroutine unknown(what)
    character(len=*), intent(in) :: what
    error stop 'costate: the derivative isn''t known: '//what
  end subroutine

  subroutine refuse_if_used(m, n, a_b, lda, what)
    integer, intent(in) :: m, n, lda
    complex(wp), intent(in) :: a_b(lda,*)
    character(len=*), intent(in) :: what
    if (any(a_b(1:m,1:n) /= 0)) call unknown(what)
  end subroutine

  ! Tangents don't know what is used of them: who uses this one sees that it isn't a number.
  elemental subroutine spoil(x)
    complex(wp), intent(out) :: x
    x = cmplx(ieee_value(1.0_wp, ieee_quiet_nan), ieee_value(1.0_wp, ieee_quiet_nan), wp)
  end subroutine

  ! An element that is assigned again and again depends on the order in which the library does that.
  subroutine refuse_repeated(incx, incy)
    integer, intent(in) :: incx, incy
    if (incx == 0 .or. incy == 0) error stop 'costate: the derivative isn''t known: cswap or crot with an increment of zero'
  end subroutine

  ! Letters that say what is stored, or what is done with it.
  pure logical function is_letter(letter, capital)
    character, intent(in) :: letter, capital
    is_letter = letter == capital .or. letter == achar(iachar(capital) + 32)
  end function

  pure logical function upper(letter)
    character, intent(in) :: letter
    upper = is_letter(letter, 'U')
  end function

  pure logical function left(letter)
    character, intent(in) :: letter
    left = is_letter(letter, 'L')
  end function

  pure logical function unit_diagonal(letter)
    character, intent(in) :: letter
    unit_diagonal = is_letter(letter, 'U')
  end function

  pure logical function transposed(letter)
    character, intent(in) :: letter
    transposed = .not. is_letter(letter, 'N')
  end function

  ! That of the adjoint of op(A). R stands for the conjugate of A, which the library doesn't have.
  pure character function adjoint_of(letter)
    character, intent(in) :: letter
    adjoint_of = merge('N', 'C', transposed(letter))
    if (is_letter(letter, 'T')) adjoint_of = 'R'
  end function

  ! That of the conjugate of op(A).
  pure character function conjugate_of(letter)
    character, intent(in) :: letter
    conjugate_of = merge('T', merge('C', 'R', is_letter(letter, 'T')), is_letter(letter, 'C'))
  end function

  ! Where the first element of a vector stands: with a negative stride it is the last one in memory.
  pure integer function first(n, inc)
    integer, intent(in) :: n, inc
    first = merge(1, 1 - (n-1)*inc, inc >= 0)
  end function

  ! The elements of a vector in order.
  pure function elements(n, x, inc) result(v)
    integer, intent(in) :: n, inc
    complex(wp), intent(in) :: x(*)
    complex(wp) :: v(max(n, 0))
    integer :: i
    do i = 1, n
      v(i) = x(first(n, inc) + (i-1)*inc)
    end do
  end function

  ! x = x + factor*v
  pure subroutine add(n, factor, v, x, inc)
    integer, intent(in) :: n, inc
    complex(wp), intent(in) :: factor, v(*)
    complex(wp), intent(inout) :: x(*)
    integer :: i, at
    do i = 1, n
      at = first(n, inc) + (i-1)*inc
      x(at) = x(at) + factor*v(i)
    end do
  end subroutine

  ! x = factor*x, and zero where the factor is, whatever x was.
  pure subroutine multiply(n, factor, x, inc)
    integer, intent(in) :: n, inc
    complex(wp), intent(in) :: factor
    complex(wp), intent(inout) :: x(*)
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

  ! x = conjg(x)
  pure subroutine conjugate(n, x, inc)
    integer, intent(in) :: n, inc
    complex(wp), intent(inout) :: x(*)
    integer :: i, at
    do i = 1, n
      at = first(n, inc) + (i-1)*inc
      x(at) = conjg(x(at))
    end do
  end subroutine

  ! The library sets the imaginary parts of a Hermitian matrix's diagonal to zero.
  pure subroutine make_diagonal_real(n, a, lda)
    integer, intent(in) :: n, lda
    complex(wp), intent(inout) :: a(lda,*)
    integer :: j
    do j = 1, n
      a(j,j) = real(a(j,j), wp)
    end do
  end subroutine

  ! A = factor*A, and zero where the factor is.
  pure subroutine scale(m, n, factor, a, lda)
    integer, intent(in) :: m, n, lda
    complex(wp), intent(in) :: factor
    complex(wp), intent(inout) :: a(lda,*)
    integer :: j
    do j = 1, n
      call multiply(m, factor, a(1,j), 1)
    end do
  end subroutine

  ! The sum of products of the elements of two matrices, those of the first one conjugated.
  pure complex(wp) function inner(m, n, a, lda, b, ldb)
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: a(lda,*), b(ldb,*)
    integer :: j
    inner = 0
    do j = 1, n
      inner = inner + dot_product(a(1:m,j), b(1:m,j))
    end do
  end function

  ! The first and the last row of column j in a triangle, without the diagonal where that is one by definition.
  pure subroutine rows(uplo, diag, n, j, from, to)
    character, intent(in) :: uplo, diag
    integer, intent(in) :: n, j
    integer, intent(out) :: from, to
    integer :: beside
    beside = merge(1, 0, unit_diagonal(diag))
    from = merge(1, j + beside, upper(uplo))
    to = merge(j - beside, n, upper(uplo))
  end subroutine

  ! c = c + factor*op(A)*b, or b*op(A), by the triangle of A alone, without a diagonal of ones.
  subroutine add_triangle_times(side, uplo, transa, diag, m, n, factor, a, lda, b, c, ldc)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldc
    complex(wp), intent(in) :: factor, a(lda,*), b(m,n)
    complex(wp), intent(inout) :: c(ldc,*)
    complex(wp), allocatable :: full(:,:)
    integer :: order, j, from, to
    order = merge(m, n, left(side))
    allocate(full(order,order), source=zero)
    do j = 1, order
      call rows(uplo, diag, order, j, from, to)
      full(from:to,j) = a(from:to,j)
    end do
    if (left(side)) then
      call cgemm(transa, 'N', m, n, m, factor, full, order, b, m, one, c, ldc)
    else
      call cgemm('N', transa, m, n, n, factor, b, m, full, order, one, c, ldc)
    end if
  end subroutine

  ! The triangle of A = A + factor*c*b^H, or b^H*c, where A stands to the left of b, or to its right; what that is for op(A).
  subroutine add_to_triangle(side, uplo, transa, diag, m, n, factor, c, ldc, b, ldb, a, lda)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb, ldc
    complex(wp), intent(in) :: factor, c(ldc,*), b(ldb,*)
    complex(wp), intent(inout) :: a(lda,*)
    complex(wp), allocatable :: full(:,:)
    integer :: order, j, from, to
    order = merge(m, n, left(side))
    allocate(full(order,order), source=zero)
    if (left(side)) then
      if (transposed(transa)) then
        call cgemm('N', 'C', m, m, n, conjg(factor), b, ldb, c, ldc, zero, full, order)
      else
        call cgemm('N', 'C', m, m, n, factor, c, ldc, b, ldb, zero, full, order)
      end if
    else if (transposed(transa)) then
      call cgemm('C', 'N', n, n, m, conjg(factor), c, ldc, b, ldb, zero, full, order)
    else
      call cgemm('C', 'N', n, n, m, factor, b, ldb, c, ldc, zero, full, order)
    end if
    if (is_letter(transa, 'T')) full = conjg(full)
    do j = 1, order
      call rows(uplo, diag, order, j, from, to)
      a(from:to,j) = a(from:to,j) + full(from:to,j)
    end do
  end subroutine

  ! B = alpha*op(A)^H*B, or B*op(A)^H, with a triangular A; and with the inverse
  subroutine multiply_adjoint(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*)
    if (is_letter(transa, 'T')) then
      b(1:m,1:n) = conjg(b(1:m,1:n))
      call ctrmm(side, uplo, 'N', diag, m, n, conjg(alpha), a, lda, b, ldb)
      b(1:m,1:n) = conjg(b(1:m,1:n))
      return
    end if
    call ctrmm(side, uplo, adjoint_of(transa), diag, m, n, alpha, a, lda, b, ldb)
  end subroutine

  subroutine solve_adjoint(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
    character, intent(in) :: side, uplo, transa, diag
    integer, intent(in) :: m, n, lda, ldb
    complex(wp), intent(in) :: alpha, a(lda,*)
    complex(wp), intent(inout) :: b(ldb,*)
    if (is_letter(transa, 'T')) then
      b(1:m,1:n) = conjg(b(1:m,1:n))
      call ctrsm(side, uplo, 'N', diag, m, n, conjg(alpha), a, lda, b, ldb)
      b(1:m,1:n) = conjg(b(1:m,1:n))
      return
    end if
    call ctrsm(side, uplo, adjoint_of(transa), diag, m, n, alpha, a, lda, b, ldb)
  end subroutine
end module

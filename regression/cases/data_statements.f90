! head: m::parts(y)/(x)
! head: m::loops(y)/(x)
! head: m::kinds(y)/(x)
! head: m::texts(y)/(x)
! head: m::saved(y)/(x)
! Data statements: elements, sections, implied loops, repetitions, other kinds and bases, texts, several statements for one array.
module m
  implicit none
contains
  subroutine parts(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer, parameter :: two = 2
    real(8) :: a(3), b(0:1, -1:1), c(4), d, e
    integer :: k(5)
    data a(1), a(3) /2d0, 3d0/, a(two) /1d0/
    data b(0, :) /3*1.5d0/ b(1, -1), b(1, 0:1) /1d0, two*2d0/
    data c(1:3:2) /1d0, 2d0/
    data c(4), c(2) /4d0, 3d0/
    data d, e, k /2d0, 3d0, 1, 3*2, 1/
    y = sum(a*x)*d + dot_product(matmul(b, x), x(k(1:2)))*e + c(1)*x(1) + c(2)*x(2)*c(3) - c(4)*x(k(5))
  end subroutine
  subroutine loops(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer, parameter :: n = 3
    integer :: i, j
    real(8) :: a(n, n), t(n, n), u(2*n), part(4)
    data ((a(i, j), i=1, n), j=1, n) /1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, 8d0, 9d0/
    data ((t(i, j), i=1, j), j=1, n) /6*0.5d0/, ((t(i, j), i=j + 1, n), j=1, n - 1) /1d0, 2d0, 3d0/
    data (u(2*i), u(2*i - 1), i=1, n) /1d0, -1d0, 2d0, -2d0, 3d0, -3d0/
    data (part(i), i=4, 1, -2) /4d0, 2d0/
    y = sum(matmul(a, x)*matmul(t, x)) + sum(u(1:n)*x**2) + part(2)*x(1) + part(4)*x(2)
  end subroutine
  subroutine kinds(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a(3), b
    complex(8) :: z
    integer(8) :: big(2)
    integer :: bits
    logical :: on(2), off
    data a /1, 2.5, -3d0/, b /3/, z /(1d0, 2d0)/, big /2, 3/, on /.true., .false./, off /.false./
    data bits /z'11'/
    y = sum(a*x) + b*x(1)*real(z*x(2)) + big(2)*x(3)*bits
    if (on(1) .and. .not. on(2) .and. .not. off) y = y*x(2)
  end subroutine
  subroutine texts(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(len=4) :: names(3), name, grid(2, 2)
    integer :: i
    data names /'a', 'it''s', 'cde'/, name /'b'/
    data grid /'a', 2*'b', 'cde'/
    y = 0
    do i = 1, 3
      if (names(i) == 'it''s') y = y + x(i)**2
      if (names(i) == grid(2, 2)) y = y + x(i)*x(1)
    end do
    if (name == grid(1, 2)) y = y*x(1)
  end subroutine
  subroutine saved(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: table(2, 2)
    integer :: i
    data (table(i, 1), i=1, 2) /1d0, 2d0/
    data (table(i, 2), i=1, 2) /3d0, 4d0/
    y = 0
    do i = 1, 2
      y = y + table(i, 1)*x(i)**table(1, i)
    end do
  end subroutine
end module

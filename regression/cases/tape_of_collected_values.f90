! head: m::f(y)/(x)
! size: n=6
! Loops that find out when they end have counted loops in them, whose values go to the tape together; those of loops that an exit
! leaves, or whose bounds change from time to time, go there one by one.
module m
  implicit none
contains
  subroutine f(n, x, y, w)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), intent(in), optional :: w(:)
    real(8) :: a(n,n), c(3), s
    logical :: large
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.1d0*(i + j)*x(i)
      end do
    end do
    y = x
    c = 1
    s = 0
    k = 0
    do while (s < 0.9d0*n .and. k < 4)
      k = k + 1
      do j = 1, n
        do i = 1, j
          large = a(i,j)*y(j) > 0.4d0
          if (large) then
            a(i,j) = a(i,j)*x(i)*cos(y(i))
          else
            a(i,j) = a(i,j) + 0.3d0*a(i,j)**2
          end if
        end do
        c = c*cos(a(j,:3))
      end do
      if (present(w)) then
        do i = 1, size(w)
          y(1) = y(1)*w(i)
        end do
      end if
      do i = n, 1, -2
        y(i) = sin(y(i))*c(1) + a(i,n)
        do j = 1, 3
          c(j) = c(j)*(1 + 0.1d0*y(i)*c(j))
          if (c(j) > 1.2d0) exit
        end do
      end do
      do i = 1, k
        y(i) = y(i)*y(i)*0.9d0 + x(i)
      end do
      steps: do
        do i = 2, n
          y(i) = y(i) - 0.1d0*y(i)*y(i-1)
        end do
        if (sum(y) < 0.5d0*n) exit steps
        do j = 1, 2
          do i = 1, n - 1
            y(i) = y(i)*(0.8d0 + 0.1d0*sin(y(i+1)))
          end do
        end do
      end do steps
      s = s + sum(a(:,1)**2) + 0.4d0
    end do
    y = y + c(1) + a(:,n)
  end subroutine
end module

module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    integer :: i, j

    y = x
    ! A branch that is left from a loop within it, and from a branch.
    search: if (x(1) > -100.0d0) then
      s = 0.0d0
      do i = 1, n
        s = s + x(i)**2
        if (s > 0.5d0*n) exit search
        y(i) = y(i)*s
      end do
      if (s > 0.3d0*n) exit search
      y(1) = y(1)*s
    else
      y(1) = 0.0d0
    end if search

    ! A choice in a loop: jumps to its end, to the next iteration and out of the loop.
    outer: do i = 1, n
      s = x(i)
      kind_of: select case (mod(i, 4))
      case (0)
        if (s > 0.5d0) exit kind_of
        y(i) = y(i) + s**3
        if (s < 0.2d0) cycle
        y(i) = y(i) + s**2
      case (1:2)
        do j = 1, i
          if (x(j) > 0.9d0) exit kind_of
          if (x(j) < 0.05d0) cycle outer
          s = s*x(j)
        end do
        y(i) = y(i)*s
      case default
        if (s > 0.95d0) exit outer
      end select kind_of
      y(i) = y(i) + sin(s)
    end do outer

    ! A block with variables of its own, within an associate construct.
    part: associate (z => y(2:n:2), first => x(1)*x(2))
      work: block
        real(8) :: t(size(z))
        real(8), allocatable :: u(:)
        t = z*first
        if (t(1) > 0.8d0) exit work
        allocate (u(size(z)))
        u = t**2
        z = z + u
        if (first > 0.1d0) exit part
        z = z*t
      end block work
      z = z*first
    end associate part
    if (y(1) > 10.0d0) return
    last: if (y(1) > 0.0d0) then
      if (y(1) > 0.2d0) exit last
      y(1) = y(1)**2
      if (y(2) > 0.0d0) return
      y(2) = y(1)*y(2)
    end if last
    y(n) = y(n)*y(1)
  end subroutine f
end module m

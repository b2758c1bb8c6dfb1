! head: m::whole(y)/(x)
! head: m::parts(y)/(x)
! head: m::by_call(y)/(x)
! head: m::nested(y)/(x)
! head: m::element(y)/(x)
! calls: split
! Names of `associate` whose selectors lead through pointers that are associated anew in the construct.
module m
  implicit none
  type fields
    real(8), pointer :: now(:) => null(), old(:) => null()
  end type fields
contains
  subroutine whole(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), target :: a(4), b(4)
    real(8), pointer :: p(:)
    a = x
    b = x**2
    p => a
    associate (q => p)
      p => b
      q = q*2 + p
      p(1) = q(2)
    end associate
    y = a*b
  end subroutine whole

  subroutine parts(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(fields) :: s
    real(8), target :: a(4), b(4)
    real(8), pointer :: t(:)
    integer :: it
    a = x
    b = x**2
    s%now => a
    s%old => b
    do it = 1, 3
      associate (n => s%now, o => s%old)
        t => s%now
        s%now => s%old
        s%old => t
        n = n + 0.1d0*o*s%now
      end associate
    end do
    y = a*2 + b
  end subroutine parts

  subroutine exchange(s)
    type(fields), intent(inout) :: s
    real(8), pointer :: t(:)
    t => s%now
    s%now => s%old
    s%old => t
  end subroutine exchange

  subroutine by_call(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(fields) :: s
    real(8), target :: a(4), b(4)
    a = x
    b = x**2
    s%now => a
    s%old => b
    associate (n => s%now(2:3), o => s%old)
      call exchange(s)
      n = n*o(1:2) + s%now(1)
    end associate
    y = a + b*s%old
  end subroutine by_call

  subroutine nested(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(fields), target :: s, r
    type(fields), pointer :: c
    real(8), target :: a(4), b(4)
    a = x
    b = sin(x)
    s%now => a
    s%old => b
    r%now => b
    r%old => a
    c => s
    associate (f => c)
      associate (n => f%now)
        c => r
        n = n**2 + c%now
        f%old(1) = n(2)*c%old(3)
      end associate
    end associate
    y = a*b
  end subroutine nested

  subroutine element(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), target :: a(4)
    real(8), pointer :: p(:)
    integer :: k
    a = x
    p => a(2:4)
    k = 2
    associate (e => p(k), w => p(:k))
      k = 1
      p => a(1:3)
      e = e*p(1)
      w = w + e*p(2)
    end associate
    y = a
  end subroutine element
end module m

module m
  implicit none
  type wave
    complex(8) :: a
    complex(8), allocatable :: c(:)
    real(8) :: re, im
  end type wave
contains
  subroutine turn(u, v)
    real(8), intent(inout) :: u
    real(8), intent(in) :: v
    u = u*v + sin(u)
  end subroutine turn

  subroutine scale(u, f)
    real(8) :: u(:), f
    u = u*f
  end subroutine scale

  elemental subroutine swap(u, v)
    real(8), intent(inout) :: u, v
    real(8) :: t
    t = u
    u = v**2
    v = t
  end subroutine swap

  pure integer function next(i, n)
    integer, intent(in) :: i, n
    next = mod(i, n) + 1
  end function next

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    complex(8) :: z, w(n)
    complex(4) :: q
    complex(8), allocatable :: v(:)
    type(wave) :: s(3)
    integer :: i

    ! Both parts at once, one after the other, and one alone.
    z%re = x(1)
    z%im = x(2)*2.0d0
    do i = 1, n
      w(i)%re = x(i)**2
      w(i)%im = w(i)%re + x(next(i, n))
    end do
    z%re = z%im**2
    w(next(1, n))%im = z%re*z%im
    ! Arrays and sections, other kinds of value.
    w(2:)%re = w(:n-1)%im*z%re
    w%im = w(n:1:-1)%im + 1
    v = w*z
    v%re = 0.5d0
    v(1:n:2)%im = v(1:n:2)%im + v(1:n:2)
    z%im = z*w(2)
    where (x > 0.5d0)
      w%re = w%re*w%im
    elsewhere
      w%im = 2*w%re
    end where
    do concurrent (i = 1:n, x(i) < 0.5d0)
      v(i)%re = v(i)%im*x(i)
    end do
    ! Arguments.
    call turn(z%re, z%im)
    call turn(v=w(3)%re, u=z%im)
    call scale(v(2:)%re, z%re)
    call swap(w%re, w%im)
    call swap(z%re, z%im)
    ! Components, of which some bear the same names.
    s%re = x(1)
    s%im = s%re*x(2)
    s%a%re = s%im
    s%a%im = x(3)
    s(2)%a%im = s(1)%a%re*s(2)%re
    s(3)%c = w
    s(3)%c%re = s(3)%c%im*x
    associate (part => w(2:)%im, one => s(2)%a%im)
      part = part*one
      part(1) = part(2)*part(3)
      one = one**2
    end associate
    q%re = real(x(4))
    q%im = real(x(1))
    y = w%re*v%im + w%im*v%re + abs(z) + s(3)%c%re*s(3)%c%im
    y(:3) = y(:3) + s%a%re*s%a%im*s%im
    y(1) = y(1) + sum(w%re) + q%re*q%im*1.0d-6
  end subroutine f
end module m

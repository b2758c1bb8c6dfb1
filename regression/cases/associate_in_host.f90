! head: m::f(y)/(x)
! head: m::g(y)/(x)
! selectors of associate whose subscripts an internal procedure changes
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    integer :: k, list(2)
    a = x
    k = 1
    list = [1, 3]
    associate (q => a(k), r => a(list(1):list(1) + 1))
      call up()
      q = q**2
      r = r*q*factor()
    end associate
    y = a(1)*a(2) + a(4)
  contains
    subroutine up()
      k = k + 1
      call further()
    end subroutine up

    subroutine further()
      list = list + 1
    end subroutine further

    real(8) function factor()
      k = k + 1
      factor = k
    end function factor
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    integer :: k
    a = x
    k = 2
    associate (q => a(k))
      call twice(shift)
      q = sin(q)*k
    end associate
    y = a(2)*a(3)
  contains
    subroutine shift()
      k = mod(k, 3) + 1
    end subroutine shift
  end subroutine g

  subroutine twice(s)
    interface
      subroutine s()
      end subroutine s
    end interface
    call s()
    call s()
  end subroutine twice
end module m

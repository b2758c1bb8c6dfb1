! head: m::f(y)/(x)
! forall that assigns what the subscripts of its left sides read, and objects made for each index
module m
  implicit none
  type link
    integer :: next
    real(8) :: r(2)
  end type link
contains
  pure integer function place(v, k)
    real(8), intent(in) :: v(:)
    integer, intent(in) :: k
    place = int(v(k))
  end function place

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(6)
    integer :: i, j, at(4), of(3, 2)
    real(8) :: v(6), w(6)
    type(link) :: chain(6)
    at = [3, 1, 4, 2]
    forall (i=1:4) at(at(i)) = at(i)
    y(1:4) = x(at)**2
    y(5:6) = 0
    ! A real steers the place of the next one, with a mask that reads it and by a function.
    v = [3.0d0, 1.0d0, 4.0d0, 2.0d0, 6.0d0, 5.0d0]
    w = v
    forall (i=1:4, v(i) > 1.5d0) v(int(v(i))) = x(i)*v(i)
    forall (i=1:4) w(place(w, i)) = x(i)*w(i)
    y = y + v**2 + w*v
    of = reshape([2, 3, 1, 3, 1, 2], [3, 2])
    forall (i=1:3, j=1:2) of(of(i, j), j) = of(i, 3 - j)
    do i = 1, 3
      y(i) = y(i) + x(of(i, 1))*w(of(i, 2))
    end do
    do i = 1, 6
      chain(i) = link(mod(i + 2, 6) + 1, i*x(mod(i, 4) + 1)*[1.0d0, 2.0d0])
    end do
    forall (i=1:4) chain(chain(i)%next) = link(chain(chain(i)%next)%next, chain(i)%r*x(i))
    forall (i=1:3) chain(i) = link(chain(i + 1)%next, chain(i + 1)%r*v(i))
    do i = 1, 6
      y(i) = y(i) + chain(i)%r(1)*chain(chain(i)%next)%r(2)
    end do
  end subroutine f
end module m

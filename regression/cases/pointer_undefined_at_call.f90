! head: m::views(y)/(x)
! head: m::choices(y)/(x)
! local pointers that are undefined when they are first passed to a procedure, which associates them
module m
  implicit none
contains
  subroutine view(p, a, k)
    real(8), pointer, intent(out) :: p(:)
    real(8), target, intent(inout) :: a(:,:)
    integer, intent(in) :: k
    p => a(:,k)
    p = p*p(1)
  end subroutine view

  subroutine views(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y(6)
    real(8), target :: a(3,2)
    real(8), pointer :: p(:), q(:)
    integer :: k
    a = reshape(x, [3, 2])
    do k = 1, 2
      call view(p, a, k)
      p(2) = p(2)*p(3)
    end do
    call view(q, a, 1)
    q = q + p
    y = reshape(a, [6])
  end subroutine views

  subroutine choose(p, a, b, c)
    real(8), pointer :: p(:)
    real(8), target :: a(:), b(:)
    real(8), intent(in) :: c
    if (c > 0.7d0) then
      p => a
      return
    end if
    p => b
    p(1) = p(1)*c
  end subroutine choose

  subroutine choices(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), target :: a(4), b(4)
    real(8), pointer :: p(:)
    integer :: i
    a = x
    b = x*x
    do i = 1, 4
      call choose(p, a, b, x(i))
      p = p*sin(p(5-i))
      nullify(p)
      call choose(p, b(1:2), a(3:4), (a(i)))
      p = sin(p)
    end do
    y = a*b
  end subroutine choices
end module m

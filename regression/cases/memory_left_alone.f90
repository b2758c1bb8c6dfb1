! head: called(y)/(x)
! head: in_steps(y)/(x)
! head: given(y)/(x)
! head: freed(y)/(x)
! size: n=5
! Allocatable arrays of a module that a procedure, or the steps of a loop, use where they have memory, and leave alone where they
! haven't; and one that a called procedure frees whose last values are of no use.
module left_alone
  implicit none
  real(8), allocatable :: factor(:), extra(:), state(:), work(:)
  logical :: has_extra = .false.
  type :: part_t
    real(8) :: s = 0
  end type part_t
  type :: whole_t
    real(8) :: a = 0
    type(part_t), allocatable :: parts(:)
  end type whole_t
contains
  subroutine scale(o)
    type(whole_t), intent(inout) :: o
    if (allocated(factor)) factor = factor*factor*o%a
    call more(o)
  end subroutine scale

  subroutine more(o)
    type(whole_t), intent(inout) :: o
    if (has_extra) then
      extra = extra*o%a
      o%a = o%a*extra(1)
    end if
  end subroutine more

  subroutine called(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(whole_t) :: o
    o%a = x(1)
    allocate(o%parts(2))
    o%parts(1)%s = 0.3d0*x(1)
    o%parts(2)%s = 0.4d0
    call scale(o)
    factor = x*o%a
    call scale(o)
    y = factor*o%parts(2)%s
    deallocate(factor)
  end subroutine called

  subroutine in_steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: p, q
    integer :: k
    p = 0.5d0*x(1) + 0.2d0
    q = x(n)
    do k = 1, 2*n
      if (allocated(extra)) then
        extra = extra*extra*q
        p = p*0.5d0 + 0.3d0*extra(1)*q
      end if
      p = sin(p)
    end do
    y = x*p
  end subroutine in_steps

  ! With memory.
  subroutine given(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    allocate(extra(n))
    extra = x
    has_extra = .true.
    call called(n, x, y)
    extra = 0.5d0 + 0.1d0*sin(x*y)
    call in_steps(n, x, y)
    has_extra = .false.
    deallocate(extra)
  end subroutine given

  subroutine start(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    allocate(state(n), work(n))
    state = x
    work = 0.3d0*x**2
  end subroutine start

  subroutine move(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      state(i) = 0.5d0*sin(state(i)) + 0.2d0*work(i)
      work(i) = work(i)*0.7d0 + state(i)**2
    end do
  end subroutine move

  subroutine finish(y)
    real(8), intent(out) :: y(:)
    y = state
    deallocate(state, work)
  end subroutine finish

  subroutine freed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call start(n, x)
    call move(n)
    call move(n)
    call finish(y)
  end subroutine freed
end module left_alone

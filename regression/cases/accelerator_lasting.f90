! head: whole(y)/(x)
! head: in_steps(y)/(x)
! head: with_memory(y)/(x)
! head: at_first(y)/(x)
! head: named(y)/(x)
! head: deleted(y)/(x)
! head: between(y)/(x)
! head: passed(y)/(x)
! head: at_first_use(y)/(x)
! size: n=6
! acc: host
! Arrays, of modules and others, that directives put on the device, and take off, for longer than procedures last: derivative code leaves the
! device as the primal does, so that what is called next finds there what it expects.
module lasting
  implicit none
  real(8) :: state(30), factor(30)
  real(8), allocatable :: grown(:), table(:)
  logical :: begun = .false.
  real(8) :: weights(30)
  real(8), target :: pointed(30)
contains
  subroutine begin(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    do i = 1, n
      state(i) = sin(x(i)) + 0.3d0*x(i)
      factor(i) = 0.3d0*x(i)**2
      state(i) = state(i)*(1d0 + 0.1d0*state(i)**2)
    end do
    call put()
  end subroutine begin

  subroutine put()
    !$acc enter data copyin(state, factor)
  end subroutine put

  subroutine work(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop present(state, factor)
    do i = 1, n
      state(i) = 0.5d0*sin(state(i)) + 0.2d0*factor(i)
      factor(i) = factor(i)*0.7d0 + state(i)**2
    end do
  end subroutine work

  subroutine finish(n, y)
    integer, intent(in) :: n
    real(8), intent(out) :: y(n)
    integer :: i
    !$acc exit data copyout(state, factor)
    do i = 1, n
      y(i) = state(i) + 0.1d0*sin(state(i))
      state(i) = 0.5d0*y(i) + state(i)
      y(i) = y(i)*(0.7d0 + 0.1d0*state(i))
    end do
  end subroutine finish

  subroutine whole(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call begin(n, x)
    call work(n)
    call work(n)
    call finish(n, y)
    call begin(n, y)
    call work(n)
    call finish(n, y)
  end subroutine whole

  ! There and back in each step.
  subroutine in_steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    y = x
    !$ad checkpoint schedule(revolve) snapshots(2)
    do k = 1, 5
      call begin(n, y)
      call work(n)
      call finish(n, y)
    end do
  end subroutine in_steps

  ! Memory that is put there where it is allocated, and freed where it is taken off.
  subroutine grow(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    allocate(grown(n))
    grown = x*x
    !$acc enter data copyin(grown)
  end subroutine grow

  subroutine use_grown(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop present(grown)
    do i = 1, n
      grown(i) = sin(grown(i))*grown(i)
    end do
  end subroutine use_grown

  subroutine shrink(n, y)
    integer, intent(in) :: n
    real(8), intent(out) :: y(n)
    if (n > 3) then
      !$acc exit data copyout(grown)
    else
      !$acc update self(grown)
      !$acc exit data delete(grown)
    end if
    y = grown
    deallocate(grown)
  end subroutine shrink

  subroutine with_memory(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call grow(n, x)
    call use_grown(n)
    call use_grown(n)
    call shrink(n, y)
  end subroutine with_memory

  ! Put there by the first call of all.
  subroutine at_first(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    if (.not. begun) then
      do i = 1, 30
        weights(i) = 1d0/i
      end do
      !$acc enter data copyin(weights)
      begun = .true.
    end if
    !$acc parallel loop present(weights) copyin(x) copyout(y)
    do i = 1, n
      y(i) = weights(i)*x(i)**2
    end do
  end subroutine at_first

  ! What pointers may lead to is brought where called procedures rely on it, after it was taken off, too.
  subroutine named(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    pointed(1:n) = x
    do k = 1, 3
      call turn(n)
    end do
    y = pointed(1:n)
  end subroutine named

  subroutine turn(n)
    integer, intent(in) :: n
    call on()
    call move(n)
    !$acc update self(pointed(1:n))
    pointed(1:n) = pointed(1:n)*1.1d0
    !$acc update device(pointed(1:n))
    call move(n)
    call off(n)
  end subroutine turn

  subroutine on()
    !$acc enter data copyin(pointed)
  end subroutine on

  subroutine off(n)
    integer, intent(in) :: n
    !$acc exit data copyout(pointed)
    pointed(1:n) = pointed(1:n)*0.9d0
  end subroutine off

  subroutine move(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop present(pointed)
    do i = 1, n
      pointed(i) = 0.5d0*sin(pointed(i)) + 0.3d0*pointed(i)**2
    end do
  end subroutine move

  ! Values that only an update has brought to the host before the copy is deleted.
  subroutine deleted(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    pointed(1:n) = x**2
    call on()
    call move(n)
    !$acc update self(pointed)
    call away()
    y = pointed(1:n)
  end subroutine deleted

  subroutine away()
    !$acc exit data delete(pointed)
  end subroutine away

  ! What the host does to an array while it is there, brought by called procedures, with nothing else on the device.
  subroutine change(n, u, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: u(n)
    u(k) = 0.5d0*u(k)*u(n)
    !$acc update device(u) if_present
    if (k < n) u(n) = u(n)*u(1)
    !$acc update device(u(n:n)) if_present
  end subroutine change

  subroutine between(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    pointed(1:n) = x**2
    do k = 1, 2
      call on()
      call change(n, pointed(1:n), k)
      call off(n)
    end do
    y = pointed(1:n)
  end subroutine between

  ! An argument that one procedure puts there and another takes off.
  subroutine first(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    u(n) = u(n)*0.7d0
    !$acc enter data copyin(u(1:n))
  end subroutine first

  subroutine middle(n, u, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    integer :: i
    !$acc parallel loop present(u)
    do i = 1, n
      u(i) = u(i)*0.9d0 + 0.2d0*u(i)**2
    end do
    !$acc update self(u(1:n))
    s = s + sum(u)/n
  end subroutine middle

  subroutine last(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    !$acc exit data copyout(u(1:n))
    u(1) = u(1)*1.2d0*u(n)
  end subroutine last

  subroutine passed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), s
    a = x
    s = x(1)
    call first(n, a)
    call middle(n, a, s)
    call middle(n, a, s)
    call last(n, a)
    y = a*s
  end subroutine passed

  ! It gets memory and goes to the device when it is used first, and stays.
  subroutine at_first_use(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    call with_table(n, x, z)
    z = z**2
    call with_table(n, z, y)
  end subroutine at_first_use

  subroutine with_table(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: p
    integer :: it
    p = 0.3d0*x(1)
    call prepare()
    table(1:n) = x
    !$acc update device(table(1:n))
    do it = 1, 4
      call use_table(n)
    end do
    !$acc update self(table(1:n))
    y = table(1:n)*p + x
  end subroutine with_table

  subroutine prepare()
    if (allocated(table)) then
      if (size(table) >= 100) return
    end if
    allocate(table(100))
    table = 0d0
    !$acc enter data copyin(table)
  end subroutine prepare

  subroutine use_table(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop present(table)
    do i = 1, n
      table(i) = 0.5d0*sin(table(i)) + 0.2d0*table(i)**2
    end do
  end subroutine use_table
end module lasting

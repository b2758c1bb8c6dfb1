! head: conditional(y)/(x)
! head: elsewhere(y)/(x)
! head: of_block(y)/(x)
! head: created(y)/(x)
! head: final(y)/(x)
! head: absent(y)/(x)
! head: under_conditions(y)/(x)
! head: put_below(y)/(x)
! head: with_one_flag(y)/(x)
! head: in_branches(y)/(x)
! head: passed_flag(y)/(x)
! head: at_need(y)/(x)
! size: n=6
! acc: host
! What directives say of arrays in called procedures, where that depends on conditions, on what is brought to the host before, or on what
! callers have on the device.
module where_used
  implicit none
  real(8) :: kept(30)
  logical :: on_device = .true., there = .false.
  real(8), allocatable :: table(:)
contains
  ! The same condition decides where a loop runs, and what is brought to the host behind it.
  subroutine either(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc update self(u, v) if_present
    !$acc parallel loop if(n > 3)
    do i = 1, n
      u(i) = 0.6d0*u(i) + 0.3d0*v(i)*v(i)
    end do
    !$acc update self(u) if_present if(n > 3)
    u(1) = 0.6d0*u(1) + 0.3d0*u(n)*v(1)
  end subroutine either

  subroutine conditional(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    integer :: i
    a = x
    b = 0.5d0 + 0.3d0*sin(x)
    !$acc enter data copyin(a, b)
    call either(n, a, b)
    !$acc update device(a)
    !$acc parallel loop
    do i = 1, n
      a(i) = 0.6d0*a(i) + 0.3d0*b(i)*a(i)
    end do
    call either(n - 4, a, b)
    !$acc update device(a(1:n-4))
    !$acc exit data copyout(a, b)
    y = a*b
  end subroutine conditional

  ! Another element is brought to the host than the one that is used.
  subroutine two(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), v(n)
    integer :: k, l
    k = min(2, n)
    l = 1
    !$acc update self(u(k:k)) if_present
    v(k) = 0.5d0*v(k) + 0.3d0*u(l)
  end subroutine two

  subroutine elsewhere(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), c(n)
    integer :: i
    a = x
    c = 0.5d0 + 0.3d0*sin(x)
    !$acc parallel loop
    do i = 1, n
      c(i) = 0.6d0*c(i)**2
    end do
    call two(n, c, a)
    !$acc parallel loop
    do i = 1, n
      a(i) = a(i) + 0.4d0*c(i)**2
    end do
    y = a
  end subroutine elsewhere

  ! Directives name arrays of a block.
  subroutine of_block(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    integer :: i
    b = 0.5d0 + 0.3d0*sin(x)
    block
      real(8) :: work(n), other(n)
      !$acc enter data create(work)
      !$acc data create(other)
      !$acc parallel loop
      do i = 1, n
        work(i) = 0.5d0*b(i)**2
        other(i) = work(i)*b(i)
      end do
      !$acc parallel loop
      do i = 1, n
        b(i) = work(i)*0.7d0 + 0.2d0*other(n + 1 - i)
      end do
      !$acc end data
      !$acc exit data delete(work)
    end block
    y = b
  end subroutine of_block

  ! The caller has it there.
  subroutine square(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    integer :: i
    !$acc enter data create(w)
    !$acc parallel loop
    do i = 1, n
      w(i) = 0.5d0*w(i)**2
    end do
    !$acc exit data copyout(w)
  end subroutine square

  subroutine halve(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    integer :: i
    !$acc data create(w)
    !$acc parallel loop
    do i = 1, n
      w(i) = 0.5d0*w(i) + 0.1d0*w(i)**2
    end do
    !$acc end data
  end subroutine halve

  subroutine double(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    integer :: i
    !$acc enter data copyin(w)
    !$acc parallel loop
    do i = 1, n
      w(i) = 2d0*w(i) - 0.3d0*w(i)**2
    end do
    !$acc exit data delete(w)
  end subroutine double

  ! The host changes it, and the last directive doesn't bring it back.
  subroutine on_host(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    !$acc enter data copyin(w)
    !$acc update self(w)
    if (n > 2) w(1) = w(1)*0.5d0 + 0.2d0*w(2)**2
    !$acc exit data copyout(w)
  end subroutine on_host

  subroutine created(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    b = 0.5d0 + 0.3d0*sin(x)
    !$acc data copy(b)
    call square(n, b)
    call halve(n, b)
    call double(n, b)
    call on_host(n, b)
    !$acc update device(b)
    !$acc end data
    y = b*x
  end subroutine created

  ! It is taken off however often it was put there.
  subroutine away(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc enter data copyin(u)
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.3d0*u(i)**2 + 0.4d0*u(i)
    end do
    !$acc update self(u)
    !$acc exit data delete(u) finalize
  end subroutine away

  subroutine final(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: g(:)
    integer :: i
    allocate(g(n))
    g = 0.4d0*x + 0.1d0
    !$acc parallel loop
    do i = 1, n
      g(i) = 0.3d0*g(i)**2 + 0.4d0*x(i)
    end do
    call away(n, g)
    y = g*0.3d0
    deallocate(g)
  end subroutine final

  ! It is taken off where nothing has put it there.
  subroutine off(n, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(n)
    !$acc exit data copyout(v)
    v(1) = v(1)*0.5d0
  end subroutine off

  subroutine absent(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: b(:)
    integer :: i
    allocate(b(n))
    b = 0.5d0 + 0.3d0*sin(x)
    !$acc parallel loop
    do i = 1, n
      b(i) = 0.6d0*b(i)**2
    end do
    call off(n, b)
    !$acc parallel loop
    do i = 1, n
      b(i) = 0.6d0*b(i)**2
    end do
    y = b
  end subroutine absent

  ! The first step puts it there, the last one takes it off.
  subroutine step(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop present(u)
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)) + 0.3d0*u(i)**2
    end do
  end subroutine step

  subroutine under_conditions(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    integer :: it, steps
    b = 0.5d0 + 0.3d0*sin(x)
    steps = min(n, 4)
    do it = 1, steps
      if (it == 1) then
        !$acc enter data copyin(b)
      end if
      call step(n, b)
      if (it == steps) then
        !$acc exit data copyout(b)
      end if
    end do
    y = b**2
  end subroutine under_conditions

  ! What a procedure below puts there stays, and is put there again by the adjoint of the one between.
  subroutine put(n)
    integer, intent(in) :: n
    integer :: i
    !$acc enter data copyin(kept)
    !$acc parallel loop
    do i = 1, n
      kept(i) = 0.5d0*kept(i)**2 + 0.2d0
    end do
    !$acc update self(kept)
  end subroutine put

  subroutine through(n)
    integer, intent(in) :: n
    call put(n)
  end subroutine through

  subroutine put_below(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    kept(1:n) = x
    call through(n)
    !$acc exit data delete(kept)
    y = kept(1:n)
  end subroutine put_below

  ! One flag decides about all directives.
  subroutine flagged(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc parallel loop if(on_device)
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)*v(i)) + 0.3d0
    end do
    if (on_device) then
      !$acc parallel loop
      do i = 1, n
        v(i) = v(i)*u(i)
      end do
    else
      do i = 1, n
        v(i) = v(i)*u(i)
      end do
    end if
  end subroutine flagged

  subroutine with_one_flag(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    a = x
    b = 0.5d0 + 0.3d0*sin(x)
    !$acc enter data copyin(a, b) if(on_device)
    call flagged(n, a, b)
    call flagged(n, b, a)
    !$acc exit data copyout(a, b) if(on_device)
    y = a + b*x
  end subroutine with_one_flag

  ! Each branch takes it off.
  subroutine branches(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc enter data copyin(u)
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)*u(i)) + 0.3d0
    end do
    if (n < 3) then
      !$acc exit data copyout(u)
    else
      !$acc enter data copyin(v)
      !$acc parallel loop
      do i = 1, n
        v(i) = 0.5d0*sin(v(i)*u(i)) + 0.3d0
      end do
      !$acc exit data copyout(v, u)
    end if
  end subroutine branches

  subroutine in_branches(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    a = x
    b = 0.5d0 + 0.3d0*sin(x)
    call branches(n, a, b)
    call branches(2, b, a)
    y = a + b*x
  end subroutine in_branches

  ! Callers say where loops run.
  subroutine inner(n, u, there)
    integer, intent(in) :: n
    logical, intent(in) :: there
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop if(there)
    do i = 1, n
      u(i) = 0.5d0*u(i)**2 + 0.3d0
    end do
  end subroutine inner

  subroutine outer(n, u, v, there)
    integer, intent(in) :: n
    logical, intent(in) :: there
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    call inner(n, u, there)
    !$acc parallel loop if(there)
    do i = 1, n
      v(i) = v(i)*u(i) + 0.1d0*u(n + 1 - i)
    end do
    call inner(n, v, there)
  end subroutine outer

  subroutine passed_flag(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    logical :: device
    integer :: it
    a = x
    b = 0.5d0 + 0.3d0*sin(x)
    device = n > 2
    !$acc enter data copyin(a, b)
    do it = 1, 3
      call outer(n, a, b, device)
    end do
    !$acc update self(a, b) if(device)
    call outer(n, b, a, .not. (n > 0))
    !$acc update device(a, b)
    call outer(n, a, b, device .or. n > 1)
    if (.not. (device .or. n > 1)) then
      !$acc update device(a, b)
    end if
    !$acc exit data copyout(a, b)
    y = a + b
  end subroutine passed_flag

  ! A flag says whether an array is there.
  subroutine need(n)
    integer, intent(in) :: n
    if (.not. there) then
      allocate(table(n))
      table = 0.5d0
      !$acc enter data copyin(table)
      there = .true.
    end if
  end subroutine need

  subroutine drop()
    if (there) then
      !$acc update self(table)
      !$acc exit data delete(table)
      deallocate(table)
      there = .false.
    end if
  end subroutine drop

  subroutine use_table(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    call need(n)
    !$acc parallel loop
    do i = 1, n
      table(i) = table(i)*u(i) + 0.1d0
      u(i) = u(i)*0.5d0 + table(i)
    end do
  end subroutine use_table

  subroutine at_need(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    a = x
    !$acc enter data copyin(a)
    call use_table(n, a)
    call drop()
    call use_table(n, a)
    call use_table(n, a)
    !$acc exit data copyout(a)
    call drop()
    y = a
  end subroutine at_need
end module where_used

! Objects as buffers: datatypes of some of their components, of which some are integers and some have no derivative where they
! are sent or received; in callees, as elements of arrays and components, by pointers, in collective calls and by persistent
! requests.
! head: m::f(y)/(x)
! size: n=4
! processes: 1 3
module m
  use mpi
  implicit none
  type vec
    real(8) :: c(2)
    integer :: tag = 3
  end type
  type particle
    integer :: id = 7
    type(vec) :: x
    real(8) :: v = 1.5d0
    real(8) :: mass = 2d0
    real(8) :: work(2)
    integer :: cell
  end type
  type holder
    type(particle), allocatable :: p(:)
    type(particle), pointer :: q(:) => null()
    real(8) :: z
  end type
  type(particle), target :: glob(3)
contains
  ! All reals but work.
  function particles() result(t)
    integer :: t
    type(particle) :: p(2)
    integer(mpi_address_kind) :: at(0:6), ext
    integer :: ierr, t0
    call mpi_get_address(p(1), at(0), ierr)
    call mpi_get_address(p(1)%id, at(1), ierr)
    call mpi_get_address(p(1)%x%c, at(2), ierr)
    call mpi_get_address(p(1)%x%tag, at(3), ierr)
    call mpi_get_address(p(1)%v, at(4), ierr)
    call mpi_get_address(p(1)%mass, at(5), ierr)
    call mpi_get_address(p(2), at(6), ierr)
    ext = at(6) - at(0)
    at(1:5) = at(1:5) - at(0)
    call mpi_type_create_struct(5, [1, 2, 1, 1, 1], at(1:5), &
      [mpi_integer, mpi_double_precision, mpi_integer, mpi_double_precision, mpi_double_precision], t0, ierr)
    call mpi_type_create_resized(t0, 0_mpi_address_kind, ext, t, ierr)
    call mpi_type_commit(t, ierr)
    call mpi_type_free(t0, ierr)
  end function
  subroutine pass(p, r, t)
    integer, intent(in) :: t
    type(particle), intent(in) :: p
    type(particle), intent(out) :: r
    integer :: me, np, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_sendrecv(p, 1, t, modulo(me + 1, np), 1, r, 1, t, modulo(me - 1, np), 1, mpi_comm_world, &
      mpi_status_ignore, ierr)
  end subroutine
  subroutine ring(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: c, r, unused
    type(holder) :: h
    integer :: t, me, np, ierr, i
    t = particles()
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    c%x%c = 3
    call pass(c, r, t)
    y = x*r%x%c(1)
    call pass(c, unused, t)
    c%v = x(1)
    call pass(c, unused, t)
    allocate(h%p(3))
    h%q => glob
    do i = 1, 3
      h%p(i)%x%c = x(i)
      h%p(i)%v = i
      glob(i)%v = 1
    end do
    call mpi_sendrecv(h%p(1), 2, t, modulo(me + 1, np), 1, h%q(2), 2, t, modulo(me - 1, np), 1, mpi_comm_world, &
      mpi_status_ignore, ierr)
    y(1:2) = y(1:2) + h%q(3)%x%c*h%q(2)%v*glob(2)%x%c(1)
    call pass(h%p(2), h%p(1), t)
    y(3) = y(3)*h%p(1)%x%c(1)*h%p(1)%mass
    c%x%c = 0
    c%v = 0
    if (me == 0) c%x%c = x(1:2)
    do i = 1, 2
      call pass(h%p(3), glob(1), t)
      h%p(3)%v = glob(1)%x%c(1)
      h%p(3)%x%c(1) = glob(1)%v + c%x%c(1)
    end do
    y(4) = y(4) + glob(1)%v*glob(1)%x%c(2)
  end subroutine
  subroutine everywhere(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p, q(3)
    type(particle), allocatable :: all(:), mine(:)
    integer :: t, me, np, ierr, i
    t = particles()
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    p%x%c = x(1:2)**2*(me+1)
    p%v = x(3)
    p%cell = me
    if (me == 0) p%mass = x(4)
    call mpi_bcast(p, 1, t, 0, mpi_comm_world, ierr)
    y = p%x%c(1)*x + p%x%c(2)*p%mass
    allocate(all(max(2, np)), mine(2))
    p%v = sin(x(1))*p%mass
    call mpi_allgather(p, 1, t, all, 1, t, mpi_comm_world, ierr)
    do i = 1, np
      y = y + all(i)%v*all(i)%x%c(1)*i
    end do
    q(:)%v = 0
    q(2)%v = x(2)
    q(1)%x%c(1) = x(1)
    q(3) = q(1)
    q(1:2)%x%c(2) = 1d0
    q(3)%x%c(2) = 2d0
    q(2)%x%c(1) = 2
    call mpi_gather(q(2), 2, t, all, 2, t, 0, mpi_comm_self, ierr)
    y = y + all(1)%v
    deallocate(all)
    allocate(all(2*np))
    do i = 1, 2*np
      all(i)%v = x(1)*i
      all(i)%x%c = x(2)**i
      all(i)%mass = 1
    end do
    call mpi_scatter(all, 2, t, mine, 2, t, 0, mpi_comm_world, ierr)
    y = y + mine(1)%v*mine(2)%x%c(2)*mine(2)%mass
    call mpi_alltoall(all, 1, t, all(np+1), 1, t, mpi_comm_world, ierr)
    y = y + all(2*np)%v*all(np+1)%x%c(1)
    call mpi_type_free(t, ierr)
  end subroutine
  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p(n), r(0:n)
    integer :: t, me, np, ierr, i, it, q(2)
    t = particles()
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_send_init(p(2), n-1, t, modulo(me+1,np), 3, mpi_comm_world, q(1), ierr)
    call mpi_recv_init(r(1), n, t, modulo(me-1,np), 3, mpi_comm_world, q(2), ierr)
    do i = 1, n
      p(i)%x%c = x(i)
      p(i)%v = 1
      r(i)%v = 0
      r(i)%x%c = 0
    end do
    r(0)%v = 1
    r(0)%x%c = 1
    y = 0
    do it = 1, 3
      call mpi_startall(2, q, ierr)
      call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
      do i = 1, n
        y(i) = y(i) + r(i)%x%c(1)*r(i)%v*x(i)
        p(i)%x%c(2) = r(i)%x%c(1)*0.3d0 + r(i)%x%c(2)
        if (it == 2) p(i)%v = r(i)%x%c(2)
      end do
    end do
    call mpi_request_free(q(1), ierr)
    call mpi_request_free(q(2), ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    call ring(n, x, y)
    call everywhere(n, x, z)
    y = y*z
    call steps(n, y, z)
    y = y + z
  end subroutine
end module

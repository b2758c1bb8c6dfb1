! Procedures of objects that pass messages and call each other: what their adjoints need of an object is kept by its components,
! whatever type it has.
! head: forecasts::forecast(q, e)/(q, c)
! size: n=4 steps=3
! processes: 1 3
module grids
  use mpi
  implicit none
  type :: grid_t
    integer :: n = 0, before = -1, after = -1, comm = MPI_COMM_NULL
  contains
    procedure :: set_up
    procedure :: exchange
    procedure :: total
  end type grid_t
contains
  subroutine set_up(self, n)
    class(grid_t), intent(inout) :: self
    integer, intent(in) :: n
    integer :: me, many, ierr
    self%comm = MPI_COMM_WORLD
    self%n = n
    call mpi_comm_rank(self%comm, me, ierr)
    call mpi_comm_size(self%comm, many, ierr)
    self%before = modulo(me - 1, many)
    self%after = modulo(me + 1, many)
  end subroutine set_up

  subroutine exchange(self, f)
    class(grid_t), intent(in) :: self
    real(8), intent(inout) :: f(0:self%n + 1)
    integer :: requests(4), ierr
    call mpi_irecv(f(0), 1, MPI_DOUBLE_PRECISION, self%before, 1, self%comm, requests(1), ierr)
    call mpi_irecv(f(self%n + 1), 1, MPI_DOUBLE_PRECISION, self%after, 2, self%comm, requests(2), ierr)
    call mpi_isend(f(self%n), 1, MPI_DOUBLE_PRECISION, self%after, 1, self%comm, requests(3), ierr)
    call mpi_isend(f(1), 1, MPI_DOUBLE_PRECISION, self%before, 2, self%comm, requests(4), ierr)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
  end subroutine exchange

  real(8) function total(self, x)
    class(grid_t), intent(in) :: self
    real(8), intent(in) :: x
    integer :: ierr
    call mpi_allreduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, self%comm, ierr)
  end function total
end module grids

module states
  use grids
  implicit none
  type :: flow_t
    type(grid_t) :: grid
    real(8) :: speed = 0
    real(8), allocatable :: q(:), w(:)
    real(8) :: ends(2) = 0
    logical :: rising = .false.
  contains
    procedure :: begin
    procedure :: tendency
    procedure :: step
    procedure :: energy
  end type flow_t
  ! Its tendency has one more term.
  type, extends(flow_t) :: damped_t
    real(8), allocatable :: sponge(:)
  contains
    procedure :: tendency => damped_tendency
  end type damped_t
contains
  subroutine begin(self, n, c, q)
    class(flow_t), intent(inout) :: self
    integer, intent(in) :: n
    real(8), intent(in) :: c, q(n)
    call self%grid%set_up(n)
    if (allocated(self%q)) deallocate (self%q, self%w)
    allocate (self%q(0:n + 1), self%w(n))
    self%q = 0
    self%q(1:n) = q
    self%w = 0
    self%speed = c
  end subroutine begin

  subroutine tendency(self)
    class(flow_t), intent(inout) :: self
    integer :: i
    call self%grid%exchange(self%q)
    self%ends = [self%q(0)*self%q(1), self%q(self%grid%n + 1)]
    self%rising = self%ends(1) > 1
    do i = 1, self%grid%n
      self%w(i) = -self%speed*self%q(i)*(self%q(i + 1) - self%q(i - 1))
    end do
    if (self%rising) self%w(1) = self%w(1) + 0.1d0*self%ends(1)*self%ends(2)
  end subroutine tendency

  subroutine damped_tendency(self)
    class(damped_t), intent(inout) :: self
    call self%flow_t%tendency()
    self%sponge(:) = 0.1d0*self%w**2
    self%w = self%w - self%sponge*self%q(1:self%grid%n)
  end subroutine damped_tendency

  subroutine step(self, dt)
    class(flow_t), intent(inout) :: self
    real(8), intent(in) :: dt
    integer :: n
    n = self%grid%n
    call self%tendency()
    self%q(1:n) = self%q(1:n) + dt*self%w
  end subroutine step

  real(8) function energy(self)
    class(flow_t), intent(in) :: self
    energy = self%grid%total(sum(self%q(1:self%grid%n)**2))
  end function energy
end module states

module forecasts
  use states
  implicit none
contains
  subroutine forecast(n, steps, c, q, e)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c
    real(8), intent(inout) :: q(n)
    real(8), intent(out) :: e
    type(flow_t) :: free
    type(damped_t) :: damped
    integer :: k
    call free%begin(n, c, q)
    call damped%begin(n, c, q + 1)
    allocate (damped%sponge(n))
    do k = 1, steps
      call free%step(0.3d0)
      call damped%step(0.2d0)
    end do
    q = free%q(1:n) + damped%q(1:n)
    e = free%energy() + damped%energy()
  end subroutine forecast
end module forecasts

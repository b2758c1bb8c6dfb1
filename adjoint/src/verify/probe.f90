! The part of every driver that doesn't depend on the head: it evaluates primal, tangent and adjoint, and writes what
! they give. A submodule has the variables of a head and the procedures that touch them.
module costate_check_probe
  use, intrinsic :: iso_fortran_env, only: int64
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  use, intrinsic :: ieee_exceptions, only: ieee_invalid, ieee_set_flag, ieee_set_halting_mode
  use costate_check_numbers
  use costate_check_processes
  implicit none

  ! Step sizes tried, each a quarter of the one before.
  integer, parameter :: steps = 12
  ! Numbers of inputs and of outputs.
  integer :: nx, ny
  ! Seconds that everything may take.
  integer :: time_limit
  ! Whether an input is no output too, an output no input, and an output given by the adjoint as well.
  logical, allocatable :: pure_input(:), pure_output(:), returned(:)
  ! How exactly the outputs can be known, that of all together first.
  real(wk), allocatable :: unit_roundoff(:)
  real(wk), allocatable :: kept(:), scale(:)
  integer, allocatable :: shapes(:), xs(:), ys(:)
  integer :: out
  character(len=4096) :: path
  ! Whether an operation that gives no number stops a run.
  logical :: trapping = .false.

  interface
    ! Sets what is above, and calls the user's procedures that set modules up.
    module subroutine describe()
    end subroutine describe
    ! Gives every variable its value on entry.
    module subroutine set_up()
    end subroutine set_up
    module subroutine shape_tangent()
    end subroutine shape_tangent
    module subroutine shape_adjoint()
    end subroutine shape_adjoint
    module subroutine call_primal()
    end subroutine call_primal
    module subroutine call_tangent()
    end subroutine call_tangent
    module subroutine call_adjoint()
    end subroutine call_adjoint
    module subroutine get_x(v, first)
      real(wk), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_x
    module subroutine get_xb(v, first)
      real(wk), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_xb
    module subroutine get_y(v, first)
      real(wk), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_y
    module subroutine get_yb(v, first)
      real(wk), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_yb
    module subroutine get_yd(v, first)
      real(wk), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_yd
    module subroutine put_x(v)
      real(wk), intent(in) :: v(:)
    end subroutine put_x
    module subroutine put_xb(v)
      real(wk), intent(in) :: v(:)
    end subroutine put_xb
    module subroutine put_xd(v)
      real(wk), intent(in) :: v(:)
    end subroutine put_xd
    module subroutine put_yb(v)
      real(wk), intent(in) :: v(:)
    end subroutine put_yb
    module subroutine get_shapes(v, count)
      integer, intent(inout) :: v(:)
      integer, intent(out) :: count
    end subroutine get_shapes
    module subroutine put_shapes(v)
      integer, intent(in) :: v(:)
    end subroutine put_shapes
  end interface

contains

  ! Runs everything and writes the figures: one line each, a word and numbers.
  subroutine probe()
    real(wk), allocatable :: x0(:), y0(:), yp(:), ym(:), yt(:), dy(:), d(:), di(:), w(:), wj(:)
    real(wk), allocatable :: xb(:), xb2(:), xb3(:), yb(:), zero(:), seedx(:), tangents(:, :), quotients(:, :)
    real(wk) :: h, top, part
    integer :: i, j, g, s, from
    logical :: bad, stateless
    character(len=16) :: variant

    call get_command_argument(1, path)
    call get_command_argument(2, variant)
    open (newunit=out, file=trim(path), status='replace', action='write')
    call now('set-up')
    call describe()
    allocate(xs(nx + 1), ys(ny + 1))
    call set_up()
    allocate(x0(0))
    call get_x(x0, xs)
    deallocate(x0)
    allocate(x0(xs(nx + 1) - 1))
    call get_x(x0, xs)
    call measure_outputs()
    if (variant == 'checked') call try_traps()
    allocate(y0(ys(ny + 1) - 1))
    call primal(x0, y0)
    do i = 1, nx
      write (out, '(a, 2i12)') 'input', i, xs(i + 1) - xs(i)
    end do
    do j = 1, ny
      write (out, '(a, 2i12)') 'output', j, ys(j + 1) - ys(j)
    end do
    do j = 1, ny
      bad = .not. all(ieee_is_finite(y0(ys(j):ys(j + 1) - 1)))
      write (out, '(a, 2i12)') 'finite', j, merge(0, 1, bad)
    end do
    if (.not. all(ieee_is_finite(y0))) then
      close (out)
      return
    end if

    allocate(d(size(x0)), di(size(x0)), zero(size(x0)), xb(size(x0)), xb2(size(x0)), xb3(size(x0)), seedx(size(x0)))
    allocate(yp(size(y0)), ym(size(y0)), yt(size(y0)), dy(size(y0)), w(size(y0)), wj(size(y0)), yb(size(y0)))
    allocate(tangents(size(y0), 0:nx), quotients(size(y0), steps), scale(size(y0)))
    zero = 0
    scale = 1
    ! Every direction is as large as the values of its group, every weight as small as those of its group.
    call start_numbers(101)
    do g = 1, nx
      do i = xs(g), xs(g + 1) - 1
        d(i) = signed() * natural(x0(xs(g):xs(g + 1) - 1))
      end do
    end do
    call tangent(x0, d, yt, dy)
    call start_numbers(102)
    do g = 1, ny
      part = 0
      do i = ys(g), ys(g + 1) - 1
        part = part + signed() * y0(i)
      end do
      write (out, '(a, 2i12, 2es26.16e4)') 'value', g, 0, norm2(y0(ys(g):ys(g + 1) - 1)), part
    end do
    do g = 1, ny
      if (ys(g + 1) == ys(g)) cycle
      associate (own => y0(ys(g):ys(g + 1) - 1), slope => dy(ys(g):ys(g + 1) - 1))
        part = rms(own)
        if (.not. part > tiny(part)) part = natural(slope)
        scale(ys(g):ys(g + 1) - 1) = part
      end associate
      do i = ys(g), ys(g + 1) - 1
        w(i) = signed() / (scale(i) * sqrt(real(ys(g + 1) - ys(g), wk)))
      end do
    end do

    do i = merge(1, 0, nx == 1), nx
      call pick(d, xs, i, di)
      call tangent(x0, di, yt, dy)
      tangents(:, i) = dy
      do j = 0, ny
        write (out, '(a, 2i12, 3es26.16e4)') 'norm', i, j, size_of(y0, j), size_of(dy, j), size_of(yt - y0, j)
      end do
      h = 0.1_wk
      do s = 1, steps
        call primal(x0 + h * di, yp)
        call primal(x0 - h * di, ym)
        quotients(:, s) = (yp - ym) / (2 * h)
        do j = 0, ny
          write (out, '(a, 2i12, 3es26.16e4)') 'step', i, j, h, size_of(yp - y0 - h * dy, j), size_of(quotients(:, s), j)
        end do
        h = h / 4
      end do
      call extrapolate(i, y0, dy, quotients)
    end do
    if (nx == 1) tangents(:, 0) = tangents(:, 1)

    do j = merge(1, 0, ny == 1), ny
      call pick(w, ys, j, wj)
      call adjoint(x0, wj, zero, xb, yb, 'nothing')
      do g = 1, ny
        if (.not. returned(g) .or. ys(g + 1) == ys(g)) cycle
        write (out, '(a, 2i12, es26.16e4)') 'kept', g, j, size_of(kept - y0, g)
      end do
      do i = 0, nx
        call pick(d, xs, i, di)
        write (out, '(a, 2i12, 4es26.16e4)') 'dot', i, j, dot_product(wj, tangents(:, i)), dot_product(di, xb), &
          sum(abs(wj * tangents(:, i))), sum(abs(di * xb))
      end do
      do g = 1, ny
        if (.not. pure_output(g) .or. ys(g + 1) == ys(g)) cycle
        write (out, '(a, 2i12, es26.16e4)') 'left', g, j, maxval(abs(yb(ys(g):ys(g + 1) - 1)))
      end do
      ! A second adjoint must find nothing that the first one left behind. Where the primal leaves something that counts,
      ! there is nothing to compare.
      call adjoint(x0, wj, zero, xb2, yb, 'primal')
      stateless = all(abs(xb2 - xb) <= 0)
      if (stateless) call adjoint(x0, wj, zero, xb2, yb, 'adjoint')
      write (out, '(a, i12)') 'stateless', merge(1, 0, stateless)
      ! Read-only inputs get an increment: the adjoint they had on entry must still be in the sum.
      call start_numbers(103)
      seedx = 0
      do g = 1, nx
        if (.not. pure_input(g) .or. xs(g + 1) == xs(g)) cycle
        part = natural(xb(xs(g):xs(g + 1) - 1))
        do from = xs(g), xs(g + 1) - 1
          seedx(from) = signed() * part
        end do
      end do
      call adjoint(x0, wj, seedx, xb3, yb, 'nothing')
      do g = 1, nx
        if (xs(g + 1) == xs(g)) cycle
        associate (a => xb(xs(g):xs(g + 1) - 1), b => xb2(xs(g):xs(g + 1) - 1))
          top = max(maxval(abs(a)), maxval(abs(b)))
          if (stateless) write (out, '(a, 2i12, 2es26.16e4)') 'again', g, j, top, difference(a, b)
        end associate
        if (.not. pure_input(g)) cycle
        associate (a => xb(xs(g):xs(g + 1) - 1), b => xb3(xs(g):xs(g + 1) - 1), c => seedx(xs(g):xs(g + 1) - 1))
          write (out, '(a, 2i12, 2es26.16e4)') 'increment', g, j, maxval(abs(c)) + maxval(abs(a)), difference(a, b - c)
        end associate
      end do
    end do
    write (out, '(a)') 'end'
    close (out)
  end subroutine probe

  ! Compares the tangent with central differences, extrapolated to a step of zero (Richardson). Of all entries of the
  ! table the one counts that can be least off: by its difference to the entry of the step before, which jumps of the
  ! primal show in as well as curvature, and by rounding errors over its step, which the smallest steps show.
  subroutine extrapolate(i, y0, dy, table)
    integer, intent(in) :: i
    real(wk), intent(in) :: y0(:), dy(:)
    real(wk), intent(inout) :: table(:, :)
    real(wk) :: noise(0:ny), gap(0:ny), bound(0:ny), h(steps), off, smallest(4)
    integer :: j, s, level

    h = [(0.1_wk / 4.0_wk**(s - 1), s = 1, steps)]
    do j = 0, ny
      noise(j) = unit_roundoff(j) * (size_of(y0, j) + size_of(dy, j))
      do s = 1, 4
        smallest(s) = h(steps - 4 + s) * size_of(table(:, steps - 4 + s) - table(:, steps - 5 + s), j)
      end do
      ! Rounding errors show in all of them; a kink that one step leaps over and the next doesn't, in few.
      do s = 1, 4
        if (count(smallest < smallest(s)) <= 1 .and. count(smallest <= smallest(s)) >= 2) then
          noise(j) = max(noise(j), smallest(s))
        end if
      end do
    end do
    gap = huge(gap)
    bound = huge(bound)
    do level = 0, 4
      if (level > 0) then
        do s = steps, level + 1, -1
          table(:, s) = table(:, s) + (table(:, s) - table(:, s - 1)) / (16.0_wk**level - 1)
        end do
      end if
      do s = level + 2, steps
        do j = 0, ny
          off = size_of(table(:, s) - table(:, s - 1), j) + noise(j) / h(s)
          if (.not. off < bound(j)) cycle
          bound(j) = off
          gap(j) = size_of(table(:, s) - dy, j)
        end do
      end do
    end do
    ! Numbers that aren't finite agree with nothing.
    where (.not. bound < huge(bound)) bound = 0
    do j = 0, ny
      write (out, '(a, 2i12, 2es26.16e4)') 'quotient', i, j, gap(j), bound(j)
    end do
  end subroutine extrapolate

  ! The size of every output, and the shapes of those that the primal allocates.
  subroutine measure_outputs()
    real(wk) :: none(0)
    integer :: count, unused(0)
    if (in_own_process('primal')) then
      call call_primal()
      call get_y(none, ys)
      call get_shapes(unused, count)
      allocate(shapes(count))
      call get_shapes(shapes, count)
      write (results) ys, count, shapes
      call finish()
    end if
    read (results) ys, count
    allocate(shapes(count))
    read (results) shapes
    call received()
  end subroutine measure_outputs

  ! Operations that give no number stop the runs that follow, unless the primal has some itself.
  subroutine try_traps()
    logical :: survived
    if (in_own_process('primal', survived)) then
      call set_up()
      trapping = .true.
      call traps(.true.)
      call call_primal()
      call traps(.false.)
      call finish()
    end if
    trapping = survived
    if (survived) call received()
    if (.not. survived) write (out, '(a)') 'untrapped'
  end subroutine try_traps

  subroutine traps(on)
    logical, intent(in) :: on
    if (.not. trapping) return
    if (on) call ieee_set_flag(ieee_invalid, .false.)
    call ieee_set_halting_mode(ieee_invalid, on)
  end subroutine traps

  subroutine primal(x, y)
    real(wk), intent(in) :: x(:)
    real(wk), intent(inout) :: y(:)
    if (in_own_process('primal')) then
      call set_up()
      call put_x(x)
      call call_primal()
      call get_y(y, ys)
      if (ys(ny + 1) - 1 /= size(y)) call give_up('the shape of an output depends on the inputs')
      write (results) y
      call finish()
    end if
    read (results) y
    call received()
  end subroutine primal

  subroutine tangent(x, dx, y, dy)
    real(wk), intent(in) :: x(:), dx(:)
    real(wk), intent(inout) :: y(:), dy(:)
    integer :: first(ny + 1)
    if (in_own_process('tangent')) then
      call set_up()
      call put_x(x)
      call shape_tangent()
      call put_xd(dx)
      call traps(.true.)
      call call_tangent()
      call traps(.false.)
      call get_y(y, ys)
      call get_yd(dy, first)
      if (any(first /= ys)) call broken('the tangent gives an output and its derivative different shapes')
      write (results) y, dy
      call finish()
    end if
    read (results) y, dy
    call received()
  end subroutine tangent

  ! `before` names what runs in the same process first: the primal, the adjoint, or nothing.
  subroutine adjoint(x, w, xb_in, xb, yb, before)
    real(wk), intent(in) :: x(:), w(:), xb_in(:)
    real(wk), intent(inout) :: xb(:), yb(:)
    character(len=*), intent(in) :: before
    real(wk) :: found(size(w))
    integer :: first(nx + 1), at(ny + 1)
    kept = w
    if (in_own_process('adjoint')) then
      if (before == 'primal') then
        call set_up()
        call put_x(x)
        call call_primal()
      else if (before == 'adjoint') then
        call run_adjoint(x, w, xb_in)
      end if
      call run_adjoint(x, w, xb_in)
      call get_xb(xb, first)
      if (any(first /= xs)) call broken('the adjoint changes the shape of the adjoint of an input')
      if (any(returned)) then
        call get_y(found, at)
        call align(found, at, kept)
      end if
      ! The adjoint of an output that the primal allocates may be gone.
      yb = 0
      call get_yb(found, at)
      call align(found, at, yb)
      write (results) xb, yb, kept
      call finish()
    end if
    read (results) xb, yb, kept
    call received()
  end subroutine adjoint

  ! Puts the groups that have the size of their output in their places.
  subroutine align(found, at, v)
    real(wk), intent(in) :: found(:)
    integer, intent(in) :: at(:)
    real(wk), intent(inout) :: v(:)
    integer :: g
    do g = 1, ny
      if (at(g + 1) - at(g) /= ys(g + 1) - ys(g) .or. at(g + 1) - 1 > size(found)) cycle
      v(ys(g):ys(g + 1) - 1) = found(at(g):at(g + 1) - 1)
    end do
  end subroutine align

  subroutine run_adjoint(x, w, xb_in)
    real(wk), intent(in) :: x(:), w(:), xb_in(:)
    call set_up()
    call put_x(x)
    call shape_adjoint()
    call put_shapes(shapes)
    call put_xb(xb_in)
    call put_yb(w)
    call traps(.true.)
    call call_adjoint()
    call traps(.false.)
  end subroutine run_adjoint

  ! The size of an output vector (of group j, of all for 0) relative to the outputs' natural size.
  real(wk) function size_of(v, j)
    real(wk), intent(in) :: v(:)
    integer, intent(in) :: j
    integer :: g
    size_of = 0
    do g = 1, ny
      if (j /= 0 .and. j /= g) cycle
      associate (own => v(ys(g):ys(g + 1) - 1), unit => scale(ys(g):ys(g + 1) - 1))
        size_of = size_of + rms(own / unit)**2
      end associate
    end do
    size_of = sqrt(size_of)
  end function size_of

  ! Leaves word of what runs, for the case that it doesn't return, and runs it in a process of its own.
  logical function in_own_process(what, survived)
    character(len=*), intent(in) :: what
    logical, intent(out), optional :: survived
    call now(what)
    in_own_process = own_process(trim(path)//'.part', time_limit, survived)
  end function in_own_process

  subroutine now(what)
    character(len=*), intent(in) :: what
    write (out, '(2a)') 'now ', what
    flush (out)
  end subroutine now

  subroutine broken(text)
    character(len=*), intent(in) :: text
    write (out, '(2a)') 'broken ', text
    close (out)
    call abandon()
  end subroutine broken

  subroutine give_up(text)
    character(len=*), intent(in) :: text
    write (out, '(2a)') 'gave-up ', text
    close (out)
    call abandon()
  end subroutine give_up

end module costate_check_probe

program costate_check
  use costate_check_probe, only: probe
  implicit none
  call probe()
end program costate_check

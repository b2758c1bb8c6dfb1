! Runs of primal, tangent and adjoint.
module costate_check_runs
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  use costate_check_ranks
  implicit none

  real(wk_), allocatable :: kept(:), scale(:)
  ! What the derivatives of the outputs hold before a tangent: where the primal overwrites the output, anything.
  real(wk_), allocatable :: dy_before(:)
  integer, allocatable :: shapes(:), xs(:), ys(:)
  ! What isn't an output, before the primal and after.
  real(wk_), allocatable :: other_before(:), other_after(:)
  integer, allocatable :: os_before(:), os_after(:)
  ! Whether the primal sets it, by elements of what it leaves.
  logical, allocatable :: is_set(:)
  ! How far they are off after a tangent, and whether an adjoint changes what the primal doesn't.
  real(wk_), allocatable :: other_off(:)
  ! Whether an operation that gives no number stops a run.
  logical :: trapping = .false.

contains

  ! The size of every output, the shapes of those that the primal allocates, and what it does to other variables.
  subroutine measure_outputs()
    real(wk_) :: none(0)
    integer :: count, unused(0), g
    allocate(os_before(no + 1), os_after(no + 1), other_off(no))
    if (in_own_process('primal')) then
      call get_o(none, os_before)
      allocate(other_before(os_before(no + 1) - 1))
      call get_o(other_before, os_before)
      call call_primal()
      call get_y(none, ys)
      call get_shapes(unused, count)
      allocate(shapes(count))
      call get_shapes(shapes, count)
      call get_o(none, os_after)
      allocate(other_after(os_after(no + 1) - 1))
      call get_o(other_after, os_after)
      write (results) ys, count, shapes, os_before, os_after, other_before, other_after
      call finish()
    end if
    ! Without a process of its own the run has allocated them here.
    if (allocated(shapes)) deallocate(shapes, other_before, other_after)
    read (results) ys, count
    allocate(shapes(count))
    read (results) shapes, os_before, os_after
    allocate(other_before(os_before(no + 1) - 1), other_after(os_after(no + 1) - 1))
    read (results) other_before, other_after
    call received()
    do g = 1, no
      if (os_before(g + 1) == os_before(g) .or. os_after(g + 1) == os_after(g)) cycle
      if (all(ieee_is_finite(other_before(os_before(g):os_before(g + 1) - 1)))) cycle
      if (all(ieee_is_finite(other_after(os_after(g):os_after(g + 1) - 1)))) cycle
      write (out, '(a, i12)') 'unset', g
    end do
  end subroutine measure_outputs

  ! What the primal leaves as it is.
  logical function is_steady(g)
    integer, intent(in) :: g
    is_steady = same(other_before(os_before(g):os_before(g + 1) - 1), other_after(os_after(g):os_after(g + 1) - 1))
  end function is_steady

  ! How far the other variables are off what the primal leaves; all of them, or those that it doesn't change, which are
  ! compared with what they were.
  subroutine compare_others(steady_only, before)
    logical, intent(in) :: steady_only
    real(wk_), intent(in) :: before(:)
    real(wk_), allocatable :: found(:)
    real(wk_) :: none(0)
    integer :: at(no + 1), g
    other_off = 0
    call get_o(none, at)
    allocate(found(at(no + 1) - 1))
    call get_o(found, at)
    do g = 1, no
      associate (own => found(at(g):at(g + 1) - 1))
        if (steady_only) then
          if (.not. is_steady(g)) cycle
          if (.not. same(own, before(os_before(g):os_before(g + 1) - 1))) other_off(g) = 1
        else
          other_off(g) = deviation_where_set(own, g)
        end if
      end associate
    end do
  end subroutine compare_others

  ! How far a variable is off what the primal leaves there, but for what the primal doesn't set.
  real(wk_) function deviation_where_set(found, g)
    real(wk_), intent(in) :: found(:)
    integer, intent(in) :: g
    associate (left => other_after(os_after(g):os_after(g + 1) - 1), known => is_set(os_after(g):os_after(g + 1) - 1))
      if (size(found) == size(left)) then
        deviation_where_set = deviation(pack(found, known), pack(left, known))
      else
        deviation_where_set = deviation(found, left)
      end if
    end associate
  end function deviation_where_set

  ! What isn't set holds what memory held before: the primal runs twice, with different bytes there. What differs between
  ! the runs by more than rounding errors, which several threads may make, isn't set.
  subroutine find_unset()
    real(wk_) :: first(size(other_after)), second(size(other_after))
    integer :: i
    allocate(is_set(size(other_after)))
    is_set = .true.
    if (size(first) == 0) return
    if (.not. runs_with_memory(127, first)) return
    if (.not. runs_with_memory(0, second)) return
    do i = 1, size(first)
      if (same(first(i:i), second(i:i))) cycle
      is_set(i) = ieee_is_finite(first(i)) .and. ieee_is_finite(second(i))
      if (is_set(i)) is_set(i) = abs(first(i) - second(i)) <= 1e-3_wk_ * max(abs(first(i)), abs(second(i)))
    end do
  end subroutine find_unset

  ! The primal, where memory that it allocates holds a byte: what it leaves in what isn't an output.
  logical function runs_with_memory(byte, left)
    integer, intent(in) :: byte
    real(wk_), intent(inout) :: left(:)
    real(wk_) :: none(0)
    integer :: at(no + 1)
    if (in_own_process('primal', runs_with_memory)) then
      call set_up_head()
      call fill_new_memory(byte)
      call call_primal()
      call fill_new_memory(-1)
      call get_o(none, at)
      if (any(at /= os_after)) then
        call desert(runs_with_memory)
        return
      end if
      call get_o(left, at)
      write (results) left
      call finish()
    end if
    if (.not. runs_with_memory) return
    read (results) left
    call received()
  end function runs_with_memory

  ! Finds outputs whose value on entry counts for nothing, although the declarations don't say so, and the elements that
  ! the primal overwrites.
  subroutine find_pure_outputs(x, y)
    real(wk_), intent(in) :: x(:), y(:)
    real(wk_) :: changed(size(y)), on_entry(size(y)), much(size(y)), unused(size(y))
    integer :: g, i
    allocate(dy_before(size(y)))
    dy_before = 0
    do g = 1, ny
      if (.not. output_alone(g) .or. ys(g + 1) == ys(g)) cycle
      if (.not. runs_with_other(x, g, 0.1_wk_, changed, on_entry)) cycle
      if (.not. pure_output(g) .and. same(changed, y)) then
        ! What counts for little isn't seen beside large values unless it is changed by much.
        pure_output(g) = runs_with_other(x, g, 1e9_wk_, much, unused)
        if (pure_output(g)) pure_output(g) = same(much, y)
      end if
      if (.not. pure_output(g)) cycle
      do i = ys(g), ys(g + 1) - 1
        if (same(changed(i:i), y(i:i)) .and. .not. same(changed(i:i), on_entry(i:i))) dy_before(i) = signed()
      end do
    end do
  end subroutine find_pure_outputs

  ! The primal with other values of an output on entry, some of them off by `most`: what it gives, and what it got.
  logical function runs_with_other(x, g, most, y, on_entry)
    real(wk_), intent(in) :: x(:), most
    integer, intent(in) :: g
    real(wk_), intent(inout) :: y(:), on_entry(:)
    real(wk_), allocatable :: v(:)
    real(wk_) :: none(0)
    integer :: at(ny + 1), i
    if (in_own_process('primal', runs_with_other)) then
      call set_up_head()
      call put_x(x)
      call get_y(none, at)
      if (any(at /= ys)) then
        call desert(runs_with_other)
        return
      end if
      allocate(v(at(ny + 1) - 1))
      call get_y(v, at)
      call start_numbers(104)
      do i = at(g), at(g + 1) - 1
        v(i) = v(i) * (1 + 0.3_wk_ * signed()) + most * signed()
      end do
      call put_y(v)
      call get_y(on_entry, at)
      call call_primal()
      call get_y(y, at)
      write (results) y, on_entry
      call finish()
    end if
    if (.not. runs_with_other) return
    read (results) y, on_entry
    call received()
  end function runs_with_other

  ! Operations that give no number stop the runs that follow, where that is wanted, unless the primal has some itself.
  ! `strictly`: it may not divide by zero either, nor leave the range of numbers.
  subroutine try_traps(wanted, strictly)
    logical, intent(in) :: wanted, strictly
    logical :: survived, caught
    caught = .false.
    if (in_own_process('primal', survived)) then
      call set_up_head()
      call lay_traps(strictly)
      call call_primal()
      caught = traps_caught(strictly)
      call finish()
    end if
    if (survived) call received()
    survived = survived .and. .not. caught
    trapping = survived .and. wanted
    if (.not. survived) write (out, '(a)') 'untrapped'
  end subroutine try_traps

  subroutine traps(on)
    logical, intent(in) :: on
    if (trapping) call set_traps(on)
  end subroutine traps

  ! `before`: inputs with which it runs in the same process first.
  subroutine primal(x, y, before)
    real(wk_), intent(in) :: x(:)
    real(wk_), intent(inout) :: y(:)
    real(wk_), intent(in), optional :: before(:)
    if (in_own_process('primal')) then
      if (present(before)) then
        call set_up_head()
        call put_x(before)
        call call_primal()
      end if
      call set_up_head()
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

  ! `times`: how often it runs in the same process.
  subroutine tangent(x, dx, y, dy, times)
    real(wk_), intent(in) :: x(:), dx(:)
    real(wk_), intent(inout) :: y(:), dy(:)
    integer, intent(in) :: times
    integer :: first(ny + 1), at(ny + 1), i
    if (in_own_process('tangent')) then
      do i = 1, times
        call run_tangent(x, dx)
      end do
      call get_y(y, at)
      call get_yd(dy, first)
      if (any(first /= at)) call broken('the tangent gives an output and its derivative different shapes')
      call compare_others(.false., other_before)
      write (results) y, dy, other_off
      call finish()
    end if
    read (results) y, dy, other_off
    call received()
  end subroutine tangent

  subroutine run_tangent(x, dx)
    real(wk_), intent(in) :: x(:), dx(:)
    real(wk_) :: none(0)
    integer :: first(ny + 1)
    call set_up_head()
    call put_x(x)
    call shape_tangent()
    call get_yd(none, first)
    if (all(first == ys)) call put_yd(dy_before)
    call put_xd(dx)
    call traps(.true.)
    call call_tangent()
    call traps(.false.)
  end subroutine run_tangent

  ! `before` names what runs in the same process first: the primal, the adjoint, or nothing.
  subroutine adjoint(x, w, xb_in, xb, yb, before)
    real(wk_), intent(in) :: x(:), w(:), xb_in(:)
    real(wk_), intent(inout) :: xb(:), yb(:)
    character(len=*), intent(in) :: before
    real(wk_) :: found(size(w)), entry_values(size(other_before))
    integer :: first(nx + 1), at(ny + 1), at_entry(no + 1)
    kept = w
    if (in_own_process('adjoint')) then
      if (before == 'primal') then
        call set_up_head()
        call put_x(x)
        call call_primal()
      else if (before == 'adjoint') then
        call run_adjoint(x, w, xb_in)
      end if
      call set_up_head()
      call put_x(x)
      entry_values = 0
      call get_o(entry_values, at_entry)
      call run_adjoint(x, w, xb_in)
      call compare_others(.not. keeps_primal, entry_values)
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
      write (results) xb, yb, kept, other_off
      call finish()
    end if
    read (results) xb, yb, kept, other_off
    call received()
  end subroutine adjoint

  ! Puts the groups that have the size of their output in their places.
  subroutine align(found, at, v)
    real(wk_), intent(in) :: found(:)
    integer, intent(in) :: at(:)
    real(wk_), intent(inout) :: v(:)
    integer :: g
    do g = 1, ny
      if (at(g + 1) - at(g) /= ys(g + 1) - ys(g) .or. at(g + 1) - 1 > size(found)) cycle
      v(ys(g):ys(g + 1) - 1) = found(at(g):at(g + 1) - 1)
    end do
  end subroutine align

  subroutine run_adjoint(x, w, xb_in)
    real(wk_), intent(in) :: x(:), w(:), xb_in(:)
    call set_up_head()
    call put_x(x)
    call shape_adjoint()
    call put_shapes(shapes)
    call put_xb(xb_in)
    call put_yb(w)
    call traps(.true.)
    call call_adjoint()
    call traps(.false.)
  end subroutine run_adjoint

  ! Leaves word of what runs, for the case that it doesn't return, and runs it in a process of its own.
  logical function in_own_process(what, survived)
    character(len=*), intent(in) :: what
    logical, intent(out), optional :: survived
    call now(what)
    call renew()
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

end module costate_check_runs

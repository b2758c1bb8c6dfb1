! All processes of MPI as one: each vector of the probe's holds the parts of all ranks, one after the other within each
! group. The first rank runs the probe; what that asks for it passes on to the others, which serve it.
module costate_check_ranks
  use, intrinsic :: ieee_exceptions, only: ieee_divide_by_zero, ieee_get_flag, ieee_invalid, ieee_overflow, ieee_set_flag, &
      ieee_set_halting_mode
  use mpi, only: mpi_byte, mpi_integer, mpi_type_commit, mpi_type_contiguous, mpi_type_free
  ! What is done on one rank has `own` in its name.
  use costate_check_processes, only: comm, end_processes, limit_time, rank, ranks, start_processes, wait_for
  use costate_check_memory, own_fill_new_memory => fill_new_memory
  use costate_check_head, own_describe => describe_head, own_set_up => set_up_head, own_shape_tangent => shape_tangent, &
      own_shape_adjoint => shape_adjoint, own_call_primal => call_primal, own_call_tangent => call_tangent, &
      own_call_adjoint => call_adjoint, own_get_x => get_x, own_get_xb => get_xb, own_get_y => get_y, own_get_yb => get_yb, &
      own_get_yd => get_yd, own_get_o => get_o, own_put_y => put_y, own_put_x => put_x, own_put_xb => put_xb, &
      own_put_xd => put_xd, own_put_yd => put_yd, own_put_yb => put_yb, own_get_shapes => get_shapes, &
      own_put_shapes => put_shapes
  implicit none

  ! Not all modules `mpi` have interfaces of these; each has arguments of one type here.
  external :: mpi_ibcast, mpi_igather, mpi_igatherv, mpi_iscatterv
  private :: mpi_ibcast, mpi_igather, mpi_igatherv, mpi_iscatterv
  private :: mpi_byte, mpi_integer, mpi_type_commit, mpi_type_contiguous, mpi_type_free

  ! What a rank is asked for.
  enum, bind(c)
    enumerator :: to_end, to_describe, to_set_up, to_shape_tangent, to_shape_adjoint, to_call_primal, to_call_tangent, &
        to_call_adjoint, to_renew, to_fill, to_lay_traps, to_look_at_traps, to_set_traps, to_get, to_put, to_get_shapes, &
        to_put_shapes
  end enum
  ! Vectors that it has a part of.
  enum, bind(c)
    enumerator :: of_x, of_xb, of_xd, of_y, of_yb, of_yd, of_o
  end enum

  ! MPI's type of a number.
  integer, private :: number
  ! Whether the state before the first run is kept.
  logical, private :: has_kept = .false.

contains

  subroutine start_ranks()
    integer :: error
    call start_processes()
    call mpi_type_contiguous(storage_size(1.0_wk_) / 8, mpi_byte, number, error)
    call mpi_type_commit(number, error)
  end subroutine start_ranks

  subroutine end_ranks()
    integer :: error
    if (leads) call ask(to_end)
    call mpi_type_free(number, error)
    call end_processes()
  end subroutine end_ranks

  ! What all ranks but the first do.
  subroutine serve()
    integer :: order(3)
    call get_command_argument(1, path)
    do
      call share(order)
      if (order(1) == to_end) exit
      call obey(order)
    end do
  end subroutine serve

  ! Tells the other ranks what they are asked for, and more of it by two numbers.
  subroutine announce(what, first, second)
    integer, intent(in) :: what
    integer, intent(in), optional :: first, second
    integer :: order(3)
    order = [what, 0, 0]
    if (present(first)) order(2) = first
    if (present(second)) order(3) = second
    call share(order)
  end subroutine announce

  ! Has all ranks do something.
  subroutine ask(what, yes)
    integer, intent(in) :: what
    logical, intent(in), optional :: yes
    integer :: order(3)
    order = [what, 0, 0]
    if (present(yes)) order(2) = merge(1, 0, yes)
    call announce(order(1), order(2))
    call do_own(order)
  end subroutine ask

  ! What another rank does: what the first one does in these procedures, without the vectors.
  subroutine obey(order)
    integer, intent(in) :: order(3)
    integer :: no_shapes(0), count
    logical :: caught
    select case (order(1))
    case (to_get)
      call hand_over(order(2), order(3) == 1)
    case (to_put)
      call distribute(order(2), [real(wk_) ::])
    case (to_get_shapes)
      call collect_shapes(order(2) == 1, no_shapes, count)
    case (to_put_shapes)
      call distribute_shapes(no_shapes)
    case (to_look_at_traps)
      call look_at_traps(order(2) == 1, caught)
    case default
      call do_own(order)
    end select
  end subroutine obey

  subroutine hand_over(of, wanted)
    integer, intent(in) :: of
    logical, intent(in) :: wanted
    real(wk_) :: none(0)
    integer :: first(groups_of(of) + 1)
    call collect(of, wanted, none, first)
  end subroutine hand_over

  subroutine do_own(order)
    integer, intent(in) :: order(3)
    select case (order(1))
    case (to_describe)
      call own_describe()
      call limit_time(time_limit)
      if (.not. leads) call move_as_asked()
    case (to_set_up)
      call own_set_up()
    case (to_shape_tangent)
      call own_shape_tangent()
    case (to_shape_adjoint)
      call own_shape_adjoint()
    case (to_call_primal)
      call own_call_primal()
    case (to_call_tangent)
      call own_call_tangent()
    case (to_call_adjoint)
      call own_call_adjoint()
    case (to_renew)
      if (has_kept) call restore_state()
      if (.not. has_kept) call keep_state()
      has_kept = .true.
    case (to_fill)
      call own_fill_new_memory(order(2))
    case (to_lay_traps)
      call ieee_set_flag([ieee_invalid, ieee_overflow, ieee_divide_by_zero], .false.)
    case (to_set_traps)
      if (order(2) == 1) call ieee_set_flag(ieee_invalid, .false.)
      call ieee_set_halting_mode(ieee_invalid, order(2) == 1)
    end select
  end subroutine do_own

  ! The probe does this for the first rank. Ranks have numbers of their own.
  subroutine move_as_asked()
    character(len=16) :: point
    call get_command_argument(3, point)
    call move_to(point)
    shift = 7919_int64 * rank
  end subroutine move_as_asked

  subroutine describe_head()
    call ask(to_describe)
  end subroutine describe_head

  subroutine set_up_head()
    call ask(to_set_up)
  end subroutine set_up_head

  subroutine shape_tangent()
    call ask(to_shape_tangent)
  end subroutine shape_tangent

  subroutine shape_adjoint()
    call ask(to_shape_adjoint)
  end subroutine shape_adjoint

  subroutine call_primal()
    call ask(to_call_primal)
  end subroutine call_primal

  subroutine call_tangent()
    call ask(to_call_tangent)
  end subroutine call_tangent

  subroutine call_adjoint()
    call ask(to_call_adjoint)
  end subroutine call_adjoint

  subroutine fill_new_memory(byte)
    integer, intent(in) :: byte
    call announce(to_fill, byte)
    call own_fill_new_memory(byte)
  end subroutine fill_new_memory

  ! Runs have no processes of their own: modules get back what they held before the first.
  subroutine renew()
    call ask(to_renew)
  end subroutine renew

  ! A trap would end all processes: the flags of the processors say as much, until the probe has had a look.
  subroutine lay_traps(strictly)
    logical, intent(in) :: strictly
    call ask(to_lay_traps, strictly)
  end subroutine lay_traps

  logical function traps_caught(strictly)
    logical, intent(in) :: strictly
    call announce(to_look_at_traps, merge(1, 0, strictly))
    call look_at_traps(strictly, traps_caught)
  end function traps_caught

  subroutine look_at_traps(strictly, caught)
    logical, intent(in) :: strictly
    logical, intent(out) :: caught
    logical :: raised(3)
    integer :: own(1), all_raised(0:ranks - 1)
    call ieee_get_flag([ieee_invalid, ieee_overflow, ieee_divide_by_zero], raised)
    own = merge(1, 0, raised(1) .or. strictly .and. any(raised))
    call gather(own, all_raised)
    caught = leads .and. any(all_raised == 1)
  end subroutine look_at_traps

  subroutine set_traps(on)
    logical, intent(in) :: on
    call ask(to_set_traps, on)
  end subroutine set_traps

  subroutine get_x(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_x, v, first)
  end subroutine get_x

  subroutine get_xb(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_xb, v, first)
  end subroutine get_xb

  subroutine get_y(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_y, v, first)
  end subroutine get_y

  subroutine get_yb(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_yb, v, first)
  end subroutine get_yb

  subroutine get_yd(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_yd, v, first)
  end subroutine get_yd

  subroutine get_o(v, first)
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call get(of_o, v, first)
  end subroutine get_o

  subroutine put_x(v)
    real(wk_), intent(in) :: v(:)
    call put(of_x, v)
  end subroutine put_x

  subroutine put_xb(v)
    real(wk_), intent(in) :: v(:)
    call put(of_xb, v)
  end subroutine put_xb

  subroutine put_xd(v)
    real(wk_), intent(in) :: v(:)
    call put(of_xd, v)
  end subroutine put_xd

  subroutine put_y(v)
    real(wk_), intent(in) :: v(:)
    call put(of_y, v)
  end subroutine put_y

  subroutine put_yb(v)
    real(wk_), intent(in) :: v(:)
    call put(of_yb, v)
  end subroutine put_yb

  subroutine put_yd(v)
    real(wk_), intent(in) :: v(:)
    call put(of_yd, v)
  end subroutine put_yd

  subroutine get(of, v, first)
    integer, intent(in) :: of
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    call announce(to_get, of, merge(1, 0, size(v) > 0))
    call collect(of, size(v) > 0, v, first)
  end subroutine get

  subroutine put(of, v)
    integer, intent(in) :: of
    real(wk_), intent(in) :: v(:)
    call announce(to_put, of)
    call distribute(of, v)
  end subroutine put

  subroutine get_shapes(v, count)
    integer, intent(inout) :: v(:)
    integer, intent(out) :: count
    call announce(to_get_shapes, merge(1, 0, size(v) > 0))
    call collect_shapes(size(v) > 0, v, count)
  end subroutine get_shapes

  subroutine put_shapes(v)
    integer, intent(in) :: v(:)
    call announce(to_put_shapes)
    call distribute_shapes(v)
  end subroutine put_shapes

  ! The part of this rank. A vector of length 0 is only counted.
  subroutine own_get(of, v, first)
    integer, intent(in) :: of
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    select case (of)
    case (of_x)
      call own_get_x(v, first)
    case (of_xb)
      call own_get_xb(v, first)
    case (of_y)
      call own_get_y(v, first)
    case (of_yb)
      call own_get_yb(v, first)
    case (of_yd)
      call own_get_yd(v, first)
    case (of_o)
      call own_get_o(v, first)
    end select
  end subroutine own_get

  subroutine own_put(of, v)
    integer, intent(in) :: of
    real(wk_), intent(in) :: v(:)
    select case (of)
    case (of_x)
      call own_put_x(v)
    case (of_xb)
      call own_put_xb(v)
    case (of_xd)
      call own_put_xd(v)
    case (of_y)
      call own_put_y(v)
    case (of_yb)
      call own_put_yb(v)
    case (of_yd)
      call own_put_yd(v)
    end select
  end subroutine own_put

  pure integer function groups_of(of)
    integer, intent(in) :: of
    select case (of)
    case (of_x, of_xb, of_xd)
      groups_of = nx
    case (of_o)
      groups_of = no
    case default
      groups_of = ny
    end select
  end function groups_of

  ! What a vector's groups have on each rank, known to the first.
  subroutine measure(of, first, sizes)
    integer, intent(in) :: of
    integer, intent(out) :: first(:), sizes(:, 0:)
    real(wk_) :: none(0)
    integer :: all_sizes(size(sizes))
    sizes = 0
    call own_get(of, none, first)
    call gather(first(2:) - first(:size(first) - 1), all_sizes)
    if (leads) sizes = reshape(all_sizes, shape(sizes))
  end subroutine measure

  ! Gathers a vector on the first rank, or only its groups' places.
  subroutine collect(of, wanted, v, first)
    integer, intent(in) :: of
    logical, intent(in) :: wanted
    real(wk_), intent(inout) :: v(:)
    integer, intent(inout) :: first(:)
    integer :: own_first(size(first)), sizes(size(first) - 1, 0:ranks - 1), g, r, counts(0:ranks - 1), at(0:ranks - 1), k
    integer :: request, error
    real(wk_), allocatable, asynchronous :: part(:), parts(:)
    call measure(of, own_first, sizes)
    if (leads) then
      first(1) = 1
      do g = 1, size(first) - 1
        first(g + 1) = first(g) + sum(sizes(g, :))
      end do
    end if
    if (.not. wanted) return
    allocate(part(own_first(size(first)) - 1))
    call own_get(of, part, own_first)
    allocate(parts(sum(sizes)))
    counts = sum(sizes, 1)
    at = places(counts)
    call mpi_igatherv(part, size(part), number, parts, counts, at, number, 0, comm, request, error)
    call wait_for(request)
    if (.not. leads) return
    k = 0
    do g = 1, size(first) - 1
      do r = 0, ranks - 1
        ! The vector may be too short for what there is now.
        associate (n => max(0, min(sizes(g, r), size(v) - k)))
          v(k + 1:k + n) = parts(at(r) + 1:at(r) + n)
        end associate
        at(r) = at(r) + sizes(g, r)
        k = k + sizes(g, r)
      end do
    end do
  end subroutine collect

  ! Gives each rank its part. What derivatives are given has the shape of the variable itself on entry, but for outputs.
  subroutine distribute(of, v)
    integer, intent(in) :: of
    real(wk_), intent(in) :: v(:)
    integer :: as, sizes(groups_of(of), 0:ranks - 1), own_first(groups_of(of) + 1), g, r, counts(0:ranks - 1), at(0:ranks - 1), k
    integer :: request, error
    real(wk_), allocatable, asynchronous :: part(:), parts(:)
    as = of
    if (of == of_xb .or. of == of_xd) as = of_x
    call measure(as, own_first, sizes)
    allocate(part(own_first(size(own_first)) - 1))
    allocate(parts(sum(sizes)))
    if (leads) then
      if (size(v) /= sum(sizes)) call give_up('a shape changed')
      at = places(sum(sizes, 1))
      k = 0
      do g = 1, size(sizes, 1)
        do r = 0, ranks - 1
          parts(at(r) + 1:at(r) + sizes(g, r)) = v(k + 1:k + sizes(g, r))
          at(r) = at(r) + sizes(g, r)
          k = k + sizes(g, r)
        end do
      end do
    end if
    counts = sum(sizes, 1)
    at = places(counts)
    call mpi_iscatterv(parts, counts, at, number, part, size(part), number, 0, comm, request, error)
    call wait_for(request)
    call own_put(of, part)
  end subroutine distribute

  ! How many numbers each rank has, and then those.
  subroutine collect_shapes(wanted, v, count)
    logical, intent(in) :: wanted
    integer, intent(inout) :: v(:)
    integer, intent(out) :: count
    integer :: none(0), own_count, counts(0:ranks - 1), most(1), at, r
    integer, allocatable :: own(:), padded(:)
    counts = 0
    call own_get_shapes(none, own_count)
    call gather([own_count], counts)
    count = 0
    if (leads) count = ranks + sum(counts)
    if (.not. wanted) return
    most = 0
    if (leads) most = maxval(counts)
    call share(most)
    allocate(own(most(1)), padded(merge(most(1)*ranks, 0, leads)))
    own = 0
    call own_get_shapes(own, own_count)
    call gather(own, padded)
    if (.not. leads) return
    v(:ranks) = counts
    at = ranks
    do r = 0, ranks - 1
      v(at + 1:at + counts(r)) = padded(r*most(1) + 1:r*most(1) + counts(r))
      at = at + counts(r)
    end do
  end subroutine collect_shapes

  subroutine distribute_shapes(v)
    integer, intent(in) :: v(:)
    integer :: all_of_it(1), at
    integer, allocatable :: whole(:)
    all_of_it = size(v)
    call share(all_of_it)
    allocate(whole(all_of_it(1)))
    if (leads) whole = v
    call share(whole)
    at = ranks + sum(whole(:rank))
    call own_put_shapes(whole(at + 1:at + whole(rank + 1)))
  end subroutine distribute_shapes

  ! How many elements of each group are whose.
  subroutine write_shares()
    call write_shares_of(of_x, 'share-of-input')
    call write_shares_of(of_y, 'share-of-output')
  end subroutine write_shares

  subroutine write_shares_of(of, word)
    integer, intent(in) :: of
    character(len=*), intent(in) :: word
    integer :: first(groups_of(of) + 1), sizes(groups_of(of), 0:ranks - 1), g, r
    call announce(to_get, of)
    call measure(of, first, sizes)
    do g = 1, groups_of(of)
      do r = 0, ranks - 1
        write (out, '(a, 3i12)') word, g, r, sizes(g, r)
      end do
    end do
  end subroutine write_shares_of

  ! Where the part of each rank starts.
  function places(counts)
    integer, intent(in) :: counts(0:)
    integer :: places(0:size(counts) - 1), r
    places(0) = 0
    do r = 1, size(counts) - 1
      places(r) = places(r - 1) + counts(r - 1)
    end do
  end function places

  ! The first rank's integers go to all.
  subroutine share(v)
    integer, intent(inout), contiguous, asynchronous :: v(:)
    integer :: request, error
    call mpi_ibcast(v, size(v), mpi_integer, 0, comm, request, error)
    call wait_for(request)
  end subroutine share

  ! The integers of all ranks, as many from each, go to the first.
  subroutine gather(own, all_of_them)
    integer, intent(in), contiguous, asynchronous :: own(:)
    integer, intent(inout), contiguous, asynchronous :: all_of_them(:)
    integer :: request, error
    call mpi_igather(own, size(own), mpi_integer, all_of_them, size(own), mpi_integer, 0, comm, request, error)
    call wait_for(request)
  end subroutine gather

end module costate_check_ranks

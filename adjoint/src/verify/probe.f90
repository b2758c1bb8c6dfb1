! The part of every driver that doesn't depend on the head: it evaluates primal, tangent and adjoint, and writes what
! they give.
module costate_check_probe
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  use costate_check_numbers
  use costate_check_runs
  implicit none

  ! Step sizes tried.
  integer, parameter :: steps = 12
  ! How many times each is as large as the next.
  real(wk_) :: finer
  ! Whether anything is computed in single precision.
  logical :: coarse
  ! What rounding errors do to the outputs in the direction of all inputs.
  real(wk_), allocatable :: noise_of_all(:)
  ! How often rounding errors were asked for.
  integer :: asked = 0
  ! A tangent may be so many times as far from a quotient as that can be off.
  real(wk_), parameter :: margin = 8
  ! How many elements of an input are looked at one by one where its adjoint is wrong.
  integer, parameter :: looked_at = 40

contains

  ! Runs everything and writes the figures: one line each, a word and numbers.
  subroutine probe()
    real(wk_), allocatable :: x0(:), y0(:), yp(:), ym(:), yt(:), dy(:), d(:), di(:), w(:), wj(:)
    real(wk_), allocatable :: xb(:), xb2(:), yb(:), zero(:), tangents(:, :), quotients(:, :), slopes(:, :)
    real(wk_) :: h, top, part
    integer :: i, j, g, s
    logical :: bad, stateless
    character(len=16) :: variant, point, further

    call get_command_argument(1, path)
    call get_command_argument(2, variant)
    call get_command_argument(3, point)
    call get_command_argument(4, further)
    open (newunit=out, file=trim(path), status='replace', action='write')
    call now('set-up')
    call describe_head()
    call move_to(point)
    ! Steps below the rounding of the inputs show neither the derivative nor what rounding does to the outputs.
    coarse = max(maxval(unit_roundoff), maxval(input_roundoff)) > 1e-10_wk_
    finer = merge(2.0_wk_, 4.0_wk_, coarse)
    allocate(noise_of_all(0:ny))
    noise_of_all = 0
    ! A primal that isn't made for other values may never end.
    if (point /= 'asked') time_limit = min(time_limit, 5)
    allocate(xs(nx + 1), ys(ny + 1))
    call set_up_head()
    allocate(x0(0))
    call get_x(x0, xs)
    deallocate(x0)
    allocate(x0(xs(nx + 1) - 1))
    call get_x(x0, xs)
    call measure_outputs()
    if (variant == 'checked' .or. point /= 'asked') call try_traps(variant == 'checked', point /= 'asked')
    allocate(y0(ys(ny + 1) - 1))
    call primal(x0, y0)
    call find_unset()
    if (.not. isolated) call compare_runs(x0, y0)
    ! Derivatives of what comes near the end of the range leave it: a primal that isn't made for the values may come there.
    if (point /= 'asked' .and. any(abs(y0) > merge(1e18_wk_, 1e150_wk_, coarse))) write (out, '(a)') 'untrapped'
    do i = 1, nx
      write (out, '(a, 2i12)') 'input', i, xs(i + 1) - xs(i)
    end do
    do j = 1, ny
      write (out, '(a, 2i12)') 'output', j, ys(j + 1) - ys(j)
    end do
    call write_shares()
    do j = 1, ny
      bad = .not. all(ieee_is_finite(y0(ys(j):ys(j + 1) - 1)))
      write (out, '(a, 2i12)') 'finite', j, merge(0, 1, bad)
    end do
    if (.not. all(ieee_is_finite(y0))) then
      close (out)
      return
    end if

    allocate(d(size(x0)), di(size(x0)), zero(size(x0)), xb(size(x0)), xb2(size(x0)))
    allocate(yp(size(y0)), ym(size(y0)), yt(size(y0)), dy(size(y0)), w(size(y0)), wj(size(y0)), yb(size(y0)))
    allocate(tangents(size(y0), 0:nx), quotients(size(y0), steps), scale(size(y0)), slopes(size(y0), 0:nx))
    zero = 0
    scale = 1
    call find_pure_outputs(x0, y0)
    ! Every direction is as large as the values of its group, every weight as small as those of its group.
    call start_numbers(101)
    do g = 1, nx
      do i = xs(g), xs(g + 1) - 1
        d(i) = signed() * natural(x0(xs(g):xs(g + 1) - 1))
      end do
    end do
    call tangent(x0, d, yt, dy, 1)
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
        w(i) = signed() / (scale(i) * sqrt(real(ys(g + 1) - ys(g), wk_)))
      end do
    end do

    do i = merge(1, 0, nx == 1), nx
      call pick(d, xs, i, di)
      call tangent(x0, di, yt, dy, 1)
      tangents(:, i) = dy
      do g = 1, no
        write (out, '(a, 2i12, es26.16e4)') 'other', g, i, other_off(g)
      end do
      do j = 0, ny
        write (out, '(a, 2i12, 3es26.16e4)') 'norm', i, j, size_of(y0, j), size_of(dy, j), size_of(yt - y0, j)
      end do
      do s = 1, steps
        h = step(s)
        call primal(x0 + h * di, yp)
        call primal(x0 - h * di, ym)
        quotients(:, s) = (yp - ym) / (2 * h)
        do j = 0, ny
          write (out, '(a, 2i12, 3es26.16e4)') 'step', i, j, h, size_of(yp - y0 - h * dy, j), size_of(quotients(:, s), j)
        end do
      end do
      call extrapolate(i, y0, dy, quotients, slopes(:, i))
    end do
    if (nx == 1) tangents(:, 0) = tangents(:, 1)
    if (nx == 1) slopes(:, 0) = slopes(:, 1)

    do j = merge(1, 0, ny == 1), ny
      call pick(w, ys, j, wj)
      call adjoint(x0, wj, zero, xb, yb, 'nothing')
      do g = 1, no
        write (out, '(a, 2i12, es26.16e4)') merge('other-kept', 'disturbed ', keeps_primal), g, j, other_off(g)
      end do
      do g = 1, ny
        if (.not. returned(g) .or. ys(g + 1) == ys(g)) cycle
        write (out, '(a, 2i12, es26.16e4)') 'kept', g, j, size_of(kept - y0, g)
      end do
      do i = 0, nx
        call pick(d, xs, i, di)
        call write_dot(i, j, x0, di, wj, tangents(:, i), slopes(:, i), xb)
      end do
      do g = 1, ny
        if (.not. pure_output(g) .or. ys(g + 1) == ys(g)) cycle
        write (out, '(a, 2i12, es26.16e4)') 'left', g, j, maxval(abs(yb(ys(g):ys(g + 1) - 1)))
      end do
      ! A second adjoint must find nothing that the first one left behind. Where the primal leaves something that counts,
      ! there is nothing to compare.
      call adjoint(x0, wj, zero, xb2, yb, 'primal')
      stateless = all(abs(xb2 - xb) <= 0)
      ! What is left matters to the primal itself, unless it is the adjoint's own. What is no number is told elsewhere.
      if (.not. stateless .and. all(ieee_is_finite(xb))) stateless = is_stateless(x0, y0, d)
      if (all(abs(xb2 - xb) <= 0)) call adjoint(x0, wj, zero, xb2, yb, 'adjoint')
      write (out, '(a, i12)') 'stateless', merge(1, 0, stateless)
      call write_increments(j, x0, wj, xb)
      do g = 1, nx
        if (.not. stateless .or. xs(g + 1) == xs(g)) cycle
        associate (a => xb(xs(g):xs(g + 1) - 1), b => xb2(xs(g):xs(g + 1) - 1))
          top = max(maxval(abs(a)), maxval(abs(b)))
          write (out, '(a, 2i12, 2es26.16e4)') 'again', g, j, top, difference(a, b)
        end associate
      end do
    end do
    if (stateless) then
      call pick(d, xs, merge(1, 0, nx == 1), di)
      call tangent(x0, di, yt, dy, 2)
      do j = 1, ny
        write (out, '(a, 2i12, 2es26.16e4)') 'repeated', j, 0, size_of(tangents(:, 0), j), size_of(dy - tangents(:, 0), j)
      end do
    end if
    if (further /= '') then
      read (further, *) s
      call run_again(s, x0, d, w)
    end if
    write (out, '(a)') 'end'
    close (out)
  end subroutine probe

  ! Runs tangent and adjoint so many times, each in a process of its own: threads that meet at the same memory do so at times.
  ! What was furthest off the first run's is written, for all inputs and outputs together.
  subroutine run_again(times, x, d, w)
    integer, intent(in) :: times
    real(wk_), intent(in) :: x(:), d(:), w(:)
    real(wk_) :: y(size(w)), dy(size(w)), dy_first(size(w)), xb(size(x)), xb_first(size(x)), yb(size(w)), zero(size(x))
    real(wk_) :: off(ny), apart(nx)
    integer :: k, g
    zero = 0
    off = 0
    apart = 0
    do k = 1, times
      call tangent(x, d, y, dy, 1)
      call adjoint(x, w, zero, xb, yb, 'nothing')
      if (k == 1) then
        dy_first = dy
        xb_first = xb
      end if
      do g = 1, ny
        off(g) = largest(off(g), size_of(dy - dy_first, g))
      end do
      do g = 1, nx
        apart(g) = largest(apart(g), difference(xb(xs(g):xs(g + 1) - 1), xb_first(xs(g):xs(g + 1) - 1)))
      end do
    end do
    do g = 1, ny
      write (out, '(a, 2i12, 2es26.16e4)') 'repeated', g, 0, size_of(dy_first, g), off(g)
    end do
    do g = 1, nx
      if (xs(g + 1) == xs(g)) cycle
      write (out, '(a, 2i12, 2es26.16e4)') 'again', g, 0, maxval(abs(xb_first(xs(g):xs(g + 1) - 1))), apart(g)
    end do
  end subroutine run_again

  ! The larger one; what is no number is larger than any.
  real(wk_) function largest(a, b)
    real(wk_), intent(in) :: a, b
    largest = merge(a, b, b <= a)
  end function largest

  ! Where runs have no processes of their own, what one leaves in variables that no driver reaches must not count.
  subroutine compare_runs(x, y)
    real(wk_), intent(in) :: x(:), y(:)
    real(wk_) :: again(size(y))
    again = y
    call primal(x, again)
    if (deviation(again, y) > 1e4_wk_ * unit_roundoff(0)) then
      call give_up('its second run gives other values, by what the first left in saved or private variables')
    end if
  end subroutine compare_runs

  ! Whether a second run of the primal in the same process gives what the first one does, for other inputs too.
  logical function is_stateless(x, y, d)
    real(wk_), intent(in) :: x(:), y(:), d(:)
    real(wk_) :: near(size(y)), again(size(y))
    again = y
    call primal(x, again, x + d*1e-3_wk_)
    is_stateless = same(again, y)
    if (.not. is_stateless) return
    call primal(x + d*1e-3_wk_, near)
    again = near
    call primal(x + d*1e-3_wk_, again, x)
    is_stateless = same(again, near)
  end function is_stateless

  ! Inputs that are no outputs get an increment: the adjoint they had on entry must still be in the sum. An increment that is
  ! a small difference of large terms carries their rounding errors, which hide a small adjoint on entry: of three sizes of
  ! that, the last one what the terms may have, the one counts that agrees best. What is lost, is lost with all.
  subroutine write_increments(j, x, wj, xb)
    integer, intent(in) :: j
    real(wk_), intent(in) :: x(:), wj(:), xb(:)
    real(wk_) :: seed(size(x)), xbs(size(x)), ybs(size(wj)), part, gap, ratio, top(nx), off(nx), best(nx)
    integer :: g, k, s

    top = 0
    off = 0
    do s = 1, 3
      call start_numbers(103)
      seed = 0
      do g = 1, nx
        if (.not. input_alone(g) .or. xs(g + 1) == xs(g)) cycle
        part = natural(xb(xs(g):xs(g + 1) - 1)) * 2.0_wk_**(20*(s - 1))
        if (s == 3) part = max(1.0_wk_, maxval(abs(xb)), maxval(abs(wj)))
        do k = xs(g), xs(g + 1) - 1
          seed(k) = signed() * part
        end do
      end do
      call adjoint(x, wj, seed, xbs, ybs, 'nothing')
      do g = 1, nx
        if (.not. input_alone(g) .or. xs(g + 1) == xs(g)) cycle
        associate (a => xb(xs(g):xs(g + 1) - 1), b => xbs(xs(g):xs(g + 1) - 1), c => seed(xs(g):xs(g + 1) - 1))
          gap = difference(a, b - c)
          part = maxval(abs(c)) + maxval(abs(a))
          ratio = gap
          if (gap < huge(gap)) ratio = gap / part
          if (s > 1 .and. .not. ratio < best(g)) cycle
          best(g) = ratio
          top(g) = part
          off(g) = gap
        end associate
      end do
    end do
    do g = 1, nx
      if (top(g) > 0) write (out, '(a, 2i12, 2es26.16e4)') 'increment', g, j, top(g), off(g)
    end do
  end subroutine write_increments

  ! Writes <J d, w> and <d, Jt w>, and what they can be off by through rounding errors, where that is asked: how they
  ! change when the inputs change by as much as they are rounded.
  subroutine write_dot(i, j, x, di, wj, dy, slope, xb)
    integer, intent(in) :: i, j
    real(wk_), intent(in) :: x(:), di(:), wj(:), dy(:), slope(:), xb(:)
    real(wk_) :: forward, reverse, size_forward, size_reverse, noise, near(size(x)), yn(size(wj)), dyn(size(wj))
    real(wk_) :: xbn(size(x)), ybn(size(wj)), nothing(size(x))
    integer :: s, g, k

    forward = dot_product(wj, dy)
    reverse = dot_product(di, xb)
    size_forward = sum(abs(wj * dy))
    size_reverse = sum(abs(di * xb))
    noise = 0
    if (abs(forward - reverse) > 16 * unit_roundoff(j) * max(size_forward, size_reverse) .and. asked < 40) then
      nothing = 0
      asked = asked + 1
      do s = 1, 3
        call start_numbers(200 + s)
        near = x
        do g = 1, nx
          do k = xs(g), xs(g + 1) - 1
            near(k) = x(k) * (1 + 2 * input_roundoff(g) * signed())
          end do
        end do
        call tangent(near, di, yn, dyn, 1)
        call adjoint(near, wj, nothing, xbn, ybn, 'nothing')
        noise = max(noise, abs(dot_product(wj, dyn) - forward), abs(dot_product(di, xbn) - reverse))
      end do
    end if
    write (out, '(a, 2i12, 6es26.16e4)') 'dot', i, j, forward, reverse, size_forward, size_reverse, noise, dot_product(wj, slope)
    if (i > 0 .and. j > 0 .and. .not. abs(forward - reverse) <= 1e3_wk_ * unit_roundoff(j) * max(size_forward, size_reverse)) then
      call look_at_elements(i, j, x, wj, xb)
    end if
  end subroutine write_dot

  ! Compares the adjoint of an input with tangents in the direction of its elements, one by one.
  subroutine look_at_elements(i, j, x, wj, xb)
    integer, intent(in) :: i, j
    real(wk_), intent(in) :: x(:), wj(:), xb(:)
    real(wk_) :: unit(size(x)), yn(size(wj)), dyn(size(wj)), expected, first_expected
    integer :: k, wrong, first_wrong, last
    wrong = 0
    first_wrong = 0
    first_expected = 0
    last = min(xs(i + 1) - 1, xs(i) + looked_at - 1)
    do k = xs(i), last
      unit = 0
      unit(k) = 1
      call tangent(x, unit, yn, dyn, 1)
      expected = dot_product(wj, dyn)
      if (abs(expected - xb(k)) <= 1e3_wk_ * unit_roundoff(j) * sum(abs(wj * dyn))) cycle
      wrong = wrong + 1
      if (first_wrong > 0) cycle
      first_wrong = k
      first_expected = expected
    end do
    if (wrong == 0) return
    write (out, '(a, 2i12, 5es26.16e4)') 'element', i, j, real([first_wrong - xs(i) + 1, wrong, last - xs(i) + 1], wk_), &
        xb(first_wrong), first_expected
  end subroutine look_at_elements

  ! Compares the tangent with central differences, extrapolated to a step of zero (Richardson). Of all entries of the
  ! table the one counts that can be least off: by its difference to the entry of the step before, which jumps of the
  ! primal show in as well as curvature, and by rounding errors over its step, which the smallest steps show.
  subroutine extrapolate(i, y0, dy, quotients, slope)
    integer, intent(in) :: i
    real(wk_), intent(in) :: y0(:), dy(:), quotients(:, :)
    ! The difference quotient that is best for each output.
    real(wk_), intent(out) :: slope(:)
    real(wk_) :: noise(0:ny), gap(0:ny), bound(0:ny)
    real(wk_) :: other(size(slope)), noise_other(0:ny), gap_other(0:ny), bound_other(0:ny)
    integer :: j, worst

    do j = 0, ny
      noise(j) = unit_roundoff(j) * (size_of(y0, j) + size_of(dy, j))
      ! It shows in all of the smallest steps; a kink that one step leaps over and the next doesn't, in few.
      noise(j) = max(noise(j), differing(quotients(:, steps - 4:), steps - 4, 2, j))
    end do
    call best_quotients(quotients, dy, noise, slope, gap, bound)
    if (coarse) then
      ! In single precision a primal may round to so few values that small steps change nothing. The fourth largest of all
      ! differences shows it, in which the curvature of smooth functions is too small to be seen. What rounding does to
      ! the outputs hardly depends on the direction, but shows in few of them.
      do j = 0, ny
        noise_other(j) = max(noise(j), noise_of_all(j), differing(quotients, 1, steps - 4, j))
      end do
      if (i == 0) noise_of_all = noise_other
      call best_quotients(quotients, dy, noise_other, other, gap_other, bound_other)
      do j = 0, ny
        noise(j) = noise_other(j)
        if (gap(j) <= margin * bound(j)) cycle
        gap(j) = gap_other(j)
        bound(j) = bound_other(j)
        if (j > 0) slope(ys(j):ys(j + 1) - 1) = other(ys(j):ys(j + 1) - 1)
      end do
    end if
    ! Numbers that aren't finite agree with nothing.
    where (.not. bound < huge(bound)) bound = 0
    do j = 0, ny
      write (out, '(a, 2i12, 3es26.16e4)') 'quotient', i, j, gap(j), bound(j), noise(j)
    end do
    do j = 1, ny
      if (i == 0 .or. ys(j + 1) == ys(j)) cycle
      worst = ys(j) - 1 + maxloc(abs(slope(ys(j):ys(j + 1) - 1) - dy(ys(j):ys(j + 1) - 1)), dim=1)
      write (out, '(a, 2i12, 3es26.16e4)') 'worst', i, j, real(worst - ys(j) + 1, wk_), dy(worst), slope(worst)
    end do
  end subroutine extrapolate

  ! For each output the extrapolated quotient that can be least off, how far it is from the tangent, and how far it can be
  ! off.
  subroutine best_quotients(quotients, dy, noise, slope, gap, bound)
    real(wk_), intent(in) :: quotients(:, :), dy(:), noise(0:)
    real(wk_), intent(out) :: slope(:), gap(0:), bound(0:)
    real(wk_) :: table(size(quotients, 1), steps), off
    integer :: level, s, j
    table = quotients
    slope = 0
    gap = huge(gap)
    bound = huge(bound)
    do level = 0, 4
      if (level > 0) then
        do s = steps, level + 1, -1
          table(:, s) = table(:, s) + (table(:, s) - table(:, s - 1)) / (finer**(2*level) - 1)
        end do
      end if
      do s = level + 2, steps
        do j = 0, ny
          off = size_of(table(:, s) - table(:, s - 1), j) + noise(j) / step(s)
          if (.not. off < bound(j)) cycle
          bound(j) = off
          gap(j) = size_of(table(:, s) - dy, j)
          if (j > 0) slope(ys(j):ys(j + 1) - 1) = table(ys(j):ys(j + 1) - 1, s)
        end do
      end do
    end do
  end subroutine best_quotients

  ! The size of a step by its number.
  real(wk_) function step(s)
    integer, intent(in) :: s
    step = 0.1_wk_ / finer**(s - 1)
  end function step

  ! How far difference quotients of one step and the next differ, in units of the primal: of these numbers the one of a
  ! rank, with the smallest first. `first` is the number of the first step.
  real(wk_) function differing(quotients, first, rank, j)
    real(wk_), intent(in) :: quotients(:, :)
    integer, intent(in) :: first, rank, j
    real(wk_) :: differences(size(quotients, 2) - 1)
    integer :: s
    differing = 0
    do s = 1, size(differences)
      differences(s) = step(first + s) * size_of(quotients(:, s + 1) - quotients(:, s), j)
    end do
    do s = 1, size(differences)
      if (count(differences < differences(s)) >= rank) cycle
      if (count(differences <= differences(s)) >= rank) differing = differences(s)
    end do
  end function differing

  ! The size of an output vector (of group j, of all for 0) relative to the outputs' natural size.
  real(wk_) function size_of(v, j)
    real(wk_), intent(in) :: v(:)
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

end module costate_check_probe

program costate_check
  use costate_check_probe, only: probe
  use costate_check_ranks, only: start_ranks, serve, end_ranks, leads
  implicit none
  call start_ranks()
  if (leads) then
    call probe()
  else
    call serve()
  end if
  call end_ranks()
end program costate_check

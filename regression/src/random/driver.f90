! Compares tangent with central differences, and adjoint with tangent, for many procedures f(n, x, y).
! All processes do the same: what decides is the same on all of them.
module driver_support
  use driver_ranks, only: everywhere, largest, rank, total
  implicit none
  integer, parameter :: plain = 0, update = 1, both = 2
  ! Whether an adjoint gives the primal's outputs, and whether increments were undone on the way.
  integer, parameter :: dropped = 0, kept = 1, undone = 2
  integer(8) :: state = 1
  real(8) :: quotient_limit, value_limit, product_limit
  real(8), parameter :: again_limit = 1d-13
  character(8) :: phase
contains

  ! A number between -1 and 1, not close to 0.
  real(8) function draw()
    state = mod(state*48271_8, 2147483647_8)
    draw = 2d0*real(state, 8)/2147483647d0 - 1d0
    draw = sign(0.05d0 + 0.95d0*abs(draw), draw)
  end function draw

  subroutine draw_all(a)
    real(8), intent(out) :: a(:)
    integer :: i
    do i = 1, size(a)
      a(i) = draw()
    end do
  end subroutine draw_all

  logical function usable(a)
    real(8), intent(in) :: a(:)
    usable = everywhere(all(abs(a) < 1d8))
  end function usable

  real(8) function norm(a)
    real(8), intent(in) :: a(:)
    norm = sqrt(total(a**2))
  end function norm

  subroutine say(id, what, figure)
    integer, intent(in) :: id
    character(*), intent(in) :: what
    real(8), intent(in) :: figure
    if (rank > 0) return
    write (*, '(i0,1x,a,1x,es10.2)') id, what, figure
    flush (6)
  end subroutine say

  ! Who is to blame when a program dies.
  subroutine begins(id, what)
    integer, intent(in) :: id
    character(*), intent(in) :: what
    if (phase == what) return
    phase = what
    if (rank > 0) return
    write (*, '(i0,1x,a,1x,a)') id, 'runs', what
    flush (6)
  end subroutine begins

  subroutine one(id, kind, coarse, outputs, f, f_d, f_b)
    integer, intent(in) :: id, kind, outputs
    logical, intent(in) :: coarse
    external :: f, f_d, f_b
    integer, parameter :: sizes(6) = [6, 3, 6, 1, 2, 6]
    integer :: trial, strayed, used, large
    character(20) :: verdict
    real(8) :: figure
    state = 1000 + id + 7919*rank
    phase = ' '
    ! Differences of single precision are known to a few parts in a thousand.
    quotient_limit = merge(2d-2, 1d-6, coarse)
    value_limit = merge(1d-5, 1d-12, coarse)
    product_limit = merge(1d-4, 1d-10, coarse)
    strayed = 0
    used = 0
    large = 0
    do trial = 1, 6
      call try(id, sizes(trial), kind, outputs, f, f_d, f_b, verdict, figure)
      select case (verdict)
      case ('right')
        used = used + 1
      case ('huge')
        large = large + 1
      case ('tangent')
        ! A kink may lie between the two points of a difference, but not every time.
        strayed = strayed + 1
        used = used + 1
        if (strayed >= 3) then
          call say(id, 'wrong tangent', figure)
          return
        end if
      case default
        call say(id, 'wrong '//trim(verdict), figure)
        return
      end select
    end do
    if (used >= 2) then
      call say(id, 'right', 0d0)
    else
      call say(id, 'skipped', real(large, 8))
    end if
  end subroutine one

  subroutine try(id, n, kind, outputs, f, f_d, f_b, verdict, figure)
    integer, intent(in) :: id, n, kind, outputs
    external :: f, f_d, f_b
    character(*), intent(out) :: verdict
    real(8), intent(out) :: figure
    real(8), dimension(n) :: x0, y0, x, y, dx, dy, xd, yd, wx, wy, xb, yb, base, xb2, yb2
    real(8) :: along, back, scale, output_limit
    integer :: k
    ! Undoing x = x + e rounds x + e once more: what is lost is of the size of e, which may be larger than any output.
    output_limit = max(value_limit, merge(1d-10, 0d0, outputs == undone))
    call draw_all(x0)
    call draw_all(y0)
    call draw_all(dx)
    call draw_all(dy)
    call draw_all(wx)
    call draw_all(wy)
    call draw_all(base)
    if (kind == plain) dy = 0d0
    figure = 0d0
    verdict = 'huge'
    x = x0
    y = y0
    call begins(id, 'primal')
    call f(n, x, y)
    ! Where it has a state that it doesn't set, nothing can be compared.
    block
      real(8) :: xt(n), yt(n)
      xt = x0
      yt = y0
      call f(n, xt, yt)
      ! Threads add up their sums in any order.
      if (.not. everywhere(all(abs(xt - x) <= again_limit*(1 + abs(x))) .and. all(abs(yt - y) <= again_limit*(1 + abs(y))))) then
        verdict = 'primal again'
        figure = largest(abs([xt - x, yt - y]))
        if (usable([x, y])) return
        verdict = 'huge'
      end if
    end block
    if (.not. usable([x, y])) return
    xd = dx
    yd = merge(7.7d0, dy, kind == plain)
    wx = merge(wx, 0d0, kind == both)
    block
      real(8) :: xt(n), yt(n)
      xt = x0
      yt = y0
      call begins(id, 'tangent')
      call f_d(n, xt, xd, yt, yd)
      if (kind /= both) xd = 0d0
      if (.not. everywhere(all(abs([xd, yd]) < 1d7))) then
        if (everywhere(all([xd, yd] == [xd, yd]))) return
        verdict = 'nan in tangent'
        return
      end if
      figure = largest(abs([xt - x, yt - y]))
      if (.not. figure <= value_limit*(1d0 + largest(abs(y)) + largest(abs(x)))) then
        verdict = 'primal'
        return
      end if
    end block
    do k = 1, 2
      xb = merge(wx, base, kind == both)
      yb = wy
      block
        real(8) :: xt(n), yt(n)
        xt = x0
        yt = y0
        call begins(id, 'adjoint')
        call f_b(n, xt, xb, yt, yb)
        if (outputs /= dropped) then
          figure = largest(abs([xt - x, yt - y]))
          if (.not. figure <= output_limit*(1d0 + largest(abs(y)) + largest(abs(x)))) then
            verdict = 'primal of adjoint'
            return
          end if
        end if
      end block
      if (kind /= both) xb = xb - base
      if (kind == plain) then
        if (.not. everywhere(all(yb == 0d0))) then
          verdict = 'adjoint left'
          figure = largest(abs(yb))
          return
        end if
      end if
      if (k == 1) then
        xb2 = xb
        yb2 = yb
      end if
    end do
    along = total([wx*xd, wy*yd])
    back = total([dx*xb, dy*yb])
    scale = norm([wx, wy])*norm([xd, yd]) + norm([dx, dy])*norm([xb, yb]) + 1d-3
    figure = abs(along - back)/scale
    if (.not. figure <= product_limit) then
      verdict = 'adjoint'
      return
    end if
    figure = largest(abs([xb - xb2, yb - yb2]))
    if (.not. figure <= product_limit*scale) then
      verdict = 'adjoint again'
      return
    end if
    call differences(n, kind, f, x0, y0, dx, dy, xd, yd, figure)
    verdict = 'right'
    if (.not. figure <= quotient_limit) verdict = 'tangent'
  end subroutine try

  ! The smallest relative difference between a quotient and the tangent. Outputs that oscillate fast, sines of large
  ! numbers among them, need small increments, and extrapolation where rounding is large already at these; where one
  ! increment will do the others aren't tried.
  subroutine differences(n, kind, f, x0, y0, dx, dy, xd, yd, figure)
    integer, intent(in) :: n, kind
    external :: f
    real(8), intent(in), dimension(n) :: x0, y0, dx, dy, xd, yd
    real(8), intent(out) :: figure
    real(8), dimension(n) :: xp, yp, xm, ym
    real(8), dimension(2*n) :: central, before
    real(8) :: h
    integer :: k
    figure = huge(figure)
    h = 1d-3
    do k = 1, 8
      xp = x0 + h*dx
      yp = y0 + h*dy
      xm = x0 - h*dx
      ym = y0 - h*dy
      call f(n, xp, yp)
      call f(n, xm, ym)
      central = [xp - xm, yp - ym]/(2d0*h)
      call compare(central)
      if (k > 1) call compare((64d0*central - before)/63d0)
      if (figure <= quotient_limit) return
      before = central
      h = h/8d0
    end do

  contains

    subroutine compare(quotient)
      real(8), intent(in) :: quotient(2*n)
      real(8) :: e
      e = largest(abs(quotient(n + 1:) - yd))
      if (kind == both) e = max(e, largest(abs(quotient(:n) - xd)))
      figure = min(figure, e/(largest(abs([xd, yd])) + 1d-2 + 1d-4*largest(abs(yp))))
    end subroutine compare
  end subroutine differences
end module driver_support

! head: m::variables(y)/(x)
! head: m::loops(y)/(x)
! head: m::components(y)/(x)
! head: m::select(y)/(x)
! head: m::old(y)/(x)
! Variables, components, types, procedures, modules and constructs that are named like statements.
module data
  real(8) :: stop = 2, end(2) = [1d0, 3d0]
end module data
module m
  use data, only: stop, final => end
  implicit none
  type type
    real(8) :: real, end(2)
  end type type
  type, extends(type) :: class
    real(8) :: print = 1
  end type
contains
  subroutine variables(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: if, open, read(2), write, close, where(3)
    logical :: then, else
    integer :: case
    if = x(1)
    then = if > 0
    else = .not. then
    if (then) open = if*x(2)
    if (else) then
      open = -if
    else if (if > 100) then
      open = 1
    end if
    read(1) = open
    read (2) = open**2
    case = 2
    select case (case)
    case (2)
      write = read(case)*read(1)
    case default
      write = 0
    end select
    close = stop*write + final(1)
    where = x
    where (where > 0) where = where**2
    where (where > 0.5d0)
      where = where*close
    elsewhere
      where = -where
    end where
    y = sum(where) + close
  end subroutine
  subroutine loops(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: do, while, forall
    real(8) :: format(3)
    logical :: cycle
    y = 0
    do do = 1, 3
      if (do == 2) cycle
      y = y + x(do)**2
    end do
    while = 1
    do while (while < 3)
      y = y*x(while)
      while = while + 1
    end do
    format = x
    forall (forall = 1:3) format(forall) = format(forall)*y
    exit: do do = 1, 3
      cycle = do == 2
      if (cycle) cycle exit
      if (format(do) > 1d6) exit exit
      y = y + format(do)
    end do exit
    if: if (y > 0) then
      y = y + sum([(x(do)*do, do=1, 3)])
    end if if
  end subroutine
  subroutine components(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(type) :: return
    type(class) :: call
    return%real = x(1)*x(2)
    return%end = [real(8) :: return%real, x(3)]
    call%type = type(return%end(1), x(2:3))
    call%print = call%real*call%end(2)
    associate (associate => call%print, block => return%end(2))
      y = associate*block
    end associate
  end subroutine
  subroutine select(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: entry
    entry = function(x(1), x(2))
    call call(entry, target=y)
    if (y > 1d-9) call call(x(3), y)
  end subroutine select
  function function(use, contains) result(result)
    real(8), intent(in) :: use, contains
    real(8) :: result
    result = use*contains
    if (use > contains) result = result + use
  end function function
  subroutine call(print, target)
    real(8), intent(in) :: print
    real(8), intent(inout) :: target
    target = print**2
  end subroutine
  subroutine old(x, y)
    real*8 x, y, integer, character(2)
    double precision common
    intent(in) x
    intent(out) y
    dimension x(3)
    common /common/ common, save
    real*8 save
    common = x(1)*x(2)
    save = common + x(3)
    integer = common*save
    character(1) = integer
    character(2) = x(2)
    y = character(1)*character(2)
  end subroutine
end module

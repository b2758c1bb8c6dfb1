! Diagnostics between `start-exclude` and `end-exclude`: no derivative goes through them.
module m
  implicit none
  type record
    logical :: wanted = .true.
    logical, allocatable :: mask(:)
    integer, allocatable :: place(:)
    real(8), allocatable :: fluxes(:, :)
  end type record
contains
  subroutine f(n, x, y, log)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    type(record), intent(inout) :: log
    integer :: i, at
    real(8) :: p, q
    do i = 1, n
      if (x(i) .lt. 0.25d0) cycle
      p = x(i)**2
      q = sin(p)
      y(i) = p*q + y(i)
      !$AD start-exclude
      if (log%wanted) then
        if (allocated(log%mask)) then
          if (log%mask(i)) then
            at = log%place(i)
            log%fluxes(at, 1:1 + 2) = (/p, q, y(i)/)
          end if
        end if
      end if
      !$AD end-exclude
    end do
  end subroutine f
end module m

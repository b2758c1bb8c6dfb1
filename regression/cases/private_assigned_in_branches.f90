! head: m::f(x)/(x,fr)
! threads: 4
! A private array is assigned in each block of a branch.
module m
contains
  subroutine f(x, fr)
    real(8), intent(in) :: fr(4)
    real(8), intent(inout) :: x(:,:)
    integer :: ib, it, ip
    real(8) :: g(4), fl
    !$omp parallel do private(it, ip, g, fl)
    do ib = 1, size(x,2)
      do ip = 1, size(x,1)
        fl = 0
        do it = 1, 4
          if (it > 2) then
            g(it) = x(ip,ib)**2
          else
            g(it) = x(ip,ib)
          end if
          fl = fl + fr(it)*g(it)
        end do
        x(ip,ib) = x(ip,ib) + fl
      end do
    end do
  end subroutine
end module

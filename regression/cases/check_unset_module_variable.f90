! head: m::svp(svp)/(t)
! setup: m::init
! value: t=280:300
! a module variable that nothing sets but a procedure that the head does not call
module m
  real(8) :: tboil
contains
  subroutine init()
    tboil = 373.16d0
  end subroutine
  function svp(t) result(es)
    real(8), intent(in) :: t
    real(8) :: es
    es = 10d0**(-7.9d0*(tboil/t - 1) + 5.0d0*log10(tboil/t))
  end function
end module

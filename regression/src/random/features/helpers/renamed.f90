subroutine fv(u)
use @_v, only: own => gv, gl
real(8), intent(in) :: u
own = sin(own + u)
gl(2) = gl(1)*cos(own)
end subroutine fv

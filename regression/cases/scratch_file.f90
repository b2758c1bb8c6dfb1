! head: m::f(y)/(x)
! values are written to a file and read back
! refused: C0408 at 15
module m
implicit none
contains
subroutine put(a)
real(8),intent(in)::a
open(77,status='scratch',form='unformatted')
write(77) a*a
rewind(77)
end subroutine
subroutine get(r)
real(8),intent(out)::r
read(77) r
close(77)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
call put(x(1))
call get(y(1))
end subroutine
end module

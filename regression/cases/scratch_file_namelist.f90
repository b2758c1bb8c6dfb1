! head: m::f(y)/(x)
! a namelist is written and read back
! refused: C0408 at 17
module m
implicit none
real(8)::a,b
namelist /g/ a,b
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
a=x(1);b=x(2)
open(23,status='scratch')
write(23,nml=g)
a=0;b=0
rewind(23)
read(23,g)
close(23)
y(1)=a*b
end subroutine
end module

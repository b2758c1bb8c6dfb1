! head: m::f(y)/(x)
! argument that is also a host variable changed in an internal procedure via value; result into an argument
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(4)
real(8)::h(4)
integer::k
h=x
k=1
call upd(h(k),k)
call upd(h(k),k)
h(1)=g(h(1),h(2))
h(2)=g((h(2)),h(2))
y=h
contains
subroutine upd(v,i)
real(8),value::v
integer,intent(inout)::i
h(i)=v*h(i+1)
i=i+1
v=v*h(i)
h(4)=h(4)+v
end subroutine
real(8) function g(a,b)
real(8),intent(in)::a,b
g=a*b+h(3)*a
end function
end subroutine
end module

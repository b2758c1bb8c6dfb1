! Bits that only steer: hashes, comparisons, lengths of text, files of integers
! head: hash_m::f(y)/(x)
! head: textlen_m::f(y)/(x)
! head: logread_m::f(y)/(x)
module hash_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer(8)::k
integer::n
k=transfer(x(1),k)
y(1)=x(2)**2
if(transfer(x(1),1_8)==k) y(1)=y(1)*x(1)
n=int(mod(iand(k,255_8),3_8))+1
y(1)=y(1)*x(1)
if(btest(k,63)) y(1)=-y(1)
y(1)=y(1)*transfer(4607182418800017408_8,1d0)
y(1)=y(1)+size(transfer(x,[1_8]))
end subroutine
end module

module textlen_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
character(40)::s
write(s,*) x(1)
y(1)=x(2)**2*len_trim(adjustl(s))
print *,'x',x
write(*,*) x
write(6,'(3f9.3)') x
end subroutine
end module

module logread_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::n,u
open(newunit=u,status='scratch')
write(u,*) 2
rewind(u)
read(u,*) n
close(u)
y(1)=x(n)**n
write(*,*) y
end subroutine
end module

! head: m::f(y)/(x)
! A renamed entity stands in output statements.
module m
real(8) :: t = 1
contains
subroutine bar(z)
real(8), intent(inout) :: z
z = z*t
t = t + z
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: z
call ini
z = x(1)
call foo(z, 2)
y(1) = z
end subroutine
subroutine ini
t = 1
end subroutine
subroutine foo(z, n)
real(8), intent(inout) :: z
integer, intent(in) :: n
real(8) :: t(n)
character(20) :: s
t = 2
write(s, '(a,2f6.3)') 't', t
call bar(z)
z = z*t(1)
call bar(z)
print *, 't', (t(i), i=1,n), s(1:1)
end subroutine
end module

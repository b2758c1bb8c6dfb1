subroutine fw(a, b, c, d)
real(8), intent(in) :: a
real(8), intent(inout) :: b
real(8), intent(in), optional :: c
real(8), intent(inout), optional :: d
b = tanh(b)
call fo(0.5d0*a, b, c, d)
if (present(c)) call fo(a=c, b=b, d=d)
end subroutine fw

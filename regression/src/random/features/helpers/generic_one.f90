subroutine gn1(a, b)
real(8), intent(in) :: a
real(8), intent(inout) :: b
b = sin(a*b)
end subroutine gn1

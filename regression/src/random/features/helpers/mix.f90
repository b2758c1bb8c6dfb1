pure function fx(a, b) result(r)
real(8), intent(in) :: a, b
real(8) :: r
r = sin(a)*b/(1d0 + b**2)
end function fx

pure function fp(a, b) result(r)
type(t), intent(in) :: a, b
type(t) :: r
r%s = sin(a%s + b%s)
r%v = tanh(a%v*b%s)
r%v(2) = cos(b%v(1))
end function fp

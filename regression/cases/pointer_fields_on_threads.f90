! head: m::levels(y)/(x)
! head: m::neighbours(y)/(x)
! head: m::same_memory(y)/(x)
! size: n=12
! threads: 4
! Fields that objects hold by pointers: each pointer leads to one array, several may lead to the same.
module m
  implicit none
  type :: fields
    real(8), pointer :: t(:,:) => null(), work(:,:) => null(), a(:) => null(), b(:) => null()
  end type fields
contains
  subroutine levels(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(fields) :: v
    integer :: j
    allocate(v%t(2,n), v%work(1,n))
    v%t = spread(x, 1, 2)
    v%work(1,:) = x**3
    !$omp parallel do
    do j = 1, n
      v%t(1,j) = v%work(1,j) - x(j)*v%t(2,j)
      v%t(2,j) = v%t(1,j)*v%work(1,j)
    end do
    y = v%t(1,:)*v%t(2,:)
    deallocate(v%t, v%work)
  end subroutine levels

  subroutine neighbours(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(fields) :: v
    integer :: i
    allocate(v%a(n), v%b(n))
    v%b = sin(x)
    v%a = x
    !$omp parallel do
    do i = 1, n - 1
      v%a(i) = v%b(i+1)*v%b(i)
    end do
    y = v%a*v%b
    deallocate(v%a, v%b)
  end subroutine neighbours

  subroutine same_memory(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(2*n)
    type(fields) :: v
    integer :: i
    w(:n) = x
    w(n+1:) = x**2
    v%a => w(2::2)
    v%b => w(1::2)
    !$omp parallel do
    do i = 1, n - 1
      v%a(i) = v%b(i+1)*v%b(i) + v%a(i)
    end do
    v%b => w(:n)
    !$omp parallel do
    do i = 1, n/2
      v%a(n/2+i) = v%b(i)*v%b(n/2+i)
    end do
    y = w(:n)*w(n+1:)
  end subroutine same_memory
end module m

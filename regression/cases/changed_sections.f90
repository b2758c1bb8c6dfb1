! Callees change a column, a row or an element of an array that is passed as a whole: that is what is saved before the call.
! In the later ones more of it is changed, or other elements than the caller's indices say.
! head: changed_sections::columns(t)/(t)
! head: changed_sections::rows(t)/(t)
! head: changed_sections::shifted(t)/(t)
! head: changed_sections::passed_on(t)/(t)
! head: changed_sections::steps_of_index(t)/(t)
! head: changed_sections::by_table(t)/(t)
! head: changed_sections::planes(u)/(u)
! head: changed_sections::by_keyword(t)/(t)
! head: changed_sections::neighbours(t)/(t)
! head: changed_sections::other_shape(t)/(t)
! head: changed_sections::changing_index(t)/(t)
! head: changed_sections::by_value(t)/(t)
! head: changed_sections::absent(t)/(t)
! head: changed_sections::beside(t)/(t)
! head: changed_sections::value_of_function(t)/(t)
! head: changed_sections::through_names(t)/(t)
! head: changed_sections::own_indices(t)/(t)
! head: changed_sections::outside(t)/(t)
! head: changed_sections::ending(t)/(t)
module changed_sections
  implicit none
  integer, parameter :: n = 4, m = 5
contains
  subroutine column(nn, mm, k, t)
    integer, intent(in) :: nn, mm, k
    real(8), intent(inout) :: t(nn, mm)
    integer :: i
    do i = 1, nn
      t(i, k) = t(i, k)*exp(-0.1d0*t(i, k))
    end do
    t(1, k) = t(1, k)*t(nn, k)
  end subroutine column

  subroutine columns(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call column(n, m, k, t)
    end do
    do k = 2, m
      call column(n, m, k - 1, t)
      t(:, k) = t(:, k)*t(:, k-1)
    end do
  end subroutine columns

  subroutine row(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(:, 0:)
    integer :: j
    do j = 0, ubound(t, 2)
      t(k+1, j) = sin(t(k+1, j))*t(1, j)
    end do
  end subroutine row

  subroutine rows(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, n - 1
      call row(k, t)
    end do
  end subroutine rows

  ! The caller's first index isn't the callee's.
  subroutine shifted(t)
    real(8), intent(inout) :: t(-2:1, 3:7)
    integer :: k
    do k = 1, 3
      call row(k, t)
      call column(4, 5, k, t)
    end do
  end subroutine shifted

  subroutine twice(k, l, t)
    integer, intent(in) :: k, l
    real(8), intent(inout) :: t(n, m)
    call column(n, m, l, t)
    t(k, l) = t(k, l)*t(2, 1)
    call column(n, m, l, t)
  end subroutine twice

  subroutine passed_on(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call twice(n - mod(k, 3), m + 1 - k, t)
    end do
  end subroutine passed_on

  ! The index has another value when the adjoint comes to the call.
  subroutine steps_of_index(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    k = 1
    do while (k < m)
      call column(n, m, k, t)
      k = k + 1
      t(2, k) = t(2, k)*t(2, k-1)
      call column(n, m, k, t)
      k = k + merge(1, 0, t(1, 1) > 1d9)
    end do
    k = 2
  end subroutine steps_of_index

  subroutine by_table(t)
    real(8), intent(inout) :: t(n, m)
    integer :: table(m), k
    table = [3, 1, 5, 1, 3]
    do k = 1, m
      call column(n, m, table(k), t)
      table(k) = 1
    end do
  end subroutine by_table

  subroutine plane(i, j, u)
    integer, intent(in) :: i, j
    real(8), intent(inout) :: u(n, 3, m)
    u(i, :, j) = u(i, :, j)**2*u(1, 2, 3)
  end subroutine plane

  subroutine planes(u)
    real(8), intent(inout) :: u(n, 3, m)
    integer :: i, j
    do j = 1, m
      do i = 2, n
        call plane(i, j, u)
      end do
    end do
  end subroutine planes

  subroutine by_keyword(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call column(t=t, k=k, mm=m, nn=n)
    end do
  end subroutine by_keyword

  ! Two columns are changed.
  subroutine pair(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(n, m)
    t(:, k) = t(:, k)*t(:, k+1)
    t(:, k+1) = cos(t(:, k))
  end subroutine pair

  subroutine neighbours(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m - 1
      call pair(k, t)
    end do
  end subroutine neighbours

  ! Columns of the callee are no columns of the caller.
  subroutine other_shape(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, 10
      call column(2, 10, k, t)
    end do
  end subroutine other_shape

  subroutine moving(k, t)
    integer, intent(inout) :: k
    real(8), intent(inout) :: t(n, m)
    k = k + 1
    t(:, k) = t(:, k)**2
  end subroutine moving

  subroutine changing_index(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    k = 0
    do while (k < m)
      call moving(k, t)
      t(1, k) = t(1, k)*t(2, k)
    end do
  end subroutine changing_index

  subroutine moving_value(k, t)
    integer, value :: k
    real(8), intent(inout) :: t(n, m)
    t(:, k) = t(:, k)**2
    k = k + 1
    if (k <= m) t(:, k) = t(:, k)*t(:, k-1)
  end subroutine moving_value

  subroutine by_value(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call moving_value(k, t)
    end do
  end subroutine by_value

  subroutine maybe(t, k)
    real(8), intent(inout) :: t(n, m)
    integer, intent(in), optional :: k
    if (present(k)) then
      t(:, k) = t(:, k)**2
    end if
  end subroutine maybe

  subroutine absent(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call maybe(t, k)
      call maybe(t)
    end do
  end subroutine absent

  ! The column is given by a variable that the callee has from elsewhere and changes.
  subroutine counted(l, t)
    integer, intent(inout) :: l(2)
    real(8), intent(inout) :: t(n, m)
    t(:, l(1)) = t(:, l(1))*t(1, l(2))
    l(1) = l(1) + 1
  end subroutine counted

  subroutine beside(t)
    real(8), intent(inout) :: t(n, m)
    integer :: l(2)
    l = [1, 2]
    do while (l(1) <= m)
      call counted(l, t)
    end do
  end subroutine beside

  real(8) function taken(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(n, m)
    taken = sum(t(:, k)**2)
    t(:, k) = 0.5d0*t(:, k)*taken
  end function taken

  subroutine value_of_function(t)
    real(8), intent(inout) :: t(n, m)
    real(8) :: s
    integer :: k
    do k = 1, m
      s = taken(k, t)
      t(1, 1) = t(1, 1) + sin(s)
    end do
  end subroutine value_of_function

  subroutine named(k, t)
    integer, intent(in) :: k
    real(8), intent(inout), target :: t(n, m)
    real(8), pointer :: p(:)
    associate (q => t(:, k))
      q(1) = q(1)*q(2)
    end associate
    p => t(:, mod(k, m) + 1)
    p = p*t(1, k)
  end subroutine named

  subroutine through_names(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call named(k, t)
    end do
  end subroutine through_names

  ! One index is the caller's, and the other one the callee's own.
  subroutine alternating(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(n, m)
    integer :: j
    j = mod(k, n) + 1
    t(j, k) = t(j, k)**2*t(1, 1)
    j = 1
    t(j, k) = t(j, k)*t(2, 2)
  end subroutine alternating

  subroutine own_indices(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 1, m
      call alternating(k, t)
    end do
  end subroutine own_indices

  ! There may be no such column, nor row.
  subroutine guarded(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(n, m)
    if (k > m) return
    t(:, k) = t(:, k)**2*t(1, 1)
  end subroutine guarded

  subroutine outside(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 2, 3*m
      call guarded(k, t)
    end do
  end subroutine outside

  subroutine until_full(k, t)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(n, m)
    integer :: i
    do i = 1, n
      if (k > m) exit
      t(i, k) = t(i, k)*t(1, 1)
    end do
  end subroutine until_full

  subroutine ending(t)
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = m - 1, 100, 20
      call until_full(k, t)
    end do
    call until_full(200, t)
  end subroutine ending
end module changed_sections

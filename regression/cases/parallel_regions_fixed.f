! head: f(y)/(x)
! size: n=6
! Regions of OpenMP in fixed form, labelled loops and continued directives among them.
      subroutine f(n, x, y)
      integer n
      double precision x(n), y(n), w(100), t
      intent(in) n, x
      intent(out) y
      integer i, k
      t = 2d0
!$omp parallel do private(t)
!$omp+ shared(w)
      do 10 i = 1, n
        t = 1d0/i
        w(i) = t
   10 continue
c$omp parallel
c$omp single
      w(1) = 3d0
c$omp end single
c$omp end parallel
      k = 0
!$omp parallel do reduction(+:k)
      do 20 i = 1, n
        if (w(i) .lt. 0.3d0) k = k + 1
   20 continue
!$omp end parallel do
      do 30 i = 1, n
        y(i) = t*w(i)*x(i)**2 + k*x(i)
   30 continue
      end
